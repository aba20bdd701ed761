/** Reading the events of an account, which get their numbers first. */
import * as Effect from "effect/Effect"
import type { AccountEvent } from "../../events/AccountEvent.js"
import type { StorageService } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { type Transactor, whatIsAround } from "./transactions.js"

/** How many events are numbered at a time. */
const numberedAtATime = 5_000

/** What reading events needs. */
export interface EventTools {
  readonly storage: StorageService
  readonly transactor: Transactor
}

/** Numbers the next events that have no number, and returns how many; within a transaction, none. */
const numberNext = (storage: StorageService, accountId: string) =>
  Effect.flatMap(whatIsAround(storage), (around) =>
    storage.numberEvents === undefined || around !== undefined
      ? Effect.succeed(0)
      : storage.numberEvents(accountId, numberedAtATime),
  )

/** The next events above a number, at most so many. Events without a number get one when they are needed. */
export const eventsAfter = Effect.fnUntraced(function* (
  { storage, transactor }: EventTools,
  accountId: string,
  options: { readonly after: number; readonly limit: number },
): Effect.fn.Return<ReadonlyArray<AccountEvent>, StorageError> {
  const read = transactor.read(accountId, ({ events }) => events.after(options))
  let found = yield* read
  while (found.length < options.limit) {
    const given = yield* numberNext(storage, accountId)
    if (given > 0) found = yield* read
    if (given < numberedAtATime) break
  }
  return found
})

/** The number of the last event so far. */
export const lastNumber = Effect.fnUntraced(function* (
  { storage, transactor }: EventTools,
  accountId: string,
): Effect.fn.Return<number, StorageError> {
  while ((yield* numberNext(storage, accountId)) === numberedAtATime) yield* Effect.yieldNow
  return yield* transactor.read(accountId, ({ events }) => events.last())
})
