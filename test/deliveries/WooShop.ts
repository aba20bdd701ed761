/** A shop on WooCommerce, and what it sends. */
import type { Platform } from "apportion/ports"
import { Deliveries, type RawDelivery } from "apportion/service"
import { Webhook } from "apportion/woocommerce"
import { Effect } from "effect"
import { account, type Sent, signatureOf } from "./Shop.js"

const secret = "a secret of a webhook"

export const wooShop: Platform = Webhook.platform({
  ...{ secrets: [secret], shop: "https://north.example", currency: "USD" },
  tagsFrom: ["variant", "sku", "category"],
  idsFrom: ["variant", "sku", "category"],
})

let deliveries = 0

/** A delivery as WooCommerce sends it. */
export const wooDeliveryOf = async (sent: Sent): Promise<RawDelivery> => {
  const body = typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body)
  const [resource, event] = sent.topic.split(".")
  deliveries += 1
  return {
    body,
    headers: {
      "X-WC-Webhook-Source": "https://north.example/",
      "X-WC-Webhook-Topic": sent.topic,
      "X-WC-Webhook-Resource": resource,
      "X-WC-Webhook-Event": event,
      "X-WC-Webhook-ID": "5",
      "X-WC-Webhook-Delivery-ID": sent.id ?? `delivery-${deliveries}`,
      "X-WC-Webhook-Signature": await signatureOf(body, sent.key ?? secret),
      ...sent.headers,
    },
  }
}

/** Refunds are fetched by the host; everything else is delivered. */
export const wooSend = (sent: Sent) =>
  Effect.gen(function* () {
    const service = yield* Deliveries
    const { topic, body } = sent
    if (topic === "refund.created") {
      return yield* service.receiveFetched(account, wooShop, { topic, document: body })
    }
    const delivery = yield* Effect.promise(() => wooDeliveryOf(sent))
    return yield* service.receive(account, wooShop, delivery)
  })

export const wooSendAll = (...all: ReadonlyArray<Sent>) => Effect.forEach(all, wooSend)

export const wooLine = (id: number, productId: number, changes: object = {}) => ({
  ...{ id, name: "Print", product_id: productId, variation_id: 0, quantity: 2, sku: "" },
  ...{ subtotal: "40.00", subtotal_tax: "4.00", total: "40.00", total_tax: "4.00" },
  ...changes,
})

export const wooOrder = (id: number, changes: object = {}) => ({
  ...{ id, order_key: `wc_order_${id}`, currency: "USD", status: "processing" },
  ...{ date_created_gmt: "2024-05-02T08:00:00", date_modified_gmt: "2024-05-02T08:00:00" },
  ...{ date_paid_gmt: "2024-05-02T08:00:00", prices_include_tax: false },
  billing: { first_name: "Bo", email: "buyer@example.com", country: "US" },
  ...{ shipping_total: "5.00", shipping_tax: "0.50", coupon_lines: [], fee_lines: [] },
  ...{ line_items: [wooLine(1, 7)], refunds: [] },
  ...changes,
})

/** A refund as the API returns it: quantities and amounts below 0. */
export const wooRefund = (id: number, orderId: number, changes: object = {}) => ({
  ...{ id, date_created_gmt: "2024-05-03T08:00:00", amount: "22.00", reason: "from Bo" },
  ...{ refunded_by: 1, refunded_payment: true, meta_data: [] },
  line_items: [wooLineBack(1, 7, { quantity: -1, total: "-20.00", total_tax: "-2.00" })],
  ...{ shipping_lines: [], fee_lines: [], tax_lines: [] },
  _links: { up: [{ href: `https://north.example/wp-json/wc/v3/orders/${orderId}` }] },
  ...changes,
})

export const wooLineBack = (lineId: number, productId: number, changes: object) => ({
  ...{ id: 900 + lineId, product_id: productId, variation_id: 0 },
  meta_data: [{ id: 1, key: "_refunded_item_id", value: String(lineId) }],
  ...changes,
})

/** What an order says of a refund. */
export const wooSum = (id: number, total: string) => ({ id, reason: "from Bo", total })

export const wooProduct = (id: number, changes: object = {}) => ({
  ...{ id, name: `Product ${id}`, type: "simple", sku: `P-${id}`, price: "20.00", parent_id: 0 },
  date_modified_gmt: "2024-05-01T08:00:00",
  ...{ tags: [{ id: 1, name: "art" }], categories: [{ id: 2, name: "Prints &amp; Posters" }] },
  ...{ brands: [{ id: 3, name: "North" }], stock_quantity: null, variations: [] },
  ...changes,
})

export const wooVariation = (id: number, productId: number, changes: object = {}) => ({
  ...{ id, parent_id: productId, type: "variation", name: `Product ${productId} - A4` },
  ...{ sku: `V-${id}`, price: "25.00", date_modified_gmt: "2024-05-01T08:00:00" },
  ...{ tags: [], categories: [], stock_quantity: 4 },
  ...changes,
})
