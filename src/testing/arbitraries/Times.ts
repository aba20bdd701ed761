import fc from "fast-check"
import { firstSecond, lastSecond } from "../../internal/seconds.js"
import { integers, type Range } from "./internal/Choice.js"

const at = (year: number, month: number, day: number, hour = 0, minute = 0): number =>
  Date.UTC(year, month - 1, day, hour, minute) / 1_000

/** Ends of years and months, leap days, and where clocks are put forward or back. */
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
 * Times of this age, from 2000 to 2049: far enough from the ends of the calendar that every due date after
 * them can be computed.
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
 * IANA time zones: on both sides of UTC, with half and quarter hours, with and without summer time, with
 * days that were never there.
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
