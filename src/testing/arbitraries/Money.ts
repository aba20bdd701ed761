import fc from "fast-check"
import * as Currency from "../../money/Currency.js"
import * as Percent from "../../money/Percent.js"
import { integers, most, ofLetters, type Range } from "./internal/Choice.js"

const notableCents = [0, 1, -1, 2, 3, 7, 33, 99, 100, 101, 999, 1_000, 10_000, -100]
const extremeCents = [most, most - 1, (most - 1) / 2, (most + 1) / 2].flatMap((n) => [n, -n])

/**
 * Amounts in cents: round sums, single cents, both ends of what is exact (±(2^53 - 1)), and anything
 * between. Safe integers, never -0.
 *
 * @param range - the least and the largest; all safe integers when absent
 * @since 0.2.0
 * @category money
 * @example
 * ```ts
 * import { Cents } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.cents(), 50).every(Cents.isCents) // => true
 * fc.sample(Arbitraries.cents({ min: 1 }), 50).every((amount) => amount > 0) // => true
 * ```
 */
export const cents = (range: Range = {}): fc.Arbitrary<number> =>
  integers(
    { min: range.min ?? -most, max: range.max ?? most },
    { notable: [...notableCents, ...extremeCents], usual: { min: -20_000, max: 20_000 } },
  )

const notablePoints = [0, 1, 100, 333, 1_000, 1_250, 3_333, 3_334, 5_000, 6_666, 6_667, 9_999]

const basisPoints = (): fc.Arbitrary<number> =>
  fc.oneof(fc.constantFrom(...notablePoints, Percent.whole), fc.integer({ min: 0, max: 10_000 }))

/**
 * Percentages as groups carry them, with two decimals: `0.00`, thirds, `100.00` and anything between.
 *
 * @since 0.2.0
 * @category money
 * @example
 * ```ts
 * import { Percent } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const percents = fc.sample(Arbitraries.percent(), 50)
 * percents.every((percent) => Result.isSuccess(Percent.parse(percent))) // => true
 * ```
 */
export const percent = (): fc.Arbitrary<string> => basisPoints().map(Percent.format)

/**
 * Percentages as hosts write them: `"12.50"`, `"12.5"` or the number 12.5.
 *
 * @since 0.2.0
 * @category money
 * @example
 * ```ts
 * import { Percent } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const percents = fc.sample(Arbitraries.percentInput(), 50)
 * percents.every((percent) => Result.isSuccess(Percent.parse(percent))) // => true
 * ```
 */
export const percentInput = (): fc.Arbitrary<string | number> =>
  basisPoints().chain((points) =>
    fc.constantFrom<string | number>(
      Percent.format(points),
      Number(Percent.format(points)),
      String(Number(Percent.format(points))),
    ),
  )

const notableCurrencies = ["USD", "EUR", "JPY", "KWD", "CLF"]

const digitsOf = (code: string): number => {
  const written = Currency.formatAmount(0, code)
  return written._tag === "Success" ? Math.max(0, written.success.length - 2) : 0
}

/**
 * Currency codes: those with 0, 2, 3 and 4 digits of their lowest unit often, every known one now and
 * then.
 *
 * @param options.digits - only currencies with so many digits
 * @since 0.2.0
 * @category money
 * @example
 * ```ts
 * import { Currency } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.currency(), 50).every(Currency.isCurrency) // => true
 * fc.sample(Arbitraries.currency({ digits: 4 }), 50).includes("CLF") // => true
 * ```
 */
export const currency = (
  options: { readonly digits?: 0 | 2 | 3 | 4 | undefined } = {},
): fc.Arbitrary<string> => {
  const { digits } = options
  const fits = (code: string) => digits === undefined || digitsOf(code) === digits
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...notableCurrencies.filter(fits)) },
    { weight: 1, arbitrary: fc.constantFrom(...Currency.codes().filter(fits)) },
  )
}

const notableRates = ["1", "1.0", "0.92", "1.0837", "150.255", "0.5", "3", "0.333333333333333333"]
const extremeRates = [
  "9".repeat(40),
  `0.${"0".repeat(39)}1`,
  `${"0".repeat(39)}1.${"0".repeat(40)}`,
]

const digitText = (maxLength: number): fc.Arbitrary<string> =>
  ofLetters("0123456789", { minLength: 1, maxLength })

/**
 * Exchange rates as hosts write them: decimal texts above 0, up to forty digits on either side of the
 * point.
 *
 * @param options.extreme - whether rates are included that make most amounts 0 or too large to be exact; yes when absent
 * @since 0.2.0
 * @category money
 * @example
 * ```ts
 * import { ExchangeRate } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.exchangeRate(), 50).every(ExchangeRate.isExchangeRate) // => true
 * ```
 */
export const exchangeRate = (
  options: { readonly extreme?: boolean | undefined } = {},
): fc.Arbitrary<string> => {
  const near = fc
    .tuple(fc.integer({ min: 0, max: 200 }), digitText(6))
    .map(([units, decimals]) => `${units}.${decimals}`)
  const wide = fc
    .tuple(digitText(40), digitText(40))
    .map(([units, decimals]) => `${units}.${decimals}`)
  const usual = fc.oneof(fc.constantFrom(...notableRates), near)
  const any =
    options.extreme === false ? usual : fc.oneof(usual, wide, fc.constantFrom(...extremeRates))
  return any.map((rate) => (/[1-9]/.test(rate) ? rate : "1"))
}
