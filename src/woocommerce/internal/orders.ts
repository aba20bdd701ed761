import * as Result from "effect/Result"
import { idsBrought } from "../../internal/productTags.js"
import * as reader from "../../internal/reader.js"
import { readCurrency } from "../../internal/reader.js"
import {
  type LeftOut,
  type NotASale,
  type Reading,
  type Reason,
  readSale,
  type Unsold,
  withDiscount,
} from "../../internal/sales.js"
import * as Currency from "../../money/Currency.js"
import type { OrderDetails, OrderItem } from "../../orders/Order.js"
import type { Unreadable } from "../../Unreadable.js"

// WooCommerce's amounts: decimal texts, with as many decimals as the shop keeps.

/** More decimals than any shop keeps. */
const decimals = 12
/** More digits than any safe integer has, leading zeros included. */
const mostDigits = 100
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?$/

/** An exact number of 10^-12 of the currency's unit. */
export type Exact = bigint

const parse = (value: unknown): Exact | undefined => {
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const [, sign, whole = "", part = ""] = pattern.exec(String(value).trim()) ?? []
  if (sign === undefined || whole + part === "") return undefined
  if (whole.length > mostDigits || part.length > decimals) return undefined
  const magnitude = BigInt(whole + part.padEnd(decimals, "0"))
  return sign === "-" ? -magnitude : magnitude
}

/** An amount; none when it is absent or an empty text. */
export const amount = (node: reader.Node, key: string): Exact => {
  const value = reader.field(node, key)
  if (value === undefined || value === "") return 0n
  const exact = parse(value)
  if (exact === undefined) reader.refuse(node, key, 'an amount in decimals, as "19.90"')
  return exact ?? 0n
}

/** A required amount. */
export const neededAmount = (node: reader.Node, key: string): Exact => {
  const value = reader.field(node, key)
  if (value === undefined || value === "") {
    reader.refuse(node, key, 'an amount in decimals, as "19.90"')
  }
  return amount(node, key)
}

/**
 * The lowest units of the currency, half-up, as the shop rounds; a value beyond the safe integers
 * is noted.
 */
export const cents = (node: reader.Node, key: string, exact: Exact, currency: string): number => {
  const digits = Currency.minorDigits(currency)
  if (Result.isFailure(digits)) return 0
  const unit = 10n ** BigInt(decimals - digits.success)
  const magnitude = exact < 0n ? -exact : exact
  const rounded = (2n * magnitude + unit) / (2n * unit)
  if (rounded > BigInt(Number.MAX_SAFE_INTEGER)) {
    reader.note(node, key, "is more than 9007199254740991 of the currency's lowest unit")
    return 0
  }
  return rounded === 0n ? 0 : Number(exact < 0n ? -rounded : rounded)
}

// A WooCommerce order: its items, the lines that are left out, and whether it is a sale.

/**
 * Options for reading WooCommerce's orders.
 *
 * @since 0.6.0
 * @category models
 */
export interface WooOrderOptions {
  /** Reasons for which orders that are not sales are read anyway. None when absent. */
  readonly include?: ReadonlyArray<Reason> | undefined
  /**
   * The data of a line that is used as `otherIds` of its product. An order has only `variant` and `sku`; the product
   * data has the others. None when absent.
   */
  readonly idsFrom?: ReadonlyArray<"variant" | "sku" | "category"> | undefined
  /** The path of the document in a larger input, for the problems' paths. */
  readonly path?: string | undefined
}

/** How an order's amounts are read: its currency, and whether the tax is part of them. */
export interface Prices {
  readonly currency: string
  readonly withTax: boolean
}

/**
 * WooCommerce's times have no offset: some are in UTC, and those in the site's time are read as
 * UTC.
 */
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

/**
 * A line's amount with or without its tax. Lines have them separately, whatever the shop's prices
 * include.
 */
export const lineAmount = (
  node: reader.Node,
  key: "subtotal" | "total",
  { currency, withTax }: Prices,
): number => {
  const tax = withTax ? amount(node, `${key}_tax`) : 0n
  return cents(node, key, neededAmount(node, key) + tax, currency)
}

/** An id of 0 means none. */
const idOf = (node: reader.Node, key: string): string | undefined => {
  const id = reader.id(node, key)
  return id === "0" ? undefined : id
}

const readItem = (
  node: reader.Node,
  prices: Prices,
  idsFrom: WooOrderOptions["idsFrom"],
): OrderItem => {
  const id = reader.neededId(node, "id")
  const quantity = reader.neededWhole(node, "quantity", 0)
  const subtotal = lineAmount(node, "subtotal", prices)
  const productId = idOf(node, "product_id")
  const variationId = idOf(node, "variation_id")
  const sku = idOf(node, "sku")
  return {
    id,
    product: {
      id: productId ?? variationId ?? id,
      externalId: productId,
      externalVariantId: variationId,
      name: filled(node, "name"),
      sku: sku ?? null,
      ...idsBrought(idsFrom, { variant: [variationId], sku: [sku] }),
    },
    quantity,
    amount: subtotal,
    discount: subtotal - lineAmount(node, "total", prices),
    taxTotal: cents(node, "total_tax", amount(node, "total_tax"), prices.currency),
    taxPercent: null,
    taxName: null,
  }
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

/** The referers of the buyer, from the shop's order attribution. */
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

const readOrder = (node: reader.Node, idsFrom: WooOrderOptions["idsFrom"]): Reading => {
  const prices = pricesOf(node)
  const { currency, withTax } = prices
  const billing = reader.child(node, "billing")
  const { leftOut, discount } = readFees(node, prices)
  const items = reader
    .neededChildren(node, "line_items")
    .map((line) => readItem(line, prices, idsFrom))
  const shippingTax = amount(node, "shipping_tax")
  const shipping = amount(node, "shipping_total") + (withTax ? shippingTax : 0n)
  const tax = cents(node, "shipping_tax", shippingTax, currency)
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
    shippingAmount: cents(node, "shipping_total", shipping, currency),
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

/** Reads one order; one that is not a sale is `NotASale`. */
export const readFound = (
  input: unknown,
  { path, include, idsFrom }: WooOrderOptions,
): Result.Result<Reading, Unreadable | NotASale> =>
  readSale(input, {
    ...{ what: "WooCommerce order", path, include, unsold },
    read: (node) => readOrder(node, idsFrom),
  })
