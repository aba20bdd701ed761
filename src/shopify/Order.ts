/**
 * Shopify's orders: the admin API's JSON, and the webhooks that carry the same object bare.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { readCurrency } from "../internal/currency.js"
import * as reader from "../internal/reader.js"
import type * as Core from "../matching/Order.js"
import type { Unreadable } from "../Unreadable.js"
import { readDetails } from "./internal/details.js"
import * as documents from "./internal/documents.js"
import { readItems } from "./internal/lines.js"
import * as money from "./internal/money.js"
import { defaultParameters, readReferers } from "./internal/referers.js"
import { notBlank, tags } from "./internal/texts.js"

/**
 * Choices for reading Shopify's orders.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadOptions {
  /**
   * The parameters of the landing page's address whose values are referers; {@link refererParameters}
   * when absent. Small and capital letters are the same.
   */
  readonly refererParameters?: ReadonlyArray<string> | undefined
  /** Where the document stands in a larger input, for the problems' paths. */
  readonly path?: string | undefined
}

/**
 * The parameters of the landing page's address whose values are taken as referers unless told otherwise:
 * `ref`, `source`, `r`, `referer`, `referrer` and `utm_source`.
 *
 * @since 0.1.0
 * @category constants
 */
export const refererParameters: ReadonlyArray<string> = defaultParameters

const readShopCurrency = (node: reader.Node): money.ShopCurrency => {
  const currency = readCurrency(node, "currency")
  return currency === "" ? undefined : currency
}

/** What a shipping line costs: its price less the discounts on it. */
const shippingOf = (line: reader.Node, currency: money.ShopCurrency): number => {
  if (line.fields.is_removed === true) return 0
  const price = money.neededAmount(line, "price", currency)
  const discount = money.sumOf(line, { list: "discount_allocations", field: "amount", currency })
  if (discount !== undefined) return price - discount
  return (
    money.shopAmount(line, "discounted_price_set", currency) ??
    money.amount(line, "discounted_price", currency) ??
    price
  )
}

const readShipping = (node: reader.Node, currency: money.ShopCurrency): number => {
  const lines = reader.children(node, "shipping_lines")
  if (lines === undefined) {
    return money.shopAmount(node, "total_shipping_price_set", currency) ?? 0
  }
  const prices = lines.map((line) => shippingOf(line, currency))
  return money.sum(node, "shipping_lines", prices)
}

const readCodes = (node: reader.Node): ReadonlyArray<string> =>
  notBlank((reader.children(node, "discount_codes") ?? []).map((code) => reader.text(code, "code")))

const readOrder = (node: reader.Node, options: ReadOptions): Core.Order => {
  const currency = readShopCurrency(node)
  const customer = reader.child(node, "customer")
  const billing = reader.child(node, "billing_address")
  return {
    id: reader.neededId(node, "id"),
    currency: currency ?? "",
    createdAt: reader.time(node, "created_at") ?? reader.time(node, "processed_at") ?? null,
    tags: tags(node, "tags"),
    customerTags: customer === undefined ? [] : tags(customer, "tags"),
    discountCodes: readCodes(node),
    billingCountry: (billing && reader.text(billing, "country_code")) ?? null,
    referers: readReferers(node, options.refererParameters ?? defaultParameters),
    taxesIncluded: reader.flag(node, "taxes_included") ?? false,
    shippingAmount: readShipping(node, currency),
    gatewayFee: 0,
    items: readItems(node, currency),
    details: readDetails(node, customer),
  }
}

const wrappers = { one: "order", many: "orders" }

const readFound = (
  { path, value }: documents.Found,
  options: ReadOptions,
): Result.Result<Core.Order, Unreadable> =>
  reader.read(value, { what: "Shopify order", path, read: (node) => readOrder(node, options) })

/**
 * Reads every order of a document: a bare order as in a webhook, `{ order }`, `{ orders: [...] }`, or a
 * list. One that can't be read does not stop the others.
 *
 * How an order is taken: amounts are the shop's own currency (`currency`), never the buyer's. A line's
 * amount is its price times its quantity. Its discount is the sum of its `discount_allocations`, else
 * its `total_discount`; when no line says anything, the order's `total_discounts` (less what went to
 * shipping) is spread over the lines by their amounts, by largest remainder. Its tax is the sum of its
 * `tax_lines`; when no line has such a list, the order's `total_tax` is spread over the taxable lines by
 * their amounts after discount. Shipping is the sum of the shipping lines' prices less the discounts on
 * them. Referers are `landing_site_ref`, `referring_site`, its host, and the values of the landing
 * page's parameters; any one of them satisfies a referer condition. The product's id is `product_id`; a
 * custom line, which has none, goes by its variant id or its own. Removed lines and cancelled orders are
 * read as any other: what goes back to the buyer is a refund.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Order } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const [first] = Order.readEach({ orders: [{ id: 1, currency: "USD", line_items: [] }] })
 * first !== undefined && Result.isSuccess(first) // => true
 * ```
 */
export const readEach = (
  input: unknown,
  options: ReadOptions = {},
): ReadonlyArray<Result.Result<Core.Order, Unreadable>> =>
  documents.find(input, wrappers, options.path).map((found) => readFound(found, options))

/**
 * Reads one order, bare or wrapped, as {@link readEach} does. Decimal texts become cents by the
 * currency's digits, never through floating-point numbers. Fails with `Unreadable`, which tells every
 * problem with its path.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Order } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const order = Order.read({
 *   order: {
 *     id: 450789469,
 *     currency: "USD",
 *     tags: "vip, first order",
 *     line_items: [{ id: 1, product_id: 632910392, quantity: 2, price: "199.00" }],
 *   },
 * })
 * Result.getOrThrow(order).items[0]?.amount // => 39800
 * Result.getOrThrow(order).tags // => ["vip", "first order"]
 * ```
 */
export const read = (
  input: unknown,
  options: ReadOptions = {},
): Result.Result<Core.Order, Unreadable> => {
  const found = documents.find(input, wrappers, options.path)
  const [only] = found
  if (only !== undefined && found.length === 1) return readFound(only, options)
  const message = `must be one order, got ${found.length}`
  const problem = { path: options.path ?? "", value: input, message }
  return Result.fail(reader.unreadable("Shopify order", [problem]))
}
