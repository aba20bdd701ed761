/**
 * Shopify's orders: the admin API's JSON, and the webhooks that carry the same object bare.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import type { NotASale } from "../internal/sales.js"
import type * as Core from "../orders/Order.js"
import type { Unreadable } from "../Unreadable.js"
import * as orders from "./internal/orders.js"
import { defaultParameters, type ShopifyOrderOptions } from "./internal/orders.js"
import * as values from "./internal/values.js"

export type { ShopifyOrderOptions as ReadOptions } from "./internal/orders.js"

/**
 * The parameters of the landing page's address whose values are read as referers by default: `ref`, `source`, `r`,
 * `referer`, `referrer` and `utm_source`.
 *
 * @since 0.1.0
 * @category constants
 */
export const refererParameters: ReadonlyArray<string> = defaultParameters

const wrappers = { one: "order", many: "orders" }

const readFound = (
  found: values.FoundObject,
  options: ShopifyOrderOptions,
): Result.Result<Core.Order, Unreadable | NotASale> =>
  Result.map(orders.readFound(found, options), ({ order }) => order)

/**
 * Reads every order of a document: a bare order as in a webhook, `{ order }`, `{ orders: [...] }`, or a list. One that
 * can't be read does not stop the others. One that is not a sale (a test, a draft, cancelled, voided, not paid yet, or
 * nothing but gift cards and tips) is `NotASale`, unless `include` has its reason.
 *
 * How an order is read: amounts are the shop's own currency (`currency`), never the buyer's. A line's amount is its
 * price times its quantity. Its discount is the sum of its `discount_allocations`, else its `total_discount`; when no
 * line has any, the order's `total_discounts` (less the part for shipping) is spread over the lines by their amounts,
 * by largest remainder. Its tax is the sum of its `tax_lines`; when no line has any, the order's `total_tax` is spread
 * over the taxable lines by their amounts after discount. Shipping is the sum of the shipping lines' prices less the
 * discounts on them, with the tax on it. Gift cards and tips are left out; `Sale.read` lists them. Referers are
 * `landing_site_ref`, `referring_site`, its host, and the values of the landing page's parameters; any one of them
 * satisfies a referer condition. The product's id is `product_id`; for a custom line, which has none, it is the variant
 * id or the line's own. Removed lines are read like any other: money returned to the buyer is a refund, which `Refund`
 * reads.
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
  options: ShopifyOrderOptions = {},
): ReadonlyArray<Result.Result<Core.Order, Unreadable | NotASale>> =>
  values.find(input, wrappers, options.path).map((found) => readFound(found, options))

/**
 * Reads one order, bare or wrapped, as {@link readEach} does. Decimal texts become cents by the
 * currency's digits, never through floating-point numbers. Fails with `Unreadable`, which lists every
 * problem with its path, or with `NotASale`.
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
  options: ShopifyOrderOptions = {},
): Result.Result<Core.Order, Unreadable | NotASale> => {
  const found = values.find(input, wrappers, options.path)
  const [only] = found
  if (only !== undefined && found.length === 1) return readFound(only, options)
  const message = `must be one order, got ${found.length}`
  const problem = { path: options.path ?? "", value: input, message }
  return Result.fail(reader.unreadable("Shopify order", [problem]))
}
