/** Refunds, which name an amount, and credit notes, which name lines of an invoice. */
import type { PlatformRefund } from "../../internal/platform.js"
import * as reader from "../../internal/reader.js"
import {
  type Bought,
  beyond,
  boughtOf,
  partOf,
  type RefundedLine,
  shippingOf,
} from "../../internal/sales.js"
import type { Order } from "../../orders/Order.js"
import type { Problem } from "../../Problem.js"
import type { Refund } from "../../shares/Refund.js"
import { creditsOf, taxesOf } from "./invoices.js"
import { expandable, listed, money, neededMoney } from "./values.js"

/** The order of a refund, and its earlier refunds. */
export interface RefundOf {
  readonly order: Order
  /** The amount of earlier refunds of the whole order. */
  readonly moneyBack: number
}

const notRead = (node: reader.Node, message: string): Problem => ({
  path: node.path,
  value: node.fields,
  message,
})

// Refunds of the whole order.

/** The amount paid for an order, with tax and shipping. */
const paidFor = (order: Order): number => {
  const { shippingAmount = 0, shippingTax = 0, taxesIncluded = false } = order
  const lines = boughtOf(order).reduce((sum, { net, tax }) => sum + net + tax, 0)
  return lines + shippingAmount + (taxesIncluded ? 0 : shippingTax)
}

/** The part of a line in a refund of the whole order, rounded half-up. */
const backWith = (net: number, back: number, paid: number): number => {
  if (back >= paid) return net
  const doubled = 2n * BigInt(Math.abs(net)) * BigInt(back) + BigInt(paid)
  return Math.sign(net) * Number(doubled / (2n * BigInt(paid)))
}

/**
 * A refund of the whole order as refunds of its lines: of each line, and of its part of the shipping, the same fraction
 * is refunded. It is computed from the sum of all refunds so far, so that the result does not depend on the order of
 * refunds, and is exact after a full refund.
 */
const ofWhole = (
  node: reader.Node,
  amount: number,
  { order, moneyBack }: RefundOf,
): { readonly parts: ReadonlyArray<Partial<Refund>>; readonly notRead: ReadonlyArray<Problem> } => {
  const paid = paidFor(order)
  if (paid <= 0) return { parts: [], notRead: [notRead(node, "nothing was paid for the order")] }
  const after = moneyBack + amount
  const parts = boughtOf(order).flatMap(
    ({ itemId, net }: Bought): ReadonlyArray<Partial<Refund>> => {
      const isOver = net === 0 && after >= paid && moneyBack < paid
      if (isOver) return [{ itemId, remaining: true }]
      const part = backWith(net, after, paid) - backWith(net, moneyBack, paid)
      return part === 0 ? [] : [{ itemId, amount: part }]
    },
  )
  const more = Math.min(amount, after - paid)
  const message = `${more} of the currency's lowest unit are more than was paid for the order`
  return { parts, notRead: more > 0 ? [notRead(node, message)] : [] }
}

// Refunds.

const statuses = ["succeeded", "pending", "requires_action", "failed", "canceled"] as const

/** The status of a refund; a lost dispute counts as a refund that succeeded. */
export const statusOf = (refund: reader.Node): (typeof statuses)[number] | undefined => {
  if (refund.fields.object === "dispute") return "succeeded"
  if (reader.field(refund, "status") === undefined) {
    reader.refuse(refund, "status", reader.oneOf(statuses))
  }
  return reader.choice(refund, "status", statuses)
}

const checkCurrency = (node: reader.Node, { currency }: Order): void => {
  const own = reader.readCurrency(node, "currency")
  if (own !== "" && own !== currency) {
    reader.refuse(node, "currency", `${currency.toLowerCase()}, as that of its order`)
  }
}

const withOrder = (
  parts: ReadonlyArray<Partial<Refund> & { readonly itemId?: string }>,
  orderId: string,
  refundedAt: number,
): ReadonlyArray<Refund> =>
  parts.map(({ itemId = "", ...part }) => ({ ...part, orderId, itemId, refundedAt }))

const readMoney = (refund: reader.Node, known: RefundOf): PlatformRefund => {
  const { order } = known
  const id = reader.neededId(refund, "id")
  const refundedAt = reader.neededTime(refund, "created")
  checkCurrency(refund, order)
  const amount = neededMoney(refund, "amount", order.currency)
  const status = statusOf(refund)
  if (status !== "succeeded") {
    const message = `has the status ${status}, so that nothing went back`
    return { id, refunds: [], notRead: [notRead(refund, message)] }
  }
  const whole = ofWhole(refund, amount, known)
  const refunds = withOrder(whole.parts, order.id, refundedAt)
  return { id, refunds, notRead: whole.notRead, moneyBack: amount }
}

// Credit notes.

const kinds = ["invoice_line_item", "custom_line_item"] as const

/** The credited amount of a line before exclusive tax. */
const creditedFor = (line: reader.Node, currency: string): number =>
  neededMoney(line, "amount", currency) -
  (money(line, "discount_amount", currency) ?? 0) -
  creditsOf(line, currency)

const readLine = (line: reader.Node, order: Order): RefundedLine => {
  const { currency, taxesIncluded = false } = order
  const itemId = reader.neededId(line, "invoice_line_item")
  const bought = boughtOf(order).find((one) => one.itemId === itemId)
  if (bought === undefined && itemId !== "") {
    reader.refuse(line, "invoice_line_item", `a line of ${order.id}`)
  }
  const { taxInPrice, taxOnTop } = taxesOf(line, currency)
  const credited = creditedFor(line, currency)
  return {
    ...{ node: line, itemId, quantity: reader.whole(line, "quantity", 0) ?? 0, bought },
    subtotal: taxesIncluded ? credited : credited - taxInPrice,
    tax: taxOnTop,
  }
}

const howToGetLines = "fetch the credit note with all of its lines"

/** The refunds that a credit note names, in the fields of old or new API versions. */
const refundsIn = (note: reader.Node): ReadonlyArray<string> => {
  const single = expandable(note, "refund")?.id
  const list = reader.children(note, "refunds") ?? []
  const inside = list.flatMap((one) => expandable(one, "refund")?.id ?? [])
  return [...new Set([...(single === undefined ? [] : [single]), ...inside])]
}

const readCredit = (note: reader.Node, known: RefundOf): PlatformRefund => {
  const { order } = known
  const { currency } = order
  const id = reader.neededId(note, "id")
  const refundedAt = reader.neededTime(note, "created")
  checkCurrency(note, order)
  const lines: Array<RefundedLine> = []
  let other = 0
  const nodes = listed(note, "lines", howToGetLines)
  for (const line of nodes) {
    const kind = reader.choice(line, "type", kinds)
    if (kind === undefined) reader.refuse(line, "type", reader.oneOf(kinds))
    if (kind === "invoice_line_item") lines.push(readLine(line, order))
    else other += creditedFor(line, currency) + taxesOf(line, currency).taxOnTop
  }
  if (nodes.length === 0) other = neededMoney(note, "total", currency)
  const cost = nodes.length === 0 ? undefined : reader.child(note, "shipping_cost")
  const shipping = cost === undefined ? 0 : shippingBack(cost, order)
  const shipped = shipping > 0 ? shippingOf(order, shipping) : { refunds: [], problem: undefined }
  const whole = other > 0 ? ofWhole(note, other, known) : { parts: [], notRead: [] }
  const ofLines = lines.flatMap((line) => {
    const part = partOf(line)
    return part === undefined ? [] : [{ itemId: line.itemId, ...part }]
  })
  const told = lines.flatMap((line) => {
    const more = beyond(line)
    const message = `credits ${more} of the currency's lowest unit more than the line cost`
    return more > 0 ? [notRead(line.node, message)] : []
  })
  const problems = shipped.problem === undefined ? [] : [notRead(note, shipped.problem)]
  return {
    id,
    refunds: withOrder([...ofLines, ...whole.parts, ...shipped.refunds], order.id, refundedAt),
    notRead: [...told, ...whole.notRead, ...problems],
    ...(other > 0 ? { moneyBack: other } : {}),
    includes: refundsIn(note),
  }
}

/** The refunded shipping, with tax if the order's shipping includes it. */
const shippingBack = (cost: reader.Node, { currency, taxesIncluded = false }: Order): number => {
  const total = neededMoney(cost, "amount_total", currency)
  return taxesIncluded ? total : total - (money(cost, "amount_tax", currency) ?? 0)
}

const objects = ["refund", "credit_note", "dispute"] as const

/** Reads a refund or a credit note with its order. */
export const readRefund = (node: reader.Node, known: RefundOf): PlatformRefund => {
  const object = reader.choice(node, "object", objects)
  if (object === undefined) reader.refuse(node, "object", reader.oneOf(objects))
  return object === "credit_note" ? readCredit(node, known) : readMoney(node, known)
}
