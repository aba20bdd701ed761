/**
 * Shopify's products: the admin API's JSON, the webhooks, and the CSV export.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import * as Currency from "../money/Currency.js"
import type { Product } from "../orders/Product.js"
import type { Problem } from "../Problem.js"
import type { Unreadable } from "../Unreadable.js"
import * as documents from "./internal/documents.js"
import { filled, tags } from "./internal/documents.js"
import * as money from "./internal/money.js"
import { readRows, variantName } from "./internal/productRows.js"

/**
 * What reading Shopify's products needs to know beside them.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadOptions {
  /** The shop's currency, an ISO 4217 code: product data does not name it. */
  readonly currency: string
  /**
   * What becomes of a price or cost that is no amount of the currency, as 9.95 of yen: a problem, or a
   * product without it. `"refuse"` when absent.
   *
   * @since 0.6.0
   */
  readonly oddAmounts?: "refuse" | "leave-out" | undefined
}

const what = "Shopify product list"

const checkCurrency = ({ currency }: ReadOptions): ReadonlyArray<Problem> =>
  Currency.isCurrency(currency)
    ? []
    : [
        {
          path: "currency",
          value: currency,
          message: `must be an ISO 4217 currency code, as USD, got ${reader.describe(currency)}`,
        },
      ]

interface ProductFields {
  readonly id: string
  readonly title: string | undefined
  readonly vendor: string | undefined
  readonly tags: ReadonlyArray<string>
}

const readAmount = (
  node: reader.Node,
  key: string,
  { currency, oddAmounts }: ReadOptions,
): number | undefined =>
  oddAmounts === "leave-out"
    ? money.amount({ ...node, problems: [] }, key, currency)
    : money.amount(node, key, currency)

const readVariant = (node: reader.Node, product: ProductFields, options: ReadOptions): Product => ({
  id: product.id,
  externalId: product.id,
  externalVariantId: reader.neededId(node, "id"),
  name: variantName(product.title, [filled(node, "title")]),
  sku: filled(node, "sku") ?? null,
  vendor: product.vendor,
  price: readAmount(node, "price", options),
  cost: readAmount(node, "cost", options),
  tags: product.tags,
  inventoryQuantity: reader.whole(node, "inventory_quantity") ?? null,
})

const readProduct = (node: reader.Node, options: ReadOptions): ReadonlyArray<Product> => {
  const product: ProductFields = {
    id: reader.neededId(node, "id"),
    title: filled(node, "title"),
    vendor: filled(node, "vendor"),
    tags: tags(node, "tags"),
  }
  const variants = reader.children(node, "variants") ?? []
  if (variants.length > 0) return variants.map((variant) => readVariant(variant, product, options))
  const { id, title, vendor } = product
  return [{ id, externalId: id, name: title, vendor, tags: product.tags }]
}

/**
 * Reads the products of a document: a bare product as in a webhook, `{ product }`, `{ products: [...] }`,
 * or a list. Each variant becomes one product of the core, with its product's title, vendor and tags.
 * Prices become cents by the currency's digits, never through floating-point numbers. Fails with
 * `Unreadable`, which lists every problem of all products with its path.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Products } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const products = Products.read(
 *   { product: { id: 1, title: "Print", tags: "art, wall", variants: [{ id: 2, title: "A4", price: "9.50" }] } },
 *   { currency: "EUR" },
 * )
 * Result.getOrThrow(products)[0]?.name // => "Print - A4"
 * Result.getOrThrow(products)[0]?.price // => 950
 * ```
 */
export const read = (
  input: unknown,
  options: ReadOptions,
): Result.Result<ReadonlyArray<Product>, Unreadable> => {
  const problems = [...checkCurrency(options)]
  const products: Array<Product> = []
  for (const { path, value } of documents.find(input, { one: "product", many: "products" })) {
    const read = (node: reader.Node) => readProduct(node, options)
    const result = reader.read(value, { what, path, read })
    if (Result.isSuccess(result)) products.push(...result.success)
    else problems.push(...result.failure.problems)
  }
  return problems.length === 0
    ? Result.succeed(products)
    : Result.fail(reader.unreadable(what, problems))
}

/**
 * Reads the rows of Shopify's product CSV export, as a CSV parser gives them: one object a row, with the
 * header's names as keys. A row that continues a handle has the title, vendor and tags of the handle's
 * first row; a row with neither a price nor an option (an image) is skipped.
 *
 * The product's id is its handle. The variant's id is its SKU, else the handle and the option values, as
 * `gemstone/Blue`. `Cost per item` is the cost. Fails with `Unreadable`, which lists every problem with
 * its row (the header is row 1) and column.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Products } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const products = Products.fromRows(
 *   [
 *     { Handle: "mug", Title: "Mug", Vendor: "North", Tags: "home", "Option1 Value": "Red", "Variant Price": "9.5" },
 *     { Handle: "mug", Title: "", Vendor: "", Tags: "", "Option1 Value": "Blue", "Variant Price": "10" },
 *   ],
 *   { currency: "USD" },
 * )
 * Result.getOrThrow(products)[1]?.externalVariantId // => "mug/Blue"
 * Result.getOrThrow(products)[1]?.vendor // => "North"
 * ```
 */
export const fromRows = (
  rows: ReadonlyArray<Readonly<Record<string, string>>>,
  options: ReadOptions,
): Result.Result<ReadonlyArray<Product>, Unreadable> => {
  const { products, problems } = readRows(rows, options)
  const all = [...checkCurrency(options), ...problems]
  return all.length === 0 ? Result.succeed(products) : Result.fail(reader.unreadable(what, all))
}
