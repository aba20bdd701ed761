import { describe, expect, it } from "vitest"
import * as Days from "../../../src/cli/input/Days.js"
import { calendarDay } from "../../../src/documents/Figure.js"

const seconds = (iso: string) => Date.parse(iso) / 1000

describe("a day on the command line", () => {
  it("goes to its end in the time zone of the policy", () => {
    expect(Days.endOf("2025-12-31", "UTC")).toBe(seconds("2026-01-01T00:00:00Z"))
    expect(Days.endOf("2025-12-31", "America/New_York")).toBe(seconds("2026-01-01T05:00:00Z"))
    expect(Days.endOf("2025-12-31", "Asia/Tokyo")).toBe(seconds("2025-12-31T15:00:00Z"))
  })

  it("has 23 hours when the clocks go forward", () => {
    const start = Days.startOf("2025-03-30", "Europe/Berlin") ?? 0
    expect(Days.endOf("2025-03-30", "Europe/Berlin")).toBe(start + 23 * 3600)
  })

  it("begins later where midnight does not exist", () => {
    expect(Days.startOf("2024-03-31", "Asia/Beirut")).toBe(seconds("2024-03-30T22:00:00Z"))
  })

  it("can be a time with its offset, which ends nothing but itself", () => {
    expect(Days.endOf("2025-12-31T18:00:00+01:00", "UTC")).toBe(seconds("2025-12-31T17:00:00Z"))
  })

  it.each([
    "2025-02-30",
    "2025-13-01",
    "31.12.2025",
    "2025-12-31T18:00",
    "yesterday",
    "0000-00-00",
    "",
  ])("that does not exist is none: %j", (text) => {
    expect(Days.endOf(text, "UTC")).toBeUndefined()
    expect(Days.startOf(text, "UTC")).toBeUndefined()
  })

  it("is shown as it is in the time zone", () => {
    const newYear = seconds("2026-01-01T00:00:00Z")
    expect(calendarDay(newYear, "UTC")).toBe("2026-01-01")
    expect(calendarDay(newYear, "America/New_York")).toBe("2025-12-31")
  })
})
