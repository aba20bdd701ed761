import type * as Effect from "effect/Effect"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * A stored collaborator.
 *
 * @since 0.2.0
 * @category models
 */
export interface StoredCollaborator {
  readonly collaborator: Collaborator
  /** Unix seconds. */
  readonly createdAt: number
  /** Unix seconds. */
  readonly updatedAt: number
  /** 1 on insert, one more with each update. */
  readonly version: number
}

/**
 * The collaborators of one account.
 *
 * @since 0.2.0
 * @category stores
 */
export interface CollaboratorStore {
  /** The collaborator with an id; `undefined` if it does not exist. */
  readonly get: (
    collaboratorId: string,
  ) => Effect.Effect<StoredCollaborator | undefined, StorageError>
  /** The existing collaborators of these ids, each once, in any order. */
  readonly find: (
    collaboratorIds: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<StoredCollaborator>, StorageError>
  /** Stores a new collaborator as version 1. `Conflict`: its id exists. */
  readonly insert: (
    collaborator: Omit<StoredCollaborator, "version">,
  ) => Effect.Effect<StoredCollaborator, StorageError>
  /** Replaces a collaborator, as the next version. `Conflict`: none has that id and version. */
  readonly update: (
    collaborator: StoredCollaborator,
  ) => Effect.Effect<StoredCollaborator, StorageError>
  /** A part of the list of all, by id (compared by code units). */
  readonly list: (slice: Slice) => Effect.Effect<Sliced<StoredCollaborator>, StorageError>
}
