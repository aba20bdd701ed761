import type * as Effect from "effect/Effect"
import type { ProductGroup } from "../rules/ProductGroup.js"
import type { GroupTerms } from "../terms/Terms.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * A product group of an account. Its terms are absent where it has none.
 *
 * @since 0.6.0
 * @category models
 */
export interface AccountGroup extends ProductGroup {
  readonly terms?: GroupTerms | undefined
}

/**
 * A stored product group.
 *
 * @since 0.2.0
 * @category models
 */
export interface StoredGroup {
  readonly group: AccountGroup
  /** Unix seconds. */
  readonly updatedAt: number
  /** 1 on insert, one more with each update. */
  readonly version: number
}

/**
 * The product groups of one account.
 *
 * @since 0.2.0
 * @category stores
 */
export interface ProductGroupStore {
  /** The group with an id; `undefined` if it does not exist. */
  readonly get: (groupId: string) => Effect.Effect<StoredGroup | undefined, StorageError>
  /** The existing groups of these ids, each once, in any order. */
  readonly find: (
    groupIds: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<StoredGroup>, StorageError>
  /** Stores a new group as version 1. `Conflict`: its id exists. */
  readonly insert: (group: Omit<StoredGroup, "version">) => Effect.Effect<StoredGroup, StorageError>
  /** Replaces a group, as the next version. `Conflict`: none has that id and version. */
  readonly update: (group: StoredGroup) => Effect.Effect<StoredGroup, StorageError>
  /** Removes a group. `Conflict`: none has that id and version. */
  readonly remove: (options: {
    readonly groupId: string
    readonly version: number
  }) => Effect.Effect<void, StorageError>
  /**
   * A slice of the list of a collaborator's groups: by `createdAt`, the newest first (`null` last), then by id, smaller
   * first (`ListOrder.productGroups`).
   */
  readonly list: (
    collaboratorId: string,
    slice: Slice,
  ) => Effect.Effect<Sliced<StoredGroup>, StorageError>
  /**
   * Every group of the account, in any order. Called only when `revision` has changed. A returned object counts as the
   * same group forever: return a changed group as a new object.
   */
  readonly all: Effect.Effect<ReadonlyArray<AccountGroup>, StorageError>
  /**
   * A number that grows with each transaction that inserted, updated or removed a group, and otherwise stays the same.
   * 0 for an account that never had a group.
   */
  readonly revision: Effect.Effect<number, StorageError>
}
