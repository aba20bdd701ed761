/** Reads the occurrences in the object of each type of event. */
import * as Result from "effect/Result"
import { type KeptFields, kept } from "../../internal/keptFields.js"
import { type Occurrence, withoutBuyer } from "../../internal/platform.js"
import * as reader from "../../internal/reader.js"
import type { NotASale } from "../../internal/sales.js"
import type { Product } from "../../orders/Product.js"
import type { Unreadable } from "../../Unreadable.js"
import { attributesOf } from "./charges.js"
import * as invoices from "./invoices.js"
import { readFound, type StripeOrderOptions } from "./orders.js"
import { statusOf } from "./refunds.js"
import * as sessions from "./sessions.js"
import { expandable, filled, idsOf } from "./values.js"

/**
 * How the events of a Stripe account are read.
 *
 * @since 0.6.0
 * @category models
 */
export interface EventOptions extends Pick<StripeOrderOptions, "include"> {
  /**
   * The documents from which sales are read. `both` (when absent): invoices, and the sessions that have none.
   * `sessions`: all sessions, and no invoices. `invoices`: only those.
   */
  readonly sales?: "both" | "sessions" | "invoices" | undefined
  /**
   * Whether a refund of an invoice waits for a while for a credit note, which names the lines; `true` when absent.
   */
  readonly creditNotes?: boolean | undefined
  /** What a lost dispute does: a person is asked (when absent), or it is reversed like a refund. */
  readonly lostDisputes?: "ask" | "take back" | undefined
}

/** An object, with data of its event. */
export interface EventFacts {
  readonly options: EventOptions
  /** When it happened, in Unix seconds; `null` when unknown. */
  readonly happenedAt: number | null
}

type Happened = ReadonlyArray<Occurrence>

type Read = Result.Result<Happened, Unreadable>

type ObjectReader = (object: unknown, told: EventFacts) => Read

const one = (occurrence: Occurrence): Happened => [occurrence]

const nothing = (reason: string): Happened => one({ kind: "nothing", reason })

// Sales.

/** The expanded products of the lines, and the ids of deleted products. */
const productsIn = (lines: ReadonlyArray<reader.Node>) => {
  const products = lines.flatMap((line) => {
    const price = expandable(line, "price")?.node
    const product = price === undefined ? undefined : expandable(price, "product")?.node
    return product === undefined ? [] : [product]
  })
  const isGone = ({ fields }: reader.Node) => fields.deleted === true
  const known = products.filter((product) => !isGone(product) && filled(product, "name"))
  return {
    puts: [...new Map(known.map((product) => [product.fields.id, putOf(product)])).values()],
    goneProducts: products.filter(isGone).map((product) => reader.neededId(product, "id")),
  }
}

const linesIn = (node: reader.Node, key: string): ReadonlyArray<reader.Node> => {
  const list = reader.child(node, key)
  return list === undefined ? [] : (reader.children(list, "data") ?? [])
}

/** Whether the document has all of its lines. */
const isWhole = (node: reader.Node, key: string): boolean => {
  const list = reader.child(node, key)
  return list !== undefined && list.fields.has_more !== true
}

/** How sales are read from a kind of object. */
interface SaleKind {
  readonly what: string
  readonly lines: "line_items" | "lines"
  readonly howToGetLines: (id: string) => string
  readonly unsold: typeof sessions.unsoldSession
  readonly namesOf: (node: reader.Node) => ReadonlyArray<string>
  /** Why it is skipped as a sale; `undefined`: it is a sale. */
  readonly passedBy: (node: reader.Node, options: EventOptions) => string | undefined
}

const sessionKind: SaleKind = {
  ...{ what: "Stripe checkout session", lines: "line_items" },
  ...{ howToGetLines: sessions.howToGetLines, unsold: sessions.unsoldSession },
  namesOf: sessions.namesOfSession,
  passedBy: (node, { sales = "both" }) => {
    if (sales === "invoices") return "sales are read from invoices"
    const isInvoiced = sales === "both" && sessions.hasInvoice(node)
    return isInvoiced ? "the invoice of the session tells of it" : undefined
  },
}

const invoiceKind: SaleKind = {
  ...{ what: "Stripe invoice", lines: "lines" },
  ...{ howToGetLines: invoices.howToGetLines, unsold: invoices.unsoldInvoice },
  namesOf: invoices.namesOfInvoice,
  passedBy: (_, { sales }) =>
    sales === "sessions" ? "sales are read from checkout sessions" : undefined,
}

/** The occurrence for a document that is no sale, or not yet. */
const unsoldOccurrence = (
  { orderId, reason, message }: Pick<NotASale, "orderId" | "reason" | "message">,
  updatedAt: number | null,
): Occurrence => ({
  ...{ kind: "order passed over", orderId, updatedAt, isFirst: true, reason: message },
  isFinal: reason === "voided",
})

const saleReader =
  (kind: SaleKind): ObjectReader =>
  (object, { options, happenedAt }) =>
    Result.gen(function* () {
      const read = (node: reader.Node) => ({
        orderId: reader.neededId(node, "id"),
        passedBy: kind.passedBy(node, options),
        said: kind.unsold(node, options.include),
        isWhole: isWhole(node, kind.lines),
        otherIds: kind.namesOf(node),
        products: productsIn(linesIn(node, kind.lines)),
      })
      const known = yield* reader.read(object, { what: kind.what, read })
      const { orderId, passedBy, said, products, otherIds } = known
      if (passedBy !== undefined) return nothing(passedBy)
      if (said !== undefined) {
        const [reason, words] = said
        const message = `order ${orderId} ${words}`
        return one(unsoldOccurrence({ orderId, reason, message }, happenedAt))
      }
      if (!known.isWhole) {
        const reason = `order ${orderId} came without all of its lines: ${kind.howToGetLines(orderId)}`
        return one({ kind: "order incomplete", orderId, reason })
      }
      const sold = readFound(object, options)
      if (Result.isFailure(sold)) {
        const { failure } = sold
        if (failure._tag === "Unreadable") return yield* Result.fail(failure)
        return one(unsoldOccurrence(failure, happenedAt))
      }
      const { order, leftOut } = sold.success
      const { puts, goneProducts } = products
      const recorded = { order: withoutBuyer(order), leftOut, updatedAt: null, goneProducts }
      return [...puts, { kind: "order recorded", ...recorded, otherIds }]
    })

const paymentReader: ObjectReader = (object) =>
  reader.read(object, {
    what: "Stripe invoice payment",
    read: (node) => {
      const invoice = expandable(node, "invoice")
      if (invoice === undefined) reader.refuse(node, "invoice", "the id of an invoice")
      const payment = reader.neededChild(node, "payment")
      const ids = payment === undefined ? [] : idsOf(payment, "payment_intent", "charge")
      const orderId = invoice?.id ?? ""
      return ids.length === 0
        ? nothing("it names no payment by which refunds name the invoice")
        : ids.map((otherId) => ({ kind: "order named", orderId, otherId }) as const)
    },
  })

// Refunds.

const tax: KeptFields = { amount: true, tax_behavior: true, inclusive: true }

const creditLine: KeptFields = {
  ...{ id: true, type: true, invoice_line_item: true, amount: true, discount_amount: true },
  ...{ quantity: true, taxes: tax, tax_amounts: tax },
  pretax_credit_amounts: { amount: true, type: true },
}

/** The fields that are read of a refund. The other fields may be about the buyer and are not stored. */
const refundFields: KeptFields = {
  ...{ object: true, id: true, amount: true, currency: true, created: true, status: true },
  ...{ total: true, lines: { data: creditLine, has_more: true } },
  shipping_cost: { amount_tax: true, amount_total: true },
  refund: { id: true },
  refunds: { refund: { id: true } },
}

/** The order of a refund by the id of its payment. */
const paymentOf = (node: reader.Node): string | undefined =>
  idsOf(node, "payment_intent", "charge")[0]

const documentOf = ({ fields }: reader.Node): unknown => kept(fields, refundFields)

const refundOccurrences = (node: reader.Node): Happened => {
  const refundId = reader.neededId(node, "id")
  const status = statusOf(node)
  if (status === "failed" || status === "canceled") {
    return one({ kind: "refund withdrawn", refundId, reason: `refund ${refundId} is ${status}` })
  }
  if (status === "pending" || status === "requires_action") {
    return nothing(`refund ${refundId} is ${status}`)
  }
  const orderId = paymentOf(node)
  if (orderId === undefined) reader.refuse(node, "payment_intent", "the id of a payment")
  return one({ kind: "refund", orderId: orderId ?? "", refundId, document: documentOf(node) })
}

const refundReader: ObjectReader = (object) =>
  reader.read(object, { what: "Stripe refund", read: refundOccurrences })

/** The refunds inside a charge, in API versions that have them; they don't name the payment of the charge. */
const chargeReader: ObjectReader = (object) =>
  reader.read(object, {
    what: "Stripe charge",
    read: (node) => {
      const payment = paymentOf({ ...node, fields: { charge: node.fields.id, ...node.fields } })
      const inside = linesIn(node, "refunds").flatMap((refund) => {
        const fields = { ...refund.fields, payment_intent: refund.fields.payment_intent ?? payment }
        return refundOccurrences({ ...refund, fields })
      })
      return inside.length === 0 ? nothing("refund.created tells of each refund") : inside
    },
  })

const creditReader: ObjectReader = (object) =>
  reader.read(object, {
    what: "Stripe credit note",
    read: (node) => {
      const refundId = reader.neededId(node, "id")
      const invoice = expandable(node, "invoice")
      if (invoice === undefined) reader.refuse(node, "invoice", "the id of an invoice")
      const status = reader.choice(node, "status", ["issued", "void"])
      if (status === "void") {
        const reason = `credit note ${refundId} was voided`
        return one({ kind: "refund withdrawn", refundId, reason })
      }
      const orderId = invoice?.id ?? ""
      return one({ kind: "refund", orderId, refundId, document: documentOf(node) })
    },
  })

const disputeReader: ObjectReader = (object, { options }) =>
  reader.read(object, {
    what: "Stripe dispute",
    read: (node) => {
      const id = reader.neededId(node, "id")
      if (node.fields.status !== "lost") {
        return nothing(`dispute ${id} is not lost (${String(node.fields.status)})`)
      }
      if (options.lostDisputes === "take back") return refundOccurrences(node)
      const reason = `dispute ${id} of payment ${paymentOf(node) ?? "unknown"} was lost: decide whether its money is taken back from collaborators`
      return one({ kind: "question", subject: id, reason })
    },
  })

// Products.

const productOf = (node: reader.Node): Product => {
  const id = reader.neededId(node, "id")
  return { id, externalId: id, name: filled(node, "name"), ...attributesOf(node) }
}

const putOf = (node: reader.Node): Occurrence => ({
  kind: "product put",
  productId: reader.neededId(node, "id"),
  products: [productOf(node)],
  updatedAt: reader.time(node, "updated") ?? null,
})

const productReader: ObjectReader = (object) =>
  reader.read(object, { what: "Stripe product", read: (node) => one(putOf(node)) })

const productRemoval: ObjectReader = (object, { happenedAt }) =>
  reader.read(object, {
    what: "Stripe product",
    read: (node) => {
      const productId = reader.neededId(node, "id")
      return one({ kind: "product removed", productId, updatedAt: happenedAt })
    },
  })

/** How the object of a type of event is read, and the type of that object. */
export interface Topic {
  readonly object: string
  readonly read: ObjectReader
}

const topicsOf = (
  object: string,
  read: ObjectReader,
  ...types: ReadonlyArray<string>
): ReadonlyArray<readonly [string, Topic]> => types.map((type) => [type, { object, read }])

const [session, invoice] = [saleReader(sessionKind), saleReader(invoiceKind)]

/** How the object of each type of event is read. */
export const topics: ReadonlyMap<string, Topic> = new Map([
  ...topicsOf(
    ...(["checkout.session", session] as const),
    ...["checkout.session.completed", "checkout.session.async_payment_succeeded"],
    ...["checkout.session.async_payment_failed", "checkout.session.expired"],
  ),
  ...topicsOf(
    ...(["invoice", invoice, "invoice.paid", "invoice.payment_succeeded"] as const),
    ...["invoice.voided", "invoice.payment_failed", "invoice.marked_uncollectible"],
    ...["invoice.created", "invoice.finalized", "invoice.updated"],
  ),
  ...topicsOf("invoice_payment", paymentReader, "invoice_payment.paid"),
  ...topicsOf("charge", chargeReader, "charge.refunded"),
  ...topicsOf(
    ...(["refund", refundReader, "refund.created", "refund.updated", "refund.failed"] as const),
    "charge.refund.updated",
  ),
  ...topicsOf(
    ...(["credit_note", creditReader, "credit_note.created"] as const),
    ...["credit_note.updated", "credit_note.voided"],
  ),
  ...topicsOf("product", productReader, "product.created", "product.updated"),
  ...topicsOf("product", productRemoval, "product.deleted"),
  ...topicsOf(
    ...(["dispute", disputeReader, "charge.dispute.created", "charge.dispute.updated"] as const),
    ...["charge.dispute.closed", "charge.dispute.funds_withdrawn"],
    "charge.dispute.funds_reinstated",
  ),
])
