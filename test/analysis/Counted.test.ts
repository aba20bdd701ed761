/** Analyses of rules with terms: what is proved holds at every counter, and what is shown is shown at some. */
import { Analysis, Catalogue, CountedRules, CountedSplit, RuleSet, SplitPolicy } from "apportion"
import { Result } from "effect"
import { describe, expect, test } from "vitest"

type Group = CountedRules.CountedGroupInput
type Terms = NonNullable<Group["terms"]>

const all = { type: "products.all" } as const
const art = { type: "products.tag", values: ["art"] } as const

const group = (id: string, more: Partial<Group>): Group => ({
  ...{ id, collaboratorId: "ada", link: all },
  ...more,
})

const rulesOf = (...groups: ReadonlyArray<Group>) => CountedRules.make(groups)

/** Tiers of bands as a text: `0:10 100:15` is 10 % from 0 and 15 % from 100. */
const tiers = (bands: string, more: Partial<NonNullable<Terms["tiers"]>> = {}): Terms => ({
  tiers: {
    counted: "units",
    bands: bands.split(" ").map((band) => {
      const [from = 0, percent = 0] = band.split(":").map(Number)
      return { from, percent }
    }),
    ...more,
  },
})

const sam = (percent: number, more: Partial<Group> = {}): Group =>
  group("s", { collaboratorId: "sam", percent, ...more })

/** What the split says of a witness at its counters. */
const refusal = (rules: CountedRules.CountedRules, witness: Analysis.Witness | null) => {
  if (witness === null) return undefined
  const { order, counters } = witness
  const options = { payout: Analysis.payoutOfWitness }
  const said = CountedSplit.orderResult(rules, order, SplitPolicy.defaults, counters, options)
  return Result.isFailure(said) ? said.failure._tag : "split"
}

describe("over-allocation of rules with terms", () => {
  test("counts tiers as their highest band", () => {
    const rules = rulesOf(
      group("a", {
        terms: tiers("0:10 1000:60 2000:20"),
      }),
      sam(50),
    )
    const { verdict, witness } = Analysis.overAllocation(rules)
    expect(verdict).toBe("possible")
    expect(witness?.counters).toEqual({ "units/USD/lifetime/group/a": 1_000 })
    expect(refusal(rules, witness)).toBe("OverAllocated")
    const fitting = rulesOf(
      group("a", {
        terms: tiers("0:10 1000:50 2000:20"),
      }),
      sam(50),
    )
    expect(Analysis.overAllocation(fitting).verdict).toBe("impossible")
  })

  test.each(["lifetime", "year", "month", "payout"] as const)("in each period: %s", (period) => {
    const rules = rulesOf(
      group("a", {
        terms: tiers("0:10 9:60", { period }),
      }),
      sam(50),
    )
    const { witness } = Analysis.overAllocation(rules)
    expect(refusal(rules, witness)).toBe("OverAllocated")
    expect(witness?.attributeCount).toBe(0)
    const [key] = Object.keys(witness?.counters ?? {})
    const names = { lifetime: "lifetime", year: "2026", month: "2026-01", payout: "payout:example" }
    expect(key).toBe(`units/USD/${names[period]}/group/a`)
  })

  test("does not rely on a cap: percentages above 100 % are refused with it too", () => {
    const rules = rulesOf(group("a", { percent: 60, terms: { cap: { amount: 10 } } }), sam(50))
    const { verdict, witness } = Analysis.overAllocation(rules)
    expect(verdict).toBe("possible")
    expect(witness?.counters).toEqual({})
    expect(refusal(rules, witness)).toBe("OverAllocated")
  })

  test("and after returns, more is left under it than it says", () => {
    const rules = rulesOf(group("a", { amount: 150, terms: { cap: { amount: 50 } } }))
    const catalogue = Catalogue.make([{ id: "print", price: 100 }])
    const { witness } = Analysis.overAllocation(rules, { catalogue })
    expect(Object.values(witness?.counters ?? {})[0]).toBeLessThan(0)
    expect(refusal(rules, witness)).toBe("OverAllocated")
  })

  test("finds a band that is a few cents wide", () => {
    const narrow = "0:10 100:100 103:10"
    const of = (counted: "base" | "share") =>
      rulesOf(group("a", { terms: tiers(narrow, { counted }) }), sam(20))
    for (const rules of [of("base"), of("share")]) {
      const { witness } = Analysis.overAllocation(rules)
      expect(refusal(rules, witness)).toBe("OverAllocated")
      expect(witness?.order.items[0]?.amount).toBe(3)
    }
  })

  test("is undecided where no sale is known that stays within the band", () => {
    const narrow = tiers("0:10 100:85 103:10", { counted: "base" })
    const rules = rulesOf(group("a", { terms: narrow }), sam(20))
    const catalogue = Catalogue.make([{ id: "print", price: 9_000 }])
    expect(Analysis.overAllocation(rules, { catalogue }).verdict).toBe("undecided")
    const free = Catalogue.make([{ id: "print", price: 0 }])
    expect(Analysis.overAllocation(rules, { catalogue: free }).verdict).toBe("impossible")
  })

  test("has a time outside of all dates, where terms need one", () => {
    const monthly = group("a", {
      terms: tiers("0:10 9:60", { period: "month" }),
    })
    const gift = (id: string, dates: Partial<Group>) =>
      group(id, { link: art, percent: 1, ...dates })
    const now = 1_767_225_600
    const ended = rulesOf(monthly, sam(50), gift("g", { startsAt: now - 100, endsAt: now + 100 }))
    const outside = Analysis.overAllocation(ended).witness?.order.createdAt
    expect(outside === now - 101 || outside === now + 100).toBe(true)
    const later = Analysis.overAllocation(ended, { from: now - 50 }).witness?.order.createdAt
    expect(later).toBe(now + 100)
  })

  test("and none where there is no such time: then orders without one are refused", () => {
    const monthly = tiers("0:10 9:60", { period: "month" })
    const rules = rulesOf(
      group("a", { terms: monthly }),
      sam(50),
      group("before", { percent: 1, endsAt: 100 }),
      group("after", { percent: 1, startsAt: 100 }),
    )
    expect(Analysis.overAllocation(rules).verdict).not.toBe("impossible")
  })

  test("holds for many affiliates with the same terms", () => {
    const affiliate = (id: string, terms: Terms) =>
      group(id, { collaboratorId: id, condition: { type: "referer", values: [id] }, terms })
    const ids = Array.from({ length: 40 }, (_, place) => `r${place}`)
    const rules = rulesOf(...ids.map((id) => affiliate(id, tiers("0:1 10:3"))))
    const { verdict, witness } = Analysis.overAllocation(rules)
    expect([verdict, witness?.attributeCount]).toEqual(["possible", 34])
    expect(refusal(rules, witness)).toBe("OverAllocated")
    const few = rulesOf(...ids.map((id) => affiliate(id, tiers("0:1 10:2.5"))))
    expect(Analysis.overAllocation(few).verdict).toBe("impossible")
  })

  test("a copy of the rules is analysed as the rules themselves", () => {
    const rules = rulesOf(
      group("a", {
        terms: tiers("0:10 9:60"),
      }),
      sam(50),
    )
    expect(Analysis.overAllocation(structuredClone(rules))).toEqual(Analysis.overAllocation(rules))
  })

  test("rules that are none are refused with the field", () => {
    const refused = (rules: unknown) => {
      const said = Analysis.result(Reflect.apply(Analysis.steps.check, undefined, [rules]))
      return Result.isFailure(said) ? said.failure.problems.map(({ path }) => path) : []
    }
    expect(refused({ counted: [{ id: "a" }] })).toContain("rules[0].collaboratorId")
    expect(refused({ counted: 1 })).toEqual(["rules"])
    const hostile = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => {
          throw new Error("no")
        },
      },
    )
    expect(refused(hostile)).toEqual(["rules.groups"])
    expect(refused(null)).toEqual(["rules.groups"])
  })
})

const terms = tiers("0:10 100:15")
const before = rulesOf(group("a", { terms: { ...terms, cap: { amount: 5_000 } } }))

const changedTo = (changed: Terms, more: Partial<Group> = {}) =>
  Analysis.equivalent(before, rulesOf(group("a", { terms: changed, ...(more ?? {}) })))

describe("equivalence of rules with terms", () => {
  test("is proved where the terms are the same", () => {
    const cap = { amount: 5_000 }
    expect(changedTo({ ...terms, cap }).verdict).toBe("equivalent")
    const merged = tiers("0:10 50:10 100:15 101:15")
    expect(changedTo({ ...merged, cap }).verdict).toBe("equivalent")
    expect(changedTo({ ...terms, cap }, { link: { ...all, modifier: "WITH" } }).verdict).toBe(
      "equivalent",
    )
  })

  const changes: ReadonlyArray<readonly [string, Terms, Partial<Group>?]> = [
    [
      "a percentage",
      {
        ...tiers("0:10 100:16"),
        cap: { amount: 5_000 },
      },
    ],
    [
      "a bound",
      {
        ...tiers("0:10 101:15"),
        cap: { amount: 5_000 },
      },
    ],
    [
      "what is counted",
      {
        ...tiers("0:10 100:15", { counted: "base" }),
        cap: { amount: 5_000 },
      },
    ],
    [
      "whose it is",
      {
        ...tiers("0:10 100:15", { per: "collaborator" }),
        cap: { amount: 5_000 },
      },
    ],
    [
      "a period",
      {
        ...tiers("0:10 100:15", { period: "month" }),
        cap: { amount: 5_000 },
      },
    ],
    ["the cap", { ...terms, cap: { amount: 5_001 } }],
    ["the cap's period", { ...terms, cap: { amount: 5_000, period: "payout" } }],
    ["no cap", terms],
    ["no tiers", { cap: { amount: 5_000 } }, { percent: 10 }],
    ["the name by which it is counted", { ...terms, cap: { amount: 5_000 } }, { id: "b" }],
  ]
  for (const [what, changed, more] of changes) {
    test(`differs by ${what}, with counters that show it`, () => {
      const other = rulesOf(group("a", { terms: changed, ...more }))
      const { verdict, witness } = Analysis.equivalent(before, other)
      expect(verdict).toBe("different")
      const amounts = [before, other].map((rules) => {
        const { order, counters } = witness ?? { order: { id: "1", currency: "USD", items: [] } }
        const options = { payout: Analysis.payoutOfWitness }
        return CountedSplit.order(rules, order, undefined, counters, options).split.shares[0]
          ?.amount
      })
      expect(amounts[0]).not.toBe(amounts[1])
    })
  }

  test("is undecided where the same is paid and something else is counted", () => {
    const constant = rulesOf(
      group("a", {
        terms: tiers("0:10 100:10"),
      }),
    )
    const plain = RuleSet.make([
      { id: "a", collaboratorId: "ada", link: all, percent: 10, shippingPercent: 0 },
    ])
    expect(Analysis.equivalent(constant, plain).verdict).toBe("undecided")
    expect(Analysis.equivalent(plain, plain).verdict).toBe("equivalent")
  })

  test("is none where two groups with caps of one counter change places", () => {
    const capped = (id: string, percent: number, amount: number): Group =>
      group(id, { percent, terms: { cap: { amount, per: "collaborator" } } })
    const policy = { stacking: "all" } as const
    const [one, other] = [
      rulesOf(capped("a", 50, 500), capped("b", 30, 300)),
      rulesOf(capped("b", 50, 500), capped("a", 30, 300)),
    ]
    expect(Analysis.equivalent(one, other, { policy }).verdict).not.toBe("equivalent")
  })
})

describe("many bands", () => {
  const stairs = (last: number): Terms =>
    tiers(
      `${Array.from({ length: 60 }, (_, place) => `${place * 10}:${place % 2}`).join(" ")} 600:${last}`,
    )

  test("are compared at each of their bounds", () => {
    const [one, other] = [3, 4].map((last) => rulesOf(group("a", { terms: stairs(last) })))
    const { verdict, witness } = Analysis.equivalent(one ?? before, other ?? before)
    expect([verdict, witness?.counters]).toEqual([
      "different",
      { "units/USD/lifetime/group/a": 600 },
    ])
  })

  test("at some of them, where several groups have many", () => {
    const both = (last: number) =>
      rulesOf(
        group("a", { terms: stairs(3) }),
        group("s", { collaboratorId: "sam", terms: stairs(last), percent: undefined }),
      )
    expect(Analysis.equivalent(both(3), both(4)).verdict).not.toBe("equivalent")
  })
})

describe("a check of terms", () => {
  const never = { percent: 5, terms: { cap: { amount: 0, period: "month" } } } as const

  test("shows no order where there is none that is counted", () => {
    const ever = [
      group("before", { collaboratorId: "sam", percent: 1, endsAt: 100 }),
      group("after", { collaboratorId: "sam", percent: 1, startsAt: 100 }),
    ]
    const { findings } = Analysis.check(rulesOf(group("a", never), ...ever))
    expect(findings.find(({ rule }) => rule === "empty-cap")?.witness).toBeUndefined()
  })

  test("finds no more with a small budget than with a large one", () => {
    const rules = rulesOf(group("a", never), group("s", { collaboratorId: "sam", percent: 5 }))
    for (let budget = 1; budget < 60; budget += 1) {
      const found = Analysis.check(rules, { budget }).findings.map(({ rule }) => rule)
      expect(found.filter((rule) => !["empty-cap", "undecided"].includes(rule))).toEqual([])
    }
  })
})

describe("agreements of a check", () => {
  test("that are none are refused with the field", () => {
    const options = { agreements: { advances: [{ id: "loan" }] } }
    const steps = Reflect.apply(Analysis.steps.check, undefined, [RuleSet.make([]), options])
    const said = Analysis.result(steps)
    expect(Result.isFailure(said) && said.failure.problems.map(({ path }) => path)).toContain(
      "agreements.advances[0].collaboratorId",
    )
  })
})

describe("groups with terms", () => {
  test("can be left out only beside a group that counts the same", () => {
    const byAda = tiers("0:10 100:15", { per: "collaborator" })
    const same = rulesOf(group("all", { terms: byAda }), group("art", { link: art, terms: byAda }))
    expect(Analysis.redundantGroups(same).redundant.map(({ groupId }) => groupId)).toEqual(["art"])
    const own = tiers("0:10 100:15")
    const apart = rulesOf(group("all", { terms: own }), group("art", { link: art, terms: own }))
    expect(Analysis.redundantGroups(apart)).toEqual({ redundant: [], undecided: [] })
    const constant = tiers("0:10 100:10")
    const open = rulesOf(
      group("all", { terms: constant }),
      group("art", { link: art, terms: constant }),
    )
    expect(Analysis.redundantGroups(open)).toEqual({ redundant: [], undecided: ["art"] })
  })

  test("that pay nothing may count for others: whether they can be left out is undecided", () => {
    const counting = {
      ...tiers("0:0 9:0"),
      cap: null,
    }
    const policy = { shipping: "store" } as const
    const rules = rulesOf(group("a", { terms: counting, shippingPercent: 5 }))
    expect(Analysis.redundantGroups(rules, { policy })).toEqual({ redundant: [], undecided: ["a"] })
    const nothing = rulesOf(group("a", { terms: counting }))
    const { redundant } = Analysis.redundantGroups(nothing, { policy })
    expect(redundant.map(({ groupId }) => groupId)).toEqual(["a"])
  })

  test("are outranked, meet and apply as those without", () => {
    const rules = rulesOf(
      group("new", { terms, createdAt: 2 }),
      group("old", { percent: 5, createdAt: 1 }),
    )
    expect(Analysis.deadGroups(rules).dead.map(({ groupId }) => groupId)).toEqual(["old"])
    expect(Analysis.overlaps(rules).overlaps).toHaveLength(1)
    expect(Analysis.togetherGroups(rules)).toEqual([["new", "old"]])
    const [one, other] = rules.counted
    expect(one && other && Analysis.implies(one, other).verdict).toBe("implied")
  })

  test("pay for a product if any band does", () => {
    const catalogue = Catalogue.make([{ id: "print", price: 100 }])
    const late = rulesOf(
      group("a", {
        terms: tiers("0:0 9:5"),
      }),
    )
    expect(Analysis.unpaidProducts(late, catalogue).products).toEqual([])
    const never = rulesOf(
      group("a", {
        terms: tiers("0:0 9:0"),
      }),
    )
    expect(Analysis.unpaidProducts(never, catalogue).products).toEqual(["print"])
  })

  test("pay less than another group only if their highest band is below its lowest", () => {
    const overlaps = (special: Partial<Group>, usual: Partial<Group>) =>
      Analysis.check(
        rulesOf(group("all", usual), group("art", { link: art, ...special })),
      ).findings.filter(({ rule }) => rule === "overlap").length
    const low = {
      terms: tiers("0:5 9:10"),
    }
    expect(overlaps(low, { percent: 20 })).toBe(1)
    const monthly = { percent: 5, terms: { cap: { amount: 9, period: "month" } } } as const
    const { findings } = Analysis.check(
      rulesOf(group("a", { ...monthly, link: art }), group("b", { percent: 20 })),
    )
    const shown = findings.find(({ rule }) => rule === "overlap")?.witness
    expect([shown?.order.createdAt, shown?.counters]).toEqual([1_767_225_600, {}])
    expect(overlaps(low, { percent: 8 })).toBe(0)
    expect(
      overlaps(
        { percent: 8 },
        {
          terms: tiers("0:10 9:20"),
        },
      ),
    ).toBe(1)
    expect(overlaps({ percent: 8 }, { percent: 10, terms: { cap: { amount: 9 } } })).toBe(0)
    expect(overlaps({ percent: 10, terms: { cap: { amount: 9 } } }, { percent: 10 })).toBe(1)
  })
})
