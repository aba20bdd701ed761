import type * as Effect from "effect/Effect"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import type { Counters } from "../terms/Counters.js"
import type { TimeRange } from "./PayoutStore.js"
import type { AccountGroup } from "./ProductGroupStore.js"
import type { SaleFilter } from "./SaleStore.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * Which recorded sales are split again, and by which rules.
 *
 * @since 0.6.0
 * @category models
 */
export interface ResplitRequest {
  /** Sales that match all given fields; all recorded sales when absent. */
  readonly sales?: SaleFilter | undefined
  /** Only sales of orders in this range, whenever they were recorded. */
  readonly sold?: TimeRange | undefined
  /** Only sales of these orders. */
  readonly orderIds?: ReadonlyArray<string> | undefined
  /** The rules; the account's current product groups when absent. */
  readonly groups?: ReadonlyArray<AccountGroup> | undefined
  /** The account's policy when absent. */
  readonly policy?: SplitPolicy | undefined
  /**
   * Whether missing product data of the recorded orders is filled in from the current catalogue, for products that were
   * not in it when they were sold.
   */
  readonly completes?: boolean | undefined
}

/**
 * What a re-split changes for a party in the sales of a month, in cents of the orders' currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface ResplitTotal {
  /** `null`: the store. */
  readonly collaboratorId: string | null
  readonly currency: string
  /** As `2025-12`, in the account's time zone. */
  readonly month: string
  /** Their current shares of these sales, less refunds. */
  readonly before: number
  /** Their shares after the re-split. */
  readonly after: number
  readonly difference: number
}

/**
 * A part of an order in the ledger.
 *
 * @since 0.6.0
 * @category models
 */
export interface SalePlace {
  readonly orderId: string
  readonly part: number
}

/**
 * A run of a re-split: its proposal and its progress.
 *
 * @since 0.6.0
 * @category models
 */
export interface ResplitRun {
  readonly id: string
  /** Why, in words; `null` if no reason was given. */
  readonly reason: string | null
  /** `booking`: begun and not finished. */
  readonly status: "proposed" | "approved" | "booking" | "booked"
  readonly request: ResplitRequest
  /** A hash of all changes: two runs with the same digest make the same changes. */
  readonly digest: string
  /** The number of parts of orders that were examined. */
  readonly sales: number
  /** The number of these parts that it changes. */
  readonly changed: number
  readonly totals: ReadonlyArray<ResplitTotal>
  /** Unix seconds. */
  readonly proposedAt: number
  readonly proposedBy: string
  readonly approvedAt: number | null
  readonly approvedBy: string | null
  readonly bookedAt: number | null
  /** The number of its batches. */
  readonly batches: number
  /** The number of booked batches. */
  readonly bookedBatches: number
  /** The number of parts of orders that were adjusted so far. */
  readonly adjusted: number
  /** Parts that changed after the booking began and before their turn, and were left unchanged. */
  readonly leftOut: ReadonlyArray<SalePlace>
  /** 1 on insert, one more with each change. */
  readonly version: number
}

/**
 * Some of the parts of orders that a run changes, with a hash of the changes of each.
 *
 * @since 0.6.0
 * @category models
 */
export interface ResplitBatch {
  /** 1 for the first. */
  readonly number: number
  readonly sales: ReadonlyArray<
    SalePlace & {
      readonly fingerprint: string
      /** The counters that the part is split with, by their keys; absent: it is not counted. */
      readonly counters?: Counters | undefined
    }
  >
}

/**
 * The runs of re-splits of one account.
 *
 * @since 0.6.0
 * @category stores
 */
export interface ResplitStore {
  /** The run with an id; `undefined` if it does not exist. */
  readonly get: (runId: string) => Effect.Effect<ResplitRun | undefined, StorageError>
  /** Stores a run with its batches, as version 1. `Conflict`: its id exists. */
  readonly insert: (
    run: Omit<ResplitRun, "version">,
    batches: ReadonlyArray<ResplitBatch>,
  ) => Effect.Effect<ResplitRun, StorageError>
  /** Stores the next version of a run. `Conflict`: no run has that version. */
  readonly update: (run: ResplitRun) => Effect.Effect<ResplitRun, StorageError>
  /** A batch of a run by its number; `undefined` if it does not exist. */
  readonly batch: (
    runId: string,
    number: number,
  ) => Effect.Effect<ResplitBatch | undefined, StorageError>
  /** A part of the list of runs: the latest proposed first, then by id (compared by code units). */
  readonly list: (slice: Slice) => Effect.Effect<Sliced<ResplitRun>, StorageError>
}
