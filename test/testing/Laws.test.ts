import { type Order, type ProductGroup, RuleSet, type Split, SplitPolicy } from "apportion"
import { Laws } from "apportion/testing"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"

const all = { type: "products.all" } as const

const rules = RuleSet.make([
  { id: "g1", collaboratorId: "ada", link: all, percent: 40 },
  {
    id: "g2",
    collaboratorId: "ben",
    link: { type: "products.tag", values: ["art"] },
    condition: { type: "referer", values: ["blog"] },
    percent: 10,
  },
])

const order: Order.Order = {
  id: "1001",
  currency: "USD",
  referers: ["blog"],
  shippingAmount: 500,
  items: [
    { id: "1", product: { id: "p1", tags: ["Art"] }, quantity: 2, amount: 1_000, discount: 100 },
    { id: "2", product: { id: "p2" }, quantity: 1, amount: 2_000 },
  ],
}

const sale = Laws.saleOf(rules, order)

/** The sale with a split that the engine did not make. */
const forged = (
  change: (split: Split.Split) => Partial<Split.Split>,
  base: Laws.JudgedSale = sale,
): Laws.JudgedSale => {
  if (base.split === undefined) throw new RangeError("it was refused")
  const split = { ...base.split, ...change(base.split) }
  return { ...base, split, result: Result.succeed(split) }
}

const firstShare = (change: (share: Split.Split["shares"][number]) => object) =>
  forged(({ shares }) => ({
    shares: shares.map((share, index) => (index === 0 ? { ...share, ...change(share) } : share)),
  }))

test("the laws of the engine hold for what the engine does", () => {
  for (const law of Laws.engine) {
    expect([law.name, Laws.appliesTo(law, sale), law.check(sale)]).toEqual([
      law.name,
      true,
      undefined,
    ])
  }
  expect(new Set(Laws.engine.map(({ name }) => name)).size).toBe(Laws.engine.length)
})

test("a refused order breaks no law of the engine", () => {
  const greedy = RuleSet.make(
    ["a", "b"].map((id) => ({ id, collaboratorId: id, link: all, percent: 60 })),
  )
  const refused = Laws.saleOf(greedy, order)
  expect(refused.split).toBeUndefined()
  const broken = Laws.engine.filter((law) => law.check(refused) !== undefined)
  expect(broken).toEqual([])
})

describe("a law of the engine is broken by", () => {
  const lose = (n: number) => (share: { readonly amount: number }) => ({ amount: share.amount + n })
  const forgeries: ReadonlyArray<readonly [string, Laws.Law, Laws.JudgedSale, string]> = [
    ["a cent too much", Laws.conserved, firstShare(lose(1)), "are given away"],
    [
      "an item left out",
      Laws.everyItemOnce,
      forged(({ store }) => ({ store: store.slice(1) })),
      "1, 2",
    ],
    [
      "shipping that is lost",
      Laws.sumsSpread,
      forged(({ items }) => ({ items: items.map((item) => ({ ...item, shipping: 0 })) })),
      "the parts of shipping are 0.00 USD, the whole is 5.00 USD",
    ],
    ["half a cent", Laws.wholeCents, firstShare(lose(0.5)), "amount of item 1 is"],
    ["a negative zero", Laws.wholeCents, firstShare(() => ({ flatTotal: -0 })), "is -0"],
    [
      "a share of more than there is",
      Laws.neverMoreThanCameIn,
      firstShare(lose(9_000)),
      "are paid of it",
    ],
    [
      "a share of nothing",
      Laws.roundedByLessThanOneCent,
      firstShare(() => ({ base: 0 })),
      "of 0.00 USD is taken for",
    ],
    [
      "two cents of rounding",
      Laws.roundedByLessThanOneCent,
      firstShare(({ percentTotal }) => ({ percentTotal: percentTotal + 1 })),
      "is taken for",
    ],
    [
      "two shares of one collaborator",
      Laws.oneShareEach,
      forged(({ shares }) => ({
        shares: shares.map((share) => ({ ...share, collaboratorId: "ada" })),
      })),
      "ada takes a share of item 1 by group g1 and by group g2",
    ],
    [
      "an answer by the order of groups",
      Laws.groupsInAnyOrder,
      firstShare(lose(1)),
      "in the order g2, g1",
    ],
    [
      "an answer by the order of items",
      Laws.itemsInAnyOrder,
      firstShare(lose(1)),
      "in the order 2, 1",
    ],
    ["an answer by the spelling", Laws.anySpelling, firstShare(lose(1)), "spelt otherwise"],
    ["another answer each time", Laws.sameAnswerTwice, firstShare(lose(1)), "the second answer"],
    [
      "a refund that leaves something",
      Laws.refundedExactly,
      forged(({ store }) => ({
        store: store.map((rest) => ({ ...rest, amount: rest.amount + 1 })),
      })),
      "of the store's",
    ],
  ]

  test.each(forgeries)("%s", (_, law, broken, reason) => {
    expect(law.check(broken)).toContain(reason)
  })

  test("a refusal that names nobody, a stranger, or an item that is not there", () => {
    const refused = Laws.saleOf(
      RuleSet.make(["a", "b"].map((id) => ({ id, collaboratorId: id, link: all, percent: 60 }))),
      order,
    )
    if (Result.isSuccess(refused.result)) throw new RangeError("it was split")
    const error = refused.result.failure
    const other = (change: object): Laws.JudgedSale => ({
      ...refused,
      result: Result.fail(Object.assign(Object.create(error), change)),
    })
    expect(Laws.refusalsSayWhy.check(refused)).toBeUndefined()
    expect(Laws.refusalsSayWhy.check(other({ claims: [] }))).toContain("names no group")
    expect(Laws.refusalsSayWhy.check(other({ itemId: "9" }))).toContain("names item 9")
    const stranger = [{ groupId: "a", collaboratorId: "eve", amount: 1 }]
    expect(Laws.refusalsSayWhy.check(other({ claims: stranger }))).toContain("group a of eve")
    const invalid = Laws.saleOf(rules, { ...order, currency: "none" })
    expect(Laws.refusalsSayWhy.check(invalid)).toContain("it is refused with InvalidOrder")
  })
})

const single = (
  amount: number,
  groups: ReadonlyArray<ProductGroup.GroupInput>,
  more: Partial<Order.Order & { readonly policy: Partial<SplitPolicy.SplitPolicy> }> = {},
): Laws.JudgedSale => {
  const { policy, ...rest } = more
  const items = [{ id: "1", product: { id: "p1", tags: ["art"] }, quantity: 1, amount }]
  return Laws.saleOf(
    RuleSet.make(groups),
    { id: "1", currency: "USD", items, ...rest },
    SplitPolicy.make(policy),
  )
}

const percent = (id: string, points: number): ProductGroup.GroupInput => ({
  id,
  collaboratorId: id,
  link: all,
  percent: points,
})

describe("at most a percentage of an item", () => {
  test("grants the cent of rounding, of a sale and of what is taken back", () => {
    const law = Laws.atMostOfItem(30)
    for (const amount of [0, 1, 2, 3, 5, 99, -1, -2, -5, Number.MAX_SAFE_INTEGER]) {
      expect(law.check(single(amount, [percent("ada", 30)]))).toBeUndefined()
    }
    expect(law.check(single(-10_000, [percent("ada", 30.01)]))).toContain("ada gets -30.01 USD")
    expect(law.check(single(10_000, [percent("ada", 30.01)]))).toContain("ada gets 30.01 USD")
  })

  test("counts all the groups of a collaborator together, and each collaborator alone", () => {
    const two = [percent("a", 20), percent("b", 20)]
    expect(Laws.atMostOfItem(30).check(single(1_000, two))).toBeUndefined()
    const own = two.map((group) => ({ ...group, collaboratorId: "ada" }))
    const stacked = single(1_000, own, { policy: { stacking: "all" } })
    expect(Laws.atMostOfItem(30).check(stacked)).toContain("ada gets 4.00 USD")
  })

  test("is broken by a minimum on a cheap item, and by a payment for nothing", () => {
    const least = { ...percent("ada", 10), minAmount: 500 }
    expect(Laws.atMostOfItem(30).check(single(1_000, [least]))).toContain("ada gets 5.00 USD")
    const flat = { id: "f", collaboratorId: "ada", link: all, amount: 100 }
    const paid = single(0, [flat], { policy: { overAllocation: "allow" } })
    expect(Laws.atMostOfItem(30).check(paid)).toContain("more than 30.00% of the 0.00 USD")
  })

  test("needs a percentage", () => {
    expect(() => Laws.atMostOfItem("120")).toThrow(/100/)
    expect(() => Laws.storeKeepsAtLeast("x")).toThrow(/percentage/)
  })
})

test("the store keeps at least a percentage, to the cent of each share", () => {
  const law = Laws.storeKeepsAtLeast("40.00")
  const groups = [percent("a", 35), percent("b", 25)]
  for (const amount of [0, 1, 2, 3, 7, 99, 10_000, -1, -7, -10_000]) {
    expect(law.check(single(amount, groups))).toBeUndefined()
  }
  const greedy = [...groups, percent("c", 1)]
  expect(law.check(single(10_000, greedy))).toContain("the store keeps 39.00 USD of item 1")
  expect(law.check(single(-10_000, greedy))).toContain("the store keeps -39.00 USD of item 1")
})

test("an over-allocation is told whether the order is refused or the claims are cut", () => {
  const groups = [percent("a", 60), percent("b", 50)]
  const told = "of item 1, which brought in 10.00 USD, a claims 6.00 USD and b claims 5.00 USD"
  expect(Laws.neverOverAllocated().check(single(1_000, groups))).toBe(told)
  for (const overAllocation of ["scale", "rank", "allow"] as const) {
    const cut = single(1_000, groups, { policy: { overAllocation } })
    expect(Laws.neverOverAllocated().check(cut)).toBe(told)
  }
  expect(Laws.neverOverAllocated().check(single(1_000, [percent("a", 100)]))).toBeUndefined()
})

describe("nothing for some groups on some orders", () => {
  const vip = { type: "customer.tag", values: ["VIP"] } as const
  const laws: ReadonlyArray<readonly [Laws.Law, boolean]> = [
    [Laws.nothingWhen({ groupId: "ada" }, vip), true],
    [Laws.nothingWhen({ groupId: "ben" }, vip), false],
    [Laws.nothingWhen({ collaboratorId: "ada", linkType: "products.all" }, vip), true],
    [Laws.nothingWhen({ collaboratorId: "ada", linkType: "products.tag" }, vip), false],
    [Laws.nothingWhen({ conditionType: null }, vip), true],
    [Laws.nothingWhen({ conditionType: "referer" }, vip), false],
    [
      Laws.nothingWhen(
        ({ percent: own }) => own === "10.00",
        () => true,
        { name: "none" },
      ),
      true,
    ],
    [Laws.nothingWhen({}, { ...vip, modifier: "NOT" }), false],
  ]

  test.each(laws.map(([law, isBroken]) => [law.name, law, isBroken] as const))(
    "%s",
    (_, law, isBroken) => {
      const checked = law.check(single(1_000, [percent("ada", 10)], { customerTags: [" vip"] }))
      expect(checked).toBe(isBroken ? "ada gets 1.00 USD of item 1 by group ada" : undefined)
    },
  )

  test("is about those orders only, and says which values they have", () => {
    const law = Laws.nothingWhen({}, vip)
    const other = single(1_000, [percent("ada", 10)])
    expect([law.check(other), Laws.appliesTo(law, other)]).toEqual([undefined, false])
    expect(law.values).toEqual({ "customer.tag": ["VIP"] })
    expect(() => Laws.nothingWhen({}, JSON.parse('{ "type": "none", "values": [] }'))).toThrow(
      /condition/,
    )
  })
})

describe("a collaborator who is to be paid", () => {
  const art = { link: { type: "products.tag", values: ["ART"] } } as const

  test("has a share, though it may come to nothing", () => {
    const law = Laws.paid("ada", art)
    expect(law.values).toEqual({ "products.tag": ["ART"] })
    for (const amount of [0, 1, 1_000]) {
      expect(law.check(single(amount, [percent("ada", 10)]))).toBeUndefined()
    }
    expect(law.check(single(1_000, [percent("ben", 10)]))).toBe("ada is not paid for item 1")
  })

  test("is not paid where others left nothing", () => {
    const groups = [
      { ...percent("ada", 10), link: all },
      { ...percent("ben", 100), ...art },
    ]
    const ranked = single(1_000, groups, { policy: { overAllocation: "rank" } })
    expect(Laws.paid("ada").check(ranked)).toBe("ada is not paid for item 1")
    expect(Laws.paid("ben").check(ranked)).toBeUndefined()
  })

  test("may be meant for items that a function tells", () => {
    const dear = Laws.paid("ada", ({ amount }) => amount > 500, { name: "ada of dear items" })
    expect(dear.name).toBe("ada of dear items")
    expect(Laws.appliesTo(dear, single(500, []))).toBe(false)
    expect(dear.check(single(501, []))).toBe("ada is not paid for item 1")
  })
})
