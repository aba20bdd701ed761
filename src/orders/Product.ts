/**
 * What is sold. Rules select products by id, tag and vendor; the rest is for cost deduction and display.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as spelling from "../internal/fieldNames.js"
import { objectOf, read, type Shape } from "../internal/fields.js"
import { escapeSlash } from "../internal/names.js"
import { reading } from "../internal/problems.js"
import type { Problem } from "../Problem.js"
import { type Unreadable, unreadable } from "../Unreadable.js"
import { fold } from "./internal/attributeText.js"
import { productShape } from "./internal/shapes.js"

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
  /** The host's own id; rules of type `products` name it (or `externalId`, or one of `otherIds`). */
  readonly id: string
  /** The id in the shop system. */
  readonly externalId?: string | undefined
  readonly externalVariantId?: string | undefined
  /**
   * More ids by which rules of type `products` can name it. The readers of platforms make them with a prefix, where
   * `idsFrom` asks for them: `variant:731`, `sku:PRINT-A4`, `type:Poster`, `category:Posters`, `collection:Summer`.
   *
   * @since 0.6.0
   */
  readonly otherIds?: ReadonlyArray<string> | undefined
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

const fields = /* @__PURE__ */ Object.keys(productShape satisfies Shape<Product>)

/**
 * Misspelt fields of a product, such as `vender`: they would have no effect, and somebody would be paid a wrong amount.
 * A host's own fields are ignored, up to a thousand of them.
 *
 * @param place - where the product stands in something larger, for the problems' paths
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { Product } from "apportion"
 *
 * Product.misspelt({ id: "p1", vender: "North", shelf: 12 }).map(({ path }) => path) // => ["vender"]
 * ```
 */
export const misspelt = (product: unknown, place = ""): ReadonlyArray<Problem> =>
  reading(product, (value) => spelling.misspelt(value, fields, place))

/**
 * Reads a product: every field has to be valid, and none may be misspelt. All problems are reported at once. Unknown
 * fields are left out.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Product } from "apportion"
 * import { Result } from "effect"
 *
 * const result = Product.parse({ id: "p1", price: "900" })
 * Result.isFailure(result) && result.failure.message // => 'the product can\'t be read: price: must be number, got "900"'
 * ```
 */
export const parse = (input: unknown): Result.Result<Product, Unreadable> => {
  const known = read<Product>(input, objectOf(productShape))
  const found = [...misspelt(input), ...(Result.isFailure(known) ? known.failure : [])]
  return Result.isSuccess(known) && found.length === 0
    ? Result.succeed(known.success)
    : Result.fail(unreadable("product", found))
}

/**
 * The key of a catalogue entry: the product's id and, if it has one, its variant's.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { Product } from "apportion"
 *
 * Product.keyOf({ id: "p1" }) // => "p1"
 * Product.keyOf({ id: "p1", externalVariantId: "red" }) // => "p1/red"
 * ```
 */
export const keyOf = (product: Pick<Product, "id" | "externalVariantId">): string => {
  const { id, externalVariantId } = product
  const suffix = externalVariantId === undefined ? "" : `/${escapeSlash(externalVariantId)}`
  return `${escapeSlash(id)}${suffix}`
}

/**
 * Text as rules and searches compare it: trimmed, in Unicode's composed form, case-folded.
 *
 * @since 0.2.0
 * @category operations
 * @example
 * ```ts
 * import { Product } from "apportion"
 *
 * Product.foldText(" Café NORTH ") // => "café north"
 * ```
 */
export const foldText = (text: string): string => fold(text)

/**
 * The texts of a product that a search covers: its ids, name, sku, vendor and tags, each folded by {@link foldText}. A
 * store can keep them with the product.
 *
 * @since 0.2.0
 * @category operations
 * @example
 * ```ts
 * import { Product } from "apportion"
 *
 * Product.searchTexts({ id: "p1", name: "Blue Mug", tags: ["Art"] }) // => ["p1", "blue mug", "art"]
 * ```
 */
export const searchTexts = (product: Product): ReadonlyArray<string> => {
  const { id, externalId, externalVariantId, name, sku, vendor, tags = [] } = product
  const texts = [id, externalId, externalVariantId, name, sku, vendor, ...tags]
  return texts.flatMap((text) => (text == null || text === "" ? [] : fold(text)))
}

/**
 * Whether a search finds a product: one of its {@link searchTexts} contains the text, ignoring case. A blank search
 * finds everything.
 *
 * @since 0.2.0
 * @category operations
 * @example
 * ```ts
 * import { Product } from "apportion"
 *
 * const mug = { id: "p1", name: "Blue Mug", tags: ["Art"] }
 * Product.matchesSearch(mug, " MUG ") // => true
 * Product.matchesSearch(mug, "cap") // => false
 * ```
 */
export const matchesSearch = (product: Product, search: string): boolean => {
  const text = fold(search)
  return text === "" || searchTexts(product).some((known) => known.includes(text))
}
