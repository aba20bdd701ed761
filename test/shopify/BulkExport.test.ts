import { RuleSet, Split } from "apportion"
import { BulkExport, Sale } from "apportion/shopify"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"

// One order, written as the REST API writes it and as the GraphQL API does.

interface Money {
  readonly cents: number
}

interface Line {
  readonly quantity: number
  readonly price: Money
  readonly discounts: ReadonlyArray<Money>
  readonly taxes: ReadonlyArray<Money>
  readonly isGiftCard: boolean
  readonly isCustom: boolean
}

interface Shipping {
  readonly price: Money
  readonly discounts: ReadonlyArray<Money>
  readonly taxes: ReadonlyArray<Money>
  readonly isRemoved: boolean
}

interface Back {
  readonly lines: ReadonlyArray<{
    readonly line: number
    readonly quantity: number
    readonly subtotal: Money
    readonly tax: Money
  }>
  readonly shipping: Money | undefined
  readonly discrepancy: Money | undefined
  readonly status: string
  readonly paid: Money
}

interface Sold {
  readonly lines: ReadonlyArray<Line>
  readonly shipping: ReadonlyArray<Shipping>
  readonly refunds: ReadonlyArray<Back>
  readonly status: string
  readonly isTest: boolean
  readonly isCancelled: boolean
  readonly taxesIncluded: boolean
  readonly codes: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly customer: ReadonlyArray<string> | undefined
  readonly country: string | undefined
}

const money = (most: number): fc.Arbitrary<Money> =>
  fc.record({ cents: fc.integer({ min: 0, max: most }) })

const few = <A>(one: fc.Arbitrary<A>, most = 2) => fc.array(one, { maxLength: most })

const line: fc.Arbitrary<Line> = fc.record({
  quantity: fc.integer({ min: 1, max: 4 }),
  price: money(50_000),
  discounts: few(money(900)),
  taxes: few(money(900)),
  isGiftCard: fc.integer({ min: 0, max: 7 }).map((one) => one === 0),
  isCustom: fc.boolean(),
})

const back = fc.record({
  lines: few(
    fc.record({
      line: fc.nat(2),
      quantity: fc.integer({ min: 0, max: 3 }),
      subtotal: money(50_000),
      tax: money(900),
    }),
  ),
  shipping: fc.option(money(900), { nil: undefined }),
  discrepancy: fc.option(money(900), { nil: undefined }),
  status: fc.constantFrom("success", "success", "failure"),
  paid: money(60_000),
})

const sold: fc.Arbitrary<Sold> = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  shipping: few(
    fc.record({
      price: money(2_000),
      discounts: few(money(100), 1),
      taxes: few(money(100), 1),
      isRemoved: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
    }),
  ),
  refunds: few(back),
  status: fc.constantFrom("paid", "paid", "partially_refunded", "refunded", "pending", "voided"),
  isTest: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  isCancelled: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  taxesIncluded: fc.boolean(),
  codes: few(fc.constantFrom("TEN", "spring")),
  tags: few(fc.constantFrom("vip", "wholesale")),
  customer: fc.option(few(fc.constantFrom("vip", "new")), { nil: undefined }),
  country: fc.option(fc.constantFrom("US", "DE"), { nil: undefined }),
})

const text = ({ cents }: Money): string => (cents / 100).toFixed(2)
const sum = (all: ReadonlyArray<Money>): Money => ({
  cents: all.reduce((total, { cents }) => total + cents, 0),
})
const time = "2024-05-10T09:00:00Z"
const later = "2024-06-10T09:00:00Z"

const restSet = (amount: Money) => ({ shop_money: { amount: text(amount), currency_code: "USD" } })

/** As the REST API writes it. */
const inRest = (order: Sold) => ({
  ...{ id: 1, name: "#1001", currency: "USD", created_at: time, test: order.isTest },
  cancelled_at: order.isCancelled ? later : null,
  financial_status: order.status,
  taxes_included: order.taxesIncluded,
  tags: order.tags.join(", "),
  discount_codes: order.codes.map((code) => ({ code })),
  total_discounts: text(
    sum([...order.lines, ...order.shipping].flatMap(({ discounts }) => discounts)),
  ),
  total_tax: text(sum([...order.lines, ...order.shipping].flatMap(({ taxes }) => taxes))),
  ...(order.customer === undefined ? {} : { customer: { tags: order.customer.join(", ") } }),
  billing_address: order.country === undefined ? null : { country_code: order.country },
  line_items: order.lines.map((one, index) => ({
    ...{ id: 10 + index, title: "Print", vendor: "North", sku: null, taxable: true },
    product_id: one.isCustom ? null : 70 + index,
    variant_id: one.isCustom ? null : 80 + index,
    ...{ gift_card: one.isGiftCard, quantity: one.quantity, price: text(one.price) },
    discount_allocations: one.discounts.map((amount) => ({ amount: text(amount) })),
    tax_lines: one.taxes.map((price) => ({ title: "VAT", rate: 0.1, price: text(price) })),
  })),
  shipping_lines: order.shipping.map((one) => ({
    ...{ price: text(one.price), is_removed: one.isRemoved },
    discount_allocations: one.discounts.map((amount) => ({ amount: text(amount) })),
    tax_lines: one.taxes.map((price) => ({ title: "VAT", rate: 0.1, price: text(price) })),
  })),
  refunds: order.refunds.map((one, index) => ({
    ...{ id: 500 + index, order_id: 1, created_at: later },
    refund_line_items: one.lines.map(({ line: at, quantity, subtotal, tax }) => ({
      line_item_id: 10 + (at % order.lines.length),
      ...{ quantity, subtotal: text(subtotal), total_tax: text(tax) },
    })),
    transactions: [{ kind: "refund", status: one.status, amount: text(one.paid), currency: "USD" }],
    order_adjustments:
      one.discrepancy === undefined
        ? []
        : [{ kind: "refund_discrepancy", amount: text(one.discrepancy), tax_amount: "0.00" }],
    refund_shipping_lines:
      one.shipping === undefined
        ? []
        : [
            {
              subtotal_amount_set: restSet(one.shipping),
              tax_amount_set: restSet({ cents: 0 }),
              shipping_line: { is_removed: false },
            },
          ],
  })),
})

const bag = (amount: Money) => ({ shopMoney: { amount: text(amount), currencyCode: "USD" } })
const allocation = (amount: Money) => ({ allocatedAmountSet: bag(amount) })
const tax = (price: Money) => ({ title: "VAT", rate: 0.1, priceSet: bag(price) })

const lineNode = (one: Line, index: number) => ({
  ...{ id: `gid://shopify/LineItem/${10 + index}`, title: "Print", vendor: "North", sku: null },
  product: one.isCustom ? null : { id: `gid://shopify/Product/${70 + index}` },
  variant: one.isCustom ? null : { id: `gid://shopify/ProductVariant/${80 + index}` },
  ...{ taxable: true, isGiftCard: one.isGiftCard, quantity: one.quantity },
  originalUnitPriceSet: bag(one.price),
  discountAllocations: one.discounts.map(allocation),
  taxLines: one.taxes.map(tax),
})

const shippingNode = (one: Shipping, index: number) => ({
  ...{ id: `gid://shopify/ShippingLine/${30 + index}`, isRemoved: one.isRemoved },
  originalPriceSet: bag(one.price),
  discountAllocations: one.discounts.map(allocation),
  taxLines: one.taxes.map(tax),
})

const refundNode = (order: Sold) => (one: Back, index: number) => ({
  ...{ id: `gid://shopify/Refund/${500 + index}`, createdAt: later },
  refundLineItems: {
    edges: one.lines.map(({ line: at, quantity, subtotal, tax: taxed }) => ({
      node: {
        lineItem: { id: `gid://shopify/LineItem/${10 + (at % order.lines.length)}` },
        ...{ quantity, subtotalSet: bag(subtotal), totalTaxSet: bag(taxed) },
      },
    })),
  },
  transactions: {
    nodes: [{ kind: "REFUND", status: one.status.toUpperCase(), amountSet: bag(one.paid) }],
  },
  orderAdjustments: {
    nodes:
      one.discrepancy === undefined
        ? []
        : [{ amountSet: bag(one.discrepancy), taxAmountSet: bag({ cents: 0 }) }],
  },
  refundShippingLines: {
    nodes:
      one.shipping === undefined
        ? []
        : [
            {
              ...{ subtotalAmountSet: bag(one.shipping), taxAmountSet: bag({ cents: 0 }) },
              shippingLine: { isRemoved: false },
            },
          ],
  },
})

/** The order's own line of a bulk operation's file. */
const orderNode = (order: Sold) => ({
  ...{ id: "gid://shopify/Order/1", name: "#1001", currencyCode: "USD", createdAt: time },
  ...{ test: order.isTest, cancelledAt: order.isCancelled ? later : null },
  displayFinancialStatus: order.status.toUpperCase(),
  ...{ taxesIncluded: order.taxesIncluded, tags: order.tags, discountCodes: order.codes },
  totalDiscountsSet: bag(
    sum([...order.lines, ...order.shipping].flatMap(({ discounts }) => discounts)),
  ),
  totalTaxSet: bag(sum([...order.lines, ...order.shipping].flatMap(({ taxes }) => taxes))),
  totalTipReceivedSet: bag({ cents: 0 }),
  totalShippingPriceSet: bag(sum(order.shipping.map(({ price }) => price))),
  customer: order.customer === undefined ? null : { tags: order.customer },
  billingAddress: order.country === undefined ? null : { countryCodeV2: order.country },
  refunds: order.refunds.map(refundNode(order)),
})

const nested = (order: Sold) => ({
  ...orderNode(order),
  lineItems: { nodes: order.lines.map(lineNode) },
  shippingLines: {
    edges: order.shipping.map((one, index) => ({ node: shippingNode(one, index) })),
  },
})

/** The lines beneath the order: those of its lists. */
const beneath = (order: Sold) =>
  [...order.lines.map(lineNode), ...order.shipping.map(shippingNode)].map((node) => ({
    ...node,
    __parentId: "gid://shopify/Order/1",
  }))

const rules = RuleSet.make([
  { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "12.50" },
  {
    ...{ id: "g2", collaboratorId: "bo", link: { type: "products.vendor", values: ["North"] } },
    condition: { type: "order.tag", values: ["vip"] },
    percent: "7.25",
  },
])

/** What can be compared: what was read, or what was wrong. */
const told = (sale: ReturnType<typeof Sale.read>) =>
  Result.isSuccess(sale)
    ? { ...sale.success, refunds: sale.success.refunds.map(withoutNodes) }
    : sale.failure.message

/** Of money that reverses nothing, its place and the words. */
const withoutNodes = (reading: Sale.Sale["refunds"][number]) => {
  if (Result.isFailure(reading)) return reading.failure.message
  const { notRead, ...rest } = reading.success
  return { ...rest, notRead: notRead.map(({ path, message }) => [path, message]) }
}

describe("An order of Shopify's GraphQL API", () => {
  test("comes to the same cents as the same order of the REST API, nested and line by line", () => {
    let refunds = 0
    let sales = 0
    fc.assert(
      fc.property(sold, (order) => {
        const rest = Sale.read(inRest(order))
        const joined = BulkExport.join(orderNode(order), beneath(order))
        const readings = [nested(order), Result.getOrThrow(joined)].map((one) =>
          BulkExport.read(JSON.parse(JSON.stringify(one))),
        )
        for (const reading of readings) expect(told(reading)).toEqual(told(rest))
        if (Result.isFailure(rest)) return
        sales += 1
        refunds += rest.success.refunds.filter(Result.isSuccess).length
        const [split] = [rest.success.order].map((one) => Split.orderResult(rules, one))
        for (const reading of readings) {
          const read = Result.getOrThrow(reading)
          expect(Split.orderResult(rules, read.order)).toEqual(split)
        }
      }),
      runs(400, 80),
    )
    expect(sales).toBeGreaterThan(5)
    expect(refunds).toBeGreaterThan(5)
  })

  const plain: Sold = {
    lines: [
      {
        ...{ quantity: 1, price: { cents: 1_000 }, discounts: [{ cents: 5 }] },
        ...{ taxes: [{ cents: 7 }], isGiftCard: false, isCustom: false },
      },
    ],
    shipping: [{ price: { cents: 300 }, discounts: [], taxes: [], isRemoved: false }],
    refunds: [
      {
        lines: [{ line: 0, quantity: 1, subtotal: { cents: 995 }, tax: { cents: 7 } }],
        ...{ shipping: { cents: 5 }, discrepancy: undefined, status: "success" },
        paid: { cents: 1_000 },
      },
    ],
    ...{ status: "paid", isTest: false, isCancelled: false, taxesIncluded: true },
    ...{ codes: [], tags: [], customer: undefined, country: undefined },
  }

  const pathsOf = (input: unknown) => {
    const reading = BulkExport.read(input)
    if (Result.isSuccess(reading)) return []
    return "problems" in reading.failure ? reading.failure.problems.map(({ path }) => path) : []
  }

  test.each([
    ...["createdAt", "cancelledAt", "test", "displayFinancialStatus", "taxesIncluded", "tags"],
    ...["discountCodes", "refunds", "currencyCode", "totalDiscountsSet", "totalTaxSet"],
    ...["totalTipReceivedSet", "totalShippingPriceSet", "lineItems", "shippingLines"],
  ])("is refused without %s, by that name", (name) => {
    expect(pathsOf(nested(plain))).toEqual([])
    const without = { ...nested(plain), [name]: undefined }
    expect(pathsOf(JSON.parse(JSON.stringify(without)))).toContain(name)
  })

  test.each(["discountAllocations", "taxLines", "originalUnitPriceSet", "isGiftCard", "product"])(
    "is refused when its lines have no %s",
    (name) => {
      const [line_] = plain.lines.map(lineNode)
      const input = { ...nested(plain), lineItems: [{ ...line_, [name]: undefined }] }
      expect(pathsOf(JSON.parse(JSON.stringify(input)))).toContain(`lineItems[0].${name}`)
    },
  )

  test.each(["refundLineItems", "transactions", "orderAdjustments", "refundShippingLines"])(
    "is refused when its refunds have no %s, as in a bulk operation",
    (name) => {
      const [refund] = plain.refunds.map(refundNode(plain))
      const input = { ...nested(plain), refunds: [{ ...refund, [name]: undefined }] }
      expect(pathsOf(JSON.parse(JSON.stringify(input)))).toContain(`refunds[0].${name}`)
    },
  )

  test("is refused when there is a further page of its lines", () => {
    const lineItems = { nodes: plain.lines.map(lineNode), pageInfo: { hasNextPage: true } }
    expect(pathsOf({ ...nested(plain), lineItems })).toEqual(["lineItems.pageInfo"])
  })

  test("is joined with children of its children, and not with those of others", () => {
    const parent = { id: "gid://shopify/LineItem/2", __parentId: "gid://shopify/Order/1" }
    const child = { allocatedAmountSet: bag({ cents: 5 }), __parentId: parent.id }
    const joined = BulkExport.join({ id: "gid://shopify/Order/1" }, [parent, child])
    expect(Result.getOrThrow(joined)).toEqual({
      id: "gid://shopify/Order/1",
      lineItems: [{ ...parent, discountAllocations: [child] }],
    })
    const apart = BulkExport.join({ id: "gid://shopify/Order/1" }, [child, parent])
    expect(Result.getOrThrow(Result.flip(apart)).problems).toMatchObject([{ path: "__parentId" }])
  })
})
