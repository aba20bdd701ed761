/** What a host hands in from outside is read or refused with a typed error, in bounded work: failures that were found. */
import { CountedRules, CountedSplit, Counters, SplitPolicy, Terms } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"

const throwing = (): never => {
  throw new RangeError("not here")
}
const proxy = new Proxy(
  {},
  { get: throwing, ownKeys: throwing, getOwnPropertyDescriptor: throwing },
)
const link = { type: "products.all" } as const
const bands = [
  { from: 0, percent: 10 },
  { from: 10, percent: 20 },
]
const rules = CountedRules.make([
  { id: "g", collaboratorId: "ada", link, terms: { tiers: { counted: "units", bands } } },
])
const order = {
  id: "1",
  currency: "USD",
  items: [{ id: "1", product: { id: "p" }, quantity: 1, amount: 1_000 }],
}

/** What a call is refused with: its tag, and the path of the first problem. */
const refusalOf = (call: () => unknown): ReadonlyArray<unknown> => {
  const of = (error: unknown) =>
    error instanceof CountedRules.InvalidRuleSet || error instanceof Counters.InvalidCounters
      ? [error._tag, error.problems[0]?.path]
      : ["bare", String(error)]
  try {
    const answer = call()
    return Result.isResult(answer) && Result.isFailure(answer) ? of(answer.failure) : ["none"]
  } catch (error) {
    return of(error)
  }
}

/** A call whose options are of no type. */
const splitWith = (counters: unknown, options: unknown = {}, of: unknown = rules) =>
  Reflect.apply(CountedSplit.orderResult, undefined, [
    ...[of, order, SplitPolicy.defaults, counters, options],
  ])

describe("tiers and caps refuse by name", () => {
  const sparse: ReadonlyArray<Terms.Band> = new Array(2 ** 32 - 1)

  test("bands with billions of holes, at once", () => {
    const parsed = Terms.parse({ tiers: { counted: "units", bands: sparse } })
    expect(Result.isFailure(parsed) && parsed.failure.problems[0]?.path).toBe("tiers.bands[0]")
  })

  test.each([
    ["null", null, "counters"],
    ["a list", [], "counters"],
    ["a number", 5, "counters"],
    ["what throws", proxy, "counters"],
    ["a text", { "units/USD/lifetime/group/g": "5" }, "units/USD/lifetime/group/g"],
    ["no number", { "units/USD/lifetime/group/g": Number.NaN }, "units/USD/lifetime/group/g"],
    ["too many", { "units/USD/lifetime/group/g": 2 ** 53 }, "units/USD/lifetime/group/g"],
    ["a bigint", { "units/USD/lifetime/group/g": 10n }, "units/USD/lifetime/group/g"],
  ])("counters: %s", (_, counters, path) => {
    expect(refusalOf(() => splitWith(counters))).toEqual(["InvalidCounters", path])
  })

  test.each([
    ["null", null, "options"],
    ["a text", "UTC", "options"],
    ["what throws", proxy, "options"],
    ["a zone by number", { timeZone: 5 }, "timeZone"],
    ["a zone by symbol", { timeZone: Symbol("UTC") }, "timeZone"],
    ["no zone", { timeZone: "Nowhere" }, "timeZone"],
    ["a payout by number", { payout: 5 }, "payout"],
    ["a payout by symbol", { payout: Symbol("p") }, "payout"],
    ["a payout that throws", { payout: proxy }, "payout"],
    ["a payout with a slash", { payout: "a/b" }, "payout"],
  ])("options: %s", (_, options, path) => {
    expect(refusalOf(() => splitWith({}, options))).toEqual(["InvalidCounters", path])
  })

  test.each([
    ["what throws", proxy],
    ["an object", {}],
    ["holes", { counted: sparse }],
    ["a group that throws", { counted: [proxy] }],
  ])("rules: %s", (_, of) => {
    expect(refusalOf(() => splitWith({}, {}, of))[0]).toBe("InvalidRuleSet")
  })

  test.each([
    ["null", null],
    ["an object", {}],
    ["half of one", { at: () => 1 }],
    ["a map", new Map()],
  ])("a tally: %s", (_, tally) => {
    const orders = Reflect.apply(CountedSplit.orders, undefined, [rules, [order], tally])
    expect(refusalOf(() => orders.next().value)).toEqual(["InvalidCounters", "tally"])
  })

  test("what a tally of a host says, before it is counted on", () => {
    const tally = { at: () => Number.NaN, set: () => {} }
    const orders = CountedSplit.orders(rules, [order], tally)
    expect(refusalOf(() => orders.next().value)[0]).toBe("InvalidCounters")
  })

  test("a count that a tally is set to, before it is counted on", () => {
    const tally = Counters.tally()
    const changes = [{ key: "units/USD/lifetime/group/g", count: 0.5 }]
    expect(refusalOf(() => tally.set(changes))[0]).toBe("InvalidCounters")
    expect(tally.counters).toEqual({})
  })

  test("nothing for what its name might mean elsewhere", () => {
    const ids = ["__proto__", "constructor", "a/b", "\ud800", "é", "😀"]
    for (const id of ids) {
      const named = CountedRules.make([
        { id, collaboratorId: id, link, terms: { tiers: { counted: "units", bands } } },
      ])
      const { counters } = CountedSplit.order(named, order)
      expect(counters).toEqual({ [`units/USD/lifetime/group/${id}`]: 1 })
      expect(Counters.read(Object.keys(counters)[0] ?? "")?.id).toBe(id)
    }
  })
})
