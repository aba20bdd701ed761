import * as reader from "../../internal/reader.js"
import type { LeftOut } from "../../internal/sales.js"
import {
  type Bought,
  beyond,
  boughtOf,
  divide,
  type LinePart,
  lineOf,
  moneyOf,
  partOf,
  type RefundedLine,
  type RefundReading,
  type ShippingPart,
  shippingOf,
} from "../../internal/sales.js"
import * as Currency from "../../money/Currency.js"
import type { Order } from "../../orders/Order.js"
import type { Problem } from "../../Problem.js"
import { shopCurrencyOf } from "./orders.js"
import * as values from "./values.js"

// The lines of a refund.

export interface Context {
  readonly currency: values.ShopCurrency
  /** The order of the refund. */
  readonly order: Order | undefined
}

/** The line inside the refund. It does not say whether its price includes tax, and usually it does not. */
const embedded = (
  node: reader.Node,
  { currency, order }: Context,
  itemId: string,
): Bought | undefined => {
  const line = reader.child(node, "line_item")
  if (line === undefined || currency === undefined) return undefined
  const quantity = reader.neededWhole(line, "quantity", 0)
  const amount = values.times(line, {
    price: values.neededAmount(line, "price", currency),
    quantity,
  })
  const tax = values.sumOf(line, { list: "tax_lines", field: "price", currency }) ?? 0
  return {
    itemId,
    quantity,
    net: amount - values.lineDiscount(line, currency),
    tax: order?.taxesIncluded === true ? 0 : tax,
  }
}

const readSubtotal = (node: reader.Node, currency: values.ShopCurrency): number | undefined => {
  const isThere = reader.field(node, "subtotal") !== undefined
  if (isThere && currency === undefined) {
    reader.note(
      node,
      "subtotal",
      "can't be read: nothing says the shop's currency (a payment's is the buyer's); give the order, or the currency",
    )
  }
  return (
    values.amount(node, "subtotal", currency) ?? values.shopAmount(node, "subtotal_set", currency)
  )
}

/**
 * Whether the order has changed since the refund, and has another quantity of the line. Then the line inside the refund
 * has the cost.
 */
const isOther = (node: reader.Node, { quantity }: Bought): boolean => {
  const line = reader.field(node, "line_item")
  if (!reader.isFields(line) || (line.price ?? null) === null) return false
  return typeof line.quantity === "number" && line.quantity !== quantity
}

export const readLine = (node: reader.Node, context: Context): RefundedLine => {
  const { currency, order } = context
  const itemId = reader.neededId(node, "line_item_id")
  const known = order && boughtOf(order).find((line) => line.itemId === itemId)
  const bought =
    known === undefined || isOther(node, known) ? embedded(node, context, itemId) : known
  return {
    node,
    itemId,
    quantity: reader.neededWhole(node, "quantity", 0),
    subtotal: readSubtotal(node, currency),
    tax: values.amount(node, "total_tax", currency) ?? 0,
    bought: bought ?? known,
  }
}

// One refund: its lines, and the order-level money refunded with them.

/**
 * Options for reading Shopify's refunds.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShopifyRefundOptions {
  /** The shop's currency, when the refund does not name it. */
  readonly currency?: string | undefined
  /** The path of the document in a larger input, for the problems' paths. */
  readonly path?: string | undefined
  /**
   * The order of the refund. With it, the refund needs neither a currency nor lines of its own: the price of
   * each line is known, and order-level money can be divided over the lines.
   *
   * @since 0.6.0
   */
  readonly order?: Order | undefined
  /**
   * The lines that were left out when the order was read; their refunds reverse nothing.
   *
   * @since 0.6.0
   */
  readonly leftOut?: ReadonlyArray<LeftOut> | undefined
}

/** What is known about a refund besides its document. */
export interface KnownRefund extends Omit<ShopifyRefundOptions, "path"> {
  readonly orderId?: string | undefined
}

/** A payment is in the buyer's currency, so only fields in the shop's own money name the currency. */
const currencyOf = (node: reader.Node, { order, currency }: KnownRefund): values.ShopCurrency => {
  const objects = (key: string) => {
    const values = reader.field(node, key)
    return Array.isArray(values) ? values.filter(reader.isFields) : []
  }
  const sets: ReadonlyArray<unknown> = [
    ...objects("refund_line_items").flatMap((line) => [line.subtotal_set, line.total_tax_set]),
    ...objects("order_adjustments").map((adjustment) => adjustment.amount_set),
    node.fields.total_duties_set,
    node.fields.total_refunded_set,
  ]
  const named = [order?.currency, currency, ...sets.map(shopCurrencyOf)]
  return named.find(Currency.isCurrency)
}

const readTime = (node: reader.Node): number =>
  reader.field(node, "created_at") === undefined && reader.field(node, "processed_at") !== undefined
    ? reader.neededTime(node, "processed_at")
    : reader.neededTime(node, "created_at")

const readOrderId = (node: reader.Node, { order, orderId }: KnownRefund): string =>
  reader.field(node, "order_id") === undefined
    ? (orderId ?? order?.id ?? reader.neededId(node, "order_id"))
    : reader.neededId(node, "order_id")

const isFailed = ({ fields }: reader.Node): boolean =>
  fields.status === "failure" || fields.status === "error"

/** Whether the refund has payments, and all of them failed. */
export const isFailure = (node: reader.Node): boolean => {
  const payments = reader.children(node, "transactions") ?? []
  return payments.length > 0 && payments.every(isFailed)
}

/** The amount paid back; `undefined` when a payment is not in the shop's currency. */
const paidBack = (
  payments: ReadonlyArray<reader.Node>,
  currency: values.ShopCurrency,
): number | undefined => {
  const made = payments.filter(
    ({ fields }) => fields.kind === "refund" || fields.kind === undefined,
  )
  if (made.some(({ fields }) => (fields.currency ?? currency) !== currency)) return undefined
  return made.reduce((sum, payment) => sum + (values.amount(payment, "amount", currency) ?? 0), 0)
}

const adjustments = (node: reader.Node): ReadonlyArray<reader.Node> =>
  reader.children(node, "order_adjustments") ?? []

const isOfShipping = ({ fields }: reader.Node): boolean => fields.kind === "shipping_refund"

/** An adjustment is negative when more money was refunded. */
const adjusted = (nodes: ReadonlyArray<reader.Node>, currency: values.ShopCurrency): number =>
  nodes.reduce(
    (sum, node) =>
      sum -
      (values.amount(node, "amount", currency) ?? 0) -
      (values.amount(node, "tax_amount", currency) ?? 0),
    0,
  )

/** Refunded shipping, from one object of the document. */
interface ShippingBack {
  readonly node: reader.Node
  readonly net: number
  readonly tax: number
  /** Whether it has an amount. */
  readonly isSaid: boolean
  /** Whether it was removed from the order, so that the order's shipping does not include it. */
  readonly isRemoved: boolean
}

/** Shipping that is in the document twice counts once. */
const shippingBack = (
  node: reader.Node,
  currency: values.ShopCurrency,
): ReadonlyArray<ShippingBack> => {
  const lines = reader.children(node, "refund_shipping_lines") ?? []
  if (lines.length === 0) {
    return adjustments(node)
      .filter(isOfShipping)
      .map((one) => ({
        node: one,
        net: -(values.amount(one, "amount", currency) ?? 0),
        tax: -(values.amount(one, "tax_amount", currency) ?? 0),
        isSaid: reader.field(one, "amount") !== undefined,
        isRemoved: false,
      }))
  }
  return lines.map((line) => ({
    node: line,
    net: values.shopAmount(line, "subtotal_amount_set", currency) ?? 0,
    tax: values.shopAmount(line, "tax_amount_set", currency) ?? 0,
    isSaid: reader.field(line, "subtotal_amount_set") !== undefined,
    isRemoved: reader.child(line, "shipping_line")?.fields.is_removed === true,
  }))
}

/** Its amount with tax. */
const paidForShipping = (all: ReadonlyArray<ShippingBack>): number =>
  all.reduce((sum, { net, tax }) => sum + net + tax, 0)

const ofNoLine = [
  ["refund_duties", "duties"],
  ["duties", "duties"],
  ["additional_fees", "fees"],
] as const

const notRead = (node: reader.Node, message: string): Problem => ({
  path: node.path,
  value: node.fields,
  message,
})

const takesNothing = (what: string): string =>
  `a refund of ${what} takes nothing back from a line of the order, and was not read`

/** The fields of the refund besides lines, shipping and their money. */
const findOthers = (node: reader.Node): ReadonlyArray<Problem> =>
  ofNoLine.flatMap(([key, what]) =>
    (reader.children(node, key) ?? []).map((one) => notRead(one, takesNothing(what))),
  )

/** The refunded shipping, as refunds of the lines it was paid for. It includes tax if the order's shipping does. */
const readShipping = (
  all: ReadonlyArray<ShippingBack>,
  order: Order | undefined,
): { readonly refunds: ReadonlyArray<ShippingPart>; readonly notRead: ReadonlyArray<Problem> } => {
  const known = all.filter(({ isRemoved }) => !isRemoved)
  const back = known.reduce(
    (sum, { net, tax }) => sum + net + (order?.taxesIncluded === true ? tax : 0),
    0,
  )
  const isSaid = known.every((one) => one.isSaid)
  const { refunds, problem } =
    order === undefined || back > 0 ? shippingOf(order, back) : nothingBack(isSaid && back === 0)
  const told = all.flatMap((one) => {
    if (one.isRemoved) {
      return [notRead(one.node, "shipping that was removed from the order takes nothing back")]
    }
    return problem === undefined ? [] : [notRead(one.node, problem)]
  })
  return { refunds, notRead: told }
}

/** Without refunded shipping: nothing is reported if the document says so. */
const nothingBack = (isZero: boolean): ReturnType<typeof shippingOf> => ({
  refunds: [],
  problem: isZero ? undefined : "does not say how much shipping went back, and takes nothing back",
})

const discrepanciesIn = (node: reader.Node): ReadonlyArray<reader.Node> =>
  adjustments(node).filter((one) => !isOfShipping(one))

/** The difference between the refunded amount and the amount of the lines; `undefined` if unknown. */
const extraOf = (
  node: reader.Node,
  lines: ReadonlyArray<RefundedLine>,
  context: Context & {
    readonly payments: ReadonlyArray<reader.Node>
    readonly shipping: ReadonlyArray<ShippingBack>
  },
): number | undefined => {
  const { currency, payments, order } = context
  const discrepancies = discrepanciesIn(node)
  if (lines.some(({ subtotal }) => subtotal === undefined)) {
    return discrepancies.length > 0 ? undefined : 0
  }
  if (discrepancies.length > 0) {
    if (currency === undefined) return undefined
    const discrepancy = adjusted(discrepancies, currency)
    // Money that was never paid can't be refunded; the units were still returned.
    return discrepancy < 0 && order?.details?.status === "partially_paid" ? 0 : discrepancy
  }
  const isOfUnitsOnly = lines.length > 0 && lines.every(({ bought }) => bought?.net === 0)
  if (moneyOf(lines) > 0 || isOfUnitsOnly || payments.length === 0) return 0
  const paid = currency === undefined ? undefined : paidBack(payments, currency)
  return paid === undefined ? undefined : Math.max(0, paid - paidForShipping(context.shipping))
}

/** Refunded money that can't be assigned to lines, because its currency or the cost of the lines is unknown. */
const untold = (
  node: reader.Node,
  payments: ReadonlyArray<reader.Node>,
): ReadonlyArray<Problem> => {
  const discrepancies = discrepanciesIn(node)
  const message =
    "money that belongs to no line was not read: only with the order can it be divided"
  return (discrepancies.length > 0 ? discrepancies : payments).map((one) => notRead(one, message))
}

interface Settled {
  readonly parts: ReadonlyArray<readonly [RefundedLine, LinePart]>
  readonly notRead: ReadonlyArray<Problem>
}

const withoutExtra = (lines: ReadonlyArray<RefundedLine>): Settled => {
  const parts: Array<readonly [RefundedLine, LinePart]> = []
  const problems: Array<Problem> = []
  for (const line of lines) {
    const part = partOf(line)
    if (part === undefined) problems.push(notRead(line.node, "refunds nothing"))
    else parts.push([line, part])
    const more = beyond(line)
    if (more > 0) problems.push(notRead(line.node, `refunds ${more} cents more than the line cost`))
  }
  return { parts, notRead: problems }
}

/** The extra money is divided over the refunded lines, else over all lines of the order. */
const withExtra = (
  node: reader.Node,
  lines: ReadonlyArray<RefundedLine>,
  { extra, order }: { readonly extra: number; readonly order: Order | undefined },
): Settled => {
  const all =
    lines.length > 0 || order === undefined
      ? lines
      : boughtOf(order).map((one) => lineOf(node, one))
  if (all.length === 0) {
    const message = `${extra} cents went back for no line; only with the order can they be divided over its lines`
    return { parts: [], notRead: [notRead(node, message)] }
  }
  const { parts, rest } = divide(Math.max(0, moneyOf(lines) + extra), all)
  return {
    parts: all.flatMap((line, index) => {
      const part = parts[index]
      return part === undefined ? [] : [[line, part] as const]
    }),
    notRead: rest > 0 ? [notRead(node, `${rest} cents are more than the lines cost`)] : [],
  }
}

const kindLeftOut = (
  line: reader.Node,
  leftOut: ReadonlyArray<LeftOut> | undefined,
): LeftOut["what"] | undefined => {
  const id = reader.idOf(line.fields.line_item_id)
  const known = leftOut?.find(({ itemId }) => itemId === id)
  const inside = reader.isFields(line.fields.line_item) ? line.fields.line_item : {}
  return (
    known?.what ?? (leftOut === undefined && inside.gift_card === true ? "gift card" : undefined)
  )
}

/** Reads one refund. */
export const readRefund = (node: reader.Node, options: KnownRefund): RefundReading => {
  const { order, leftOut } = options
  const currency = currencyOf(node, options)
  const context = { currency, order }
  const id = reader.id(node, "id")
  const orderId = readOrderId(node, options)
  const refundedAt = readTime(node)
  const payments = (reader.children(node, "transactions") ?? []).filter((one) => !isFailed(one))
  if (isFailure(node)) {
    const message = "its payment back failed, so nothing was refunded"
    return { id, refunds: [], notRead: [notRead(node, message)] }
  }
  const nodes = reader.children(node, "refund_line_items") ?? []
  const shipping = shippingBack(node, currency)
  const shipped = readShipping(shipping, order)
  const others: Array<Problem> = [...shipped.notRead, ...findOthers(node)]
  const lines: Array<RefundedLine> = []
  for (const line of nodes) {
    const what = kindLeftOut(line, leftOut)
    if (what === undefined) lines.push(readLine(line, context))
    else others.push(notRead(line, `a refund of a ${what}, which was shared with nobody`))
  }
  // The payments include money for lines that are left out, so the remainder is unknown.
  const isWhole = lines.length === nodes.length
  const extra = isWhole ? extraOf(node, lines, { ...context, payments, shipping }) : 0
  if (extra === undefined) others.push(...untold(node, payments))
  const settled = extra ? withExtra(node, lines, { extra, order }) : withoutExtra(lines)
  return {
    id,
    refunds: [
      ...settled.parts.map(([{ itemId }, part]) => ({ orderId, itemId, ...part, refundedAt })),
      ...shipped.refunds.map((part) => ({ orderId, ...part, refundedAt })),
    ],
    notRead: [...settled.notRead, ...others],
  }
}
