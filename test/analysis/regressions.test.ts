/**
 * What the analyses once said wrongly, each case as small as it gets.
 */
import {
  Analysis,
  Catalogue,
  type Order,
  type Product,
  type ProductGroup,
  RuleSet,
  Split,
  SplitPolicy,
} from "apportion"
import { Result } from "effect"
import { describe, expect, test } from "vitest"

const all = { type: "products.all" } as const
const tagged = (...values: ReadonlyArray<string>) => ({ type: "products.tag", values }) as const

const isRefused = (rules: RuleSet.RuleSet, amount: number, discount = 0): boolean =>
  Result.isFailure(
    Split.orderResult(
      rules,
      {
        id: "1",
        currency: "USD",
        items: [{ id: "1", product: { id: "p" }, quantity: 1, amount, discount }],
      },
      SplitPolicy.make(discount === 0 ? {} : { discount: "ignore" }),
    ),
  )

test("a group that asks for the impossible is no counterpart of one that asks for nothing", () => {
  const never = {
    id: "never",
    collaboratorId: "ada",
    link: all,
    condition: { type: "order.tag", values: [] },
    percent: 60,
  } as const
  const always: ProductGroup.GroupInput = {
    id: "always",
    collaboratorId: "ada",
    link: all,
    amount: 5,
  }
  const { verdict } = Analysis.equivalent(RuleSet.make([always, never]), RuleSet.make([never]))
  expect(verdict).toBe("different")
})

test("two groups in the place of one are not the same where flat amounts are paid once an order", () => {
  const group = (id: string, ...values: ReadonlyArray<string>) =>
    ({ id, collaboratorId: "ada", link: tagged(...values), amount: 500 }) as const
  const one = RuleSet.make([group("art", "art", "print")])
  const two = RuleSet.make([group("art", "art"), group("print", "print")])
  const policy = { flatScope: "order" } as const
  const item = (id: string) => ({ id, product: { id, tags: [id] }, quantity: 1, amount: 1_000 })
  const order = { id: "1", currency: "USD", items: [item("art"), item("print")] }
  const paid = [one, two].map((rules) =>
    Split.order(rules, order, SplitPolicy.make(policy)).shares.map(({ amount }) => amount),
  )
  expect(paid).toEqual([
    [250, 250],
    [500, 500],
  ])
  expect(Analysis.equivalent(one, two, { policy }).verdict).toBe("undecided")
  expect(Analysis.equivalent(one, two).verdict).toBe("equivalent")
  const renamed = RuleSet.make([group("prints", "art", "print")])
  expect(Analysis.equivalent(one, renamed, { policy }).verdict).toBe("equivalent")
})

test("a flat amount that is paid once an order is not known to be redundant", () => {
  const rules = RuleSet.make([
    { id: "all", collaboratorId: "ada", link: all, amount: 500 },
    { id: "art", collaboratorId: "ada", link: tagged("art"), amount: 500 },
  ])
  const policy = { flatScope: "order" } as const
  expect(Analysis.redundantGroups(rules, { policy })).toEqual({ redundant: [], undecided: ["art"] })
  expect(Analysis.redundantGroups(rules).redundant).toHaveLength(1)
})

test("a difference that shows in company only is not said to need as much as was found first", () => {
  const group = (isDeducting: boolean): ProductGroup.GroupInput => ({
    id: "a",
    collaboratorId: "ada",
    link: all,
    condition: { type: "referer", values: ["blog"] },
    percent: 10,
    deductForOtherSplits: isDeducting,
  })
  const others: ReadonlyArray<ProductGroup.GroupInput> = [
    {
      id: "s",
      collaboratorId: "sam",
      link: tagged("t"),
      condition: { type: "country.code", values: ["DE"] },
      percent: 10,
    },
    {
      id: "b",
      collaboratorId: "bob",
      link: { type: "products.vendor", values: ["v"] },
      percent: 10,
    },
  ]
  const [one, other] = [true, false].map((flag) => RuleSet.make([group(flag), ...others]))
  if (one === undefined || other === undefined) throw new RangeError("there are two")
  expect(Analysis.equivalent(one, other).witness).toMatchObject({ attributeCount: 2 })
})

test("the order that shows something has no product whose id is empty", () => {
  const [group, rest] = [
    { id: "a", collaboratorId: "ada", link: { type: "products", values: ["", "p"] }, percent: 60 },
    {
      id: "b",
      collaboratorId: "sam",
      link: { type: "products", modifier: "NOT", values: ["p"] },
      percent: 60,
    },
  ] as const
  const { witness } = Analysis.overAllocation(RuleSet.make([group, rest]))
  expect(witness?.order.items[0]?.product).toEqual({ id: "any-product", externalId: "" })
  const both = RuleSet.make([
    { ...group, link: { type: "products", values: [""] } },
    { ...rest, link: { type: "products", values: ["p"] } },
  ])
  expect(Analysis.overAllocation(both).witness?.order.items[0]?.product).toEqual({
    id: "p",
    externalId: "",
  })
})

test("many shares that are all rounded up come to more than their percentages", () => {
  const many = (prefix: string, more: Partial<ProductGroup.GroupInput>) =>
    Array.from({ length: 40 }, (_, index) => ({
      id: `${prefix}${index}`,
      collaboratorId: `${prefix}${index}`,
      link: all,
      percent: 1,
      ...more,
    }))
  const gift: ProductGroup.GroupInput = {
    id: "gift",
    collaboratorId: "gift",
    link: all,
    condition: { type: "discount.code", values: ["gift"] },
    amount: 11,
  }
  const rules = RuleSet.make([...many("a", {}), ...many("b", { maxAmount: 0 }), gift])
  const catalogue = Catalogue.make([{ id: "p", price: 50 }])
  expect(Analysis.overAllocation(rules, { catalogue })).toMatchObject({
    verdict: "possible",
    witness: { attributeCount: 1, distributable: 50 },
  })
})

test("where all groups are paid and cut, it matters which of one's own is given the shipping", () => {
  const rules = (one: number, other: number) =>
    RuleSet.make([
      { id: "g1", collaboratorId: "ada", link: all, percent: 90, createdAt: one },
      { id: "g2", collaboratorId: "ada", link: all, percent: 61, createdAt: other },
      { id: "g3", collaboratorId: "sam", link: all, percent: 70 },
    ])
  const policy = { stacking: "all", shipping: "all", overAllocation: "scale" } as const
  expect(Analysis.equivalent(rules(1, 2), rules(2, 1), { policy }).verdict).toBe("different")
})

test("nobody is paid of a product of which somebody is only charged", () => {
  const rules = RuleSet.make([
    { id: "g", collaboratorId: "ada", link: all, percent: 0, shippingPercent: 10 },
  ])
  const catalogue = Catalogue.make([{ id: "p" }])
  const unpaid = (shipping: SplitPolicy.SplitPolicy["shipping"]) =>
    Analysis.unpaidProducts(rules, catalogue, { policy: { shipping } }).products
  expect([unpaid("charge"), unpaid("share")]).toEqual([["p"], []])
})

test("nothing is said of claims that are beyond all numbers", () => {
  const rules = RuleSet.make([
    { id: "g", collaboratorId: "ada", link: all, percent: 100, amount: 1 },
  ])
  const catalogue = Catalogue.make([{ id: "p", price: Number.MAX_SAFE_INTEGER }])
  expect(Analysis.overAllocation(rules, { catalogue }).verdict).toBe("undecided")
})

test("a maximum does not keep a share from being more than a discounted item brings in", () => {
  const rules = RuleSet.make([
    { id: "g", collaboratorId: "ada", link: all, percent: 100, maxAmount: 500 },
  ])
  const options = { policy: { discount: "ignore" }, mostDiscount: 50 } as const
  expect(isRefused(rules, 500, 250)).toBe(true)
  expect(Analysis.overAllocation(rules, options).verdict).toBe("possible")
  const capped = RuleSet.put(rules, {
    ...rules.groups[0],
    id: "g",
    collaboratorId: "ada",
    link: all,
    maxAmount: 0,
    percent: 100,
  })
  expect(Analysis.overAllocation(capped, options).verdict).toBe("impossible")
})

test("a product whose price is below 0 has none", () => {
  const rules = RuleSet.make([
    { id: "g", collaboratorId: "ada", link: all, percent: 50, minAmount: 200 },
  ])
  const catalogue = Catalogue.make([{ id: "p", price: -100 }])
  expect(Analysis.overAllocation(rules, { catalogue })).toMatchObject({
    verdict: "impossible",
    withoutPrice: ["p"],
  })
})

test("a flat amount of which a maximum leaves nothing is redundant", () => {
  const rules = RuleSet.make([
    { id: "g", collaboratorId: "ada", link: all, amount: 50, maxAmount: 0 },
  ])
  expect(Analysis.redundantGroups(rules).redundant).toMatchObject([{ groupId: "g" }])
})

test("an amount of which a maximum leaves nothing is none, whatever is paid of the shipping", () => {
  const rules = (changes: Partial<ProductGroup.GroupInput>) =>
    RuleSet.make([
      { id: "g", collaboratorId: "ada", link: all, amount: 5, shippingPercent: 10, ...changes },
    ])
  const [capped, paid] = [rules({ maxAmount: 0 }), rules({})]
  const policy = { shipping: "share" } as const
  expect(Analysis.equivalent(capped, paid, { policy }).verdict).toBe("different")
  const both = RuleSet.make([
    ...capped.groups.map((group) => ({ ...group, id: "art", link: tagged("art") })),
    ...paid.groups,
  ])
  expect(Analysis.redundantGroups(both, { policy }).redundant).toEqual([])
})

test("which of a collaborator's groups is newer decides on the odd cent of the shipping that all get", () => {
  const rules = (createdAt: number) =>
    RuleSet.make([
      { id: "a", collaboratorId: "ada", link: all, percent: 10, createdAt: 5 },
      { id: "m", collaboratorId: "ben", link: all, percent: 10 },
      { id: "z", collaboratorId: "ada", link: all, percent: 20, createdAt },
    ])
  const policy = { stacking: "all", shipping: "all" } as const
  const { verdict, witness } = Analysis.equivalent(rules(1), rules(9), { policy })
  expect([verdict, witness?.attributeCount]).toEqual(["different", 0])
  const newest = { ...rules(1).groups[2], createdAt: 2 }
  const older = RuleSet.put(rules(1), { ...newest, id: "z", collaboratorId: "ada", link: all })
  expect(Analysis.equivalent(rules(1), older, { policy }).verdict).toBe("equivalent")
})

test("a group with a condition comes before one without, also where both pay the same", () => {
  const rules = (condition: ProductGroup.GroupInput["condition"]) =>
    RuleSet.make([
      { id: "g4", collaboratorId: "a", link: all, percent: 30 },
      { id: "g5", collaboratorId: "b", link: all, percent: 10, amount: 3, condition },
    ])
  const one = rules(null)
  const other = rules({ type: "referer", modifier: "NOT", values: ["r"] })
  const policy = { overAllocation: "rank", stacking: "all" } as const
  expect(Analysis.equivalent(one, other, { policy }).witness).toMatchObject({
    attributeCount: 0,
    isSmallest: true,
  })
})

test("an odd cent that moves between groups that stand for others may do so on a smaller order", () => {
  const rules = (id: string, percent: number) =>
    RuleSet.make([
      { id: "m", collaboratorId: "sam", link: all, percent: 50 },
      {
        id,
        collaboratorId: "ada",
        link: all,
        condition:
          id === "a" ? null : { type: "order.tag", modifier: "NOT", values: ["wholesale"] },
        percent,
      },
    ])
  const policy = { stacking: "all" } as const
  const { witness } = Analysis.equivalent(rules("a", 50), rules("z", 50), { policy })
  expect(witness).toMatchObject({ attributeCount: 0, isSmallest: true })
})

describe("tax within the price leaves even less of a discount that shares are paid on", () => {
  const rules = RuleSet.make([{ id: "g", collaboratorId: "ada", link: all, percent: 90 }])
  const policy = { discount: "ignore" } as const
  const options = { policy, mostDiscount: 10 } as const
  const sale = (product: Product.Product): Order.Order => ({
    id: "1",
    currency: "USD",
    taxesIncluded: true,
    items: [{ id: "1", product, quantity: 1, amount: 10_000, discount: 1_000, taxTotal: 1_500 }],
  })

  test("an everyday order with 20 % tax is refused", () => {
    const split = Split.orderResult(rules, sale({ id: "p" }), SplitPolicy.make(policy))
    expect(Result.isFailure(split) && split.failure).toMatchObject({
      distributable: 7_500,
      claims: [{ amount: 7_650 }],
    })
  })

  test("and so it is possible, with any tax, with one of 20 %, and at a price", () => {
    const catalogue = Catalogue.make([{ id: "p", price: 10_000 }])
    for (const more of [{}, { mostTax: 20 }, { catalogue }, { catalogue, mostTax: 20 }]) {
      const { verdict, witness } = Analysis.overAllocation(rules, { ...options, ...more })
      expect([verdict, witness?.attributeCount]).toEqual(["possible", 0])
    }
  })

  test("but not where there is none, or it is left in", () => {
    for (const more of [{ mostTax: 0 }, { policy: { ...policy, tax: "keep" } }] as const) {
      expect(Analysis.overAllocation(rules, { ...options, ...more }).verdict).toBe("impossible")
    }
  })

  test("a discount of which nothing is said may be all there is", () => {
    expect(Analysis.overAllocation(rules, { policy, mostTax: 0 }).verdict).toBe("possible")
  })
})

test("an amount of a price with tax in it", () => {
  const rules = RuleSet.make([{ id: "g", collaboratorId: "ada", link: all, amount: 900 }])
  const catalogue = Catalogue.make([{ id: "p", price: 1_000 }])
  const verdicts = [0, 11, 12].map(
    (mostTax) => Analysis.overAllocation(rules, { catalogue, mostTax }).verdict,
  )
  expect(verdicts).toEqual(["impossible", "impossible", "possible"])
})

test("a minimum is too much where a discount leaves a cent, though not where it leaves none", () => {
  const rules = RuleSet.make([
    { id: "g", collaboratorId: "ada", link: all, percent: 10, minAmount: 50 },
  ])
  const catalogue = Catalogue.make([{ id: "p", price: 1_000 }])
  const { verdict, witness } = Analysis.overAllocation(rules, { catalogue, mostDiscount: 100 })
  expect([verdict, witness?.order.items[0]?.discount]).toEqual(["possible", 999])
})

test("a part of a cent that rounding hides on one unit is too much on ten", () => {
  const rules = RuleSet.make([
    { id: "g", collaboratorId: "ada", link: all, percent: 45, amount: 5 },
  ])
  const catalogue = Catalogue.make([{ id: "p", price: 9 }])
  const { witness } = Analysis.overAllocation(rules, { catalogue })
  expect(witness?.order.items[0]).toMatchObject({ quantity: 10, amount: 90 })
})

test("a maximum of a group that does not apply hides nothing of those that do", () => {
  const rules = RuleSet.make([
    { id: "a", collaboratorId: "ada", link: all, percent: 30, maxAmount: 300 },
    { id: "b", collaboratorId: "sam", link: all, percent: 65 },
    { id: "z", collaboratorId: "zoe", link: tagged("z"), percent: 1, maxAmount: 1 },
  ])
  const policy = { discount: "ignore", tax: "keep" } as const
  const { verdict, witness } = Analysis.overAllocation(rules, { policy, mostDiscount: 10 })
  expect([verdict, witness?.attributeCount]).toEqual(["possible", 0])
})

test("claims that are rounded up beside a deduction are not said to be impossible", () => {
  const rules = RuleSet.make(
    [0.66, 0.66, 0.67, 0.67].map((percent, place) => ({
      id: `g${place}`,
      collaboratorId: `c${place}`,
      link: all,
      condition: { type: "referer", values: ["blog"] },
      percent,
      deductForOtherSplits: place < 2,
    })),
  )
  const policy = { discount: "ignore", tax: "keep" } as const
  const order = {
    id: "1",
    currency: "USD",
    referers: ["blog"],
    items: [{ id: "1", product: { id: "p" }, quantity: 1, amount: 102, discount: 99 }],
  }
  expect(Result.isFailure(Split.orderResult(rules, order, SplitPolicy.make(policy)))).toBe(true)
  const said = Analysis.overAllocation(rules, { policy, mostDiscount: 97.34 })
  expect(said.verdict).not.toBe("impossible")
})

describe("affiliates of whom an order has one", () => {
  const affiliates = Array.from(
    { length: 200 },
    (_, place): ProductGroup.GroupInput => ({
      id: `blog-${place}`,
      collaboratorId: `blogger-${place}`,
      link: all,
      condition: { type: "referer", values: [`blog-${place}`] },
      percent: 3,
    }),
  )
  const catalogue = Catalogue.make([
    { id: "print", price: 2_000, tags: ["art"] },
    { id: "mug", price: 1_000 },
  ])
  const artist: ProductGroup.GroupInput = { id: "a", collaboratorId: "ada", link: all, percent: 60 }

  test("can't claim more together where it is said that there is one", () => {
    const rules = RuleSet.make([...affiliates, artist])
    expect(Analysis.overAllocation(rules, { catalogue }).verdict).toBe("possible")
    const options = { catalogue, atMost: { referer: 1 } } as const
    expect(Analysis.overAllocation(rules, options).verdict).toBe("impossible")
    expect(Analysis.overAllocation(rules, { atMost: { referer: 1 } }).verdict).toBe("impossible")
  })

  test("do not hide a fault of every order", () => {
    const art = { ...artist, id: "b", collaboratorId: "bob", link: tagged("art"), percent: 50 }
    const rules = RuleSet.make([...affiliates, artist, art])
    const { findings } = Analysis.check(rules, { catalogue })
    expect(findings[0]).toMatchObject({ products: ["print"], witness: { attributeCount: 0 } })
    const others = Analysis.check(rules, { catalogue, atMost: { referer: 1 } }).findings
    expect(others.filter(({ rule }) => rule === "over-allocation")).toHaveLength(1)
  })

  test("never count where an order would need two", () => {
    const [one, other] = ["x", "y"].map(
      (blog): ProductGroup.GroupInput => ({
        id: blog,
        collaboratorId: "ada",
        link: all,
        condition: { type: "referer", values: [blog] },
        percent: 5,
      }),
    )
    const rules = RuleSet.make([one, other].filter((group) => group !== undefined))
    expect(Analysis.overlaps(rules).overlaps).toHaveLength(1)
    expect(Analysis.overlaps(rules, { atMost: { referer: 1 } }).overlaps).toEqual([])
  })
})

test("the products of a group that is deducted are found among those of a catalogue", () => {
  const rules = RuleSet.make([
    {
      id: "g",
      collaboratorId: "ada",
      link: tagged("art"),
      condition: { type: "referer", values: ["blog"] },
      percent: 10,
      deductForOtherSplits: true,
    },
  ])
  const catalogue = Catalogue.make([{ id: "p", price: 100, tags: ["art"] }])
  expect(Analysis.overAllocation(rules, { catalogue }).verdict).toBe("impossible")
  expect(Analysis.deadGroups(rules, { catalogue }).dead).toEqual([])
})

test("of a product whose only group is charged more for a unit than it pays, nobody is paid", () => {
  const catalogue = Catalogue.make([{ id: "p", price: 500 }])
  const unpaid = (amount: number) => {
    const rules = RuleSet.make([
      { id: "g", collaboratorId: "sam", link: all, percent: 0, amount, shippingAmount: 5 },
    ])
    return Analysis.unpaidProducts(rules, catalogue, { policy: { shipping: "charge" } }).products
  }
  expect([unpaid(1), unpaid(5), unpaid(6)]).toEqual([["p"], ["p"], []])
})
