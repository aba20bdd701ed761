/** An order of WooCommerce: what was sold, what of it is shared, and whether it is a sale at all. */
import type * as Result from "effect/Result"
import * as reader from "../../internal/reader.js"
import { readCurrency } from "../../internal/reader.js"
import { type Reading, readSale, type Unsold } from "../../internal/sales.js"
import type { LeftOut } from "../../LeftOut.js"
import * as Allocation from "../../money/Allocation.js"
import type { NotASale, Reason } from "../../NotASale.js"
import type { OrderDetails, OrderItem } from "../../orders/Order.js"
import type { Unreadable } from "../../Unreadable.js"
import * as money from "./money.js"

export interface WooOrderOptions {
  readonly include?: ReadonlyArray<Reason> | undefined
  readonly path?: string | undefined
}

/** How an order's amounts are read: its currency, and whether the tax is part of them. */
export interface Prices {
  readonly currency: string
  readonly withTax: boolean
}

/** WooCommerce's times have no offset: those in UTC, and those of the site, which are taken for UTC. */
export const time = (node: reader.Node, keys: ReadonlyArray<string>): number | null => {
  for (const key of keys) {
    const value = reader.field(node, key)
    if (value === undefined || value === "") continue
    const isLocal = typeof value === "string" && !/(?:[zZ]|[+-]\d\d:?\d\d)$/.test(value)
    const fields = { [key]: isLocal ? `${value}Z` : value }
    return reader.time({ ...node, fields }, key) ?? null
  }
  return null
}

const filled = (node: reader.Node | undefined, key: string): string | undefined => {
  const text = node === undefined ? "" : (reader.text(node, key) ?? "").trim()
  return text === "" ? undefined : text
}

/** A line's amount with or without its tax. Lines carry them apart, whatever the shop's prices are. */
export const lineAmount = (
  node: reader.Node,
  key: "subtotal" | "total",
  { currency, withTax }: Prices,
): number => {
  const tax = withTax ? money.amount(node, `${key}_tax`) : 0n
  return money.cents(node, key, money.neededAmount(node, key) + tax, currency)
}

/** An id of 0 is none. */
const idOf = (node: reader.Node, key: string): string | undefined => {
  const id = reader.id(node, key)
  return id === "0" ? undefined : id
}

const readItem = (node: reader.Node, prices: Prices): OrderItem => {
  const id = reader.neededId(node, "id")
  const quantity = reader.neededWhole(node, "quantity", 0)
  const amount = lineAmount(node, "subtotal", prices)
  const productId = idOf(node, "product_id")
  const variationId = idOf(node, "variation_id")
  return {
    id,
    product: {
      id: productId ?? variationId ?? id,
      externalId: productId,
      externalVariantId: variationId,
      name: filled(node, "name"),
      sku: idOf(node, "sku") ?? null,
    },
    quantity,
    amount,
    discount: amount - lineAmount(node, "total", prices),
    taxTotal: money.cents(node, "total_tax", money.amount(node, "total_tax"), prices.currency),
    taxPercent: null,
    taxName: null,
  }
}

/** A fee below 0 is a discount of the order, over its lines by what they cost. */
const withDiscount = (
  items: ReadonlyArray<OrderItem>,
  discount: number,
): ReadonlyArray<OrderItem> => {
  const nets = items.map((item) => Math.max(0, item.amount - (item.discount ?? 0)))
  const parts = Allocation.allocate(discount, nets)
  return items.map((item, index) => ({
    ...item,
    discount: (item.discount ?? 0) + (parts[index] ?? 0),
  }))
}

const readFees = (
  node: reader.Node,
  prices: Prices,
): { readonly leftOut: ReadonlyArray<LeftOut>; readonly discount: number } => {
  const fees = (reader.children(node, "fee_lines") ?? []).map((fee) => ({
    itemId: reader.neededId(fee, "id"),
    what: "fee" as const,
    amount: lineAmount(fee, "total", prices),
  }))
  const discount = fees.reduce((sum, { amount }) => sum + Math.max(0, -amount), 0)
  return { leftOut: fees.filter(({ amount }) => amount > 0), discount }
}

const attribution = /^_?wc_order_attribution_(?:utm_source|referrer)$/

const hostOf = (address: string): ReadonlyArray<string> => {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:\s]+)/i.exec(address)?.[1]
  return host === undefined ? [] : [host.toLowerCase()]
}

/** Where the buyer came from, as the shop's own attribution says it. */
const readReferers = (node: reader.Node): ReadonlyArray<string> => {
  const values = (reader.children(node, "meta_data") ?? []).flatMap(({ fields }) => {
    const { key, value } = fields
    const isReferer = typeof key === "string" && attribution.test(key)
    const text = isReferer && typeof value === "string" ? value.trim() : ""
    return text === "" ? [] : [text, ...hostOf(text)]
  })
  return [...new Set(values)]
}

const addressLine = (node: reader.Node | undefined): string | null => {
  const keys = ["company", "address_1", "address_2", "city", "state", "postcode", "country"]
  const parts = [nameOf(node), ...keys.map((key) => filled(node, key))]
  const line = parts.filter((part) => part !== undefined).join(", ")
  return line === "" ? null : line
}

const nameOf = (node: reader.Node | undefined): string | undefined => {
  const parts = [filled(node, "first_name"), filled(node, "last_name")]
  const name = parts.filter((part) => part !== undefined).join(" ")
  return name === "" ? undefined : name
}

const readDetails = (node: reader.Node, billing: reader.Node | undefined): OrderDetails => ({
  customerEmail: filled(billing, "email") ?? null,
  customerName: nameOf(billing) ?? null,
  status: filled(node, "status") ?? null,
  paymentGateway: filled(node, "payment_method_title") ?? filled(node, "payment_method") ?? null,
  shippingAddress: addressLine(reader.child(node, "shipping")),
  billingAddress: addressLine(billing),
})

export const pricesOf = (node: reader.Node): Prices => ({
  currency: readCurrency(node, "currency"),
  withTax: reader.flag(node, "prices_include_tax") ?? false,
})

const readOrder = (node: reader.Node): Reading => {
  const prices = pricesOf(node)
  const { currency, withTax } = prices
  const billing = reader.child(node, "billing")
  const { leftOut, discount } = readFees(node, prices)
  const items = reader.neededChildren(node, "line_items").map((line) => readItem(line, prices))
  const shippingTax = money.amount(node, "shipping_tax")
  const shipping = money.amount(node, "shipping_total") + (withTax ? shippingTax : 0n)
  const tax = money.cents(node, "shipping_tax", shippingTax, currency)
  const codes = (reader.children(node, "coupon_lines") ?? []).map((line) => filled(line, "code"))
  const order = {
    id: reader.neededId(node, "id"),
    currency,
    createdAt: time(node, ["date_created_gmt", "date_created"]),
    tags: [],
    customerTags: [],
    discountCodes: codes.filter((code) => code !== undefined),
    billingCountry: filled(billing, "country") ?? null,
    referers: readReferers(node),
    taxesIncluded: withTax,
    shippingAmount: money.cents(node, "shipping_total", shipping, currency),
    ...(tax === 0 ? {} : { shippingTax: tax }),
    gatewayFee: 0,
    items: discount === 0 ? items : withDiscount(items, discount),
    details: readDetails(node, billing),
  }
  return { order, leftOut }
}

const statuses: ReadonlyMap<unknown, Unsold> = new Map([
  ["pending", ["unpaid", "is not paid yet (pending)"]],
  ["on-hold", ["unpaid", "is not paid yet (on-hold)"]],
  ["failed", ["unpaid", "was not paid (failed)"]],
  ["cancelled", ["cancelled", "was cancelled"]],
  ["trash", ["cancelled", "is in the trash"]],
  ["checkout-draft", ["draft", "is a draft, which nobody bought yet"]],
  ["auto-draft", ["draft", "is a draft, which nobody bought yet"]],
])

const unsold = ({ fields }: reader.Node): Unsold | undefined =>
  Object.hasOwn(fields, "billing_period")
    ? ["draft", "is a subscription, of which each renewal is an order of its own"]
    : statuses.get(fields.status)

/** Reads one order; what is no sale is told as such. */
export const readFound = (
  input: unknown,
  { path, include }: WooOrderOptions,
): Result.Result<Reading, Unreadable | NotASale> =>
  readSale(input, { what: "WooCommerce order", path, include, unsold, read: readOrder })
