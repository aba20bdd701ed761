/**
 * The storage port in memory: complete and transactional, for tests, demonstrations and hosts that need
 * nothing to outlive the process.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { waitFor } from "../ports/Patience.js"
import { Storage, type StorageService, type Stores } from "../ports/Storage.js"
import type { Conflict } from "../ports/StorageError.js"
import { MemoryAccount } from "./internal/Account.js"
import { makeAgreements } from "./internal/agreementStore.js"
import { makeCounters } from "./internal/counterStore.js"
import { makeEndpoints } from "./internal/endpointStore.js"
import { makeEvents } from "./internal/eventStore.js"
import { makeInbox } from "./internal/inboxStore.js"
import { makePasses } from "./internal/passStore.js"
import { makePayments } from "./internal/paymentStore.js"
import { makePayouts } from "./internal/payoutStore.js"
import { makeResplits } from "./internal/resplitStore.js"
import { makeRetention } from "./internal/retentionStore.js"
import { makeSettings } from "./internal/settingsStore.js"
import {
  makeCollaborators,
  makeGroups,
  makeKeys,
  makeLinks,
  makeProducts,
  makeSales,
} from "./internal/stores.js"
import { Journal } from "./internal/Table.js"

const storesOf = (account: MemoryAccount, journal: Journal): Stores => ({
  collaborators: makeCollaborators(account, journal),
  groups: makeGroups(account, journal),
  products: makeProducts(account, journal),
  links: makeLinks(account, journal),
  payouts: makePayouts(account, journal),
  payments: makePayments(account, journal),
  sales: makeSales(account, journal),
  keys: makeKeys(account, journal),
  events: makeEvents(account.events, journal),
  endpoints: makeEndpoints(account, journal),
  inbox: makeInbox(account, journal),
  resplits: makeResplits(account, journal),
  settings: makeSettings(account, journal),
  retention: makeRetention(account, journal),
  passes: makePasses(account, journal),
  counters: makeCounters(account, journal),
  agreements: makeAgreements(account.agreements, journal),
})

/** All accounts, and which of them have stored data. */
class Accounts {
  readonly #all = new Map<string, MemoryAccount>()
  readonly #kept = new Set<string>()

  get(accountId: string): MemoryAccount {
    const known = this.#all.get(accountId)
    if (known !== undefined) return known
    const account = new MemoryAccount()
    this.#all.set(accountId, account)
    return account
  }

  /** For reading: an account that was never written to is not kept, whoever asks for it. */
  find(accountId: string): MemoryAccount {
    return this.#all.get(accountId) ?? new MemoryAccount()
  }

  note(accountId: string): void {
    if (this.find(accountId).isEmpty) this.#kept.delete(accountId)
    else this.#kept.add(accountId)
  }

  ids(): Array<string> {
    return [...this.#kept].sort()
  }
}

/** Commits the work if it succeeded without a conflict, otherwise rolls it back. */
const finish = (journal: Journal, succeeded: boolean): Effect.Effect<void, Conflict> => {
  const { conflict } = journal
  if (succeeded && conflict === undefined) journal.commit()
  else journal.rollback()
  return succeeded && conflict !== undefined ? Effect.fail(conflict) : Effect.void
}

/** An empty storage. */
const makeStorage = (): StorageService => {
  const accounts = new Accounts()
  return {
    transaction: (accountId, work, { mode = "write", actor = "unknown", patience } = {}) =>
      Effect.suspend(() => {
        const account = mode === "read" ? accounts.find(accountId) : accounts.get(accountId)
        const journal = new Journal({ mode, actor })
        const { lock } = account
        // Waiting for the lock can be interrupted.
        const turn = Effect.acquireRelease(lock.take(1), () => lock.release(1), {
          interruptible: true,
        })
        return Effect.scopedWith((scope) =>
          Effect.andThen(
            waitFor(`the turn of account ${accountId}`, patience, Scope.provide(turn, scope)),
            Effect.suspend(() => work(storesOf(account, journal))).pipe(
              Effect.onExit((exit) => finish(journal, Exit.isSuccess(exit))),
              Effect.ensuring(Effect.sync(() => accounts.note(accountId))),
            ),
          ),
        )
      }),
    accounts: Effect.sync(() => accounts.ids()),
  }
}

/**
 * Makes an empty storage. Transactions of one account run in sequence, in the order in which they were requested; those
 * of different accounts run concurrently.
 *
 * Don't run a transaction within another one of the same account: it would wait for itself.
 *
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { Effect } from "effect"
 *
 * const products = await Effect.runPromise(
 *   Effect.gen(function* () {
 *     const storage = yield* MemoryStorage.make
 *     yield* storage.transaction("shop", ({ products }) => products.put([{ id: "p1", name: "Mug" }]))
 *     return yield* storage.transaction("shop", ({ products }) => products.get(["p1", "p2"]))
 *   }),
 * )
 * products // => [{ id: "p1", name: "Mug" }]
 * ```
 */
export const make: Effect.Effect<StorageService> = Effect.sync(makeStorage)

/**
 * The storage port, kept in memory; empty each time the layer is built.
 *
 * @since 0.2.0
 * @category layers
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { Storage } from "apportion/ports"
 * import { Effect } from "effect"
 *
 * const accounts = Effect.flatMap(Storage, (storage) => storage.accounts)
 * await Effect.runPromise(Effect.provide(accounts, MemoryStorage.layer)) // => []
 * ```
 */
export const layer: Layer.Layer<Storage> = Layer.effect(Storage, make)
