import type * as Effect from "effect/Effect"
import type { AccountEvent } from "../events/AccountEvent.js"
import type { StorageError } from "./StorageError.js"

/**
 * A secret key that signs the requests to an endpoint.
 *
 * @since 0.6.0
 * @category models
 */
export interface SigningKey {
  /** `whsec_` and the bytes of the key in base64. */
  readonly key: string
  /** Unix seconds. */
  readonly createdAt: number
  /** When the key is no longer used, in Unix seconds; `null`: it has no end. */
  readonly expiresAt: number | null
}

/**
 * A webhook endpoint, and the progress of sending events to it.
 *
 * @since 0.6.0
 * @category models
 */
export interface StoredEndpoint {
  readonly id: string
  readonly url: string
  /** The types of events that are sent; `null`: all. */
  readonly types: ReadonlyArray<string> | null
  /** The newest first. */
  readonly keys: ReadonlyArray<SigningKey>
  /** Whether events are sent at all. */
  readonly isActive: boolean
  /** The number of the last event that was sent, skipped or set aside. */
  readonly delivered: number
  /** Since when it has been failing, in Unix seconds; `null` if it is not failing. */
  readonly failingSince: number | null
  /** The number of consecutive failures. */
  readonly attempts: number
  /** Why it failed last; `null` if it is not failing. */
  readonly failure: string | null
  /** The earliest time of the next attempt, in Unix seconds. */
  readonly nextAttemptAt: number
  /** The process that sends at present, and when its claim expires; `null`: none does. */
  readonly claim: { readonly by: string; readonly until: number } | null
  /** Unix seconds. */
  readonly createdAt: number
  /** Unix seconds. */
  readonly updatedAt: number
  /** 1 when inserted, one more with each change. */
  readonly version: number
}

/**
 * An event that could not be delivered to an endpoint.
 *
 * @since 0.6.0
 * @category models
 */
export interface DeadLetter {
  readonly endpointId: string
  readonly event: AccountEvent
  readonly failure: string
  /** Unix seconds. */
  readonly setAsideAt: number
  /** Whether it is sent again. */
  readonly isReplayed: boolean
}

/**
 * The webhook endpoints of one account, and their dead letters.
 *
 * @since 0.6.0
 * @category stores
 */
export interface EndpointStore {
  /** The endpoint with an id; `undefined` if it does not exist. */
  readonly get: (endpointId: string) => Effect.Effect<StoredEndpoint | undefined, StorageError>
  /** All endpoints, by id. */
  readonly list: () => Effect.Effect<ReadonlyArray<StoredEndpoint>, StorageError>
  /** Stores a new endpoint as version 1. `Conflict`: its id exists. */
  readonly insert: (
    endpoint: Omit<StoredEndpoint, "version">,
  ) => Effect.Effect<StoredEndpoint, StorageError>
  /** Stores an endpoint as the next version. `Conflict`: none has that id and version. */
  readonly update: (endpoint: StoredEndpoint) => Effect.Effect<StoredEndpoint, StorageError>
  /** Removes an endpoint with its dead letters, if it exists. */
  readonly remove: (endpointId: string) => Effect.Effect<void, StorageError>
  /** Stores dead letters; a dead letter replaces an earlier one with the same endpoint and number. */
  readonly putDeadLetters: (letters: ReadonlyArray<DeadLetter>) => Effect.Effect<void, StorageError>
  /** The next dead letters of an endpoint above a number, by number. */
  readonly deadLetters: (options: {
    readonly endpointId: string
    readonly after: number
    readonly limit: number
    /** Only dead letters that are sent again. */
    readonly isReplayed?: boolean | undefined
  }) => Effect.Effect<ReadonlyArray<DeadLetter>, StorageError>
  /** Removes a dead letter, if it exists. */
  readonly removeDeadLetter: (
    endpointId: string,
    number: number,
  ) => Effect.Effect<void, StorageError>
}
