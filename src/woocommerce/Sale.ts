/**
 * A whole WooCommerce order: the sold items, the lines that are left out, and its refunds.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import type { NotASale, Sale } from "../internal/sales.js"
import type { Unreadable } from "../Unreadable.js"
import type { WooOrderOptions } from "./internal/orders.js"
import * as orders from "./internal/orders.js"
import * as Refund from "./Refund.js"

export type { Sale } from "../internal/sales.js"

/**
 * Reads one order with the refunds inside it. An order has only the totals of its refunds, so they are divided over its
 * lines by what was paid for them, at the time when the order was last modified; read the refunds themselves with
 * {@link (Refund:namespace).read} to reverse the refunded lines.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Sale } from "apportion/woocommerce"
 * import { Result } from "effect"
 *
 * const sale = Sale.read({
 *   id: 723,
 *   currency: "USD",
 *   status: "refunded",
 *   date_modified_gmt: "2017-03-22T19:28:02",
 *   line_items: [{ id: 1, product_id: 7, quantity: 2, subtotal: "40.00", total: "40.00" }],
 *   refunds: [{ id: 726, reason: "", total: "-40.00" }],
 * })
 * Result.getOrThrow(sale).refunds.flatMap((one) => Result.getOrThrow(one).refunds)[0]?.quantity // => 2
 * ```
 */
export const read = (
  input: unknown,
  options: WooOrderOptions = {},
): Result.Result<Sale, Unreadable | NotASale> =>
  Result.map(orders.readFound(input, options), ({ order, leftOut }) => {
    const fields = reader.isFields(input) ? input : {}
    const inside = Array.isArray(fields.refunds) ? fields.refunds : []
    const node = { problems: [], path: "", fields }
    const latestAt = orders.time(node, ["date_modified_gmt", "date_modified"]) ?? order.createdAt
    const prefix = options.path === undefined ? "" : `${options.path}.`
    const refunds = inside.map((one, index) =>
      Refund.read(one, { order, latestAt, path: `${prefix}refunds[${index}]` }),
    )
    return { order, leftOut, refunds }
  })
