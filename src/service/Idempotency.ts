import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { forgetBefore, once } from "./internal/idempotentWork.js"
import { makeTransactor, run } from "./internal/transactions.js"
import type { KeyReused, TooManyKeys, UnitOfWorkBroken } from "./ServiceError.js"
import { Settings } from "./Settings.js"

/**
 * A request that may come twice.
 *
 * @since 0.2.0
 * @category models
 */
export interface KeyedRequest {
  /** The key the sender chose. */
  readonly key: string
  /** All that was asked, as text; the same key with another text is refused. */
  readonly request: string
}

/**
 * Doing a piece of work once, however often it is asked for under the same key.
 *
 * @since 0.2.0
 * @category services
 */
export interface IdempotencyService {
  /**
   * Runs the work in the same transaction as the key is stored, as a unit of work. Asked again with the
   * same key and request, it gives the first answer and does nothing. Work that fails stores nothing, so it
   * can be asked for again. After the setting `idempotencySeconds`, 24 hours when nothing is said, the key is
   * forgotten, and what is asked for under it is new. An account that has the number of keys in the setting
   * `idempotencyKeys`, 100,000 when nothing is said, fails with `TooManyKeys` for a new one.
   *
   * The answer must be data that JSON can hold: texts, finite numbers, booleans, `null`, arrays and plain
   * objects of these. Anything else in it, `undefined` too, is a defect.
   */
  readonly once: <A, E, R>(
    accountId: string,
    request: KeyedRequest,
    work: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | KeyReused | TooManyKeys | UnitOfWorkBroken | StorageError, R>
  /** Forgets the keys that were stored before a time, in Unix seconds; gives how many. */
  readonly forgetBefore: (accountId: string, at: number) => Effect.Effect<number, StorageError>
}

const make = Effect.gen(function* (): Effect.fn.Return<IdempotencyService, never, Storage> {
  const storage = yield* Storage
  const settings = yield* Settings
  const transactor = yield* makeTransactor
  return {
    once: once({
      ...transactor,
      settings,
      run: (accountId, work) => run(storage, { accountId, settings }, work),
    }),
    forgetBefore: forgetBefore(transactor),
  }
})

/**
 * Doing a piece of work once, as a service of Effect.
 *
 * @since 0.2.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { Idempotency } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * let times = 0
 * const work = Effect.sync(() => {
 *   times += 1
 *   return { done: times }
 * })
 * const twice = Effect.gen(function* () {
 *   const idempotency = yield* Idempotency
 *   const once = idempotency.once("shop", { key: "k1", request: "POST /payouts" }, work)
 *   return [yield* once, yield* once]
 * })
 * const layer = Layer.provide(Idempotency.layer, MemoryStorage.layer)
 * await Effect.runPromise(Effect.provide(twice, layer)) // => [{ done: 1 }, { done: 1 }]
 * ```
 */
export class Idempotency extends Context.Service<Idempotency, IdempotencyService>()(
  "apportion/service/Idempotency",
) {
  /**
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<Idempotency, never, Storage> = Layer.effect(Idempotency, make)
}
