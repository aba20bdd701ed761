/**
 * A product as JSON: the product of an order item.
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as reader from "../internal/reader.js"
import type * as Core from "../orders/Product.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { Unreadable } from "../Unreadable.js"
import { type CollaboratorView, write as writeCollaborator } from "./Collaborator.js"
import { readProduct } from "./internal/items.js"
import type * as Schemas from "./Schemas.js"

/**
 * The product object of the wire. Amounts are cents; fields that the product lacks are null.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProductView extends Schema.Schema.Type<typeof Schemas.ProductView> {}

/**
 * Reads a product. Only an id is required: `id`, or `external_id` without it. Ids and the sku may be whole numbers,
 * which are read as texts; `price` and `cost` are cents. `other_ids` may be given too. Fails with `Unreadable`, which lists every problem with its
 * path.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Product } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const product = Product.read({ id: 632910392, vendor: "North", tags: ["art"], price: 2_500 })
 * Result.getOrThrow(product).id // => "632910392"
 * ```
 */
export const read = (input: unknown): Result.Result<Core.Product, Unreadable> =>
  reader.read(input, { what: "product", read: readProduct })

/**
 * Writes a product with every field of the wire's product object.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Product } from "apportion/wire"
 *
 * Product.write({ id: "p1", price: 2_500 }).vendor // => null
 * ```
 */
export const write = (product: Core.Product): ProductView => ({
  id: product.id,
  external_id: product.externalId ?? null,
  external_variant_id: product.externalVariantId ?? null,
  name: product.name ?? null,
  sku: product.sku ?? null,
  vendor: product.vendor ?? null,
  price: product.price ?? null,
  cost: product.cost ?? null,
  tags: product.tags ?? [],
  inventory_quantity: product.inventoryQuantity ?? null,
})

/**
 * A product with its other ids, which the wire's product object does not have.
 *
 * @since 0.6.0
 * @category models
 */
export interface WholeProductView extends Schema.Schema.Type<typeof Schemas.WholeProductView> {}

/**
 * Writes a product with every field of the wire's product object and, where it has any, its other ids.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Product } from "apportion/wire"
 *
 * Product.writeWhole({ id: "p1", otherIds: ["sku:MUG"] }).other_ids // => ["sku:MUG"]
 * "other_ids" in Product.writeWhole({ id: "p1" }) // => false
 * ```
 */
export const writeWhole = (product: Core.Product): WholeProductView => {
  const { otherIds = [] } = product
  return { ...write(product), ...(otherIds.length === 0 ? {} : { other_ids: otherIds }) }
}

/**
 * A product in a list, with the collaborators whose groups it is linked to.
 *
 * @since 0.2.0
 * @category models
 */
export interface SharedProductView extends ProductView {
  readonly collaborators: ReadonlyArray<CollaboratorView>
}

/**
 * Writes a product with the collaborators whose groups it is linked to.
 *
 * @since 0.2.0
 * @category encoding
 * @example
 * ```ts
 * import { Collaborator } from "apportion"
 * import { Product } from "apportion/wire"
 *
 * const ada = Collaborator.make({ id: "ada", currency: "EUR" })
 * const view = Product.writeShared({ id: "p1" }, [ada])
 * view.collaborators.map((collaborator) => collaborator.id) // => ["ada"]
 * ```
 */
export const writeShared = (
  product: Core.Product,
  collaborators: ReadonlyArray<Collaborator>,
): SharedProductView => ({
  ...write(product),
  collaborators: collaborators.map(writeCollaborator),
})
