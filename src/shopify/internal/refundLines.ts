/** What a refunded line gives back: units of it, or an amount. */
import * as reader from "../../internal/reader.js"
import * as money from "./money.js"

export type Part = { readonly quantity: number } | { readonly amount: number }

export interface LineRefund {
  readonly itemId: string
  /** `undefined`: nothing is given back. */
  readonly part: Part | undefined
}

/** What the whole line cost after its discount, when the refund carries the line. */
interface WholeLine {
  readonly net: number
  readonly quantity: number
}

const readWholeLine = (node: reader.Node, currency: money.ShopCurrency): WholeLine | undefined => {
  const line = reader.child(node, "line_item")
  if (line === undefined || currency === undefined) return undefined
  const quantity = reader.neededWhole(line, "quantity", 0)
  const price = money.neededAmount(line, "price", currency)
  const allocations = { list: "discount_allocations", field: "amount", currency }
  const discount =
    money.sumOf(line, allocations) ?? money.amount(line, "total_discount", currency) ?? 0
  return { net: money.times(line, { price, quantity }) - discount, quantity }
}

/** Whether an amount is, to the cent, what the units cost as a part of the whole line. */
const isPriceOf = (amount: number, quantity: number, whole: WholeLine): boolean => {
  const difference = BigInt(amount) * BigInt(whole.quantity) - BigInt(whole.net) * BigInt(quantity)
  const magnitude = difference < 0n ? -difference : difference
  return magnitude < BigInt(whole.quantity)
}

const readSubtotal = (node: reader.Node, currency: money.ShopCurrency): number | undefined => {
  const isThere = reader.field(node, "subtotal") !== undefined
  if (isThere && currency === undefined) {
    reader.note(node, "subtotal", "can't be read: nothing in the refund names its currency")
  }
  return (
    money.amount(node, "subtotal", currency) ?? money.shopAmount(node, "subtotal_set", currency)
  )
}

const decide = (facts: {
  readonly quantity: number
  readonly subtotal: number | undefined
  readonly tax: number
  readonly whole: WholeLine | undefined
}): Part | undefined => {
  const { quantity, subtotal, tax, whole } = facts
  if (subtotal === undefined) return quantity === 0 ? undefined : { quantity }
  if (quantity > 0) {
    const isWholeUnits =
      whole === undefined ||
      isPriceOf(subtotal, quantity, whole) ||
      isPriceOf(subtotal + tax, quantity, whole)
    if (isWholeUnits) return { quantity }
  }
  return subtotal === 0 ? undefined : { amount: subtotal }
}

export const readLineRefund = (node: reader.Node, currency: money.ShopCurrency): LineRefund => ({
  itemId: reader.neededId(node, "line_item_id"),
  part: decide({
    quantity: reader.neededWhole(node, "quantity", 0),
    subtotal: readSubtotal(node, currency),
    tax: money.amount(node, "total_tax", currency) ?? 0,
    whole: readWholeLine(node, currency),
  }),
})
