import { type Order, type ProductGroup, RuleSet, Split, SplitPolicy } from "apportion"
import { OverAllocated } from "apportion/schema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const everything = { type: "products.all" } as const

const group = (id: string, rest: Partial<ProductGroup.GroupInput>): ProductGroup.GroupInput => ({
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

describe("an order with a field that is misspelt", () => {
  const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 900, discout: 100 }]

  it("is refused, with the field, its value and what was meant", () => {
    const result = Split.orderResult(RuleSet.make([]), { id: "1", currency: "USD", items })
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      _tag: "InvalidOrder",
      problems: [
        {
          path: "items[0].discout",
          value: 100,
          message: "is no field and would have no effect, did you mean discount?",
        },
      ],
    })
  })

  it("is told apart from one with fields of the host's own", () => {
    const own = { id: "1", currency: "USD", items: [], channel: "web", taxes: [] }
    expect(Split.order(RuleSet.make([]), own).store).toEqual([])
  })
})

describe("more than there is", () => {
  const rules = RuleSet.make([group("a", { percent: 60 }), group("b", { percent: 60 })])

  it("is refused with an error that names the groups, the claims and the item", () => {
    const result = Split.orderResult(rules, sale(10_000))
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      _tag: "OverAllocated",
      itemId: "1",
      exceeded: "sum",
      distributable: 10_000,
      claims: [
        { groupId: "a", collaboratorId: "a", amount: 6000 },
        { groupId: "b", collaboratorId: "b", amount: 6000 },
      ],
      message:
        "the groups of item 1 of order 1001 claim more than it brought in, 10000; claimed: a 6000, b 6000 (in the lowest unit of USD)",
    })
    const whole = { orderId: "1", itemId: "1", exceeded: "sum", distributable: 1, message: "" }
    const isError = (claim: object) =>
      Result.isSuccess(
        Schema.decodeUnknownResult(OverAllocated)({
          _tag: "OverAllocated",
          ...whole,
          claims: [claim],
        }),
      )
    expect(isError({ groupId: "a", collaboratorId: "a", amount: 1 })).toBe(true)
    expect(isError({ groupId: "a", collaboratorId: "a" })).toBe(false)
  })

  it("is told apart from percentages that come to more than 100 % and would fit", () => {
    const limited = RuleSet.make([
      group("a", { percent: 60, maxAmount: 600 }),
      group("b", { percent: 60, maxAmount: 100 }),
    ])
    const result = Split.orderResult(limited, sale(1_000))
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      _tag: "OverAllocated",
      exceeded: "percentages",
      distributable: 1_000,
      message:
        "the percentages of the groups of item 1 of order 1001 come to 120.00 %, more than 100 % of their base: it brought in 1000; claimed: a 600, b 100 (in the lowest unit of USD)",
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

  it("leaves a charge whole where a claim comes to exactly nothing", () => {
    const charged = RuleSet.make([
      group("a", { amount: 100, shippingAmount: 100 }),
      group("b", { percent: 100 }),
      group("c", { percent: 100 }),
    ])
    const shares = (overAllocation: "scale" | "rank") =>
      Split.order(
        charged,
        sale(1_000, { shippingAmount: 0 }),
        policy({ overAllocation, shipping: "charge" }),
      ).shares.map((share) => [share.amount, share.shippingAmount])
    expect(shares("scale")).toEqual([
      [0, -100],
      [500, 0],
      [500, 0],
    ])
    expect(shares("rank")).toEqual([
      [0, -100],
      [1_000, 0],
      [0, 0],
    ])
  })

  it("is paid by rank from what those pay in who are charged, once", () => {
    const charged = RuleSet.make([
      group("a", { amount: 10, shippingAmount: 110, createdAt: 5 }),
      group("b", { percent: 100 }),
      group("c", { percent: 100 }),
    ])
    const options = policy({ overAllocation: "rank", shipping: "charge" })
    expect(amounts(Split.order(charged, sale(1_000), options))).toEqual([-100, 1_000, 100, 0])
  })
})

describe("sums that no number holds", () => {
  const most = Number.MAX_SAFE_INTEGER
  const failure = (
    groups: ReadonlyArray<ProductGroup.GroupInput>,
    options: object,
    order: Order.Order,
  ) => {
    const result = Split.orderResult(RuleSet.make(groups), order, policy(options))
    return Result.isFailure(result) && result.failure
  }
  const referer = { type: "referer", modifier: "NOT", values: ["x"] } as const
  const deducting = { condition: referer, deductForOtherSplits: true }

  it("may be claimed, when what is paid is within them again", () => {
    const rules = RuleSet.make([
      group("a", { percent: 100 }),
      group("b", { percent: 100 }),
      group("c", { amount: 1, shippingAmount: most }),
    ])
    const charged = (overAllocation: "rank" | "scale") =>
      amounts(Split.order(rules, sale(most), policy({ shipping: "charge", overAllocation })))
    expect(charged("rank")).toEqual([most, most - 1, 1 - most, 0])
    expect(charged("scale")).toEqual([most, most - 1, 1 - most, 0])
  })

  it("may not stay with the store", () => {
    const groups = ["a", "b", "c"].map((id) => group(id, { percent: 100 }))
    expect(failure(groups, { overAllocation: "allow" }, sale(most))).toMatchObject({
      _tag: "AmountOutOfRange",
      what: "the store's rest of item 1",
      value: "-18014398509481982",
    })
  })

  it("may not be deducted, even when nothing is left to the others", () => {
    const groups = [
      group("a", { ...deducting, amount: most }),
      group("b", { ...deducting, amount: most }),
      group("c", { percent: 10 }),
    ]
    expect(failure(groups, { overAllocation: "scale" }, sale(1_000))).toMatchObject({
      _tag: "AmountOutOfRange",
      what: "what is deducted on item 1",
      value: "18014398509481982",
    })
  })

  it("are told as the shipping of a group, where a charge brings the claim back, and reckoned with where it is cut", () => {
    // A flat amount that is paid once an order is a charge on the item that takes a sale back.
    const half = 2 ** 52
    const items = [
      { id: "1", product: { id: "p1" }, quantity: 1, amount: half - 1 },
      { id: "2", product: { id: "p1" }, quantity: 2, amount: -half + 10 },
    ]
    const groups = [group("a", { amount: 2_400, shippingAmount: half + 1 })]
    const options = { flatScope: "order", shipping: "share" } as const
    const order = sale(0, { items })
    expect(failure(groups, { ...options, overAllocation: "allow" }, order)).toMatchObject({
      _tag: "AmountOutOfRange",
      what: "the shipping of group a",
      value: String(BigInt(half) * 2n + 2n),
    })
    const policy = SplitPolicy.make({ ...options, overAllocation: "scale" })
    const split = Split.order(RuleSet.make(groups), order, policy)
    expect(split.shares.map((share) => share.amount)).toEqual([half - 1, -half + 10])
  })

  it.each([
    ["the flat amount of group a of item 1", { amount: most }, {}],
    ["the share of group a", { amount: most, percent: 1 }, { flatScope: "item" }],
    [
      "the claim of group a",
      { amount: 1, percent: 1, shippingAmount: most, shippingPercent: 100 },
      { shipping: "share", flatScope: "item" },
    ],
    [
      "the claim of group a",
      { amount: most, shippingPercent: 100 },
      { shipping: "share", flatScope: "item" },
    ],
    ["the cost of item 1", { percent: 1 }, { cost: "deduct" }],
  ])("are told as %s", (what, rest, options) => {
    const product = { id: "p1", cost: most }
    const items = [{ id: "1", product, quantity: 2, amount: 1_000 }]
    const order = sale(0, { items, shippingAmount: 1 })
    expect(failure([group("a", rest)], options, order)).toMatchObject({
      _tag: "AmountOutOfRange",
      what,
    })
  })
})

describe("a base that no number holds", () => {
  const most = Number.MAX_SAFE_INTEGER
  const item = (id: string, amount: number) => ({ id, product: { id }, quantity: 1, amount })
  const what = (
    groups: ReadonlyArray<ProductGroup.GroupInput>,
    order: Order.Order,
    options: object,
  ) => {
    const result = Split.orderResult(RuleSet.make(groups), order, policy(options))
    return Result.isFailure(result) && result.failure._tag === "AmountOutOfRange"
      ? result.failure.what
      : undefined
  }

  it("is that of an item whose shared tax comes on top of the most there is", () => {
    const items = [{ ...item("1", most), taxTotal: 5 }]
    expect(what([group("a", { percent: 1 })], sale(0, { items }), { tax: "share" })).toBe(
      "the base of item 1",
    )
  })

  it("harms nobody when no percentage is of it", () => {
    // Once an order, the deducting group takes something back from what was sold.
    const order = sale(0, { items: [item("1", most), item("2", -most), item("3", -most)] })
    const condition = { type: "referer", modifier: "NOT", values: ["x"] } as const
    const back = group("a", { amount: 300, condition, deductForOtherSplits: true })
    const options = { flatScope: "order", overAllocation: "allow" }
    expect(what([back], order, options)).toBe("the store's rest of item 1")
    expect(what([back, group("b", { percent: 1 })], order, options)).toBe(
      "the base of item 1 for the others",
    )
  })
})

describe("taking a sale back", () => {
  it("takes the flat amount of a free item back with its shipping", () => {
    const rules = RuleSet.make([group("a", { amount: 100 })])
    expect(amounts(Split.order(rules, sale(0, { shippingAmount: -500 })))).toEqual([-100, -400])
  })

  it("is not what shipping alone below zero does to a sold item", () => {
    const rules = RuleSet.make([group("a", { amount: 100 })])
    expect(amounts(Split.order(rules, sale(1_000, { shippingAmount: -500 })))).toEqual([100, 400])
  })
})

describe("shipping", () => {
  it("of free items goes to those that there are some of", () => {
    const free = { product: { id: "p1" }, amount: 0 }
    const items = [
      { ...free, id: "1", quantity: 0 },
      { ...free, id: "2", quantity: 2 },
    ]
    const split = Split.order(RuleSet.make([]), sale(0, { items, shippingAmount: 101 }))
    expect(split.items.map((item) => item.shipping)).toEqual([0, 101])
  })

  it("goes all to the collaborators in equal parts, through the most specific group of each", () => {
    const rules = RuleSet.make([
      group("a", { collaboratorId: "ada", percent: 1, link: { type: "products", values: ["p1"] } }),
      group("b", { collaboratorId: "ada", percent: 1 }),
      group("c", { collaboratorId: "sam", percent: 1 }),
    ])
    const options = policy({ shipping: "all", stacking: "all" })
    const split = Split.order(rules, sale(1_000, { shippingAmount: 100 }), options)
    expect(split.shares.map((share) => share.shippingAmount)).toEqual([50, 0, 50])
  })
})

describe("a gateway fee", () => {
  const rules = RuleSet.make([group("a", { percent: 10 })])
  const deducted = () => policy({ gatewayFee: "deduct" })

  it("lowers what percentages are of, when the store says so", () => {
    expect(amounts(Split.order(rules, sale(1_000, { gatewayFee: 30 }), deducted()))).toEqual([
      97, 903,
    ])
    expect(amounts(Split.order(rules, sale(1_000, { gatewayFee: 30 })))).toEqual([100, 900])
  })

  it("is none when the order tells of none", () => {
    expect(amounts(Split.order(rules, sale(1_000), deducted()))).toEqual([100, 900])
  })
})

describe("a split", () => {
  const two = [
    { id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 },
    { id: "2", product: { id: "p2" }, quantity: 1, amount: 500 },
  ]

  it("says of which order it is, and when that was made", () => {
    const split = Split.order(RuleSet.make([]), sale(5, { createdAt: 1_735_689_600 }))
    expect(split).toMatchObject({ orderId: "1001", currency: "USD", createdAt: 1_735_689_600 })
    expect(Split.order(RuleSet.make([]), sale(5)).createdAt).toBe(null)
  })

  it("has the shares and the outranked groups of all items, item by item", () => {
    const rules = RuleSet.make([
      group("a", { percent: 10, collaboratorId: "ada" }),
      group("b", {
        percent: 5,
        collaboratorId: "ada",
        link: { type: "products", values: ["p1", "p2"] },
      }),
    ])
    const split = Split.order(rules, sale(0, { items: two }))
    expect(split.shares.map(({ itemId, groupId, amount }) => [itemId, groupId, amount])).toEqual([
      ["1", "b", 50],
      ["2", "b", 25],
    ])
    expect(split.outranked).toEqual([
      { itemId: "1", groupId: "a", collaboratorId: "ada", byGroupId: "b" },
      { itemId: "2", groupId: "a", collaboratorId: "ada", byGroupId: "b" },
    ])
  })

  it("has the very policy that the others by it have, completed and checked once", () => {
    const rules = RuleSet.make([])
    const chosen = policy({ tax: "keep" })
    const [one, other] = [sale(1), sale(2)].map((order) => Split.order(rules, order, chosen))
    expect(one?.policy).toEqual(chosen)
    expect(one?.policy).toBe(other?.policy)
  })

  it("has the defaults themselves, which nobody can change, when no policy was chosen", () => {
    expect(Split.order(RuleSet.make([]), sale(1)).policy).toBe(SplitPolicy.defaults)
    expect(Object.isFrozen(SplitPolicy.defaults)).toBe(true)
  })
})

describe("the shares of an item", () => {
  it.each([2, 24, 25, 60])("are listed by group id, whichever of %i groups is newer", (count) => {
    const ids = Array.from({ length: count }, (_, index) => `g${(index * 7) % count}-${index}`)
    const groups = ids.map((id, createdAt) => group(id, { percent: "0.10", createdAt }))
    const split = Split.order(RuleSet.make(groups), sale(100_000))
    expect(split.shares.map((share) => share.groupId)).toEqual([...ids].sort())
  })
})

describe("splitting one order after another", () => {
  it("answers for each as it is asked for, and goes on after one that can't be split", () => {
    const rules = RuleSet.make([group("a", { percent: 10 })])
    const asked: Array<string> = []
    function* orders() {
      for (const each of [sale(1_000), sale(0.5), sale(2_000)]) {
        asked.push(`${each.items[0]?.amount}`)
        yield each
      }
    }
    const answers = Split.orders(rules, orders())
    expect(answers.next().value).toMatchObject({ _tag: "Success" })
    expect(asked).toEqual(["1000"])
    expect([...answers].map(Result.isSuccess)).toEqual([false, true])
    const charged = Split.orders(
      rules,
      [sale(1_000, { shippingAmount: 50 })],
      policy({ shipping: "share" }),
    )
    expect([...charged].map(Result.getOrThrow).map(amounts)).toEqual([[105, 945]])
  })
})

describe("an order with a field that splits another one by the same rules when it is read", () => {
  const condition = { type: "discount.code", values: ["spring"] } as const
  const rules = RuleSet.make([
    group("a", { percent: 10, condition }),
    group("b", { percent: 20, condition: { ...condition, modifier: "NOT" } }),
  ])
  const order = sale(1_000, { discountCodes: ["spring"] })

  it.each(["id", "tags"] as const)(
    "is split as if it were read before: the %s of its product",
    (name) => {
      const product = { id: "p1", tags: ["art"] }
      const read = product[name]
      Object.defineProperty(product, name, {
        enumerable: true,
        get: () => {
          Split.order(rules, sale(500))
          return read
        },
      })
      const computed = sale(1_000, {
        discountCodes: ["spring"],
        items: [{ id: "1", product, quantity: 1, amount: 1_000 }],
      })
      expect(Split.order(rules, computed)).toEqual(Split.order(rules, order))
      expect(amounts(Split.order(rules, order))).toEqual([100, 900])
    },
  )
})

describe("a split that was recorded", () => {
  const percents = ["6.56", "12.76", "72.00", "9.50"]
  const rules = RuleSet.make(percents.map((percent, index) => group(`g${index}`, { percent })))
  const scale = policy({ overAllocation: "scale" })
  const order = sale(365)

  it("comes out again, and what was changed in it does not", () => {
    const split = Split.order(rules, order, scale)
    expect(amounts(split)).toEqual([24, 46, 261, 34, 0])
    expect(Split.comesOutAgain(structuredClone(split), rules, order)).toBe(true)
    expect(Split.comesOutAgain({ ...split, store: [] }, rules, order)).toBe(false)
    expect(Split.comesOutAgain({ ...split, policy: policy({}) }, rules, order)).toBe(false)
  })

  it("before version 0.6.0, when claims were rounded before they were cut, comes out again too", () => {
    const split = Split.order(rules, order, scale)
    const paid = [24, 45, 261, 35]
    const recorded = {
      ...split,
      shares: split.shares.map((share, index) => ({ ...share, amount: paid[index] ?? 0 })),
    }
    expect(Split.comesOutAgain(recorded, rules, order)).toBe(true)
  })

  it("before version 0.6.0, when an item of amount 0 never took a sale back, comes out again too", () => {
    const flat = RuleSet.make([group("a", { amount: 300 })])
    const free = { id: "2", product: { id: "p1" }, quantity: 1, amount: 0 }
    const returned = { ...sale(-1_000), items: [...sale(-1_000).items, free] }
    const allow = policy({ overAllocation: "allow" })
    const now = Split.order(flat, returned, allow)
    expect(amounts(now)).toEqual([-300, -300, -700, 300])
    const recorded = {
      ...now,
      shares: now.shares.map((share) =>
        share.itemId === "2"
          ? { ...share, amount: 300, flatTotal: 300, beforeShipping: 300, claim: 300 }
          : share,
      ),
      store: now.store.map((rest) => (rest.itemId === "2" ? { ...rest, amount: -300 } : rest)),
    }
    expect(Split.comesOutAgain(recorded, flat, returned)).toBe(true)
  })
})

describe("a policy that is changed after it was used", () => {
  it("counts as it is now, and is refused when it is no longer one", () => {
    const rules = RuleSet.make([group("a", { percent: 10 })])
    const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000, discount: 100 }
    const order = sale(1_000, { items: [item] })
    const used = policy({})
    const change = (discount: string) => Reflect.set(used, "discount", discount)
    expect(amounts(Split.order(rules, order, used))).toEqual([90, 810])
    change("ignore")
    expect(amounts(Split.order(rules, order, used))).toEqual([100, 800])
    change("none")
    const refused = Split.orderResult(rules, order, used)
    expect(Result.isFailure(refused) && refused.failure._tag).toBe("InvalidPolicy")
  })
})
