import type { ColumnData } from "../ColumnData.js"
import { typeIds } from "./typeIds.js"

const bitsOf = (flags: ReadonlyArray<boolean>): Uint8Array => {
  const bits = new Uint8Array(Math.ceil(flags.length / 8))
  flags.forEach((flag, place) => {
    if (flag) bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
  })
  return bits
}

type Optional<A> = A | null | undefined

const column = <A>(
  typeId: number,
  cells: ReadonlyArray<Optional<A>>,
  buffers: Pick<ColumnData, "values" | "valueOffsets"> & Partial<Pick<ColumnData, "children">>,
): ColumnData => {
  const isThere = cells.map((cell) => cell != null)
  return {
    type: { typeId },
    length: cells.length,
    offset: 0,
    nullCount: isThere.filter((is) => !is).length,
    nullBitmap: bitsOf(isThere),
    children: [],
    ...buffers,
  }
}

const encoder = new TextEncoder()

const offsetsOf = (lengths: ReadonlyArray<number>): Int32Array => {
  const offsets = new Int32Array(lengths.length + 1)
  let end = 0
  lengths.forEach((length, place) => {
    end += length
    offsets[place + 1] = end
  })
  return offsets
}

/** A column of texts from them. */
export const textColumn = (cells: ReadonlyArray<Optional<string>>): ColumnData => {
  const parts = cells.map((cell) => encoder.encode(cell ?? ""))
  const valueOffsets = offsetsOf(parts.map(({ length }) => length))
  const values = new Uint8Array(valueOffsets.at(-1) ?? 0)
  parts.forEach((part, place) => {
    values.set(part, valueOffsets[place])
  })
  return column(typeIds.text, cells, { values, valueOffsets })
}

/** A column of lists of texts. */
export const listColumn = (cells: ReadonlyArray<Optional<ReadonlyArray<string>>>): ColumnData => {
  const lists = cells.map((cell) => cell ?? [])
  const valueOffsets = offsetsOf(lists.map(({ length }) => length))
  return column(typeIds.list, cells, { valueOffsets, children: [textColumn(lists.flat())] })
}

/** A column of numbers. */
export const numberColumn = (cells: ReadonlyArray<Optional<number>>): ColumnData =>
  column(typeIds.float, cells, { values: Float64Array.from(cells, (cell) => cell ?? 0) })

/** A column of what is so or not. */
export const flagColumn = (cells: ReadonlyArray<Optional<boolean>>): ColumnData =>
  column(typeIds.flag, cells, { values: bitsOf(cells.map((cell) => cell === true)) })
