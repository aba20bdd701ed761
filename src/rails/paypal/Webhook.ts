/**
 * PayPal's webhooks about the items of payouts.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { parse as parseTime } from "../../internal/instant.js"
import { type Unreadable, unreadable } from "../../Unreadable.js"
import { jsonOf, objectIn, textIn } from "../internal/answers.js"
import type { Outcome } from "../Outcome.js"
import { outcomeIn } from "./internal/item.js"

/**
 * The content of a webhook.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayPalNotice {
  /** The event's id, the same when the event is sent again. */
  readonly id: string
  /** As `PAYMENT.PAYOUTS-ITEM.SUCCEEDED`. */
  readonly type: string
  /** When it happened, in Unix seconds; `null` when PayPal does not say. */
  readonly at: number | null
  /** The outcome of a payment; `null` if the event is about none. */
  readonly outcome: Outcome | null
}

const refuse = (path: string, value: unknown, message: string) =>
  Result.fail(unreadable("PayPal webhook", [{ path, value, message }]))

/**
 * Reads the body of a webhook whose signature was checked. Events of `PAYMENT.PAYOUTS-ITEM` have an outcome, which
 * follows from the item's status; of every other event, including batches, only id, type and time are read: a batch
 * does not contain the outcomes of its items. Fails with `Unreadable`.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Webhook } from "apportion/rails/paypal"
 * import { Result } from "effect"
 *
 * const resource = {
 *   payout_item_id: "8AELMXH8UB2P8",
 *   transaction_status: "RETURNED",
 *   payout_item: { amount: { currency: "USD", value: "9.87" }, sender_item_id: "at-1" },
 *   time_processed: "2026-02-26T10:17:41Z",
 * }
 * const event = { id: "WH-1", event_type: "PAYMENT.PAYOUTS-ITEM.RETURNED", resource }
 * const { outcome } = Result.getOrThrow(Webhook.read(JSON.stringify(event)))
 * outcome?.key // => "at-1"
 * outcome?.type // => "rejected"
 * ```
 */
export const read = (body: string): Result.Result<PayPalNotice, Unreadable> => {
  const event = jsonOf(body)
  if (event === undefined) return refuse("", body, "must be a JSON object")
  const [id, type] = [textIn(event, "id"), textIn(event, "event_type")]
  if (id === null) return refuse("id", event.id, "must be the id of the event")
  if (type === null) return refuse("event_type", event.event_type, "must be the type of the event")
  const at = parseTime(textIn(event, "create_time")) ?? null
  if (!type.startsWith("PAYMENT.PAYOUTS-ITEM.")) {
    return Result.succeed({ id, type, at, outcome: null })
  }
  const resource = objectIn(event, "resource")
  const outcome = outcomeIn(resource)
  if (outcome === undefined) {
    return refuse("resource", resource, "must be an item with its id and its status")
  }
  return Result.succeed({ id, type, at, outcome: { ...outcome, at: outcome.at ?? at } })
}
