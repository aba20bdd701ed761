import type * as Result from "effect/Result"
import * as reader from "../../internal/reader.js"
import { readCurrency } from "../../internal/reader.js"
import { type Reading, readSale, type Unsold } from "../../internal/sales.js"
import type { LeftOut } from "../../LeftOut.js"
import * as Currency from "../../money/Currency.js"
import type { NotASale, Reason } from "../../NotASale.js"
import type { OrderDetails } from "../../orders/Order.js"
import type { Unreadable } from "../../Unreadable.js"
import type * as documents from "./documents.js"
import { filled, notBlank, tags } from "./documents.js"
import { readItems, readShipping } from "./lines.js"
import type * as money from "./money.js"
import { defaultParameters, readReferers } from "./referers.js"

// What a collaborator may be allowed to see of an order beside its items.

const addressLine = (node: reader.Node, key: string): string | null => {
  const address = reader.child(node, key)
  if (address === undefined) return null
  const name = filled(address, "name") ?? fullName(address)
  const parts = ["company", "address1", "address2", "city", "province", "zip", "country"]
  const line = notBlank([name, ...parts.map((part) => reader.text(address, part))]).join(", ")
  return line === "" ? null : line
}

const fullName = (node: reader.Node | undefined): string | undefined => {
  if (node === undefined) return undefined
  const name = notBlank([reader.text(node, "first_name"), reader.text(node, "last_name")]).join(" ")
  return name === "" ? undefined : name
}

const gatewayOf = (node: reader.Node): string | undefined => {
  const names = notBlank(reader.texts(node, "payment_gateway_names") ?? [])
  return names.length === 0 ? filled(node, "gateway") : names.join(", ")
}

export const readDetails = (node: reader.Node, customer: reader.Node | undefined): OrderDetails => {
  const email = filled(node, "email") ?? filled(node, "contact_email")
  const billing = reader.child(node, "billing_address")
  const orderName = filled(node, "name")
  return {
    customerEmail: email ?? (customer && filled(customer, "email")) ?? null,
    customerName: fullName(customer) ?? fullName(billing) ?? null,
    status: filled(node, "financial_status") ?? null,
    paymentGateway: gatewayOf(node) ?? null,
    shippingAddress: addressLine(node, "shipping_address"),
    billingAddress: addressLine(node, "billing_address"),
    ...(orderName === undefined ? {} : { orderName }),
  }
}

// An order of Shopify: what was sold, what of it is shared, and whether it is a sale at all.

export interface OrderOptions {
  readonly refererParameters?: ReadonlyArray<string> | undefined
  readonly giftCards?: "leave-out" | "share" | undefined
  readonly tips?: "leave-out" | "share" | undefined
  readonly include?: ReadonlyArray<Reason> | undefined
}

/** Where the order does not name the shop's currency, its total in the shop's money may. */
const readShopCurrency = (node: reader.Node): money.ShopCurrency => {
  const named = shopCurrencyOf(node.fields.total_price_set)
  if (reader.field(node, "currency") === undefined && named !== undefined) return named
  const currency = readCurrency(node, "currency")
  return currency === "" ? undefined : currency
}

/** The currency of the shop's own money in a `…_set`. */
export const shopCurrencyOf = (value: unknown): string | undefined => {
  const shop = reader.isFields(value) ? value.shop_money : undefined
  const code = reader.isFields(shop) ? shop.currency_code : undefined
  return Currency.isCurrency(code) ? code : undefined
}

const readCodes = (node: reader.Node): ReadonlyArray<string> =>
  notBlank((reader.children(node, "discount_codes") ?? []).map((code) => reader.text(code, "code")))

const sharedKinds = ({ giftCards, tips }: OrderOptions): ReadonlySet<LeftOut["what"]> =>
  new Set<LeftOut["what"]>([
    ...(giftCards === "share" ? (["gift card"] as const) : []),
    ...(tips === "share" ? (["tip"] as const) : []),
  ])

const readOrder = (node: reader.Node, options: OrderOptions): Reading => {
  const currency = readShopCurrency(node)
  const customer = reader.child(node, "customer")
  const billing = reader.child(node, "billing_address")
  const shipping = readShipping(node, currency)
  const { items, leftOut } = readItems(node, currency, sharedKinds(options))
  const order = {
    id: reader.neededId(node, "id"),
    currency: currency ?? "",
    createdAt: reader.time(node, "created_at") ?? reader.time(node, "processed_at") ?? null,
    tags: tags(node, "tags"),
    customerTags: customer === undefined ? [] : tags(customer, "tags"),
    discountCodes: readCodes(node),
    billingCountry: (billing && reader.text(billing, "country_code")) ?? null,
    referers: readReferers(node, options.refererParameters ?? defaultParameters),
    taxesIncluded: reader.flag(node, "taxes_included") ?? false,
    shippingAmount: shipping.amount,
    ...(shipping.tax === 0 ? {} : { shippingTax: shipping.tax }),
    gatewayFee: 0,
    items,
    details: readDetails(node, customer),
  }
  return { order, leftOut }
}

const unpaid: ReadonlySet<unknown> = new Set(["pending", "authorized", "expired", "unpaid"])

const unsold = ({ fields }: reader.Node): Unsold | undefined => {
  const status = fields.financial_status
  if (fields.test === true) return ["test", "is a test order"]
  if (Object.hasOwn(fields, "invoice_url")) return ["draft", "is a draft, which nobody bought yet"]
  if (Object.hasOwn(fields, "abandoned_checkout_url")) {
    return ["draft", "is a checkout that was abandoned"]
  }
  if ((fields.cancelled_at ?? null) !== null) return ["cancelled", "was cancelled"]
  if (status === "voided") return ["voided", "was voided"]
  if (unpaid.has(status)) return ["unpaid", `is not paid yet (${status})`]
  return undefined
}

/** Reads one order; what is no sale is told as such. */
export const readFound = (
  { path, value }: documents.FoundObject,
  options: OrderOptions,
): Result.Result<Reading, Unreadable | NotASale> =>
  readSale(value, {
    what: "Shopify order",
    path,
    include: options.include,
    unsold,
    read: (node) => readOrder(node, options),
  })
