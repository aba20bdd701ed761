/** Reading the events of an account, all of which have their numbers by then. */
import * as Effect from "effect/Effect"
import type { AccountEvent } from "../../events/AccountEvent.js"
import type { StorageService } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { type Transactor, whatIsAround } from "./transactions.js"

/** How many events are numbered at a time; before they are asked for, all are. */
const numberedAtATime = 5_000

/** What reading events needs. */
export interface EventTools {
  readonly storage: StorageService
  readonly transactor: Transactor
}

/** Gives numbers to all events that were kept by now. In a transaction that is under way it would wait for that. */
const numberAll = (storage: StorageService, accountId: string) =>
  Effect.gen(function* () {
    const { numberEvents } = storage
    if (numberEvents === undefined || (yield* whatIsAround(storage)) !== undefined) return
    while ((yield* numberEvents(accountId, numberedAtATime)) === numberedAtATime)
      yield* Effect.yieldNow
  })

/** The next events above a number, at most so many. */
export const eventsAfter = (
  { storage, transactor }: EventTools,
  accountId: string,
  options: { readonly after: number; readonly limit: number },
): Effect.Effect<ReadonlyArray<AccountEvent>, StorageError> => {
  const read = transactor.read(accountId, ({ events }) => events.after(options))
  // What has its number already is read at once; the rest is numbered when that is not enough.
  return Effect.flatMap(read, (found) =>
    found.length >= options.limit
      ? Effect.succeed(found)
      : Effect.andThen(numberAll(storage, accountId), read),
  )
}

/** The number of the last event that was kept by now. */
export const lastNumber = (
  { storage, transactor }: EventTools,
  accountId: string,
): Effect.Effect<number, StorageError> =>
  Effect.andThen(
    numberAll(storage, accountId),
    transactor.read(accountId, ({ events }) => events.last()),
  )
