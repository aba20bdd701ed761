/** Stripe's objects as its API returns them, made for these tests. */

export const sessionLine = (id: string, changes: object = {}) => ({
  ...{ id, object: "item", currency: "usd", description: "A print", quantity: 2 },
  ...{ amount_subtotal: 4_000, amount_discount: 0, amount_tax: 0, amount_total: 4_000 },
  price: { id: `price_${id}`, object: "price", product: `prod_${id}` },
  ...changes,
})

const list = (data: ReadonlyArray<object>, changes: object = {}) => ({
  ...{ object: "list", data, has_more: false, url: "/v1/lines" },
  ...changes,
})

export const session = (
  id: string,
  lines: ReadonlyArray<{ readonly amount_total: number }>,
  changes: object = {},
) => ({
  ...{ id, object: "checkout.session", created: 1_714_550_400, currency: "usd", livemode: true },
  ...{ mode: "payment", status: "complete", payment_status: "paid", payment_intent: `pi_${id}` },
  amount_total: lines.reduce((sum, line) => sum + line.amount_total, 0),
  customer_details: { email: "buyer@example.com", name: "Bo", address: { country: "DE" } },
  line_items: list(lines),
  ...changes,
})

/** As a webhook has it: without its lines. */
export const withoutLines = (whole: object) => ({ ...whole, line_items: undefined })

export const invoiceLine = (id: string, changes: object = {}) => ({
  ...{ id, object: "line_item", currency: "usd", description: "A month", quantity: 1 },
  ...{ amount: 3_000, discount_amounts: [], taxes: [] },
  pricing: {
    type: "price_details",
    price_details: { price: `price_${id}`, product: `prod_${id}` },
  },
  ...changes,
})

export const invoice = (
  id: string,
  lines: ReadonlyArray<{ readonly amount: number }>,
  changes: object = {},
) => ({
  ...{ id, object: "invoice", created: 1_714_550_400, currency: "usd", livemode: true },
  ...{ status: "paid", number: "N-0001", customer_address: { country: "US" } },
  ...{ customer_email: "buyer@example.com", customer_name: "Bo" },
  total: lines.reduce((sum, line) => sum + line.amount, 0),
  lines: list(lines),
  ...changes,
})

export const refund = (id: string, payment: string, amount: number, changes: object = {}) => ({
  ...{ id, object: "refund", amount, currency: "usd", created: 1_714_650_400 },
  ...{ status: "succeeded", payment_intent: payment, charge: `ch_${payment}` },
  ...changes,
})

export const creditLine = (id: string, invoiceLineId: string, amount: number, changes = {}) => ({
  ...{ id, object: "credit_note_line_item", type: "invoice_line_item", amount },
  ...{ invoice_line_item: invoiceLineId, discount_amount: 0, quantity: null, taxes: [] },
  ...changes,
})

export const creditNote = (
  id: string,
  invoiceId: string,
  lines: ReadonlyArray<object>,
  changes: object = {},
) => ({
  ...{ id, object: "credit_note", invoice: invoiceId, status: "issued", currency: "usd" },
  ...{ created: 1_714_650_500, total: 0, lines: list(lines), refunds: [], livemode: true },
  ...changes,
})

export const product = (id: string, changes: object = {}) => ({
  ...{ id, object: "product", name: `Product ${id}`, updated: 1_714_500_000, livemode: true },
  metadata: { tags: "art, wall", vendor: "North", sku: "N-1" },
  ...changes,
})

let events = 0

export const event = (type: string, object: object, changes: object = {}) => {
  events += 1
  return {
    ...{ id: `evt_${events}`, object: "event", type, created: 1_714_550_500, livemode: true },
    ...{ api_version: "2025-04-30.basil", data: { object } },
    ...changes,
  }
}
