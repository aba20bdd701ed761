/** An order as Shopify's GraphQL API writes it, in the form of the REST API, so that both are read the same way. */
import * as reader from "../../internal/reader.js"

type Json = Readonly<Record<string, unknown>>

const idPattern = /^gid:\/\/shopify\/([A-Za-z]+)\/([^/?#]+)/

/** The type and the number in an id such as `gid://shopify/Order/1`. */
export const partsOfId = (
  value: unknown,
): { readonly type: string; readonly id: string } | undefined => {
  const [, type, id] = typeof value === "string" ? (idPattern.exec(value) ?? []) : []
  return type === undefined || id === undefined ? undefined : { type, id }
}

const has = (node: reader.Node, key: string): boolean => Object.hasOwn(node.fields, key)

const missing = (what: string): string =>
  `is missing from the export: without ${what} cents would be wrong, so ask for it in the query`

/** Notes the fields that the query did not ask for; a field may be null. */
const needKeys = (node: reader.Node, keys: Readonly<Record<string, string>>): void => {
  for (const [key, what] of Object.entries(keys)) {
    if (!has(node, key)) reader.note(node, key, missing(what))
  }
}

const gid = (node: reader.Node, key: string): string | undefined => {
  const value = reader.field(node, key)
  if (value === undefined) return undefined
  const parts = partsOfId(value)
  if (parts === undefined) reader.refuse(node, key, 'an id, as "gid://shopify/Order/1"')
  return parts?.id
}

const neededGid = (node: reader.Node): string => {
  if (reader.field(node, "id") === undefined) {
    reader.refuse(node, "id", 'an id, as "gid://shopify/Order/1"')
  }
  return gid(node, "id") ?? ""
}

/** The id of an object in a field, such as a line's product; `null`: it has none. */
const idIn = (node: reader.Node, key: string): string | null => {
  const child = reader.child(node, key)
  return child === undefined ? null : (gid(child, "id") ?? null)
}

/** An amount in the shop's own currency, as text. */
const money = (node: reader.Node, key: string, isNeeded = true): unknown => {
  const set = reader.child(node, key)
  const shop = set && reader.child(set, "shopMoney")
  const amount = shop && reader.field(shop, "amount")
  if (amount === undefined && isNeeded) {
    const what = "a set with shopMoney { amount currencyCode }"
    if (set === undefined) reader.note(node, key, missing("this amount"))
    else reader.refuse(set, "shopMoney", what)
  }
  return amount
}

const moneySet = (node: reader.Node, key: string, isNeeded = true): Json | undefined => {
  const amount = money(node, key, isNeeded)
  const code = reader.child(reader.child(node, key) ?? node, "shopMoney")?.fields.currencyCode
  return amount === undefined ? undefined : { shop_money: { amount, currency_code: code } }
}

/** The objects of a connection in any form: a list, `nodes` or `edges`. */
const connected = (node: reader.Node, key: string): ReadonlyArray<reader.Node> | undefined => {
  const value = reader.field(node, key)
  if (!reader.isFields(value)) return reader.children(node, key)
  const connection = reader.child(node, key)
  if (connection === undefined) return undefined
  const info = reader.child(connection, "pageInfo")
  if (info?.fields.hasNextPage === true) {
    reader.note(connection, "pageInfo", "there are more of them than the answer has: ask for all")
  }
  const edges = reader.children(connection, "edges")
  if (edges === undefined) return reader.children(connection, "nodes")
  return edges.flatMap((edge) => reader.child(edge, "node") ?? [])
}

const neededList = (node: reader.Node, key: string, what: string): ReadonlyArray<reader.Node> => {
  const found = connected(node, key)
  if (found === undefined) reader.note(node, key, missing(what))
  return found ?? []
}

const taxLines = (node: reader.Node): ReadonlyArray<Json> =>
  neededList(node, "taxLines", "taxes").map((line) => ({
    title: line.fields.title,
    rate: line.fields.rate,
    price: money(line, "priceSet"),
  }))

const discountAllocations = (node: reader.Node): ReadonlyArray<Json> =>
  neededList(node, "discountAllocations", "discounts").map((one) => ({
    amount: money(one, "allocatedAmountSet"),
  }))

const lineItem = (node: reader.Node): Json => {
  needKeys(node, { isGiftCard: "gift cards", product: "products" })
  return {
    id: neededGid(node),
    ...{ product_id: idIn(node, "product"), variant_id: idIn(node, "variant") },
    ...{ title: node.fields.title, name: node.fields.name, sku: node.fields.sku },
    ...{ vendor: node.fields.vendor, taxable: node.fields.taxable },
    gift_card: node.fields.isGiftCard,
    quantity: node.fields.quantity,
    price: money(node, "originalUnitPriceSet"),
    discount_allocations: discountAllocations(node),
    tax_lines: taxLines(node),
  }
}

const shippingLine = (node: reader.Node): Json => ({
  is_removed: node.fields.isRemoved,
  price: money(node, "originalPriceSet"),
  discounted_price_set: moneySet(node, "discountedPriceSet", false),
  discount_allocations: discountAllocations(node),
  tax_lines: taxLines(node),
})

const refundLine = (node: reader.Node): Json => ({
  line_item_id: idIn(node, "lineItem"),
  quantity: node.fields.quantity,
  subtotal: money(node, "subtotalSet"),
  total_tax: money(node, "totalTaxSet"),
})

const transaction = (node: reader.Node): Json => ({
  status: String(node.fields.status ?? "").toLowerCase(),
  kind: String(node.fields.kind ?? "refund").toLowerCase(),
  amount: money(node, "amountSet"),
})

const adjustment = (node: reader.Node): Json => ({
  kind: "refund_discrepancy",
  amount: money(node, "amountSet"),
  tax_amount: money(node, "taxAmountSet"),
})

const refundShipping = (node: reader.Node): Json => ({
  subtotal_amount_set: moneySet(node, "subtotalAmountSet"),
  tax_amount_set: moneySet(node, "taxAmountSet"),
  shipping_line: { is_removed: reader.child(node, "shippingLine")?.fields.isRemoved },
})

const noLines =
  "is missing: a bulk operation can't export the lines of refunds, so ask for refunded orders in a query of their own"

const refundLines = (node: reader.Node): ReadonlyArray<Json> => {
  const lines = connected(node, "refundLineItems")
  if (lines === undefined) reader.note(node, "refundLineItems", noLines)
  return (lines ?? []).map(refundLine)
}

const refund =
  (orderId: string) =>
  (node: reader.Node): Json => ({
    id: neededGid(node),
    order_id: orderId,
    created_at: node.fields.createdAt,
    refund_line_items: refundLines(node),
    transactions: neededList(node, "transactions", "payments").map(transaction),
    order_adjustments: neededList(node, "orderAdjustments", "adjustments").map(adjustment),
    refund_shipping_lines: neededList(node, "refundShippingLines", "shipping").map(refundShipping),
    duties: reader.children(node, "duties")?.map(({ fields }) => fields),
  })

const address = (node: reader.Node, key: string): Json | null => {
  const found = reader.child(node, key)
  if (found === undefined) return null
  const { countryCodeV2, firstName, lastName, ...rest } = found.fields
  return { ...rest, country_code: countryCodeV2, first_name: firstName, last_name: lastName }
}

const customerOf = (node: reader.Node): Json | undefined => {
  const found = reader.child(node, "customer")
  if (found === undefined) return undefined
  const { email, firstName, lastName, tags } = found.fields
  return { email, first_name: firstName, last_name: lastName, tags: tags ?? [] }
}

/** Notes shipping amounts without a shipping line. */
const checkShipping = (node: reader.Node, lines: ReadonlyArray<Json>): void => {
  const total = money(node, "totalShippingPriceSet")
  if (lines.length === 0 && Number(total ?? 0) !== 0) {
    reader.note(node, "shippingLines", missing("shipping and the tax on it"))
  }
}

const keys = {
  ...{ createdAt: "the time", cancelledAt: "cancellations", test: "test orders" },
  ...{ displayFinancialStatus: "payments", taxesIncluded: "taxes", tags: "conditions" },
  ...{ discountCodes: "conditions", totalTipReceivedSet: "tips", refunds: "refunds" },
  ...{ currencyCode: "the currency" },
} as const

/** The order in the form of the REST API. Notes every field that is missing, by its name in the export. */
export const restOrderOf = (node: reader.Node): Json => {
  needKeys(node, keys)
  const id = neededGid(node)
  const lines = connected(node, "lineItems") ?? []
  if (lines.length === 0) {
    reader.note(node, "lineItems", "is missing: no line of the order is in the export, beneath it")
  }
  const shipping = (connected(node, "shippingLines") ?? []).map(shippingLine)
  checkShipping(node, shipping)
  const codes = reader.texts(node, "discountCodes") ?? []
  return {
    ...{ id, name: node.fields.name, currency: node.fields.currencyCode },
    ...{ created_at: node.fields.createdAt, processed_at: node.fields.processedAt },
    ...{ cancelled_at: node.fields.cancelledAt, test: node.fields.test },
    financial_status: String(node.fields.displayFinancialStatus ?? "").toLowerCase(),
    taxes_included: node.fields.taxesIncluded,
    tags: node.fields.tags,
    discount_codes: codes.map((code) => ({ code })),
    total_discounts: money(node, "totalDiscountsSet"),
    total_tax: money(node, "totalTaxSet"),
    total_tip_received: money(node, "totalTipReceivedSet", false),
    ...{ email: node.fields.email, customer: customerOf(node) },
    billing_address: address(node, "billingAddress"),
    shipping_address: address(node, "shippingAddress"),
    payment_gateway_names: node.fields.paymentGatewayNames,
    landing_site: node.fields.landingPageUrl,
    referring_site: node.fields.referrerUrl,
    line_items: lines.map(lineItem),
    shipping_lines: shipping,
    refunds: (connected(node, "refunds") ?? []).map(refund(id)),
  }
}
