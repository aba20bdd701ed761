import type { PlainStorage, PlainStores, StorageService, Stores } from "apportion/ports"
import { Effect } from "effect"

/** Every store with each effect run at once, as a host's own async functions would be. */
const plainStores = (stores: Stores): PlainStores => {
  const plain = (store: object) =>
    Object.fromEntries(
      Object.entries(store).map(([name, method]) => [
        name,
        (...args: ReadonlyArray<unknown>) =>
          Effect.runPromise(typeof method === "function" ? method(...args) : method),
      ]),
    )
  const entries = Object.entries(stores).map(([name, store]) => [name, plain(store)])
  return Object.fromEntries(entries) as PlainStores
}

/** What a host can be told to do otherwise than it should, or to note. */
export interface Behaviour {
  /** What happened, in order. */
  readonly log: Array<string>
  /** Run when the work is done, before its writes are kept. */
  beforeCommit?: (() => Promise<void>) | undefined
  /** Run when the work has failed, before the host says so. */
  beforeRollback?: (() => Promise<void>) | undefined
  /** Stands between the work and the stores. */
  around?: ((stores: PlainStores) => PlainStores) | undefined
}

/** A storage as plain async functions that keeps everything in another one. */
export const plainHost = (
  storage: StorageService,
  behaviour: Behaviour = { log: [] },
): PlainStorage => ({
  accounts: () => Effect.runPromise(storage.accounts),
  transaction: async <A>(
    accountId: string,
    work: (stores: PlainStores) => Promise<A>,
    options?: { readonly mode?: "read" | "write" | undefined },
  ): Promise<A> => {
    const { log } = behaviour
    log.push("begin")
    const run = async (stores: Stores) => {
      const plain = plainStores(stores)
      try {
        const result = await work(behaviour.around?.(plain) ?? plain)
        await behaviour.beforeCommit?.()
        return result
      } catch (error) {
        await behaviour.beforeRollback?.()
        log.push("rollback")
        throw error
      }
    }
    const transaction = storage.transaction(
      accountId,
      (stores) =>
        Effect.tryPromise({
          try: () => run(stores),
          catch: (error) => error,
        }),
      options,
    )
    const result = await Effect.runPromise(transaction)
    log.push("commit")
    return result
  },
})

/** A promise and the function that keeps it. */
export const gate = () => Promise.withResolvers<void>()
