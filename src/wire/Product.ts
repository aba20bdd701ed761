/**
 * A product as JSON: the product of an order item.
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as reader from "../internal/reader.js"
import type * as Core from "../orders/Product.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { Unreadable } from "../Unreadable.js"
import { CollaboratorView, write as writeCollaborator } from "./Collaborator.js"
import { type ProductField, readProduct } from "./internal/items.js"
import { NullableInt, NullableText } from "./internal/scalars.js"

/**
 * The product object of the wire. Amounts are cents; what the product does not have is null.
 *
 * @since 0.6.0
 * @category schemas
 */
export const ProductView = Schema.Struct({
  id: Schema.String,
  external_id: NullableText,
  external_variant_id: NullableText,
  name: NullableText,
  sku: NullableText,
  vendor: NullableText,
  price: NullableInt.annotate({ description: "Cents" }),
  cost: NullableInt.annotate({ description: "Cents" }),
  tags: Schema.Array(Schema.String),
  inventory_quantity: NullableInt,
} satisfies Record<ProductField, Schema.Top>).annotate({
  identifier: "Product",
  description: "A product, or one variant of it",
})

/**
 * The product object of the wire. Amounts are cents; what the product does not have is null.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProductView extends Schema.Schema.Type<typeof ProductView> {}

/**
 * Reads a product. Only an id is needed: `id`, or `external_id` when there is no other. Ids and the sku
 * may be whole numbers, which are taken as texts; `price` and `cost` are cents. Fails with `Unreadable`,
 * which lists every problem with its path.
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
 * A product in a list, which can tell whose groups it is linked to.
 *
 * @since 0.6.0
 * @category schemas
 */
export const ListedProductView = Schema.Struct({
  ...ProductView.fields,
  collaborators: Schema.optionalKey(Schema.Array(CollaboratorView)).annotate({
    description:
      "The collaborators whose groups the product is linked to, when include_collaborators is set",
  }),
}).annotate({ identifier: "ListedProduct", description: "A product in the catalogue's list" })

/**
 * A product in a list, which can tell whose groups it is linked to.
 *
 * @since 0.6.0
 * @category models
 */
export interface ListedProductView extends Schema.Schema.Type<typeof ListedProductView> {}

/**
 * A product in a list that tells whose groups it is linked to.
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
