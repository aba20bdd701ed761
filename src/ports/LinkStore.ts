import type * as Effect from "effect/Effect"
import type { Product } from "../orders/Product.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * Which process works on a job, so that others leave its account alone meanwhile.
 *
 * @since 0.3.0
 * @category models
 */
export interface LinkClaim {
  /** An id that the process chose when it started. */
  readonly by: string
  /** When the claim expires, in Unix seconds. */
  readonly until: number
}

/**
 * The progress of linking a group's products.
 *
 * @since 0.2.0
 * @category models
 */
export interface LinkJob {
  readonly groupId: string
  /** The version of the group whose products are linked. */
  readonly groupVersion: number
  /** Key of the last product processed; `null`: none yet. */
  readonly after: string | null
  /** How many products were processed. */
  readonly scanned: number
  readonly status: "running" | "done"
  /** Unix seconds. */
  readonly startedAt: number
  /** Unix seconds. */
  readonly updatedAt: number
  /** Absent: no process claims it. Stores keep it without interpreting it. */
  readonly claim?: LinkClaim | undefined
}

/**
 * Which products are linked to which groups, and the jobs that link them.
 *
 * @since 0.2.0
 * @category stores
 */
export interface LinkStore {
  /** Links products to a group. Products that are already linked have no effect. */
  readonly add: (
    groupId: string,
    productKeys: ReadonlyArray<string>,
  ) => Effect.Effect<void, StorageError>
  /** Removes all links of a group. */
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
  /** The job of a group; `undefined` if it has none. */
  readonly job: (groupId: string) => Effect.Effect<LinkJob | undefined, StorageError>
  /** Stores the job of a group, replacing an earlier one. */
  readonly saveJob: (job: LinkJob) => Effect.Effect<void, StorageError>
  /** Removes the job of a group, if there is one. */
  readonly removeJob: (groupId: string) => Effect.Effect<void, StorageError>
  /** The first running jobs, by `startedAt`, then by group id. */
  readonly runningJobs: (limit: number) => Effect.Effect<ReadonlyArray<LinkJob>, StorageError>
}
