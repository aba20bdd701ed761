import {
  Explanation,
  Permissions,
  type ProductGroup,
  RuleSet,
  SeenExplanation,
  Split,
  SplitPolicy,
} from "apportion"
import { Arbitraries } from "apportion/testing"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"

const all = { type: "products.all" } as const
const group = (id: string, collaboratorId: string, fields: Partial<ProductGroup.GroupInput>) => ({
  ...{ id, collaboratorId, link: all },
  ...fields,
})

const order = {
  id: "1001",
  currency: "USD",
  items: [
    { id: "1", product: { id: "p1", cost: 500 }, quantity: 2, amount: 10_000, discount: 1_000 },
    { id: "2", product: { id: "p2" }, quantity: 1, amount: 333 },
  ],
}

const splitOf = (
  groups: ReadonlyArray<ProductGroup.GroupInput>,
  policy: Partial<SplitPolicy.SplitPolicy> = {},
) =>
  Explanation.ofSplit(
    Split.order(RuleSet.make(groups), order, { ...SplitPolicy.defaults, ...policy }),
  )

const seenBy = (
  explanation: Explanation.Explanation,
  permissions: Permissions.Permissions = Permissions.all,
) => SeenExplanation.of(explanation, { id: "ada", permissions })

const p1 = { type: "products", modifier: "WITH", values: ["p1"] } as const

describe("an explanation for one collaborator", () => {
  const explanation = splitOf([
    group("g1", "ada", { percent: "12.50", link: p1 }),
    group("g3", "ada", { percent: 1, link: { type: "products.all" }, condition: null }),
    group("g2", "ben", { percent: 30 }),
  ])

  test("has their shares, with the sum they come of and their own groups that were outranked", () => {
    const seen = seenBy(explanation)
    expect(seen.items.map(({ itemId, quantity }) => [itemId, quantity])).toEqual([
      ["1", 2],
      ["2", 1],
    ])
    expect(seen.items[0]).toEqual({
      itemId: "1",
      quantity: 2,
      shares: [
        {
          groupId: "g1",
          amount: 1_125,
          percent: "12.50",
          steps: [{ what: "percent", amount: 1_125 }],
          base: {
            steps: [
              { what: "price", amount: 10_000 },
              { what: "discount", amount: -1_000 },
            ],
            amount: 9_000,
            exact: "1125",
            rounded: "exactly",
          },
        },
      ],
      outranked: [{ groupId: "g3", byGroupId: "g1" }],
    })
  })

  test("says it in words that speak to them", () => {
    const names = {
      item: (id: string) => (id === "1" ? "Dune" : undefined),
      group: (id: string) => (id === "g1" ? "Covers" : undefined),
    }
    expect(SeenExplanation.toText(seenBy(explanation), { names }).split("\n")).toEqual([
      "Dune (item 1 of order 1001, 2 units):",
      "  You get 11.25 USD (group Covers): 12.50% of 90.00 USD is 11.25 USD.",
      "  The percentage is of: 100.00 USD price - 10.00 USD discount = 90.00 USD.",
      "  Your group g3 matches too, but group Covers is more specific and counts instead.",
      "",
      "Item 2 of order 1001, 1 unit:",
      "  You get 0.03 USD (group g3): 1.00% of 3.33 USD is 0.0333 USD, rounded down to 0.03 USD.",
      "  The percentage is of: 3.33 USD price.",
    ])
  })

  test("says what a flat amount and a percentage of nothing come to, where the base is hidden", () => {
    const flat = splitOf([group("g1", "ada", { amount: 250, link: p1 })])
    expect(SeenExplanation.toText(seenBy(flat, Permissions.none)).split("\n")).toEqual([
      "Item 1 of order 1001:",
      "  You get 5.00 USD (group g1): 5.00 USD as a flat amount for each unit.",
    ])
    const free = { ...order, items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 0 }] }
    const rules = RuleSet.make([group("g1", "ada", { percent: 10 })])
    const nothing = seenBy(Explanation.ofSplit(Split.order(rules, free)), Permissions.none)
    expect(SeenExplanation.toText(nothing)).toContain(
      "You get 0.00 USD (group g1): 10.00% of the amount that is shared is 0.00 USD.",
    )
  })

  test("leaves out items of which they got nothing, and is empty without any", () => {
    const seen = seenBy(splitOf([group("g1", "ada", { percent: 5, link: p1 })]))
    expect(seen.items.map(({ itemId }) => itemId)).toEqual(["1"])
    const none = SeenExplanation.of(explanation, { id: "eve", permissions: Permissions.all })
    expect(none.items).toEqual([])
    expect(SeenExplanation.toText(none)).toBe("")
  })
})

describe("the base of a percentage", () => {
  const deducting = { cost: "deduct" } as const
  const groups = [group("g1", "ada", { percent: 50, link: p1 })]
  const hasBase = (
    permissions: Permissions.Permissions,
    policy: Partial<SplitPolicy.SplitPolicy> = deducting,
  ) => seenBy(splitOf(groups, policy), permissions).items[0]?.shares[0]?.base !== undefined

  test("is told when all that it is made of may be seen", () => {
    expect(hasBase(Permissions.all)).toBe(true)
    const needed = Permissions.make({
      ...{ seeProductPrice: true, seeProductDiscount: true, seeProductCost: true },
    })
    expect(hasBase(needed)).toBe(true)
  })

  test.each(["seeProductPrice", "seeProductDiscount", "seeProductCost"] as const)(
    "is not told without %s, because the sum would give it away",
    (name) => {
      expect(hasBase({ ...Permissions.all, [name]: false })).toBe(false)
    },
  )

  test("needs no permission for what is no part of it", () => {
    const without = { ...Permissions.all, seeProductCost: false, seeProductTax: false }
    expect(hasBase(without, {})).toBe(true)
  })

  test("is never told when others were deducted first, and is told to those who were", () => {
    const referer = { type: "referer", modifier: "WITH", values: ["blog"] } as const
    const rules = RuleSet.make([
      group("g1", "ada", { percent: 50 }),
      group("g2", "ben", { percent: 10, condition: referer, deductForOtherSplits: true }),
    ])
    const sold = { ...order, referers: ["blog"] }
    const explanation = Explanation.ofSplit(Split.order(rules, sold))
    const ben = { id: "ben", permissions: Permissions.all }
    expect(seenBy(explanation).items[0]?.shares[0]?.base).toBe(undefined)
    expect(SeenExplanation.of(explanation, ben).items[0]?.shares[0]?.base?.amount).toBe(9_000)
  })

  test("is not told when the store's gateway fee was taken off", () => {
    const sold = { ...order, gatewayFee: 300 }
    const split = Split.order(RuleSet.make(groups), sold, {
      ...SplitPolicy.defaults,
      gatewayFee: "deduct",
    })
    expect(seenBy(Explanation.ofSplit(split)).items[0]?.shares[0]?.base).toBe(undefined)
  })
})

/** Every number that stands somewhere in a value. */
const numbersIn = (value: unknown): ReadonlyArray<number> => {
  if (typeof value === "number") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

test("nothing in an explanation depends on who else got something, nor names them", () => {
  const reached = { shared: 0 }
  const property = fc.property(Arbitraries.sale(), ({ rules, order: sold, policy }) => {
    const split = Split.orderResult(rules, sold, policy)
    if (Result.isFailure(split)) return
    const explanation = Explanation.ofSplit(split.success)
    for (const { collaboratorId } of split.success.shares) {
      const collaborator = { id: collaboratorId, permissions: Permissions.none }
      const seen = SeenExplanation.of(explanation, collaborator)
      const own = split.success.shares.filter((share) => share.collaboratorId === collaboratorId)
      const allowed = new Set(own.flatMap(numbersIn))
      for (const { shares } of seen.items) {
        for (const { amount, base } of shares) {
          expect(base).toBe(undefined)
          expect(allowed.has(amount)).toBe(true)
        }
      }
      const named = seen.items.flatMap(({ shares, outranked }) => [
        ...shares.map(({ groupId }) => groupId),
        ...outranked.flatMap(({ groupId, byGroupId }) => [groupId, byGroupId]),
      ])
      const theirs = new Set(
        rules.groups.filter((one) => one.collaboratorId === collaboratorId).map(({ id }) => id),
      )
      for (const id of named) expect(theirs.has(id)).toBe(true)
      if (own.length < split.success.shares.length) reached.shared += 1
    }
  })
  fc.assert(property, runs(300, 60))
  expect(reached.shared).toBeGreaterThan(0)
})

describe("a base that may not be seen", () => {
  const seen = (
    amount: number,
    groups: ReadonlyArray<ProductGroup.GroupInput>,
    overAllocation: SplitPolicy.SplitPolicy["overAllocation"] = "scale",
  ) => {
    const item = { id: "1", product: { id: "p1" }, quantity: 1, amount }
    const one = { id: "1001", currency: "USD", items: [item] }
    const policy = { ...SplitPolicy.defaults, overAllocation }
    const explanation = Explanation.ofSplit(Split.order(RuleSet.make(groups), one, policy))
    const permissions = { ...Permissions.all, seeProductPrice: false }
    const theirs = SeenExplanation.of(explanation, { id: "ada", permissions })
    return { theirs, text: SeenExplanation.toText(theirs) }
  }

  test.each([
    ["a minimum", { percent: 10, minAmount: 5_000 }, "minimum"],
    ["a maximum", { percent: 10, maxAmount: 500 }, "maximum"],
  ] as const)("is not told by how far %s is from the percentage", (_, fields, what) => {
    const groups = [group("g1", "ada", fields)]
    const [cheap, dear] = [seen(10_000, groups), seen(20_000, groups)]
    expect(dear).toEqual(cheap)
    const amount = what === "minimum" ? 5_000 : 500
    expect(cheap.theirs.items[0]?.shares[0]?.steps).toEqual([{ what, amount }])
    expect(cheap.text).toContain(`10.00%, ${what === "minimum" ? "raised" : "cut"} to the group's`)
  })

  test.each([
    ["scale", 60, 9_000, 48],
    ["rank", 50, 20_000, 75],
  ] as const)(
    "is not told by what is cut under %s, nor what others claim",
    (policy, first, amount, second) => {
      const groups = (percent: number) => [
        group("g1", "ada", { percent: 60 }),
        group("g2", "ben", policy === "rank" ? { percent, link: p1 } : { percent }),
      ]
      const [one, other] = [
        seen(10_000, groups(first), policy),
        seen(amount, groups(second), policy),
      ]
      expect(other).toEqual(one)
      expect(one.theirs.items[0]?.shares[0]?.steps).toEqual([
        { what: "over-allocation", amount: 5_000 },
      ])
      expect(one.text).toContain(
        "You get 50.00 USD (group g1): 60.00%, cut because more was claimed",
      )
    },
  )
})
