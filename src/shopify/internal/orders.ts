/** An order of Shopify: what was sold, what of it is shared, and whether it is a sale at all. */
import type * as Result from "effect/Result"
import { readCurrency } from "../../internal/currency.js"
import * as reader from "../../internal/reader.js"
import { type Reading, readSale, type Unsold } from "../../internal/sales.js"
import type { LeftOut } from "../../LeftOut.js"
import * as Currency from "../../money/Currency.js"
import type { NotASale, Reason } from "../../NotASale.js"
import type { Unreadable } from "../../Unreadable.js"
import { readDetails } from "./details.js"
import type * as documents from "./documents.js"
import { readItems, readShipping } from "./lines.js"
import type * as money from "./money.js"
import { defaultParameters, readReferers } from "./referers.js"
import { notBlank, tags } from "./texts.js"

export interface Options {
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

const sharedKinds = ({ giftCards, tips }: Options): ReadonlySet<LeftOut["what"]> =>
  new Set<LeftOut["what"]>([
    ...(giftCards === "share" ? (["gift card"] as const) : []),
    ...(tips === "share" ? (["tip"] as const) : []),
  ])

const readOrder = (node: reader.Node, options: Options): Reading => {
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
  { path, value }: documents.Found,
  options: Options,
): Result.Result<Reading, Unreadable | NotASale> =>
  readSale(value, {
    what: "Shopify order",
    path,
    include: options.include,
    unsold,
    read: (node) => readOrder(node, options),
  })
