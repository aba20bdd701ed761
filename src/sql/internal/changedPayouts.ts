/** Changes of payouts, with what they make of them. */
import type { PayoutChange, StoredPayout } from "../../ports/PayoutStore.js"

/** A change, and what it makes of its payout. */
export interface ChangedPayout {
  readonly change: PayoutChange
  readonly after: StoredPayout
}

/** Whether all of a payout is the same beside its total, its count of items and its version. */
export const sameState = (one: StoredPayout, other: StoredPayout): boolean =>
  one.collaboratorId === other.collaboratorId &&
  one.currency === other.currency &&
  one.status === other.status &&
  one.openedAt === other.openedAt &&
  one.toBePaidAt === other.toBePaidAt &&
  one.closedAt === other.closedAt &&
  one.payableAt === other.payableAt &&
  one.paidAt === other.paidAt &&
  one.failureReason === other.failureReason &&
  one.paymentId === other.paymentId
