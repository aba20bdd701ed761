/**
 * Several changes as one: all of them are kept, or none.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Storage, type StorageService } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import * as transactions from "./internal/transactions.js"
import type { UnitOfWorkBroken } from "./ServiceError.js"

/**
 * Makes several calls of services one change.
 *
 * @since 0.2.0
 * @category services
 */
export interface UnitOfWorkService {
  /**
   * Runs work in which every call of a service for this account belongs to one transaction. When the work
   * fails, nothing of it is kept. When a call in it failed and the work went on all the same, it fails with
   * `UnitOfWorkBroken`, because half of that call may be done.
   *
   * When someone else changed the same things at the same time, the whole work runs again, a bounded
   * number of times: what it does beside calling services must bear that.
   */
  readonly run: <A, E, R>(
    accountId: string,
    work: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | UnitOfWorkBroken | StorageError, R>
}

const make = (storage: StorageService): UnitOfWorkService => ({
  run: (accountId, work) => transactions.run(storage, accountId, work),
})

/**
 * Makes several calls of services one change, as a service of Effect.
 *
 * @since 0.2.0
 * @category services
 */
export class UnitOfWork extends Context.Service<UnitOfWork, UnitOfWorkService>()(
  "apportion/service/UnitOfWork",
) {
  /**
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<UnitOfWork, never, Storage> = Layer.effect(
    UnitOfWork,
    Effect.map(Storage, make),
  )
}
