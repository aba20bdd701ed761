/**
 * The way of a layer to its storage: the settings that the layer was built with hold for its
 * transactions too, wherever its methods are called from.
 */
import * as Effect from "effect/Effect"
import { Storage, type Stores, type TransactionMode } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { Settings } from "../Settings.js"
import { transact } from "./transactions.js"

type Run = <A, E, R>(
  accountId: string,
  work: (stores: Stores) => Effect.Effect<A, E, R>,
) => Effect.Effect<A, E | StorageError, R>

/** Runs work on the stores of an account, in the transaction that is under way or in one of its own. */
export interface Transactor {
  /** For work that writes nothing. */
  readonly read: Run
  readonly write: Run
}

/** The transactor of a layer that is being built. */
export const makeTransactor: Effect.Effect<Transactor, never, Storage> = Effect.gen(function* () {
  const storage = yield* Storage
  const settings = yield* Settings
  const runIn =
    (mode: TransactionMode): Run =>
    (accountId, work) =>
      transact(storage, { accountId, mode, settings }, work)
  return { read: runIn("read"), write: runIn("write") }
})
