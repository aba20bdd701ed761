/**
 * Shopify's refunds: the admin API's JSON, the webhooks, and the refunds inside an order.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import type { RefundReading } from "../internal/sales.js"
import type { Unreadable } from "../Unreadable.js"
import * as orders from "./internal/orders.js"
import { type KnownRefund, readRefund, type ShopifyRefundOptions } from "./internal/refunds.js"
import * as values from "./internal/values.js"

export type { RefundReading } from "../internal/sales.js"
export type { ShopifyRefundOptions as ReadOptions } from "./internal/refunds.js"

const wrappers = { one: "refund", many: "refunds" }

interface FoundRefund extends values.FoundObject, KnownRefund {}

const isOrder = (value: unknown): value is reader.Fields =>
  values.looked(
    () =>
      reader.isFields(value) && Object.hasOwn(value, "line_items") && Object.hasOwn(value, "id"),
    false,
  )

const everyReason = ["test", "draft", "cancelled", "voided", "unpaid", "nothing to share"] as const

/** The refunds inside an order are of that order, as far as it can be read. */
const insideOrder = (found: values.FoundObject): ReadonlyArray<FoundRefund> => {
  const { path, value } = found
  if (!isOrder(value)) return []
  const inside = values.find({ refunds: value.refunds ?? [] }, wrappers, path)
  if (inside.length === 0) return []
  const reading = orders.readFound(found, { include: everyReason })
  const id = reader.idOf(value.id)
  const known = Result.isSuccess(reading) ? reading.success : {}
  return inside.map((one) => ({ ...one, orderId: id, ...known }))
}

const findRefunds = (input: unknown, prefix: string | undefined): ReadonlyArray<FoundRefund> => {
  const found = values.find(input, { one: "order", many: "orders" }, prefix)
  return found.some(({ value }) => isOrder(value))
    ? found.flatMap(insideOrder)
    : values.find(input, wrappers, prefix)
}

const readFound = (
  { path, value, ...known }: FoundRefund,
  options: ShopifyRefundOptions,
): Result.Result<RefundReading, Unreadable> =>
  reader.read(value, {
    what: "Shopify refund",
    path,
    read: (node) => readRefund(node, { ...options, ...known }),
  })

/**
 * Reads every refund of a document: a bare refund as in a webhook, `{ refund }`, `{ refunds: [...] }`, a
 * list, or the refunds inside orders in any of the same shapes. One that can't be read does not stop the
 * others.
 *
 * Each refunded line becomes one refund. It is by quantity when `subtotal` is absent, or when it is what that many
 * units of the line cost after discount, to a cent for each (with or without the tax); otherwise it is by amount, which
 * is `subtotal` in cents. The cost of the line is taken from the order, else from the line inside the refund; without
 * both, the refund is by amount. Restocking makes no difference. A discrepancy of the order, and money without lines or
 * without their subtotals, is divided over the refunded lines, or over all lines of the order, by what was paid for
 * them. A refund whose payments all failed does not count. Refunded shipping reverses the same fraction of each line's
 * shipping. Refunded duties, fees and gift cards reverse nothing: they are listed in `notRead`, for a person to decide,
 * and so is money that can't be divided without the order.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Refund } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const [first] = Refund.readEach({
 *   refunds: [
 *     {
 *       order_id: 450789469,
 *       created_at: "2016-06-20T13:35:06-04:00",
 *       refund_line_items: [{ line_item_id: 703073504, quantity: 1 }],
 *     },
 *   ],
 * })
 * const reading = first === undefined ? undefined : Result.getOrThrow(first)
 * reading?.refunds // => [{ orderId: "450789469", itemId: "703073504", quantity: 1, refundedAt: 1466444106 }]
 * ```
 */
export const readEach = (
  input: unknown,
  options: ShopifyRefundOptions = {},
): ReadonlyArray<Result.Result<RefundReading, Unreadable>> =>
  findRefunds(input, options.path).map((found) => readFound(found, options))

/**
 * Reads the refunds of a document together, as {@link readEach} does, and fails when any of them can't
 * be read: with `Unreadable`, which lists every problem of all of them with its path.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Refund } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const reading = Refund.read({
 *   refund: {
 *     order_id: 450789469,
 *     created_at: "2016-06-20T13:35:06-04:00",
 *     refund_line_items: [{ line_item_id: 703073504, quantity: 1 }],
 *     order_adjustments: [{ kind: "shipping_refund", amount: "-5.00" }],
 *   },
 * })
 * Result.getOrThrow(reading).refunds.length // => 1
 * Result.getOrThrow(reading).notRead[0]?.path // => "refund.order_adjustments[0]"
 * ```
 */
export const read = (
  input: unknown,
  options: ShopifyRefundOptions = {},
): Result.Result<RefundReading, Unreadable> => {
  const readings = readEach(input, options)
  const problems = readings.flatMap((reading) =>
    Result.isFailure(reading) ? reading.failure.problems : [],
  )
  if (problems.length > 0) return Result.fail(reader.unreadable("Shopify refund", problems))
  const successes = readings.flatMap((reading) =>
    Result.isSuccess(reading) ? [reading.success] : [],
  )
  const [only] = successes
  if (only !== undefined && successes.length === 1) return Result.succeed(only)
  return Result.succeed({
    refunds: successes.flatMap((reading) => reading.refunds),
    notRead: successes.flatMap((reading) => reading.notRead),
  })
}
