import { Order, type Product, type ProductGroup, RuleSet, Split, SplitPolicy } from "apportion"
import { BulkSplit, ColumnBatch, type SplitLines } from "apportion/bulk"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { isWhole, runs } from "../generators/Runs.js"
import * as Sales from "../generators/Sales.js"
import { asCodes, asWholeNumbers, cutTo } from "./Columns.js"

/** What one line comes to, in a form that both ways of splitting are brought to. */
interface Line {
  readonly orderId: string
  readonly itemId: string
  readonly store: number | null
  readonly shares: ReadonlyArray<
    readonly [groupId: string, amount: number, shipping: number, base: number]
  >
  readonly refusal: string | null
}

const byCore = (
  rules: RuleSet.RuleSet,
  orders: ReadonlyArray<Order.Order>,
  policy: SplitPolicy.SplitPolicy,
): ReadonlyArray<Line> =>
  orders.flatMap((order) => {
    const result = Split.orderResult(rules, order, policy)
    return order.items.map((item): Line => {
      const ids = { orderId: order.id, itemId: item.id }
      if (Result.isFailure(result)) {
        const { _tag, message } = result.failure
        return { ...ids, store: null, shares: [], refusal: `${_tag}: ${message}` }
      }
      const isOwn = ({ itemId }: { readonly itemId: string }) => itemId === item.id
      const { shares, store } = result.success
      return {
        ...ids,
        store: store.find(isOwn)?.amount ?? null,
        shares: shares
          .filter(isOwn)
          .map(({ groupId, amount, shippingAmount, base }) => [
            ...([groupId, amount, shippingAmount, base] as const),
          ]),
        refusal: null,
      }
    })
  })

const linesOf = (rules: RuleSet.RuleSet, lines: SplitLines): ReadonlyArray<Line> => {
  const decoder = new TextDecoder()
  const text = ({ values, valueOffsets }: ColumnBatch.ColumnData, line: number) => {
    const bytes = values instanceof Uint8Array ? values : Uint8Array.from(values ?? [], Number)
    return decoder.decode(
      bytes.subarray(Number(valueOffsets?.[line]), Number(valueOffsets?.[line + 1])),
    )
  }
  return Array.from({ length: lines.count }, (_, line): Line => {
    const refusal = lines.refusals.get(line)
    const [from, to] = [lines.shareOffsets[line] ?? 0, lines.shareOffsets[line + 1] ?? 0]
    return {
      orderId: text(lines.orderIds, line),
      itemId: text(lines.itemIds, line),
      store: refusal === undefined ? Number(lines.store[line]) : null,
      shares: Array.from({ length: to - from }, (_, at) => [
        rules.groups[lines.shareGroups[from + at] ?? -1]?.id ?? "",
        Number(lines.shareAmounts[from + at]),
        Number(lines.shareShippingAmounts[from + at]),
        Number(lines.shareBases[from + at]),
      ]),
      refusal: refusal === undefined ? null : `${refusal._tag}: ${refusal.message}`,
    }
  })
}

const inBulk = (
  rules: RuleSet.RuleSet,
  batches: ReadonlyArray<ColumnBatch.ColumnBatch>,
  policy: SplitPolicy.SplitPolicy,
): ReadonlyArray<Line> => {
  const bulk = new BulkSplit(rules, policy)
  const parts = [...batches.flatMap((batch) => bulk.split(batch)), ...bulk.end()]
  return parts.flatMap((lines) => linesOf(rules, lines))
}

interface Past {
  readonly groups: ReadonlyArray<ProductGroup.GroupInput>
  readonly orders: ReadonlyArray<Order.Order>
  readonly policy: SplitPolicy.SplitPolicy
}

const named = (orders: ReadonlyArray<Order.Order>): ReadonlyArray<Order.Order> =>
  orders.map((order, index) => ({ ...order, id: `${1001 + index}` }))

/** Orders of one shop under one policy, from single cents to the largest amounts. */
const past: fc.Arbitrary<Past> = fc
  .constantFrom<Sales.Scale>(
    { money: "usual", percents: "mild" },
    { money: "usual", percents: "wild" },
    { money: "huge", percents: "mild" },
  )
  .chain((size) =>
    fc.record({
      groups: Sales.productGroups(size),
      orders: fc.array(Sales.order(size), { minLength: 1, maxLength: 12 }).map(named),
      policy: Sales.policy,
    }),
  )

describe("sales that are columns are split as sales that are objects", () => {
  it("each line has the same shares, the same rest and the same refusal", () => {
    fc.assert(
      fc.property(past, ({ groups, orders, policy }) => {
        const rules = RuleSet.make(groups)
        const expected = byCore(rules, orders, policy)
        expect(inBulk(rules, [ColumnBatch.ofOrders(orders)], policy)).toEqual(expected)
      }),
      runs(1_500),
    )
  })

  it("however the rows are cut into batches, and whether texts are codes and numbers are whole", () => {
    fc.assert(
      fc.property(past, fc.integer({ min: 1, max: 7 }), ({ groups, orders, policy }, size) => {
        const rules = RuleSet.make(groups)
        const expected = byCore(rules, orders, policy)
        const batch = ColumnBatch.ofOrders(orders)
        expect(inBulk(rules, cutTo(size, batch), policy)).toEqual(expected)
        expect(inBulk(rules, cutTo(size, asCodes(batch)), policy)).toEqual(expected)
        expect(inBulk(rules, cutTo(size, asWholeNumbers(batch)), policy)).toEqual(expected)
      }),
      runs(300),
    )
  })

  it("also where a hundred groups have demands on the order", () => {
    const size = { money: "usual", percents: "mild" } as const
    const groups = fc.tuple(
      ...Array.from({ length: 100 }, (_, at) => Sales.productGroup(`g${at}`, size)),
    )
    const orders = fc.array(Sales.order(size), { minLength: 3, maxLength: 6 }).map(named)
    const payable = Sales.policy.map((policy) => ({ ...policy, overAllocation: "allow" as const }))
    fc.assert(
      fc.property(groups, orders, payable, (demanding, sold, policy) => {
        const rules = RuleSet.make(demanding)
        const expected = byCore(rules, sold, policy)
        expect(inBulk(rules, [ColumnBatch.ofOrders(sold)], policy)).toEqual(expected)
      }),
      runs(100),
    )
  })
})

const item = { id: "1", product: { id: "mug" }, quantity: 1, amount: 1_000 }
const everything = RuleSet.make([
  { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
])
const { defaults } = SplitPolicy

describe("the rows of an order", () => {
  it("end where the next order's id begins, though one id ends as the other", () => {
    const ids = ["1001", "11001", "001", "1", "21", "2"]
    const orders = ids.map((id) => ({ id, currency: "USD", items: [item] }))
    const lines = inBulk(everything, [ColumnBatch.ofOrders(orders)], defaults)
    expect(lines).toEqual(byCore(everything, orders, defaults))
  })
})

describe("what can't be split is told", () => {
  it("an order whose rows differ in its shipping is refused, and the next one is split", () => {
    const lines = [
      { id: "1001", currency: "USD", shippingAmount: 500, items: [item] },
      { id: "1001", currency: "USD", shippingAmount: 0, items: [{ ...item, id: "2" }] },
      { id: "1002", currency: "USD", items: [item] },
    ]
    const split = inBulk(everything, [ColumnBatch.ofOrders(lines)], defaults)
    const message = "DifferingRows: the rows of order 1001 say different things of it"
    expect(split.map(({ refusal }) => refusal)).toEqual([message, message, null])
    expect(split.at(2)?.shares).toEqual([["g1", 100, 0, 1_000]])
  })

  it.each<readonly [string, Partial<Order.Order>]>([
    ["currency", { currency: "EUR" }],
    ["time", { createdAt: 1_735_689_600 }],
    ["tags", { tags: ["new"] }],
    ["customer's tags", { customerTags: ["vip"] }],
    ["discount codes", { discountCodes: ["ADA"] }],
    ["country", { billingCountry: "NO" }],
    ["referer", { referers: ["sam-blog"] }],
    ["taxes", { taxesIncluded: true }],
    ["shipping tax", { shippingTax: 10 }],
    ["fee", { gatewayFee: 30 }],
  ])("an order whose rows differ in its %s", (_, change) => {
    const plain = { id: "1001", currency: "USD", items: [item] }
    const other = { ...plain, ...change, items: [{ ...item, id: "2" }] }
    const next = { ...plain, id: "1002" }
    for (const rows of [
      [plain, other, next],
      [other, plain, next],
    ]) {
      const batch = ColumnBatch.ofOrders(rows)
      for (const columns of [batch, asCodes(batch)]) {
        const refusals = inBulk(everything, [columns], defaults).map(({ refusal }) => refusal)
        expect(refusals.map((refusal) => refusal?.split(":")[0])).toEqual([
          ...["DifferingRows", "DifferingRows", undefined],
        ])
      }
    }
  })

  it("a column that is missing, and one of another type", () => {
    const batch = ColumnBatch.ofOrders([{ id: "1001", currency: "USD", items: [item] }])
    const without = {
      ...batch,
      schema: { fields: batch.schema.fields.map(({ name }) => ({ name: `${name} of the line` })) },
    }
    expect(() => inBulk(everything, [without], defaults)).toThrow("the column order_id is missing")
    const swapped = { ...batch, data: { children: batch.data.children.toReversed() } }
    expect(() => inBulk(everything, [swapped], defaults)).toThrow(
      "the column order_id must have texts (Utf8), or codes of them (Dictionary)",
    )
  })
})

describe("most sales are split in ordinary numbers", () => {
  it("the core is asked for none of a thousand orders but the last one", () => {
    const order = (index: number): Order.Order => ({
      ...{ id: `${index}`, currency: "USD", shippingAmount: 490, tags: ["new"] },
      items: [item, { ...item, id: "2", amount: 1_999 - index }],
    })
    const orders = Array.from({ length: 1_000 }, (_, index) => order(index))
    const asked = vi.spyOn(Order, "misspelt")
    const lines = inBulk(everything, [ColumnBatch.ofOrders(orders)], defaults)
    expect(lines).toHaveLength(2_000)
    expect(asked).toHaveBeenCalledTimes(1)
  })
})

describe("what ordinary numbers would get wrong is split by the core", () => {
  it("amounts whose products with a percentage they don't hold exactly", () => {
    const percents = fc.integer({ min: 1, max: 9_999 }).map((points) => (points / 100).toFixed(2))
    const amounts = fc.integer({ min: 800_000_000_000, max: 900_000_000_000_000 })
    fc.assert(
      fc.property(percents, fc.array(amounts, { minLength: 2 }), (percent, sold) => {
        const rules = RuleSet.make([
          { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent },
        ])
        const orders = sold.map((amount, index) => ({
          ...{ id: `${index}`, currency: "USD", items: [{ ...item, amount }] },
        }))
        const expected = byCore(rules, orders, defaults)
        expect(inBulk(rules, [ColumnBatch.ofOrders(orders)], defaults)).toEqual(expected)
      }),
      runs(300),
    )
  })

  it.each([true, false])(
    "percentages beyond all of a small base, deducted first: %s",
    (isFirst) => {
      const link = { type: "products.all" } as const
      const condition = { type: "referer", values: ["blog"] } as const
      const rules = RuleSet.make([
        {
          id: "g1",
          collaboratorId: "ada",
          link,
          percent: 60,
          condition,
          deductForOtherSplits: isFirst,
        },
        {
          id: "g2",
          collaboratorId: "bob",
          link,
          percent: 60,
          condition,
          deductForOtherSplits: isFirst,
        },
      ])
      // Of a base of 100 cents they claim 120, which is within what was paid.
      const product = { id: "mug", cost: 900 }
      const sold = { currency: "USD", referers: ["blog"], items: [{ ...item, product }] }
      const orders = [
        { ...sold, id: "1" },
        { ...sold, id: "2" },
      ]
      for (const overAllocation of ["scale", "rank", "allow", "reject"] as const) {
        const policy = SplitPolicy.make({ cost: "deduct", overAllocation })
        const expected = byCore(rules, orders, policy)
        expect(inBulk(rules, [ColumnBatch.ofOrders(orders)], policy)).toEqual(expected)
      }
    },
  )
})

describe("shipping is divided by the items of an order", () => {
  it("to the cent where the product of sum and amounts is more than ordinary numbers hold", () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 900_000_000_000 }), {
      ...{ minLength: 2, maxLength: 4 },
    })
    const shipping = fc.integer({ min: 1, max: 900_000_000_000 })
    const policy = SplitPolicy.make({ shipping: "share" })
    // Who gets all gets each cent of shipping.
    const all = RuleSet.make([
      { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 100 },
    ])
    fc.assert(
      fc.property(amounts, shipping, (sold, shippingAmount) => {
        const items = sold.map((amount, index) => ({ ...item, id: `${index}`, amount }))
        const orders = ["1", "2"].map((id) => ({ id, currency: "USD", shippingAmount, items }))
        const expected = byCore(all, orders, policy)
        expect(inBulk(all, [ColumnBatch.ofOrders(orders)], policy)).toEqual(expected)
      }),
      runs(200),
    )
  })
})

describe("cents that are left over go where the core gives them", () => {
  it("of many equal remainders to the first ones", () => {
    const points = fc.integer({ min: 1, max: 250 })
    const amount = fc.integer({ min: 1, max: 20_000 })
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), points, amount, (count, own, amount) => {
        const rules = RuleSet.make(
          Array.from({ length: count }, (_, place) => ({
            ...{
              id: `g${place}`,
              collaboratorId: `c${place}`,
              link: { type: "products.all" as const },
            },
            percent: (own / 100).toFixed(2),
          })),
        )
        const orders = ["1", "2"].map((id) => ({
          id,
          currency: "USD",
          items: [{ ...item, amount }],
        }))
        const expected = byCore(rules, orders, defaults)
        expect(inBulk(rules, [ColumnBatch.ofOrders(orders)], defaults)).toEqual(expected)
      }),
      runs(200),
    )
  })

  it("of shipping to the first of equal items, in the order in which texts are compared", () => {
    const policy = SplitPolicy.make({ shipping: "share" })
    const ids = ["10", "9", "a", "\u00e4", "\u{ff21}", "\u{1f600}"]
    const pairs = ids.flatMap((one) =>
      ids.flatMap((other) => (one === other ? [] : [[one, other]])),
    )
    const orders = pairs.map((both, index) => ({
      ...{ id: `${index}`, currency: "USD", shippingAmount: 11 },
      items: both.map((id) => ({ ...item, id })),
    }))
    const batch = ColumnBatch.ofOrders(orders)
    for (const columns of [batch, asCodes(batch)]) {
      expect(inBulk(everything, [columns], policy)).toEqual(byCore(everything, orders, policy))
    }
  })
})

describe("each batch has its own columns", () => {
  it("what one batch tells of its items is not taken for the next one's, which has no such columns", () => {
    const told = {
      ...{ discount: 100, taxTotal: 50, quantity: 3 },
      product: { id: "mug", cost: 70, vendor: "potter", tags: ["art"] },
    }
    const sold = (id: string, more: object): Order.Order => ({
      ...{ id, currency: "USD", tags: ["new"], shippingAmount: 500, taxesIncluded: true },
      items: [{ ...item, ...more }],
    })
    const names = new Set(["order_id", "currency", "item_id", "product_id", "amount"])
    const bare = (batch: ColumnBatch.ColumnBatch): ColumnBatch.ColumnBatch => {
      const kept = batch.schema.fields.flatMap(({ name }, place) =>
        names.has(name) ? [place] : [],
      )
      const of = <A>(all: ReadonlyArray<A>) => all.filter((_, place) => kept.includes(place))
      const { schema, data } = batch
      return {
        ...batch,
        schema: { fields: of(schema.fields) },
        data: { children: of(data.children) },
      }
    }
    const orders = Array.from({ length: 12 }, (_, index) => sold(`${index}`, told))
    const untold = orders.map(({ id }) => ({ id, currency: "USD", items: [item] }))
    const isBare = [true, false, true, false, true, true]
    const rules = RuleSet.make([
      {
        ...{ id: "g1", collaboratorId: "ada", percent: 10, amount: 7 },
        link: { type: "products.tag", values: ["art"] },
      },
      { id: "g2", collaboratorId: "bob", link: { type: "products.all" }, percent: 5 },
    ])
    const policy = SplitPolicy.make({ cost: "deduct", shipping: "share", tax: "remove" })
    const batches = isBare.map((is, index) => {
      const batch = ColumnBatch.ofOrders(orders.slice(index * 2, index * 2 + 2))
      return is ? bare(batch) : batch
    })
    const expected = orders.map((order, index) =>
      isBare[index >> 1] ? (untold[index] ?? order) : order,
    )
    expect(inBulk(rules, batches, policy)).toEqual(byCore(rules, expected, policy))
  })
})

describe("what is remembered of sales stays bounded", () => {
  // So long an id that twenty-seven of them are more than is remembered.
  const longId = "0".repeat(2_500_000)
  const sold = (index: number, externalId: string): Order.Order => ({
    ...{ id: `${index}`, currency: "USD", tags: ["new"] },
    items: [
      { ...item, amount: 1_000 + index, product: { id: "mug", externalId, vendor: "potter" } },
    ],
  })
  const usual = (from: number) => [sold(from, "7"), sold(from + 1, "7")]
  const rare = Array.from({ length: 28 }, (_, index) => sold(10 + index, `${index}${longId}`))
  const rules = RuleSet.make([
    { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
    {
      ...{ id: "g2", collaboratorId: "bob", percent: 5 },
      link: { type: "products.vendor", values: ["potter"] },
      condition: { type: "order.tag", values: ["new"] },
    },
  ])
  const isUsual = ({ externalId }: Product.Product) => externalId === "7"

  it("when it has become much, all is forgotten and learnt anew, and every line comes out the same", () => {
    const orders = [...usual(1), ...rare, ...usual(100)]
    const expected = byCore(rules, orders, defaults)
    const linked = vi.spyOn(RuleSet, "linkedGroups")
    expect(inBulk(rules, [ColumnBatch.ofOrders(orders)], defaults)).toEqual(expected)
    expect(linked.mock.calls.filter(([, product]) => isUsual(product))).toHaveLength(2)
    linked.mockRestore()
  })

  const inBatchesOfOne = () => {
    const orders = [...usual(1), ...rare, ...usual(100)]
    const ofOne = rare.map((order) => asCodes(ColumnBatch.ofOrders([order])))
    const [first, last] = [ColumnBatch.ofOrders(usual(1)), ColumnBatch.ofOrders(usual(100))]
    const expected = byCore(rules, orders, defaults)
    const linked = vi.spyOn(RuleSet, "linkedGroups")
    expect(inBulk(rules, [first, ...ofOne, last], defaults)).toEqual(expected)
    expect(linked.mock.calls.filter(([, product]) => isUsual(product))).toHaveLength(2)
    linked.mockRestore()
  }
  // Seconds of long ids.
  if (isWhole) it("also where each batch has one order only", inBatchesOfOne)
})
