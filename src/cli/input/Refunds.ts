/** Refunds of many orders, in memory, and the amounts of each split that they reverse. */

import * as Result from "effect/Result"
import { show } from "../../internal/problems.js"
import * as reader from "../../internal/reader.js"
import * as Schedule from "../../payouts/Schedule.js"
import * as Refund from "../../shares/Refund.js"
import type { Split } from "../../shares/Split.js"
import { recognise } from "../../shopify/Document.js"
import * as ShopifyRefund from "../../shopify/Refund.js"
import type { Unreadable } from "../../Unreadable.js"
import * as WireRefund from "../../wire/Refund.js"
import { recognise as recogniseWoo } from "../../woocommerce/Document.js"
import * as WooRefund from "../../woocommerce/Refund.js"
import * as Input from "./Input.js"
import type { SplitOrder } from "./Orders.js"
import type { InputEntry, Note, Record } from "./Records.js"
import * as Problems from "./Records.js"
import type { Source } from "./Sources.js"
import {
  findStripe,
  isStripeRefund,
  type MoneyBack,
  readStripeRefund,
  type StripeFound,
  stripeNames,
  stripeOrderOf,
} from "./StripeDocuments.js"

type RefundResult = Result.Result<ShopifyRefund.RefundReading, Unreadable>

/** Reads a refund with its order, without which a platform's refund can't be read. */
interface FileRefund {
  readonly orderId: string
  readonly record: Record
  readonly path: string
  /** The id that the file gives it, which may be that of refunds of other items too. */
  readonly ownId?: string | undefined
  readonly read: (sale: RefundedSale, back: MoneyBack) => ReadonlyArray<RefundResult>
}

/** A sale with refunds, and the name of the orders' input. */
export type RefundedSale = Pick<SplitOrder, "order" | "leftOut" | "refunds" | "record" | "name">

/** A refund, and its location. */
export interface LocatedRefund {
  /** The platform's id of the refund. */
  readonly id: string | undefined
  /** The id that the file gives it, which may be that of refunds of other items too. */
  readonly ownId: string | undefined
  readonly refund: Refund.Refund
  readonly name: string
  readonly record: Record
  /** The place in the record. */
  readonly path: string
}

/** The result of the refunds of an order. */
export interface Reversed {
  /** The refunds of the reversals. */
  readonly made: ReadonlyArray<Refund.Refund>
  readonly reversals: ReadonlyArray<Refund.Reversal>
  /** A line for each refund that could not be made. */
  readonly failures: ReadonlyArray<string>
  /** A line for each refunded amount that reverses nothing. */
  readonly notes: ReadonlyArray<string>
  /** Whether the order is marked as refunded but has no refund in the input. */
  readonly isUntold: boolean
}

const before = (refundedAt: number, soldAt: number): Refund.InvalidRefund => {
  const message = `must not be before the order's created_at (${Schedule.showTime(soldAt)}), got ${Schedule.showTime(refundedAt)}`
  const problems = [{ path: "refunded_at", value: refundedAt, message }]
  return new Refund.InvalidRefund({ problems, message })
}

const reverse = (split: Split, refund: Refund.Refund, earlier: ReadonlyArray<Refund.Refund>) =>
  split.createdAt !== null && refund.refundedAt < split.createdAt
    ? Result.fail(before(refund.refundedAt, split.createdAt))
    : Refund.reverse(split, refund, { earlier })

/** A refund that could not be read, or is another one than its id says: its line, the input and the record. */
interface FailedRefund {
  readonly line: string
  readonly name: string
  readonly record: Record
}

/** The refunds of a file, or of an order. */
interface Collected {
  readonly located: Array<LocatedRefund>
  readonly failures: Array<FailedRefund>
  readonly notes: Array<string>
  readonly ids: Set<string>
  /** Refunds to which the file gives ids, by id, item and what they are of. */
  readonly own: Map<string, Refund.Refund>
}

/** An entry of the file that is not a readable refund of a known order, and its message. */
interface LeftOver {
  readonly entry: InputEntry
  readonly line: string
}

/** Equal refunds of the same item and time, in two inputs. */
const isSame = (one: Refund.Refund, other: Refund.Refund): boolean =>
  one.itemId === other.itemId &&
  one.refundedAt === other.refundedAt &&
  one.amount === other.amount &&
  one.quantity === other.quantity &&
  one.shippingAmount === other.shippingAmount

const noReversals = { made: [], reversals: [], failures: [], notes: [] }

export const refundedStatuses: ReadonlySet<unknown> = new Set(["refunded", "partially_refunded"])

export class Refunds {
  private readonly name: string
  private readonly byOrder = new Map<string, Array<FileRefund>>()
  private readonly unread: Array<LeftOver> = []
  private used = new Set<string>()

  constructor(name: string, entries: ReadonlyArray<InputEntry>) {
    this.name = name
    for (const entry of entries) {
      if (entry._tag === "Record") this.add(entry)
      else this.unread.push({ entry, line: `${name}:${entry.line}: ${entry.message}` })
    }
  }

  private add(record: Record): void {
    for (const given of givenOf(record)) {
      if (Result.isFailure(given)) {
        this.unread.push({ entry: record, line: unreadLine(this.name, record, given.failure) })
        continue
      }
      const one = given.success
      const others = this.byOrder.get(one.orderId)
      if (others === undefined) this.byOrder.set(one.orderId, [one])
      else others.push(one)
    }
  }

  /** Marks an order as seen, so that its refunds are not left over. */
  markUsed(orderId: string): void {
    if (this.byOrder.has(orderId)) this.used.add(orderId)
  }

  /**
   * Applies the refunds of an order before a time to its split, in sequence. A refund that can't be made is left out:
   * the sale and the other refunds still count.
   */
  reversals(sale: SplitOrder, until = Number.POSITIVE_INFINITY): Reversed {
    // Most orders have no refunds, and this path is fast enough for millions of them.
    if (this.byOrder.size === 0 && sale.refunds.length === 0) {
      return { ...noReversals, isUntold: this.isUntold(sale) }
    }
    const { split } = sale
    const { located, failures: unread, notes } = this.collect(sale)
    const failures = unread.map(({ line }) => line)
    const earlier: Array<Refund.Refund> = []
    const reversals: Array<Refund.Reversal> = []
    for (const one of located) {
      if (one.refund.refundedAt >= until) break
      const reversal = reverse(split, one.refund, earlier)
      if (Result.isFailure(reversal)) failures.push(failure(one, reversal.failure))
      else {
        reversals.push(reversal.success)
        earlier.push(one.refund)
      }
    }
    return { made: earlier, reversals, failures, notes, isUntold: this.isUntold(sale) }
  }

  /** Whether an order is marked as refunded without any refund. */
  isUntold({ order, refunds }: RefundedSale): boolean {
    const isRefunded = refundedStatuses.has(order.details?.status)
    return isRefunded && refunds.length === 0 && !this.byOrder.has(order.id)
  }

  /**
   * The refunds of an order, earliest first: those of the file, which may have more detail, and other ones inside the
   * order.
   */
  collect(sale: RefundedSale): Collected {
    const { order, record, refunds } = sale
    const collected: Collected = {
      located: [],
      failures: [],
      notes: [],
      ids: new Set(),
      own: new Map(),
    }
    const back: MoneyBack = { sum: 0, told: new Set() }
    for (const one of this.givenFor(order.id, record)) {
      for (const reading of one.read(sale, back)) {
        take(collected, reading, { ...one, name: this.name })
      }
    }
    const ofFile = collected.located.filter(({ id }) => id === undefined)
    refunds.forEach((reading, index) => {
      take(collected, reading, { name: sale.name, record, path: `refunds[${index}]`, ofFile })
    })
    collected.located.sort((one, other) => one.refund.refundedAt - other.refund.refundedAt)
    return collected
  }

  /** The refunds of the file that name the order or its payment. */
  private givenFor(orderId: string, { value }: Record): ReadonlyArray<FileRefund> {
    return [...new Set([orderId, ...stripeNames(value)])].flatMap((id) => {
      const given = this.byOrder.get(id)
      if (given !== undefined) this.used.add(id)
      return given ?? []
    })
  }

  /** The orders with refunds that were seen since the last call. */
  takeUsed(): ReadonlySet<string> {
    const { used } = this
    this.used = new Set()
    return used
  }

  /** Marks orders as seen. */
  use(orderIds: Iterable<string>): void {
    for (const orderId of orderIds) this.used.add(orderId)
  }

  /** A line for each refund that can't be read, or whose order is missing. */
  leftOver(): ReadonlyArray<string> {
    return this.left().map(({ line }) => line)
  }

  /** The same lines, with their entries. */
  left(): ReadonlyArray<LeftOver> {
    const missing = [...this.byOrder].flatMap(([orderId, given]) => {
      if (this.used.has(orderId)) return []
      const message = `there is no order ${show(orderId)} among the orders`
      return given.map((one) => this.leftOf(one, message))
    })
    return [...this.unread, ...missing]
  }

  /** Removes and returns the refunds of an order that could not be read. */
  takeLeft(orderId: string): ReadonlyArray<LeftOver> {
    const given = this.used.has(orderId) ? [] : (this.byOrder.get(orderId) ?? [])
    this.markUsed(orderId)
    const message = `order ${show(orderId)} can't be read`
    return given.map((one) => this.leftOf(one, message))
  }

  private leftOf({ record, path }: FileRefund, message: string): LeftOver {
    const field = path === "" ? "order_id" : `${path}.order_id`
    return { entry: record, line: Problems.lineOf(this.name, record, { path: field, message }) }
  }
}

/** Why a refund could not be made, with its location. */
const failure = ({ name, record, path }: LocatedRefund, error: Refund.RefundError): string => {
  const field =
    error._tag === "RefundOfUnknownItem"
      ? `${error.unknown}_id`
      : error._tag === "InvalidRefund"
        ? (error.problems[0]?.path ?? "amount")
        : ""
  return Problems.lineOf(name, record, { path: path || field, message: error.message })
}

/** A single line for an unreadable refund, because failed refunds are counted by their lines. */
const unreadLine = (name: string, record: Record, error: Unreadable): string => {
  const { message, problems, what } = error
  const [first = { path: "", message }, ...others] = problems
  const more = others.length === 0 ? "" : ` (and ${others.length} more problems)`
  return `${Problems.lineOf(name, record, first)} ${Problems.readAs(what)}${more}`
}

/** What a refund is of: of two of one item with the same id, one may be of shipping. */
const wayOf = (refund: Refund.Refund) =>
  (["amount", "quantity", "remaining"] as const).find((way) => refund[way] !== undefined)

/** Why a refund is not another one: its id was given to one of the same before. `undefined`: it was not. */
const toldBefore = (
  own: Map<string, Refund.Refund>,
  ownId: string,
  refund: Refund.Refund,
): { readonly isSame: boolean; readonly message: string } | undefined => {
  const key = JSON.stringify([ownId, refund.itemId, wayOf(refund)])
  const known = own.get(key)
  own.set(key, known ?? refund)
  if (known === undefined) return undefined
  const same = isSame(known, refund) && known.shippingTotal === refund.shippingTotal
  const how = same ? "" : ", otherwise"
  return {
    isSame: same,
    message: `refund ${show(ownId)} of item ${show(refund.itemId)} was given before${how}: each refund has an id of its own`,
  }
}

const take = (
  collected: Collected,
  reading: RefundResult,
  from: {
    readonly name: string
    readonly record: Record
    readonly path: string
    readonly ownId?: string | undefined
    /** Refunds of the file, without ids: a refund inside the order may be the same one. */
    readonly ofFile?: ReadonlyArray<LocatedRefund>
  },
): void => {
  const { located, failures, notes, ids } = collected
  const { name, record, path, ownId, ofFile = [] } = from
  if (Result.isFailure(reading)) {
    failures.push({ line: unreadLine(name, record, reading.failure), name, record })
    return
  }
  const { id, refunds, notRead } = reading.success
  if (id !== undefined && ids.has(id)) return
  if (id !== undefined) ids.add(id)
  for (const problem of notRead) {
    notes.push(`note: ${Problems.lineOf(name, record, problem)} (left out)`)
  }
  for (const refund of refunds) {
    if (ofFile.some((other) => isSame(other.refund, refund))) continue
    const told = ownId === undefined ? undefined : toldBefore(collected.own, ownId, refund)
    if (told === undefined) located.push({ id, ownId, refund, name, record, path })
    else {
      const line = Problems.lineOf(name, record, { path: "id", message: told.message })
      if (told.isSame) notes.push(`note: ${line} (left out)`)
      else failures.push({ line, name, record })
    }
  }
}

/** How many refunds could not be made, in words. */
export const failed = (count: number): string =>
  count === 1 ? "1 refund could not be made" : `${count} refunds could not be made`

/** A platform's refund, or an order with refunds: the order that it belongs to, and its place. */
interface RefundPart {
  readonly orderId: string | undefined
  readonly path: string
  readonly value: unknown
}

const partsOf = (value: unknown, path = ""): ReadonlyArray<RefundPart> => {
  if (!reader.isFields(value)) return []
  const isOrder = recognise(value) === "order"
  for (const wrapper of ["refund", "order"]) {
    if (Object.hasOwn(value, wrapper) && !Object.hasOwn(value, "id")) {
      return partsOf(value[wrapper], wrapper)
    }
  }
  const { refunds } = value
  if (!isOrder && Array.isArray(refunds)) {
    return refunds.flatMap((one, index) => partsOf(one, `refunds[${index}]`))
  }
  return [{ orderId: reader.idOf(isOrder ? value.id : value.order_id), path, value }]
}

const shopifyKinds: ReadonlySet<unknown> = new Set(["refund", "refunds", "order"])

const givenShopify = (
  record: Record,
  { orderId, path, value }: RefundPart,
): Result.Result<FileRefund, Unreadable> => {
  const read = ({ order, leftOut }: RefundedSale): ReadonlyArray<RefundResult> =>
    ShopifyRefund.readEach(value, { path, order, leftOut })
  if (orderId !== undefined) return Result.succeed({ orderId, record, path, read })
  const message = "names no order: a refund has the id of its order in order_id"
  return Result.fail(reader.unreadable("Shopify refund", [{ path, value, message }]))
}

/** WooCommerce names the order of a refund only in the refund's URL, so the user adds it to the file. */
const givenWoo = (record: Record, value: reader.Fields): Result.Result<FileRefund, Unreadable> => {
  const orderId = reader.idOf(value.order_id) ?? reader.idOf(value.parent_id)
  const read = (sale: RefundedSale): ReadonlyArray<RefundResult> => [
    WooRefund.read(value, { order: sale.order }),
  ]
  if (orderId !== undefined) return Result.succeed({ orderId, record, path: "", read })
  const message = "names no order: add the id of its order to a refund of WooCommerce, as order_id"
  return Result.fail(reader.unreadable("WooCommerce refund", [{ path: "", value, message }]))
}

/** A refund of Stripe names a payment, a credit note an invoice. */
const givenStripe = (record: Record, found: StripeFound): Result.Result<FileRefund, Unreadable> => {
  const orderId = stripeOrderOf(found)
  const read: FileRefund["read"] = ({ order }, back) => [readStripeRefund(found, { order }, back)]
  if (orderId !== undefined) return Result.succeed({ orderId, record, path: "", read })
  const message = "names neither a payment nor an invoice, so its order can't be found"
  return Result.fail(
    reader.unreadable("Stripe refund", [{ path: "", value: found.fields, message }]),
  )
}

/** The refunds in a record. */
const givenOf = (record: Record): ReadonlyArray<Result.Result<FileRefund, Unreadable>> => {
  const { value } = record
  const stripe = findStripe(value)
  if (stripe !== undefined && isStripeRefund(stripe)) return [givenStripe(record, stripe)]
  if (recogniseWoo(value) === "refund" && reader.isFields(value)) return [givenWoo(record, value)]
  if (shopifyKinds.has(recognise(value))) {
    return partsOf(value).map((part) => givenShopify(record, part))
  }
  const given = Result.map(WireRefund.read(value), (refund) => {
    const reading = Result.succeed({ refunds: [refund], notRead: [] })
    const ownId = reader.isFields(value) ? reader.idOf(value.id) : undefined
    return { orderId: refund.orderId, record, path: "", ownId, read: () => [reading] }
  })
  return [given]
}

/** Reads refunds; the list is empty without a file. An unreadable refund is reported at the end with the others. */
export const read = async (source: Source | undefined, note: Note): Promise<Refunds> => {
  if (source === undefined) return new Refunds("", [])
  const entries: Array<InputEntry> = []
  for await (const batch of Input.read(source, { kind: Input.refunds, note })) {
    entries.push(...batch)
  }
  return new Refunds(source.name, entries)
}
