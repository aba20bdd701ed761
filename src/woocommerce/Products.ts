/**
 * WooCommerce's products and their variations, as its REST API returns them and its webhooks send them.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { readGuarded } from "../internal/platform.js"
import { mostProblems } from "../internal/problems.js"
import { withThoseOf } from "../internal/productTags.js"
import * as reader from "../internal/reader.js"
import { keyOf, type Product } from "../orders/Product.js"
import type { Unreadable } from "../Unreadable.js"
import {
  optionProblems,
  type ProductReadOptions,
  type ReadProduct,
  readProduct,
} from "./internal/products.js"

export type { ProductReadOptions as ReadOptions, ProductTagSource } from "./internal/products.js"

const what = "WooCommerce product list"

/** A variation's entry, completed from its product. */
const completed = (own: Product, base: Product | undefined): Product => ({
  ...own,
  name: own.name ?? base?.name,
  vendor: own.vendor ?? base?.vendor,
  ...withThoseOf(own, base),
})

/** All entries, with each variation completed from its product. */
const together = (all: ReadonlyArray<ReadProduct>): ReadonlyArray<Product> => {
  const products = new Map<string, Product>()
  for (const { entries, isVariation } of all) {
    if (!isVariation) for (const entry of entries) products.set(keyOf(entry), entry)
  }
  for (const { id, entries, isVariation } of all) {
    if (!isVariation) continue
    for (const own of entries) products.set(keyOf(own), completed(own, products.get(keyOf({ id }))))
  }
  return [...products.values()]
}

const readAll = (
  input: unknown,
  options: ProductReadOptions,
): Result.Result<ReadonlyArray<Product>, Unreadable> => {
  const problems = [...optionProblems(options)]
  const all: Array<ReadProduct> = []
  const values: ReadonlyArray<unknown> = Array.isArray(input) ? input : [input]
  for (const [index, value] of values.entries()) {
    const path = Array.isArray(input) ? `[${index}]` : ""
    const read = (node: reader.Node) => readProduct(node, options)
    const result = reader.read(value, { what, path, read })
    if (Result.isSuccess(result)) all.push(result.success)
    else problems.push(...result.failure.problems)
    // More problems are not reported, and a list with holes may be very long.
    if (value === undefined || problems.length >= mostProblems) break
  }
  return problems.length === 0
    ? Result.succeed(together(all))
    : Result.fail(reader.unreadable(what, problems))
}

/**
 * Reads one product or a list of products and variations. A product is one entry, and one more for each of its
 * variations, with its tags; a variation (`parent_id` names its product) has its own price, SKU, cost and stock.
 * The vendor is the first of the product's brands. Prices become cents by the currency's digits, half-up. Fails with
 * `Unreadable`, which lists every problem of all products with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Products } from "apportion/woocommerce"
 * import { Result } from "effect"
 *
 * const products = Products.read(
 *   { id: 93, name: "Print", price: "9.50", tags: [{ id: 1, name: "art" }], categories: [{ id: 2, name: "Posters" }] },
 *   { currency: "EUR", tagsFrom: ["category"] },
 * )
 * Result.getOrThrow(products)[0]?.tags // => ["art", "category:Posters"]
 * Result.getOrThrow(products)[0]?.price // => 950
 * ```
 */
export const read = (
  input: unknown,
  options: ProductReadOptions,
): Result.Result<ReadonlyArray<Product>, Unreadable> =>
  readGuarded(what, input, () => readAll(input, options))
