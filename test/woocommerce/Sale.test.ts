import { Order, Refund, recognise, Sale } from "apportion/woocommerce"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const line = {
  id: 315,
  name: "Print",
  product_id: 93,
  variation_id: 94,
  quantity: 2,
  subtotal: "20.00",
  subtotal_tax: "3.80",
  total: "18.00",
  total_tax: "3.42",
  sku: "PR",
}

const order = {
  id: 727,
  order_key: "wc_order_58d2d042d1d",
  status: "processing",
  currency: "EUR",
  date_created_gmt: "2017-03-22T19:28:02",
  date_modified_gmt: "2017-03-23T00:00:00",
  prices_include_tax: false,
  shipping_total: "10.00",
  shipping_tax: "1.90",
  billing: { first_name: "John", last_name: "Doe", country: "DE", email: "john@example.com" },
  payment_method_title: "Bank transfer",
  coupon_lines: [{ id: 1, code: "spring", discount: "2.00" }],
  line_items: [line],
  fee_lines: [],
  refunds: [],
}

const saleOf = (changes: object = {}, options: Order.ReadOptions = {}) =>
  Result.getOrThrow(Sale.read({ ...order, ...changes }, options))
const orderOf = (changes: object = {}) => saleOf(changes).order
const partsOf = (refund: object, changes: object = {}) => {
  const dated = { date_created_gmt: "2017-03-24T00:00:00", ...refund }
  const reading = Result.getOrThrow(Refund.read(dated, { order: orderOf(changes) }))
  const parts = reading.refunds.map(({ itemId, quantity, amount }) => [itemId, quantity, amount])
  return [parts, reading.notRead.map(({ message }) => message)]
}
const refunded = (quantity: number, total: string, total_tax: string) => ({
  id: 1,
  product_id: 93,
  quantity,
  total,
  total_tax,
  meta_data: [{ key: "_refunded_item_id", value: "315" }],
})

describe("an order of WooCommerce", () => {
  it("has its lines before their discount, and tax on top where prices are without it", () => {
    const { items, ...rest } = orderOf()
    expect(items).toMatchObject([
      {
        id: "315",
        product: { id: "93", externalVariantId: "94", name: "Print", sku: "PR" },
        quantity: 2,
        amount: 2_000,
        discount: 200,
        taxTotal: 342,
      },
    ])
    expect(rest).toMatchObject({
      id: "727",
      currency: "EUR",
      createdAt: 1_490_210_882,
      taxesIncluded: false,
      shippingAmount: 1_000,
      shippingTax: 190,
      discountCodes: ["spring"],
      billingCountry: "DE",
    })
  })

  it("has the tax in its amounts where prices are with it", () => {
    const { items, taxesIncluded, shippingAmount } = orderOf({ prices_include_tax: true })
    expect(items).toMatchObject([{ amount: 2_380, discount: 238, taxTotal: 342 }])
    expect([taxesIncluded, shippingAmount]).toEqual([true, 1_190])
  })

  it("is rounded once for each line, however many decimals the shop keeps", () => {
    const fine = { ...line, subtotal: "8.403361", subtotal_tax: "1.596639", total: "8.403361" }
    const included = { prices_include_tax: true, line_items: [{ ...fine, total_tax: "1.596639" }] }
    expect(orderOf(included).items).toMatchObject([{ amount: 1_000, discount: 0, taxTotal: 160 }])
    const yen = { currency: "JPY", line_items: [{ ...line, subtotal: "700.00", total: "700.00" }] }
    expect(orderOf(yen).items[0]?.amount).toBe(700)
  })

  it("shares its fees with nobody, and takes a fee below 0 for a discount", () => {
    const fees = [
      { id: 5, name: "Packing", total: "3.00", total_tax: "0.00" },
      { id: 6, name: "Loyalty", total: "-1.00", total_tax: "0.00" },
    ]
    const { leftOut, order: read } = saleOf({ fee_lines: fees })
    expect(leftOut).toEqual([{ itemId: "5", what: "fee", amount: 300 }])
    expect(read.items[0]?.discount).toBe(300)
  })

  it("knows where the buyer came from", () => {
    const meta_data = [
      { key: "_wc_order_attribution_utm_source", value: "sam-blog" },
      { key: "_wc_order_attribution_referrer", value: "https://blog.example/post" },
      { key: "is_vat_exempt", value: "no" },
    ]
    expect(orderOf({ meta_data }).referers).toEqual([
      "sam-blog",
      "https://blog.example/post",
      "blog.example",
    ])
  })

  it.each([
    ["pending", "unpaid"],
    ["on-hold", "unpaid"],
    ["failed", "unpaid"],
    ["cancelled", "cancelled"],
    ["trash", "cancelled"],
    ["checkout-draft", "draft"],
  ] as const)("that is %s is no sale", (status, reason) => {
    const result = Order.read({ ...order, status })
    expect(
      Result.isFailure(result) && result.failure._tag === "NotASale" && result.failure.reason,
    ).toBe(reason)
    expect(Result.isSuccess(Order.read({ ...order, status }, { include: [reason] }))).toBe(true)
  })

  it("tells all of its problems with their places", () => {
    const broken = {
      ...order,
      currency: "EURO",
      line_items: [{ ...line, total: "all", quantity: 1.5 }],
    }
    const result = Order.read(broken)
    const failure = Result.isFailure(result) ? result.failure : undefined
    expect(failure?._tag === "Unreadable" && failure.problems.map(({ path }) => path)).toEqual([
      "currency",
      "line_items[0].quantity",
      "line_items[0].total",
    ])
  })

  it("is refused soon, however long the text in the place of an amount is", () => {
    for (const total of [`${"1".repeat(200_000)}x`, "1".repeat(3_000_000)]) {
      const found = Sale.read({ ...order, line_items: [{ ...line, total }] })
      expect(Result.isFailure(found) && found.failure.message.slice(0, 62)).toBe(
        "the WooCommerce order can't be read: line_items[0].total: must",
      )
    }
  })

  it("with a figure or a time that is empty or none is not read as one of 0", () => {
    const pathsOf = (changes: object) => {
      const result = Order.read({ ...order, ...changes })
      const failure = Result.isFailure(result) ? result.failure : undefined
      return failure?._tag === "Unreadable" ? failure.problems.map(({ path }) => path) : []
    }
    expect(pathsOf({ line_items: [{ ...line, subtotal: "", total: null }] })).toEqual([
      "line_items[0].subtotal",
      "line_items[0].total",
    ])
    for (const date_created_gmt of [true, {}, 1.5, "soon"]) {
      expect(pathsOf({ date_created_gmt })).toEqual(["date_created_gmt"])
    }
    expect(orderOf({ date_created_gmt: null, date_created: "" }).createdAt).toBeNull()
  })

  it("is told from its refund, and from orders of other shapes", () => {
    expect(recognise(order)).toBe("order")
    expect(recognise([order])).toBe("orders")
    expect(recognise({ id: 1, refunded_by: 1, line_items: [] })).toBe("refund")
    const product = { id: 1, regular_price: "", catalog_visibility: "visible", variations: [] }
    expect(recognise(product)).toBe("product")
    expect(recognise([{ id: 2, parent_id: 1, regular_price: "5", stock_status: "x" }])).toBe(
      "products",
    )
    expect(recognise({ id: 1, currency: "USD", items: [], billing: {} })).toBeUndefined()
    expect(recognise({ id: 1, total_price: "1.00", line_items: [] })).toBeUndefined()
    expect(recognise(null)).toBeUndefined()
  })
})

describe("a refund of WooCommerce", () => {
  it("goes by units where its money is what they cost, and else by money", () => {
    const whole = { amount: "21.42", line_items: [refunded(-2, "-18.00", "-3.42")] }
    expect(partsOf(whole)).toEqual([[["315", 2, undefined]], []])
    const one = { amount: "10.71", line_items: [refunded(-1, "-9.00", "-1.71")] }
    expect(partsOf(one)).toEqual([[["315", 1, undefined]], []])
    expect(partsOf(one, { prices_include_tax: true })).toEqual([[["315", 1, undefined]], []])
    const less = { amount: "4.76", line_items: [refunded(-1, "-4.00", "-0.76")] }
    expect(partsOf(less)).toEqual([[["315", undefined, 400]], []])
  })

  it("without lines is divided over those of the order, without its tax", () => {
    expect(partsOf({ amount: "10.71", line_items: [] })).toEqual([[["315", undefined, 900]], []])
    expect(partsOf({ amount: "30.00", line_items: [] })).toEqual([
      [["315", 2, undefined]],
      ["858 cents are more than the lines cost"],
    ])
  })

  it("of another amount than its lines say is of that amount", () => {
    const other = { amount: "5.95", line_items: [refunded(-2, "-18.00", "-3.42")] }
    expect(partsOf(other)).toEqual([[["315", undefined, 500]], []])
  })

  it("of shipping takes back the lines' shipping, and of fees nothing", () => {
    const shipping_lines = [{ id: 2, total: "-4.00", total_tax: "-0.76" }]
    const fee_lines = [{ id: 3, total: "-1.00", total_tax: "0.00" }]
    const refund = { id: 9, date_created_gmt: "2017-03-24T00:00:00", amount: "5.76" }
    const shipped = (changes: object, beside: object = {}) => {
      const of = { ...refund, line_items: [], shipping_lines, ...beside }
      const reading = Result.getOrThrow(Refund.read(of, { order: orderOf(changes) }))
      const parts = reading.refunds.map(({ itemId, ...one }) => [
        itemId,
        one.shippingAmount,
        one.shippingTotal,
      ])
      return [parts, reading.notRead.map(({ message }) => message)]
    }
    expect(shipped({}, { amount: "4.76" })).toEqual([[["315", 400, 1_000]], []])
    expect(shipped({ prices_include_tax: true }, { fee_lines })).toEqual([
      [["315", 476, 1_190]],
      ["a refund of fees takes nothing back from a line, and was not read"],
    ])
    expect(shipped({ shipping_total: "3.00" }, { amount: "4.76" })).toEqual([
      [["315", 300, 300]],
      ["100 cents went back beyond the order's shipping"],
    ])
    expect(shipped({ shipping_total: "0", shipping_tax: "0" }, { amount: "4.76" })).toEqual([
      [],
      ["shipping went back that is no part of the order, and takes nothing back"],
    ])
  })

  it("with a part of a fee below 0 is of so much less money for its lines", () => {
    const fee_lines = [{ id: 3, total: "-3.60", total_tax: "0.00" }]
    const back = (total: string) => [{ id: 3, total, total_tax: "0.00" }]
    const whole = { amount: "17.82", line_items: [refunded(-2, "-18.00", "-3.42")] }
    const all = partsOf({ ...whole, fee_lines: back("3.60") }, { fee_lines })
    expect(all).toEqual([[["315", 2, undefined]], []])
    const unit = { amount: "8.91", line_items: [refunded(-1, "-9.00", "-1.71")] }
    const one = partsOf({ ...unit, fee_lines: back("1.80") }, { fee_lines })
    expect(one).toEqual([[["315", 1, undefined]], []])
  })

  it("finds its line by the product where it does not name it, and tells when it can't", () => {
    const { meta_data: _, ...unnamed } = { ...refunded(-2, "-18.00", "-3.42"), variation_id: 94 }
    expect(partsOf({ amount: "21.42", line_items: [unnamed] })[0]).toEqual([["315", 2, undefined]])
    const other = { ...unnamed, product_id: 1 }
    expect(partsOf({ amount: "21.42", line_items: [other] })).toEqual([
      [],
      ["can't be told which line of the order it is of"],
    ])
  })

  it("inside of an order is of its total, at the time the order was last modified", () => {
    const { refunds } = saleOf({ status: "refunded", refunds: [{ id: 9, total: "-21.42" }] })
    expect(refunds.map((one) => Result.getOrThrow(one).refunds)).toEqual([
      [{ orderId: "727", itemId: "315", quantity: 2, refundedAt: 1_490_227_200 }],
    ])
  })
})
