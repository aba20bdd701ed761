/** The schemas of orders and products take every field as it is, and refuse what no field can be. */
import type { Order, Product } from "apportion"
import * as Schemas from "apportion/schema"
import { Result, Schema } from "effect"
import { describe, expect, it, test } from "vitest"

const product: Required<Product.Product> = {
  id: "p1",
  externalId: "7",
  externalVariantId: "red",
  otherIds: ["sku:MUG-R"],
  name: "Mug",
  sku: "MUG-R",
  vendor: "North",
  price: 900,
  cost: 300,
  tags: ["art"],
  inventoryQuantity: 4,
}
const item: Required<Order.OrderItem> = {
  id: "1",
  product,
  quantity: 2,
  amount: 1_800,
  discount: 100,
  taxTotal: 90,
  taxPercent: 5.5,
  taxName: "VAT",
  grams: 350,
}
const details: Required<Order.OrderDetails> = {
  customerEmail: "ada@shop.test",
  customerName: "Ada",
  status: "paid",
  paymentGateway: "card",
  shippingAddress: "1 Road",
  billingAddress: "2 Road",
  orderName: "#1001",
}
const order: Required<Order.Order> = {
  id: "1001",
  currency: "USD",
  createdAt: 1_767_225_600,
  tags: ["vip"],
  customerTags: ["wholesale"],
  discountCodes: ["SAVE"],
  billingCountry: "DE",
  referers: ["partner.test"],
  taxesIncluded: true,
  shippingAmount: 500,
  shippingTax: 80,
  gatewayFee: 30,
  items: [item],
  details,
}

const schemas = [
  ["order", Schemas.Order, order],
  ["order item", Schemas.OrderItem, item],
  ["order's details", Schemas.OrderDetails, details],
  ["product", Schemas.Product, product],
] as const

test.each(schemas)("an %s with all its fields is read as it is", (_, schema, value) => {
  expect(Schema.decodeUnknownSync(schema)(value)).toEqual(value)
})

describe.each(schemas)("an %s", (_, schema, value) => {
  it.each(Object.keys(value))("is refused when its %s is something else", (field) => {
    const wrong = Schema.decodeUnknownResult(schema)({ ...value, [field]: 7n })
    expect(Result.isFailure(wrong)).toBe(true)
    expect(String(Result.isFailure(wrong) && wrong.failure)).toContain(`["${field}"]`)
  })
})
