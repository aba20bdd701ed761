import type * as Effect from "effect/Effect"
import type { Product } from "../orders/Product.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * Which process goes on with a job, so that others leave its account alone for the time being.
 *
 * @since 0.3.0
 * @category models
 */
export interface LinkClaim {
  /** An id that the process gave itself when it began. */
  readonly by: string
  /** Until when it is believed to be at work, in Unix seconds. */
  readonly until: number
}

/**
 * How far the linking of a group's products has come.
 *
 * @since 0.2.0
 * @category models
 */
export interface LinkJob {
  readonly groupId: string
  /** The version of the group whose products are looked for. */
  readonly groupVersion: number
  /** Key of the last product that was looked at; `null`: none yet. */
  readonly after: string | null
  /** How many products were looked at. */
  readonly scanned: number
  readonly status: "running" | "done"
  /** Unix seconds. */
  readonly startedAt: number
  /** Unix seconds. */
  readonly updatedAt: number
  /** Absent: nobody said that they go on with it. It has to be stored, and means nothing to a store. */
  readonly claim?: LinkClaim | undefined
}

/**
 * Which products are linked to which groups, and the jobs that find out.
 *
 * @since 0.2.0
 * @category stores
 */
export interface LinkStore {
  /** Links products to a group. Products that are linked already have no effect. */
  readonly add: (
    groupId: string,
    productKeys: ReadonlyArray<string>,
  ) => Effect.Effect<void, StorageError>
  /** Takes all links of a group away. */
  readonly clear: (groupId: string) => Effect.Effect<void, StorageError>
  /** Links a product to exactly these groups. */
  readonly setOfProduct: (
    productKey: string,
    groupIds: ReadonlyArray<string>,
  ) => Effect.Effect<void, StorageError>
  /** A part of the products linked to a group, in the order of the catalogue's list. */
  readonly products: (groupId: string, slice: Slice) => Effect.Effect<Sliced<Product>, StorageError>
  /** How many products are linked to each of the groups, in the order of the ids. */
  readonly counts: (
    groupIds: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<number>, StorageError>
  /** For each product, the ids of the groups it is linked to, in the order of the keys. */
  readonly groupsOf: (
    productKeys: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, StorageError>
  /** The job of a group; `undefined`: there was none. */
  readonly job: (groupId: string) => Effect.Effect<LinkJob | undefined, StorageError>
  /** Stores the job of a group, in the place of an earlier one. */
  readonly saveJob: (job: LinkJob) => Effect.Effect<void, StorageError>
  /** Forgets the job of a group, if there is one. */
  readonly removeJob: (groupId: string) => Effect.Effect<void, StorageError>
  /** The first jobs that run, by `startedAt`, then by group id. */
  readonly runningJobs: (limit: number) => Effect.Effect<ReadonlyArray<LinkJob>, StorageError>
}
