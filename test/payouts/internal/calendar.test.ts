import * as DateTime from "effect/DateTime"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { firstSecond, lastSecond } from "../../../src/internal/seconds.js"
import * as calendar from "../../../src/payouts/internal/calendar.js"
import { runs } from "../../generators/Runs.js"

const names = [
  ...["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia"],
  ...["America/Sao_Paulo", "America/Havana", "Africa/Casablanca", "Australia/Lord_Howe"],
]

const zoneOf = (name: string): calendar.Zone => {
  const zone = calendar.zoneOf(name)
  if (zone === undefined) throw new Error(`there is no ${name}`)
  return zone
}

const usual = fc.integer({ min: 0, max: 4_102_444_800 })
const any = fc.integer({ min: firstSecond, max: lastSecond })

describe("what a wall shows", () => {
  it("is what Effect's DateTime says, in the years 1 to 9999", () => {
    fc.assert(
      fc.property(fc.oneof(usual, any), fc.constantFrom(...names), (at, name) => {
        const zoned = DateTime.makeZonedUnsafe(at * 1_000, { timeZone: name })
        expect(calendar.wallOf(at, zoneOf(name)) * 1_000).toBe(DateTime.toDate(zoned).getTime())
      }),
      runs(2_000),
    )
  })

  it("may be of the year before the first", () => {
    const shown = calendar.wallOf(firstSecond, zoneOf("America/New_York"))
    expect(new Date(shown * 1_000).toISOString()).toMatch(/^0000-12-31T19:/)
  })

  it("is shown at the time that Effect's DateTime says", () => {
    fc.assert(
      fc.property(usual, fc.constantFrom(...names), (wall, name) => {
        const options = { timeZone: name, adjustForTimeZone: true }
        const zoned = DateTime.makeZonedUnsafe(wall * 1_000, options)
        expect(calendar.timeOf(wall, zoneOf(name))).toBe(DateTime.toEpochSeconds(zoned))
      }),
      runs(2_000),
    )
  })
})

describe("a time zone", () => {
  it("has a name that Intl knows, in capital letters or not", () => {
    expect(calendar.zoneOf("Europe/Atlantis")).toBeUndefined()
    expect(calendar.zoneOf("europe/berlin")).toBeDefined()
  })

  it("is made once, unless it is spelt in a thousand ways", () => {
    expect(calendar.zoneOf("Europe/Berlin")).toBe(calendar.zoneOf("Europe/Berlin"))
    const letters = [..."americanewyork"]
    const spellings = Array.from({ length: 1_100 }, (_, number) =>
      letters.map((letter, place) => (number & (1 << place) ? letter.toUpperCase() : letter)),
    ).map((name) => name.join("").replace(/^(.{7})(.{3})/, "$1/$2_"))
    for (const name of spellings) expect(calendar.zoneOf(name)).toBeDefined()
    const last = spellings.at(-1) ?? ""
    expect(calendar.zoneOf(last)).not.toBe(calendar.zoneOf(last))
  })
})
