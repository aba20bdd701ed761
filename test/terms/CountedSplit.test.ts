/** Worked examples of tiers and caps with figures set by hand, and laws that hold for all of them. */
import {
  CountedRules,
  CountedSplit,
  Counters,
  RuleSet,
  Split,
  SplitPolicy,
  type Terms,
} from "apportion"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"

const link = { type: "products.all" } as const

const rulesOf = (terms: Terms.TermsInput, fields: Partial<CountedRules.CountedGroupInput> = {}) =>
  CountedRules.make([{ id: "g", collaboratorId: "ada", link, terms, ...fields }])

const sale = (quantity: number, amount: number, id = "1", createdAt = 1_767_225_600) => ({
  id,
  currency: "USD",
  createdAt,
  items: [{ id: "1", product: { id: "p" }, quantity, amount }],
})

const copies = (...bands: ReadonlyArray<readonly [number, number]>): Terms.TermsInput => ({
  tiers: { counted: "units", bands: bands.map(([from, percent]) => ({ from, percent })) },
})

const bandsOf = ({ split }: CountedSplit.Counted) =>
  split.shares[0]?.terms?.tiers?.bands.map(({ percent, counted }) => [percent, counted])

const paid = ({ split }: CountedSplit.Counted) => split.shares[0]?.amount

/** Sales one after the other, and what each of them pays. */
const run = (
  rules: CountedRules.CountedRules,
  sales: ReadonlyArray<ReturnType<typeof sale>>,
  policy = SplitPolicy.defaults,
) => {
  const tally = Counters.tally()
  const splits = [...CountedSplit.orders(rules, sales, tally, policy)].map(Result.getOrThrow)
  return {
    amounts: splits.map(({ shares }) => shares[0]?.amount),
    splits,
    counters: tally.counters,
  }
}

describe("copies in bands", () => {
  // The escalating royalty that publishing contracts commonly have: 10 % of the list price on the first 5,000 copies,
  // 12.5 % on the next 5,000 and 15 % on all further ones.
  const hardcover = rulesOf(copies([0, 10], [5_000, 12.5], [10_000, 15]))

  test.each([
    { before: 0, quantity: 5_000, share: 1_250_000, bands: [["10.00", 5_000]] },
    { before: 5_000, quantity: 5_000, share: 1_562_500, bands: [["12.50", 5_000]] },
    { before: 10_000, quantity: 1, share: 375, bands: [["15.00", 1]] },
    { before: 4_999, quantity: 1, share: 250, bands: [["10.00", 1]] },
    {
      before: 4_999,
      quantity: 2,
      share: 563,
      bands: [
        ["10.00", 1],
        ["12.50", 1],
      ],
    },
    {
      before: 4_000,
      quantity: 8_000,
      share: 250_000 + 1_562_500 + 750_000,
      bands: [
        ["10.00", 1_000],
        ["12.50", 5_000],
        ["15.00", 2_000],
      ],
    },
  ])(
    "$quantity copies at 25.00 after $before others pay $share",
    ({ before, quantity, share, bands }) => {
      const key = "units/USD/lifetime/group/g"
      const done = CountedSplit.order(hardcover, sale(quantity, 2_500 * quantity), undefined, {
        [key]: before,
      })
      expect(paid(done)).toBe(share)
      expect(bandsOf(done)).toEqual(bands)
      expect(done.counters).toEqual({ [key]: before + quantity })
    },
  )

  test("an amount across a bound is divided there exactly and rounded once", () => {
    // 100 for 3 units, one of them at 10 % and two at 20 %: 3.33… + 13.33… is 16.66…, where parts rounded by
    // themselves would be 3 + 13.
    expect(paid(CountedSplit.order(rulesOf(copies([0, 10], [1, 20])), sale(3, 100)))).toBe(17)
  })

  test("a return takes away from the highest band downwards", () => {
    const rules = rulesOf(copies([0, 10], [8, 20]))
    const { amounts, splits, counters } = run(rules, [sale(10, 10_000), sale(4, -4_000, "2")])
    expect(amounts).toEqual([1_200, -600])
    expect(
      splits[1]?.shares[0]?.terms?.tiers?.bands.map(({ percent, counted }) => [percent, counted]),
    ).toEqual([
      ["20.00", -2],
      ["10.00", -2],
    ])
    expect(counters).toEqual({ "units/USD/lifetime/group/g": 6 })
  })

  test("a return of what was never counted is in the first band", () => {
    const { amounts, counters } = run(rulesOf(copies([0, 10], [8, 20])), [sale(3, -3_000)])
    expect(amounts).toEqual([-300])
    expect(counters).toEqual({ "units/USD/lifetime/group/g": -3 })
  })

  test("a line without units counts none, and pays the band that is reached", () => {
    const before = { "units/USD/lifetime/group/g": 8 }
    const done = CountedSplit.order(
      rulesOf(copies([0, 10], [8, 20])),
      sale(0, 1_000),
      undefined,
      before,
    )
    expect([paid(done), done.counters]).toEqual([200, before])
  })

  test("items count in the order of their ids, whatever the order in which they came", () => {
    const items = ["2", "1"].map((id) => ({ id, product: { id: "p" }, quantity: 1, amount: 1_000 }))
    const order = { id: "1", currency: "USD", items }
    const { split } = CountedSplit.order(rulesOf(copies([0, 10], [1, 20])), order)
    expect(split.shares.map(({ itemId, amount }) => [itemId, amount])).toEqual([
      ["2", 200],
      ["1", 100],
    ])
    expect(split.items.map(({ itemId }) => itemId)).toEqual(["2", "1"])
  })

  test("each currency is counted by itself", () => {
    const rules = rulesOf(copies([0, 10], [1, 20]))
    const { amounts } = run(rules, [
      sale(1, 1_000),
      { ...sale(1, 1_000), currency: "EUR" },
      sale(1, 1_000),
    ])
    expect(amounts).toEqual([100, 100, 200])
  })
})

describe("money in bands", () => {
  const base = rulesOf({
    tiers: {
      counted: "base",
      bands: [
        { from: 0, percent: 5 },
        { from: 10_000, percent: 8 },
      ],
    },
  })

  test("a sale across 100.00 earns 5 % of what is below and 8 % of what is above", () => {
    expect(run(base, [sale(1, 6_000), sale(1, 6_000), sale(1, 1_000)]).amounts).toEqual([
      300, 360, 80,
    ])
  })

  test("a share that is counted itself fills its band first", () => {
    const rules = rulesOf({
      tiers: {
        counted: "share",
        bands: [
          { from: 0, percent: 50 },
          { from: 1_000, percent: 10 },
        ],
      },
    })
    // 10.00 are earned on the first 20.00; of the rest, 10 %.
    expect(run(rules, [sale(1, 3_000), sale(1, 1_000)]).amounts).toEqual([1_100, 100])
  })

  test("after a recoupment at nothing, everything is shared", () => {
    const rules = rulesOf({
      tiers: {
        counted: "base",
        bands: [
          { from: 0, percent: 0 },
          { from: 5_000, percent: 50 },
        ],
      },
    })
    expect(run(rules, [sale(1, 4_000), sale(1, 4_000)]).amounts).toEqual([0, 1_500])
  })
})

describe("a cap", () => {
  const rules = rulesOf({ cap: { amount: 50_000, period: "month" } }, { percent: 20 })
  const [january, february] = [1_767_225_600, 1_769_904_000]

  test("cuts the share that crosses it to what is left, then pays nothing, and begins anew", () => {
    const sales = [january, january + 1, january + 2, february].map((at, place) =>
      sale(1, 200_000, `${place}`, at),
    )
    const { amounts, splits, counters } = run(rules, sales)
    expect(amounts).toEqual([40_000, 10_000, 0, 40_000])
    expect(splits[1]?.shares[0]?.terms?.cap).toEqual({
      counter: "share/USD/2026-01/group/g",
      amount: 50_000,
      before: 40_000,
      after: 50_000,
      left: 0,
      cut: 30_000,
    })
    expect(counters).toEqual({
      "share/USD/2026-01/group/g": 50_000,
      "share/USD/2026-02/group/g": 40_000,
    })
  })

  test("a month begins where the account is", () => {
    const midnight = { timeZone: "America/New_York" }
    const { counters } = CountedSplit.order(
      rules,
      sale(1, 100, "1", february),
      undefined,
      {},
      midnight,
    )
    expect(counters).toEqual({ "share/USD/2026-01/group/g": 20 })
  })

  test("a month can begin twice: one minute after its midnight, clocks in St. John's went back an hour", () => {
    const months = [
      ["2009-10-31T12:00:00Z", "2009-10"],
      ["2009-11-01T02:29:59Z", "2009-10"],
      ["2009-11-01T02:30:00Z", "2009-11"],
      ["2009-11-01T02:30:59Z", "2009-11"],
      ["2009-11-01T02:31:00Z", "2009-10"],
      ["2009-11-01T03:29:59Z", "2009-10"],
      ["2009-11-01T03:30:00Z", "2009-11"],
      ["2009-11-15T00:00:00Z", "2009-11"],
      ["2009-12-01T03:29:59Z", "2009-11"],
      ["2009-12-01T03:30:00Z", "2009-12"],
    ] as const
    const sales = months.map(([at], place) => sale(1, 100, `${place}`, Date.parse(at) / 1_000))
    const options = { timeZone: "America/St_Johns" }
    const splits = CountedSplit.orders(
      rules,
      sales,
      Counters.tally(),
      SplitPolicy.defaults,
      options,
    )
    const counters = [...splits].map(
      (split) => Result.getOrThrow(split).shares[0]?.terms?.cap?.counter,
    )
    expect(counters).toEqual(months.map(([, month]) => `share/USD/${month}/group/g`))
  })

  test("leaves to the store what it cuts", () => {
    const { split } = CountedSplit.order(rules, sale(1, 300_000))
    expect([split.shares[0]?.amount, split.store[0]?.amount]).toEqual([50_000, 250_000])
  })

  test("of a collaborator is one for all groups that have it", () => {
    const cap = { amount: 150, per: "collaborator" } as const
    const both = CountedRules.make(
      ["a", "b"].map((id) => ({ id, collaboratorId: "ada", link, percent: 10, terms: { cap } })),
    )
    const { split, counters } = CountedSplit.order(both, sale(1, 1_000), {
      ...SplitPolicy.defaults,
      stacking: "all",
    })
    expect(split.shares.map(({ amount }) => amount)).toEqual([100, 50])
    expect(counters).toEqual({ "share/USD/lifetime/collaborator/ada": 150 })
  })
})

describe("refunds", () => {
  const rules = rulesOf(copies([0, 10], [8, 20]))
  const { split, counters } = CountedSplit.order(rules, sale(10, 10_000))
  const refund = (quantity: number) => ({ orderId: "1", itemId: "1", quantity, refundedAt: 0 })

  test("take back what was earned last, and lower the counter", () => {
    const first = Result.getOrThrow(CountedSplit.refund(split, refund(3), { counters }))
    expect(first.reversal.shares[0]?.amount).toBe(500)
    expect(first.counters).toEqual({ "units/USD/lifetime/group/g": 7 })
    const earlier = [refund(3)]
    const rest = Result.getOrThrow(
      CountedSplit.refund(split, refund(7), { earlier, counters: first.counters }),
    )
    expect(rest.reversal.shares[0]?.amount).toBe(700)
    expect(rest.counters).toEqual({ "units/USD/lifetime/group/g": 0 })
  })

  test("of more than there is change nothing", () => {
    const refused = CountedSplit.refund(split, refund(11), { counters })
    expect(Result.isFailure(refused) && refused.failure._tag).toBe("RefundExceedsItem")
  })
})

describe("laws", () => {
  const total = (rules: CountedRules.CountedRules, cuts: ReadonlyArray<number>) =>
    run(
      rules,
      cuts.map((units, place) => sale(units, 97 * units, `${place}`)),
    ).amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)

  test.each(["units", "base", "share"] as const)(
    "however a stream of sales is cut into orders, tiers by %s pay the same within the rounding",
    (counted) => {
      const bands = [
        { from: 0, percent: 7 },
        { from: 30, percent: 11.5 },
        { from: 77, percent: 33.33 },
      ]
      const rules = rulesOf({ tiers: { counted, bands } })
      const whole = total(rules, [100])
      for (const cuts of [
        [50, 50],
        [1, 29, 70],
        [30, 47, 23],
        [99, 1],
        [10, 20, 30, 40],
      ]) {
        expect(Math.abs(total(rules, cuts) - whole)).toBeLessThanOrEqual(cuts.length)
      }
    },
  )

  test("groups without terms get what they get without counters", () => {
    const groups = [{ id: "g", collaboratorId: "ada", link, percent: 12.5 }]
    const order = sale(3, 9_999)
    expect(CountedSplit.order(CountedRules.make(groups), order)).toEqual({
      split: Split.order(RuleSet.make(groups), order),
      counters: {},
    })
  })

  test("a recorded split comes out again from its own shares", () => {
    const rules = rulesOf({ ...copies([0, 10], [8, 20]), cap: { amount: 1_500 } })
    const recorded = run(rules, [sale(5, 5_000), sale(10, 10_000, "2"), sale(1, 900, "3")]).splits
    const orders = [sale(5, 5_000), sale(10, 10_000, "2"), sale(1, 900, "3")]
    expect(
      recorded.map((split, place) =>
        CountedSplit.comesOutAgain(split, rules, orders[place] ?? sale(0, 0)),
      ),
    ).toEqual([true, true, true])
    expect(
      CountedSplit.comesOutAgain(
        recorded[1] ?? Split.order(RuleSet.make([]), sale(0, 0)),
        rules,
        sale(9, 10_000, "2"),
      ),
    ).toBe(false)
  })
})

describe("a tally", () => {
  test("is asked and told in the way that a host has given to it", () => {
    const rules = rulesOf(copies([0, 10]))
    const tally = Counters.tally()
    const set = tally.set.bind(tally)
    const written: Array<Counters.CounterChange> = []
    tally.set = (changes) => {
      written.push(...changes)
      set(changes)
    }
    const orders = [sale(2, 100, "1"), sale(3, 100, "2")]
    expect([...CountedSplit.orders(rules, orders, tally)].every(Result.isSuccess)).toBe(true)
    expect(written.map(({ count }) => count)).toEqual([2, 5])
    expect(tally.counters).toEqual({ "units/USD/lifetime/group/g": 5 })
    const cautious = Counters.tally()
    cautious.at = () => 40
    Array.from(CountedSplit.orders(rules, orders.slice(0, 1), cautious))
    expect(cautious.counters).toEqual({ "units/USD/lifetime/group/g": 42 })
  })
})

describe("what can't be counted", () => {
  const most = Number.MAX_SAFE_INTEGER

  test("a counter beyond the safe integers refuses the order and keeps what was counted", () => {
    const tally = Counters.tally({ "units/USD/lifetime/group/g": most - 1 })
    const [refused, fits] = CountedSplit.orders(
      rulesOf(copies([0, 10])),
      [sale(2, 100), sale(1, 100)],
      tally,
    )
    expect(refused && Result.isFailure(refused) && refused.failure._tag).toBe("AmountOutOfRange")
    expect(fits && Result.isSuccess(fits)).toBe(true)
    expect(tally.counters).toEqual({ "units/USD/lifetime/group/g": most })
  })

  test("a count that is none is named", () => {
    const counters = { "units/USD/lifetime/group/g": 0.5 }
    const refused = CountedSplit.orderResult(
      rulesOf(copies([0, 10])),
      sale(1, 100),
      undefined,
      counters,
    )
    expect(Result.isFailure(refused) && refused.failure._tag).toBe("InvalidCounters")
  })

  test("terms for each payout need to know which", () => {
    const rules = rulesOf({ cap: { amount: 1, period: "payout" } }, { percent: 1 })
    const refused = CountedSplit.orderResult(rules, sale(1, 100))
    expect(Result.isFailure(refused) && refused.failure.message).toBe(
      'payout: is missing: the terms of group "g" count for each payout',
    )
  })

  test.each([
    [{ tiers: { counted: "units", bands: [] } }, "[0].terms.tiers.bands"],
    [
      { tiers: { counted: "units", bands: [{ from: 1, percent: 1 }] } },
      "[0].terms.tiers.bands[0].from",
    ],
    [{ tiers: { counted: "copies", bands: [{ from: 0, percent: 1 }] } }, "[0].terms.tiers.counted"],
    [
      { tiers: { counted: "units", bands: [{ from: 0, percent: 101 }] } },
      "[0].terms.tiers.bands[0].percent",
    ],
    [{ cap: { amount: 1.5 } }, "[0].terms.cap.amount"],
    [{ cap: { amount: 1, until: 3 } }, "[0].terms.cap.until"],
    [{}, "[0].terms"],
  ])("%j is refused at %s", (terms, path) => {
    const parsed = CountedRules.parse([{ id: "g", collaboratorId: "ada", link, terms }])
    expect(
      Result.isFailure(parsed) && parsed.failure.problems.map((problem) => problem.path),
    ).toEqual([path])
  })

  test("a group with tiers has no percentage beside them", () => {
    const group = { id: "g", collaboratorId: "ada", link, percent: 1, terms: copies([0, 10]) }
    const parsed = CountedRules.parse([group])
    expect(
      Result.isFailure(parsed) && parsed.failure.problems.map(({ path, value }) => [path, value]),
    ).toEqual([["[0].percent", 1]])
  })

  test("a rule set without counters refuses a group with terms", () => {
    const parsed = RuleSet.parse([
      { id: "g", collaboratorId: "ada", link, percent: 1, terms: copies([0, 10]) },
    ])
    expect(Result.isFailure(parsed) && parsed.failure.problems.map(({ path }) => path)).toEqual([
      "[0].terms",
    ])
  })
})
