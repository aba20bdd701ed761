/**
 * A slice of a list: skip `offset` entries, then return at most `limit`.
 *
 * @since 0.2.0
 * @category models
 */
export interface Slice {
  /** How many entries to skip; a whole number of 0 or more, of any size. */
  readonly offset: number
  /** The maximum number of entries returned; 1 or more. */
  readonly limit: number
}

/**
 * The entries of a slice, and the number of entries of the whole list.
 *
 * @since 0.2.0
 * @category models
 */
export interface Sliced<A> {
  readonly entries: ReadonlyArray<A>
  /** The exact number for the whole list, even when the slice is beyond its end. */
  readonly total: number
}
