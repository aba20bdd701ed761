import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../ports/StorageError.js"
import type { KeyReused, UnitOfWorkBroken } from "./ServiceError.js"

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
   * Runs the work in the same transaction as the key is stored. Asked again with the same key and request,
   * it gives the first answer and does nothing. The answer must be data that JSON can hold. Work that
   * fails stores nothing, so it can be asked for again.
   */
  readonly once: <A, E, R>(
    accountId: string,
    request: KeyedRequest,
    work: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | KeyReused | UnitOfWorkBroken | StorageError, R>
  /** Forgets the keys that were stored before a time, in Unix seconds; gives how many. */
  readonly forgetBefore: (accountId: string, at: number) => Effect.Effect<number, StorageError>
}

/**
 * Doing a piece of work once, as a service of Effect.
 *
 * @since 0.2.0
 * @category services
 */
export class Idempotency extends Context.Service<Idempotency, IdempotencyService>()(
  "apportion/service/Idempotency",
) {}
