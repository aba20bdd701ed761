/**
 * One problem of an input: its path, the value found, and what would be right.
 *
 * @since 0.1.0
 * @category errors
 */
export interface Problem {
  /** The path in the input, such as `items[2].amount`; empty for the input as a whole. */
  readonly path: string
  /** The value found there, unchanged; `undefined` when it is missing. */
  readonly value: unknown
  /** What is wrong, in words a user can act on. */
  readonly message: string
}
