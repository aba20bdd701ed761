import type * as Effect from "effect/Effect"
import type { Language } from "../languages/Language.js"
import type { StorageError } from "./StorageError.js"

/**
 * A pass: what lets the holder of a link read what one collaborator may see. The link's secret is not stored, and can't
 * be computed from what is.
 *
 * @since 0.6.0
 * @category models
 */
export interface StoredPass {
  readonly id: string
  readonly collaboratorId: string
  /** In which language it is shown at first. */
  readonly language: Language
  /**
   * HMAC-SHA-256 of the account, the collaborator, the id and the end, with the link's secret as its key: 64 lower-case
   * hexadecimal digits.
   */
  readonly mac: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Who created it. */
  readonly createdBy: string
  /** From when on it is refused, in Unix seconds. */
  readonly expiresAt: number
  /** When it was revoked, in Unix seconds; `null`: it was not. */
  readonly revokedAt: number | null
  /** Who revoked it; `null`: nobody did. */
  readonly revokedBy: string | null
  /** 1 when inserted, one more with each change. */
  readonly version: number
}

/**
 * The passes of one account.
 *
 * @since 0.6.0
 * @category stores
 */
export interface PassStore {
  /** The pass with an id; `undefined` if it does not exist. */
  readonly get: (passId: string) => Effect.Effect<StoredPass | undefined, StorageError>
  /** All passes of a collaborator, by id (compared by code units). */
  readonly ofCollaborator: (
    collaboratorId: string,
  ) => Effect.Effect<ReadonlyArray<StoredPass>, StorageError>
  /** Stores a new pass as version 1. `Conflict`: its id exists. */
  readonly insert: (pass: Omit<StoredPass, "version">) => Effect.Effect<StoredPass, StorageError>
  /** Stores a pass as the next version. `Conflict`: none has that id and version. */
  readonly update: (pass: StoredPass) => Effect.Effect<StoredPass, StorageError>
  /** Removes a pass, if it exists. */
  readonly remove: (passId: string) => Effect.Effect<void, StorageError>
}
