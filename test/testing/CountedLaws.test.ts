/** Laws of rules with terms: they hold for what the engine does, and can be broken. */
import { CountedRules, Counters, type Order, type Split, SplitPolicy } from "apportion"
import { Arbitraries, Laws, RulesBroken, verifyRules } from "apportion/testing"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, test } from "vitest"

const link = { type: "products.all" } as const

const rules = CountedRules.make([
  {
    ...{ id: "g1", collaboratorId: "ada", link },
    terms: {
      tiers: {
        counted: "units",
        bands: [
          { from: 0, percent: 10 },
          { from: 10, percent: 50 },
        ],
      },
      cap: { amount: 900 },
    },
  },
])

const order: Order.Order = {
  id: "1001",
  currency: "USD",
  items: [
    { id: "1", product: { id: "p1" }, quantity: 4, amount: 1_000 },
    { id: "2", product: { id: "p1" }, quantity: 1, amount: 1_000 },
  ],
}

const sale = Laws.saleOf(rules, order, undefined, { "units/USD/lifetime/group/g1": 8 })

test("the laws hold for a sale across a bound and a cap", () => {
  expect(sale.split?.shares.map(({ amount }) => amount)).toEqual([300, 500])
  for (const law of Laws.terms) {
    expect([law.name, Laws.appliesTo(law, sale), law.check(sale)]).toEqual([
      law.name,
      true,
      undefined,
    ])
  }
})

test("those that split an order again are about rules without terms", () => {
  const about = Laws.engine.filter((law) => Laws.appliesTo(law, sale)).map((law) => law.check(sale))
  expect(about.every((reason) => reason === undefined)).toBe(true)
  expect(Laws.appliesTo(Laws.anySpelling, sale)).toBe(false)
})

type Share = Split.Split["shares"][number]

/** The sale with shares that the engine did not make. */
const forged = (change: (share: Share) => Partial<Share>): Laws.JudgedSale => {
  const { split } = sale
  if (split === undefined) throw new RangeError("it was refused")
  const shares = split.shares.map((share) => ({ ...share, ...change(share) }))
  return { ...sale, split: { ...split, shares }, result: Result.succeed({ ...split, shares }) }
}

describe("a law is broken", () => {
  test("by a share beyond a cap", () => {
    const beyond = forged(({ terms }) =>
      terms?.cap == null ? {} : { terms: { ...terms, cap: { ...terms.cap, after: 901 } } },
    )
    expect(Laws.noCapIsPassed.check(beyond)).toContain("has 901 of its cap of 900")
  })

  test("by a percentage of one band alone", () => {
    expect(Laws.tiersAreMarginal.check(forged(() => ({ percentTotal: 100 })))).toContain("group g1")
  })

  test("by items that are paid otherwise on their own", () => {
    expect(Laws.ordersCutAnywhere.check(forged(() => ({ amount: 1 })))).toContain(
      "one after another",
    )
  })

  test("by counters that a refund does not restore", () => {
    const { counted } = sale
    if (counted === undefined) throw new RangeError("nothing is counted")
    const after = { ...counted.after, "units/USD/lifetime/group/g1": 14 }
    const lost = { ...sale, counted: { ...counted, after } }
    expect(Laws.refundsRestoreCounters.check(lost)).toBe("the counters stand elsewhere")
    expect(Laws.ordersCutAnywhere.check(lost)).toBe("the counters end elsewhere")
  })
})

test("counters that are none are a mistake of the caller", () => {
  expect(() =>
    Laws.saleOf(rules, order, undefined, { "units/USD/lifetime/group/g1": 0.5 }),
  ).toThrow(Counters.InvalidCounters)
})

test("the laws hold for random rules, orders and counters", () => {
  const policies = [
    {},
    { stacking: "all" },
    { overAllocation: "scale", rounding: "floor" },
  ] as const
  const drawn = fc
    .tuple(
      Arbitraries.countedRules({ amounts: "usual", maxLength: 4 }),
      fc.constantFrom(...policies),
    )
    .chain(([made, policy]) => {
      const groups = made.counted.map(({ terms: _, ...group }) => group)
      return Arbitraries.ordersFor({ groups }, { without: ["odd sums"] }).chain((each) =>
        Arbitraries.countersFor(made, each).map((counters) =>
          Laws.saleOf(made, each, SplitPolicy.make(policy), counters),
        ),
      )
    })
  fc.assert(
    fc.property(drawn, (each) => {
      for (const law of Laws.terms) {
        if (Laws.appliesTo(law, each))
          expect([law.name, law.check(each)]).toEqual([law.name, undefined])
      }
    }),
    { numRuns: 150 },
  )
})

describe("rules with terms are verified", () => {
  test("at counters at which something changes", () => {
    const broken: Array<string> = []
    try {
      verifyRules(rules, [Laws.atMostOfItem(10)], { runs: 50, seed: 1 })
    } catch (error) {
      if (error instanceof RulesBroken) broken.push(error.message)
    }
    expect(broken[0]).toContain("counted before: 10 units of group g1")
    expect(verifyRules(rules, [Laws.atMostOfItem(50)], { runs: 50, seed: 1 }).orders).toBe(50)
  })

  test("with a time where they count by one", () => {
    const monthly = CountedRules.make([
      {
        id: "g1",
        collaboratorId: "ada",
        link,
        percent: 20,
        terms: { cap: { amount: 9, period: "month" } },
      },
    ])
    const report = verifyRules(monthly, Laws.terms, { runs: 50, seed: 1 })
    expect(report.refused).toBeLessThan(report.orders)
  })
})
