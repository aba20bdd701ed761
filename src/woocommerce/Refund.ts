/**
 * WooCommerce's refunds, as `/orders/<id>/refunds` returns them.
 *
 * @since 0.6.0
 */

import type * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import {
  boughtOf,
  divide,
  lineOf,
  moneyOf,
  partOf,
  type RefundedLine,
  type RefundReading,
  shippingOf,
} from "../internal/sales.js"
import * as Allocation from "../money/Allocation.js"
import type { Order } from "../orders/Order.js"
import type { Problem } from "../Problem.js"
import type { Unreadable } from "../Unreadable.js"
import { amount, cents, lineAmount, neededAmount, type Prices, time } from "./internal/orders.js"

// One WooCommerce refund: its lines, and the other money.

/**
 * Options for reading a refund.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReadOptions {
  /** The order of the refund: WooCommerce's refunds name neither their order nor a currency. */
  readonly order: Order
  /** The path of the document in a larger input, for the problems' paths. */
  readonly path?: string | undefined
  /** The time of a refund that has none, in Unix seconds. */
  readonly latestAt?: number | null | undefined
}

const notRead = (node: reader.Node, message: string): Problem => ({
  path: node.path,
  value: node.fields,
  message,
})

/** The metadata names the refunded line; otherwise it is the only line of its product. */
const itemIdOf = (line: reader.Node, order: Order): string | undefined => {
  for (const { fields } of reader.children(line, "meta_data") ?? []) {
    if (fields.key === "_refunded_item_id") return reader.idOf(fields.value)
  }
  const [product, variation] = [reader.id(line, "product_id"), reader.id(line, "variation_id")]
  const same = order.items.filter(
    (item) =>
      item.product.externalId === product && (item.product.externalVariantId ?? "0") === variation,
  )
  return same.length === 1 ? same[0]?.id : undefined
}

const readLine = (
  node: reader.Node,
  { order, prices }: { readonly order: Order; readonly prices: Prices },
): RefundedLine | undefined => {
  const itemId = itemIdOf(node, order)
  if (itemId === undefined) return undefined
  const tax = prices.withTax ? 0n : amount(node, "total_tax")
  return {
    node,
    itemId,
    quantity: Math.abs(reader.whole(node, "quantity") ?? 0),
    subtotal: Math.abs(lineAmount(node, "total", prices)),
    tax: Math.abs(cents(node, "total_tax", tax, prices.currency)),
    bought: boughtOf(order).find((line) => line.itemId === itemId),
  }
}

/** The sign of refunded amounts: WooCommerce writes them below 0. */
const signOf = (nodes: ReadonlyArray<reader.Node>): bigint => {
  const sum = nodes.reduce((total, node) => total + amount(node, "total"), 0n)
  return sum > 0n ? 1n : -1n
}

/** The refunded fees, and the negative fees (discounts) that are partly withdrawn. */
const feesOf = (fees: ReadonlyArray<reader.Node>, others: ReadonlyArray<reader.Node>) => {
  const sign = signOf(others)
  const isBack = (fee: reader.Node) => others.length === 0 || sign * amount(fee, "total") > 0n
  return { fees: fees.filter(isBack), discounts: fees.filter((fee) => !isBack(fee)) }
}

/** Reduces the amounts of the lines: a negative fee is a discount on them, and a part of it is withdrawn. */
const withDiscounts = (
  lines: ReadonlyArray<RefundedLine>,
  discounts: ReadonlyArray<reader.Node>,
  prices: Prices,
): ReadonlyArray<RefundedLine> => {
  const sum = (of: (node: reader.Node) => number) =>
    discounts.reduce((total, node) => total + Math.abs(of(node)), 0)
  const net = sum((node) => lineAmount(node, "total", prices))
  const tax = sum((node) =>
    prices.withTax ? 0 : cents(node, "total_tax", amount(node, "total_tax"), prices.currency),
  )
  const weights = lines.map(({ subtotal = 0 }) => subtotal)
  const [nets, taxes] = [Allocation.allocate(net, weights), Allocation.allocate(tax, weights)]
  return lines.map((line, index) => ({
    ...line,
    subtotal: Math.max(0, (line.subtotal ?? 0) - (nets[index] ?? 0)),
    tax: Math.max(0, line.tax - (taxes[index] ?? 0)),
  }))
}

/** The refunded shipping and fees, with tax. */
const sumOf = (nodes: ReadonlyArray<reader.Node>, prices: Prices): number =>
  nodes.reduce(
    (sum, node) => sum + Math.abs(lineAmount(node, "total", { ...prices, withTax: true })),
    0,
  )

/** The refunded shipping, as refunds of the lines. */
const readShipping = (
  node: reader.Node,
  lines: ReadonlyArray<reader.Node>,
  { order, prices }: { readonly order: Order; readonly prices: Prices },
) => {
  const sum = lines.reduce((total, line) => total + Math.abs(lineAmount(line, "total", prices)), 0)
  const { refunds, problem } =
    sum > 0 ? shippingOf(order, sum) : { refunds: [], problem: undefined }
  return { refunds, notRead: problem === undefined ? [] : [notRead(lines[0] ?? node, problem)] }
}

/** The total refunded; inside an order the field is `total`, and below 0. */
const amountOf = (node: reader.Node, { currency }: Prices): number => {
  const key = reader.field(node, "amount") === undefined ? "total" : "amount"
  return Math.abs(cents(node, key, neededAmount(node, key), currency))
}

const readTime = (node: reader.Node, latestAt: number | null | undefined): number => {
  const at = time(node, ["date_created_gmt", "date_created"]) ?? latestAt
  return at ?? reader.neededTime(node, "date_created_gmt")
}

/** Reads one refund with its order. */
const readRefund = (
  node: reader.Node,
  { order, latestAt }: Omit<ReadOptions, "path">,
): RefundReading => {
  const prices = { currency: order.currency, withTax: order.taxesIncluded ?? false }
  const refundedAt = readTime(node, latestAt)
  const notFound: Array<Problem> = []
  const found: Array<RefundedLine> = []
  for (const one of reader.children(node, "line_items") ?? []) {
    const line = readLine(one, { order, prices })
    if (line === undefined)
      notFound.push(notRead(one, "can't be told which line of the order it is of"))
    else if (line.quantity > 0 || line.subtotal !== 0) found.push(line)
  }
  const paid = (key: string) =>
    (reader.children(node, key) ?? []).filter((one) => amount(one, "total") !== 0n)
  const shipping = paid("shipping_lines")
  const { fees, discounts } = feesOf(paid("fee_lines"), [...paid("line_items"), ...shipping])
  const lines =
    discounts.length * found.length === 0 ? found : withDiscounts(found, discounts, prices)
  const beside = [...shipping, ...fees]
  const shipped = readShipping(node, shipping, { order, prices })
  const told = fees.map((one) =>
    notRead(one, "a refund of fees takes nothing back from a line, and was not read"),
  )
  const whole = amountOf(node, prices)
  const forLines = whole - sumOf(beside, prices)
  const isNear = (total: number) => Math.abs(total - moneyOf(lines)) <= lines.length
  const isSaid = isNear(forLines) || isNear(whole)
  const isFound = notFound.length === 0
  const settled =
    isFound && !isSaid && forLines > 0
      ? divided(node, { lines, total: forLines, order })
      : { parts: lines.map((line) => [line, partOf(line)] as const), notRead: [] }
  const refunds = settled.parts.flatMap(([{ itemId }, part]) =>
    part === undefined ? [] : [{ orderId: order.id, itemId, ...part, refundedAt }],
  )
  const ofShipping = shipped.refunds.map((part) => ({ orderId: order.id, ...part, refundedAt }))
  const all = [...settled.notRead, ...notFound, ...shipped.notRead, ...told]
  return { id: reader.id(node, "id"), refunds: [...refunds, ...ofShipping], notRead: all }
}

/** The amount takes precedence over the lines. */
const divided = (
  node: reader.Node,
  { lines, total, order }: { lines: ReadonlyArray<RefundedLine>; total: number; order: Order },
) => {
  const over = lines.length > 0 ? lines : boughtOf(order).map((one) => lineOf(node, one))
  const { parts, rest } = divide(total, over)
  return {
    parts: over.map((line, index) => [line, parts[index]] as const),
    notRead: rest > 0 ? [notRead(node, `${rest} cents are more than the lines cost`)] : [],
  }
}

export type { RefundReading } from "../internal/sales.js"

/**
 * Reads one refund of an order. Each refunded line is by quantity if its money is what so many units cost after
 * discount, to a cent for each, else by amount. If the refund's `amount` differs from the sum of its lines, the amount
 * counts, and is divided over them, or without lines over all lines of the order, by what was paid for them. Refunded
 * shipping reverses the same fraction of each line's shipping. Refunded fees reverse nothing, and are listed in
 * `notRead`. Fails with `Unreadable`, which lists every problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Order, Refund } from "apportion/woocommerce"
 * import { Result } from "effect"
 *
 * const order = Result.getOrThrow(
 *   Order.read({
 *     id: 723,
 *     currency: "USD",
 *     status: "completed",
 *     line_items: [{ id: 1, product_id: 7, quantity: 2, subtotal: "40.00", total: "40.00" }],
 *   }),
 * )
 * const refund = Refund.read(
 *   { id: 726, date_created_gmt: "2017-03-22T00:07:11", amount: "10.00", line_items: [] },
 *   { order },
 * )
 * Result.getOrThrow(refund).refunds[0]?.amount // => 1000
 * ```
 */
export const read = (
  input: unknown,
  { path, ...options }: ReadOptions,
): Result.Result<RefundReading, Unreadable> =>
  reader.read(input, {
    what: "WooCommerce refund",
    path,
    read: (node) => readRefund(node, options),
  })
