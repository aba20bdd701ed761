import { Explanation, type Order, ProductGroup, RuleSet, Split } from "apportion"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fold } from "../../src/orders/internal/attributeText.js"

const group = (id: string, rest: Partial<ProductGroup.GroupInput>): ProductGroup.GroupInput => ({
  id,
  collaboratorId: "ada",
  link: { type: "products.all" },
  percent: 10,
  ...rest,
})

const product = { id: "p1", externalId: "632910392", vendor: " North ", tags: ["Ärt", "Music"] }
const item = { id: "1", product, quantity: 1, amount: 1_000 }
const order: Order.Order = {
  id: "1001",
  currency: "USD",
  createdAt: 100,
  tags: ["Wholesale"],
  customerTags: ["VIP"],
  discountCodes: ["TENOFF"],
  billingCountry: "us",
  referers: ["Sam-Blog"],
  items: [item],
}

const matches = (rest: Partial<ProductGroup.GroupInput>, sale: Order.Order = order): boolean =>
  RuleSet.matchingGroups(RuleSet.make([group("g", rest)]), sale, item).length === 1

describe("a link", () => {
  it.each([
    ["products.all", [], true],
    ["products.tag", ["art", "music "], true],
    ["products.tag", ["ÄRT"], true],
    ["products.tag", ["A\u0308RT"], true],
    ["products.tag", ["arts"], false],
    ["products.tag", [], false],
    ["products.vendor", ["NORTH"], true],
    ["products.vendor", ["south"], false],
    ["products", ["p1"], true],
    ["products", ["632910392"], true],
    ["products", ["P1"], false],
    ["products", [" p1"], false],
    ["products", [], false],
  ] as const)(
    "of type %s with values %j selects: %s; with NOT the opposite",
    (type, values, selects) => {
      expect(matches({ link: { type, values } })).toBe(selects)
      expect(matches({ link: { type, values, modifier: "NOT" } })).toBe(!selects)
    },
  )
})

describe("a condition", () => {
  it.each([
    ["order.tag", ["wholesale"], true],
    ["order.tag", ["vip"], false],
    ["customer.tag", ["vip", "gold"], true],
    ["discount.code", [" tenoff"], true],
    ["country.code", ["US"], true],
    ["country.code", [" us "], true],
    ["country.code", ["DE"], false],
    ["referer", ["sam-blog"], true],
    ["referer", [], false],
  ] as const)(
    "of type %s with values %j holds: %s; with NOT the opposite",
    (type, values, holds) => {
      expect(matches({ condition: { type, values } })).toBe(holds)
      expect(matches({ condition: { type, values, modifier: "NOT" } })).toBe(!holds)
    },
  )

  it.each(["order.tag", "customer.tag", "discount.code", "country.code", "referer"] as const)(
    "of type %s on an order that says nothing holds only with NOT",
    (type) => {
      const bare = { id: "1001", currency: "USD", items: [item] }
      expect(matches({ condition: { type, values: ["x"] } }, bare)).toBe(false)
      expect(matches({ condition: { type, values: ["x"], modifier: "NOT" } }, bare)).toBe(true)
    },
  )
})

describe("effective dates", () => {
  it("include the first second and exclude the last", () => {
    expect(matches({ startsAt: 100 })).toBe(true)
    expect(matches({ startsAt: 101 })).toBe(false)
    expect(matches({ endsAt: 100 })).toBe(false)
    expect(matches({ endsAt: 101 })).toBe(true)
  })

  it("keep a group from an order that has no time", () => {
    const { createdAt: _, ...timeless } = order
    expect(matches({ startsAt: 1 }, timeless)).toBe(false)
    expect(matches({}, timeless)).toBe(true)
  })
})

describe("specificity", () => {
  const inOrder = [
    group("ids", { link: { type: "products", values: ["p1"] } }),
    group("tag-condition", {
      link: { type: "products.tag", values: ["music"] },
      condition: { type: "order.tag", values: ["wholesale"] },
    }),
    group("tag", { link: { type: "products.tag", values: ["music"] } }),
    group("vendor", { link: { type: "products.vendor", values: ["north"] } }),
    group("all-newer", { createdAt: 20 }),
    group("all-older", { createdAt: 10 }),
    group("all-a", {}),
    group("all-b", {}),
  ]

  it("puts ids before tag before vendor before all, then conditions, then newer, then smaller ids", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(inOrder, { minLength: inOrder.length }), (shuffled) => {
        const matching = RuleSet.matchingGroups(RuleSet.make(shuffled), order, item)
        expect(matching.map((each) => each.id)).toEqual(inOrder.map((each) => each.id))
      }),
    )
  })

  it("names a group once, however many of its values the product has", () => {
    const rules = RuleSet.make([
      group("g", { link: { type: "products.tag", values: ["ärt", "music"] } }),
    ])
    expect(RuleSet.matchingGroups(rules, order, item)).toHaveLength(1)
  })

  it("is worked out again when a rule set comes back from storage", () => {
    const stored: RuleSet.RuleSet = JSON.parse(JSON.stringify(RuleSet.make(inOrder)))
    expect(RuleSet.matchingGroups(stored, order, item)).toHaveLength(inOrder.length)
  })
})

describe("the groups of a whole order", () => {
  it("are those of each of its items", () => {
    const rules = RuleSet.make([
      group("all", {}),
      group("art", { link: { type: "products.tag", values: ["art"] } }),
      group("blog", { condition: { type: "referer", values: ["blog"] } }),
    ])
    const items = [
      { id: "1", product: { id: "p1", tags: ["Art"] }, quantity: 1, amount: 100 },
      { id: "2", product: { id: "p2" }, quantity: 1, amount: 100 },
    ]
    const idsOf = (sale: Order.Order) =>
      RuleSet.matchingByItem(rules, sale).map((groups) => groups.map(({ id }) => id))
    const sale = { id: "1001", currency: "USD", items }
    expect(idsOf(sale)).toEqual([["art", "all"], ["all"]])
    expect(idsOf({ ...sale, referers: ["Blog"] })).toEqual([
      ["art", "blog", "all"],
      ["blog", "all"],
    ])
    expect(RuleSet.matchingByItem(rules, { ...sale, items: [] })).toEqual([])
  })
})

describe("text", () => {
  it.each([
    ["Straße", "STRASSE"],
    ["STRAẞE", "strasse"],
    ["ΟΔΟΣ", "οδος"],
    ["ΟΔΟσ", "οδος"],
    [" e\u0301té ", "ÉTÉ"],
    ["İ", "i\u0307"],
    ["\u212Aelvin", "kelvin"],
    ["ﬁn", "FIN"],
  ])("%s is the same as %s", (left, right) => {
    expect(fold(left)).toBe(fold(right))
  })

  it("keeps the dotless i apart", () => {
    expect(fold("ı")).not.toBe(fold("i"))
  })

  it("is folded once and for all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        expect(fold(fold(value))).toBe(fold(value))
      }),
      { numRuns: 2_000 },
    )
  })

  it("with marks without end on one letter is folded by thirty of them, in no more time than other text", () => {
    const thirty = "\u0315\u0300".repeat(15)
    expect(fold(`a${thirty}`)).toBe(`a${thirty}`.normalize("NFC"))
    const endless = fold(`a${"\u0315\u0300".repeat(60_000)}`)
    expect(fold(endless)).toBe(endless)
    expect(fold(`${endless}b`)).not.toBe(endless)
  })

  it("does not change with the case or the composition of its letters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (value) => {
        fc.pre(!value.includes("ı"))
        expect(fold(value.toUpperCase())).toBe(fold(value))
        expect(fold(value.normalize("NFD"))).toBe(fold(value))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe("a rule set that comes back from a storage", () => {
  const all = { type: "products.all" } as const
  const made = RuleSet.make([
    { id: "g1", collaboratorId: "ada", link: all, percent: 50 },
    { id: "g2", collaboratorId: "sam", link: all, percent: 10, amount: 5 },
  ])
  const stored = (change: object = {}): RuleSet.RuleSet => {
    const copy: { groups: Array<object> } = JSON.parse(JSON.stringify(made))
    copy.groups[0] = { ...copy.groups[0], ...change }
    return JSON.parse(JSON.stringify(copy))
  }
  const order = {
    id: "1001",
    currency: "USD",
    items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }],
  }

  it("answers as before when it is as it was made", () => {
    expect(Split.order(stored(), order)).toEqual(Split.order(made, order))
    expect(
      RuleSet.put(stored(), { id: "g3", collaboratorId: "x", link: all, percent: 1 }).groups,
    ).toHaveLength(3)
  })

  it.each([
    ["a percentage above 100", { percent: "150.00" }, "[0].percent"],
    ["a percentage that is spelt otherwise", { percent: "50" }, "[0].percent"],
    ["a condition that is missing", { condition: undefined }, "[0].condition"],
    ["a negative amount", { amount: -500 }, "[0].amount"],
    ["an amount that is a text", { amount: "5" }, "[0].amount"],
    ["an id that is there twice", { id: "g2" }, "[1].id"],
    ["a field that is none", { maxAmuont: 5 }, "[0].maxAmuont"],
  ])("is refused for %s, by whoever asks it", (_, change, path) => {
    const result = Split.orderResult(stored(change), order)
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      _tag: "InvalidRuleSet",
      problems: [{ path }],
    })
    const asks = [
      () => RuleSet.get(stored(change), "g1"),
      () => RuleSet.matchingByItem(stored(change), order),
      () => RuleSet.linkedGroups(stored(change), { id: "p1" }),
      () => RuleSet.remove(stored(change), "g1"),
      () => Explanation.notApplied(stored(change), order),
    ]
    for (const ask of asks) expect(ask).toThrow(RuleSet.InvalidRuleSet)
  })

  it("is what it was when it was first asked, whatever is changed in it later", () => {
    const rules = stored()
    const before = Split.order(rules, order)
    Object.assign(Object(rules.groups[0]), { percent: "150.00" })
    Reflect.set(rules, "groups", [])
    // So many versions that the first one is worked out anew.
    let next: RuleSet.RuleSet = rules
    for (let count = 0; count < 200; count += 1) {
      next = RuleSet.put(next, { id: "g3", collaboratorId: "x", link: all, amount: count })
    }
    expect(Split.order(rules, order)).toEqual(before)
    expect(RuleSet.get(rules, "g1")?.percent).toBe("50.00")
  })

  it("is refused when it is none at all, or throws when it is read", () => {
    const getter = {
      get groups(): never {
        throw new RangeError("not here")
      },
    }
    for (const none of [null, undefined, 5, "rules", [], {}, { groups: null }, getter]) {
      const result = Reflect.apply(Split.orderResult, undefined, [none, order])
      expect(result).toMatchObject({ failure: { _tag: "InvalidRuleSet" } })
    }
  })

  it("holds groups that nobody can change any more once they are made", () => {
    const [group] = made.groups
    expect(group !== undefined && Reflect.set(group, "percent", "150.00")).toBe(false)
    expect(group?.percent).toBe("50.00")
    expect(ProductGroup.isMade(group)).toBe(true)
    expect(ProductGroup.isMade({ ...group })).toBe(false)
  })
})
