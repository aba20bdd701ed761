/**
 * WooCommerce's orders, as its REST API returns them and its webhooks send them.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import type { NotASale } from "../internal/sales.js"
import type * as Core from "../orders/Order.js"
import type { Unreadable } from "../Unreadable.js"
import type { WooOrderOptions } from "./internal/orders.js"
import * as orders from "./internal/orders.js"

export type { WooOrderOptions as ReadOptions } from "./internal/orders.js"

/**
 * Reads one order. A line's amount is its `subtotal`, and its discount is `subtotal` less `total`. Where
 * `prices_include_tax` is set both have their tax added, and the order's `taxesIncluded` says so; otherwise tax comes
 * on top. Decimals become cents by the currency's digits, half-up. Coupons are discount codes; the country is that of
 * the billing address; referers are the shop's order attribution (`utm_source`, and the referrer with its host). A fee
 * below 0 is a discount over all lines; other fees are left out, which `Sale.read` lists. A pending, failed, cancelled
 * or draft order is `NotASale`, unless `include` has its reason. Times without an offset are read as UTC. Fails with
 * `Unreadable`, which lists every problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Order } from "apportion/woocommerce"
 * import { Result } from "effect"
 *
 * const order = Order.read({
 *   id: 727,
 *   currency: "EUR",
 *   status: "processing",
 *   prices_include_tax: true,
 *   billing: { country: "DE" },
 *   coupon_lines: [{ code: "spring" }],
 *   line_items: [
 *     { id: 315, product_id: 93, quantity: 2, subtotal: "10.00", subtotal_tax: "1.90", total: "9.00", total_tax: "1.71" },
 *   ],
 * })
 * const { items, discountCodes } = Result.getOrThrow(order)
 * items[0]?.amount // => 1190
 * items[0]?.discount // => 119
 * discountCodes // => ["spring"]
 * ```
 */
export const read = (
  input: unknown,
  options: WooOrderOptions = {},
): Result.Result<Core.Order, Unreadable | NotASale> =>
  Result.map(orders.readFound(input, options), ({ order }) => order)
