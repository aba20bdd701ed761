import fc from "fast-check"
import { firstSecond, lastSecond } from "../../internal/seconds.js"
import * as Currency from "../../money/Currency.js"
import * as Percent from "../../money/Percent.js"
import { integers, most, ofLetters, type Range } from "./internal/Choice.js"

/** Texts in families: a rule treats members of one family as equal, and members of different families as different. */
const textFamilies: ReadonlyArray<ReadonlyArray<string>> = [
  ["art", "ART", " Art", "aRt \t"],
  ["café", "cafe\u0301", "CAFÉ ", "Cafe\u0301"],
  ["cafe", "CAFE"],
  ["straße", "STRASSE", "Strasse", "STRAẞE"],
  ["οδος", "ΟΔΟΣ", "οδοσ"],
  ["ﬁlm", "film", "FILM"],
  ["wall art", " Wall Art"],
  ["", " ", "\t\n"],
]

const countryFamilies: ReadonlyArray<ReadonlyArray<string>> = [
  ["DE", "de", " De "],
  ["FR", "fr"],
  ["US", "us "],
]

/**
 * The spellings of a text or a country that the arbitraries make, including itself: to a rule, they are all equal.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 *
 * Arbitraries.spellingsOf("cafe") // => ["cafe", "CAFE"]
 * Arbitraries.spellingsOf("anything else") // => ["anything else"]
 * ```
 */
export const spellingsOf = (text: string): ReadonlyArray<string> =>
  [...textFamilies, ...countryFamilies].find((family) => family.includes(text)) ?? [text]

/**
 * Texts as rules compare them, tags, vendors, codes and referers: mostly from a few families of spellings (case,
 * accents, spaces), so that two of them are often equal to a rule; some are blank, some have arbitrary characters.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * new Set(fc.sample(Arbitraries.text(), 200)).size > 20 // => true
 * ```
 */
export const text = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...textFamilies.flat()) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  )

/**
 * Texts with more than white space, as the services require in links and conditions.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.filledText(), 50).every((text) => text.trim() !== "") // => true
 * ```
 */
export const filledText = (): fc.Arbitrary<string> =>
  text().map((value) => (value.trim() === "" ? `${value}art` : value))

/**
 * Country codes as orders and groups spell them.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.country(), 50).every((code) => code.trim().length === 2) // => true
 * ```
 */
export const country = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...countryFamilies.flat()) },
    {
      weight: 1,
      arbitrary: ofLetters("ABCDEFGHIJKLMNOPQRSTUVWXYZ", { minLength: 2, maxLength: 2 }),
    },
  )

/** Ids that are easily sorted wrongly, need escaping, or are names of properties that every object has. */
const notableIds = [
  ...["1", "9", "10", "a", "B", "b", "é", "e\u0301", "ﬀ", "😀", "-", "07", " p1"],
  ...["a/b", "a%2Fb", "100%", "a b", "constructor", "__proto__", "null", "\\", '"', "'"],
]

/**
 * Ids: not empty, of any characters, compared exactly. Among them are numbers as text, slashes and characters that need
 * escaping, and names of properties that every object has.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.id(), 50).every((id) => id.length > 0) // => true
 * ```
 */
export const id = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...notableIds) },
    { weight: 3, arbitrary: ofLetters("abc0123", { minLength: 1, maxLength: 5 }) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }) },
  )

/**
 * Ids of products: mostly from a small pool, so that groups name products and products share ids.
 *
 * @since 0.2.0
 * @category products
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * new Set(fc.sample(Arbitraries.productId(), 200)).has("p1") // => true
 * ```
 */
export const productId = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("p1", "P1", "p2", "p3", "7", "07", " p1") },
    { weight: 1, arbitrary: id() },
  )

/**
 * A number of different ids.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const lists = fc.sample(Arbitraries.ids({ minLength: 3, maxLength: 3 }), 50)
 * lists.every((ids) => new Set(ids).size === 3) // => true
 * ```
 */
export const ids = (
  options: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<ReadonlyArray<string>> => fc.uniqueArray(id(), options)

/**
 * Names of expenses and incomes: 1 to 200 characters besides the spaces around them.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.entryName(), 50).every((name) => name.trim() !== "") // => true
 * ```
 */
export const entryName = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom("Samples", " Bonus ", "x", "é".repeat(200), `${"😀".repeat(200)}  `, "null"),
    fc
      .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 40 })
      .map((name) => (name.trim() === "" ? "Samples" : name)),
  )

const at = (year: number, month: number, day: number, hour = 0, minute = 0): number =>
  Date.UTC(year, month - 1, day, hour, minute) / 1_000

/** Ends of years and months, leap days, and changes of the clock. */
const notableTimes = [
  0,
  -1,
  at(2024, 1, 1) - 1,
  at(2024, 1, 1),
  at(2024, 1, 31),
  at(2024, 2, 29),
  at(2025, 2, 28, 23, 59),
  at(2024, 3, 31, 1),
  at(2024, 10, 27, 1),
  at(2024, 3, 10, 7),
  at(2024, 11, 3, 6),
  at(2011, 12, 30),
]

const usualTimes = { min: at(2000, 1, 1), max: at(2049, 12, 31) }

/**
 * Times in Unix seconds: both ends of the years 1 to 9999, the ends of months, leap days, changes of the
 * clock, and anything between.
 *
 * @param range - the earliest and the latest; the years 1 to 9999 when absent
 * @since 0.2.0
 * @category times
 * @example
 * ```ts
 * import { Schedule } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const times = fc.sample(Arbitraries.time(), 50)
 * times.every((time) => Result.isSuccess(Schedule.checkTime(time, "at"))) // => true
 * ```
 */
export const time = (range: Range = {}): fc.Arbitrary<number> =>
  integers(
    { min: range.min ?? firstSecond, max: range.max ?? lastSecond },
    { notable: notableTimes, usual: usualTimes },
  )

/**
 * Times from 2000 to 2049: far enough from the ends of the calendar that every due date after them can be computed.
 *
 * @since 0.2.0
 * @category times
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.usualTime(), 50).every((time) => time >= 946_684_800) // => true
 * ```
 */
export const usualTime = (): fc.Arbitrary<number> => time(usualTimes)

/**
 * IANA time zones: on both sides of UTC, with half and quarter hours, with and without daylight saving time, with
 * skipped days.
 *
 * @since 0.2.0
 * @category times
 * @example
 * ```ts
 * import { Schedule } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const zones = fc.sample(Arbitraries.timeZone(), 50)
 * zones.every((zone) => Result.isSuccess(Schedule.checkTimeZone(zone))) // => true
 * ```
 */
export const timeZone = (): fc.Arbitrary<string> =>
  fc.constantFrom(
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Kiritimati",
  )

const notableCents = [0, 1, -1, 2, 3, 7, 33, 99, 100, 101, 999, 1_000, 10_000, -100]
const extremeCents = [most, most - 1, (most - 1) / 2, (most + 1) / 2].flatMap((n) => [n, -n])

/**
 * Amounts in cents: round sums, single cents, both ends of the exact range (±(2^53 - 1)), and anything between. Safe
 * integers, never -0.
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
 * Percentages as groups hold them, with two decimals: `0.00`, thirds, `100.00` and anything between.
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
 * Currency codes: often those with 0, 2, 3 and 4 decimals, occasionally any known one.
 *
 * @param options.digits - only currencies with this number of digits
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
