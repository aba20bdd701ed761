/** Refunding whole items, to see whether everybody is back at nothing. */
import * as Result from "effect/Result"
import * as Refund from "../../shares/Refund.js"
import type { ItemBreakdown } from "../../shares/Share.js"
import type { Split } from "../../shares/Split.js"
import { first, money, ofItem, type Reason, total } from "./reasons.js"

/** Refunds that together give back all of an item: at once, and where it can be divided in two parts. */
const wholesOf = (
  item: ItemBreakdown,
  orderId: string,
): ReadonlyArray<ReadonlyArray<Refund.Refund>> => {
  const common = { orderId, itemId: item.itemId, refundedAt: 0 }
  const net = item.amount - item.discount
  const half = Math.trunc(net / 2)
  const amounts = net === 0 ? [] : half === 0 ? [[net]] : [[net], [half, net - half]]
  const { quantity } = item
  const units = quantity === 0 ? [] : quantity === 1 ? [[1]] : [[quantity], [1, quantity - 1]]
  const wholes = [
    ...amounts.map((parts) => parts.map((amount) => ({ ...common, amount }))),
    ...units.map((parts) => parts.map((each) => ({ ...common, quantity: each }))),
  ]
  const shipping = { ...common, shippingAmount: 1, shippingTotal: 2 }
  const withShipping = item.shipping === 0 ? [] : wholes.map((parts) => [shipping, ...parts])
  return [...wholes, ...withShipping]
}

const reversed = (
  split: Split,
  refunds: ReadonlyArray<Refund.Refund>,
): ReadonlyArray<Refund.Reversal> | "out of range" | { readonly refused: string } => {
  const found: Array<Refund.Reversal> = []
  for (const [index, refund] of refunds.entries()) {
    const reversal = Refund.reverse(split, refund, { earlier: refunds.slice(0, index) })
    if (Result.isFailure(reversal)) {
      const { _tag, message } = reversal.failure
      // Shipping of the other sign that goes back before the goods can lead beyond the exact range on the way.
      const isOnTheWay = _tag === "AmountOutOfRange" && refunds.length > 1
      return isOnTheWay ? "out of range" : { refused: `it can't be refunded: ${message}` }
    }
    found.push(reversal.success)
  }
  return found
}

const refundReason = (
  item: ItemBreakdown,
  split: Split,
  refunds: ReadonlyArray<Refund.Refund>,
): Reason => {
  const reversals = reversed(split, refunds)
  if (reversals === "out of range") return undefined
  if ("refused" in reversals) return reversals.refused
  const backOf = (groupId: string) =>
    total(reversals.flatMap(({ shares }) => shares.filter((share) => share.groupId === groupId)))
  const ofShares = first(ofItem(split.shares, item.itemId), ({ groupId, amount }) =>
    backOf(groupId) === BigInt(amount)
      ? undefined
      : `of ${money(amount, split)} (group ${groupId}, item ${item.itemId}) ${money(backOf(groupId), split)} come back`,
  )
  if (ofShares !== undefined) return ofShares
  const rest = total(ofItem(split.store, item.itemId))
  const store = total(reversals.map(({ store: amount }) => ({ amount })))
  if (store !== rest)
    return `of the store's ${money(rest, split)} (item ${item.itemId}) ${money(store, split)} come back`
  return reversals.at(-1)?.fullyRefunded === true
    ? undefined
    : `item ${item.itemId} is not fully refunded after its last part`
}

/** Why the refunds of a whole item don't take back exactly what was given of it. */
export const refundReasons = (item: ItemBreakdown, split: Split): Reason =>
  first(wholesOf(item, split.orderId), (refunds) => refundReason(item, split, refunds))
