/** Of the endpoints of sales and refunds. */
import { wholeProduct } from "./AccountSamples.js"
import { type Ids, idsOf, type Samples, type Stocked } from "./Sample.js"

const sale = {
  ...{ id: "1001", currency: "EUR" },
  items: [{ id: "1", amount: 10_000, quantity: 4, product: { id: "p1" } }],
}

/** An order with all that it can have. */
const wholeSale = {
  ...{ id: "whole", currency: "EUR", created_at: "2024-03-01T12:00:00Z", tags: ["gift"] },
  customer: { tags: ["vip"], email: "kim@example.com", name: "Kim" },
  ...{ discount_codes: ["HERON"], billing_country: "DE", referer: ["theo"], taxes_included: true },
  ...{ shipping_amount: 500, shipping_tax: 80, gateway_fee: 30, status: "paid", name: "#1001" },
  ...{ payment_gateway: "card", shipping_address: "Pier 1", billing_address: "Pier 2" },
  items: [
    {
      ...{ id: "1", external_id: "1", amount: 10_000, discount: 1_000, quantity: 4, grams: 250 },
      ...{ tax_percent: 21, tax_name: "VAT", tax_total: 1_562, product: wholeProduct },
    },
    { external_id: "2", amount: 10_000, product: { id: "p1" } },
  ],
}

/** For display only: what is no text there counts as absent. */
const ignored = ["status", "payment_gateway", "shipping_address", "billing_address", "name"]

let sold = 0

const ofSale = async (shop: Stocked): Promise<Ids> => {
  const order_id = `sale ${++sold}`
  await shop.ask("POST", "/v1/sales", { body: { ...sale, id: order_id } })
  return { ...idsOf(shop), order_id }
}

/** Two groups that want more than there is. */
const overAllocate = async (shop: Stocked): Promise<void> => {
  const body = { itemType: "products.all", type: "percentage", percent: 95 }
  await shop.ask("PUT", "/v1/collaborators/sam/products", { body })
}

/** A refund says in one way how much it is. */
const besideField = (field: string): object => {
  if (!/^(?:amount|remaining|shipping_amount)$/.test(field)) return {}
  return { quantity: null, ...(field === "shipping_amount" ? { shipping_total: 100 } : {}) }
}

const refund = { item_id: "1", quantity: 1 }

const refunds = [
  { item_id: 1, amount: 1_000, refunded_at: "2024-03-01T12:00:00Z" },
  { item_id: "1", shipping_amount: 50, shipping_total: 100, quantity: null },
  { item_id: "1", remaining: true, refunded_at: null },
  refund,
]

/** The bodies of refunds whose ids begin with a letter. */
const refundsOf = (letter: string) => ({
  ready: ofSale,
  besideField,
  body: { id: `${letter}1`, ...refund },
  bodies: refunds.map((one, index) => ({ id: `${letter}${index + 2}`, ...one })),
})

/** A refund with the id of another one. */
const refundOther = async (shop: Stocked): Promise<void> => {
  await shop.ask("POST", "/v1/sales", { body: sale })
  const body = { id: "p1", item_id: "1", amount: 1 }
  await shop.ask("POST", "/v1/sales/1001/refunds", { body })
}

export const saleSamples: Samples = {
  recordSale: { body: sale, bodies: [wholeSale, { ...sale, id: 7 }], ignored },
  recordSales: { body: sale },
  importPastSales: {
    query: "?paid_until=1699999999",
    body: { sale: { ...sale, created_at: "2024-01-05T12:00:00Z" } },
  },
  previewSale: { body: sale, bodies: [wholeSale], ignored, contradict: overAllocate },
  viewSale: { ready: ofSale },
  refundSale: refundsOf("r"),
  previewRefund: { ...refundsOf("p"), contradict: refundOther },
}
