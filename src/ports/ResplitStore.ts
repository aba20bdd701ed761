import type * as Effect from "effect/Effect"
import type { ProductGroup } from "../rules/ProductGroup.js"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import type { TimeRange } from "./PayoutStore.js"
import type { SaleFilter } from "./SaleStore.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * Which recorded sales are split again, and by what.
 *
 * @since 0.6.0
 * @category models
 */
export interface ResplitRequest {
  /** Those to which all that is given applies; everything that was recorded by now when absent. */
  readonly sales?: SaleFilter | undefined
  /** Only sales of orders of this time, whenever they were recorded. */
  readonly sold?: TimeRange | undefined
  /** Only sales of these orders. */
  readonly orderIds?: ReadonlyArray<string> | undefined
  /** The rules; the account's product groups as they are when absent. */
  readonly groups?: ReadonlyArray<ProductGroup> | undefined
  /** The account's policy when absent. */
  readonly policy?: SplitPolicy | undefined
  /**
   * Whether what the recorded orders leave out of their products is filled in from the catalogue as it is now: for
   * products that it did not know when they were sold.
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
  /** What they have of these sales, without what was refunded. */
  readonly before: number
  /** What they would have. */
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
 * A run of a re-split: what was proposed, and what became of it.
 *
 * @since 0.6.0
 * @category models
 */
export interface ResplitRun {
  readonly id: string
  /** Why, in words; `null`: nobody said. */
  readonly reason: string | null
  /** `booking`: it was begun and is not done. */
  readonly status: "proposed" | "approved" | "booking" | "booked"
  readonly request: ResplitRequest
  /** A hash of all that it would change: two runs with the same digest change the same. */
  readonly digest: string
  /** How many parts of orders were looked at. */
  readonly sales: number
  /** How many of them it changes. */
  readonly changed: number
  readonly totals: ReadonlyArray<ResplitTotal>
  /** Unix seconds. */
  readonly proposedAt: number
  readonly proposedBy: string
  readonly approvedAt: number | null
  readonly approvedBy: string | null
  readonly bookedAt: number | null
  /** How many batches it has. */
  readonly batches: number
  /** How many of them are booked. */
  readonly bookedBatches: number
  /** How many parts of orders were adjusted so far. */
  readonly adjusted: number
  /** Those that changed between the beginning of the booking and their turn, and were left as they are. */
  readonly leftOut: ReadonlyArray<SalePlace>
  /** 1 on insert, one more with each change. */
  readonly version: number
}

/**
 * Some of the parts of orders that a run changes, with a hash of what it changes of each.
 *
 * @since 0.6.0
 * @category models
 */
export interface ResplitBatch {
  /** 1 for the first. */
  readonly number: number
  readonly sales: ReadonlyArray<SalePlace & { readonly fingerprint: string }>
}

/**
 * The runs of re-splits of one account.
 *
 * @since 0.6.0
 * @category stores
 */
export interface ResplitStore {
  /** The run with an id; `undefined`: there is none. */
  readonly get: (runId: string) => Effect.Effect<ResplitRun | undefined, StorageError>
  /** Stores a run with its batches, as version 1. `Conflict`: there is one with that id. */
  readonly insert: (
    run: Omit<ResplitRun, "version">,
    batches: ReadonlyArray<ResplitBatch>,
  ) => Effect.Effect<ResplitRun, StorageError>
  /** Stores the next version of a run. `Conflict`: no run has that version. */
  readonly update: (run: ResplitRun) => Effect.Effect<ResplitRun, StorageError>
  /** A batch of a run by its number; `undefined`: there is none. */
  readonly batch: (
    runId: string,
    number: number,
  ) => Effect.Effect<ResplitBatch | undefined, StorageError>
  /** A part of the list of runs: the latest proposed first, then by id (compared by code units). */
  readonly list: (slice: Slice) => Effect.Effect<Sliced<ResplitRun>, StorageError>
}
