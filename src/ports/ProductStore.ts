import type * as Effect from "effect/Effect"
import { keyOf, type Product } from "../orders/Product.js"
import type { Link } from "../rules/ProductGroup.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * What of the catalogue is asked for.
 *
 * @since 0.2.0
 * @category models
 */
export interface ProductFilter {
  /**
   * Only products with this text in their name, sku, vendor, a tag or one of their ids; trimmed and
   * compared without regard to case (as texts are in rules; `Product.matchesSearch` does it). Absent or
   * blank: all.
   */
  readonly search?: string | undefined
  /** Only products that are linked to one of this collaborator's groups. */
  readonly collaboratorId?: string | undefined
}

/**
 * The next products that a group's link selects.
 *
 * @since 0.3.0
 * @category models
 */
export interface SelectedProducts {
  /** In order. */
  readonly keys: ReadonlyArray<string>
  /** How many products of the catalogue lie behind with that, from `after` to where the next ones begin. */
  readonly scanned: number
  /** Whether there are no more. */
  readonly isLast: boolean
}

/**
 * The product catalogue of one account. Each variant of a product is an entry of its own; `productKeyOf`
 * gives the key that tells them apart.
 *
 * @since 0.2.0
 * @category stores
 */
export interface ProductStore {
  /** Adds products, or puts them in the place of those with the same keys. */
  readonly put: (products: ReadonlyArray<Product>) => Effect.Effect<void, StorageError>
  /** Removes products, with their links to groups. Keys of no product have no effect. */
  readonly remove: (keys: ReadonlyArray<string>) => Effect.Effect<void, StorageError>
  /** The products with these keys, each once, in any order. */
  readonly get: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Product>, StorageError>
  /**
   * Every product whose `id`, `externalId` or `externalVariantId` is one of these, each once, in any
   * order. Orders are completed from them.
   */
  readonly find: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Product>, StorageError>
  /** A part of the catalogue, by name, then id, then variant (`ListOrder.products`). */
  readonly list: (
    filter: ProductFilter,
    slice: Slice,
  ) => Effect.Effect<Sliced<Product>, StorageError>
  /**
   * The next products by key (compared by code units): those after `after`, from the first when it is
   * `undefined`. Fewer than `limit`: there are no more. So a catalogue of any size is gone through.
   */
  readonly batch: (options: {
    readonly after: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Product>, StorageError>
  /**
   * The next products by key that a group's link selects: those after `after`, from the first when it is
   * `undefined`, and at most `limit`. It must select what the rules do (`RuleSet.linkedGroups`). Only for
   * stores that look them up quicker than by going through the catalogue; without it that is done instead.
   */
  readonly selected?: (options: {
    readonly link: Link
    readonly after: string | undefined
    readonly limit: number
  }) => Effect.Effect<SelectedProducts, StorageError>
}

/**
 * What tells one entry of a catalogue from another: the product's id and, where it has one, its variant's.
 *
 * @since 0.2.0
 * @category operations
 * @example
 * ```ts
 * import { productKeyOf } from "apportion/ports"
 *
 * productKeyOf({ id: "p1" }) // => "p1"
 * productKeyOf({ id: "p1", externalVariantId: "red" }) // => "p1/red"
 * ```
 */
export const productKeyOf: (product: Pick<Product, "id" | "externalVariantId">) => string = keyOf
