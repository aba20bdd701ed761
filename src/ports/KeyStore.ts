import type * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.js"

/**
 * The answer to a request with an idempotency key.
 *
 * @since 0.2.0
 * @category models
 */
export interface StoredAnswer {
  readonly key: string
  /** Identifies the request: a digest of all of it. */
  readonly fingerprint: string
  /** The answer, as JSON text. */
  readonly answer: string
  /** Unix seconds. */
  readonly createdAt: number
}

/**
 * The number of an account's idempotency keys, and the time of the oldest.
 *
 * @since 0.6.0
 * @category models
 */
export interface KeptKeys {
  readonly count: number
  /** When the oldest was stored, in Unix seconds; `undefined` without keys. */
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
  /** Stores the answer under a new key. `Conflict`: the key exists. */
  readonly insert: (answer: StoredAnswer) => Effect.Effect<void, StorageError>
  /**
   * The number of keys, including expired ones.
   *
   * @since 0.6.0
   */
  readonly kept: () => Effect.Effect<KeptKeys, StorageError>
  /** Removes keys stored before a time, in Unix seconds; returns how many. */
  readonly removeBefore: (at: number) => Effect.Effect<number, StorageError>
}
