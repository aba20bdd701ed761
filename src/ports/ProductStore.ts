import type * as Effect from "effect/Effect"
import { keyOf, type Product } from "../orders/Product.js"
import type { Link } from "../rules/ProductGroup.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * Which products of the catalogue to list.
 *
 * @since 0.2.0
 * @category models
 */
export interface ProductFilter {
  /**
   * Only products with this text in their name, sku, vendor, a tag or one of their ids; trimmed and compared ignoring
   * case (as in rules; see `Product.matchesSearch`). Absent or blank: all.
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
  /** How many products of the catalogue were scanned, from `after` to the start of the next slice. */
  readonly scanned: number
  /** Whether this is the last slice. */
  readonly isLast: boolean
}

/**
 * The product catalogue of one account. Each variant of a product is a separate entry, identified by `productKeyOf`.
 *
 * @since 0.2.0
 * @category stores
 */
export interface ProductStore {
  /** Adds products, or replaces those with the same keys. */
  readonly put: (products: ReadonlyArray<Product>) => Effect.Effect<void, StorageError>
  /** Removes products, with their links to groups. Unknown keys have no effect. */
  readonly remove: (keys: ReadonlyArray<string>) => Effect.Effect<void, StorageError>
  /** The products with these keys, each once, in any order. */
  readonly get: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Product>, StorageError>
  /**
   * Every product whose `id`, `externalId` or `externalVariantId` is one of these, each once, in any order. Used to
   * complete orders.
   */
  readonly find: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Product>, StorageError>
  /** A slice of the catalogue, by name, then id, then variant (`ListOrder.products`). */
  readonly list: (
    filter: ProductFilter,
    slice: Slice,
  ) => Effect.Effect<Sliced<Product>, StorageError>
  /**
   * The next products by key (compared by code units): those after `after`, from the first when it is `undefined`.
   * Fewer than `limit`: there are no more. It is used to read a catalogue of any size.
   */
  readonly batch: (options: {
    readonly after: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Product>, StorageError>
  /**
   * The next products by key that a group's link selects: those after `after`, from the first when it is `undefined`,
   * and at most `limit`. It must select the same products as the rules (`RuleSet.linkedGroups`). Only for stores that
   * find them faster than by reading the catalogue, as the services do without this method.
   */
  readonly selected?: (options: {
    readonly link: Link
    readonly after: string | undefined
    readonly limit: number
  }) => Effect.Effect<SelectedProducts, StorageError>
}

/**
 * The key of a catalogue entry: the product's id and, if it has one, its variant's.
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
