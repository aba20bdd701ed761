import { Allocation, Order as CoreOrder } from "apportion"
import { NotASale, Order, Unreadable } from "apportion/stripe"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { invoice, invoiceLine, product, session, sessionLine, withoutLines } from "./Documents.js"

const read = (document: unknown, options: Order.ReadOptions = {}) =>
  Result.getOrThrow(Order.read(document, options))

/** Where a document is refused. */
const pathsOf = (document: unknown): ReadonlyArray<string> => {
  const result = Order.read(document)
  if (Result.isSuccess(result) || !(result.failure instanceof Unreadable)) return []
  return result.failure.problems.map(({ path }) => path)
}

const reasonOf = (document: unknown) => {
  const result = Order.read(document)
  return Result.isFailure(result) && result.failure instanceof NotASale
    ? result.failure.reason
    : undefined
}

/** What an item brings in without tax. */
const netOf = ({ amount, discount = 0, taxTotal }: CoreOrder.OrderItem, withTax = false) =>
  amount - discount - (withTax ? (taxTotal ?? 0) : 0)

describe("a checkout session", () => {
  test("is an order of its lines, with the ids of Stripe", () => {
    const order = read(session("cs_1", [sessionLine("li_1"), sessionLine("li_2")]))
    expect(order).toMatchObject({
      ...{ id: "cs_1", currency: "USD", createdAt: 1_714_550_400, billingCountry: "DE" },
      ...{ taxesIncluded: false, shippingAmount: 0 },
      details: { customerEmail: "buyer@example.com", status: "paid" },
    })
    expect(order.items.map(({ id, quantity, amount }) => [id, quantity, amount])).toEqual([
      ["li_1", 2, 4_000],
      ["li_2", 2, 4_000],
    ])
    expect(order.items[0]?.product).toMatchObject({
      ...{ id: "prod_li_1", externalId: "prod_li_1", externalVariantId: "price_li_1" },
      name: "A print",
    })
    expect(CoreOrder.parse(order)._tag).toBe("Success")
  })

  test("has the tags, vendor and SKU of an expanded product's metadata, and of itself tags and referers", () => {
    const price = { id: "price_1", product: product("prod_1") }
    const metadata = { tags: "b2b", utm_source: "blog", referer: "north.example" }
    const order = read(session("cs_1", [sessionLine("li_1", { price })], { metadata }))
    expect(order.items[0]?.product).toMatchObject({
      ...{ id: "prod_1", name: "Product prod_1", vendor: "North", sku: "N-1" },
      tags: ["art", "wall"],
    })
    expect(order).toMatchObject({ tags: ["b2b"], referers: ["north.example", "blog"] })
  })

  test("has promotion codes and coupons as discount codes, expanded or not, in either API version", () => {
    const discounts = [
      { promotion_code: { id: "promo_1", code: "SPRING10" }, coupon: "ten" },
      { promotion_code: "promo_2", source: { type: "coupon", coupon: { id: "five" } } },
    ]
    const order = read(session("cs_1", [sessionLine("li_1")], { discounts }))
    expect(order.discountCodes).toEqual(["SPRING10", "promo_1", "ten", "promo_2", "five"])
  })

  test("has tax in its amounts if it is inclusive, and none if it comes on top", () => {
    const inPrice = { amount_subtotal: 1_190, amount_tax: 190, amount_total: 1_190 }
    const onTop = { amount_subtotal: 1_000, amount_tax: 190, amount_total: 1_190 }
    const shipping_cost = { amount_subtotal: 595, amount_tax: 95, amount_total: 595 }
    const changes = { shipping_cost, amount_total: 1_785 }
    expect(read(session("cs_1", [sessionLine("li_1", inPrice)], changes))).toMatchObject({
      ...{ taxesIncluded: true, shippingAmount: 595, shippingTax: 95 },
      items: [{ amount: 1_190, taxTotal: 190 }],
    })
    expect(read(session("cs_1", [sessionLine("li_1", onTop)]))).toMatchObject({
      ...{ taxesIncluded: false, items: [{ amount: 1_000, taxTotal: 190 }] },
    })
    // The shipping's is in it, that of the line on top: no amount has it then.
    const mixed = read(session("cs_1", [sessionLine("li_1", onTop)], changes))
    expect(mixed).toMatchObject({ taxesIncluded: false, shippingAmount: 500, shippingTax: 95 })
  })

  test("whose tax on top was rounded for all lines together brings in what was paid, to the unit", () => {
    const figures = { amount_subtotal: 1_005, amount_tax: 191, amount_total: 1_196 }
    const lines = [1, 2].map((id) => sessionLine(`li_${id}`, figures))
    const order = read(session("cs_1", lines, { amount_total: 2_391 }))
    const taxes = order.items.map(({ taxTotal }) => taxTotal)
    expect([order.items.map(({ amount }) => amount), taxes]).toEqual([
      [1_005, 1_005],
      [190, 191],
    ])
    expect(pathsOf(session("cs_1", lines, { amount_total: 2_389 }))).toEqual(["amount_total"])
    const inclusive = { amount_subtotal: 1_196, amount_tax: 191, amount_total: 1_196 }
    const priced = [1, 2].map((id) => sessionLine(`li_${id}`, inclusive))
    expect(pathsOf(session("cs_1", priced, { amount_total: 2_391 }))).toEqual(["amount_total"])
  })

  test("of which lines are missing, or only begun, is refused, and says how to get them", () => {
    const whole = session("cs_1", [sessionLine("li_1")])
    expect(pathsOf(withoutLines(whole))).toEqual(["line_items"])
    const begun = { ...whole, line_items: { ...whole.line_items, has_more: true } }
    expect(pathsOf(begun)).toEqual(["line_items.has_more"])
    const message = Result.getFailure(Order.read(withoutLines(whole)))
    expect(JSON.stringify(message)).toContain("GET /v1/checkout/sessions/cs_1?expand[]=line_items")
  })

  test("that does not add up, or has a line of another currency, is refused with its path", () => {
    const line = sessionLine("li_1")
    expect(pathsOf(session("cs_1", [line], { amount_total: 4_001 }))).toEqual(["amount_total"])
    expect(pathsOf(session("cs_1", [sessionLine("li_1", { amount_total: 3_999 })]))).toEqual([
      "line_items.data[0].amount_total",
    ])
    expect(pathsOf(session("cs_1", [sessionLine("li_1", { currency: "eur" })]))).toEqual([
      "line_items.data[0].currency",
    ])
    expect(pathsOf(session("cs_1", [sessionLine("li_1", { amount_discount: undefined })]))).toEqual(
      ["line_items.data[0].amount_discount"],
    )
  })

  test("is no sale while it is open or unpaid, when it has expired, sells nothing or is of the test mode", () => {
    const lines = [sessionLine("li_1")]
    expect(reasonOf(session("cs_1", lines, { status: "open" }))).toBe("unpaid")
    expect(reasonOf(session("cs_1", lines, { payment_status: "unpaid" }))).toBe("unpaid")
    expect(reasonOf(session("cs_1", lines, { status: "expired" }))).toBe("cancelled")
    expect(reasonOf(session("cs_1", lines, { mode: "setup" }))).toBe("nothing to share")
    const tried = session("cs_1", lines, { livemode: false })
    expect(reasonOf(tried)).toBe("test")
    expect(read(tried, { include: ["test"] }).id).toBe("cs_1")
    const unpaid = Order.read({ ...tried, payment_status: "unpaid" }, { include: ["test"] })
    expect(Result.isFailure(unpaid) && unpaid.failure).toMatchObject({ reason: "unpaid" })
    expect(reasonOf(session("cs_1", lines, { payment_status: "no_payment_required" }))).toBe(
      undefined,
    )
  })

  test.each([
    ["jpy", 500, 500],
    ["usd", 500, 500],
    ["kwd", 5_000, 5_000],
    ["isk", 50_000, 500],
    ["ugx", 50_000, 500],
    ["mga", 500, 50_000],
  ])(
    "in %s has %i of Stripe's units as %i of the lowest unit of the currency",
    (currency, sent, amount) => {
      const figures = { amount_subtotal: sent, amount_total: sent, currency }
      const order = read(session("cs_1", [sessionLine("li_1", figures)], { currency }))
      expect(order.items[0]?.amount).toBe(amount)
    },
  )

  test("in a currency without decimals that Stripe writes with them is refused if they are not 0", () => {
    const figures = { amount_subtotal: 1_050, amount_total: 1_050, currency: "ugx" }
    const document = session("cs_1", [sessionLine("li_1", figures)], { currency: "ugx" })
    expect(pathsOf(document)).toContain("line_items.data[0].amount_subtotal")
  })
})

describe("an invoice", () => {
  test("is an order of its lines in either API version: pricing, price or plan; taxes or tax_amounts", () => {
    const older = {
      ...{ pricing: undefined, taxes: undefined, price: { id: "price_1", product: "prod_1" } },
      ...{ amount: 1_190, tax_amounts: [{ amount: 190, inclusive: true }] },
    }
    const newer = {
      pricing: { type: "price_details", price_details: { price: "price_1", product: "prod_1" } },
      ...{ amount: 1_190, taxes: [{ amount: 190, tax_behavior: "inclusive" }] },
    }
    const oldest = { ...older, price: undefined, plan: { id: "price_1", product: "prod_1" } }
    const [one, ...others] = [newer, older, oldest].map((changes) =>
      read(invoice("in_1", [invoiceLine("il_1", changes)])),
    )
    expect(one).toMatchObject({
      ...{
        id: "in_1",
        taxesIncluded: true,
        billingCountry: "US",
        details: { orderName: "N-0001" },
      },
      items: [{ id: "il_1", amount: 1_190, taxTotal: 190, product: { id: "prod_1" } }],
    })
    for (const other of others) expect(other).toEqual(one)
  })

  test("has negative lines for prorations", () => {
    const credit = invoiceLine("il_1", { amount: -1_500 })
    const charge = invoiceLine("il_2", { amount: 4_000 })
    const order = read(invoice("in_1", [credit, charge]))
    expect(order.items.map(({ amount }) => amount)).toEqual([-1_500, 4_000])
    expect(CoreOrder.parse(order)._tag).toBe("Success")
  })

  test("has its own discounts in those of the lines, and divides over them one that is in none", () => {
    const discounted = invoiceLine("il_1", {
      discount_amounts: [{ amount: 300, discount: "di_1" }],
    })
    const discounts = [{ id: "di_1", coupon: { id: "TEN" }, promotion_code: null }]
    const within = read(invoice("in_1", [discounted], { discounts, total: 2_700 }))
    expect(within).toMatchObject({ items: [{ discount: 300 }], discountCodes: ["TEN"] })
    const bare = { discount_amounts: undefined }
    const beside = read(
      invoice(
        "in_1",
        [invoiceLine("il_1", bare), invoiceLine("il_2", { ...bare, amount: 1_000 })],
        {
          ...{ total_discount_amounts: [{ amount: 400 }], total: 3_600 },
        },
      ),
    )
    expect(beside.items.map(({ discount }) => discount)).toEqual([300, 100])
  })

  test("counts billing credits as a discount, and the discounts beside them once", () => {
    const credits = [
      { amount: 500, type: "credit_balance_transaction" },
      { amount: 300, type: "discount" },
    ]
    const line = { pretax_credit_amounts: credits, discount_amounts: [{ amount: 300 }] }
    const order = read(invoice("in_1", [invoiceLine("il_1", line)], { total: 2_200 }))
    expect(order.items[0]?.discount).toBe(800)
  })

  test("is no sale until it is paid, nor when it was voided", () => {
    const reasons = ["draft", "open", "uncollectible", "void", "paid"].map((status) =>
      reasonOf(invoice("in_1", [invoiceLine("il_1")], { status })),
    )
    expect(reasons).toEqual(["draft", "unpaid", "unpaid", "voided", undefined])
  })

  test("of an unknown shape is refused with its path", () => {
    const lines = [invoiceLine("il_1", { pricing: { type: "auction" } })]
    expect(pathsOf(invoice("in_1", lines))).toEqual(["lines.data[0].pricing.type"])
    const odd = [invoiceLine("il_1", { taxes: [{ amount: 1, tax_behavior: "odd" }] })]
    expect(pathsOf(invoice("in_1", odd))).toContain("lines.data[0].taxes[0].tax_behavior")
    expect(pathsOf(invoice("in_1", [invoiceLine("il_1")], { status: "lost" }))).toEqual(["status"])
    const begun = { lines: { data: [invoiceLine("il_1")], has_more: true } }
    expect(pathsOf(invoice("in_1", [invoiceLine("il_1")], begun))).toEqual(["lines.has_more"])
  })
})

test("another object of Stripe, or none, is refused", () => {
  expect(pathsOf({ id: "ch_1", object: "charge", status: "succeeded" })).toContain("object")
  expect(pathsOf({ id: "cs_1" })).toContain("object")
  expect(pathsOf("cs_1")).toEqual([""])
})

describe("whatever is charged", () => {
  const amounts = fc.oneof(
    fc.integer({ min: 0, max: 100_000 }),
    fc.integer({ min: 0, max: 999_999_999_999 }),
  )
  const drawn = fc.record({
    price: amounts,
    discounted: fc.integer({ min: 0, max: 100 }),
    taxed: fc.integer({ min: 0, max: 30 }),
    behavior: fc.constantFrom("in", "on top", "none"),
    quantity: fc.integer({ min: 1, max: 20 }),
  })
  const part = (amount: number, percent: number) =>
    Number((BigInt(amount) * BigInt(percent)) / 100n)
  const chargedOf = (one: {
    readonly price: number
    readonly discounted: number
    readonly taxed: number
    readonly behavior: string
  }) => {
    const discount = part(one.price, one.discounted)
    const tax = one.behavior === "none" ? 0 : part(one.price - discount, one.taxed)
    const total = one.price - discount + (one.behavior === "on top" ? tax : 0)
    return { discount, tax, total, net: total - tax }
  }

  test("a session's order brings in what was paid without tax, line by line, and with it in all", () => {
    let mixed = 0
    const property = fc.property(
      fc.array(drawn, { minLength: 1, maxLength: 6 }),
      drawn,
      (all, ship) => {
        const lines = all.map((one, index) => {
          const { discount, tax, total } = chargedOf(one)
          return sessionLine(`li_${index}`, {
            ...{ quantity: one.quantity, amount_subtotal: one.price, amount_discount: discount },
            ...{ amount_tax: tax, amount_total: total },
          })
        })
        const shipping = chargedOf({ ...ship, discounted: 0 })
        const shipping_cost = {
          ...{
            amount_subtotal: ship.price,
            amount_tax: shipping.tax,
            amount_total: shipping.total,
          },
        }
        const amount_total = lines.reduce((sum, line) => sum + line.amount_total, shipping.total)
        const order = read(session("cs_1", lines, { shipping_cost, amount_total }))
        const { taxesIncluded, shippingAmount = 0, shippingTax = 0 } = order
        const nets = order.items.map((item) => netOf(item, taxesIncluded))
        expect(nets).toEqual(all.map((one) => chargedOf(one).net))
        expect(shippingAmount - (taxesIncluded ? shippingTax : 0)).toBe(shipping.net)
        const taxes = order.items.reduce((sum, { taxTotal }) => sum + (taxTotal ?? 0), shippingTax)
        const paid = nets.reduce((sum, net) => sum + net, shipping.net + taxes)
        expect(paid).toBe(amount_total)
        const kinds = [...all, ship].filter((one) => chargedOf(one).tax > 0)
        if (new Set(kinds.map(({ behavior }) => behavior)).size > 1) mixed += 1
        expect(CoreOrder.parse(order)._tag).toBe("Success")
      },
    )
    fc.assert(property, runs(300, 60))
    expect(mixed).toBeGreaterThan(runs(300, 60).numRuns / 10)
  })

  test("an invoice's discount beside its lines is divided over them to the unit", () => {
    const nets = fc.array(amounts, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(nets, fc.integer({ min: 0, max: 100 }), (all, percent) => {
        const sum = all.reduce((before, one) => before + one, 0)
        const amount = part(sum, percent)
        const lines = all.map((one, index) =>
          invoiceLine(`il_${index}`, { amount: one, discount_amounts: undefined }),
        )
        const total = sum - amount
        const changes = { total_discount_amounts: [{ amount }], total }
        const order = read(invoice("in_1", lines, changes))
        const discounts = order.items.map(({ discount }) => discount)
        expect(discounts).toEqual(Allocation.allocate(amount, all))
      }),
      runs(100),
    )
  })
})
