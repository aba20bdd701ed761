import * as Result from "effect/Result"
import { guarded, summarize } from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import type { Problem } from "../Problem.js"

/**
 * Payments that a rail can't be told, with everything that is wrong with them. Nothing is written then: a file with some
 * of the payments would be taken for all of them. Paths are in the fields of the batch, as
 * `transfers[2].recipient.name`.
 *
 * @since 0.6.0
 * @category errors
 */
export class Unwritable extends TaggedError("Unwritable")<{
  /** What was to be written, as `SEPA credit transfer file`. */
  readonly what: string
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

/** The refusal of a batch, with all that is wrong with it. */
export const unwritable = (what: string, problems: ReadonlyArray<Problem>): Unwritable =>
  new Unwritable({
    what,
    problems,
    message: `the ${what} can't be written: ${summarize(problems)}`,
  })

/** What is made of an input while its problems are noted; when there is any, what was made is thrown away. */
export const written = <A>(
  what: string,
  input: unknown,
  make: (problems: Array<Problem>) => A,
): Result.Result<A, Unwritable> => {
  const made = guarded(input, () => {
    const problems: Array<Problem> = []
    const value = make(problems)
    return problems.length === 0 ? Result.succeed(value) : Result.fail(problems)
  })
  return Result.mapError(made, (problems) => unwritable(what, problems))
}
