/** The same rows in other columns, as a warehouse may have them. */
import type { ColumnBatch } from "apportion/bulk"

type Column = ColumnBatch.ColumnData
type Batch = ColumnBatch.ColumnBatch

const mapped = (batch: Batch, change: (column: Column) => Column): Batch => ({
  ...batch,
  data: { children: batch.data.children.map(change) },
})

const textAt = ({ values, valueOffsets }: Column, place: number): string =>
  new TextDecoder().decode(
    (values instanceof Uint8Array ? values : Uint8Array.from(values ?? [], Number)).subarray(
      Number(valueOffsets?.[place]),
      Number(valueOffsets?.[place + 1]),
    ),
  )

const coded = (column: Column): Column => {
  const { type, length, children } = column
  if (type.typeId === 12) return { ...column, children: children.map(coded) }
  if (type.typeId !== 5) return column
  const cells = Array.from({ length }, (_, place) => textAt(column, place))
  const words = [...new Set(cells)]
  const parts = words.map((word) => new TextEncoder().encode(word))
  const ends = Int32Array.from({ length: parts.length + 1 }, () => 0)
  for (const [place, part] of parts.entries()) ends[place + 1] = (ends[place] ?? 0) + part.length
  const entries: Column = {
    ...{ type: { typeId: 5 }, length: words.length, offset: 0, nullCount: 0, children: [] },
    ...{
      valueOffsets: ends,
      values: Uint8Array.from(Buffer.concat(parts)),
    },
  }
  const values = Int32Array.from(cells, (cell) => words.indexOf(cell))
  const { nullBitmap, nullCount, offset } = column
  const own = { length, offset, nullCount, nullBitmap, children: [] }
  return { ...own, type: { typeId: -1 }, values, dictionary: { data: [entries] } }
}

/** Every text as a code of a dictionary. */
export const asCodes = (batch: Batch): Batch => mapped(batch, coded)

/** Every number as a whole number of 64 bits; all of them must be whole. */
export const asWholeNumbers = (batch: Batch): Batch =>
  mapped(batch, (column) =>
    column.type.typeId === 3
      ? { ...column, type: { typeId: 2 }, values: BigInt64Array.from(column.values ?? [], BigInt) }
      : column,
  )

/** A part of a column, in the way that libraries cut one: by views of the same buffers. */
const cut = (column: Column, from: number, to: number): Column => {
  const { type, values, valueOffsets, offset } = column
  const own = { ...column, length: to - from, offset: offset + from }
  if (valueOffsets instanceof Int32Array) {
    return { ...own, valueOffsets: valueOffsets.subarray(from, to + 1) }
  }
  // The bits of flags are found by the offset.
  if (type.typeId === 6) return own
  if (
    values instanceof Float64Array ||
    values instanceof BigInt64Array ||
    values instanceof Int32Array
  ) {
    return { ...own, values: values.subarray(from, to) }
  }
  return own
}

/** Batches of so many rows at most. */
export const cutTo = (size: number, batch: Batch): ReadonlyArray<Batch> =>
  Array.from({ length: Math.ceil(batch.numRows / size) }, (_, index) => {
    const [from, to] = [index * size, Math.min((index + 1) * size, batch.numRows)]
    const children = batch.data.children.map((column) => cut(column, from, to))
    return { ...batch, numRows: to - from, data: { children } }
  })
