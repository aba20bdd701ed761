import * as Result from "effect/Result"
import * as Allocation from "../money/Allocation.js"
import type { Order, OrderItem } from "../orders/Order.js"
import type { Problem } from "../Problem.js"
import type { Refund } from "../shares/Refund.js"
import type { Unreadable } from "../Unreadable.js"
import * as reader from "./reader.js"
import { TaggedError } from "./TaggedError.js"

/**
 * A line of an order that was sold and is shared with nobody.
 *
 * @since 0.6.0
 * @category models
 */
export interface LeftOut {
  readonly itemId: string
  /** A gift card is money owed to its holder, until something is bought with it. */
  readonly what: "gift card" | "tip" | "fee"
  /** What was paid for it, in cents. */
  readonly amount: number
}

/**
 * An order that could be read but is not a sale, so that nobody is paid for it: a test, a draft, one that was cancelled
 * or voided, one that is not paid yet, or one of nothing but gift cards and tips.
 *
 * @since 0.6.0
 * @category errors
 */
export class NotASale extends TaggedError("NotASale")<{
  readonly orderId: string
  readonly reason: "test" | "draft" | "cancelled" | "voided" | "unpaid" | "nothing to share"
  readonly message: string
}> {}

/**
 * Why an order is not a sale.
 *
 * @since 0.6.0
 * @category models
 */
export type Reason = NotASale["reason"]

/**
 * The reading of one refund.
 *
 * @since 0.1.0
 * @category models
 */
export interface RefundReading {
  /**
   * The refund's own id, which identifies repetitions; `undefined` when it has none, or when several were read
   * together.
   *
   * @since 0.6.0
   */
  readonly id?: string | undefined
  /** One for each refunded line; and for refunded shipping, one for each line of the order. */
  readonly refunds: ReadonlyArray<Refund>
  /** Money that reverses nothing of a line, and why. */
  readonly notRead: ReadonlyArray<Problem>
}

/**
 * An order and what belongs to it.
 *
 * @since 0.6.0
 * @category models
 */
export interface Sale {
  readonly order: Order
  /** Its gift cards, tips and fees, which are not among the order's items. */
  readonly leftOut: ReadonlyArray<LeftOut>
  /** Its refunds, each as far as it can be read. */
  readonly refunds: ReadonlyArray<Result.Result<RefundReading, Unreadable>>
}

// An order of a platform that may not be a sale.

/** An order, and the lines of it that are shared with nobody. */
export interface Reading {
  readonly order: Order
  readonly leftOut: ReadonlyArray<LeftOut>
}

/** Why an order is not a sale, and the words for it. */
export type Unsold = readonly [reason: Reason, words: string]

/** How the orders of a platform are read. */
export interface SaleReader {
  /** What is read, for messages. */
  readonly what: string
  readonly path: string | undefined
  readonly include: ReadonlyArray<Reason> | undefined
  readonly unsold: (node: reader.Node) => Unsold | undefined
  readonly read: (node: reader.Node) => Reading
}

const nothingToShare = ({ order, leftOut }: Reading): Unsold | undefined => {
  if (order.items.length > 0 || leftOut.length === 0) return undefined
  const kinds = [...new Set(leftOut.map(({ what }) => `${what}s`))]
  return ["nothing to share", `has only ${kinds.join(" and ")}`]
}

/** Reads one order; one that is not a sale is `NotASale`, unless it can't be read at all. */
export const readSale = (
  input: unknown,
  { what, path, include, unsold, read }: SaleReader,
): Result.Result<Reading, Unreadable | NotASale> => {
  const both = (node: reader.Node) => ({ reading: read(node), said: unsold(node) })
  return Result.flatMap(reader.read(input, { what, path, read: both }), ({ reading, said }) => {
    const [reason, words] = said ?? nothingToShare(reading) ?? []
    if (reason === undefined || include?.includes(reason)) return Result.succeed(reading)
    const orderId = reading.order.id
    return Result.fail(new NotASale({ orderId, reason, message: `order ${orderId} ${words}` }))
  })
}

// What a refund returns of each line of an order: units of it, or money.

export type LinePart = { readonly quantity: number } | { readonly amount: number }

/** Refunded shipping of a line: the same fraction as of the whole order's. */
export interface ShippingPart {
  readonly itemId: string
  readonly shippingAmount: number
  readonly shippingTotal: number
}

/** A line as it was bought. */
export interface Bought {
  readonly itemId: string
  readonly quantity: number
  /** What it cost after its discount. */
  readonly net: number
  /** The tax paid on top of that. */
  readonly tax: number
}

/** A refunded line: how many units, and the money refunded for them. */
export interface RefundedLine {
  readonly node: reader.Node
  readonly itemId: string
  readonly quantity: number
  /** `undefined`: no amount is given. */
  readonly subtotal: number | undefined
  readonly tax: number
  readonly bought: Bought | undefined
}

/** Refunded shipping, as a refund of each line of the order; or why none of it can be reversed. */
export const shippingOf = (
  order: Order | undefined,
  back: number,
): { readonly refunds: ReadonlyArray<ShippingPart>; readonly problem: string | undefined } => {
  const told = (problem: string) => ({ refunds: [], problem })
  if (order === undefined) {
    return told("refunded shipping can be reversed only with its order")
  }
  const { shippingAmount: shippingTotal = 0, items } = order
  if (shippingTotal <= 0 || items.length === 0) {
    return told("shipping went back that is no part of the order, and takes nothing back")
  }
  const more = back - shippingTotal
  const shippingAmount = Math.min(back, shippingTotal)
  return {
    refunds: items.map(({ id }) => ({ itemId: id, shippingAmount, shippingTotal })),
    problem: more > 0 ? `${more} cents went back beyond the order's shipping` : undefined,
  }
}

/** The lines of the given order. */
export const boughtOf = (order: Order): ReadonlyArray<Bought> =>
  order.items.map((item) => ({
    itemId: item.id,
    quantity: item.quantity,
    net: item.amount - (item.discount ?? 0),
    tax: order.taxesIncluded === true ? 0 : (item.taxTotal ?? 0),
  }))

/** How much the refund may differ from the cost of the units: a cent of rounding for each of them. */
const tolerance = (quantity: number): number => quantity

/** What some units of a line cost, half-up. */
const costOf = (whole: number, units: number, { quantity }: Bought): number => {
  if (quantity === 0) return 0
  const doubled = 2n * BigInt(whole) * BigInt(units) + BigInt(quantity)
  return Number(doubled / (2n * BigInt(quantity)))
}

/**
 * Units if the money is what they cost, to a cent each; all units of a line count as all units, even for more money.
 * Otherwise the money. Subtotals of shops with tax in their prices may come without it.
 */
const unitsOrMoney = (amount: number, { quantity, tax, bought }: RefundedLine): LinePart => {
  if (quantity === 0 || bought === undefined) return { amount }
  // Money can't be a part of a price of 0 or less.
  if (bought.net <= 0) return { quantity }
  const cost = costOf(bought.net, quantity, bought)
  const isNear = (money: number) => Math.abs(money - cost) <= tolerance(quantity)
  const isCost = isNear(amount) || (bought.tax === 0 && isNear(amount + tax))
  if (isCost || (amount > cost && quantity >= bought.quantity)) return { quantity }
  return { amount: Math.min(amount, bought.net) }
}

/** Money of a line beyond the cost of the whole line, for which there is nothing to reverse. */
export const beyond = ({ subtotal = 0, quantity, bought }: RefundedLine): number =>
  bought === undefined ? 0 : Math.max(0, subtotal - bought.net - tolerance(quantity))

/** The refund of a line on its own; `undefined`: nothing is refunded. */
export const partOf = (line: RefundedLine): LinePart | undefined => {
  const { quantity, subtotal, bought } = line
  if (subtotal === undefined) return quantity === 0 ? undefined : { quantity }
  if (subtotal === 0) return quantity > 0 && bought?.net === 0 ? { quantity } : undefined
  return unitsOrMoney(subtotal, line)
}

/** Money that went back for the lines together. */
interface Weighed {
  readonly line: RefundedLine
  /** Without tax on top, and with it. */
  readonly net: number
  readonly gross: number
  /** The maximum that can be refunded, with tax on top. */
  readonly most: number
}

const weigh = (line: RefundedLine): Weighed => {
  const { quantity, subtotal = 0, tax, bought } = line
  const most = bought === undefined ? Number.MAX_SAFE_INTEGER : bought.net + bought.tax
  if (subtotal > 0) return { line, net: subtotal, gross: subtotal + onTop(tax, bought), most }
  if (bought === undefined) return { line, net: 1, gross: 1, most }
  const net = costOf(bought.net, quantity, bought)
  return { line, net, gross: net + costOf(bought.tax, quantity, bought), most }
}

const onTop = (tax: number, bought: Bought | undefined): number =>
  bought !== undefined && bought.tax === 0 ? 0 : tax

/** The money refunded for the lines, with tax. */
export const moneyOf = (lines: ReadonlyArray<RefundedLine>): number =>
  lines.reduce(
    (sum, { subtotal = 0, tax, bought }) =>
      sum + (subtotal > 0 ? subtotal + onTop(tax, bought) : 0),
    0,
  )

/**
 * Divides money over lines in proportion to what was refunded for them, or without such amounts to what their units
 * cost. The tax in it is left out, as in the cost of a line. Money beyond the cost of the lines is the rest.
 */
export const divide = (
  total: number,
  lines: ReadonlyArray<RefundedLine>,
): { readonly parts: ReadonlyArray<LinePart | undefined>; readonly rest: number } => {
  const weighed = lines.map(weigh)
  const payable = weighed.reduce(
    (sum, { most }) => Math.min(Number.MAX_SAFE_INTEGER, sum + most),
    0,
  )
  const divided = Allocation.allocate(
    Math.min(total, payable),
    weighed.map(({ gross }) => Math.max(0, gross)),
  )
  const parts = weighed.map(({ line, net, gross }, index) => {
    const part = divided[index] ?? 0
    if (part <= 0 || gross <= 0) return undefined
    const amount = Number((2n * BigInt(part) * BigInt(net) + BigInt(gross)) / (2n * BigInt(gross)))
    return unitsOrMoney(amount, line)
  })
  return { parts, rest: Math.max(0, total - payable) }
}

/** A line of an order of which money is refunded, but no units. */
export const lineOf = (node: reader.Node, bought: Bought): RefundedLine => {
  const { itemId, quantity } = bought
  return { node, itemId, quantity, subtotal: undefined, tax: 0, bought }
}

/** The items with a discount of the whole order divided among them by what they cost. */
export const withDiscount = (
  items: ReadonlyArray<OrderItem>,
  discount: number,
): ReadonlyArray<OrderItem> => {
  const nets = items.map((item) => Math.max(0, item.amount - (item.discount ?? 0)))
  const parts = Allocation.allocate(discount, nets)
  return items.map((item, index) => ({
    ...item,
    discount: (item.discount ?? 0) + (parts[index] ?? 0),
  }))
}
