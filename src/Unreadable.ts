import { summarize } from "./internal/problems.js"
import { TaggedError } from "./internal/TaggedError.js"
import type { Problem } from "./Problem.js"

/**
 * Input that could not be read, with all its problems. Paths use the input's own field names, so
 * that its author finds the place.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unreadable extends TaggedError("Unreadable")<{
  /** What was expected, such as `order`. */
  readonly what: string
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

/** The refusal of an input, with all its problems. */
export const unreadable = (what: string, problems: ReadonlyArray<Problem>): Unreadable =>
  new Unreadable({
    what,
    problems,
    message: `the ${what} can't be read: ${summarize(problems)}`,
  })
