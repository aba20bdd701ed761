/**
 * WooCommerce's refunds, as `/orders/<id>/refunds` answers them.
 *
 * @since 0.6.0
 */
import type * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import type { Order } from "../orders/Order.js"
import type { Problem } from "../Problem.js"
import type * as Core from "../shares/Refund.js"
import type { Unreadable } from "../Unreadable.js"
import { readRefund } from "./internal/refunds.js"

/**
 * What one refund says.
 *
 * @since 0.6.0
 * @category models
 */
export interface RefundReading {
  /** The refund's own id, by which the same refund is known again. */
  readonly id?: string | undefined
  /** One for each refunded line; and where shipping went back, one of it for each line of the order. */
  readonly refunds: ReadonlyArray<Core.Refund>
  /** Money that takes nothing back from a line, and why. */
  readonly notRead: ReadonlyArray<Problem>
}

/**
 * What reading a refund needs.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReadOptions {
  /** The order that the refund is of: WooCommerce's refunds name neither their order nor a currency. */
  readonly order: Order
  /** Where the document stands in a larger input, for the problems' paths. */
  readonly path?: string | undefined
  /** The time of a refund that has none, in Unix seconds. */
  readonly latestAt?: number | null | undefined
}

/**
 * Reads one refund of an order. Each refunded line goes by quantity where its money is what so many units
 * cost after discount, to a cent for each, else by amount. Where the refund's `amount` is another than its
 * lines say, the amount counts, and is divided over them, or without lines over all lines of the order, by
 * what was paid for them. Refunded shipping takes back as much of each line's shipping. Refunded fees take nothing
 * back, and are listed in `notRead`.
 * Fails with `Unreadable`, which lists every problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Order, Refund } from "apportion/woocommerce"
 * import { Result } from "effect"
 *
 * const order = Result.getOrThrow(
 *   Order.read({
 *     id: 723,
 *     currency: "USD",
 *     status: "completed",
 *     line_items: [{ id: 1, product_id: 7, quantity: 2, subtotal: "40.00", total: "40.00" }],
 *   }),
 * )
 * const refund = Refund.read(
 *   { id: 726, date_created_gmt: "2017-03-22T00:07:11", amount: "10.00", line_items: [] },
 *   { order },
 * )
 * Result.getOrThrow(refund).refunds[0]?.amount // => 1000
 * ```
 */
export const read = (
  input: unknown,
  { path, ...options }: ReadOptions,
): Result.Result<RefundReading, Unreadable> =>
  reader.read(input, {
    what: "WooCommerce refund",
    path,
    read: (node) => readRefund(node, options),
  })
