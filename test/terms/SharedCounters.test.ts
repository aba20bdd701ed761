import { CountedRules, CountedSplit, SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"

// Where DOMAIN is silent: two groups of one collaborator that count together, and both pay for one item.

const group = (id: string, counted: "units" | "base" | "share") => ({
  ...{ id, collaboratorId: "ada", link: { type: "products.all" } as const },
  terms: {
    tiers: {
      ...{ counted, per: "collaborator" as const },
      bands: [
        { from: 0, percent: 10 },
        { from: 5, percent: 20 },
      ],
    },
  },
})

const policy = SplitPolicy.make({ stacking: "all" })

const order = (id: string) => ({
  ...{ id, currency: "USD" },
  items: [{ id: "1", product: { id: "p1" }, quantity: 4, amount: 4_000 }],
})

describe("an item that two groups of a collaborator pay for, which count together,", () => {
  test("counts once for each of them, and earns in both what the counter stood at before it", () => {
    const rules = CountedRules.make([group("text", "units"), group("pictures", "units")])
    const { split, counters } = CountedSplit.order(rules, order("1"), policy)
    expect(counters).toEqual({ "units/USD/lifetime/collaborator/ada": 8 })
    expect(split.shares.map(({ groupId, amount }) => [groupId, amount])).toEqual([
      ["pictures", 400],
      ["text", 400],
    ])
    const tiers = split.shares.map(({ terms }) => [terms?.tiers?.before, terms?.tiers?.after])
    expect(tiers).toEqual([
      [0, 4],
      [4, 8],
    ])
    expect(CountedSplit.comesOutAgain(split, rules, order("1"))).toBe(true)
    const refund = { orderId: "1", itemId: "1", quantity: 4, refundedAt: 1 }
    const back = Result.getOrThrow(CountedSplit.refund(split, refund, { counters }))
    expect(back.counters).toEqual({ "units/USD/lifetime/collaborator/ada": 0 })
  })

  test("counts what is paid once only, whatever the groups, where shares are counted", () => {
    const rules = CountedRules.make([group("text", "share"), group("pictures", "share")])
    const { split, counters } = CountedSplit.order(rules, order("1"), policy)
    const paid = split.shares.reduce((sum, { amount }) => sum + amount, 0)
    expect(counters).toEqual({ "share/USD/lifetime/collaborator/ada": paid })
  })

  test("counts once where only the most specific of them pays", () => {
    const rules = CountedRules.make([group("text", "units"), group("pictures", "units")])
    const { counters } = CountedSplit.order(rules, order("1"))
    expect(counters).toEqual({ "units/USD/lifetime/collaborator/ada": 4 })
  })
})
