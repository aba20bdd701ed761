import type * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.js"

/**
 * What is old of something that an account keeps only for a time: events with a number up to `upTo` that happened before
 * a time, but none after one that stays; idempotency keys; notes that a delivery came; the batches of a run of a re-split.
 *
 * @since 0.6.0
 * @category models
 */
export type OldRecords =
  | {
      readonly kind: "events"
      readonly upTo: number
      /** Unix seconds. */
      readonly before: number
    }
  | {
      readonly kind: "answers" | "deliveries"
      /** Unix seconds. */
      readonly before: number
    }
  | { readonly kind: "resplit batches"; readonly runId: string }

/**
 * A refund of which the platform's document is noted, and when that was.
 *
 * @since 0.6.0
 * @category models
 */
export interface RefundDocument {
  /** The key of the note. */
  readonly key: string
  /** Unix seconds. */
  readonly at: number
  readonly orderId: string
}

/**
 * What of one account is old: how much there is, and removing what no other store removes by itself.
 *
 * @since 0.6.0
 * @category stores
 */
export interface RetentionStore {
  /** How many old records of a kind there are. */
  readonly count: (old: OldRecords) => Effect.Effect<number, StorageError>
  /**
   * Removes idempotency keys, the oldest first, or batches of a run, by number; at most `limit`. Returns how many. Events
   * and notes are removed by their own stores.
   */
  readonly remove: (
    old: Exclude<OldRecords, { readonly kind: "events" | "deliveries" }>,
    limit: number,
  ) => Effect.Effect<number, StorageError>
  /**
   * The next refunds with documents that were noted before a time: by when, then by key (compared by code units), those
   * after `after`, from the first when it is `undefined`. Fewer than `limit`: there are no more.
   */
  readonly refundDocuments: (options: {
    /** Unix seconds. */
    readonly before: number
    readonly after: Pick<RefundDocument, "at" | "key"> | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<RefundDocument>, StorageError>
}
