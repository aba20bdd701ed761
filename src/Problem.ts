/**
 * One thing that is wrong with an input: where, what was there, and what would be right.
 *
 * @since 0.1.0
 * @category errors
 */
export interface Problem {
  /** Where in the input, as `items[2].amount`; empty for the input as a whole. */
  readonly path: string
  /** What stood there, as it came; `undefined` when something is missing. */
  readonly value: unknown
  /** What is wrong, in words a user can act on. */
  readonly message: string
}
