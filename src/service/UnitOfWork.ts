/**
 * Several changes as one: all of them are kept, or none.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import * as transactions from "./internal/transactions.js"
import type { UnitOfWorkBroken } from "./ServiceError.js"
import { Settings } from "./Settings.js"

/**
 * Combines several service calls into one transaction.
 *
 * @since 0.2.0
 * @category services
 */
export interface UnitOfWorkService {
  /**
   * Runs work in which every call of a service for this account belongs to one transaction. When the work fails, none
   * of its changes are committed. When a call that writes fails and the work continues anyway, the unit fails with
   * `UnitOfWorkBroken`, because half of that call may be done; a call that only reads may fail.
   *
   * When a concurrent change conflicts with it, the whole work runs again, a bounded number of times: everything else
   * it does must be safe to repeat. Its concurrent calls take turns. Calls for another account are separate
   * transactions, each committed when it is done; a storage with a single connection, such as PGlite, refuses them at
   * once with a `StorageFailure`. Two units that each call for the other's account deadlock, so take accounts in the
   * same order everywhere.
   *
   * In PostgreSQL, statements that run on the storage's client meanwhile are part of the transaction. Within a
   * transaction that the host began on that client, the unit is part of that one, including calls for other accounts; a
   * `Conflict` is then not retried, and its `partOf` names what has to be retried.
   *
   * A unit of work within another one for the same account is part of it, with the actor of the outer one. Calls of a
   * fiber that is still running when the work is done are no longer part of it.
   */
  readonly run: <A, E, R>(
    accountId: string,
    work: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | UnitOfWorkBroken | StorageError, R>
  /**
   * Runs work in which every reading call of a service for this account sees the same moment, without blocking writers.
   * A call that writes is a defect. After a conflict, which only a storage with concurrent writers has, the work runs
   * again. Within a unit of work it is part of that one.
   *
   * @since 0.6.0
   */
  readonly read: <A, E, R>(
    accountId: string,
    work: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | StorageError, R>
}

const make = Effect.gen(function* (): Effect.fn.Return<UnitOfWorkService, never, Storage> {
  const storage = yield* Storage
  const settings = yield* Settings
  return {
    run: (accountId, work) => transactions.run(storage, { accountId, settings }, work),
    read: (accountId, work) =>
      transactions.transact(storage, { accountId, mode: "read", settings }, () => work),
  }
})

/**
 * Combines several service calls into one transaction, as an Effect service.
 *
 * @since 0.2.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { Collaborators, UnitOfWork } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const total = Effect.gen(function* () {
 *   const collaborators = yield* Collaborators
 *   const unit = yield* UnitOfWork
 *   const both = Effect.gen(function* () {
 *     yield* collaborators.create("shop", { id: "ada", currency: "USD" })
 *     yield* collaborators.create("shop", { id: "sam", currency: "euro" })
 *   })
 *   yield* Effect.exit(unit.run("shop", both))
 *   return (yield* collaborators.list("shop", { page: 1, perPage: 15 })).total
 * })
 * const layer = Layer.merge(Collaborators.layer, UnitOfWork.layer)
 * const inMemory = Layer.provide(layer, MemoryStorage.layer)
 * await Effect.runPromise(Effect.provide(total, inMemory)) // => 0
 * ```
 */
export class UnitOfWork extends Context.Service<UnitOfWork, UnitOfWorkService>()(
  "apportion/service/UnitOfWork",
) {
  /**
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<UnitOfWork, never, Storage> = Layer.effect(UnitOfWork, make)
}
