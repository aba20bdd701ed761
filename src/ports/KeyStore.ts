import type * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.js"

/**
 * What was answered to a request that carried an idempotency key.
 *
 * @since 0.2.0
 * @category models
 */
export interface StoredAnswer {
  readonly key: string
  /** What tells requests apart: a digest of all that was asked. */
  readonly fingerprint: string
  /** The answer, as JSON text. */
  readonly answer: string
  /** Unix seconds. */
  readonly createdAt: number
}

/**
 * How many idempotency keys an account has, and since when.
 *
 * @since 0.6.0
 * @category models
 */
export interface KeptKeys {
  readonly count: number
  /** When the first of them was stored, in Unix seconds; `undefined`: there is none. */
  readonly oldestAt: number | undefined
}

/**
 * The idempotency keys of one account.
 *
 * @since 0.2.0
 * @category stores
 */
export interface KeyStore {
  /** The answer under a key; `undefined`: the key is new. */
  readonly get: (key: string) => Effect.Effect<StoredAnswer | undefined, StorageError>
  /** Stores the answer under a new key. `Conflict`: the key is there already. */
  readonly insert: (answer: StoredAnswer) => Effect.Effect<void, StorageError>
  /**
   * How many there are, those that are over too.
   *
   * @since 0.6.0
   */
  readonly kept: () => Effect.Effect<KeptKeys, StorageError>
  /** Forgets what was stored before a time, in Unix seconds; gives how many there were. */
  readonly removeBefore: (at: number) => Effect.Effect<number, StorageError>
}
