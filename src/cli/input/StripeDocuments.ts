/** Stripe's documents on the command line: an event is read as the object that it is about. */
import * as Result from "effect/Result"
import * as reader from "../../internal/reader.js"
import type { RefundReading } from "../../internal/sales.js"
import { recognise, type StripeObject } from "../../stripe/Document.js"
import * as StripeRefund from "../../stripe/Refund.js"
import type { Unreadable } from "../../Unreadable.js"

/** An object of Stripe, and its kind. */
export interface StripeFound {
  readonly kind: StripeObject
  readonly fields: reader.Fields
}

/** The object of a document or event of Stripe; `undefined`: the value is not from Stripe. */
export const findStripe = (value: unknown): StripeFound | undefined => {
  const kind = recognise(value)
  if (kind === undefined || !reader.isFields(value)) return undefined
  const data = kind === "event" ? value.data : undefined
  const object = reader.isFields(data) ? data.object : undefined
  const inside = object === undefined ? undefined : recognise(object)
  return inside === undefined || !reader.isFields(object)
    ? { kind, fields: value }
    : { kind: inside, fields: object }
}

/** Whether it is read as an order. */
export const isStripeSale = ({ kind }: StripeFound): boolean =>
  kind === "session" || kind === "invoice"

/** Whether it is read as a refund. */
export const isStripeRefund = ({ kind }: StripeFound): boolean =>
  kind === "refund" || kind === "credit note"

const readInstead = "of Stripe, checkout sessions with their line_items and invoices are read"

/** The problem of a document of Stripe that is no sale. */
export const stripeLook = (value: unknown): string | undefined => {
  const found = findStripe(value)
  if (found === undefined || isStripeSale(found)) return undefined
  const what = String(found.fields.object).replaceAll(/[._]/g, " ")
  return isStripeRefund(found)
    ? `looks like a ${what} of Stripe: it goes with --refunds`
    : `looks like a ${what} of Stripe, which is no order: ${readInstead}`
}

const idIn = (value: unknown): string | undefined =>
  reader.idOf(reader.isFields(value) ? value.id : value)

const idsIn = (fields: reader.Fields, ...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((name) => idIn(fields[name]) ?? [])

/** The ids by which refunds name the order of a document. */
export const stripeNames = (value: unknown): ReadonlyArray<string> => {
  const found = findStripe(value)
  return found === undefined ? [] : idsIn(found.fields, "payment_intent", "charge")
}

/** The id by which a refund names its order: a credit note names the invoice, a refund the payment. */
export const stripeOrderOf = ({ kind, fields }: StripeFound): string | undefined =>
  kind === "credit note" ? idIn(fields.invoice) : idsIn(fields, "payment_intent", "charge")[0]

/** The refunds of an order that were read so far, on which the next one depends. */
export interface MoneyBack {
  /** The refunded amount of the whole order. */
  sum: number
  /** The refunds that were read, by themselves or in a credit note. */
  readonly told: Set<string>
}

/** Reads a refund with its order, once: a refund that a credit note names reverses nothing by itself. */
export const readStripeRefund = (
  { fields }: StripeFound,
  options: Omit<StripeRefund.StripeRefundOptions, "moneyBack">,
  back: MoneyBack,
): Result.Result<RefundReading, Unreadable> =>
  Result.map(StripeRefund.read(fields, { ...options, moneyBack: back.sum }), (reading) => {
    const { id = "", moneyBack, includes } = reading
    if (back.told.has(id)) return { id, refunds: [], notRead: [] }
    for (const one of [id, ...includes]) back.told.add(one)
    back.sum += moneyBack
    return reading
  })
