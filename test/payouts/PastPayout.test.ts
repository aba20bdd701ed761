import { PastPayout } from "apportion"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { seconds } from "./Instant.js"

const timeZone = "Europe/Berlin"
const paidUntil = seconds("2025-01-01T00:00:00")

const schedule = fc
  .constantFrom("month", "monthly_date", "week", "day")
  .chain((payoutMeasurement) =>
    fc.record({
      payoutMeasurement: fc.constant(payoutMeasurement),
      payoutFrequency: fc.integer({ min: 1, max: payoutMeasurement === "monthly_date" ? 28 : 9 }),
      payoutHoldingDays: fc.option(fc.integer({ min: 0, max: 40 })),
    }),
  )

const time = fc.integer({ min: seconds("2019-01-01T00:00:00"), max: paidUntil - 1 })

const timesOf = (given: Parameters<typeof PastPayout.timesOf>[0], at: number) =>
  Result.getOrThrow(PastPayout.timesOf(given, { at, paidUntil, timeZone }))

const shown = (at: number) => new Date(at * 1_000).toISOString()

describe("The payout of a sale of the past", () => {
  test("is closed after the sale, paid no earlier, and all by the date up to which it was paid", () => {
    let truncated = 0
    fc.assert(
      fc.property(schedule, time, (given, at) => {
        const { toBePaidAt, closedAt, payableAt, paidAt } = timesOf(given, at)
        expect(at).toBeLessThan(closedAt)
        expect(closedAt).toBeLessThanOrEqual(paidAt)
        expect(paidAt).toBeLessThanOrEqual(paidUntil)
        expect([toBePaidAt, payableAt]).toEqual([closedAt, paidAt])
        if (paidAt === paidUntil) truncated += 1
      }),
      runs(500, 100),
    )
    expect(truncated).toBeGreaterThan(0)
  })

  test("is the same for every sale between it and the end of its period", () => {
    fc.assert(
      fc.property(schedule, time, fc.nat(), (given, at, more) => {
        const times = timesOf(given, at)
        const other = at + (more % (times.closedAt - at))
        expect(timesOf(given, other)).toEqual(times)
      }),
      runs(500, 100),
    )
  })

  test("ends weeks on Monday and months on their first day, in the account's time zone", () => {
    const at = seconds("2024-06-19T12:00:00")
    const weekly = {
      payoutMeasurement: "week",
      payoutFrequency: 1,
      payoutHoldingDays: null,
    } as const
    expect(shown(timesOf(weekly, at).closedAt)).toBe("2024-06-23T22:00:00.000Z")
    const monthly = { ...weekly, payoutMeasurement: "month" } as const
    expect(shown(timesOf(monthly, at).closedAt)).toBe("2024-06-30T22:00:00.000Z")
    const held = { ...monthly, payoutHoldingDays: 7 }
    expect(shown(timesOf(held, at).paidAt)).toBe("2024-07-07T22:00:00.000Z")
  })

  test("is known by being paid before it was opened", () => {
    const times = timesOf(
      { payoutMeasurement: "day", payoutFrequency: 1, payoutHoldingDays: null },
      paidUntil - 1,
    )
    const facts = { id: "p1", collaboratorId: "ada", currency: "EUR", openedAt: paidUntil + 1 }
    const payout = PastPayout.open(facts, times)
    expect(PastPayout.isPast(payout)).toBe(true)
    expect(PastPayout.isPast({ ...payout, status: "paid" })).toBe(false)
    expect(PastPayout.isPast({ ...payout, openedAt: paidUntil })).toBe(false)
    expect(PastPayout.isPast({ ...payout, paidAt: null })).toBe(false)
  })

  test("has an exact total, however large it is on the way", () => {
    const times = { toBePaidAt: 1, closedAt: 1, payableAt: 1, paidAt: 1 }
    const facts = { id: "p1", collaboratorId: "ada", currency: "EUR", openedAt: 2 }
    const most = Number.MAX_SAFE_INTEGER
    const large = PastPayout.add(PastPayout.open(facts, times), [most, most, most])
    expect(large.total).toBe(3n * BigInt(most))
    expect(PastPayout.add(large, [-most, -most])).toMatchObject({
      total: BigInt(most),
      itemsCount: 5,
    })
  })
})
