import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import type { Product } from "../orders/Product.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { LinkJob } from "../ports/LinkStore.js"
import type { StoredGroup } from "../ports/ProductGroupStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import type { Input, InvalidProductGroup, ProductGroup } from "../rules/ProductGroup.js"
import { makeProductGroups } from "./internal/groups.js"
import { makeLinker } from "./internal/linking.js"
import { makeTransactor } from "./internal/transactions.js"
import type { AlreadyExists, NotFound } from "./ServiceError.js"
import { Settings } from "./Settings.js"

/**
 * A group as hosts make it: without an id it gets one, and it is made now.
 *
 * @since 0.2.0
 * @category models
 */
export type NewGroup = Omit<Input, "id" | "collaboratorId" | "createdAt"> & {
  readonly id?: string | undefined
}

/**
 * A group in a list.
 *
 * @since 0.2.0
 * @category models
 */
export interface ListedGroup extends StoredGroup {
  /** How many products are linked to it so far. */
  readonly productsCount: number
}

/**
 * A group with its collaborator and a page of the products that are linked to it so far.
 *
 * @since 0.2.0
 * @category models
 */
export interface ViewedGroup extends StoredGroup {
  readonly collaborator: Collaborator
  readonly products: Sliced<Product>
}

/**
 * How far the linking of a group has come.
 *
 * @since 0.2.0
 * @category models
 */
export interface LinkProgress
  extends Pick<LinkJob, "groupId" | "groupVersion" | "scanned" | "status"> {
  /** How many products are linked to the group so far. */
  readonly productsCount: number
}

/**
 * Making, changing, reading and removing product groups. Products are linked in the background.
 *
 * @since 0.2.0
 * @category services
 */
export interface ProductGroupsService {
  /** A page of a collaborator's groups, the newest first, with their collaborator. */
  readonly list: (
    accountId: string,
    collaboratorId: string,
    page: PageRequest,
  ) => Effect.Effect<
    Sliced<ListedGroup> & { readonly collaborator: Collaborator },
    NotFound | StorageError
  >
  /**
   * Makes a group. A link or a condition that needs values and has none, or blank ones, is refused. No
   * product is linked yet when it answers.
   */
  readonly create: (
    accountId: string,
    collaboratorId: string,
    group: NewGroup,
  ) => Effect.Effect<ViewedGroup, InvalidProductGroup | NotFound | AlreadyExists | StorageError>
  /**
   * Changes a group: `change` gets it as it is and gives it as it is to be; id, collaborator and time of
   * creation stay. Its products are linked anew, unless its link stays the same.
   */
  readonly update: <E = never>(
    accountId: string,
    collaboratorId: string,
    groupId: string,
    change: (group: ProductGroup) => Result.Result<Input, E>,
    page?: PageRequest,
  ) => Effect.Effect<ViewedGroup, E | InvalidProductGroup | NotFound | StorageError>
  /** A group with its collaborator and a page of its products. */
  readonly get: (
    accountId: string,
    collaboratorId: string,
    groupId: string,
    page?: PageRequest,
  ) => Effect.Effect<ViewedGroup, NotFound | StorageError>
  /** Removes a group with its links. Recorded splits stay as they are. */
  readonly remove: (
    accountId: string,
    collaboratorId: string,
    groupId: string,
  ) => Effect.Effect<void, NotFound | StorageError>
  /**
   * How far the linking of a group has come, each time it comes further; ends when it is done, or the
   * group is removed.
   */
  readonly watch: (
    accountId: string,
    groupId: string,
  ) => Stream.Stream<LinkProgress, NotFound | StorageError>
}

const make = Effect.gen(function* () {
  const transactor = yield* makeTransactor
  const random = yield* SecureRandom.SecureRandom
  const linker = yield* makeLinker(transactor, yield* random.uuidV4())
  return makeProductGroups({ transactor, linker, random, settings: yield* Settings })
})

/**
 * Making, changing, reading and removing product groups, as a service of Effect.
 *
 * @since 0.2.0
 * @category services
 */
export class ProductGroups extends Context.Service<ProductGroups, ProductGroupsService>()(
  "apportion/service/ProductGroups",
) {
  /**
   * Links products in the background as long as the layer's scope is open, beginning with what was under
   * way in any account when it was built. Processes over one storage share it: each account is linked by one
   * of them at a time, and what one leaves behind is taken up by another.
   *
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<ProductGroups, never, Storage | SecureRandom.SecureRandom> =
    Layer.effect(ProductGroups, make)
}
