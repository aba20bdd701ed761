/** Invoices. */
import * as reader from "../../internal/reader.js"
import type { Reading, Reason, Unsold } from "../../internal/sales.js"
import type { Product } from "../../orders/Product.js"
import { type ChargedLine, codesOf, orderOf, productOf } from "./charges.js"
import { checkCurrency, factsOf, firstOf, shippingOf, testMode } from "./sessions.js"
import { addressOf, expandable, filled, idsOf, listed, neededMoney, sumOf } from "./values.js"

/** How to get all lines: webhooks contain only the first ones. */
export const howToGetLines = (id: string): string =>
  `fetch all lines: GET /v1/invoices/${id}/lines?limit=100, and put all pages into its list of lines`

const behaviors = ["inclusive", "exclusive"] as const

/**
 * Tax in the price and on top of it, of a line of an invoice or a credit note, in the fields of old or new API
 * versions.
 */
export const taxesOf = (
  line: reader.Node,
  currency: string,
): { readonly taxInPrice: number; readonly taxOnTop: number } => {
  if (reader.field(line, "taxes") !== undefined) {
    for (const tax of reader.children(line, "taxes") ?? []) {
      if (reader.choice(tax, "tax_behavior", behaviors) === undefined) {
        reader.refuse(tax, "tax_behavior", reader.oneOf(behaviors))
      }
    }
    const behaves = (how: string) => (tax: reader.Node) => tax.fields.tax_behavior === how
    return {
      taxInPrice: sumOf(line, "taxes", currency, behaves("inclusive")),
      taxOnTop: sumOf(line, "taxes", currency, behaves("exclusive")),
    }
  }
  for (const tax of reader.children(line, "tax_amounts") ?? []) {
    if (reader.flag(tax, "inclusive") === undefined) {
      reader.refuse(tax, "inclusive", "true or false")
    }
  }
  return {
    taxInPrice: sumOf(line, "tax_amounts", currency, (tax) => tax.fields.inclusive === true),
    taxOnTop: sumOf(line, "tax_amounts", currency, (tax) => tax.fields.inclusive !== true),
  }
}

/** Billing credits pay for a line before it is taxed. */
export const creditsOf = (line: reader.Node, currency: string): number =>
  sumOf(
    line,
    "pretax_credit_amounts",
    currency,
    ({ fields }) => fields.type === "credit_balance_transaction",
  )

/** The product of a line: in its pricing, or in early API versions in its price or its plan. */
const readProduct = (line: reader.Node): Product => {
  const pricing = reader.child(line, "pricing")
  if (pricing !== undefined) {
    if (reader.choice(pricing, "type", ["price_details"]) === undefined) {
      reader.refuse(pricing, "type", reader.oneOf(["price_details"]))
    }
    const details = reader.child(pricing, "price_details")
    const price = details && expandable(details, "price")
    const product = details && expandable(details, "product")
    return productOf(line, { price: price?.id, product: product?.id }, product?.node)
  }
  const price = expandable(line, "price") ?? expandable(line, "plan")
  const product = price?.node === undefined ? undefined : expandable(price.node, "product")
  return productOf(line, { price: price?.id, product: product?.id }, product?.node)
}

const readLine = (line: reader.Node, currency: string): ChargedLine => {
  checkCurrency(line, currency)
  const discounts = sumOf(line, "discount_amounts", currency)
  return {
    id: reader.neededId(line, "id"),
    product: readProduct(line),
    quantity: reader.whole(line, "quantity", 0) ?? 1,
    price: neededMoney(line, "amount", currency),
    discount: discounts + creditsOf(line, currency),
    ...taxesOf(line, currency),
  }
}

const objectsIn = (node: reader.Node, key: string): ReadonlyArray<reader.Node> => {
  const values = reader.list(node, key) ?? []
  if (!values.some(reader.isFields)) return []
  return reader.children(node, key) ?? []
}

const discountsOf = (
  invoice: reader.Node,
  lines: ReadonlyArray<reader.Node>,
): ReadonlyArray<reader.Node> => {
  const single = reader.isFields(invoice.fields.discount)
    ? reader.child(invoice, "discount")
    : undefined
  return [
    ...(single === undefined ? [] : [single]),
    ...[invoice, ...lines].flatMap((node) => objectsIn(node, "discounts")),
  ]
}

/** Discount of the invoice that is in none of its lines, as early API versions have it. */
const discountBeside = (
  invoice: reader.Node,
  lines: ReadonlyArray<reader.Node>,
  currency: string,
): number => {
  if (lines.some((line) => reader.field(line, "discount_amounts") !== undefined)) return 0
  return sumOf(invoice, "total_discount_amounts", currency)
}

export const readInvoice = (invoice: reader.Node): Reading => {
  const currency = reader.readCurrency(invoice, "currency")
  const facts = factsOf(invoice, currency)
  const nodes = listed(invoice, "lines", howToGetLines(facts.id))
  const charges = {
    lines: nodes.map((line) => readLine(line, currency)),
    shipping: shippingOf(invoice, currency),
    discount: discountBeside(invoice, nodes, currency),
    total: neededMoney(invoice, "total", currency),
  }
  const billing = addressOf(invoice, "customer_address")
  const shipped = reader.child(invoice, "customer_shipping")
  return orderOf(
    invoice,
    { total: "total", charges },
    {
      ...facts,
      discountCodes: codesOf(discountsOf(invoice, nodes)),
      billingCountry: billing.country,
      details: {
        customerEmail: filled(invoice, "customer_email") ?? null,
        customerName: filled(invoice, "customer_name") ?? null,
        status: filled(invoice, "status") ?? null,
        paymentGateway: "Stripe",
        shippingAddress: addressOf(shipped).line,
        billingAddress: billing.line,
        orderName: filled(invoice, "number") ?? null,
      },
    },
  )
}

const statuses = ["draft", "open", "paid", "uncollectible", "void"] as const

const unsold: ReadonlyMap<unknown, Unsold> = new Map([
  ["draft", ["draft", "is a draft"]],
  ["open", ["unpaid", "is not paid yet"]],
  ["uncollectible", ["unpaid", "is not paid, and given up as uncollectible"]],
  ["void", ["voided", "was voided"]],
])

/** Why an invoice is not a sale. */
export const unsoldInvoice = (
  invoice: reader.Node,
  include?: ReadonlyArray<Reason>,
): Unsold | undefined => {
  const status = reader.choice(invoice, "status", statuses)
  if (reader.field(invoice, "status") === undefined) {
    reader.refuse(invoice, "status", reader.oneOf(statuses))
  }
  return firstOf([testMode(invoice), unsold.get(status)], include)
}

/** The ids by which refunds name an invoice: its payments, if it lists them. */
export const namesOfInvoice = (invoice: reader.Node): ReadonlyArray<string> => {
  const list = reader.child(invoice, "payments")
  const payments = list === undefined ? [] : (reader.children(list, "data") ?? [])
  const inside = payments.flatMap((one) => {
    const payment = reader.child(one, "payment")
    return payment === undefined ? [] : idsOf(payment, "payment_intent", "charge")
  })
  return [...new Set([...idsOf(invoice, "payment_intent", "charge"), ...inside])]
}
