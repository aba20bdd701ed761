import { type ProductGroup, Refund, RuleSet, Split, SplitPolicy } from "apportion"
import { Laws } from "apportion/testing"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ofItem, signOf, total } from "../../src/testing/laws/reasons.js"
import { runs } from "../generators/Runs.js"
import {
  order as anyOrder,
  policy as anyPolicy,
  productGroup,
  productGroups,
  type Sale,
  sale,
  usualSale,
} from "../generators/Sales.js"
import { essence, lawSaleOf, split, splitOf } from "./Splits.js"

type Group = ProductGroup.GroupInput

/** A law for every sale that is split; how many of them there were is checked, too. */
const holdsForSplits = (
  law: (done: Split.Split, one: Sale) => void,
  sales: fc.Arbitrary<Sale> = sale,
): void => {
  let splits = 0
  const { numRuns } = runs(1_000, 200)
  fc.assert(
    fc.property(sales, (one) => {
      const result = split(one)
      if (Result.isFailure(result)) return
      splits += 1
      law(result.success, one)
    }),
    { numRuns },
  )
  expect(splits).toBeGreaterThan(numRuns / 2)
}

describe("the laws of the engine", () => {
  const brokenBy = (laws: ReadonlyArray<Laws.Law>, looked: Laws.JudgedSale) =>
    laws.flatMap((law) => {
      const reason = law.check(looked)
      return reason === undefined ? [] : [`${law.name}: ${reason}`]
    })

  test("are kept by every sale that is split", () => {
    holdsForSplits((_, one) => {
      expect(brokenBy(Laws.engine, lawSaleOf(one))).toEqual([])
    })
  })

  test("are kept where shipping that goes back before the goods leads beyond the exact range", () => {
    const every = { collaboratorId: "ada", link: { type: "products.all" }, percent: "10" } as const
    const tenth = { id: "tenth", ...every }
    const order = {
      ...{ id: "1001", currency: "USD", createdAt: 0, shippingAmount: -7_000_000_000_000_000 },
      items: [
        { id: "a", product: { id: "p1", vendor: "" }, quantity: 1, amount: 7_800_000_000_000_000 },
        { id: "b", product: { id: "p2", vendor: "" }, quantity: 0, amount: 5_404_319_552_844_595 },
      ],
    }
    const policy = { ...SplitPolicy.defaults, shipping: "all", overAllocation: "scale" } as const
    const one = { groups: [tenth], order, policy }
    const whole = { orderId: "1001", itemId: "a", refundedAt: 0 }
    const shipping = { ...whole, shippingAmount: 1, shippingTotal: 2 }
    const goods = { ...whole, quantity: 1 }
    const back = Refund.reverse(splitOf(one), goods, { earlier: [shipping] })
    expect(Result.isFailure(back) && back.failure._tag).toBe("AmountOutOfRange")
    expect(brokenBy(Laws.engine, lawSaleOf(one))).toEqual([])
  })

  test("are kept by every sale that is refused, though its order is valid", () => {
    let refused = 0
    const { numRuns } = runs(1_000, 200)
    fc.assert(
      fc.property(sale, (one) => {
        const looked = lawSaleOf(one)
        if (Result.isSuccess(looked.result)) return
        if (looked.result.failure._tag === "InvalidOrder") return
        refused += 1
        expect(brokenBy(Laws.engine, looked)).toEqual([])
      }),
      { numRuns },
    )
    expect(refused).toBeGreaterThan(numRuns / 200)
  })
})

describe("nothing depends on the order in which things are written", () => {
  const isSame = (change: (one: Sale) => fc.Arbitrary<Sale>): void => {
    const pairs = sale.chain((one) => fc.tuple(fc.constant(one), change(one)))
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        expect(essence(split(other))).toEqual(essence(split(one)))
      }),
      runs(1_000),
    )
  }

  test("the values of links and conditions, and the attributes of orders and products", () => {
    const turned = <A>(list: ReadonlyArray<A> | undefined) => list && [...list].reverse()
    isSame((one) =>
      fc.constant({
        ...one,
        groups: one.groups.map((group) => ({
          ...group,
          link: { ...group.link, values: turned(group.link.values) },
          condition: group.condition && {
            ...group.condition,
            values: [...group.condition.values].reverse(),
          },
        })),
        order: {
          ...one.order,
          tags: turned(one.order.tags),
          customerTags: turned(one.order.customerTags),
          discountCodes: turned(one.order.discountCodes),
          referers: turned(one.order.referers),
          items: one.order.items.map((item) => ({
            ...item,
            product: { ...item.product, tags: turned(item.product.tags) },
          })),
        },
      }),
    )
  })

  test("the orders that one rule set splits, one after the other", () => {
    const size = { money: "usual", percents: "mild" } as const
    const day = fc.record({
      groups: productGroups(size),
      orders: fc.array(anyOrder(size), { minLength: 2, maxLength: 6 }),
      policy: anyPolicy,
    })
    fc.assert(
      fc.property(day, ({ groups, orders, policy }) => {
        const rules = RuleSet.make(groups)
        const answers = (list: typeof orders) =>
          list.map((order) => essence(Split.orderResult(rules, order, policy)))
        const alone = orders.map((order) => essence(split({ groups, order, policy })))
        expect(answers(orders)).toEqual(alone)
        expect(answers([...orders].reverse()).reverse()).toEqual(alone)
      }),
      runs(300),
    )
  })
})

describe("WITH and NOT are exact complements", () => {
  const size = { money: "usual", percents: "mild" } as const
  const other = (modifier: ProductGroup.Modifier | undefined) =>
    modifier === "NOT" ? ("WITH" as const) : ("NOT" as const)
  const earns = (group: Group, { order, policy }: Sale, itemId: string): boolean =>
    splitOf({
      groups: [group],
      order,
      policy: { ...policy, overAllocation: "allow" },
    }).shares.some((share) => share.itemId === itemId)
  const lone = fc.record({
    group: productGroup("g", size).map(
      (group): Group => ({ ...group, percent: "10", startsAt: null, endsAt: null }),
    ),
    one: usualSale,
  })

  test("of a link: each item is selected by exactly one of the two", () => {
    fc.assert(
      fc.property(lone, ({ group, one }) => {
        const open = { ...group, condition: null, deductForOtherSplits: false }
        const link = { ...open.link, modifier: other(open.link.modifier) }
        for (const { id } of one.order.items) {
          expect(earns(open, one, id)).not.toBe(earns({ ...open, link }, one, id))
        }
      }),
      runs(500),
    )
  })

  test("of a condition: each order satisfies exactly one of the two", () => {
    fc.assert(
      fc.property(lone, ({ group, one }) => {
        if (group.condition == null) return
        const open = { ...group, link: { type: "products.all" as const } }
        const condition = { ...group.condition, modifier: other(group.condition.modifier) }
        for (const { id } of one.order.items) {
          expect(earns(open, one, id)).not.toBe(earns({ ...open, condition }, one, id))
        }
      }),
      runs(500),
    )
  })
})

describe("a group that does not match changes nothing", () => {
  const size = { money: "usual", percents: "wild" } as const
  const out: ReadonlyArray<readonly [string, Partial<Group>]> = [
    ["its link", { link: { type: "products.tag", values: ["no product has this"] } }],
    ["its empty link", { link: { type: "products.all", modifier: "NOT" } }],
    [
      "its condition",
      {
        condition: { type: "referer", values: ["no buyer came from here"] },
      },
    ],
    ["its start", { startsAt: 1_000_000, endsAt: null }],
    ["its end", { endsAt: -1, startsAt: null }],
  ]

  test.each(out)("because of %s", (_, change) => {
    const pairs = fc.tuple(sale, productGroup("one more", size))
    fc.assert(
      fc.property(pairs, ([one, group]) => {
        const added: Group = {
          ...group,
          ...change,
          deductForOtherSplits:
            group.deductForOtherSplits === true &&
            (change.condition ?? group.condition)?.type === "referer",
        }
        const wider = { ...one, groups: [...one.groups, added] }
        expect(essence(split(wider))).toEqual(essence(split(one)))
      }),
      runs(300),
    )
  })
})

test("a sole collaborator with a higher percentage never gets less", () => {
  const size = { money: "usual", percents: "wild" } as const
  const points = fc.integer({ min: 1, max: 10_000 })
  const cases = fc.record({
    one: usualSale,
    group: productGroup("g", size),
    two: fc.tuple(points, points).map((pair) => [...pair].sort((a, b) => a - b)),
  })
  /** A higher percentage is also charged more shipping, or takes back more of it: that is no gain. */
  const isGain = ({ order, policy }: Sale): boolean =>
    policy.shipping !== "charge" &&
    (order.shippingTax ?? 0) >= 0 &&
    (order.shippingAmount ?? 0) >= (order.shippingTax ?? 0) &&
    // An item of 0 goes the way of its discount and tax.
    order.items.every(
      ({ amount, discount, taxTotal }) =>
        amount > 0 || (amount === 0 && (discount ?? 0) >= 0 && (taxTotal ?? 0) >= 0),
    )
  let compared = 0
  fc.assert(
    fc.property(cases, ({ one, group, two }) => {
      const shipping = isGain(one) ? one.policy.shipping : "store"
      const given = two.map((point) =>
        split({
          ...one,
          policy: { ...one.policy, shipping },
          groups: [{ ...group, percent: (point / 100).toFixed(2) }],
        }),
      )
      const [less, more] = given
      if (less === undefined || more === undefined) return
      if (Result.isFailure(less)) expect(Result.isFailure(more)).toBe(true)
      if (Result.isFailure(less) || Result.isFailure(more)) return
      for (const item of less.success.items) {
        const sign = signOf(item, one.order)
        const [low, high] = [less, more].map(
          ({ success }) => sign * total(ofItem(success.shares, item.itemId)),
        )
        compared += 1
        expect(high !== undefined && low !== undefined && high >= low).toBe(true)
      }
    }),
    runs(1_000, 200),
  )
  expect(compared).toBeGreaterThan(0.5 * runs(1_000, 200).numRuns)
})

describe("a sale taken back mirrors the sale", () => {
  const negated = (n: number | null | undefined): number => 0 - (n ?? 0)

  /** The same sale with all its money negated. */
  const mirror = (one: Sale): Sale => ({
    ...one,
    order: {
      ...one.order,
      shippingAmount: negated(one.order.shippingAmount),
      shippingTax: negated(one.order.shippingTax),
      gatewayFee: negated(one.order.gatewayFee),
      items: one.order.items.map((item) => ({
        ...item,
        amount: negated(item.amount),
        discount: negated(item.discount),
        taxTotal: negated(item.taxTotal),
      })),
    },
  })

  /** An order in which there is no money at all is its own mirror image. */
  const isSigned = ({ order }: Sale): boolean =>
    order.items.some((item) => item.amount !== 0) ||
    (order.shippingAmount ?? 0) !== 0 ||
    (order.shippingTax ?? 0) !== 0 ||
    (order.gatewayFee ?? 0) !== 0

  const keep = new Set(["quantity", "createdAt"])

  const negatedFigures = (value: unknown, key = ""): unknown => {
    if (typeof value === "number") return keep.has(key) ? value : 0 - value
    if (Array.isArray(value)) return value.map((part) => negatedFigures(part))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        name === "flatAmount" ? part : negatedFigures(part, name),
      ]),
    )
  }

  test("every figure of the split is negated, and what is refused is refused", () => {
    let compared = 0
    fc.assert(
      fc.property(sale.filter(isSigned), (one) => {
        const [plain, mirrored] = [split(one), split(mirror(one))]
        const reasons = [plain, mirrored].map((r) => (Result.isFailure(r) ? r.failure._tag : "ok"))
        expect(reasons[1]).toBe(reasons[0])
        if (Result.isFailure(plain)) return
        compared += plain.success.shares.length
        expect(essence(mirrored)).toEqual(negatedFigures(essence(plain)))
      }),
      runs(1_000, 200),
    )
    expect(compared).toBeGreaterThan(0.3 * runs(1_000, 200).numRuns)
  })
})

test("without sums of the whole order, each item that has an amount is split as if it were alone", () => {
  fc.assert(
    fc.property(usualSale, ({ groups, order, policy }) => {
      const bare = { ...order, shippingAmount: 0, shippingTax: 0, gatewayFee: 0 }
      const own = {
        ...policy,
        flatScope: policy.flatScope === "order" ? ("unit" as const) : policy.flatScope,
        overAllocation:
          policy.overAllocation === "reject" ? ("scale" as const) : policy.overAllocation,
      }
      const whole = splitOf({ groups, order: bare, policy: own })
      // An item of 0 goes the way of its order.
      for (const item of bare.items.filter(({ amount }) => amount !== 0)) {
        const alone = splitOf({ groups, order: { ...bare, items: [item] }, policy: own })
        expect(ofItem(whole.shares, item.id)).toEqual(alone.shares)
        expect(ofItem(whole.store, item.id)).toEqual(alone.store)
        expect(ofItem(whole.items, item.id)).toEqual(alone.items)
      }
    }),
    runs(500),
  )
})
