/**
 * ISO 4217 currency codes and the number of digits of their lowest unit.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { show } from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import * as Cents from "./Cents.js"

/**
 * ISO 4217 codes by their number of minor-unit digits. A test compares this table with the `currency-codes` data set
 * (ISO's own list) and fails when the two differ. Codes without a minor unit in ISO 4217 (metals, bond units, testing)
 * don't count as money here and are not listed.
 */
const twoDigits =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD " +
  "CAD CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL " +
  "GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD " +
  "LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN " +
  "PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB " +
  "TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG ZWL"

const otherDigits: ReadonlyArray<readonly [digits: number, codes: string]> = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
]

const minorUnits: ReadonlyMap<string, number> = /* @__PURE__ */ new Map(
  [[2, twoDigits] as const, ...otherDigits].flatMap(([digits, codes]) =>
    codes.split(" ").map((code) => [code, digits] as const),
  ),
)

/**
 * An ISO 4217 code in capital letters, such as `USD`.
 *
 * @since 0.1.0
 * @category models
 */
export type Currency = string

/**
 * A code that ISO 4217 does not list as money.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownCurrency extends TaggedError("UnknownCurrency")<{
  readonly value: unknown
  readonly message: string
}> {}

/**
 * A value that is not an amount of the currency: a text that is not a decimal number, has more decimals than the
 * currency or is beyond the safe range; a number that is not whole or is beyond that range.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidAmount extends TaggedError("InvalidAmount")<{
  readonly value: unknown
  readonly currency: string
  readonly message: string
}> {}

/**
 * Every known code, sorted.
 *
 * @since 0.1.0
 * @category constants
 * @example
 * ```ts
 * import { Currency } from "apportion"
 *
 * Currency.codes().includes("EUR") // => true
 * Currency.codes().slice(0, 3) // => ["AED", "AFN", "ALL"]
 * ```
 */
export const codes = (): ReadonlyArray<Currency> => [...minorUnits.keys()].sort()

/**
 * Whether ISO 4217 lists the code as money. Codes are in capital letters.
 *
 * @since 0.1.0
 * @category guards
 * @example
 * ```ts
 * import { Currency } from "apportion"
 *
 * Currency.isCurrency("USD") // => true
 * Currency.isCurrency("usd") // => false
 * ```
 */
export const isCurrency = (value: unknown): value is Currency =>
  typeof value === "string" && minorUnits.has(value)

/**
 * How many digits the currency's lowest unit has: 0 for JPY, 2 for USD, 3 for KWD, 4 for CLF.
 *
 * Source: ISO 4217, list one.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Currency } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Currency.minorDigits("JPY")) // => 0
 * ```
 */
export const minorDigits = (currency: Currency): Result.Result<number, UnknownCurrency> => {
  const digits = minorUnits.get(currency)
  return digits === undefined
    ? Result.fail(
        new UnknownCurrency({
          value: currency,
          message: `must be an ISO 4217 currency code, got ${show(currency)}`,
        }),
      )
    : Result.succeed(digits)
}

const decimal = /^(-?\d+)(?:\.(\d+))?$/

const centsOf = (text: unknown, digits: number): bigint | undefined => {
  const matched = typeof text === "string" ? decimal.exec(text) : null
  if (matched === null) return undefined
  const [, units, decimals = ""] = matched
  const significant = decimals.replace(/0+$/, "")
  if (significant.length > digits) return undefined
  return BigInt(`${units}${significant.padEnd(digits, "0")}`)
}

/**
 * Reads a decimal text as an amount in the currency's lowest unit, without going through a floating-point number. Zeros
 * beyond the currency's digits are accepted, other digits there are not.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { Currency } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Currency.parseAmount("19.99", "USD")) // => 1999
 * Result.getOrThrow(Currency.parseAmount("500", "JPY")) // => 500
 * ```
 */
export const parseAmount = (
  text: string,
  currency: Currency,
): Result.Result<Cents.Cents, InvalidAmount | UnknownCurrency> =>
  Result.flatMap(minorDigits(currency), (digits) => {
    const amount = Number(centsOf(text, digits) ?? Number.NaN)
    return Cents.isCents(amount)
      ? Result.succeed(amount)
      : Result.fail(
          new InvalidAmount({
            value: text,
            currency,
            message: `must be a decimal amount of ${currency} with at most ${digits} decimals and at most 9007199254740991 in its lowest unit, got ${show(text)}`,
          }),
        )
  })

/**
 * Writes an amount with the currency's decimals: 1999 in USD as `19.99`.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Currency } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Currency.formatAmount(-5, "USD")) // => "-0.05"
 * ```
 */
export const formatAmount = (
  amount: Cents.Cents,
  currency: Currency,
): Result.Result<string, InvalidAmount | UnknownCurrency> =>
  Result.flatMap(minorDigits(currency), (digits) => {
    if (!Cents.isCents(amount)) {
      const message = `must be a whole number in the lowest unit of ${currency}, -9007199254740991 to 9007199254740991, got ${show(amount)}`
      return Result.fail(new InvalidAmount({ value: amount, currency, message }))
    }
    const sign = amount < 0 ? "-" : ""
    const text = String(Math.abs(amount)).padStart(digits + 1, "0")
    const point = text.length - digits
    return Result.succeed(
      digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, point)}.${text.slice(point)}`,
    )
  })
