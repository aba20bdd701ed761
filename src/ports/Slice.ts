/**
 * A part of a list: skip so many entries, then give so many.
 *
 * @since 0.2.0
 * @category models
 */
export interface Slice {
  /** How many entries of the list come before; a whole number of 0 or more, of any size. */
  readonly offset: number
  /** At most how many are given; 1 or more. */
  readonly limit: number
}

/**
 * The entries of a slice, and how many the whole list has.
 *
 * @since 0.2.0
 * @category models
 */
export interface Sliced<A> {
  readonly entries: ReadonlyArray<A>
  /** Of the whole list, exact, also when the slice lies beyond its end. */
  readonly total: number
}
