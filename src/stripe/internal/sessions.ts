/** Checkout sessions, and the fields that they share with invoices. */
import * as reader from "../../internal/reader.js"
import type { Reading, Reason, Unsold } from "../../internal/sales.js"
import type { Order } from "../../orders/Order.js"
import { type Charged, type ChargedLine, charged, codesOf, orderOf, productOf } from "./charges.js"
import {
  addressOf,
  expandable,
  filled,
  idsOf,
  listed,
  metadata,
  metadataList,
  money,
  neededMoney,
} from "./values.js"

/** How to get all lines: webhooks contain none, or only the first ones. */
export const howToGetLines = (id: string): string =>
  `fetch it with its lines: GET /v1/checkout/sessions/${id}?expand[]=line_items.data.price.product, and all pages of the lines`

/** The shipping of a session or an invoice. */
export const shippingOf = (node: reader.Node, currency: string): Charged | undefined => {
  const cost = reader.child(node, "shipping_cost")
  if (cost === undefined) return undefined
  return charged(cost, {
    price: neededMoney(cost, "amount_subtotal", currency),
    discount: money(cost, "amount_discount", currency) ?? 0,
    tax: money(cost, "amount_tax", currency) ?? 0,
    total: neededMoney(cost, "amount_total", currency),
  })
}

/** Refuses a line in another currency than its object, because it would be added up wrongly. */
export const checkCurrency = (line: reader.Node, currency: string): void => {
  const own = filled(line, "currency")?.toUpperCase()
  if (own !== undefined && own !== currency) {
    reader.refuse(line, "currency", `${currency.toLowerCase()}, as that of the whole`)
  }
}

const readLine = (line: reader.Node, currency: string): ChargedLine => {
  checkCurrency(line, currency)
  const price = expandable(line, "price")
  const product = price?.node === undefined ? undefined : expandable(price.node, "product")
  const figures = {
    price: neededMoney(line, "amount_subtotal", currency),
    discount: neededMoney(line, "amount_discount", currency),
    tax: neededMoney(line, "amount_tax", currency),
    total: neededMoney(line, "amount_total", currency),
  }
  return {
    id: reader.neededId(line, "id"),
    product: productOf(line, { price: price?.id, product: product?.id }, product?.node),
    quantity: reader.whole(line, "quantity", 0) ?? 1,
    ...charged(line, figures),
  }
}

const discountsOf = (session: reader.Node): ReadonlyArray<reader.Node> => {
  const details = reader.child(session, "total_details")
  const breakdown = details && reader.child(details, "breakdown")
  const inTotals = breakdown === undefined ? [] : (reader.children(breakdown, "discounts") ?? [])
  return [
    ...(reader.children(session, "discounts") ?? []),
    ...inTotals.flatMap((one) => reader.child(one, "discount") ?? []),
  ]
}

/** The attributes of a session or an invoice beside its charges and its buyer. */
export const factsOf = (
  node: reader.Node,
  currency: string,
): Pick<Order, "id" | "currency" | "createdAt" | "tags" | "customerTags" | "referers"> => {
  const customer = expandable(node, "customer")?.node
  const referers = [metadata(node, "referer"), metadata(node, "utm_source")]
  return {
    id: reader.neededId(node, "id"),
    currency,
    createdAt: reader.neededTime(node, "created"),
    tags: metadataList(node, "tags"),
    customerTags: metadataList(customer, "tags"),
    referers: [...new Set(referers.filter((text) => text !== undefined))],
  }
}

export const readSession = (session: reader.Node): Reading => {
  const currency = reader.readCurrency(session, "currency")
  const facts = factsOf(session, currency)
  const buyer = reader.child(session, "customer_details")
  const billing = addressOf(buyer)
  const collected = reader.child(session, "collected_information")
  const shipped =
    (collected && reader.child(collected, "shipping_details")) ??
    reader.child(session, "shipping_details")
  const charges = {
    lines: listed(session, "line_items", howToGetLines(facts.id)).map((line) =>
      readLine(line, currency),
    ),
    shipping: shippingOf(session, currency),
    discount: 0,
    total: neededMoney(session, "amount_total", currency),
  }
  return orderOf(
    session,
    { total: "amount_total", charges },
    {
      ...facts,
      discountCodes: codesOf(discountsOf(session)),
      billingCountry: billing.country,
      details: {
        customerEmail: filled(buyer, "email") ?? filled(session, "customer_email") ?? null,
        customerName: filled(buyer, "name") ?? null,
        status: filled(session, "payment_status") ?? null,
        paymentGateway: "Stripe",
        shippingAddress: addressOf(shipped).line,
        billingAddress: billing.line,
      },
    },
  )
}

const statuses = ["open", "complete", "expired"] as const
const payments = ["paid", "unpaid", "no_payment_required"] as const
const modes = ["payment", "subscription", "setup"] as const

/** The first reason why a document is not a sale, unless `include` has it. */
export const firstOf = (
  reasons: ReadonlyArray<Unsold | undefined>,
  include: ReadonlyArray<Reason> = [],
): Unsold | undefined =>
  reasons.find((unsold) => unsold !== undefined && !include.includes(unsold[0]))

/** The reason of a document of the test mode. */
export const testMode = (node: reader.Node): Unsold | undefined =>
  reader.flag(node, "livemode") === false ? ["test", "is of Stripe's test mode"] : undefined

const unfinished: ReadonlyMap<unknown, Unsold> = new Map([
  ["expired", ["cancelled", "has expired"]],
  ["open", ["unpaid", "is not completed yet"]],
])

/** Why a session is not a sale. */
export const unsoldSession = (
  session: reader.Node,
  include?: ReadonlyArray<Reason>,
): Unsold | undefined => {
  // Sessions of early API versions have no status, and are sent only when they are complete.
  const status = reader.choice(session, "status", statuses)
  const payment = reader.choice(session, "payment_status", payments)
  if (reader.field(session, "payment_status") === undefined) {
    reader.refuse(session, "payment_status", reader.oneOf(payments))
  }
  const mode = reader.choice(session, "mode", modes)
  return firstOf(
    [
      testMode(session),
      mode === "setup"
        ? ["nothing to share", "sets up a payment method, and sells nothing"]
        : undefined,
      unfinished.get(status),
      payment === "unpaid" ? ["unpaid", "is not paid yet"] : undefined,
    ],
    include,
  )
}

/** Whether an invoice describes the same sale. */
export const hasInvoice = (session: reader.Node): boolean => {
  const creation = reader.child(session, "invoice_creation")
  return (
    session.fields.mode === "subscription" ||
    expandable(session, "invoice") !== undefined ||
    creation?.fields.enabled === true
  )
}

/** The ids by which refunds name a session. */
export const namesOfSession = (session: reader.Node): ReadonlyArray<string> =>
  idsOf(session, "payment_intent")
