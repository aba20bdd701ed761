import { type Order, type Product, RuleSet, Split } from "apportion"
import * as Schemas from "apportion/schema"
import { Arbitraries } from "apportion/testing"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { amissOf } from "../../src/testing/rules/asks.js"
import { runs } from "../generators/Runs.js"

const start = 1_700_000_000
const end = start + 86_400

/** A shop with groups of every kind, whose values are easily got wrong. */
const rules = RuleSet.make([
  {
    id: "tag",
    collaboratorId: "ada",
    link: { type: "products.tag", values: ["straße", "wall art"] },
    condition: { type: "country.code", modifier: "NOT", values: ["DE"] },
    percent: "12.50",
    minAmount: 500,
    startsAt: start,
    endsAt: end,
  },
  {
    id: "vendor",
    collaboratorId: "ben",
    link: { type: "products.vendor", values: ["Οδος"] },
    condition: { type: "referer", values: ["café-blog"] },
    percent: "33.33",
    maxAmount: 2_000,
    deductForOtherSplits: true,
  },
  {
    id: "ids",
    collaboratorId: "ben",
    link: { type: "products", values: ["Mug-1", "Mug-2"] },
    condition: { type: "discount.code", values: ["SPRING"] },
    amount: 700,
    startsAt: end,
  },
  {
    id: "others",
    collaboratorId: "cam",
    link: { type: "products.tag", modifier: "NOT", values: ["wall art"] },
    condition: { type: "customer.tag", values: ["vip"] },
    percent: 5,
  },
  {
    id: "all",
    collaboratorId: "dan",
    link: { type: "products.all" },
    condition: { type: "order.tag", modifier: "NOT", values: ["wholesale"] },
    percent: 1,
  },
])

const drawn = 2_500

const samples = (
  options: Arbitraries.RuleOrderOptions = {},
  numRuns = drawn,
): ReadonlyArray<Order.Order> =>
  fc.sample(Arbitraries.ordersFor(rules, options), { numRuns, seed: 11 })

const usual = samples()

/** In how many of a hundred orders something is so. */
const share = (orders: ReadonlyArray<Order.Order>, is: (order: Order.Order) => boolean): number =>
  (orders.filter(is).length / orders.length) * 100

/** The labels of which there are fewer than wanted, with how many there are in a hundred orders. */
const lacking = (
  orders: ReadonlyArray<Order.Order>,
  labels: (order: Order.Order) => Iterable<unknown>,
  wanted: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>()
  for (const order of orders) {
    const own = new Set([...labels(order)].map(String))
    for (const label of own) counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  const found = Object.keys(wanted).map((label) => {
    const percent = ((counts.get(label) ?? 0) / orders.length) * 100
    return [label, percent] as const
  })
  return Object.fromEntries(found.filter(([label, percent]) => percent < (wanted[label] ?? 0)))
}

const enough = (...parameters: Parameters<typeof lacking>) =>
  expect(lacking(...parameters)).toEqual({})

/** For each item, what it is to each group. */
const standings = (order: Order.Order) =>
  order.items.flatMap((item) =>
    rules.groups.map((group) => {
      const amiss = amissOf(group, order, item)
      if (amiss.length === 0) return `${group.id} applies`
      return amiss.length === 1 ? `${group.id} but for ${amiss[0]}` : `${group.id} does not`
    }),
  )

const counted = (order: Order.Order) =>
  RuleSet.matchingByItem(rules, order).map((groups) => `${groups.length} groups`)

describe("of many orders for a rule set", () => {
  const orders = usual

  test("each group applies to enough, and just does not to enough, for each single reason", () => {
    enough(orders, standings, {
      "tag applies": 8,
      "tag but for link": 8,
      "tag but for condition": 1.5,
      "tag but for too early": 1.5,
      "tag but for too late": 2,
      "tag but for no time": 3,
      "vendor applies": 8,
      "vendor but for link": 8,
      "vendor but for condition": 6,
      "ids applies": 6,
      "ids but for link": 3,
      "ids but for condition": 2,
      "ids but for too early": 1.5,
      "ids but for no time": 1.5,
      "others applies": 10,
      "others but for link": 2,
      "others but for condition": 30,
      "all applies": 50,
      "all but for condition": 8,
    })
  })

  test("none, one, two and more groups apply at once", () => {
    enough(orders, counted, {
      "0 groups": 3,
      "1 groups": 30,
      "2 groups": 25,
      "3 groups": 4,
      "4 groups": 0.1,
    })
  })

  test("enough are made just before, at and after each date, and at no time", () => {
    enough(orders, ({ createdAt }) => [createdAt], {
      [start - 1]: 2,
      [start]: 4,
      [end - 1]: 4,
      [end]: 8,
      undefined: 20,
      null: 5,
    })
  })

  const tags = (order: Order.Order) => order.items.flatMap(({ product }) => product.tags ?? [])
  const vendors = (order: Order.Order) => order.items.flatMap(({ product }) => product.vendor ?? [])

  test("values come in other spellings", () => {
    enough(orders, tags, {
      ...{ straße: 3, STRASSE: 0.5, strasse: 0.3, straẞe: 0.2, " straße ": 0.2 },
      ...{ "\tstraße\n": 0.2, "\u00a0wall art\u3000": 0.2, "WALL ART": 0.2 },
    })
    enough(orders, vendors, { Οδος: 2, ΟΔΟΣ: 0.3, οδος: 0.3, Οδοσ: 0.2 })
    enough(orders, ({ referers = [] }) => referers, {
      "café-blog": 2,
      "cafe\u0301-blog": 0.2,
      "CAFÉ-BLOG": 0.2,
      "CAFE\u0301-BLOG": 0.2,
    })
    enough(orders, ({ billingCountry }) => [billingCountry], { DE: 1, de: 0.4, " DE ": 0.4 })
  })

  test("values come nearly as they are", () => {
    enough(orders, tags, { straß: 0.1, straßes: 0.1, traße: 0.1, "": 0.5, wallart: 0.1 })
    enough(orders, ({ referers = [] }) => referers, { "cafe-blog": 0.1, "café-blo": 0.1 })
    enough(orders, ({ customerTags = [] }) => customerTags, { vi: 0.1, vıp: 0.1, ｖｉｐ: 0.1 })
    const ids = (order: Order.Order) =>
      order.items.flatMap(({ product: { id, externalId } }) => [id, `external ${externalId}`])
    enough(orders, ids, { "mug-1": 0.1, "MUG-1": 0.1, "0Mug-1": 0.1, " Mug-1": 0.1, "Mug-": 0.1 })
    enough(orders, ids, { "Mug-1": 4, "Mug-2": 4, "external Mug-1": 4, "external Mug-2": 4 })
  })

  test("values come where nobody looks for them", () => {
    enough(orders, vendors, { straße: 0.5, "wall art": 0.5 })
    enough(orders, tags, { Οδος: 0.5, "Mug-1": 0.5 })
    enough(orders, ({ tags: own = [] }) => own, { vip: 0.3, DE: 0.3, SPRING: 0.3 })
    enough(orders, ({ customerTags = [] }) => customerTags, { wholesale: 0.3 })
  })

  test("sums stand where something turns", () => {
    const most = Number.MAX_SAFE_INTEGER
    const amounts = (order: Order.Order) => order.items.map(({ amount }) => Math.abs(amount))
    enough(orders, amounts, {
      ...{ 0: 2, 1: 2, 10000: 3, [most]: 1, [most - 1]: 1 },
      // Half a cent of 12.50%; its minimum and the maximum of 33.33%, a cent less and more.
      ...{ 4: 0.5, 4000: 0.5, 3999: 0.5, 4001: 0.5, 6001: 0.5, 6000: 0.5, 6002: 0.5 },
      // As much as the flat amount.
      ...{ 700: 0.5, 699: 0.5, 701: 0.5 },
    })
    enough(orders, ({ items }) => items.map(({ amount }) => Math.sign(amount)), {
      "-1": 20,
      "1": 60,
    })
    enough(orders, ({ items }) => items.map(({ quantity }) => quantity), { 0: 10, 1: 10, 1000: 10 })
    enough(orders, ({ items }) => [items.length], { 1: 20, 2: 20, 3: 20 })
  })

  test("there are discounts, taxes, costs, shipping and fees of every kind", () => {
    const part = (whole: number, some: number | null | undefined) => {
      if (some == null) return "none"
      const size = Math.abs(some) - Math.abs(whole)
      const sign = Math.sign(some) * Math.sign(whole)
      if (some === 0 || sign < 0) return some === 0 ? "zero" : "against"
      return size === 0 ? "all" : size < 0 ? "part" : "more"
    }
    const every = { none: 30, zero: 5, part: 20, all: 4, more: 3, against: 3 }
    enough(orders, ({ items }) => items.map((item) => part(item.amount, item.discount)), every)
    enough(orders, ({ items }) => items.map((item) => part(item.amount, item.taxTotal)), every)
    enough(orders, ({ items }) => items.map(({ product }) => typeof product.cost), {
      number: 30,
      undefined: 30,
    })
    const sign = (sum: number | undefined) => [sum === undefined ? "none" : Math.sign(sum)]
    enough(orders, ({ shippingAmount }) => sign(shippingAmount), { none: 10, 0: 5, 1: 20, "-1": 5 })
    enough(orders, ({ gatewayFee }) => sign(gatewayFee), { none: 10, 0: 5, 1: 20, "-1": 5 })
    enough(orders, ({ taxesIncluded }) => [taxesIncluded], { true: 30, false: 15, undefined: 15 })
  })

  test("one percentage of a hundred or more leaves exactly half a cent", () => {
    const isHalf = ({ items }: Order.Order) =>
      items.some(({ amount }) => Math.abs(amount * 1_250) % 10_000 === 5_000)
    expect(share(orders, isHalf)).toBeGreaterThan(1)
  })
})

const anyRules = Arbitraries.ruleSet({ maxLength: 6 })

test("every order for any rules is valid, and is never refused as an order", () => {
  const cases = anyRules.chain((some) =>
    Arbitraries.ordersFor(some).map((order) => ({ order, some })),
  )
  fc.assert(
    fc.property(cases, ({ order, some }) => {
      expect(Schema.is(Schemas.Order)(order)).toBe(true)
      const result = Split.orderResult(some, order)
      if (Result.isFailure(result)) {
        expect(["OverAllocated", "AmountOutOfRange"]).toContain(result.failure._tag)
      }
    }),
    runs(1_000),
  )
})

test("rules without groups have orders too", () => {
  const orders = fc.sample(Arbitraries.ordersFor({ groups: [] }), 50)
  expect(orders.every(({ items }) => items.length > 0)).toBe(true)
})

describe("with a catalogue", () => {
  const catalogue: ReadonlyArray<Product.Product> = [
    { id: "Mug-1", tags: ["wall art"], vendor: "Οδος", price: 1_250, cost: 400 },
    { id: "Cap-1", tags: [], price: 333 },
    { id: "Pin-1", tags: ["straße"] },
    { id: "Bag-1", vendor: "North", price: 0 },
  ]
  const sold = samples({ catalogue })

  test("every product comes from there, and is sold at its price", () => {
    for (const { items } of sold) {
      for (const { product, quantity, amount } of items) {
        expect(catalogue).toContain(product)
        if (product.price === undefined) continue
        expect(Math.abs(amount)).toBe(product.price * quantity)
      }
    }
  })

  test("groups still apply to enough orders, and just do not to enough", () => {
    enough(sold, standings, {
      "tag applies": 8,
      "tag but for link": 5,
      "tag but for condition": 1.5,
      "vendor applies": 8,
      "vendor but for link": 6,
      "vendor but for condition": 4,
      "ids applies": 6,
      "ids but for link": 2,
      "others applies": 10,
    })
    const ids = (order: Order.Order) => order.items.map(({ product }) => product.id)
    enough(sold, ids, { "Mug-1": 20, "Cap-1": 15, "Pin-1": 20, "Bag-1": 15 })
  })
})

describe("an order never has", () => {
  const cases: ReadonlyArray<
    readonly [Arbitraries.RuleOrderFeature, (order: Order.Order) => boolean]
  > = [
    ["returns", ({ items }) => items.some(({ amount }) => amount < 0)],
    ["discounts", ({ items }) => items.some(({ discount }) => discount !== undefined)],
    ["taxes", ({ items }) => items.some(({ taxTotal }) => taxTotal !== undefined)],
    ["costs", ({ items }) => items.some(({ product }) => product.cost !== undefined)],
    ["shipping", ({ shippingAmount }) => shippingAmount !== undefined],
    ["fees", ({ gatewayFee }) => gatewayFee !== undefined],
    [
      "free items",
      ({ items }) =>
        items.some(
          ({ amount, quantity, discount = 0 }) =>
            quantity === 0 || amount === 0 || Math.abs(discount) > Math.abs(amount) / 2 + 1,
        ),
    ],
    [
      "odd sums",
      ({ items, shippingAmount = 0, gatewayFee = 0 }) => {
        const signs = items.map(({ amount }) => Math.sign(amount)).filter((sign) => sign !== 0)
        const isAgainst = (sum: number | null | undefined) =>
          signs.some((sign) => Math.sign(sum ?? 0) * sign < 0)
        const isMore = ({ amount, discount, taxTotal }: Order.OrderItem) =>
          [discount, taxTotal].some((part) => Math.abs(part ?? 0) > Math.abs(amount))
        return (
          new Set(signs).size > 1 ||
          items.some(isMore) ||
          [shippingAmount, gatewayFee].some(isAgainst) ||
          items.some(({ discount, taxTotal }) => [discount, taxTotal].some(isAgainst))
        )
      },
    ],
  ]

  test.each(cases)("%s, where it is without them", (feature, has) => {
    expect(samples({ without: [feature] }, 1_000).filter(has)).toEqual([])
    expect(share(usual, has)).toBeGreaterThan(10)
  })
})

test("values that no rule names come up where they are asked for", () => {
  const values = { "customer.tag": ["staff"], "products.tag": ["sale"], products: ["Cap-1"] }
  const orders = samples({ values }, 2_000)
  enough(orders, ({ customerTags = [] }) => customerTags, { staff: 2 })
  enough(orders, ({ items }) => items.flatMap(({ product }) => product.tags ?? []), { sale: 1 })
  enough(orders, ({ items }) => items.map(({ product }) => product.id), { "Cap-1": 1 })
})

test("an order has the currency, and no more items than are asked for", () => {
  const orders = samples({ currency: "JPY", maxItems: 1, amounts: "usual" }, 1_000)
  expect(new Set(orders.map(({ currency }) => currency))).toEqual(new Set(["JPY"]))
  expect(new Set(orders.map(({ items }) => items.length))).toEqual(new Set([1]))
  const largest = Math.max(...orders.flatMap(({ items }) => items.map(({ amount }) => amount)))
  expect(largest).toBeLessThan(10_000_000)
})

test("an order shrinks to one that is quickly read", () => {
  const smallest = (groupId: string): Order.Order | undefined => {
    const isMatched = (order: Order.Order) =>
      RuleSet.matchingByItem(rules, order).some((groups) => groups.some(({ id }) => id === groupId))
    const { counterexample } = fc.check(
      fc.property(Arbitraries.ordersFor(rules), (order) => !isMatched(order)),
      { seed: 3, numRuns: 1_000 },
    )
    return counterexample?.[0]
  }
  const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }
  const plain = { id: "1001", currency: "USD", items: [item] }
  expect(smallest("all")).toEqual(plain)
  expect(smallest("others")).toEqual({ ...plain, customerTags: ["vip"] })
  expect(smallest("vendor")).toEqual({
    ...plain,
    referers: ["café-blog"],
    items: [{ ...item, product: { id: "p1", vendor: "Οδος" } }],
  })
  expect(smallest("tag")).toEqual({
    ...plain,
    createdAt: start,
    items: [{ ...item, product: { id: "p1", tags: ["straße"] } }],
  })
  expect(smallest("ids")).toEqual({
    ...plain,
    createdAt: end,
    discountCodes: ["SPRING"],
    items: [{ ...item, product: { id: "Mug-1" } }],
  })
})
