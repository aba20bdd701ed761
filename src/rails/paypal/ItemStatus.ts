/**
 * What PayPal's statuses of a payout's items mean for a payment.
 *
 * @since 0.6.0
 */
import type { OutcomeType } from "../Outcome.js"

/**
 * What each status of an item means, as data. A status that is not here is `unknown`.
 *
 * `UNCLAIMED`: the receiver has no account yet, and PayPal keeps the money for 30 days; then it is `RETURNED`, and has
 * never reached anybody. `REFUNDED` and `REVERSED`: the receiver had it. `BLOCKED`: PayPal does not document whether the
 * money was taken, so a person has to look.
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
 * What a status means; `unknown` for one that PayPal has not documented.
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
