import { type KeptFields, kept } from "../../internal/keptFields.js"
import * as reader from "../../internal/reader.js"
import type { RefundReading } from "../../internal/sales.js"

const money: KeptFields = { shop_money: { amount: true, currency_code: true } }

const taxLine: KeptFields = { price: true }

const line: KeptFields = {
  ...{ id: true, quantity: true, price: true, total_discount: true, gift_card: true },
  ...{ discount_allocations: { amount: true }, tax_lines: taxLine },
}

/** The fields that are read of a refund. The other fields may be about the buyer and are not stored. */
const refund: KeptFields = {
  ...{ id: true, order_id: true, created_at: true, processed_at: true },
  ...{ total_duties_set: money, total_refunded_set: money },
  refund_line_items: {
    ...{ id: true, line_item_id: true, quantity: true, subtotal: true, subtotal_set: money },
    ...{ total_tax: true, total_tax_set: money, line_item: line },
  },
  order_adjustments: {
    ...{ id: true, kind: true, amount: true, amount_set: money },
    ...{ tax_amount: true, tax_amount_set: money },
  },
  transactions: { id: true, kind: true, status: true, amount: true, currency: true },
  refund_shipping_lines: {
    ...{ id: true, subtotal_amount_set: money, tax_amount_set: money },
    shipping_line: { is_removed: true },
  },
  ...{ refund_duties: { duty_id: true }, duties: { id: true }, additional_fees: { id: true } },
}

/** A refund's id, and the fields of its document that reading it needs. */
export const neededRefund = (
  node: reader.Node,
): { readonly refundId: string; readonly document: unknown } => ({
  refundId: reader.neededId(node, "id"),
  document: kept(node.fields, refund),
})

/** The sold units of each line at the time of the refund, from the lines inside the refund. */
export const soldIn = (
  node: reader.Node,
): ReadonlyArray<{ readonly itemId: string; readonly quantity: number }> =>
  (reader.children(node, "refund_line_items") ?? []).flatMap((back) => {
    const itemId = reader.idOf(back.fields.line_item_id)
    const inside = back.fields.line_item
    const quantity = reader.isFields(inside) ? inside.quantity : undefined
    return itemId !== undefined && typeof quantity === "number" ? [{ itemId, quantity }] : []
  })

/** Whether it reverses lines that it does not name, or their shipping. */
export const isOfAllLines = (node: reader.Node, { refunds }: RefundReading): boolean => {
  const lines = reader.children(node, "refund_line_items") ?? []
  const named = new Set(lines.map(({ fields }) => reader.idOf(fields.line_item_id)))
  return refunds.some(
    ({ itemId, shippingAmount }) => shippingAmount !== undefined || !named.has(itemId),
  )
}
