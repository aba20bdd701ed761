/**
 * Conversion between currencies by a rate that the host supplies as a decimal text.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { show } from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import * as Cents from "./Cents.js"
import * as Currency from "./Currency.js"

/**
 * How many units of the target currency one unit of the source currency buys, such as `"1.0837"`.
 *
 * @since 0.1.0
 * @category models
 */
export type ExchangeRate = string

/**
 * A text that is not a positive decimal number.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidExchangeRate extends TaggedError("InvalidExchangeRate")<{
  readonly value: unknown
  readonly message: string
}> {}

const pattern = /^\d{1,40}(?:\.\d{1,40})?$/

/**
 * Whether a value is a rate: a positive decimal text.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { ExchangeRate } from "apportion"
 *
 * ExchangeRate.isExchangeRate("1.0837") // => true
 * ExchangeRate.isExchangeRate("0") // => false
 * ```
 */
export const isExchangeRate = (value: unknown): value is ExchangeRate =>
  typeof value === "string" && pattern.test(value) && /[1-9]/.test(value)

/**
 * What a rate must look like, for messages.
 *
 * @since 0.1.0
 * @category constants
 */
export const expected = "a decimal text above 0, as 1.0837"

/** Half-up on the absolute value: integer division drops the fraction. */
const roundHalfUp = (numerator: bigint, denominator: bigint): bigint => {
  const half = numerator < 0n ? -denominator : denominator
  return (2n * numerator + half) / (2n * denominator)
}

/**
 * Converts an amount from one currency to another: computed exactly with both currencies' minor digits, then rounded
 * half-up on the absolute value.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { ExchangeRate } from "apportion"
 * import { Result } from "effect"
 *
 * // 10.00 USD at 150.255 yen a dollar
 * const yen = ExchangeRate.convert(1_000, { from: "USD", to: "JPY", rate: "150.255" })
 * Result.getOrThrow(yen) // => 1503
 * ```
 */
export const convert = (
  amount: Cents.Cents,
  options: {
    readonly from: Currency.Currency
    readonly to: Currency.Currency
    readonly rate: ExchangeRate
  },
): Result.Result<
  Cents.Cents,
  Cents.AmountOutOfRange | Currency.UnknownCurrency | InvalidExchangeRate
> =>
  Result.gen(function* () {
    if (!Cents.isCents(amount)) {
      return yield* Result.fail(Cents.AmountOutOfRange.ofGiven("the amount", amount))
    }
    const fromDigits = yield* Currency.minorDigits(options.from)
    const toDigits = yield* Currency.minorDigits(options.to)
    if (!isExchangeRate(options.rate)) {
      const message = `must be ${expected}, got ${show(options.rate)}`
      return yield* Result.fail(new InvalidExchangeRate({ value: options.rate, message }))
    }
    const digits = options.rate.replace(".", "")
    const decimals = options.rate.replace(/\d+\.?/, "").length
    const numerator = BigInt(amount) * BigInt(digits) * 10n ** BigInt(toDigits)
    const denominator = 10n ** BigInt(decimals + fromDigits)
    const converted = roundHalfUp(numerator, denominator)
    const safe = Number(converted)
    if (Cents.isCents(safe)) return safe
    const what = `${amount} ${options.from} in ${options.to}`
    return yield* Result.fail(Cents.AmountOutOfRange.of(what, converted))
  })
