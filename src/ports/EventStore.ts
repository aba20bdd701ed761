import type * as Effect from "effect/Effect"
import type { AccountEvent, NewEvent } from "../events/AccountEvent.js"
import type { StorageError } from "./StorageError.js"

/**
 * What happened in one account. Events are added in the transaction of the change that they tell of, and kept or
 * taken back with it.
 *
 * Each event gets a number and an id from the storage: at once, or when it is first asked for after it was kept
 * (`StorageService.numberEvents`). Numbers begin with 1 and have no gaps. An event that was kept before the
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
  /** The number of the last event that has one, also when it is no longer kept; 0: there never was one. */
  readonly last: () => Effect.Effect<number, StorageError>
  /**
   * Forgets events with a number up to `upTo` that happened before a time, those with the smallest numbers first and
   * none behind one that stays, at most so many; gives how many.
   */
  readonly removeBefore: (options: {
    readonly upTo: number
    /** Unix seconds. */
    readonly at: number
    readonly limit: number
  }) => Effect.Effect<number, StorageError>
}
