import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as instant from "../../src/internal/instant.js"

describe("a point in time", () => {
  it.each([
    ["1970-01-01T00:00:00Z", 0],
    ["1970-01-01t00:00:00z", 0],
    ["1970-01-01 00:00:00Z", 0],
    ["1970-01-01T00:00Z", 0],
    ["1970-01-01T01:00:00+01:00", 0],
    ["1970-01-01T01:00:00+0100", 0],
    ["1970-01-01T01:00:00+01", 0],
    ["1969-12-31T19:30:00-04:30", 0],
    ["1969-12-31T23:59:59.999Z", -1],
    ["2024-02-29T12:00:00Z", 1_709_208_000],
    ["9999-12-31T23:59:59Z", 253_402_300_799],
    ["0001-01-01T00:00:00Z", -62_135_596_800],
    ["1970-01-01T23:59:00+23:59", 0],
    ["1969-12-31T00:01:00-23:59", 0],
  ])("%s is %d", (text, seconds) => {
    expect(instant.parse(text)).toBe(seconds)
  })

  it.each([
    "2024-03-01",
    "2024-03-01T12:00:00",
    "2023-02-29T12:00:00Z",
    "2024-04-31T12:00:00Z",
    "2024-13-01T12:00:00Z",
    "2024-00-01T12:00:00Z",
    "2024-03-01T24:00:00Z",
    "2024-03-01T12:60:00Z",
    "2024-03-01T12:00:60Z",
    "2024-03-01T12:00:00+24:00",
    "2024-03-01T12:00:00+02:60",
    "9999-12-31T23:59:59-00:01",
    "0001-01-01T00:00:00+00:01",
    "2024-03-00T12:00:00Z",
    "2024-03-32T12:00:00Z",
    "2024-12-32T12:00:00Z",
    "2024-03-01T12:00:00Z ",
    "01/03/2024 12:00 Z",
    " 2024-03-01T12:00:00Z",
    "",
    "now",
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1_700_000_000_000,
    true,
    null,
    {},
  ])("%j is none", (value) => {
    expect(instant.parse(value)).toBeUndefined()
  })

  it("is the same second whether it is written as seconds or as a date and time", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        (seconds, offset) => {
          const local = new Date((seconds + offset * 60) * 1_000)
          fc.pre(local.getUTCFullYear() >= 1 && local.getUTCFullYear() <= 9999)
          const part = (value: number) => String(Math.abs(value)).padStart(2, "0")
          const sign = offset < 0 ? "-" : "+"
          const hours = Math.trunc(Math.abs(offset) / 60)
          const text = `${local.toISOString().slice(0, 19)}${sign}${part(hours)}:${part(offset % 60)}`
          expect(instant.parse(text)).toBe(seconds)
          expect(instant.parse(seconds)).toBe(seconds)
        },
      ),
    )
  })
})
