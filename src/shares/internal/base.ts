import { at } from "../../internal/at.js"
import { compareTexts } from "../../internal/compare.js"
import * as Cents from "../../money/Cents.js"
import * as exact from "../../money/internal/exact.js"
import { allocateExactly } from "../../money/internal/exact.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import type { SplitPolicy } from "../SplitPolicy.js"

/**
 * An item's money before it is shared. An item that reverses a sale (its amount is negative) is computed as its mirror:
 * every figure here is multiplied by `sign`, so that shares are computed on amounts of 0 or more and negated again at
 * the end.
 */
export interface ItemFigures {
  readonly sign: 1 | -1
  readonly tax: number
  readonly cost: number
  readonly gatewayFee: number
  readonly shipping: number
  readonly base: number
  readonly distributable: number
}

/** The value as a number, or the typed failure when it is not a safe integer; only the failure needs the name. */
export const inRange = (value: number | bigint, what: () => string): number => {
  const safe = exact.toSafe(value)
  if (safe === undefined) throw Cents.AmountOutOfRange.of(what(), value)
  return safe
}

/** A per-unit amount for a whole line. */
export const timesQuantity = (amount: number, item: OrderItem, what: () => string): number =>
  inRange(exact.multiply(amount, item.quantity), () => `${what()} of item ${item.id}`)

/** What tax adds to an amount: negative when tax inside the amount is removed, positive when tax on top is shared. */
const taxEffect = (order: Order, tax: number, policy: SplitPolicy): number => {
  if (order.taxesIncluded === true) return policy.tax === "remove" ? -tax : 0
  return policy.tax === "share" ? tax : 0
}

/** The distributable shipping of the order: tax on it is treated as tax on items. */
export const shippingOf = (order: Order, policy: SplitPolicy): number => {
  const amount = order.shippingAmount ?? 0
  const tax = order.shippingTax ?? 0
  if (tax === 0) return amount
  const whole = exact.sum([amount, taxEffect(order, tax, policy)])
  return inRange(whole, () => "the shipping with its tax")
}

/** A base, or 0 when it is negative. */
export const notBelowZero = (base: number | bigint): number | bigint => {
  if (base > 0) return base
  return 0
}

/** Computes the base of percentages and the distributable amount. */
export const figuresOf = (
  order: Order,
  item: OrderItem,
  parts: Pick<ItemFigures, "sign" | "shipping" | "gatewayFee">,
  policy: SplitPolicy,
): ItemFigures => {
  const { sign } = parts
  const amount = sign * item.amount
  const discount = sign * (item.discount ?? 0)
  const tax = sign * taxEffect(order, item.taxTotal ?? 0, policy)
  const cost =
    policy.cost === "deduct" ? timesQuantity(item.product.cost ?? 0, item, () => "the cost") : 0
  const gatewayFee = sign * parts.gatewayFee
  const shipping = sign * parts.shipping
  const deductedDiscount = policy.discount === "deduct" ? discount : 0
  const base = exact.sum([amount, -deductedDiscount, tax, -cost, -gatewayFee])
  const distributable = exact.sum([amount, -discount, tax, shipping])
  return {
    sign,
    tax,
    cost,
    gatewayFee,
    shipping,
    base: inRange(notBelowZero(base), () => `the base of item ${item.id}`),
    distributable: inRange(distributable, () => `what item ${item.id} brought in`),
  }
}

/** What the buyer paid for an item: its amount less its discount. */
export const netOf = (item: OrderItem): number => item.amount - (item.discount ?? 0)

/** What the parts are proportional to; not 0 for all of these items. */
const weighing = (items: ReadonlyArray<OrderItem>): ((item: OrderItem) => number) => {
  if (items.some((item) => netOf(item) !== 0)) return (item) => Math.abs(netOf(item))
  return items.some((item) => item.quantity > 0) ? (item) => item.quantity : () => 1
}

const nothing: ReadonlyArray<number> = []

/**
 * Divides an order-level amount over its items exactly, in proportion to what was paid for them. Equal remainders go to
 * the smaller item id; when nothing was paid, quantities decide.
 */
export const spread = (sum: number, items: ReadonlyArray<OrderItem>): ReadonlyArray<number> => {
  // Callers read a missing entry as 0.
  if (sum === 0) return nothing
  if (items.length === 1) return [sum]
  const inOrder = items
    .map((item, place) => ({ item, place }))
    .sort((left, right) => compareTexts(left.item.id, right.item.id))
  const weight = weighing(items)
  const allocated = allocateExactly(
    sum,
    inOrder.map(({ item }) => weight(item)),
  )
  const parts = allocated.slice()
  inOrder.forEach(({ place }, index) => {
    parts[place] = at(allocated, index)
  })
  return parts
}
