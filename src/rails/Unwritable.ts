import * as Result from "effect/Result"
import { guarded, summarize } from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import type { Problem } from "../Problem.js"

/**
 * Payments that can't be written for a rail, with all of their problems. Then nothing is written: a file with only some
 * of the payments would be mistaken for the whole. Paths are in the fields of the batch, as
 * `transfers[2].recipient.name`.
 *
 * @since 0.6.0
 * @category errors
 */
export class Unwritable extends TaggedError("Unwritable")<{
  /** The intended file or request, as `SEPA credit transfer file`. */
  readonly what: string
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

/** The refusal of a batch, with all of its problems. */
export const unwritable = (what: string, problems: ReadonlyArray<Problem>): Unwritable =>
  new Unwritable({
    what,
    problems,
    message: `the ${what} can't be written: ${summarize(problems)}`,
  })

/** Makes a result from an input while its problems are noted; with any problem, the result is dropped. */
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
