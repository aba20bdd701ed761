/** The lines of a refund. */
import * as reader from "../../internal/reader.js"
import { type Bought, boughtOf, type RefundedLine } from "../../internal/refundedLines.js"
import type { Order } from "../../matching/Order.js"
import * as money from "./money.js"

export interface Context {
  readonly currency: money.ShopCurrency
  /** The order that the refund is of. */
  readonly order: Order | undefined
}

/** The line inside the refund. Whether tax is part of its price is not said there: mostly it is not. */
const embedded = (
  node: reader.Node,
  { currency, order }: Context,
  itemId: string,
): Bought | undefined => {
  const line = reader.child(node, "line_item")
  if (line === undefined || currency === undefined) return undefined
  const quantity = reader.neededWhole(line, "quantity", 0)
  const amount = money.times(line, { price: money.neededAmount(line, "price", currency), quantity })
  const tax = money.sumOf(line, { list: "tax_lines", field: "price", currency }) ?? 0
  return {
    itemId,
    quantity,
    net: amount - money.lineDiscount(line, currency),
    tax: order?.taxesIncluded === true ? 0 : tax,
  }
}

const readSubtotal = (node: reader.Node, currency: money.ShopCurrency): number | undefined => {
  const isThere = reader.field(node, "subtotal") !== undefined
  if (isThere && currency === undefined) {
    reader.note(
      node,
      "subtotal",
      "can't be read: nothing says the shop's currency (a payment's is the buyer's); give the order, or the currency",
    )
  }
  return (
    money.amount(node, "subtotal", currency) ?? money.shopAmount(node, "subtotal_set", currency)
  )
}

export const readLine = (node: reader.Node, context: Context): RefundedLine => {
  const { currency, order } = context
  const itemId = reader.neededId(node, "line_item_id")
  const known = order && boughtOf(order).find((line) => line.itemId === itemId)
  return {
    node,
    itemId,
    quantity: reader.neededWhole(node, "quantity", 0),
    subtotal: readSubtotal(node, currency),
    tax: money.amount(node, "total_tax", currency) ?? 0,
    bought: known ?? embedded(node, context, itemId),
  }
}
