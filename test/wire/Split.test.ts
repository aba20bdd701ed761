import { Cents, Split as CoreSplit, CountedRules, CountedSplit, RuleSet } from "apportion"
import { Split } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const all = { type: "products.all" } as const
const order = {
  id: "1001",
  currency: "USD",
  items: [{ id: "1", product: { id: "p1" }, quantity: 2, amount: 10_000 }],
}

describe("a line of a split order", () => {
  it("has exactly the documented fields", () => {
    const rules = RuleSet.make([
      { id: "g1", collaboratorId: "ada", link: all, percent: 12.5, amount: 100 },
    ])
    expect(Split.write(CoreSplit.order(rules, order))).toEqual({
      order_id: "1001",
      currency: "USD",
      shares: [
        {
          item_id: "1",
          group_id: "g1",
          collaborator_id: "ada",
          amount: 1_450,
          shipping_amount: 0,
          base: 10_000,
          percent: "12.50",
          flat_amount: 100,
        },
      ],
      store: [{ item_id: "1", amount: 8_550 }],
    })
  })

  it("carries an error with its data in snake_case", () => {
    const rules = RuleSet.make([
      { id: "g1", collaboratorId: "ada", link: all, percent: 60 },
      { id: "g2", collaboratorId: "ben", link: all, percent: 60 },
    ])
    const result = CoreSplit.orderResult(rules, order)
    const line = Split.writeError(Result.getOrThrow(Result.flip(result)), { orderId: "1001" })
    expect(line.order_id).toBe("1001")
    expect(line.error).toMatchObject({
      _tag: "OverAllocated",
      order_id: "1001",
      item_id: "1",
      distributable: 10_000,
      claims: [
        { group_id: "g1", collaborator_id: "ada", amount: 6_000 },
        { group_id: "g2", collaborator_id: "ben", amount: 6_000 },
      ],
    })
    expect(line.error.message).toContain("g1")
  })

  it("quotes input in an error with its own names, and nothing JSON can't hold", () => {
    const cyclic: Record<string, unknown> = { infinite: Number.POSITIVE_INFINITY, big: 5n }
    cyclic.self = cyclic
    const error = {
      _tag: "Unreadable",
      message: "no",
      someProblems: [{ path: "items[0]", value: { billingCountry: 5, nested: cyclic } }],
    }
    const line = Split.writeError(error)
    expect(line.order_id).toBeNull()
    expect(JSON.parse(JSON.stringify(line)).error).toMatchObject({
      some_problems: [
        { value: { billingCountry: 5, nested: { infinite: "Infinity", big: "5", self: {} } } },
      ],
    })
  })

  it("is read back", () => {
    const error = Cents.AmountOutOfRange.of("the sum", 2n ** 60n)
    const written = Split.writeError(error, { orderId: "1001" })
    expect(Result.getOrThrow(Split.read(written))).toEqual({
      orderId: "1001",
      error: written.error,
    })
    const split = CoreSplit.order(RuleSet.make([]), order)
    expect(Result.getOrThrow(Split.read(Split.write(split)))).toEqual({
      orderId: "1001",
      currency: "USD",
      shares: [],
      store: [{ itemId: "1", amount: 10_000 }],
    })
  })

  it("has what the terms of its groups did, and is read back with it", () => {
    const bands = [
      { from: 0, percent: 10 },
      { from: 1, percent: 20 },
    ]
    const rules = CountedRules.make([
      { id: "g1", collaboratorId: "ada", link: all, terms: { tiers: { counted: "units", bands } } },
      { id: "g2", collaboratorId: "ben", link: all, percent: 5, terms: { cap: { amount: 300 } } },
      { id: "g3", collaboratorId: "cyd", link: all, percent: 1 },
    ])
    const { split } = CountedSplit.order(rules, order)
    const line = Split.write(split)
    expect(line.shares.map(({ terms }) => terms)).toEqual([
      {
        tiers: {
          counted: "units",
          counter: "units/USD/lifetime/group/g1",
          before: 0,
          after: 2,
          bands: [
            { from: 0, percent: "10.00", counted: 1 },
            { from: 1, percent: "20.00", counted: 1 },
          ],
        },
        cap: null,
      },
      {
        tiers: null,
        cap: {
          counter: "share/USD/lifetime/group/g2",
          amount: 300,
          before: 0,
          after: 300,
          left: 0,
          cut: 200,
        },
      },
      undefined,
    ])
    expect("terms" in (line.shares[2] ?? {})).toBe(false)
    const back = Result.getOrThrow(Split.read(JSON.parse(JSON.stringify(line))))
    expect("shares" in back && back.shares.map(({ terms }) => terms)).toEqual(
      split.shares.map(({ terms }) => terms),
    )
    const broken = { ...line.shares[0], terms: { tiers: { bands: [{}] }, cap: 5 } }
    const result = Split.read({ ...line, shares: [broken] })
    expect(Result.isFailure(result) && result.failure.problems.map(({ path }) => path)).toEqual([
      "shares[0].terms.cap",
      "shares[0].terms.tiers.counted",
      "shares[0].terms.tiers.counter",
      "shares[0].terms.tiers.before",
      "shares[0].terms.tiers.after",
      "shares[0].terms.tiers.bands[0].from",
      "shares[0].terms.tiers.bands[0].percent",
      "shares[0].terms.tiers.bands[0].counted",
    ])
  })

  it("of an error quotes as much of what was refused as can be read, in bounded work", () => {
    const endless: Record<string, unknown> = {}
    Object.assign(endless, { one: endless, other: [endless, endless] })
    const throwing = {
      get id(): never {
        throw new RangeError("not here")
      },
    }
    for (const value of [endless, throwing, new Array(2 ** 32 - 1), { tags: ["a", 1n] }]) {
      const problems = [{ path: "items", value, message: "must be a list" }]
      const error = new CoreSplit.InvalidOrder({ orderId: "1001", problems, message: "no" })
      const text = JSON.stringify(Split.writeError(error))
      expect(text).toMatch(/^{"order_id":null,"error":{"_tag":"InvalidOrder"/)
      expect(text.length).toBeLessThan(500_000)
    }
  })

  it("tells every problem in it", () => {
    const paths = (input: unknown) => {
      const result = Split.read(input)
      return Result.isFailure(result) ? result.failure.problems.map(({ path }) => path) : []
    }
    expect(paths({ shares: [{ item_id: "1" }], store: {} })).toEqual([
      "order_id",
      "currency",
      "shares[0].group_id",
      "shares[0].collaborator_id",
      "shares[0].amount",
      "shares[0].shipping_amount",
      "shares[0].base",
      "store",
    ])
    expect(paths({ order_id: "1", error: { message: 5 } })).toEqual(["error._tag", "error.message"])
    expect(paths({ order_id: "1", error: "no" })).toEqual(["error"])
  })
})
