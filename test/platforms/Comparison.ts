/** What the readers make of documents, held against the second reading. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Order as CoreOrder, Refund } from "apportion"
import { Sale } from "apportion/shopify"
import { Sale as WooSale } from "apportion/woocommerce"
import * as Result from "effect/Result"
import {
  type Figures,
  isJson,
  type Json,
  ofShopify,
  ofWooCommerce,
  refundedOf,
} from "./SecondReading.js"

/** How a document came out: a class to count, and for a difference what differs. */
export interface Outcome {
  readonly kind: "agrees" | "contradicts itself" | "not read" | "differs"
  readonly says: string
}

const include = ["test", "draft", "cancelled", "voided", "unpaid", "nothing to share"] as const

const agrees: Outcome = { kind: "agrees", says: "" }
const differs = (says: string): Outcome => ({ kind: "differs", says })

const lineDifference = (order: CoreOrder.Order, figures: Figures): string | undefined => {
  if (order.items.length !== figures.lines.length) {
    return `${order.items.length} items of ${figures.lines.length} lines`
  }
  for (const [index, line] of figures.lines.entries()) {
    const item = order.items[index]
    if (item?.id !== line.id || item.quantity !== line.quantity) return `line ${line.id}`
    if (item.amount !== line.amount) return `line ${line.id}: amount ${item.amount}`
    const net = item.amount - (item.discount ?? 0)
    if (line.net !== undefined && net !== line.net) return `line ${line.id}: net ${net}`
  }
  return undefined
}

/** What an order comes to, with its tax where that is on top. */
const totalOf = (order: CoreOrder.Order, beside = 0): number => {
  const nets = order.items.map((item) => item.amount - (item.discount ?? 0))
  const taxes = [...order.items.map((item) => item.taxTotal ?? 0), order.shippingTax ?? 0]
  const onTop = order.taxesIncluded === true ? [] : taxes
  return [...nets, ...onTop, order.shippingAmount ?? 0, beside].reduce((sum, one) => sum + one, 0)
}

const compared = (
  order: CoreOrder.Order,
  figures: Figures,
  options: { readonly beside?: number; readonly tolerance: number },
): Outcome => {
  const line = lineDifference(order, figures)
  if (line !== undefined) return differs(line)
  const own = totalOf(order, options.beside)
  if (Math.abs(own - figures.total) <= options.tolerance) return agrees
  return figures.sums.some((sum) => Math.abs(own - sum) <= options.tolerance)
    ? { kind: "contradicts itself", says: `${own}, and ${figures.total} by its own total` }
    : differs(`total ${own}, and ${figures.total} by the document`)
}

/** Money of a refund of a line: of units, what they cost. */
const moneyOf = (refund: Refund.Refund, order: CoreOrder.Order): number => {
  const item = order.items.find(({ id }) => id === refund.itemId)
  const net = (item?.amount ?? 0) - (item?.discount ?? 0)
  const part = item === undefined || item.quantity === 0 ? 0 : net / item.quantity
  return refund.amount ?? (refund.quantity ?? 0) * part
}

/** Refunded lines come to what they say, a cent for each unit aside, and never to more than the line. */
const refundDifference = (
  order: CoreOrder.Order,
  refunds: ReadonlyArray<Refund.Refund>,
  said: ReadonlyMap<string, number> | undefined,
): string | undefined => {
  for (const item of order.items) {
    const of = refunds.filter(({ itemId }) => itemId === item.id)
    const money = of.reduce((sum, refund) => sum + moneyOf(refund, order), 0)
    const net = item.amount - (item.discount ?? 0)
    if (money > net + 1e-6) return `line ${item.id}: ${money} of ${net} went back`
    const expected = Math.min(said?.get(item.id) ?? money, net)
    if (Math.abs(money - expected) > item.quantity + 1e-6) {
      return `line ${item.id}: ${money} went back, and ${expected} by the document`
    }
  }
  return undefined
}

const unread = (message: string): Outcome => ({ kind: "not read", says: message })

/** Reads an order of Shopify twice. */
export const shopify = (document: Json): Outcome => {
  const read = Sale.read(document, { include, giftCards: "share", tips: "share" })
  if (Result.isFailure(read)) return unread(read.failure.message)
  const { order, refunds } = read.success
  const outcome = compared(order, ofShopify(document), { tolerance: 0 })
  if (outcome.kind !== "agrees") return outcome
  const broken = refunds.find(Result.isFailure)
  if (broken !== undefined) return unread(broken.failure.message)
  const all = refunds.filter(Result.isSuccess).flatMap(({ success }) => success.refunds)
  // A subtotal is without the tax that is in the price of the line.
  const said = order.taxesIncluded === true ? undefined : refundedOf(document)
  const refund = refundDifference(order, all, said)
  return refund === undefined ? agrees : differs(refund)
}

/** Reads an order of WooCommerce twice. It rounds each figure by itself, so that their sum may be off by some cents. */
export const wooCommerce = (document: Json): Outcome => {
  const read = WooSale.read(document, { include })
  if (Result.isFailure(read)) return unread(read.failure.message)
  const { order, leftOut } = read.success
  const fees = Array.isArray(document.fee_lines) ? document.fee_lines.filter(isJson) : []
  const isReduced = fees.some(({ total }) => Number(total) < 0)
  const figures = ofWooCommerce(document)
  const lines = isReduced
    ? figures.lines.map((line) => ({ ...line, net: undefined }))
    : figures.lines
  const ofFees = fees
    .filter(({ total }) => Number(total) > 0)
    .map((fee) => ofWooCommerce({ ...document, line_items: [fee], prices_include_tax: true }))
    .reduce((sum, { lines: [fee] }) => sum + (fee?.net ?? 0), 0)
  const beside = leftOut.length === 0 ? 0 : ofFees
  const tolerance = order.items.length + fees.length + 1
  return compared(order, { ...figures, lines }, { beside, tolerance })
}

/** The order that a value is, of whichever platform. */
const outcomeOf = (value: Json): readonly [platform: string, outcome: Outcome] | undefined => {
  if (!Array.isArray(value.line_items) || value.id === undefined) return undefined
  if ("billing" in value && "currency" in value) return ["WooCommerce", wooCommerce(value)]
  const isShopify = "total_price" in value && "currency" in value && !("invoice_url" in value)
  return isShopify ? ["Shopify", shopify(value)] : undefined
}

const filesIn = (path: string): ReadonlyArray<string> =>
  statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => filesIn(join(path, name)))
    : [path]

/** What a document holds; of NDJSON each line. Ids that no number holds stay texts. */
const valuesOf = (text: string): ReadonlyArray<unknown> => {
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? "")
      ? context?.source
      : value
  try {
    return [JSON.parse(text, keep)]
  } catch {
    return text.split("\n").flatMap((line) => {
      try {
        return [JSON.parse(line, keep)]
      } catch {
        return []
      }
    })
  }
}

/** Every order in the documents of a folder, with its file and how it came out. */
export const inFolder = (
  folder: string,
): ReadonlyArray<{
  readonly file: string
  readonly platform: string
  readonly outcome: Outcome
}> => {
  const walk = (value: unknown, file: string): ReturnType<typeof inFolder> => {
    if (Array.isArray(value)) return value.flatMap((one) => walk(one, file))
    if (!isJson(value)) return []
    const found = outcomeOf(value)
    if (found !== undefined) return [{ file, platform: found[0], outcome: found[1] }]
    return Object.values(value).flatMap((one) => walk(one, file))
  }
  return filesIn(folder)
    .filter((path) => /\.(?:json|jsonl|ndjson)$/.test(path))
    .flatMap((path) => valuesOf(readFileSync(path, "utf8")).flatMap((value) => walk(value, path)))
}
