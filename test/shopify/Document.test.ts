import { recognise } from "apportion/shopify"
import { describe, expect, it } from "vitest"

const order = { id: 1, currency: "USD", line_items: [], refunds: [] }
const refund = { id: 1, order_id: 1, refund_line_items: [], transactions: [] }
const product = { id: 1, title: "Print", variants: [] }

const hostOrder = { id: "1001", currency: "USD", items: [] }
const hostRefund = { order_id: "1001", item_id: "1", quantity: 1, refunded_at: 0 }

describe("a document of Shopify", () => {
  it.each([
    ["order", order],
    ["order", { order }],
    ["order", { id: 1, total_price: "5.00" }],
    ["orders", { orders: [order] }],
    ["orders", { orders: [] }],
    ["orders", [order]],
    ["refund", refund],
    ["refund", { refund }],
    ["refund", { id: 1, order_id: 1, transactions: [] }],
    ["refunds", { refunds: [refund] }],
    ["refunds", [refund]],
    ["product", product],
    ["product", { product }],
    ["product", { id: 1, title: "Card", body_html: "" }],
    ["products", { products: [product] }],
    ["products", [product]],
  ])("is recognised as %s", (kind, input) => {
    expect(recognise(input)).toBe(kind)
  })

  it.each([
    ["an order of the host format", hostOrder],
    ["orders of the host format", [hostOrder]],
    ["orders of the host format in a wrapper", { orders: [hostOrder] }],
    ["a refund of the host format", hostRefund],
    ["a group", { id: "g", collaborator_id: "a", itemType: "products.all" }],
    ["a product of the wire", { id: "p", vendor: "North", tags: [] }],
    ["an empty list", []],
    ["an empty object", {}],
    ["a text", "order"],
    ["nothing", null],
    ["a wrapped number", { order: 5, orders: 6 }],
    ["a trap", JSON.parse('{"__proto__":{"line_items":[]}}')],
  ])("is not %s", (_, input) => {
    expect(recognise(input)).toBeUndefined()
  })
})
