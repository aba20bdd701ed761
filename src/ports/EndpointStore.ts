import type * as Effect from "effect/Effect"
import type { AccountEvent } from "../events/AccountEvent.js"
import type { StorageError } from "./StorageError.js"

/**
 * A key with which what is sent to an endpoint is signed: a secret.
 *
 * @since 0.6.0
 * @category models
 */
export interface SigningKey {
  /** `whsec_` and the bytes of the key in base64. */
  readonly key: string
  /** Unix seconds. */
  readonly createdAt: number
  /** When it is not signed with any more, in Unix seconds; `null`: as long as the endpoint is there. */
  readonly expiresAt: number | null
}

/**
 * Where events are sent to, and how far that is.
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
  /** The number of the last event that was sent, passed over or set aside. */
  readonly delivered: number
  /** Since when it has been failing, in Unix seconds; `null`: it is not. */
  readonly failingSince: number | null
  /** How often in a row it failed. */
  readonly attempts: number
  /** Why it failed last; `null`: it did not. */
  readonly failure: string | null
  /** Before that nothing is sent, in Unix seconds. */
  readonly nextAttemptAt: number
  /** The process that sends now, and until when it is believed to; `null`: none does. */
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
 * The webhook endpoints of one account, and what could not be delivered to them.
 *
 * @since 0.6.0
 * @category stores
 */
export interface EndpointStore {
  /** The endpoint with an id; `undefined`: there is none. */
  readonly get: (endpointId: string) => Effect.Effect<StoredEndpoint | undefined, StorageError>
  /** All of them, by id. */
  readonly list: () => Effect.Effect<ReadonlyArray<StoredEndpoint>, StorageError>
  /** Stores a new endpoint as version 1. `Conflict`: there is one with its id. */
  readonly insert: (
    endpoint: Omit<StoredEndpoint, "version">,
  ) => Effect.Effect<StoredEndpoint, StorageError>
  /** Stores an endpoint as the next version. `Conflict`: there is none of that id and version. */
  readonly update: (endpoint: StoredEndpoint) => Effect.Effect<StoredEndpoint, StorageError>
  /** Removes an endpoint with its dead letters, if it is there. */
  readonly remove: (endpointId: string) => Effect.Effect<void, StorageError>
  /** Stores dead letters; one of an endpoint and a number takes the place of that before it. */
  readonly putDeadLetters: (letters: ReadonlyArray<DeadLetter>) => Effect.Effect<void, StorageError>
  /** The next dead letters of an endpoint above a number, by number. */
  readonly deadLetters: (options: {
    readonly endpointId: string
    readonly after: number
    readonly limit: number
    /** Only those that are sent again. */
    readonly isReplayed?: boolean | undefined
  }) => Effect.Effect<ReadonlyArray<DeadLetter>, StorageError>
  /** Removes a dead letter, if it is there. */
  readonly removeDeadLetter: (
    endpointId: string,
    number: number,
  ) => Effect.Effect<void, StorageError>
}
