/**
 * Stripe's checkout sessions and invoices as orders.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import type { NotASale } from "../internal/sales.js"
import type * as Core from "../orders/Order.js"
import type { Unreadable } from "../Unreadable.js"
import { readFound, type StripeOrderOptions } from "./internal/orders.js"

export type { StripeOrderOptions as ReadOptions } from "./internal/orders.js"

/**
 * Reads a checkout session with its `line_items`, or an invoice with all of its `lines`, in Stripe's units. The order's
 * id is that of the session or the invoice, an item's that of the line. The product is that of the line's price, and if
 * it is expanded, its metadata `tags` (with commas between), `vendor` and `sku` count. Tax is part of the amounts if
 * all of it is inclusive; if only some is, it is taken out of the amounts. Promotion codes and coupons are discount
 * codes, the country is that of the buyer's address, and the metadata `referer` and `utm_source` are referers. A line
 * of a proration may be negative. Lines, discounts, taxes and shipping have to add up to the total. A session or
 * invoice that is not paid, has expired, was voided or is of the test mode is `NotASale`, unless `include` has its
 * reason. Fails with `Unreadable`, which lists every problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Order } from "apportion/stripe"
 * import { Result } from "effect"
 *
 * const line = { id: "li_1", quantity: 2, amount_subtotal: 4000, amount_discount: 400, amount_tax: 0, amount_total: 3600 }
 * const session = {
 *   object: "checkout.session",
 *   id: "cs_1",
 *   created: 1_700_000_000,
 *   currency: "eur",
 *   payment_status: "paid",
 *   amount_total: 3600,
 *   discounts: [{ coupon: "SPRING", promotion_code: null }],
 *   line_items: { data: [{ ...line, price: { id: "price_1", product: "prod_1" } }], has_more: false },
 * }
 * const { items, discountCodes } = Result.getOrThrow(Order.read(session))
 * items[0]?.product.id // => "prod_1"
 * items[0]?.discount // => 400
 * discountCodes // => ["SPRING"]
 * ```
 */
export const read = (
  input: unknown,
  options: StripeOrderOptions = {},
): Result.Result<Core.Order, Unreadable | NotASale> =>
  Result.map(readFound(input, options), ({ order }) => order)
