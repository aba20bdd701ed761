import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { waitFor } from "../../ports/Patience.js"
import type { StorageService, Stores } from "../../ports/Storage.js"
import type { Conflict } from "../../ports/StorageError.js"
import { MemoryAccount } from "./Account.js"
import * as collaboratorStore from "./collaboratorStore.js"
import * as groupStore from "./groupStore.js"
import { Journal } from "./Journal.js"
import * as keyStore from "./keyStore.js"
import * as linkStore from "./linkStore.js"
import * as payoutStore from "./payoutStore.js"
import * as productStore from "./productStore.js"
import * as saleStore from "./saleStore.js"

const storesOf = (account: MemoryAccount, journal: Journal): Stores => ({
  collaborators: collaboratorStore.make(account, journal),
  groups: groupStore.make(account, journal),
  products: productStore.make(account, journal),
  links: linkStore.make(account, journal),
  payouts: payoutStore.make(account, journal),
  sales: saleStore.make(account, journal),
  keys: keyStore.make(account, journal),
})

/** Every account, and which of them have something in them that is kept. */
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

  note(accountId: string): void {
    if (this.get(accountId).isEmpty) this.#kept.delete(accountId)
    else this.#kept.add(accountId)
  }

  ids(): Array<string> {
    return [...this.#kept].sort()
  }
}

/** Keeps what the work did when it succeeded and met no conflict, else takes it back. */
const finish = (journal: Journal, succeeded: boolean): Effect.Effect<void, Conflict> => {
  const { conflict } = journal
  if (succeeded && conflict === undefined) journal.commit()
  else journal.rollback()
  return succeeded && conflict !== undefined ? Effect.fail(conflict) : Effect.void
}

/** A storage with nothing in it. */
export const makeStorage = (): StorageService => {
  const accounts = new Accounts()
  return {
    transaction: (accountId, work, { mode = "write", actor = "unknown", patience } = {}) =>
      Effect.suspend(() => {
        const account = accounts.get(accountId)
        const journal = new Journal({ mode, actor })
        const { lock } = account
        // Who waits can give up.
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
