/**
 * The buffers of one column, under the names that `Data` of apache-arrow has for them.
 *
 * @since 0.7.0
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
