import type * as Effect from "effect/Effect"
import type { Payment, PaymentStatus } from "../payouts/Payment.js"
import type { StorageError } from "./StorageError.js"

/**
 * A stored attempt to pay a payout.
 *
 * @since 0.6.0
 * @category models
 */
export interface StoredPayment extends Payment {
  /** 1 on insert, one more with each change. */
  readonly version: number
}

/**
 * A position in a list of payments: that of the last one read so far.
 *
 * @since 0.6.0
 * @category models
 */
export type PaymentPlace = Pick<Payment, "claimedAt" | "id">

/**
 * Which slice of a list of payments to read: by `claimedAt`, then by id (compared by code units).
 *
 * @since 0.6.0
 * @category models
 */
export interface PaymentSlice {
  /** The place after which the slice begins; it begins with the first payment when absent. */
  readonly after?: PaymentPlace | undefined
  readonly limit: number
}

/**
 * The attempts to pay the payouts of one account. They are never removed.
 *
 * @since 0.6.0
 * @category stores
 */
export interface PaymentStore {
  /** The payment with an id; `undefined` if it does not exist. */
  readonly get: (paymentId: string) => Effect.Effect<StoredPayment | undefined, StorageError>
  /** Every payment of a payout: by `claimedAt`, then by id. */
  readonly ofPayout: (payoutId: string) => Effect.Effect<ReadonlyArray<StoredPayment>, StorageError>
  /**
   * The payments to which a rail gave this reference: by `claimedAt`, then by id, at most `limit` of them. A file's
   * name is the reference of all the payments in it.
   */
  readonly ofReference: (options: {
    readonly reference: string
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<StoredPayment>, StorageError>
  /**
   * Stores a new payment as version 1. `Conflict`: its id exists, or it is open and its payout has another open one.
   */
  readonly insert: (payment: Payment) => Effect.Effect<StoredPayment, StorageError>
  /**
   * Changes a payment, as the next version; `version` is the one that was read. Its amount, its payout and its time of
   * claiming never change. `Conflict`: none has that id and version, or it becomes open while another one of its payout
   * is.
   */
  readonly update: (payment: StoredPayment) => Effect.Effect<StoredPayment, StorageError>
  /** The next payments with a status, or of all payments when it is absent. */
  readonly list: (
    slice: PaymentSlice & { readonly status?: PaymentStatus | undefined },
  ) => Effect.Effect<ReadonlyArray<StoredPayment>, StorageError>
  /**
   * The next payments that a person has to check: `unknown` payments and `sent` ones that are not accepted, if they
   * were sent at or before a time; and payments with a contradiction.
   */
  readonly stuck: (
    slice: PaymentSlice & {
      /** Unix seconds. */
      readonly sentBefore: number
    },
  ) => Effect.Effect<ReadonlyArray<StoredPayment>, StorageError>
}
