/** Of the endpoints of deliveries and of the inbox. */
import { createHmac } from "node:crypto"
import { shopSecret } from "../Shop.js"
import { type Ids, idsOf, type Sample, type Samples, type Stocked } from "./Sample.js"

/** The headers of a delivery, signed as the shop's platform does. */
export const signed = (topic: string, body: string): Readonly<Record<string, string>> => ({
  "x-shopify-topic": topic,
  "x-shopify-shop-domain": "north.myshopify.com",
  "x-shopify-hmac-sha256": createHmac("sha256", shopSecret).update(body).digest("base64"),
})

let waiting = 0

/** A refund of an order that has not come. */
export const lateRefund = (id: number) =>
  JSON.stringify({ id, order_id: 2002, created_at: "2024-05-03T08:00:00Z", refund_line_items: [] })

const withEntry = async (shop: Stocked): Promise<Ids> => {
  const id = ++waiting
  const body = lateRefund(id)
  const headers = signed("refunds/create", body)
  await shop.ask("POST", "/v1/deliveries/north", { token: null, body, headers })
  return { ...idsOf(shop), entry_key: `shopify/refund/${id}` }
}

const north = { shop_key: "north" }
const product = JSON.stringify({ id: 7, title: "Print", tags: "art", variants: [] })
const fetched = { topic: "products/create", document: JSON.parse(product) }
const unreadable = JSON.stringify({ id: [] })

const receive: Sample = {
  ready: async (shop) => ({ ...idsOf(shop), ...north }),
  raw: { body: product, headers: signed("products/create", product) },
  refusals: {
    401: { ids: north, body: product },
    413: { ids: north, body: " ".repeat(4_000_001), headers: signed("products/create", "") },
    422: { ids: north, body: unreadable, headers: signed("products/create", unreadable) },
    429: { ids: north, body: product, times: 2 },
    500: { ids: north, body: product, headers: signed("products/create", product) },
    503: { ids: north, body: product, headers: signed("products/create", product) },
  },
}

export const deliverySamples: Samples = {
  receiveDelivery: receive,
  retryInboxEntry: {
    ready: withEntry,
    body: {},
    bodies: [{}, { force: true }, { force: null }],
    refusals: {
      500: { ids: { entry_key: "shopify/refund/1" }, body: "{}" },
      503: { ids: { entry_key: "shopify/refund/1" }, body: "{}" },
    },
  },
  dropInboxEntry: { ready: withEntry },
  bringFetched: {
    ready: async (shop) => ({ ...idsOf(shop), ...north }),
    body: fetched,
    bodies: [{ topic: "products/create", document: { id: 8, title: "Mug", variants: [] } }],
    refusals: {
      500: { ids: north, body: JSON.stringify(fetched) },
      503: { ids: north, body: JSON.stringify(fetched) },
    },
  },
}
