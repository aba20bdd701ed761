/**
 * The outcomes that PayPal's statuses of payout items mean for a payment.
 *
 * @since 0.6.0
 */
import type { OutcomeType } from "../Outcome.js"

/**
 * The outcome of each status of an item. A status that is not listed is `unknown`.
 *
 * `UNCLAIMED`: the receiver has no account yet, and PayPal keeps the money for 30 days; then it is `RETURNED`, and no
 * receiver ever had it. `REFUNDED` and `REVERSED`: the receiver had it. `BLOCKED`: PayPal does not document whether the
 * money was taken, so a person must check.
 *
 * @since 0.6.0
 * @category constants
 * @example
 * ```ts
 * import { ItemStatus } from "apportion/rails/paypal"
 *
 * ItemStatus.meanings.UNCLAIMED // => "accepted"
 * ItemStatus.meanings.REFUNDED // => "returned"
 * ```
 */
export const meanings: Readonly<Record<ItemStatus, OutcomeType>> = {
  PENDING: "accepted",
  ONHOLD: "accepted",
  UNCLAIMED: "accepted",
  SUCCESS: "confirmed",
  FAILED: "rejected",
  DENIED: "rejected",
  CANCELED: "rejected",
  RETURNED: "rejected",
  REFUNDED: "returned",
  REVERSED: "returned",
  BLOCKED: "unknown",
}

/**
 * A status of an item.
 *
 * @since 0.6.0
 * @category models
 */
export type ItemStatus =
  | "PENDING"
  | "ONHOLD"
  | "UNCLAIMED"
  | "SUCCESS"
  | "FAILED"
  | "DENIED"
  | "CANCELED"
  | "RETURNED"
  | "REFUNDED"
  | "REVERSED"
  | "BLOCKED"

const isKnown = (status: string): status is ItemStatus => Object.hasOwn(meanings, status)

/**
 * The outcome of a status; `unknown` for one that PayPal has not documented.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { ItemStatus } from "apportion/rails/paypal"
 *
 * ItemStatus.meaningOf("SUCCESS") // => "confirmed"
 * ItemStatus.meaningOf("LOOKED_AT") // => "unknown"
 * ```
 */
export const meaningOf = (status: string): OutcomeType =>
  isKnown(status) ? meanings[status] : "unknown"
