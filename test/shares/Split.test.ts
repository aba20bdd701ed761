import { type Order, type ProductGroup, RuleSet, Split, SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const everything = { type: "products.all" } as const

const group = (id: string, rest: Partial<ProductGroup.Input>): ProductGroup.Input => ({
  id,
  collaboratorId: id,
  link: everything,
  ...rest,
})

const sale = (amount: number, rest: Partial<Order.Order> = {}): Order.Order => ({
  id: "1001",
  currency: "USD",
  items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount }],
  ...rest,
})

const policy = (options: Partial<SplitPolicy.SplitPolicy>) => SplitPolicy.make(options)

const amounts = (split: Split.Split) => [
  ...split.shares.map((share) => share.amount),
  ...split.store.map((rest) => rest.amount),
]

describe("splitting a sale", () => {
  const referred = { referers: ["sam-blog"] }
  const sam = (deductForOtherSplits: boolean) =>
    group("sam", {
      percent: "10.00",
      condition: { type: "referer", values: ["sam-blog"] },
      deductForOtherSplits,
    })
  const other = group("zoe", { percent: 50 })

  it("takes a deducting referer's share off what the others are reckoned on", () => {
    const split = Split.order(RuleSet.make([sam(true), other]), sale(10_000, referred))
    expect(amounts(split)).toEqual([1000, 4500, 4500])
  })

  it("reckons everyone on the whole amount without the flag", () => {
    const split = Split.order(RuleSet.make([sam(false), other]), sale(10_000, referred))
    expect(amounts(split)).toEqual([1000, 5000, 4000])
  })

  it("gives the odd cent to the largest remainder", () => {
    const rules = RuleSet.make([group("a", { percent: 75 }), group("b", { percent: 25 })])
    expect(amounts(Split.order(rules, sale(9_999)))).toEqual([7499, 2500, 0])
  })

  it("gives a zero claim nothing", () => {
    const rules = RuleSet.make([
      group("a", { percent: 0 }),
      group("b", { percent: 50 }),
      group("c", { percent: 50 }),
    ])
    expect(amounts(Split.order(rules, sale(101)))).toEqual([51, 50, 0])
  })

  it("mirrors negative amounts", () => {
    const rules = RuleSet.make([group("a", { percent: 33.33 }), group("b", { percent: 12.5 })])
    expect(amounts(Split.order(rules, sale(-100)))).toEqual([-33, -13, -54])
    expect(amounts(Split.order(rules, sale(100)))).toEqual([33, 13, 54])
  })

  it("is exact at the largest safe integer", () => {
    const rules = RuleSet.make([group("a", { percent: 33.33 })])
    const exact = (9007199254740991n * 3333n + 5000n) / 10000n
    expect(amounts(Split.order(rules, sale(Number.MAX_SAFE_INTEGER)))).toEqual([
      Number(exact),
      Number(9007199254740991n - exact),
    ])
  })
})

describe("more than there is", () => {
  const rules = RuleSet.make([group("a", { percent: 60 }), group("b", { percent: 60 })])

  it("is refused with an error that names the groups, the claims and the item", () => {
    const result = Split.orderResult(rules, sale(10_000))
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      _tag: "OverAllocated",
      itemId: "1",
      broughtIn: 10_000,
      claims: [
        { groupId: "a", collaboratorId: "a", amount: 6000 },
        { groupId: "b", collaboratorId: "b", amount: 6000 },
      ],
    })
  })

  it("is cut in proportion, ranked or allowed when the store says so", () => {
    const split = (overAllocation: SplitPolicy.SplitPolicy["overAllocation"]) =>
      Split.order(rules, sale(9_999), policy({ overAllocation }))
    expect(amounts(split("scale"))).toEqual([5000, 4999, 0])
    expect(amounts(split("rank"))).toEqual([6000, 3999, 0])
    expect(amounts(split("allow"))).toEqual([6000, 5999, -2000])
    expect(split("allow").items[0]?.overAllocated).toBe(true)
  })
})
