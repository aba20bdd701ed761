/**
 * The buffers of one column, under the names that `Data` of apache-arrow has for them.
 *
 * @since 0.6.0
 * @category models
 */
export interface ColumnData {
  /** The kind of column: 2 (Int), 3 (Float), 5 (Utf8), 6 (Bool), 12 (List), -1 (Dictionary). */
  readonly type: { readonly typeId: number }
  readonly length: number
  /** Where the column begins in the bits of `nullBitmap`, and of `values` for a Bool. */
  readonly offset: number
  readonly nullCount: number
  readonly values?: ArrayLike<number | bigint> | undefined
  readonly valueOffsets?: ArrayLike<number | bigint> | undefined
  readonly nullBitmap?: Uint8Array | null | undefined
  readonly children: ReadonlyArray<ColumnData>
  readonly dictionary?: { readonly data: ReadonlyArray<ColumnData> } | undefined
}

/** How Arrow's libraries number the types of columns. */
export const typeIds = {
  /** Numbers that stand for the entries of a dictionary. */
  coded: -1,
  int: 2,
  float: 3,
  text: 5,
  flag: 6,
  list: 12,
  largeText: 20,
  largeList: 21,
} as const

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
