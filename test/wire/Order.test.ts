import { RuleSet, Split } from "apportion"
import { Order } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const item = {
  external_id: "1",
  amount: 10_000,
  discount: 500,
  quantity: 2,
  tax_percent: 21,
  tax_name: "VAT",
  tax_total: 1_648,
  grams: 300,
  product: {
    id: "p1",
    external_id: "x1",
    external_variant_id: "v1",
    name: "Print",
    sku: "PR-1",
    vendor: "North",
    price: 5_000,
    cost: 1_200,
    tags: ["art"],
    inventory_quantity: -3,
  },
  split_at: 1_700_000_100,
  refunded_at: null,
}

const order = {
  id: "1001",
  currency: "EUR",
  created_at: 1_700_000_000,
  tags: ["vip"],
  customer: { tags: ["wholesale"], email: "ann@example.com", name: "Ann" },
  discount_codes: ["TENOFF"],
  billing_country: "BE",
  referer: "sam-blog",
  taxes_included: true,
  shipping_amount: 700,
  gateway_fee: 150,
  status: "paid",
  payment_gateway: "bogus",
  shipping_address: "Street 1, Gent",
  billing_address: "Street 2, Gent",
  items: [item],
}

const read = (input: unknown) => Result.getOrThrow(Order.read(input))
const readWith = (changes: object) => read({ ...order, ...changes })
const readItem = (changes: object) => readWith({ items: [{ ...item, ...changes }] }).items[0]
const problemsOf = (input: unknown, options = {}) => {
  const result = Order.read(input, options)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}
const problemsWith = (changes: object) => problemsOf({ ...order, ...changes })

describe("an order in the host format", () => {
  it("is read with every field", () => {
    expect(read(order)).toEqual({
      id: "1001",
      currency: "EUR",
      createdAt: 1_700_000_000,
      tags: ["vip"],
      customerTags: ["wholesale"],
      discountCodes: ["TENOFF"],
      billingCountry: "BE",
      referers: ["sam-blog"],
      taxesIncluded: true,
      shippingAmount: 700,
      gatewayFee: 150,
      items: [
        {
          id: "1",
          amount: 10_000,
          discount: 500,
          quantity: 2,
          taxPercent: 21,
          taxName: "VAT",
          taxTotal: 1_648,
          grams: 300,
          product: {
            id: "p1",
            externalId: "x1",
            externalVariantId: "v1",
            name: "Print",
            sku: "PR-1",
            vendor: "North",
            price: 5_000,
            cost: 1_200,
            tags: ["art"],
            inventoryQuantity: -3,
          },
        },
      ],
      details: {
        customerEmail: "ann@example.com",
        customerName: "Ann",
        status: "paid",
        paymentGateway: "bogus",
        shippingAddress: "Street 1, Gent",
        billingAddress: "Street 2, Gent",
      },
    })
  })

  it("needs only id, currency and items", () => {
    const small = { id: 7, currency: "USD", items: [{ id: 1, amount: 5, product: { id: 2 } }] }
    expect(read(small)).toEqual({
      id: "7",
      currency: "USD",
      createdAt: null,
      tags: [],
      customerTags: [],
      discountCodes: [],
      billingCountry: null,
      referers: [],
      taxesIncluded: false,
      shippingAmount: 0,
      gatewayFee: 0,
      items: [
        {
          id: "1",
          amount: 5,
          discount: 0,
          quantity: 1,
          taxPercent: null,
          taxName: null,
          taxTotal: null,
          product: { id: "2" },
        },
      ],
    })
  })

  it("takes null for absent everywhere", () => {
    const nothing = Object.fromEntries(Object.keys(order).map((key) => [key, null]))
    const emptyItem = Object.fromEntries(Object.keys(item).map((key) => [key, null]))
    const product = { ...Object.fromEntries(Object.keys(item.product).map((key) => [key, null])) }
    const input = {
      ...nothing,
      id: "1",
      currency: "USD",
      items: [{ ...emptyItem, id: "1", amount: 1, product: { ...product, id: "p" } }],
    }
    expect(problemsOf(input)).toEqual([])
    expect(read(input).items[0]?.quantity).toBe(1)
  })

  it("leaves fields alone that it does not know", () => {
    expect(readWith({ note: { any: "thing" }, status: "paid" })).toEqual(read(order))
  })

  it("refuses fields that are a known one misspelt, each with its path", () => {
    const result = Order.read({
      ...{
        id: "1",
        currency: "USD",
        discount_cods: ["X"],
        customer: { tag: ["vip"], title: "Dr" },
      },
      items: [{ id: "1", amount: 900, discout: 100, product: { id: "p", vender: "North" } }],
    })
    expect(Result.isFailure(result) && result.failure.problems.map(({ path }) => path)).toEqual([
      ...["discount_cods", "customer.tag", "items[0].discout", "items[0].product.vender"],
    ])
  })

  it("raises small letters of the currency, and refuses unknown codes", () => {
    expect(readWith({ currency: " usd" }).currency).toBe("USD")
    expect(problemsWith({ currency: "USX" })).toEqual([["currency", "USX"]])
    expect(problemsWith({ currency: null })).toEqual([["currency", null]])
    expect(problemsWith({ currency: 840 })).toEqual([["currency", 840]])
  })

  it.each([
    ["sam-blog", ["sam-blog"]],
    [
      ["a", "b"],
      ["a", "b"],
    ],
    [["a", " ", ""], ["a"]],
    ["", []],
    ["  ", []],
    [null, []],
    [undefined, []],
  ])("reads the referer %j as %j", (referer, referers) => {
    expect(readWith({ referer }).referers).toEqual(referers)
  })

  it("reads times as Unix seconds or as ISO 8601 with an offset", () => {
    expect(readWith({ created_at: "2008-01-10T11:00:00-05:00" }).createdAt).toBe(1_199_980_800)
    expect(readWith({ created_at: "2008-01-10T16:00:00.750Z" }).createdAt).toBe(1_199_980_800)
    expect(problemsWith({ created_at: "2008-01-10T11:00:00" })).toHaveLength(1)
    expect(problemsWith({ created_at: 1.5 })).toEqual([["created_at", 1.5]])
  })

  it("takes the item's external_id before its id", () => {
    expect(readItem({ id: "own", external_id: "outer" })?.id).toBe("outer")
    expect(readItem({ id: "own", external_id: null })?.id).toBe("own")
    expect(readItem({ external_id: 12_345_678_901 })?.id).toBe("12345678901")
  })

  it("takes the product's external_id when it has no id", () => {
    expect(readItem({ product: { external_id: 5 } })?.product).toMatchObject({
      id: "5",
      externalId: "5",
    })
    expect(problemsWith({ items: [{ ...item, product: {} }] })).toEqual([
      ["items[0].product.id", undefined],
    ])
  })

  it("keeps a product without tags apart from one with none", () => {
    expect(readItem({ product: { id: "p" } })?.product.tags).toBeUndefined()
    expect(readItem({ product: { id: "p", tags: [] } })?.product.tags).toEqual([])
  })

  it("reads a tax percentage as a number or a text", () => {
    expect(readItem({ tax_percent: "5.5" })?.taxPercent).toBe(5.5)
    expect(readItem({ tax_percent: 0 })?.taxPercent).toBe(0)
    expect(problemsWith({ items: [{ ...item, tax_percent: "lots" }] })).toEqual([
      ["items[0].tax_percent", "lots"],
    ])
  })

  it("reads negative amounts, and never a negative zero", () => {
    expect(readItem({ amount: -100, discount: -0 })).toMatchObject({ amount: -100, discount: 0 })
    expect(Object.is(readItem({ discount: -0 })?.discount, 0)).toBe(true)
  })

  it("reads the largest amounts exactly, and refuses what is beyond them", () => {
    const most = Number.MAX_SAFE_INTEGER
    expect(readItem({ amount: most })?.amount).toBe(most)
    expect(problemsWith({ items: [{ ...item, amount: most + 1 }] })).toHaveLength(1)
    expect(
      problemsOf(JSON.parse('{"id":"1","currency":"USD","items":[],"gateway_fee":1e400}')),
    ).toEqual([["gateway_fee", Number.POSITIVE_INFINITY]])
  })

  it("refuses two items of one id, naming the first", () => {
    const result = Order.read({ ...order, items: [item, { ...item, external_id: 1 }] })
    expect(Result.isFailure(result) && result.failure.problems).toEqual([
      {
        path: "items[1].external_id",
        value: 1,
        message: "must be unique in the order, items[0].external_id is the same",
      },
    ])
  })

  it("takes only texts for what is there for display", () => {
    const details = readWith({ status: { code: 1 }, billing_address: { city: "Gent" } }).details
    expect(details).toMatchObject({ status: null, billingAddress: null, paymentGateway: "bogus" })
  })

  it("tells every problem at once, each with its path and its value", () => {
    const broken = {
      id: {},
      currency: "EUR",
      tags: ["a", 5],
      customer: { tags: [null] },
      discount_codes: "TENOFF",
      billing_country: 32,
      referer: { url: "x" },
      taxes_included: "yes",
      shipping_amount: 1.5,
      items: [
        { ...item, amount: "100", product: { ...item.product, tags: [7] } },
        "not an item",
        { amount: 1, quantity: -1, external_id: "2" },
      ],
    }
    expect(problemsOf(broken)).toEqual([
      ["id", {}],
      ["tags[1]", 5],
      ["customer.tags[0]", null],
      ["discount_codes", "TENOFF"],
      ["billing_country", 32],
      ["referer", { url: "x" }],
      ["taxes_included", "yes"],
      ["shipping_amount", 1.5],
      ["items[1]", "not an item"],
      ["items[0].product.tags[0]", 7],
      ["items[0].amount", "100"],
      ["items[2].product", undefined],
      ["items[2].quantity", -1],
    ])
  })

  it("puts where it stands before the paths", () => {
    expect(problemsOf({ ...order, items: null }, { path: "orders[2]" })).toEqual([
      ["orders[2].items", null],
    ])
  })

  it("is not changed by keys that mean something to JavaScript", () => {
    const text = JSON.stringify(order)
    const hostile: unknown = JSON.parse(
      `{"__proto__":{"tags":["vip","free"],"gateway_fee":-9},"constructor":null,"toString":1,${text.slice(1)}`,
    )
    expect(read(hostile)).toEqual(read(order))
    expect(problemsOf(JSON.parse('{"__proto__":{"id":"1","currency":"USD","items":[]}}'))).toEqual([
      ["id", undefined],
      ["currency", undefined],
      ["items", undefined],
    ])
  })

  it("can be split as it is read", () => {
    expect(Result.isSuccess(Split.orderResult(RuleSet.make([]), read(order)))).toBe(true)
  })
})
