/**
 * When payouts are due, and when they may be paid.
 *
 * Dates are calendar days in an IANA time zone, daylight saving included. Times are whole Unix seconds within the years
 * 1 to 9999.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { show } from "../internal/problems.js"
import * as seconds from "../internal/seconds.js"
import { TaggedError } from "../internal/TaggedError.js"
import type { Collaborator } from "./Collaborator.js"
import * as calendar from "./internal/calendar.js"
import { dayCountProblem, frequencyProblem } from "./internal/frequency.js"

/**
 * How often someone is paid. Every collaborator is a schedule.
 *
 * @since 0.1.0
 * @category models
 */
export type Schedule = Pick<Collaborator, "payoutMeasurement" | "payoutFrequency">

/**
 * A time zone that the IANA database does not have.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownTimeZone extends TaggedError("UnknownTimeZone")<{
  readonly value: unknown
  readonly message: string
}> {}

/**
 * A given or computed time that is not a whole number of seconds within the years 1 to 9999; or an invalid frequency or
 * number of holding days, of a collaborator that was never checked; or an invalid number of days to mature.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidTime extends TaggedError("InvalidTime")<{
  /** The field of the time, such as `openedAt`, or the field it is computed from, such as `payoutFrequency`. */
  readonly field: string
  readonly value: unknown
  readonly message: string
}> {}

/**
 * Why a date could not be computed.
 *
 * @since 0.1.0
 * @category errors
 */
export type ScheduleError = UnknownTimeZone | InvalidTime

/** Fails when an invalid field gives no time. */
const need = (
  field: "payoutFrequency" | "holdingDays" | "maturityDays",
  value: number,
  problem: string | undefined,
): Result.Result<number, InvalidTime> =>
  problem === undefined
    ? Result.succeed(value)
    : Result.fail(new InvalidTime({ field, value, message: `${field}: ${problem}` }))

const secondsOfDay = 86_400

const invalidTime = (field: string, value: unknown): InvalidTime => {
  const message = `${field}: must be ${seconds.expected}, got ${show(value)}`
  return new InvalidTime({ field, value, message })
}

/**
 * A time as messages show it: ISO 8601 in UTC, without fractions of a second.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Schedule } from "apportion"
 *
 * Schedule.showTime(1_700_000_000) // => "2023-11-14T22:13:20Z"
 * ```
 */
export const showTime = (at: number): string =>
  seconds.isSeconds(at) ? `${new Date(at * 1_000).toISOString().slice(0, 19)}Z` : String(at)

/**
 * Checks a time given by a host; the error names its field.
 *
 * @since 0.1.0
 * @category guards
 * @example
 * ```ts
 * import { Schedule } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Schedule.checkTime(1_700_000_000, "openedAt")) // => 1700000000
 * Result.isFailure(Schedule.checkTime(0.5, "openedAt")) // => true
 * ```
 */
export const checkTime = (value: number, field: string): Result.Result<number, InvalidTime> =>
  seconds.isSeconds(value) ? Result.succeed(value) : Result.fail(invalidTime(field, value))

/**
 * Checks the name of a time zone.
 *
 * @since 0.1.0
 * @category guards
 * @example
 * ```ts
 * import { Schedule } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Schedule.checkTimeZone("Europe/Berlin")) // => "Europe/Berlin"
 * Result.isFailure(Schedule.checkTimeZone("Europe/Atlantis")) // => true
 * ```
 */
export const checkTimeZone = (name: string): Result.Result<string, UnknownTimeZone> =>
  Result.map(zoneOf(name), () => name)

function zoneOf(name: string): Result.Result<calendar.Zone, UnknownTimeZone> {
  const zone = calendar.zoneOf(name)
  if (zone !== undefined) return Result.succeed(zone)
  const message = `must be an IANA time zone, as Europe/Berlin, got ${show(name)}`
  return Result.fail(new UnknownTimeZone({ value: name, message }))
}

/** The first instant at which the zone's calendar shows the day, in Unix seconds. */
const startOfDay = (day: number, zone: calendar.Zone): number => {
  const start = calendar.timeOf(day, zone)
  return calendar.wallOf(start, zone) === day ? start : startAfterGap(day, zone, start)
}

/**
 * The first instant of a day whose midnight the clocks jumped over. It is within the two days before the given instant,
 * which is on the day or, when the whole day was jumped over, after it.
 */
const startAfterGap = (day: number, zone: calendar.Zone, after: number): number => {
  let before = after - 2 * secondsOfDay
  let start = after
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2)
    if (calendar.dayOf(middle, zone) < day) before = middle
    else start = middle
  }
  return start
}

/**
 * The days on which a schedule falls, each its midnight in UTC, counted by a whole number, and the first one to look
 * at.
 */
interface DueDays {
  readonly first: number
  readonly at: (count: number) => number
}

/** One day of each month, counted from the month of `after`. */
const monthlyDates = (day: number, after: number): DueDays => ({
  first: 0,
  at: (count) => calendar.dayIn(calendar.monthsOf(after) + count, day === -1 ? 31 : day),
})

/** Every so many months after the opening day; in a month without that day, the last one. */
const everyMonths = (step: number, opened: number, after: number): DueDays => {
  const [first, day] = [calendar.monthsOf(opened), calendar.dayOfMonth(opened)]
  return {
    first: Math.max(1, Math.floor((calendar.monthsOf(after) - first) / step)),
    at: (count) => calendar.dayIn(first + count * step, day),
  }
}

const everyDays = (step: number, opened: number, after: number): DueDays => ({
  first: Math.max(1, Math.floor((after - opened) / secondsOfDay / step)),
  at: (count) => opened + count * step * secondsOfDay,
})

const dueDays = (schedule: Schedule, opened: number, after: number): DueDays => {
  const { payoutMeasurement, payoutFrequency } = schedule
  switch (payoutMeasurement) {
    case "monthly_date":
      return monthlyDates(payoutFrequency, after)
    case "month":
      return everyMonths(payoutFrequency, opened, after)
    case "week":
      return everyDays(7 * payoutFrequency, opened, after)
    case "day":
      return everyDays(payoutFrequency, opened, after)
  }
}

/** The last day on which something may be due: it ends within the year 9999 in every zone. */
const lastDay = seconds.lastSecond + 1 - 2 * secondsOfDay

/** The start of a day, unless it is beyond the year 9999. */
const startWithinRange = (day: number, zone: calendar.Zone): Result.Result<number, InvalidTime> =>
  day <= lastDay
    ? Result.succeed(startOfDay(day, zone))
    : Result.fail(invalidTime("the next due date", day))

/**
 * The first due date strictly after a time: the first instant of a day in the time zone, in Unix seconds. That is
 * midnight, or where the clocks skip midnight, the first instant after the jump.
 *
 * `monthly_date`: that day of each month. `month`, `week`, `day`: the day of `openedAt` plus once, twice, … the
 * frequency; in a month without that day it is the last day, and later months are still counted from the opening day,
 * so that January 31 is followed by February 28 and March 31. No due date is at or before `openedAt`.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Schedule } from "apportion"
 * import { Result } from "effect"
 *
 * const due = Schedule.nextDueDate(
 *   { payoutMeasurement: "monthly_date", payoutFrequency: -1 },
 *   {
 *     openedAt: Date.UTC(2024, 1, 10) / 1000,
 *     after: Date.UTC(2024, 1, 10) / 1000,
 *     timeZone: "Europe/Berlin",
 *   },
 * )
 * new Date(Result.getOrThrow(due) * 1000).toISOString() // => "2024-02-28T23:00:00.000Z"
 * ```
 */
export const nextDueDate = (
  schedule: Schedule,
  options: { readonly openedAt: number; readonly after: number; readonly timeZone: string },
): Result.Result<number, ScheduleError> =>
  Result.gen(function* () {
    const zone = yield* zoneOf(options.timeZone)
    const { payoutMeasurement, payoutFrequency } = schedule
    const unfit = frequencyProblem(payoutMeasurement, payoutFrequency)
    yield* need("payoutFrequency", payoutFrequency, unfit)
    const openedAt = yield* checkTime(options.openedAt, "openedAt")
    const after = Math.max(openedAt, yield* checkTime(options.after, "after"))
    const days = dueDays(schedule, calendar.dayOf(openedAt, zone), calendar.dayOf(after, zone))
    for (let count = days.first; ; count += 1) {
      const due = yield* startWithinRange(days.at(count), zone)
      if (due > after) return due
    }
  })

/**
 * When a payout that was closed may be paid: the same time of day in the time zone, after the holding days. In Unix
 * seconds.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Schedule } from "apportion"
 * import { Result } from "effect"
 *
 * const payableAt = Schedule.payableAt({
 *   closedAt: Date.UTC(2024, 2, 30, 23) / 1000,
 *   holdingDays: 7,
 *   timeZone: "Europe/Berlin",
 * })
 * new Date(Result.getOrThrow(payableAt) * 1000).toISOString() // => "2024-04-06T22:00:00.000Z"
 * ```
 */
export const payableAt = (options: {
  readonly closedAt: number
  /** `null` is the same as 0. */
  readonly holdingDays: number | null
  readonly timeZone: string
}): Result.Result<number, ScheduleError> =>
  Result.gen(function* () {
    const zone = yield* zoneOf(options.timeZone)
    const closedAt = yield* checkTime(options.closedAt, "closedAt")
    const holding = options.holdingDays ?? 0
    const days = yield* need("holdingDays", holding, dayCountProblem(holding))
    if (days === 0) return closedAt
    const latest = closedAt + days * secondsOfDay
    if (latest > seconds.lastSecond - 2 * secondsOfDay) {
      return yield* Result.fail(invalidTime("the end of the holding days", latest))
    }
    return calendar.timeOf(calendar.wallOf(closedAt, zone) + days * secondsOfDay, zone)
  })

/**
 * Checks the number of days that a share takes to mature: a whole number from 0 to 3650.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { Schedule } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Schedule.checkMaturityDays(14)) // => 14
 * Result.isFailure(Schedule.checkMaturityDays(0.5)) // => true
 * ```
 */
export const checkMaturityDays = (days: number): Result.Result<number, InvalidTime> =>
  need("maturityDays", days, dayCountProblem(days))

/**
 * The time until which a share must have been sold to be mature at a time, in Unix seconds: the same time of day in the
 * time zone, so many days before. A sale in that second is mature, a later one is not.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Schedule } from "apportion"
 * import { Result } from "effect"
 *
 * const soldUntil = Schedule.matureUntil({
 *   at: Date.UTC(2024, 3, 6, 22) / 1000,
 *   maturityDays: 7,
 *   timeZone: "Europe/Berlin",
 * })
 * new Date(Result.getOrThrow(soldUntil) * 1000).toISOString() // => "2024-03-30T23:00:00.000Z"
 * ```
 */
export const matureUntil = (options: {
  readonly at: number
  readonly maturityDays: number
  readonly timeZone: string
}): Result.Result<number, ScheduleError> =>
  Result.gen(function* () {
    const zone = yield* zoneOf(options.timeZone)
    const at = yield* checkTime(options.at, "at")
    const days = yield* checkMaturityDays(options.maturityDays)
    if (days === 0) return at
    const earliest = at - days * secondsOfDay
    if (earliest < seconds.firstSecond + 2 * secondsOfDay) return seconds.firstSecond
    return calendar.timeOf(calendar.wallOf(at, zone) - days * secondsOfDay, zone)
  })
