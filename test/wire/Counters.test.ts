import { Counters as Core } from "apportion"
import { Counters } from "apportion/wire"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"

const entry = {
  counted: "units",
  currency: "USD",
  period: "2026-03",
  per: "group",
  id: "g1",
  count: 812,
}

const problems = (input: unknown) => {
  const result = Counters.read(input)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, message }) => `${path}: ${message}`)
    : []
}

describe("counters as JSON", () => {
  it("are a list in the order of their keys", () => {
    const counters = {
      "units/USD/2026-03/group/g1": 812,
      "share/EUR/payout:p1/collaborator/a/b": -5,
    }
    expect(Counters.write(counters)).toEqual([
      {
        counted: "share",
        currency: "EUR",
        period: "payout:p1",
        per: "collaborator",
        id: "a/b",
        count: -5,
      },
      entry,
    ])
  })

  it("are read as they were written, whatever their ids and counts", () => {
    const counter = fc.record({
      counted: fc.constantFrom("units" as const, "base" as const, "share" as const),
      currency: fc.constantFrom("USD", "JPY", "KWD"),
      period: fc.oneof(
        fc.constantFrom("lifetime", "2026", "2026-03", "-0004", "12026-12"),
        fc.string({ minLength: 1 }).map((name) => `payout:${name.replaceAll("/", "_")}`),
      ),
      per: fc.constantFrom("group" as const, "collaborator" as const),
      id: fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("__proto__", "a/b", "g\n1", "ß")),
    })
    const count = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, 2 ** 53 - 1, 1 - 2 ** 53))
    const counters = fc
      .array(fc.tuple(counter.map(Core.keyOf), count), { maxLength: 8 })
      .map((entries): Core.Counters => Object.fromEntries(entries))
    fc.assert(
      fc.property(counters, (it) => {
        const text = JSON.stringify(Counters.write(it))
        expect(Result.getOrThrow(Counters.read(JSON.parse(text)))).toEqual(it)
      }),
      runs(200),
    )
  })

  it("are refused with every problem, its path and its value", () => {
    expect(
      problems([
        { ...entry, count: 1.5, counted: "copies" },
        { ...entry, period: "March" },
        { ...entry, counts: 5 },
        { currency: "XXQ" },
        7,
      ]),
    ).toEqual([
      '[0].counted: must be one of units, base, share, got "copies"',
      "[0].count: must be a whole number within ±9007199254740991, got 1.5",
      '[1].period: must be lifetime, a year as 2026, a month as 2026-03, or payout: and a name, got "March"',
      expect.stringMatching(/^\[2\]\.counts: .*count/),
      "[3].counted: is missing, it must be one of units, base, share",
      expect.stringMatching(/^\[3\]\.currency: must be an ISO 4217/),
      "[3].period: is missing, it must be a text",
      "[3].per: is missing, it must be one of group, collaborator",
      expect.stringMatching(/^\[3\]\.id: is missing/),
      "[3].count: is missing, it must be a whole number within ±9007199254740991",
      "[4]: must be an object, got 7",
    ])
    expect(problems([entry, { ...entry, count: 1 }])).toEqual([
      '[1]: must be there once, entry 0 is "units/USD/2026-03/group/g1" too',
    ])
    expect(problems({})).toEqual([": must be a list of counters, without holes, got an object"])
    expect(problems(new Array(2 ** 32 - 1))).toEqual([
      ": must be a list of counters, without holes, got a list",
    ])
  })

  it("that throw when they are read are refused", () => {
    const counter = {
      get counted(): never {
        throw new RangeError("not here")
      },
    }
    expect(problems([counter])).toEqual(["[0]: can't be read: it throws when it is looked at"])
  })
})
