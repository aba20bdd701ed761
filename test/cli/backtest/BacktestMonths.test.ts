import * as fc from "fast-check"
import { expect, it } from "vitest"
import { BacktestMonths } from "../../../src/cli/backtest/Backtest.js"

const zones = ["UTC", "America/New_York", "Pacific/Apia", "America/St_Johns", "Asia/Kathmandu"]

const first = Date.UTC(2005, 0, 1) / 1000
const last = Date.UTC(2030, 0, 1) / 1000

/** The month as a calendar of that place shows it. */
const shown = (seconds: number, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "2-digit" })
    .formatToParts(seconds * 1000)
    .map(({ type, value }) => [type, value] as const)
  const { year, month } = Object.fromEntries(parts)
  return `${year}-${month}`
}

/** Times that follow each other closely, as those of orders do, and now and then jump. */
const times = fc
  .tuple(
    fc.integer({ min: first, max: last }),
    fc.array(fc.integer({ min: -40 * 86_400, max: 40 * 86_400 }), { maxLength: 30 }),
  )
  .map(([start, steps]) => {
    let at = start
    return [start, ...steps.map((step) => (at += step))]
  })

it("the month is that of the calendar, whatever times were asked for before", () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), times, (zone, seconds) => {
      const months = new BacktestMonths(zone)
      for (const at of seconds) expect(months.of(at)).toBe(shown(at, zone))
    }),
  )
})

it("the last and first second of a month are told apart, around the day that Samoa left out too", () => {
  const months = new BacktestMonths("Pacific/Apia")
  const midnight = Date.UTC(2011, 11, 31, 10) / 1000
  expect(months.of(midnight - 1)).toBe("2011-12")
  expect(months.of(midnight)).toBe("2012-01")
  expect(months.of(midnight - 29 * 86_400)).toBe("2011-12")
  expect(months.of(midnight - 30 * 86_400 - 1)).toBe("2011-11")
})

it("an order without a time has no month", () => {
  expect(new BacktestMonths("UTC").of(null)).toBeNull()
})
