import { RuleSet, Split, SplitPolicy } from "apportion"
import { Order, Sale } from "apportion/shopify"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"

const line = {
  id: 11,
  product_id: 700,
  variant_id: 7001,
  title: "Print",
  name: "Print - A4",
  vendor: "North",
  sku: "PR-A4",
  grams: 120,
  quantity: 2,
  price: "19.99",
  discount_allocations: [{ amount: "3.00" }, { amount: "0.50" }],
  total_discount: "1.00",
  tax_lines: [
    { title: "State", price: "1.20", rate: 0.06 },
    { title: "City", price: "0.20", rate: 0.01 },
  ],
}

const address = {
  name: "Ann Low",
  company: null,
  address1: "Street 1",
  address2: "",
  city: "Gent",
  province: null,
  zip: "9000",
  country: "Belgium",
  country_code: "BE",
}

const order = {
  id: 450,
  currency: "USD",
  created_at: "2008-01-10T11:00:00-05:00",
  tags: "vip, first order,, ",
  customer: { tags: "wholesale", first_name: "Ann", last_name: "Low", email: "x@example.com" },
  discount_codes: [{ code: "TENOFF", amount: "10.00" }, { code: "" }],
  email: "ann@example.com",
  financial_status: "paid",
  gateway: "old",
  payment_gateway_names: ["bogus", "gift_card"],
  billing_address: address,
  shipping_address: { ...address, name: null, first_name: "Bo", last_name: "Low" },
  taxes_included: true,
  landing_site_ref: "abc",
  referring_site: "https://www.Other.example:8080/page?x=1",
  landing_site: "/collections?ref=sam&UTM_Source=mail%20one&q=no#top?ref=never",
  shipping_lines: [
    { price: "5.00", discount_allocations: [{ amount: "1.50" }] },
    { price: "2.00" },
  ],
  total_discounts: "99.00",
  total_tax: "99.00",
  line_items: [line],
}

const read = (input: unknown, options = {}) => Result.getOrThrow(Order.read(input, options))
const readWith = (changes: object) => read({ ...order, ...changes })
const itemsOf = (lines: ReadonlyArray<object>, changes: object = {}) =>
  readWith({ ...changes, line_items: lines }).items
const problemsOf = (input: unknown) => {
  const result = Order.read(input)
  return Result.isFailure(result) && result.failure._tag === "Unreadable"
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}
const problemsWith = (changes: object) => problemsOf({ ...order, ...changes })

/** A line of which the shop says no discount and no tax. */
const plain = (id: number, price: string, more: object = {}) => ({
  id,
  product_id: 700 + id,
  quantity: 1,
  price,
  ...more,
})

describe("an order of Shopify", () => {
  it("is read with everything a split needs, and what may be shown", () => {
    expect(read(order)).toEqual({
      id: "450",
      currency: "USD",
      createdAt: 1_199_980_800,
      tags: ["vip", "first order"],
      customerTags: ["wholesale"],
      discountCodes: ["TENOFF"],
      billingCountry: "BE",
      referers: [
        "abc",
        "https://www.Other.example:8080/page?x=1",
        "www.other.example",
        "sam",
        "mail one",
      ],
      taxesIncluded: true,
      shippingAmount: 550,
      gatewayFee: 0,
      items: [
        {
          id: "11",
          quantity: 2,
          amount: 3_998,
          discount: 350,
          taxTotal: 140,
          taxPercent: 7,
          taxName: "State, City",
          grams: 120,
          product: {
            id: "700",
            externalId: "700",
            externalVariantId: "7001",
            name: "Print - A4",
            sku: "PR-A4",
            vendor: "North",
            price: 1_999,
          },
        },
      ],
      details: {
        customerEmail: "ann@example.com",
        customerName: "Ann Low",
        status: "paid",
        paymentGateway: "bogus, gift_card",
        billingAddress: "Ann Low, Street 1, Gent, 9000, Belgium",
        shippingAddress: "Bo Low, Street 1, Gent, 9000, Belgium",
      },
    })
  })

  it("is found bare, wrapped, and in lists", () => {
    const ids = (input: unknown) =>
      Order.readEach(input).map((result) => Result.isSuccess(result) && result.success.id)
    expect(ids(order)).toEqual(["450"])
    expect(ids({ order })).toEqual(["450"])
    expect(ids({ orders: [order, { ...order, id: 451 }] })).toEqual(["450", "451"])
    expect(ids([order])).toEqual(["450"])
    expect(ids({ orders: [] })).toEqual([])
    expect(read({ order }).id).toBe("450")
    expect(read({ orders: [order] }).id).toBe("450")
    expect(problemsOf({ orders: [order, order] })[0]?.[0]).toBe("")
  })

  it("does not stop the other orders of a list when it can't be read", () => {
    const results = Order.readEach({ orders: [order, { ...order, currency: "?" }] }, { path: "x" })
    expect(results.map(Result.isSuccess)).toEqual([true, false])
    const [, second] = results
    const failure = second && Result.isFailure(second) ? second.failure : undefined
    expect(failure?._tag === "Unreadable" && failure.problems[0]?.path).toBe("x.orders[1].currency")
  })

  it("reads amounts by the digits of its currency", () => {
    const amountIn = (currency: string, price: unknown) =>
      itemsOf([plain(1, String(price), { price })], { currency, shipping_lines: [] })[0]?.amount
    expect(amountIn("JPY", "500")).toBe(500)
    expect(amountIn("JPY", "500.00")).toBe(500)
    expect(amountIn("KWD", "1.234")).toBe(1_234)
    expect(amountIn("USD", "1.10")).toBe(110)
    expect(amountIn("USD", 199)).toBe(19_900)
    expect(amountIn("USD", 4.35)).toBe(435)
    expect(amountIn("USD", "90071992547409.91")).toBe(9_007_199_254_740_991)
  })

  it("takes 1.005 dollars for no amount at all, text or number", () => {
    const refused = (price: unknown) => problemsWith({ line_items: [{ ...line, price }] })
    for (const price of ["1.005", 1.005, 0.1 + 0.2, "1e2", 1e21, "$5", "1,000.00", "", true, {}]) {
      expect(refused(price)).toEqual([["line_items[0].price", price]])
    }
    expect(refused(undefined)).toEqual([["line_items[0].price", undefined]])
  })

  it("tells when price times quantity is beyond what is exact", () => {
    const huge = { ...line, price: "90071992547409.91", quantity: 2 }
    expect(problemsWith({ line_items: [huge] })[0]?.[0]).toBe("line_items[0].price")
  })

  it("uses the shop's currency, not the buyer's", () => {
    const buyer = { shop_money: { amount: "1.00" }, presentment_money: { amount: "150" } }
    const read = readWith({
      presentment_currency: "JPY",
      line_items: [{ ...line, price_set: buyer }],
    })
    expect([read.currency, read.items[0]?.amount]).toEqual(["USD", 3_998])
  })
})

describe("the discount of a line", () => {
  it("is the sum of its allocations when it has any", () => {
    expect(itemsOf([line])[0]?.discount).toBe(350)
  })

  it("is not lost beside an empty list of allocations", () => {
    expect(itemsOf([{ ...line, discount_allocations: [] }])[0]?.discount).toBe(100)
    const silent = { ...line, discount_allocations: [], total_discount: "0.00" }
    const shipped = [{ price: "5.00", discounted_price: "2.00", discount_allocations: [] }]
    const changes = { total_discounts: "4.50", shipping_lines: shipped }
    expect(itemsOf([silent], changes)[0]?.discount).toBe(150)
  })

  it("is its total_discount when it has no allocations", () => {
    const { discount_allocations: _, ...older } = line
    expect(itemsOf([older])[0]?.discount).toBe(100)
  })

  it("is its part of the order's discounts when no line says anything", () => {
    const lines = [plain(1, "10.00"), plain(2, "10.00"), plain(3, "10.00")]
    const zero = lines.map((one) => ({ ...one, total_discount: "0.00" }))
    const discounts = (these: ReadonlyArray<object>, total_discounts: string) =>
      itemsOf(these, { total_discounts, shipping_lines: [] }).map(({ discount }) => discount)
    expect(discounts(lines, "10.00")).toEqual([334, 333, 333])
    expect(discounts(zero, "10.00")).toEqual([334, 333, 333])
    expect(discounts(lines.toReversed(), "10.00")).toEqual([333, 333, 334])
    expect(discounts(lines, "0.00")).toEqual([0, 0, 0])
  })

  it("is in proportion to the line's amount, without what went to shipping, never beyond the goods", () => {
    const lines = [plain(1, "30.00"), plain(2, "10.00")]
    const discounts = (total_discounts: string, shipping_lines: ReadonlyArray<object>) =>
      itemsOf(lines, { total_discounts, shipping_lines }).map(({ discount }) => discount)
    expect(discounts("8.00", [])).toEqual([600, 200])
    expect(
      discounts("8.00", [{ price: "4.00", discount_allocations: [{ amount: "4.00" }] }]),
    ).toEqual([300, 100])
    expect(discounts("50.00", [])).toEqual([3_000, 1_000])
  })
})

describe("what only the order says of its discount and tax", () => {
  const prices = fc.array(fc.integer({ min: 0, max: 99_999 }), { minLength: 1, maxLength: 6 })
  const decimal = (cents: number) => (cents / 100).toFixed(2)
  const sum = (parts: ReadonlyArray<number | null | undefined>) =>
    parts.reduce<number>((total, part) => total + (part ?? 0), 0)

  it("is divided to the cent, the same whatever the order of the lines", () => {
    fc.assert(
      fc.property(prices, fc.nat(500_000), fc.nat(5_000), (cents, discount, tax) => {
        fc.pre(sum(cents) > discount)
        const lines = cents.map((price, index) => plain(index + 1, decimal(price)))
        const totals = {
          shipping_lines: [],
          total_discounts: decimal(discount),
          total_tax: decimal(tax),
        }
        const items = itemsOf(lines, totals)
        expect(sum(items.map((item) => item.discount))).toBe(discount)
        expect(sum(items.map((item) => item.taxTotal))).toBe(tax)
        expect(itemsOf(lines.toReversed(), totals).toReversed()).toEqual(items)
      }),
      runs(200),
    )
  })
})

describe("the tax of a line", () => {
  const taxes = (lines: ReadonlyArray<object>, changes: object) =>
    itemsOf(lines, { shipping_lines: [], total_discounts: "0.00", ...changes }).map(
      ({ taxTotal, taxPercent, taxName }) => [taxTotal, taxPercent, taxName],
    )

  it("is the sum of its tax lines, and none when only another line says any", () => {
    expect(taxes([line, plain(2, "5.00")], {})).toEqual([
      [140, 7, "State, City"],
      [0, null, null],
    ])
  })

  it("is not lost beside an empty list of tax lines", () => {
    const tax_lines = [{ title: "VAT", price: "6.66", rate: 0.2 }]
    expect(taxes([{ ...line, tax_lines: [] }], { total_tax: "6.66", tax_lines })).toEqual([
      [666, 20, "VAT"],
    ])
  })

  it("is its part of the order's tax when no line has tax lines", () => {
    const lines = [plain(1, "199.00"), plain(2, "199.00"), plain(3, "199.00")]
    const tax_lines = [{ title: "State Tax", price: "11.94", rate: 0.06 }]
    expect(taxes(lines, { total_tax: "11.94", tax_lines })).toEqual([
      [398, 6, "State Tax"],
      [398, 6, "State Tax"],
      [398, 6, "State Tax"],
    ])
    expect(taxes(lines, { total_tax: undefined, tax_lines }).map(([tax]) => tax)).toEqual([
      398, 398, 398,
    ])
  })

  it("goes by the amounts after discount, past what is not taxable and what is on shipping", () => {
    const lines = [
      plain(1, "30.00", { total_discount: "10.00" }),
      plain(2, "20.00"),
      plain(3, "90.00", { taxable: false }),
    ]
    const shipping_lines = [{ price: "4.00", tax_lines: [{ price: "1.00" }] }]
    const parts = taxes(lines, { total_tax: "5.00", shipping_lines }).map(([tax]) => tax)
    expect(parts).toEqual([200, 200, 0])
  })

  it("goes to every line when none is said to be taxable", () => {
    const lines = [plain(1, "30.00", { taxable: false }), plain(2, "10.00", { taxable: false })]
    expect(taxes(lines, { total_tax: "4.00" }).map(([tax]) => tax)).toEqual([300, 100])
  })

  it("adds rates without the noise of floating-point numbers", () => {
    const tax_lines = [0.07, "0.1", 0.2].map((rate) => ({ price: "0.10", rate }))
    expect(taxes([plain(1, "5.00", { tax_lines })], {})).toEqual([[30, 37, null]])
  })
})

describe("the product of a line", () => {
  const productOf = (changes: object) => itemsOf([{ ...line, ...changes }])[0]?.product

  it("goes by its variant, or by the line, when it is a custom line", () => {
    expect(productOf({ product_id: null })).toMatchObject({ id: "7001", externalVariantId: "7001" })
    expect(productOf({ product_id: null })?.externalId).toBeUndefined()
    expect(productOf({ product_id: null, variant_id: null })?.id).toBe("11")
  })

  it("has the title when there is no name, and nothing for blanks", () => {
    const product = productOf({ name: null, sku: "", vendor: "" })
    expect(product).toMatchObject({ name: "Print", sku: null })
    expect(product?.vendor).toBeUndefined()
  })
})

describe("the shipping of an order", () => {
  const shipping = (changes: object) => readWith(changes).shippingAmount

  it("is the shipping lines' prices less their discounts", () => {
    expect(shipping({})).toBe(550)
    const set = { shop_money: { amount: "3.00" } }
    expect(shipping({ shipping_lines: [{ price: "5.00", discounted_price_set: set }] })).toBe(300)
    expect(shipping({ shipping_lines: [{ price: "5.00", discounted_price: "4.00" }] })).toBe(400)
    expect(shipping({ shipping_lines: [{ price: "5.00", is_removed: true }] })).toBe(0)
    expect(shipping({ shipping_lines: [] })).toBe(0)
  })

  it("is the order's total when there are no shipping lines", () => {
    const total_shipping_price_set = { shop_money: { amount: "7.25" } }
    expect(shipping({ shipping_lines: undefined, total_shipping_price_set })).toBe(725)
    expect(shipping({ shipping_lines: undefined })).toBe(0)
  })
})

describe("the referers of an order", () => {
  const referers = (changes: object, options = {}) =>
    read(
      { ...order, landing_site_ref: null, referring_site: null, landing_site: null, ...changes },
      options,
    ).referers

  it("are none when nothing is said", () => {
    expect(referers({})).toEqual([])
    expect(referers({ landing_site_ref: " ", referring_site: "", landing_site: "/" })).toEqual([])
  })

  it.each([
    ["http://www.example.com?source=abc", ["abc"]],
    ["/?r=a&ref=b&referer=c&referrer=d&utm_source=e&utm_medium=f", ["a", "b", "c", "d", "e"]],
    ["/?ref=a&ref=b&ref=a", ["a", "b"]],
    ["/?ref=caf%C3%A9+au+lait", ["café au lait"]],
    ["/?ref=%E0%A4%A", ["\uFFFD%A"]],
    ["/?ref=", []],
    ["ref=no", []],
    ["/#?ref=no", []],
  ])("are found in the landing page %s", (landing_site, expected) => {
    expect(referers({ landing_site })).toEqual(expected)
  })

  it("are looked for in the parameters that are asked for", () => {
    const landing_site = "/?Partner=sam&ref=ann"
    expect(referers({ landing_site }, { refererParameters: ["partner"] })).toEqual(["sam"])
    expect(referers({ landing_site }, { refererParameters: [] })).toEqual([])
    expect(Order.refererParameters).toContain("utm_source")
  })

  it.each([
    ["http://www.otherexample.com", "www.otherexample.com"],
    ["https://user:pass@Blog.example:444/a@b", "blog.example"],
    ["//blog.example/x", "blog.example"],
    ["android-app://com.example.app/", "com.example.app"],
  ])("are the site %s and its host %s", (referring_site, host) => {
    expect(referers({ referring_site })).toEqual([referring_site, host])
  })

  it("are the site alone when it has no host of its own", () => {
    expect(referers({ referring_site: "blog.example" })).toEqual(["blog.example"])
  })
})

describe("an order of Shopify that can't be read", () => {
  it.each([
    ["without an id", { id: null }, "id", null],
    ["with an unknown currency", { currency: "XYZ" }, "currency", "XYZ"],
    ["without lines", { line_items: undefined }, "line_items", undefined],
    ["with one line instead of lines", { line_items: line }, "line_items", line],
    ["with a line that is no object", { line_items: [5] }, "line_items[0]", 5],
    [
      "with half a unit",
      { line_items: [{ ...line, quantity: 0.5 }] },
      "line_items[0].quantity",
      0.5,
    ],
    [
      "with a line without an id",
      { line_items: [{ ...line, id: null }] },
      "line_items[0].id",
      null,
    ],
    [
      "with a discount in words",
      { line_items: [{ ...line, discount_allocations: [{ amount: "ten" }] }] },
      "line_items[0].discount_allocations[0].amount",
      "ten",
    ],
    [
      "with a tax that is part of a cent",
      { line_items: [{ ...line, tax_lines: [{ price: "0.005" }] }] },
      "line_items[0].tax_lines[0].price",
      "0.005",
    ],
    [
      "with a shipping price in words",
      { shipping_lines: [{ price: "free" }] },
      "shipping_lines[0].price",
      "free",
    ],
    ["with tags that are a number", { tags: 5 }, "tags", 5],
    ["with a tag in a list that is a number", { tags: ["a", 5] }, "tags[1]", 5],
    [
      "with a time without an offset",
      { created_at: "2008-01-10T11:00:00" },
      "created_at",
      "2008-01-10T11:00:00",
    ],
    ["with a customer that is a text", { customer: "Ann" }, "customer", "Ann"],
    [
      "with a code that is a number",
      { discount_codes: [{ code: 10 }] },
      "discount_codes[0].code",
      10,
    ],
    [
      "with an address that is a text",
      { shipping_address: "Street 1" },
      "shipping_address",
      "Street 1",
    ],
    ["with a referer that is a number", { landing_site_ref: 5 }, "landing_site_ref", 5],
  ])("%s says where and what", (_, changes, path, value) => {
    expect(problemsWith(changes)).toEqual([[path, value]])
  })

  it("tells of an unknown currency once, not at every amount", () => {
    expect(problemsWith({ currency: "?" })).toEqual([["currency", "?"]])
  })

  it("has paths that begin where it is wrapped", () => {
    expect(problemsOf({ order: { ...order, tags: 5 } })).toEqual([["order.tags", 5]])
    expect(problemsWith({ billing_address: "Street 1" })).toEqual([["billing_address", "Street 1"]])
    expect(problemsOf({ orders: 5 })).toEqual([["orders", 5]])
    expect(problemsOf("an order")).toEqual([["", "an order"]])
  })

  it("is not helped by keys that mean something to JavaScript", () => {
    const hostile: unknown = JSON.parse(
      `{"__proto__":{"tags":"free"},"constructor":5,${JSON.stringify(order).slice(1)}`,
    )
    expect(read(hostile)).toEqual(read(order))
  })
})

describe("an order that is no sale", () => {
  const reasonOf = (changes: object, options: Order.ReadOptions = {}) => {
    const result = Order.read({ ...order, ...changes }, options)
    return Result.isFailure(result) && result.failure._tag === "NotASale"
      ? [result.failure.reason, result.failure.message]
      : undefined
  }
  const sold = [{ ...line, gift_card: true }]

  it.each([
    [{ test: true }, "test", "order 450 is a test order"],
    [{ cancelled_at: "2024-01-01T00:00:00Z" }, "cancelled", "order 450 was cancelled"],
    [{ financial_status: "voided" }, "voided", "order 450 was voided"],
    [{ financial_status: "pending" }, "unpaid", "order 450 is not paid yet (pending)"],
    [{ financial_status: "authorized" }, "unpaid", "order 450 is not paid yet (authorized)"],
    [{ invoice_url: "x" }, "draft", "order 450 is a draft, which nobody bought yet"],
    [{ abandoned_checkout_url: "x" }, "draft", "order 450 is a checkout that was abandoned"],
    [{ line_items: sold }, "nothing to share", "order 450 has only gift cards"],
  ] as const)("is told with its reason: %j", (changes, reason, message) => {
    expect(reasonOf(changes)).toEqual([reason, message])
    expect(reasonOf(changes, { include: [reason] })).toBeUndefined()
  })

  it("is a sale once money was paid, also where some of it went back", () => {
    for (const financial_status of ["paid", "partially_paid", "partially_refunded", "refunded"]) {
      expect(reasonOf({ financial_status })).toBeUndefined()
    }
  })
})

describe("gift cards and tips", () => {
  const gift = plain(2, "25.00", { gift_card: true })
  const tip = plain(3, "5.00", { title: "Tip", product_id: null, tip_payment_method: "Visa" })
  const mixed = { line_items: [line, gift, tip], refunds: [] }
  const saleOf = (changes: object, options: Order.ReadOptions = {}) =>
    Result.getOrThrow(Sale.read({ ...order, ...changes }, options))

  it("are left out of what is shared, and told", () => {
    const { order: read, leftOut } = saleOf(mixed)
    expect(read.items.map(({ id }) => id)).toEqual(["11"])
    expect(leftOut).toEqual([
      { itemId: "2", what: "gift card", amount: 2_500 },
      { itemId: "3", what: "tip", amount: 500 },
    ])
    const named = { ...tip, tip_payment_method: undefined }
    const { leftOut: found } = saleOf({ line_items: [line, named], total_tip_received: "5.00" })
    expect(found.map(({ what }) => what)).toEqual(["tip"])
    expect(saleOf({ line_items: [line, named] }).leftOut).toEqual([])
  })

  it("are shared when the host wants it", () => {
    const shared = saleOf(mixed, { giftCards: "share", tips: "share" })
    expect(shared.order.items.map(({ amount }) => amount)).toEqual([3_998, 2_500, 500])
    expect(shared.leftOut).toEqual([])
  })

  it("take no part in discounts and taxes of the order", () => {
    const lines = [plain(1, "10.00"), plain(2, "90.00", { gift_card: true })]
    const changes = { total_discounts: "5.00", total_tax: "0.90", shipping_lines: [] }
    const [item] = saleOf({ ...changes, line_items: lines }).order.items
    expect([item?.discount, item?.taxTotal]).toEqual([500, 90])
  })

  it("take nothing back when they are refunded", () => {
    const refund = {
      id: 1,
      created_at: "2024-01-01T00:00:00Z",
      refund_line_items: [
        { line_item_id: 2, quantity: 1, subtotal: "25.00" },
        { line_item_id: 11, quantity: 2, subtotal: "36.48" },
      ],
      transactions: [{ kind: "refund", status: "success", amount: "61.48", currency: "USD" }],
    }
    const [reading] = saleOf({ ...mixed, refunds: [refund] }).refunds
    const { refunds, notRead } =
      reading === undefined ? { refunds: [], notRead: [] } : Result.getOrThrow(reading)
    expect(refunds).toEqual([
      { orderId: "450", itemId: "11", quantity: 2, refundedAt: 1_704_067_200 },
    ])
    expect(notRead.map(({ path, message }) => [path, message])).toEqual([
      ["refunds[0].refund_line_items[0]", "a refund of a gift card, which was shared with nobody"],
    ])
  })
})

describe("tax on shipping", () => {
  it("is read beside the shipping, so that the policy can take it out as it does of items", () => {
    const shipping_lines = [{ price: "12.00", tax_lines: [{ price: "2.00" }] }]
    const read = readWith({ shipping_lines })
    expect([read.shippingAmount, read.shippingTax]).toEqual([1_200, 200])
    const rules = RuleSet.make([
      { id: "g", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
    ])
    const split = Split.order(rules, read, { ...SplitPolicy.defaults, shipping: "share" })
    expect(split.shares[0]?.shippingAmount).toBe(100)
  })
})

describe("an order without a currency of its own", () => {
  it("is in the shop's money that its total names", () => {
    const shop_money = { amount: "700", currency_code: "JPY" }
    const total_price_set = { shop_money, presentment_money: { currency_code: "USD" } }
    const yen = { currency: undefined, total_price_set, line_items: [plain(1, "700")] }
    const { currency, items } = readWith({ ...yen, total_tax: "0", shipping_lines: [] })
    expect([currency, items[0]?.amount]).toEqual(["JPY", 700])
  })
})
