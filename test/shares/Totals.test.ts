import { type Order, RuleSet, Split, SplitPolicy, Totals } from "apportion"
import { Arbitraries } from "apportion/testing"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ofItem, total } from "../../src/testing/laws/reasons.js"
import { runs } from "../generators/Runs.js"

const link = { type: "products.all" } as const
const rules = RuleSet.make([
  { id: "g1", collaboratorId: "zoe", link, percent: 10 },
  { id: "g2", collaboratorId: "ada", link, percent: 20 },
  { id: "g3", collaboratorId: "ada", link, amount: 5 },
])
const policy = SplitPolicy.make({ stacking: "all" })
const sold = (currency: string, ...amounts: ReadonlyArray<number>): Split.Split => {
  const items = amounts.map((amount, index) => ({
    ...{ id: String(index), product: { id: "p1" }, quantity: 1, amount },
  }))
  const order: Order.Order = { id: "1001", currency, items }
  return Split.order(rules, order, policy)
}

describe("the totals of a split", () => {
  it("are one amount for each collaborator, whatever items and groups it came from, and the store's", () => {
    expect(Result.getOrThrow(Totals.ofSplit(sold("USD", 1_000, 500)))).toEqual({
      currency: "USD",
      splits: 1,
      distributable: 1_500,
      collaborators: [
        { collaboratorId: "ada", amount: 310 },
        { collaboratorId: "zoe", amount: 150 },
      ],
      store: 1_040,
    })
  })

  it("of an order without items are nothing, in its currency", () => {
    expect(Result.getOrThrow(Totals.ofSplit(sold("JPY")))).toEqual({
      ...{ currency: "JPY", splits: 1, distributable: 0, collaborators: [], store: 0 },
    })
  })

  it("add up to what the items brought in, in any split", () => {
    fc.assert(
      fc.property(Arbitraries.splitSale(), ({ split }) => {
        const totals = Totals.ofSplit(split)
        if (Result.isFailure(totals)) return expect(totals.failure._tag).toBe("AmountOutOfRange")
        const { collaborators, store, distributable } = totals.success
        expect(total(collaborators) + BigInt(store)).toBe(BigInt(distributable))
        expect(total(split.items.map((item) => ({ amount: item.distributable })))).toBe(
          BigInt(distributable),
        )
        for (const { collaboratorId, amount } of collaborators) {
          const own = split.shares.filter((share) => share.collaboratorId === collaboratorId)
          expect(total(own)).toBe(BigInt(amount))
        }
        expect(split.items.flatMap(({ itemId }) => ofItem(split.store, itemId))).toEqual(
          split.store,
        )
      }),
      runs(60),
    )
  })
})

describe("the totals of many splits", () => {
  it("are kept apart by currency", () => {
    const splits = [sold("USD", 1_000), sold("EUR", 100), sold("USD", -1_000), sold("USD", 200)]
    const totals = Result.getOrThrow(Totals.byCurrency(splits.values()))
    expect(totals.map(({ currency, splits: count }) => [currency, count])).toEqual([
      ["EUR", 1],
      ["USD", 3],
    ])
    expect(totals[1]).toMatchObject({ distributable: 200, store: 135 })
    expect(Result.getOrThrow(Totals.byCurrency([]))).toEqual([])
  })

  it("are exact where sums on the way are beyond every number,", () => {
    const most = Number.MAX_SAFE_INTEGER - 10
    const splits = [sold("USD", most), sold("USD", most), sold("USD", -most), sold("USD", 10)]
    const [totals] = Result.getOrThrow(Totals.byCurrency(splits))
    expect(totals?.distributable).toBe(Number.MAX_SAFE_INTEGER)
  })

  it("that no number can hold say whose they are", () => {
    const most = Number.MAX_SAFE_INTEGER
    const result = Totals.byCurrency([sold("USD", most), sold("USD", most)])
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      _tag: "AmountOutOfRange",
      what: "what was brought in, in USD,",
      value: "18014398509481982",
    })
  })
})
