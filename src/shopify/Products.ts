/**
 * Shopify's products: the admin API's JSON, the webhooks, and the CSV export.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { type AskedSources, bringing, sourceProblems } from "../internal/productTags.js"
import * as reader from "../internal/reader.js"
import * as Currency from "../money/Currency.js"
import type { Product } from "../orders/Product.js"
import type { Problem } from "../Problem.js"
import type { Unreadable } from "../Unreadable.js"
import * as values from "./internal/values.js"
import { filled, notBlank, tags } from "./internal/values.js"

export type { ProductReadOptions as ReadOptions }

/**
 * Options for reading Shopify's products.
 *
 * @since 0.1.0
 * @category models
 */
interface ProductReadOptions {
  /** The shop's currency, an ISO 4217 code: product data does not name it. */
  readonly currency: string
  /**
   * How to treat a price or cost that is not an amount of the currency, such as 9.95 yen: as a problem, or as a product
   * without it. `"refuse"` when absent.
   *
   * @since 0.6.0
   */
  readonly oddAmounts?: "refuse" | "leave-out" | undefined
  /**
   * The data of products that is used as tags besides the product's own: `variant:808950810`, `sku:PRINT-A4`,
   * `type:Poster`, `collection:Summer`. None when absent. Tags of the shop that begin with a prefix in use then get
   * `tag:` in front.
   *
   * @since 0.6.0
   */
  readonly tagsFrom?: ReadonlyArray<ProductTagSource> | undefined
  /**
   * The data of products that is used as `otherIds`, which groups of type `products` can name: `variant:808950810`,
   * `sku:PRINT-A4`, `type:Poster`, `collection:Summer`. None when absent.
   *
   * @since 0.6.0
   */
  readonly idsFrom?: ReadonlyArray<ProductTagSource> | undefined
  /**
   * The titles of each product's collections by the product's id, as {@link collections} reads them: products do not
   * name their collections.
   *
   * @since 0.6.0
   */
  readonly collections?: ReadonlyMap<string, ReadonlyArray<string>> | undefined
}

/**
 * The data of a Shopify product that can be used as tags or ids.
 *
 * @since 0.6.0
 * @category models
 */
export type ProductTagSource = "variant" | "sku" | "type" | "collection"

const sources: ReadonlyArray<ProductTagSource> = ["variant", "sku", "type", "collection"]

/** Shopify's name for the only variant of a product without options. */
const onlyVariant = "Default Title"

/** A variant's name as Shopify writes it on an order: `Print - A4 / Black`. */
const variantName = (
  title: string | undefined,
  options: ReadonlyArray<string | undefined>,
): string | undefined => {
  const shown = options.filter((option) => option !== undefined && option !== onlyVariant)
  if (title === undefined || shown.length === 0) return title
  return `${title} - ${shown.join(" / ")}`
}

const what = "Shopify product list"

const checkOptions = ({ currency, ...asked }: ProductReadOptions): ReadonlyArray<Problem> => {
  const problems = sourceProblems(asked, sources)
  if (Currency.isCurrency(currency)) return problems
  const message = `must be an ISO 4217 currency code, as USD, got ${reader.describe(currency)}`
  return [{ path: "currency", value: currency, message }, ...problems]
}

interface ProductFields {
  readonly id: string
  readonly title: string | undefined
  readonly vendor: string | undefined
  /** The tags and ids of a variant, or of the product if it has none. */
  readonly broughtBy: (
    variant: string | undefined,
    sku: string | undefined,
  ) => Pick<Product, "tags" | "otherIds">
}

const readAmount = (
  node: reader.Node,
  key: string,
  { currency, oddAmounts }: ProductReadOptions,
): number | undefined =>
  oddAmounts === "leave-out"
    ? values.amount({ ...node, problems: [] }, key, currency)
    : values.amount(node, key, currency)

const readVariant = (
  node: reader.Node,
  product: ProductFields,
  options: ProductReadOptions,
): Product => {
  const [variant, sku] = [reader.neededId(node, "id"), filled(node, "sku")]
  return {
    id: product.id,
    externalId: product.id,
    externalVariantId: variant,
    name: variantName(product.title, [filled(node, "title")]),
    sku: sku ?? null,
    vendor: product.vendor,
    price: readAmount(node, "price", options),
    cost: readAmount(node, "cost", options),
    ...product.broughtBy(variant, sku),
    inventoryQuantity: reader.whole(node, "inventory_quantity") ?? null,
  }
}

/** The titles of collections inside a product, which some hosts add. */
const collectionsInside = (node: reader.Node): ReadonlyArray<string> =>
  (reader.children(node, "collections") ?? []).flatMap((one) => filled(one, "title") ?? [])

const readProduct = (node: reader.Node, options: ProductReadOptions): ReadonlyArray<Product> => {
  const own = tags(node, "tags")
  const productId = reader.neededId(node, "id")
  const type = filled(node, "product_type")
  const { tagsFrom = [], idsFrom = [], collections: known } = options
  const isOfCollections = [...tagsFrom, ...idsFrom].includes("collection")
  const collection = isOfCollections
    ? [...collectionsInside(node), ...(known?.get(productId) ?? [])]
    : []
  const product: ProductFields = {
    id: productId,
    title: filled(node, "title"),
    vendor: filled(node, "vendor"),
    broughtBy: (variant, sku) =>
      bringing(own, options, { variant: [variant], sku: [sku], type: [type], collection }),
  }
  const variants = reader.children(node, "variants") ?? []
  if (variants.length > 0) return variants.map((variant) => readVariant(variant, product, options))
  const { id, title, vendor, broughtBy } = product
  return [{ id, externalId: id, name: title, vendor, ...broughtBy(undefined, undefined) }]
}

// The rows of the product CSV export.

type CsvRow = Readonly<Record<string, string>>

interface RowFields {
  readonly title: string | undefined
  readonly vendor: string | undefined
  readonly tags: ReadonlyArray<string>
  readonly type: string | undefined
}

interface CsvRows {
  readonly products: ReadonlyArray<Product>
  readonly problems: ReadonlyArray<Problem>
}

const headerRows = 1

const cell = (row: CsvRow, column: string): string | undefined =>
  Object.hasOwn(row, column) ? notBlank([row[column]])[0] : undefined

const optionsOf = (row: CsvRow): ReadonlyArray<string> =>
  notBlank(["Option1 Value", "Option2 Value", "Option3 Value"].map((column) => cell(row, column)))

const sharedBy = (row: CsvRow): RowFields => ({
  title: cell(row, "Title"),
  vendor: cell(row, "Vendor"),
  tags: notBlank((cell(row, "Tags") ?? "").split(",")),
  type: cell(row, "Type"),
})

/** Shopify writes an apostrophe before a SKU that a spreadsheet would take for a number. */
const skuOf = (row: CsvRow): string | undefined => cell(row, "Variant SKU")?.replace(/^'/, "")

/** Reads the rows one by one, and keeps the values of a handle's first row for the rows that continue it. */
const readRows = (
  rows: ReadonlyArray<CsvRow>,
  { currency, oddAmounts, collections: titles, ...asked }: ProductReadOptions,
): CsvRows => {
  const problems: Array<Problem> = []
  const products: Array<Product> = []
  const shared = new Map<string, RowFields>()
  for (const [index, row] of rows.entries()) {
    const note = (column: string, message: string) =>
      problems.push({
        path: `row ${index + headerRows + 1}, column "${column}"`,
        value: row[column],
        message,
      })
    const handle = cell(row, "Handle")
    if (handle === undefined) {
      note("Handle", "is missing: every row of a product export has a handle")
      continue
    }
    const product = shared.get(handle) ?? sharedBy(row)
    shared.set(handle, product)
    const isVariant = cell(row, "Variant Price") !== undefined || optionsOf(row).length > 0
    const isRefusing = oddAmounts !== "leave-out"
    const collection = titles?.get(handle) ?? []
    const context = { handle, product, currency, isRefusing, asked, collection, note }
    if (isVariant) products.push(variantIn(row, context))
  }
  return { products, problems }
}

interface Context {
  readonly handle: string
  readonly product: RowFields
  readonly currency: string
  readonly isRefusing: boolean
  readonly asked: AskedSources<ProductTagSource>
  readonly collection: ReadonlyArray<string>
  readonly note: (column: string, message: string) => void
}

const variantIn = (row: CsvRow, context: Context): Product => {
  const { handle, product, asked, collection } = context
  const options = optionsOf(row)
  const sku = skuOf(row)
  const variant = sku ?? [handle, ...options].join("/")
  const brought = { variant: [variant], sku: [sku], type: [product.type], collection }
  return {
    id: handle,
    externalId: handle,
    externalVariantId: variant,
    name: variantName(product.title, options),
    sku: sku ?? null,
    vendor: product.vendor,
    price: amountIn(row, "Variant Price", context),
    cost: amountIn(row, "Cost per item", context),
    ...bringing(product.tags, asked, brought),
    inventoryQuantity: stockIn(row, context),
  }
}

const amountIn = (row: CsvRow, column: string, context: Context): number | undefined => {
  const text = cell(row, column)
  if (text === undefined || !Currency.isCurrency(context.currency)) return undefined
  const amount = Currency.parseAmount(text, context.currency)
  if (Result.isSuccess(amount)) return amount.success
  if (context.isRefusing) context.note(column, amount.failure.message)
  return undefined
}

const stockIn = (row: CsvRow, context: Context): number | null => {
  const text = cell(row, "Variant Inventory Qty")
  if (text === undefined) return null
  const stock = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(stock)) return stock
  context.note("Variant Inventory Qty", `must be a whole number, got "${text}"`)
  return null
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
  options: ProductReadOptions,
): Result.Result<ReadonlyArray<Product>, Unreadable> => {
  const problems = [...checkOptions(options)]
  const products: Array<Product> = []
  for (const { path, value } of values.find(input, { one: "product", many: "products" })) {
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
 * Reads the rows of Shopify's product CSV export, as a CSV parser returns them: one object per row, with the header's
 * names as keys. A row that continues a handle has the title, vendor and tags of the handle's first row; a row with
 * neither a price nor an option (an image) is skipped.
 *
 * The product's id is its handle. The variant's id is its SKU, else the handle and the option values, such as
 * `gemstone/Blue`. `Cost per item` is the cost. Fails with `Unreadable`, which lists every problem with its row (the
 * header is row 1) and column.
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
  options: ProductReadOptions,
): Result.Result<ReadonlyArray<Product>, Unreadable> => {
  const { products, problems } = readRows(rows, options)
  const all = [...checkOptions(options), ...problems]
  return all.length === 0 ? Result.succeed(products) : Result.fail(reader.unreadable(what, all))
}

// The collections of products.

const readTitles = (document: unknown, problems: Array<Problem>): ReadonlyMap<string, string> => {
  const titles = new Map<string, string>()
  for (const many of ["custom_collections", "smart_collections", "collections"]) {
    const read = (node: reader.Node) =>
      (reader.children(node, many) ?? []).map((one) => {
        const title = filled(one, "title")
        if (title === undefined) reader.refuse(one, "title", "a text")
        return [reader.neededId(one, "id"), title ?? ""] as const
      })
    const result = reader.read(document, { what: "Shopify collection list", read })
    // A value that is no object is reported when the members are read.
    if (Result.isFailure(result) && reader.isFields(document)) {
      problems.push(...result.failure.problems)
    }
    for (const [id, title] of Result.getOrElse(result, () => [])) titles.set(id, title)
  }
  return titles
}

const readMembers = (node: reader.Node, titles: ReadonlyMap<string, string>) =>
  (reader.children(node, "collects") ?? []).map((one) => {
    const title = titles.get(reader.neededId(one, "collection_id"))
    if (title === undefined) {
      reader.note(one, "collection_id", "names a collection of which no document has the title")
    }
    return [reader.neededId(one, "product_id"), title ?? ""] as const
  })

/**
 * Reads the collections of products, from documents of the admin API in any order: `{ collects: [...] }` assigns
 * products to collections; `{ custom_collections: [...] }`, `{ smart_collections: [...] }` and `{ collections: [...] }`
 * have the titles. The result is the option `collections` of {@link read}. Fails with `Unreadable`, which lists every
 * problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Products } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const collections = Products.collections([
 *   { collects: [{ collection_id: 841, product_id: 632 }] },
 *   { custom_collections: [{ id: 841, title: "Summer" }] },
 * ])
 * Result.getOrThrow(collections).get("632") // => ["Summer"]
 * ```
 */
export const collections = (
  documents: ReadonlyArray<unknown>,
): Result.Result<ReadonlyMap<string, ReadonlyArray<string>>, Unreadable> => {
  const problems: Array<Problem> = []
  const titles = new Map(documents.flatMap((one) => [...readTitles(one, problems)]))
  const found = new Map<string, Array<string>>()
  for (const document of documents) {
    const read = (node: reader.Node) => readMembers(node, titles)
    const result = reader.read(document, { what: "Shopify collection list", read })
    if (Result.isFailure(result)) problems.push(...result.failure.problems)
    for (const [productId, title] of Result.getOrElse(result, () => [])) {
      const known = found.get(productId)
      if (known === undefined) found.set(productId, [title])
      else known.push(title)
    }
  }
  return problems.length === 0
    ? Result.succeed(found)
    : Result.fail(reader.unreadable("Shopify collection list", problems))
}
