import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as PersistentMap from "../../src/payouts/internal/PersistentMap.js"
import { runs } from "../generators/Runs.js"

const putAll = (entries: ReadonlyArray<readonly [string, number]>) =>
  entries.reduce<PersistentMap.PersistentMap<number>>(
    (map, [key, value]) => PersistentMap.set(map, key, value),
    PersistentMap.empty,
  )

const entries = fc.array(
  fc.tuple(fc.oneof(fc.string({ maxLength: 2 }), fc.string()), fc.integer()),
  { maxLength: 300 },
)

const sorted = (values: Iterable<number>) => [...values].sort((a, b) => a - b)

const expectSame = (map: PersistentMap.PersistentMap<number>, model: Map<string, number>) => {
  expect(map.size).toBe(model.size)
  expect(sorted(PersistentMap.values(map))).toEqual(sorted(model.values()))
  for (const [key, value] of model) expect(PersistentMap.get(map, key)).toBe(value)
}

describe("a persistent map", () => {
  it("has what was put into it, and the last value of each key", () => {
    fc.assert(
      fc.property(entries, fc.string(), (given, other) => {
        const model = new Map(given)
        const map = putAll(given)
        expectSame(map, model)
        expect(PersistentMap.get(map, other)).toBe(model.get(other))
      }),
      runs(100),
    )
  })

  it("stays as it was when a map is made from it", () => {
    fc.assert(
      fc.property(entries, entries, (given, more) => {
        const map = putAll(given)
        for (const [key, value] of more) PersistentMap.set(map, key, value)
        expectSame(map, new Map(given))
      }),
      runs(100),
    )
  })

  it("keeps keys with the same hash apart", () => {
    const [one, other] = ["costarring", "liquid"]
    const map = putAll([
      [one, 1],
      [other, 2],
      [one, 3],
    ])
    expectSame(
      map,
      new Map([
        [one, 3],
        [other, 2],
      ]),
    )
    const single = putAll([[other, 2]])
    expect(PersistentMap.get(single, one)).toBe(undefined)
    expect(() => PersistentMap.at(single, one)).toThrow("there is nothing with the key costarring")
  })
})
