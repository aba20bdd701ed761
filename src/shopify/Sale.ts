/**
 * A whole Shopify order: the sold items, the lines that are left out, and its refunds.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import type { NotASale, Sale } from "../internal/sales.js"
import type { Unreadable } from "../Unreadable.js"
import type { ShopifyOrderOptions } from "./internal/orders.js"
import * as orders from "./internal/orders.js"
import * as values from "./internal/values.js"
import * as Refund from "./Refund.js"

export type { Sale } from "../internal/sales.js"

const readFound = (
  found: values.FoundObject,
  options: ShopifyOrderOptions,
): Result.Result<Sale, Unreadable | NotASale> =>
  Result.map(orders.readFound(found, options), ({ order, leftOut }) => {
    const { path, value } = found
    const refunds = reader.isFields(value) ? (value.refunds ?? []) : []
    const inside = { refunds: Array.isArray(refunds) ? refunds : [refunds] }
    return { order, leftOut, refunds: Refund.readEach(inside, { path, order, leftOut }) }
  })

/**
 * Reads every order of a document as {@link (Order:namespace).readEach} does, with the refunds inside it.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Sale } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const [tested] = Sale.readEach([{ id: 1, currency: "USD", test: true, line_items: [] }])
 * tested !== undefined && Result.isFailure(tested) && tested.failure.message // => "order 1 is a test order"
 * ```
 */
export const readEach = (
  input: unknown,
  options: ShopifyOrderOptions = {},
): ReadonlyArray<Result.Result<Sale, Unreadable | NotASale>> =>
  values
    .find(input, { one: "order", many: "orders" }, options.path)
    .map((found) => readFound(found, options))

/**
 * Reads one order with its refunds, bare or wrapped. Fails with `Unreadable`, which lists every problem with
 * its path, or with `NotASale`.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Sale } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const sale = Sale.read({
 *   id: 450789469,
 *   currency: "USD",
 *   line_items: [
 *     { id: 1, product_id: 7, quantity: 2, price: "199.00" },
 *     { id: 2, quantity: 1, price: "50.00", gift_card: true },
 *   ],
 *   refunds: [
 *     {
 *       id: 509,
 *       created_at: "2016-06-20T13:35:06-04:00",
 *       refund_line_items: [{ line_item_id: 1, quantity: 1, subtotal: "199.00" }],
 *     },
 *   ],
 * })
 * const { order, leftOut, refunds } = Result.getOrThrow(sale)
 * order.items.length // => 1
 * leftOut[0]?.what // => "gift card"
 * refunds.flatMap((one) => Result.getOrThrow(one).refunds)[0]?.quantity // => 1
 * ```
 */
export const read = (
  input: unknown,
  options: ShopifyOrderOptions = {},
): Result.Result<Sale, Unreadable | NotASale> => {
  const [only, ...others] = readEach(input, options)
  if (only !== undefined && others.length === 0) return only
  const count = only === undefined ? 0 : others.length + 1
  const problem = {
    path: options.path ?? "",
    value: input,
    message: `must be one order, got ${count}`,
  }
  return Result.fail(reader.unreadable("Shopify order", [problem]))
}
