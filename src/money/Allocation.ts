/**
 * Dividing an amount in whole cents so that nothing is lost: largest remainder.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { mostProblems, reading, show, summarize } from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import type { Problem } from "../Problem.js"
import { allocateExactly } from "./internal/exact.js"

/**
 * An amount or weights that can't be divided exactly: not safe integers, or a weight below 0.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidAllocation extends TaggedError("InvalidAllocation")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

const problemsOf = (amount: unknown, weights: unknown): ReadonlyArray<Problem> => {
  const found: Array<Problem> = []
  const refuse = (path: string, value: unknown, expected: string) =>
    found.push({ path, value, message: `must be ${expected}, got ${show(value)}` })
  if (!Number.isSafeInteger(amount)) {
    refuse("amount", amount, "a whole number of cents within ±9007199254740991")
  }
  if (!Array.isArray(weights)) {
    refuse("weights", weights, "a list of whole numbers")
    return found
  }
  for (let place = 0; place < weights.length && found.length < mostProblems; place += 1) {
    const weight: unknown = weights[place]
    if (Number.isSafeInteger(weight) && Number(weight) >= 0) continue
    refuse(`weights[${place}]`, weight, "a whole number from 0 to 9007199254740991")
  }
  return found
}

/**
 * Divides an amount over weights as {@link allocate} does, and returns the typed error when the amount or a weight is
 * not a safe integer.
 *
 * @param amount - cents, any safe integer
 * @param weights - safe integers of 0 or more; their sum may be larger than a safe integer
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Allocation } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Allocation.allocateResult(100, [1, 2])) // => [33, 67]
 * const result = Allocation.allocateResult(1.5, [1])
 * Result.isFailure(result) && result.failure.problems.map((problem) => problem.path) // => ["amount"]
 * ```
 */
export const allocateResult = (
  amount: number,
  weights: ReadonlyArray<number>,
): Result.Result<Array<number>, InvalidAllocation> => {
  const found = reading(weights, () => problemsOf(amount, weights))
  return found.length === 0
    ? Result.succeed(allocateExactly(amount, weights))
    : Result.fail(new InvalidAllocation({ problems: found, message: summarize(found) }))
}

/**
 * Divides an amount over weights by largest remainder. The parts add up to the amount; each part is the floor or the
 * ceiling of its exact value; a weight of 0 gets nothing; a negative amount is the mirror of the positive one. Equal
 * remainders are served in the order of the weights. Without any weight above 0, all parts are 0, because nothing says
 * where the amount should go. Throws {@link InvalidAllocation} when the amount or a weight is not a safe integer; for
 * figures from outside the program, {@link allocateResult} returns it as a value.
 *
 * @param amount - cents, any safe integer
 * @param weights - safe integers of 0 or more; their sum may be larger than a safe integer
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Allocation } from "apportion"
 *
 * Allocation.allocate(100, [1, 1, 1]) // => [34, 33, 33]
 * Allocation.allocate(9_999, [7_500, 2_500]) // => [7499, 2500]
 * ```
 */
export const allocate = (amount: number, weights: ReadonlyArray<number>): Array<number> =>
  Result.getOrThrow(allocateResult(amount, weights))
