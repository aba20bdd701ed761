import fc from "fast-check"
import * as Catalogue from "../../orders/Catalogue.js"
import type { Product } from "../../orders/Product.js"
import { productKeyOf } from "../../ports/ProductStore.js"
import type { AmountRange } from "./internal/Choice.js"
import { amount, texts } from "./internal/pools.js"
import { currency } from "./Money.js"
import { entryName, id, text } from "./Texts.js"

/**
 * Ids of products: mostly from a small pool, so that groups name products and products share ids.
 *
 * @since 0.2.0
 * @category products
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * new Set(fc.sample(Arbitraries.productId(), 200)).has("p1") // => true
 * ```
 */
export const productId = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("p1", "P1", "p2", "p3", "7", "07", " p1") },
    { weight: 1, arbitrary: id() },
  )

/**
 * Products, or variants of one: any field may be absent but the id.
 *
 * @param options.amounts - how large price and cost may be
 * @param options.id - of the product; {@link productId} when absent
 * @since 0.2.0
 * @category products
 * @example
 * ```ts
 * import { Product } from "apportion/schema"
 * import { Arbitraries } from "apportion/testing"
 * import { Schema } from "effect"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.product(), 50).every(Schema.is(Product)) // => true
 * ```
 */
export const product = (
  options: AmountRange & { readonly id?: fc.Arbitrary<string> | undefined } = {},
): fc.Arbitrary<Product> =>
  fc.record(
    {
      id: options.id ?? productId(),
      externalId: productId(),
      externalVariantId: fc.constantFrom("red", "blue", "7", "a/b", ""),
      name: fc.oneof(text(), entryName()),
      sku: fc.option(text()),
      vendor: text(),
      price: amount(options),
      cost: amount(options),
      tags: texts(),
      inventoryQuantity: fc.option(fc.integer({ min: -5, max: 1_000 })),
    },
    { requiredKeys: ["id"] },
  )

/**
 * Lists of products that can be put into a store together: each of them is an entry of its own.
 *
 * @since 0.2.0
 * @category products
 * @example
 * ```ts
 * import { productKeyOf } from "apportion/ports"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const lists = fc.sample(Arbitraries.products(), 50)
 * lists.every((list) => new Set(list.map(productKeyOf)).size === list.length) // => true
 * ```
 */
export const products = (
  options: AmountRange & { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<ReadonlyArray<Product>> => {
  const { minLength = 0, maxLength = 8 } = options
  return fc.uniqueArray(product(options), { minLength, maxLength, selector: productKeyOf })
}

/**
 * Catalogues, with and without a currency.
 *
 * @since 0.2.0
 * @category products
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.catalogue(), 200).some(({ products }) => products.length > 2) // => true
 * ```
 */
export const catalogue = (options: AmountRange = {}): fc.Arbitrary<Catalogue.Catalogue> =>
  fc
    .tuple(products(options), fc.option(currency(), { nil: undefined }))
    .map(([list, code]) => Catalogue.make(list, { currency: code }))
