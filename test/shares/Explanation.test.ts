import { Explanation, type Order, RuleSet, Split, SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const rules = RuleSet.make([
  {
    id: "art",
    collaboratorId: "ada",
    link: { type: "products.tag", values: ["art"] },
    percent: "12.50",
    maxAmount: 1_000,
  },
  { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: 5 },
  {
    id: "flat",
    collaboratorId: "zoe",
    link: { type: "products", values: ["p1"] },
    amount: 150,
    minAmount: 320,
    shippingAmount: 20,
  },
  {
    id: "sam",
    collaboratorId: "sam",
    link: { type: "products.all" },
    percent: 10,
    condition: { type: "referer", values: ["sam-blog"] },
    deductForOtherSplits: true,
  },
  {
    id: "abroad",
    collaboratorId: "tom",
    link: { type: "products.vendor", modifier: "NOT", values: ["north"] },
    percent: 10,
    condition: { type: "country.code", modifier: "NOT", values: ["US"] },
  },
  { id: "old", collaboratorId: "old", link: { type: "products.all" }, percent: 10, endsAt: 100 },
  { id: "nil", collaboratorId: "nil", link: { type: "products.all" }, percent: 0 },
])

const order: Order.Order = {
  id: "1001",
  currency: "USD",
  createdAt: 1_735_689_600,
  referers: ["sam-blog"],
  billingCountry: "US",
  shippingAmount: 501,
  items: [
    {
      id: "1",
      product: { id: "p1", tags: ["Art"], vendor: "North" },
      quantity: 2,
      amount: 9_999,
      discount: 333,
    },
    { id: "2", product: { id: "p2" }, quantity: 1, amount: 0 },
  ],
}

const policy = () => SplitPolicy.make({ shipping: "share" })

describe("an explanation", () => {
  const split = () => Split.order(rules, order, policy())

  it("says in words how every sum came about", () => {
    expect(Explanation.toText(Explanation.ofSplit(split())).split("\n")).toEqual([
      "Item 1 of order 1001 (2 units) brought in 101.67 USD.",
      "  Percentages are of: 99.99 USD price - 3.33 USD discount = 96.66 USD.",
      "  9.67 USD is deducted first; the base of the others' percentages is 86.99 USD.",
      "  Its part of the shipping is 5.01 USD.",
      "  ada gets 10.63 USD (group art): 12.50% of 86.99 USD is 10.87375 USD, rounded down to 10.87 USD; 0.87 USD less to stay within the group's maximum; 0.63 USD of the shipping.",
      "  zoe gets 3.60 USD (group flat): 3.00 USD as a flat amount for each unit; 0.20 USD more to reach the group's minimum; 0.40 USD of the shipping.",
      "  sam gets 10.17 USD (group sam): 10.00% of 96.66 USD is 9.666 USD, rounded up to 9.67 USD (an odd cent went here); 0.50 USD of the shipping. It is deducted from the base of the others' percentages.",
      "  Group all of ada matches too, but group art is more specific and counts instead.",
      "  The store keeps 77.27 USD.",
      "",
      "Item 2 of order 1001 (1 unit) brought in 0.00 USD.",
      "  Percentages are of: 0.00 USD price.",
      "  ada gets 0.00 USD (group all): 5.00% of 0.00 USD is 0.00 USD.",
      "  sam gets 0.00 USD (group sam): 10.00% of 0.00 USD is 0.00 USD. It is deducted from the base of the others' percentages.",
      "  The store keeps 0.00 USD.",
    ])
  })

  it("needs nothing but the split, even when it comes back from storage", () => {
    const stored: Split.Split = JSON.parse(JSON.stringify(split()))
    expect(Explanation.ofSplit(stored)).toEqual(Explanation.ofSplit(split()))
  })

  it("has steps that add up to each amount", () => {
    const options = fc.record({
      shipping: fc.constantFrom("store", "share", "charge", "all"),
      overAllocation: fc.constantFrom("scale", "rank", "allow"),
      discount: fc.constantFrom("deduct", "ignore"),
    })
    const amount = fc.integer({ min: -5_000, max: 20_000 })
    fc.assert(
      fc.property(options, amount, fc.nat(2_000), (chosen, price, discount) => {
        const [first] = order.items
        const item = { ...first, amount: price, discount: price < 0 ? -discount : discount }
        const sale = { ...order, items: [item] } as Order.Order
        const varied = Split.order(rules, sale, SplitPolicy.make(chosen))
        for (const explained of Explanation.ofSplit(varied).items) {
          const sum = explained.baseSteps.reduce((total, step) => total + step.amount, 0)
          expect(sum).toBe(explained.base)
          for (const share of explained.shares) {
            expect(share.steps.reduce((total, step) => total + step.amount, 0)).toBe(share.amount)
          }
        }
      }),
    )
  })

  it("counts the odd cents that went to shares and the store", () => {
    const thirds = RuleSet.make(
      ["a", "b", "c"].map((id) => ({
        id,
        collaboratorId: id,
        link: { type: "products.all" as const },
        percent: "33.33",
      })),
    )
    const sale = { ...order, items: [{ id: "1", product: { id: "p" }, quantity: 1, amount: 100 }] }
    const [item] = Explanation.ofSplit(Split.order(thirds, sale)).items
    expect(item?.shares.map((share) => [share.exact, share.rounded])).toEqual([
      ["33.33", "up"],
      ["33.33", "down"],
      ["33.33", "down"],
    ])
  })
})

describe("the exact value of a percentage, in cents", () => {
  const explained = (group: object, amount: number) => {
    const made = RuleSet.parse([
      { id: "g", collaboratorId: "c", link: { type: "products.all" }, ...group },
    ])
    const items = [{ id: "1", product: { id: "p" }, quantity: 1, amount }]
    const split = Split.order(Result.getOrThrow(made), { id: "1", currency: "USD", items })
    return Explanation.ofSplit(split).items[0]?.shares[0]
  }

  it.each([
    ["0.05", 1, "0.0005"],
    ["20.50", 1, "0.205"],
    ["10.10", 1, "0.101"],
    ["10.00", 100, "10"],
    ["10.00", -105, "-10.5"],
    ["10.00", 0, "0"],
  ])("is, of %s percent of %i, %s", (percent, amount, exact) => {
    expect(explained({ percent }, amount)?.exact).toBe(exact)
  })

  it("is nothing of a percentage of zero, and there is none without a percentage", () => {
    expect(explained({ percent: 0, amount: 5 }, -100)).toMatchObject({
      exact: "0",
      rounded: "exactly",
    })
    expect(explained({ amount: 5 }, 100)).toMatchObject({
      exact: null,
      rounded: "exactly",
      steps: [{ what: "flat", amount: 5 }],
    })
  })

  it("is the first of the steps to the amount, each with its name", () => {
    const split = Split.order(
      RuleSet.make([
        {
          id: "a",
          collaboratorId: "a",
          link: { type: "products.all" },
          percent: 80,
          minAmount: 900,
        },
        {
          id: "b",
          collaboratorId: "b",
          link: { type: "products.all" },
          percent: 80,
          maxAmount: 700,
        },
      ]),
      {
        id: "1",
        currency: "USD",
        items: [{ id: "1", product: { id: "p" }, quantity: 1, amount: 1_000 }],
      },
      SplitPolicy.make({ overAllocation: "rank" }),
    )
    expect(Explanation.ofSplit(split).items[0]?.shares.map((share) => share.steps)).toEqual([
      [
        { what: "percent", amount: 800 },
        { what: "minimum", amount: 100 },
      ],
      [
        { what: "percent", amount: 800 },
        { what: "maximum", amount: -100 },
        { what: "over-allocation", amount: -600 },
      ],
    ])
  })
})

describe("why a group did not apply", () => {
  const reasons = (itemId: string) =>
    Explanation.notApplied(rules, order, { itemId, policy: policy() }).map((each) => [
      each.groupId,
      each.reason,
      each.message,
    ])

  it("is told with what was asked for and what was there", () => {
    expect(reasons("1")).toEqual([
      [
        "abroad",
        "link",
        'it is for products without the vendor "north", and this product has the vendor "North"',
      ],
      [
        "all",
        "outranked",
        "group art of the same collaborator is more specific and counts instead",
      ],
      ["nil", "zero", "it pays nothing: neither a percentage nor an amount above 0"],
      [
        "old",
        "out of date",
        "it is in force until 1970-01-01T00:01:40.000Z, and this order was made at 2025-01-01T00:00:00.000Z",
      ],
    ])
    expect(reasons("2").slice(0, 3)).toEqual([
      ["flat", "link", 'it is for products with the id "p1", and this product has the id "p2"'],
      ["art", "link", 'it is for products with the tag "art", and this product has no tag'],
      [
        "abroad",
        "condition",
        'it is for orders without the billing country "US", and this order has the billing country "US"',
      ],
    ])
  })

  it("is asked for one group only when that is enough", () => {
    const asked = Explanation.notApplied(rules, order, { groupId: "old" })
    expect(asked.map((each) => each.itemId)).toEqual(["1", "2"])
  })

  it("covers, with the shares, every group on every item exactly once", () => {
    const split = Split.order(rules, order, policy())
    const told = [
      ...split.shares.map((share) => `${share.itemId}/${share.groupId}`),
      ...Explanation.notApplied(rules, order, { policy: policy() }).map(
        (each) => `${each.itemId}/${each.groupId}`,
      ),
    ]
    const expected = order.items.flatMap((item) =>
      rules.groups.map((group) => `${item.id}/${group.id}`),
    )
    expect(told.sort()).toEqual(expected.sort())
  })
})

describe("a reason in words", () => {
  const bare: Order.Order = {
    id: "1",
    currency: "USD",
    items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 100 }],
  }
  const full: Order.Order = {
    ...bare,
    createdAt: 0,
    tags: ["a", "b"],
    customerTags: ["vip"],
    discountCodes: ["TEN"],
    billingCountry: "DE",
    referers: ["blog"],
    items: [
      {
        id: "1",
        product: { id: "p1", externalId: "9", vendor: "North", tags: ["t"] },
        quantity: 1,
        amount: 100,
      },
    ],
  }
  const why = (rest: object, sale: Order.Order): string | undefined => {
    const group = {
      id: "g",
      collaboratorId: "c",
      link: { type: "products.all" },
      percent: 1,
      ...rest,
    }
    const made = RuleSet.parse([group])
    return Explanation.notApplied(Result.getOrThrow(made), sale)[0]?.message
  }
  const link = (type: string, modifier: string) => ({ link: { type, modifier, values: ["x"] } })
  const unlike = (type: string, modifier: string, values: ReadonlyArray<string>) => ({
    link: { type, modifier, values },
  })
  const condition = (type: string, values: ReadonlyArray<string>, modifier = "WITH") => ({
    condition: { type, modifier, values },
  })

  it.each([
    [link("products.all", "NOT"), "it excludes all products"],
    [link("products.vendor", "WITH"), 'the vendor "x", and this product has no vendor'],
    [link("products.tag", "WITH"), 'the tag "x", and this product has no tag'],
    [unlike("products", "NOT", ["p1"]), 'without the id "p1", and this product has the id "p1"'],
    [unlike("products", "WITH", []), 'with no id, and this product has the id "p1"'],
    [
      condition("order.tag", ["x"]),
      'it is for orders with the order tag "x", and this order has no order tag',
    ],
    [condition("customer.tag", ["x", "y"]), 'the customer tags "x", "y", and this order has no'],
    [condition("country.code", ["DE", "AT"]), 'the billing countries "DE", "AT", and this order'],
    [condition("discount.code", ["x"]), "this order has no discount code"],
    [condition("country.code", ["FR"]), "this order has no billing country"],
    [condition("referer", ["x"]), "this order has no referer"],
    [{ startsAt: 5 }, "it is in force from 1970-01-01T00:00:05.000Z, and this order has no time"],
  ])("of %j on an order that says nothing: %s", (rest, message) => {
    expect(why(rest, bare)).toContain(message)
  })

  it.each([
    [link("products", "WITH"), 'this product has the ids "p1", "9"'],
    [unlike("products.vendor", "NOT", ["north"]), 'without the vendor "north"'],
    [condition("order.tag", ["a"], "NOT"), 'this order has the order tags "a", "b"'],
    [condition("customer.tag", ["x"]), 'this order has the customer tag "vip"'],
    [condition("discount.code", ["x"]), 'this order has the discount code "TEN"'],
    [condition("country.code", ["FR"]), 'this order has the billing country "DE"'],
    [condition("referer", ["x"]), 'this order has the referer "blog"'],
    [
      { startsAt: 5, endsAt: 253_402_300_799 },
      "until 9999-12-31T23:59:59.000Z, and this order was",
    ],
  ])("of %j on an order that says all: %s", (rest, message) => {
    expect(why(rest, full)).toContain(message)
  })

  it("shows a time that no calendar has as the number it is", () => {
    const late = { ...full, createdAt: Number.MAX_SAFE_INTEGER }
    expect(why({ endsAt: 5 }, late)).toBe(
      "it is in force until 1970-01-01T00:00:05.000Z, and this order was made at second 9007199254740991",
    )
  })
})

describe("words for sums", () => {
  const say = (group: object, sale: object, options: Partial<SplitPolicy.SplitPolicy> = {}) => {
    const made = RuleSet.parse([
      { id: "g", collaboratorId: "c", link: { type: "products.all" }, ...group },
    ])
    const item = { id: "1", product: { id: "p1", cost: 30 }, quantity: 2, amount: 1_000, ...sale }
    const split = Split.order(
      Result.getOrThrow(made),
      { id: "1", currency: "KWD", shippingAmount: 100, gatewayFee: 30, items: [item] },
      SplitPolicy.make(options),
    )
    return Explanation.toText(Explanation.ofSplit(split))
  }

  it.each([
    [{ percent: 10 }, { discount: 2_000 }, { overAllocation: "allow" }, "not below zero"],
    [{ percent: 10 }, {}, { cost: "deduct" }, "- 0.060 KWD cost"],
    [{ percent: 10 }, { taxTotal: 190 }, { tax: "share" }, "1.000 KWD price + 0.190 KWD tax"],
    [
      { percent: 10 },
      {},
      { gatewayFee: "deduct" },
      "1.000 KWD price - 0.030 KWD gateway fee = 0.970 KWD",
    ],
    [
      { percent: 10, minAmount: 150 },
      { amount: -1_000 },
      {},
      "is -0.100 KWD; 0.050 KWD more to reach the group's minimum",
    ],
    [
      { percent: 10, maxAmount: 40 },
      { amount: -1_000 },
      {},
      "is -0.100 KWD; 0.060 KWD less to stay within the group's maximum",
    ],
    [
      { percent: "0.01", minAmount: 150 },
      { amount: -1_000 },
      {},
      "rounded down to 0.000 KWD; 0.150 KWD more to reach the group's minimum",
    ],
    [
      { amount: 5, minAmount: 150 },
      { amount: -1_000 },
      { flatScope: "item" },
      "-0.005 KWD as a flat amount for the item; 0.145 KWD more to reach the group's minimum",
    ],
    [
      { percent: 1, shippingPercent: 50 },
      {},
      { shipping: "charge" },
      "gets -0.040 KWD (group g): 1.00% of 1.000 KWD is 0.010 KWD; 0.050 KWD charged for shipping",
    ],
    [
      { percent: 10, amount: 7 },
      { amount: 4 },
      { flatScope: "item", overAllocation: "allow" },
      "10.00% of 0.004 KWD is 0.0004 KWD, rounded down to 0.000 KWD; 0.007 KWD as a flat",
    ],
    [
      { percent: 60, amount: 600 },
      {},
      { flatScope: "item", overAllocation: "scale" },
      "0.600 KWD; 0.600 KWD as a flat amount for the item; 0.100 KWD less because",
    ],
    [{ percent: 10 }, {}, { shipping: "charge" }, "0.010 KWD charged for shipping"],
    [{ amount: 5 }, {}, { flatScope: "item" }, "0.005 KWD as a flat amount for the item"],
    [{ amount: 5 }, {}, { flatScope: "order" }, "for the whole order (this item's part)"],
    [
      { percent: 100, amount: 600 },
      {},
      { overAllocation: "scale" },
      "less because more was claimed than the item brought in",
    ],
    [
      { percent: "33.33" },
      { amount: -100 },
      { overAllocation: "allow" },
      "33.33% of -0.100 KWD is -0.03333 KWD",
    ],
  ] as const)(
    "for a group of %j, an item with %j and a policy of %j: %s",
    (group, item, chosen, said) => {
      expect(say(group, item, chosen)).toContain(said)
    },
  )

  it("tell percentages over 100 that fit from claims of more than there is", () => {
    const text = say({ percent: 60, maxAmount: 100 }, {}, { overAllocation: "allow" })
    expect(text).not.toContain("more than")
    const all = { type: "products.all" } as const
    const split = Split.order(
      RuleSet.make(
        ["a", "b"].map((id) => ({ id, collaboratorId: id, link: all, percent: 60, maxAmount: 10 })),
      ),
      {
        id: "1001",
        currency: "USD",
        items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }],
      },
      SplitPolicy.make({ overAllocation: "allow" }),
    )
    expect(Explanation.toText(Explanation.ofSplit(split))).toContain(
      "\n  The percentages of the groups come to more than 100%.\n",
    )
  })

  it("tell of a cent more than was claimed, which comes of rounding after the cut", () => {
    const all = { type: "products.all" } as const
    const split = Split.order(
      RuleSet.make([
        { id: "a", collaboratorId: "ada", link: all, percent: 40 },
        { id: "b", collaboratorId: "ben", link: all, amount: 2 },
      ]),
      {
        id: "1001",
        currency: "USD",
        shippingAmount: 1,
        items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1 }],
      },
      SplitPolicy.make({ overAllocation: "scale", shipping: "share" }),
    )
    expect(split.shares.map(({ amount, claim }) => [amount, claim])).toEqual([
      [1, 0],
      [1, 2],
    ])
    const text = Explanation.toText(Explanation.ofSplit(split))
    expect(text).toContain("0.01 USD more because claims that are cut are rounded only then")
    expect(text).toContain("0.01 USD less because more was claimed than the item brought in")
  })

  it("has steps that add up where one of them is beyond every number", () => {
    const group = { percent: 50, amount: Number.MAX_SAFE_INTEGER - 4, maxAmount: 571 }
    const made = RuleSet.make([
      { id: "g", collaboratorId: "ada", link: { type: "products.all" }, ...group },
    ])
    for (const amount of [1_000, -1_000]) {
      const [share] =
        Explanation.ofSplit(
          Split.order(made, {
            id: "1001",
            currency: "USD",
            items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount }],
          }),
        ).items[0]?.shares ?? []
      const steps = share?.steps ?? []
      expect(steps.map(({ what }) => what)).toEqual(["percent", "maximum", "flat", "maximum"])
      // No sum on the way is beyond the safe integers, so plain numbers add up exactly.
      const total = steps.reduce((sum, step) => sum + step.amount, 0)
      expect([total, share?.amount]).toEqual([571, 571].map((most) => Math.sign(amount) * most))
    }
  })

  it("tell who has claimed too much", () => {
    const text = say({ percent: 100, amount: 600 }, {}, { overAllocation: "rank" })
    expect(text).toContain("\n  The groups claim more than the item brought in.\n")
  })

  const told = (groups: ReadonlyArray<object>, currency: string, amount: number) => {
    const made = RuleSet.parse(
      groups.map((group, index) => ({
        id: `g${index}`,
        collaboratorId: `c${index}`,
        link: { type: "products.tag", values: ["art"] },
        ...group,
      })),
    )
    const items = [
      { id: "1", product: { id: "p1", tags: ["art"] }, quantity: 1, amount },
      { id: "2", product: { id: "p2" }, quantity: 1, amount },
    ]
    return Split.order(Result.getOrThrow(made), { id: "1", currency, items })
  }

  it("of an item that nobody shares in say that the store keeps it", () => {
    const explanation = Explanation.ofSplit(told([{ percent: 10 }], "USD", 5_000))
    expect(explanation.items[1]).toMatchObject({ shares: [], outranked: [], store: 5_000 })
    expect(Explanation.toText(explanation).split("\n").slice(-3)).toEqual([
      "Item 2 of order 1 (1 unit) brought in 50.00 USD.",
      "  Percentages are of: 50.00 USD price.",
      "  The store keeps 50.00 USD.",
    ])
  })

  it("of an id that has a line break stay in their line", () => {
    const split = told([{ id: "g\n1", collaboratorId: "c\t1", percent: 10 }], "USD", 1_000)
    expect(Explanation.toText(Explanation.ofSplit(split))).toContain(
      "  c 1 gets 1.00 USD (group g 1): ",
    )
  })

  it("leave out a discount that does not lower what percentages are of", () => {
    expect(say({ percent: 10 }, { discount: 200 }, { discount: "ignore" })).toContain(
      "\n  Percentages are of: 1.000 KWD price.\n",
    )
  })

  it("have names in the place of ids where one is known, and none of them can forge a line", () => {
    const order: Order.Order = {
      id: "1001",
      currency: "USD",
      items: [{ id: "7", product: { id: "p1", tags: ["art"] }, quantity: 1, amount: 10_000 }],
    }
    const split = Split.order(rules, order)
    const names: Explanation.Names = {
      collaborator: (id) => ({ ada: "Ada\nByron" })[id],
      group: (id) => ({ art: "art prints", all: "everything" })[id],
      item: (id) => `Dune ${id}`,
    }
    const text = Explanation.toText(Explanation.ofSplit(split), { names })
    expect(text).toContain("Dune 7 (item 7 of order 1001, 1 unit) brought in 100.00 USD.\n")
    expect(text).toContain("\n  Ada Byron gets 10.00 USD (group art prints): ")
    expect(text).toContain("\n  zoe gets 3.20 USD (group flat): ")
    expect(text).toContain("\n  Group everything of Ada Byron matches too, but group art prints is")
    expect(Explanation.toText(Explanation.ofSplit(split), { names: {} })).toBe(
      Explanation.toText(Explanation.ofSplit(split)),
    )
    const [why] = Explanation.notApplied(rules, order, { groupId: "all", names })
    expect(why?.message).toContain("group art prints of the same collaborator")
  })

  it("of a part that was rounded to nothing say so", () => {
    const text = Explanation.toText(Explanation.ofSplit(told([{ percent: 10 }], "USD", 1)))
    expect(text).toContain(
      "  c0 gets 0.00 USD (group g0): 10.00% of 0.01 USD is 0.001 USD, rounded down to 0.00 USD.\n",
    )
  })

  it("show no decimals where the currency has none, unless a part comes to less than its unit", () => {
    const text = (amount: number) =>
      Explanation.toText(Explanation.ofSplit(told([{ percent: 50 }], "JPY", amount)))
    expect(text(50)).toContain("50.00% of 50 JPY is 25 JPY.\n")
    expect(text(1)).toContain("50.00% of 1 JPY is 0.5 JPY, rounded up to 1 JPY")
  })

  it("of a deduction that nobody else's percentage is of name no rest", () => {
    const condition = { type: "referer", modifier: "NOT", values: ["x"] }
    const deducting = { percent: 10, condition, deductForOtherSplits: true }
    const text = Explanation.toText(Explanation.ofSplit(told([deducting], "USD", 5_000)))
    expect(text).toContain("\n  5.00 USD is deducted first.\n")
  })

  it("of a stored split in a currency that is known no more show its lowest unit", () => {
    const split = { ...told([{ percent: "12.50" }], "USD", 9_999), currency: "DDM" }
    expect(Explanation.toText(Explanation.ofSplit(split))).toContain(
      "  c0 gets 1250 DDM (group g0): 12.50% of 9999 DDM is 1249.875 DDM, rounded up to 1250 DDM",
    )
  })
})
