/**
 * Money as whole numbers of a currency's lowest unit.
 *
 * Every safe integer (up to 2^53 - 1, negative too) is an amount, and every operation here is exact over that whole
 * range: a result outside it is an {@link AmountOutOfRange}, never a wrong number.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { show } from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import * as exact from "./internal/exact.js"

/**
 * An amount in the lowest unit of its currency: a safe integer, negative for money that is returned.
 *
 * @since 0.1.0
 * @category models
 */
export type Cents = number

/**
 * The exact result is not a safe integer, or a value given as an amount is not one.
 *
 * @since 0.1.0
 * @category errors
 */
export class AmountOutOfRange extends TaggedError("AmountOutOfRange")<{
  /** What was computed or given, such as `cost of item 7`. */
  readonly what: string
  /** The exact value, in decimal digits; a given value as it is shown in messages. */
  readonly value: string
  readonly message: string
}> {
  /**
   * @since 0.1.0
   */
  static of(what: string, value: number | bigint): AmountOutOfRange {
    const text = String(value)
    return new AmountOutOfRange({
      what,
      value: text,
      message: `${what} is ${text}, outside ±9007199254740991, the range in which cents are exact`,
    })
  }

  /**
   * @since 0.6.0
   */
  static ofGiven(what: string, given: unknown): AmountOutOfRange {
    const value = show(given)
    const message = `${what} must be a whole number of cents within ±9007199254740991, got ${value}`
    return new AmountOutOfRange({ what, value, message })
  }
}

/**
 * Whether a value is an amount: a safe integer.
 *
 * @since 0.1.0
 * @category guards
 * @example
 * ```ts
 * import { Cents } from "apportion"
 *
 * Cents.isCents(1_250) // => true
 * Cents.isCents(12.5) // => false
 * ```
 */
export const isCents = (value: unknown): value is Cents => Number.isSafeInteger(value)

/** The first entry that is not an amount; the whole list when reading it throws. */
const firstOther = (amounts: ReadonlyArray<unknown>): AmountOutOfRange | undefined => {
  try {
    const other = amounts.findIndex((amount) => !isCents(amount))
    return other < 0 ? undefined : AmountOutOfRange.ofGiven(`amounts[${other}]`, amounts[other])
  } catch {
    return AmountOutOfRange.ofGiven("each of the amounts", amounts)
  }
}

/**
 * Adds amounts of one currency. The result does not depend on their order. Anything but a list of amounts is refused,
 * with the index of the entry that is not one.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Cents } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Cents.sum([1_000, -250])) // => 750
 * Result.isFailure(Cents.sum([Number.MAX_SAFE_INTEGER, 1])) // => true
 * ```
 */
export const sum = (
  amounts: ReadonlyArray<Cents>,
  options: { readonly what?: string } = {},
): Result.Result<Cents, AmountOutOfRange> => {
  const wrong = firstOther(amounts)
  if (wrong !== undefined) return Result.fail(wrong)
  const total = exact.sum(amounts)
  const safe = exact.toSafe(total)
  return safe === undefined
    ? Result.fail(AmountOutOfRange.of(options.what ?? "the sum", total))
    : Result.succeed(exact.withoutNegativeZero(safe))
}
