import type * as Effect from "effect/Effect"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * A counter of an account as it stands: one of the terms of product groups, under its key of the core's `Counters`, or
 * what rounding left of somebody's money, under `remainder/`, the currency, and `store` or `group/` with the group's id.
 *
 * @since 0.6.0
 * @category models
 */
export interface StoredCounter {
  readonly key: string
  /** Units or cents; of a remainder ten-thousandths of a cent. A safe integer. */
  readonly count: number
}

/**
 * The counters of one account: what the terms of its product groups have counted, and what rounding carries from sale
 * to sale. One that was never stored stands at 0.
 *
 * @since 0.6.0
 * @category stores
 */
export interface CounterStore {
  /** Those of the counters that are stored, each once, in any order. */
  readonly find: (
    keys: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<StoredCounter>, StorageError>
  /** Sets counters, of which each comes once, to what they stand at from now on. Without any it does nothing. */
  readonly put: (counters: ReadonlyArray<StoredCounter>) => Effect.Effect<void, StorageError>
  /** A slice of all that are stored, by key (compared by code units). */
  readonly list: (slice: Slice) => Effect.Effect<Sliced<StoredCounter>, StorageError>
}
