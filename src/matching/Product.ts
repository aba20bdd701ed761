/**
 * What is sold. Rules select products by id, tag and vendor; the rest is for cost deduction and display.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Cents from "../money/Cents.js"

/**
 * A product, or one variant of it.
 *
 * @since 0.1.0
 * @category models
 * @example
 * ```ts
 * import type { Product } from "apportion"
 *
 * const print: Product.Product = { id: "p1", vendor: "North", tags: ["art"], price: 2_500 }
 * ```
 */
export interface Product {
  /** The host's own id; rules of type `products` name it (or `externalId`). */
  readonly id: string
  /** The id in the shop system. */
  readonly externalId?: string | undefined
  readonly externalVariantId?: string | undefined
  readonly name?: string | undefined
  readonly sku?: string | null | undefined
  readonly vendor?: string | undefined
  /** Price of one unit, in the lowest unit of the order's currency. */
  readonly price?: number | undefined
  /** What one unit costs the store, in the lowest unit of the order's currency. */
  readonly cost?: number | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  readonly inventoryQuantity?: number | null | undefined
}

const text = Schema.optional(Schema.String)

/**
 * Schema of {@link Product}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Product: Schema.Codec<Product> = Schema.Struct({
  id: Schema.NonEmptyString,
  externalId: text,
  externalVariantId: text,
  name: text,
  sku: Schema.optional(Schema.NullOr(Schema.String)),
  vendor: text,
  price: Schema.optional(Cents.Cents),
  cost: Schema.optional(Cents.Cents),
  tags: Schema.optional(Schema.Array(Schema.String)),
  inventoryQuantity: Schema.optional(Schema.NullOr(Schema.Int)),
})
