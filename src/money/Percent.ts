/**
 * Percentages with two decimals, as whole hundredths of a percent (basis points).
 *
 * Hosts write a percentage as it reads, `"12.50"` or `12.5`; arithmetic uses `1250`. Product groups hold the text form,
 * so that a number of basis points can't be mistaken for a percentage.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { show } from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import { readBasisPoints } from "./internal/exact.js"

/**
 * Hundredths of a percent, a whole number from 0 to 10000.
 *
 * @since 0.1.0
 * @category models
 */
export type BasisPoints = number

/**
 * Basis points in the whole: 100.00 percent.
 *
 * @since 0.1.0
 * @category constants
 */
export const whole: BasisPoints = 10_000

/**
 * A value that is not a percentage from 0 to 100 with at most two decimals.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidPercent extends TaggedError("InvalidPercent")<{
  readonly value: unknown
  readonly message: string
}> {}

/**
 * What a percentage must look like, for messages.
 *
 * @since 0.1.0
 * @category constants
 */
export const expected = "a percentage from 0 to 100 with at most two decimals"

/**
 * Reads a percentage: `"12.5"`, `"12.50"` and `12.5` are 1250. More than two decimals, signs, exponents
 * and anything above 100 are refused.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { Percent } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Percent.parse("12.5")) // => 1250
 * Result.isFailure(Percent.parse("12.345")) // => true
 * ```
 */
export const parse = (value: unknown): Result.Result<BasisPoints, InvalidPercent> => {
  const basisPoints = readBasisPoints(value)
  return basisPoints === undefined
    ? Result.fail(new InvalidPercent({ value, message: `must be ${expected}, got ${show(value)}` }))
    : Result.succeed(basisPoints)
}

/**
 * Writes basis points as a percentage with two decimals.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Percent } from "apportion"
 *
 * Percent.format(1_250) // => "12.50"
 * ```
 */
export const format = (basisPoints: BasisPoints): string =>
  `${Math.trunc(basisPoints / 100)}.${String(basisPoints % 100).padStart(2, "0")}`
