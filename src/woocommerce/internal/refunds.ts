/** One refund of WooCommerce: its lines, and the money beside them. */
import * as reader from "../../internal/reader.js"
import {
  boughtOf,
  divide,
  lineOf,
  moneyOf,
  partOf,
  type RefundedLine,
  shippingOf,
} from "../../internal/refundedLines.js"
import type { Order } from "../../orders/Order.js"
import type { Problem } from "../../Problem.js"
import type * as Core from "../../shares/Refund.js"
import * as money from "./money.js"
import { lineAmount, type Prices, time } from "./orders.js"

export interface RefundDocument {
  readonly id: string | undefined
  readonly refunds: ReadonlyArray<Core.Refund>
  readonly notRead: ReadonlyArray<Problem>
}

export interface RefundOptions {
  readonly order: Order
  /** When the refund was made at the latest, for one that does not say it. */
  readonly latestAt?: number | null | undefined
}

const notRead = (node: reader.Node, message: string): Problem => ({
  path: node.path,
  value: node.fields,
  message,
})

/** The line that is refunded is named in the metadata; else it is the only one of its product. */
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
  const tax = prices.withTax ? 0n : money.amount(node, "total_tax")
  return {
    node,
    itemId,
    quantity: Math.abs(reader.whole(node, "quantity") ?? 0),
    subtotal: Math.abs(lineAmount(node, "total", prices)),
    tax: Math.abs(money.cents(node, "total_tax", tax, prices.currency)),
    bought: boughtOf(order).find((line) => line.itemId === itemId),
  }
}

/** What went back for shipping and fees, with its tax. */
const sumOf = (nodes: ReadonlyArray<reader.Node>, prices: Prices): number =>
  nodes.reduce(
    (sum, node) => sum + Math.abs(lineAmount(node, "total", { ...prices, withTax: true })),
    0,
  )

/** The shipping that went back, as refunds of the lines. */
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

/** All that went back; inside an order it is called a total, below 0. */
const amountOf = (node: reader.Node, { currency }: Prices): number => {
  const key = reader.field(node, "amount") === undefined ? "total" : "amount"
  return Math.abs(money.cents(node, key, money.neededAmount(node, key), currency))
}

const readTime = (node: reader.Node, latestAt: number | null | undefined): number => {
  const at = time(node, ["date_created_gmt", "date_created"]) ?? latestAt
  return at ?? reader.neededTime(node, "date_created_gmt")
}

/** Reads one refund of an order that is at hand. */
export const readRefund = (
  node: reader.Node,
  { order, latestAt }: RefundOptions,
): RefundDocument => {
  const prices = { currency: order.currency, withTax: order.taxesIncluded ?? false }
  const refundedAt = readTime(node, latestAt)
  const notFound: Array<Problem> = []
  const lines: Array<RefundedLine> = []
  for (const one of reader.children(node, "line_items") ?? []) {
    const line = readLine(one, { order, prices })
    if (line === undefined)
      notFound.push(notRead(one, "can't be told which line of the order it is of"))
    else if (line.quantity > 0 || line.subtotal !== 0) lines.push(line)
  }
  const [shipping, fees] = ["shipping_lines", "fee_lines"].map((key) =>
    (reader.children(node, key) ?? []).filter((one) => money.amount(one, "total") !== 0n),
  )
  const beside = [...(shipping ?? []), ...(fees ?? [])]
  const shipped = readShipping(node, shipping ?? [], { order, prices })
  const told = (fees ?? []).map((one) =>
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

/** The amount counts, and not what the lines say. */
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
