/**
 * A refund as JSON.
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import type * as Core from "../shares/Refund.js"
import type { Unreadable } from "../Unreadable.js"

/**
 * A refund as {@link write} puts it out: by amount (cents) or by quantity, the other is left out.
 *
 * @since 0.1.0
 * @category models
 */
export interface RefundJson {
  readonly order_id: string
  readonly item_id: string
  readonly amount?: number
  readonly quantity?: number
  /** Unix seconds. */
  readonly refunded_at: number
}

/** Exactly one of amount and quantity, and something of it. */
const readHowMuch = (node: reader.Node): Pick<Core.Refund, "amount" | "quantity"> => {
  const byAmount = reader.field(node, "amount") !== undefined
  const byQuantity = reader.field(node, "quantity") !== undefined
  if (byAmount && byQuantity) {
    reader.note(node, "quantity", "must be left out when there is an amount")
  }
  if (!byAmount && !byQuantity) {
    reader.note(node, "amount", "is missing: a refund has either an amount or a quantity")
  }
  const amount = reader.whole(node, "amount")
  if (amount === 0) reader.refuse(node, "amount", "other than 0")
  const quantity = reader.whole(node, "quantity", 1)
  return byAmount ? { amount } : { quantity }
}

const readRefund = (node: reader.Node): Core.Refund => ({
  orderId: reader.neededId(node, "order_id"),
  itemId: reader.neededId(node, "item_id"),
  ...readHowMuch(node),
  refundedAt: reader.neededTime(node, "refunded_at"),
})

/**
 * Reads a refund of one item of an order: `amount` in cents of the order's currency, or `quantity`, and
 * exactly one of them. Ids may be whole numbers, the time Unix seconds or ISO 8601 with an offset. Fails
 * with `Unreadable`, which tells every problem with its path.
 *
 * @param options - `path`: where the refund stands in a larger input, for the problems' paths
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Refund } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const refund = Refund.read({ order_id: 1001, item_id: 1, quantity: 1, refunded_at: 1735689600 })
 * Result.getOrThrow(refund).orderId // => "1001"
 * ```
 */
export const read = (
  input: unknown,
  options: { readonly path?: string | undefined } = {},
): Result.Result<Core.Refund, Unreadable> =>
  reader.read(input, { what: "refund", path: options.path, read: readRefund })

/**
 * Writes a refund.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Refund } from "apportion/wire"
 *
 * Refund.write({ orderId: "1001", itemId: "1", amount: 500, refundedAt: 0 }).amount // => 500
 * ```
 */
export const write = (refund: Core.Refund): RefundJson => ({
  order_id: refund.orderId,
  item_id: refund.itemId,
  ...(refund.amount === undefined ? {} : { amount: refund.amount }),
  ...(refund.quantity === undefined ? {} : { quantity: refund.quantity }),
  refunded_at: refund.refundedAt,
})
