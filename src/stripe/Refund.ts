/**
 * Stripe's refunds and credit notes.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import type { RefundReading } from "../internal/sales.js"
import type { Order } from "../orders/Order.js"
import type { Unreadable } from "../Unreadable.js"
import { readRefund } from "./internal/refunds.js"

/**
 * Options for reading a refund.
 *
 * @since 0.6.0
 * @category models
 */
export interface StripeRefundOptions {
  /** The order that it is of, as {@link (Order:namespace).read} makes it. */
  readonly order: Order
  /** The amount of earlier refunds of the whole order, in the lowest unit of its currency; 0 when absent. */
  readonly moneyBack?: number | undefined
  /** The path of the document in a larger input, for the problems' paths. */
  readonly path?: string | undefined
}

/**
 * A refund, with its amount for the whole order.
 *
 * @since 0.6.0
 * @category models
 */
export interface StripeRefund extends RefundReading {
  /** The amount to add to `moneyBack` for the next refund. */
  readonly moneyBack: number
  /** The ids of the refunds that a credit note names: they must not be reversed again. */
  readonly includes: ReadonlyArray<string>
}

/**
 * Reads a refund or a credit note. A refund names an amount: it reverses the same fraction of each line and of its part
 * of the shipping. With `moneyBack`, the lines of several refunds together are what one refund of their sum would give.
 * A credit note names lines: each is by quantity if its amount is the cost of that many units, else by amount; its
 * other kinds of lines are divided as a refund is. A refund that did not succeed reverses nothing, and is listed in
 * `notRead`. Fails with `Unreadable`, which lists every problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Refund } from "apportion/stripe"
 * import { Result } from "effect"
 *
 * const items = [
 *   { id: "li_1", product: { id: "prod_1" }, quantity: 1, amount: 3000 },
 *   { id: "li_2", product: { id: "prod_2" }, quantity: 1, amount: 1000 },
 * ]
 * const refund = { object: "refund", id: "re_1", amount: 1000, currency: "usd", created: 1_700_000_000, status: "succeeded" }
 * const back = Refund.read(refund, { order: { id: "cs_1", currency: "USD", items } })
 * Result.getOrThrow(back).refunds.map(({ amount }) => amount) // => [750, 250]
 * ```
 */
export const read = (
  input: unknown,
  { order, moneyBack = 0, path }: StripeRefundOptions,
): Result.Result<StripeRefund, Unreadable> => {
  const what = "Stripe refund"
  const found = reader.read(input, {
    ...{ what, path },
    read: (node) => readRefund(node, { order, moneyBack }),
  })
  return Result.map(found, (reading) => ({
    ...{ id: reading.id, refunds: reading.refunds, notRead: reading.notRead },
    moneyBack: reading.moneyBack ?? 0,
    includes: reading.includes ?? [],
  }))
}
