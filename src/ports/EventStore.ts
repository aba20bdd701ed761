import type * as Effect from "effect/Effect"
import type { AccountEvent, NewEvent } from "../events/AccountEvent.js"
import type { StorageError } from "./StorageError.js"

/**
 * The events of one account. An event is added in the transaction of the change that it describes, and committed or
 * rolled back with it.
 *
 * Each event gets a number and an id from the storage: at once, or when it is first read after its commit
 * (`StorageService.numberEvents`). Numbers begin with 1 and have no gaps. An event that was committed before the
 * transaction of another one began has the smaller number; events of one transaction are in the order in which they
 * were added.
 *
 * @since 0.6.0
 * @category stores
 */
export interface EventStore {
  /** Adds events, in this order. */
  readonly append: (events: ReadonlyArray<NewEvent>) => Effect.Effect<void, StorageError>
  /** The next events with a number above `after`, by number; events without a number are not among them. */
  readonly after: (options: {
    /** 0: from the beginning. */
    readonly after: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<AccountEvent>, StorageError>
  /** The highest number so far, even if its event was removed; 0 before the first event. */
  readonly last: () => Effect.Effect<number, StorageError>
  /**
   * Removes events with a number up to `upTo` that happened before a time, at most `limit`, those with the smallest
   * numbers first and none after one that stays; returns how many.
   */
  readonly removeBefore: (options: {
    readonly upTo: number
    /** Unix seconds. */
    readonly at: number
    readonly limit: number
  }) => Effect.Effect<number, StorageError>
}
