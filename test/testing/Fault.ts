import type { StorageError, StorageService, Stores } from "apportion/ports"
import { Effect, Exit } from "effect"

/** Something that an adapter can do wrong. */
export interface Fault {
  readonly name: string
  /** A storage that has the fault, made of one that has none. */
  readonly plant: (storage: StorageService) => StorageService
}

/** The stores of a transaction, whose they are, and a place to keep things between transactions. */
export interface Planting {
  readonly stores: Stores
  readonly accountId: string
  readonly kept: Map<string, unknown>
}

type Change = Partial<Stores>

/** A fault in how stores do what they are asked. */
export const inStores = (name: string, change: (planting: Planting) => Change): Fault => ({
  name,
  plant: (storage) => {
    const kept = new Map<string, unknown>()
    return {
      ...storage,
      transaction: (accountId, work, options) =>
        storage.transaction(
          accountId,
          (stores) => work({ ...stores, ...change({ stores, accountId, kept }) }),
          options,
        ),
    }
  },
})

/** A fault in how transactions are run. */
export const inTransactions = (
  name: string,
  transactionOf: (storage: StorageService) => StorageService["transaction"],
): Fault => ({
  name,
  plant: (storage) => ({ ...storage, transaction: transactionOf(storage) }),
})

/** Keeps what was written although the work ended in a way in which nothing may be kept. */
export const keptWhen = (
  name: string,
  isKept: (exit: Exit.Exit<unknown, unknown>) => boolean,
): Fault =>
  inTransactions(
    name,
    (storage) => (accountId, work, options) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatten(
          storage.transaction(
            accountId,
            (stores) =>
              Effect.flatMap(Effect.exit(restore(work(stores))), (exit) =>
                isKept(exit) ? Effect.succeed(exit) : Effect.map(exit, Exit.succeed),
              ),
            options,
          ),
        ),
      ),
  )

const changing = new Set([
  ...["insert", "update", "remove", "put", "add", "clear", "setOfProduct", "saveJob", "removeJob"],
  ...["addRefund", "addAdjustment", "move", "removeBefore", "insertAll", "storeAll", "book"],
])

const call = (stores: Stores, path: readonly [string, string], args: ReadonlyArray<unknown>) => {
  const store: object = Reflect.get(stores, path[0])
  const method: unknown = Reflect.get(store, path[1])
  return typeof method === "function" ? Reflect.apply(method, store, args) : method
}

/** One call of a method of a store. */
export interface Call {
  readonly run: (stores: Stores) => Effect.Effect<unknown, StorageError>
  readonly isChange: boolean
  /** The store, the method and the arguments, as one text. */
  readonly name: string
}

const callOf = (path: readonly [string, string], args: ReadonlyArray<unknown>): Call => ({
  run: (stores) => call(stores, path, args),
  isChange: changing.has(path[1]),
  name: JSON.stringify([path, args]),
})

/** Stores of which each call is caught. */
export const caught = (
  stores: Stores,
  onCall: (call: Call) => Effect.Effect<unknown, StorageError>,
): Stores =>
  new Proxy(stores, {
    get: (_, store: string) =>
      new Proxy(Reflect.get(stores, store), {
        get: (target, method: string) =>
          typeof Reflect.get(target, method) === "function"
            ? (...args: ReadonlyArray<unknown>) => onCall(callOf([store, method], args))
            : onCall(callOf([store, method], [])),
      }),
  })

/** Stores of which each call is a transaction of its own. */
export const callByCall = (storage: StorageService, accountId: string, stores: Stores): Stores =>
  caught(stores, ({ run }) => storage.transaction(accountId, run))

/**
 * Notes what the work writes and writes it later, in a transaction of its own: what the work read may be
 * another by then.
 */
export const writingLater =
  (storage: StorageService): StorageService["transaction"] =>
  (accountId, work) =>
    Effect.gen(function* () {
      const writes: Array<(stores: Stores) => Effect.Effect<unknown, StorageError>> = []
      const watched = (stores: Stores) =>
        caught(stores, ({ run, isChange }) => {
          if (isChange) writes.push(run)
          return run(stores)
        })
      const rehearsal = storage.transaction(accountId, (stores) =>
        Effect.flatMap(Effect.exit(work(watched(stores))), (exit) =>
          Effect.fail({ _tag: "Rehearsed" as const, exit }),
        ),
      )
      const result = yield* Effect.catchTag(rehearsal, "Rehearsed", ({ exit }) => exit)
      yield* storage.transaction(accountId, (stores) =>
        Effect.forEach(writes, (write) => write(stores), { discard: true }),
      )
      return result
    })

/** Several faults in one adapter. */
export const together = (name: string, faults: ReadonlyArray<Fault>): Fault => ({
  name,
  plant: (storage) => faults.reduce((faulty, fault) => fault.plant(faulty), storage),
})
