import { Schedule } from "apportion"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"
import { nextDueDateByWalking } from "./DueDates.js"
import { seconds, wallClock } from "./Instant.js"
import { failureOf } from "./Samples.js"

const zones = [
  "UTC",
  "America/New_York",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Pacific/Apia",
  "America/Sao_Paulo",
  "America/Havana",
  "America/St_Johns",
  "Africa/Cairo",
  "Asia/Beirut",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
]

type Due = Parameters<typeof Schedule.nextDueDate>[1]

const dueAfter = (
  [payoutMeasurement, payoutFrequency]: readonly [Schedule.Schedule["payoutMeasurement"], number],
  options: Due,
) => Result.getOrThrow(Schedule.nextDueDate({ payoutMeasurement, payoutFrequency }, options))

/** The first so many due dates, as the wall in the zone shows them. */
const dueDates = (
  schedule: Parameters<typeof dueAfter>[0],
  { opened, timeZone = "UTC", count }: { opened: string; timeZone?: string; count: number },
) => {
  const openedAt = seconds(opened)
  const found: Array<string> = []
  let after = openedAt
  for (let number = 0; number < count; number += 1) {
    after = dueAfter(schedule, { openedAt, after, timeZone })
    found.push(wallClock(after, timeZone))
  }
  return found
}

describe("Payouts, schedule: monthly_date", () => {
  it("is due on its day of each month", () => {
    expect(dueDates(["monthly_date", 15], { opened: "2024-01-15T00:00:00", count: 2 })).toEqual([
      "2024-02-15 00:00:00",
      "2024-03-15 00:00:00",
    ])
    expect(dueDates(["monthly_date", 28], { opened: "2024-01-27T23:59:59", count: 1 })).toEqual([
      "2024-01-28 00:00:00",
    ])
  })

  it("is due on the last day of each month for -1, leap years included", () => {
    expect(dueDates(["monthly_date", -1], { opened: "2024-01-31T12:00:00", count: 3 })).toEqual([
      "2024-02-29 00:00:00",
      "2024-03-31 00:00:00",
      "2024-04-30 00:00:00",
    ])
    expect(dueDates(["monthly_date", -1], { opened: "2100-02-01T12:00:00", count: 1 })).toEqual([
      "2100-02-28 00:00:00",
    ])
  })

  it("crosses the year", () => {
    expect(dueDates(["monthly_date", 1], { opened: "2023-12-01T00:00:00", count: 1 })).toEqual([
      "2024-01-01 00:00:00",
    ])
  })
})

describe("Payouts, schedule: every N months, weeks or days", () => {
  it("clamps to the month's end and counts from the opening day again", () => {
    expect(dueDates(["month", 1], { opened: "2023-01-31T10:00:00", count: 3 })).toEqual([
      "2023-02-28 00:00:00",
      "2023-03-31 00:00:00",
      "2023-04-30 00:00:00",
    ])
    expect(dueDates(["month", 1], { opened: "2024-01-31T10:00:00", count: 2 })).toEqual([
      "2024-02-29 00:00:00",
      "2024-03-31 00:00:00",
    ])
    expect(dueDates(["month", 12], { opened: "2024-02-29T10:00:00", count: 4 })).toEqual([
      "2025-02-28 00:00:00",
      "2026-02-28 00:00:00",
      "2027-02-28 00:00:00",
      "2028-02-29 00:00:00",
    ])
  })

  it("counts weeks and days of the calendar", () => {
    expect(dueDates(["week", 2], { opened: "2024-02-20T08:00:00", count: 2 })).toEqual([
      "2024-03-05 00:00:00",
      "2024-03-19 00:00:00",
    ])
    expect(dueDates(["day", 10], { opened: "2024-02-20T08:00:00", count: 2 })).toEqual([
      "2024-03-01 00:00:00",
      "2024-03-11 00:00:00",
    ])
  })
})

describe("Payouts, schedule: dates are computed in the account's time zone", () => {
  it("counts from the day that the zone shows when the payout is opened", () => {
    const opened = "2024-01-31T20:00:00Z"
    expect(dueDates(["month", 1], { opened, timeZone: "Asia/Kolkata", count: 1 })).toEqual([
      "2024-03-01 00:00:00",
    ])
    expect(dueDates(["month", 1], { opened, timeZone: "America/New_York", count: 1 })).toEqual([
      "2024-02-29 00:00:00",
    ])
  })

  it("is midnight on both sides of a change of the clocks", () => {
    const openedAt = seconds("2024-03-09T12:00:00")
    const options = { openedAt, timeZone: "America/New_York" }
    const before = dueAfter(["day", 1], { ...options, after: openedAt })
    const after = dueAfter(["day", 1], { ...options, after: before })
    expect([before, after]).toEqual([
      seconds("2024-03-10T00:00:00-05:00"),
      seconds("2024-03-11T00:00:00-04:00"),
    ])
  })

  it("is the first instant after the gap where the clocks jump over midnight", () => {
    const opened = "2018-11-03T12:00:00"
    expect(dueDates(["day", 1], { opened, timeZone: "America/Sao_Paulo", count: 2 })).toEqual([
      "2018-11-04 01:00:00",
      "2018-11-05 00:00:00",
    ])
  })

  it("is the first midnight where the clocks show two", () => {
    const due = dueAfter(["day", 1], {
      openedAt: seconds("2024-11-02T12:00:00"),
      after: seconds("2024-11-02T12:00:00"),
      timeZone: "America/Havana",
    })
    expect(due).toBe(seconds("2024-11-03T00:00:00-04:00"))
  })

  it("falls on the next day where a zone skipped a whole one", () => {
    const opened = "2011-12-29T12:00:00-10:00"
    expect(dueDates(["day", 1], { opened, timeZone: "Pacific/Apia", count: 2 })).toEqual([
      "2011-12-31 00:00:00",
      "2012-01-01 00:00:00",
    ])
  })

  it("is the first instant after the gap where the jump began before midnight", () => {
    const opened = "1919-03-30T12:00:00-05:00"
    expect(dueDates(["day", 1], { opened, timeZone: "America/Toronto", count: 2 })).toEqual([
      "1919-03-31 00:30:00",
      "1919-04-01 00:00:00",
    ])
  })
})

const anySchedule = fc.oneof(
  fc.tuple(fc.constant("monthly_date" as const), fc.constantFrom(-1, 1, 15, 28)),
  fc.tuple(fc.constant("month" as const), fc.integer({ min: 1, max: 14 })),
  fc.tuple(fc.constant("week" as const), fc.integer({ min: 1, max: 60 })),
  fc.tuple(fc.constant("day" as const), fc.integer({ min: 1, max: 400 })),
)
const anyZone = fc.constantFrom(...zones)
const instant = fc.integer({
  min: seconds("1985-01-01T00:00:00"),
  max: seconds("2045-01-01T00:00:00"),
})
const later = fc.integer({ min: -100_000, max: 3 * 366 * 86_400 })

describe("Payouts, schedule: for any date and zone", () => {
  it("finds what walking day by day finds", () => {
    const property = fc.property(
      anySchedule,
      anyZone,
      instant,
      later,
      (schedule, timeZone, openedAt, wait) => {
        const [payoutMeasurement, payoutFrequency] = schedule
        const options = { openedAt, after: openedAt + wait, timeZone }
        expect(dueAfter(schedule, options)).toBe(
          nextDueDateByWalking({ payoutMeasurement, payoutFrequency }, options),
        )
      },
    )
    fc.assert(property, runs(600))
  })

  it("is strictly after the given time, and never earlier for a later one", () => {
    const property = fc.property(
      anySchedule,
      anyZone,
      instant,
      later,
      later,
      (schedule, timeZone, openedAt, one, other) => {
        const [first, second] = [Math.min(one, other), Math.max(one, other)]
        const earlier = dueAfter(schedule, { openedAt, after: openedAt + first, timeZone })
        const latter = dueAfter(schedule, { openedAt, after: openedAt + second, timeZone })
        expect(earlier).toBeGreaterThan(openedAt + first)
        expect(earlier).toBeGreaterThan(openedAt)
        expect(latter).toBeGreaterThanOrEqual(earlier)
      },
    )
    fc.assert(property, runs(600))
  })

  it("is found at once, however far away", () => {
    const openedAt = seconds("2024-01-31T00:00:00")
    const after = seconds("9990-06-15T00:00:00")
    const started = performance.now()
    const due = (["day", "week", "month", "monthly_date"] as const).map((measurement) =>
      dueAfter([measurement, 1], { openedAt, after, timeZone: "Europe/Berlin" }),
    )
    expect(performance.now() - started).toBeLessThan(500)
    expect(due.map((at) => wallClock(at, "Europe/Berlin"))).toEqual([
      "9990-06-16 00:00:00",
      "9990-06-20 00:00:00",
      "9990-06-30 00:00:00",
      "9990-07-01 00:00:00",
    ])
  })
})

describe("Payouts, schedule: what can't be reckoned", () => {
  const openedAt = seconds("2024-01-31T00:00:00")
  const monthly = { payoutMeasurement: "month", payoutFrequency: 1 } as const
  const failure = (options: Partial<Due>, frequency = 1) =>
    Result.getOrThrow(
      Result.flip(
        Schedule.nextDueDate(
          { ...monthly, payoutFrequency: frequency },
          { openedAt, after: openedAt, timeZone: "UTC", ...options },
        ),
      ),
    )

  it("is an error that names an unknown time zone", () => {
    expect(failure({ timeZone: "Europe/Atlantis" })).toMatchObject({
      _tag: "UnknownTimeZone",
      value: "Europe/Atlantis",
      message: 'must be an IANA time zone, as Europe/Berlin, got "Europe/Atlantis"',
    })
  })

  it("is an error for a time zone that is no text, whatever it is", () => {
    for (const value of [Object.create(null), Symbol("UTC"), null, 1]) {
      expect(Schedule.checkTimeZone(value)).toMatchObject({ failure: { _tag: "UnknownTimeZone" } })
    }
    for (const offset of ["+02:00", "-0330"]) {
      expect(Schedule.checkTimeZone(offset)).toMatchObject({ failure: { value: offset } })
    }
  })

  it("is an error that names a time that is none", () => {
    for (const value of [Number.NaN, 0.5, Number.POSITIVE_INFINITY, 1e15]) {
      expect(failure({ openedAt: value })).toMatchObject({ _tag: "InvalidTime", field: "openedAt" })
      expect(failure({ after: value })).toMatchObject({
        _tag: "InvalidTime",
        field: "after",
        value,
      })
    }
    expect(failure({ after: 0.5 }).message).toBe(
      "after: must be whole Unix seconds within the years 1 to 9999, got 0.5",
    )
  })

  it("is shown in UTC by messages, and as the number it is when it is no time", () => {
    expect(Schedule.showTime(1_700_000_000)).toBe("2023-11-14T22:13:20Z")
    expect(Schedule.showTime(1e15)).toBe("1000000000000000")
    expect(Schedule.showTime(0.5)).toBe("0.5")
  })

  // A step of 0, of no number or backwards never came to a later day: the call did not return.
  it("is an error that names a frequency from which no date follows", () => {
    const ofFrequency = (schedule: Schedule.Schedule) =>
      Result.getOrThrow(
        Result.flip(Schedule.nextDueDate(schedule, { openedAt, after: openedAt, timeZone: "UTC" })),
      )
    for (const payoutMeasurement of ["month", "monthly_date", "week", "day"] as const) {
      for (const payoutFrequency of [0, -2, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(ofFrequency({ payoutMeasurement, payoutFrequency })).toMatchObject({
          _tag: "InvalidTime",
          field: "payoutFrequency",
          value: payoutFrequency,
        })
      }
    }
    expect(ofFrequency({ payoutMeasurement: "week", payoutFrequency: 0 }).message).toBe(
      "payoutFrequency: must be from 1 to 1000 (every how many weeks), got 0",
    )
    expect(ofFrequency({ payoutMeasurement: "monthly_date", payoutFrequency: 29 }).message).toBe(
      "payoutFrequency: must be a day of the month from 1 to 28, or -1 for its last day, got 29",
    )
  })

  it("is an error when the next due date is beyond the year 9999", () => {
    expect(failure({}, 120_000)._tag).toBe("InvalidTime")
    expect(failure({}, Number.MAX_SAFE_INTEGER)._tag).toBe("InvalidTime")
    expect(failure({ after: seconds("9999-12-31T12:00:00") })._tag).toBe("InvalidTime")
  })

  it("is December 30 of the year 9999 at the latest", () => {
    const opened = "9999-12-28T00:00:00"
    expect(dueDates(["day", 2], { opened, count: 1 })).toEqual(["9999-12-30 00:00:00"])
    const openedAt = seconds("9999-11-30T00:00:00")
    expect(failure({ openedAt, after: seconds("9999-12-30T00:00:00") })).toMatchObject({
      _tag: "InvalidTime",
      field: "the next due date",
      value: seconds("9999-12-30T00:00:00") + 31 * 86_400,
    })
    const lastDay = Schedule.nextDueDate(
      { payoutMeasurement: "monthly_date", payoutFrequency: -1 },
      { openedAt, after: openedAt, timeZone: "UTC" },
    )
    expect(failureOf(lastDay)).toMatchObject({ value: seconds("9999-12-31T00:00:00") })
  })
})

describe("Payouts, schedule: holding days", () => {
  const payable = (closed: string, holdingDays: number | null, timeZone: string) =>
    wallClock(
      Result.getOrThrow(Schedule.payableAt({ closedAt: seconds(closed), holdingDays, timeZone })),
      timeZone,
    )

  it("end at the same time of day, so many calendar days later", () => {
    expect(payable("2024-03-30T00:00:00+01:00", 2, "Europe/Berlin")).toBe("2024-04-01 00:00:00")
    expect(payable("2024-10-26T18:30:00+02:00", 1, "Europe/Berlin")).toBe("2024-10-27 18:30:00")
    expect(payable("2024-02-28T00:00:00Z", 2, "UTC")).toBe("2024-03-01 00:00:00")
  })

  it("end after the gap when the clocks jump over that time", () => {
    expect(payable("2018-11-03T00:00:00-03:00", 1, "America/Sao_Paulo")).toBe("2018-11-04 01:00:00")
  })

  it("are none for 0 and for null, even in an hour that comes twice", () => {
    const closedAt = seconds("2024-11-03T01:30:00-05:00")
    for (const holdingDays of [0, null]) {
      const options = { closedAt, holdingDays, timeZone: "America/New_York" }
      expect(Result.getOrThrow(Schedule.payableAt(options))).toBe(closedAt)
    }
  })

  // Days below 0 ended before the payout was closed, and no number of days at no time.
  it("are a whole number of 0 or more, and the error names another", () => {
    for (const holdingDays of [-1, 0.5, Number.NaN, 3_651]) {
      const options = { closedAt: 0, holdingDays, timeZone: "UTC" }
      expect(Result.getOrThrow(Result.flip(Schedule.payableAt(options)))).toMatchObject({
        _tag: "InvalidTime",
        field: "holdingDays",
        message: `holdingDays: must be a whole number from 0 to 3650, got ${holdingDays}`,
      })
    }
  })

  it("can't end beyond the year 9999, and need a time and a zone", () => {
    const failure = (options: Partial<Parameters<typeof Schedule.payableAt>[0]>) =>
      Result.getOrThrow(
        Result.flip(
          Schedule.payableAt({ closedAt: 0, holdingDays: 1, timeZone: "UTC", ...options }),
        ),
      )
    expect(failure({ holdingDays: Number.MAX_SAFE_INTEGER })._tag).toBe("InvalidTime")
    const last = seconds("9999-12-29T23:59:59")
    const latest = { closedAt: last - 86_400, holdingDays: 1, timeZone: "UTC" }
    expect(Result.getOrThrow(Schedule.payableAt(latest))).toBe(last)
    expect(failure({ closedAt: last - 86_399 })).toMatchObject({
      field: "the end of the holding days",
      value: last + 1,
    })
    const never = { closedAt: last + 2 * 86_400, holdingDays: 0, timeZone: "UTC" }
    expect(Result.getOrThrow(Schedule.payableAt(never))).toBe(last + 2 * 86_400)
    expect(failure({ closedAt: 1.5 })).toMatchObject({ _tag: "InvalidTime", field: "closedAt" })
    expect(failure({ timeZone: "" })._tag).toBe("UnknownTimeZone")
  })
})
