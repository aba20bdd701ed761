import { makeSettings, Settings, type SettingsInput, settingsLayer } from "apportion/service"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"

const problemsOf = (input: SettingsInput) => {
  const made = makeSettings(input)
  return Result.isFailure(made) ? made.failure.problems : []
}

describe("settings", () => {
  it("are complete when nothing is said", () => {
    const settings = Result.getOrThrow(makeSettings())
    expect(settings).toMatchObject({ timeZone: "UTC", linkBatchSize: 500, conflictRetries: 20 })
    expect(settings.linkSweepSeconds).toBe(30)
    expect(settings.policy.shipping).toBe("store")
  })

  it("take no offset for a time zone", () => {
    for (const timeZone of ["+02:00", "-05:00"])
      expect(problemsOf({ timeZone }).map(({ path, value }) => [path, value])).toEqual([
        ["timeZone", timeZone],
      ])
  })

  it("that can't be used are told all at once, with their names and values", () => {
    const found = problemsOf({
      policy: JSON.parse('{ "timeZone": "Mars/Base" }'),
      timeZone: "Europe/Atlantis",
      linkBatchSize: 0,
      linkSweepSeconds: 86_401,
      conflictRetries: 1.5,
    })
    expect(found.map(({ path, value }) => [path, value])).toEqual([
      ["linkBatchSize", 0],
      ["linkSweepSeconds", 86_401],
      ["conflictRetries", 1.5],
      ["policy.timeZone", "Mars/Base"],
      ["timeZone", "Europe/Atlantis"],
    ])
  })

  it("of a layer hold for every account, and those of no layer are the defaults", async () => {
    const read = Effect.gen(function* () {
      const settings = yield* Settings
      return (yield* settings.of("any")).linkBatchSize
    })
    expect(await Effect.runPromise(read)).toBe(500)
    const layer = settingsLayer({ linkBatchSize: 7 })
    expect(await Effect.runPromise(Effect.provide(read, layer))).toBe(7)
  })
})
