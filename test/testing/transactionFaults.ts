import { Conflict, StorageFailure, type Stores } from "apportion/ports"
import { Context, Effect, Exit } from "effect"
import {
  callByCall,
  type Fault,
  inTransactions,
  keptWhen,
  together,
  writingLater,
} from "./Fault.js"
import { versions } from "./storeFaults.js"

/** Transactions that read see what a transaction that is under way has written so far. */
const dirtyReads: Fault = inTransactions("reads see what is not kept yet", (storage) => {
  const underWay = new Map<string, Stores>()
  return (accountId, work, options) => {
    const open = underWay.get(accountId)
    if (options?.mode === "read" && open !== undefined) return work(open)
    const writing = storage.transaction(accountId, (stores) => {
      if (options?.mode !== "read") underWay.set(accountId, stores)
      return work(stores)
    })
    return Effect.ensuring(
      writing,
      Effect.sync(() => underWay.delete(accountId)),
    )
  }
})

const writingWhatWasRead = inTransactions(
  "what was read may be another when it is written",
  writingLater,
)

/** What adapters can do wrong with transactions and accounts. */
export const transactionFaults: ReadonlyArray<Fault> = [
  keptWhen("work that fails is kept", Exit.hasFails),
  keptWhen("work that dies is kept", Exit.hasDies),
  keptWhen("work that is interrupted is kept", Exit.hasInterrupts),
  dirtyReads,
  inTransactions(
    "each call is a transaction of its own",
    (storage) => (accountId, work) =>
      Effect.flatMap(storage.transaction(accountId, Effect.succeed), (stores) =>
        work(callByCall(storage, accountId, stores)),
      ),
  ),
  inTransactions(
    "each call of work that reads is a transaction of its own",
    (storage) => (accountId, work, options) =>
      options?.mode === "read"
        ? Effect.flatMap(storage.transaction(accountId, Effect.succeed), (stores) =>
            work(callByCall(storage, accountId, stores)),
          )
        : storage.transaction(accountId, work),
  ),
  writingWhatWasRead,
  together("updates are lost", [...versions, writingWhatWasRead]),
  inTransactions(
    "nothing is ever kept",
    (storage) => (accountId, work) =>
      Effect.gen(function* () {
        const rehearsal = storage.transaction(accountId, (stores) =>
          Effect.flatMap(Effect.exit(work(stores)), (exit) =>
            Effect.fail({ _tag: "Dropped" as const, exit }),
          ),
        )
        return yield* yield* Effect.catchTag(rehearsal, "Dropped", ({ exit }) =>
          Effect.succeed(exit),
        )
      }),
  ),
  inTransactions(
    "what the work gives is lost",
    (storage) => (accountId, work, options) =>
      Effect.map(storage.transaction(accountId, work, options), () => undefined as never),
  ),
  inTransactions(
    "work that fails runs again",
    (storage) => (accountId, work, options) =>
      Effect.retry(storage.transaction(accountId, work, options), { times: 1 }),
  ),
  inTransactions(
    "the work runs twice",
    (storage) => (accountId, work, options) =>
      Effect.andThen(
        Effect.exit(
          storage.transaction(accountId, (stores) =>
            Effect.andThen(work(stores), Effect.die("undo")),
          ),
        ),
        storage.transaction(accountId, work, options),
      ),
  ),
  inTransactions(
    "the work is cut off from the services of whoever asked for it",
    (storage) => (accountId, work, options) =>
      storage.transaction(
        accountId,
        (stores) => Effect.updateContext(work(stores), () => Context.empty() as never),
        options,
      ),
  ),
  inTransactions(
    "a conflict is told as a failure of the store",
    (storage) => (accountId, work, options) =>
      Effect.mapError(storage.transaction(accountId, work, options), (error) =>
        error instanceof Conflict ? StorageFailure.of("write", error) : error,
      ),
  ),
  inTransactions(
    "a failure of the work is told as a failure of the store",
    (storage) => (accountId, work, options) =>
      Effect.mapError(storage.transaction(accountId, work, options), (error) =>
        error instanceof Conflict ? error : StorageFailure.of("work", error),
      ),
  ),
  inTransactions(
    "a defect is told as a failure of the store",
    (storage) => (accountId, work, options) =>
      Effect.catchDefect(storage.transaction(accountId, work, options), (defect) =>
        Effect.fail(StorageFailure.of("work", defect)),
      ),
  ),
  inTransactions(
    "accounts are told apart without regard to case",
    (storage) => (accountId, work, options) =>
      storage.transaction(accountId.toLowerCase(), work, options),
  ),
  inTransactions(
    "accounts are told apart without surrounding spaces",
    (storage) => (accountId, work, options) => storage.transaction(accountId.trim(), work, options),
  ),
  {
    name: "accounts that were only looked at are told, too",
    plant: (storage) => {
      const seen = new Set<string>()
      return {
        transaction: (accountId, work, options) => {
          seen.add(accountId)
          return storage.transaction(accountId, work, options)
        },
        accounts: Effect.sync(() => [...seen].sort()),
      }
    },
  },
  {
    name: "accounts are told in any order",
    plant: (storage) => ({
      ...storage,
      accounts: Effect.map(storage.accounts, (ids) =>
        ids.toSorted((one, other) => one.localeCompare(other)),
      ),
    }),
  },
]
