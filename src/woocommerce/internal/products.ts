import { bringing, sourceProblems } from "../../internal/productTags.js"
import * as reader from "../../internal/reader.js"
import * as Currency from "../../money/Currency.js"
import type { Product } from "../../orders/Product.js"
import type { Problem } from "../../Problem.js"
import { amount, cents } from "./orders.js"

/**
 * The data of a WooCommerce product that can be used as tags or ids.
 *
 * @since 0.6.0
 * @category models
 */
export type ProductTagSource = "variant" | "sku" | "category"

/**
 * Options for reading WooCommerce's products.
 *
 * @since 0.6.0
 * @category models
 */
export interface ProductReadOptions {
  /** The shop's currency, an ISO 4217 code: product data does not name it. */
  readonly currency: string
  /**
   * The data of products that is used as tags besides the product's own: `variant:731`, `sku:PRINT-A4`,
   * `category:Posters`. None when absent. Tags of the shop that begin with a prefix in use then get `tag:` in front.
   */
  readonly tagsFrom?: ReadonlyArray<ProductTagSource> | undefined
  /**
   * The data of products that is used as `otherIds`, which groups of type `products` can name: `variant:731`,
   * `sku:PRINT-A4`, `category:Posters`. None when absent.
   */
  readonly idsFrom?: ReadonlyArray<ProductTagSource> | undefined
}

const sources: ReadonlyArray<ProductTagSource> = ["variant", "sku", "category"]

/** The problems of the options. */
export const optionProblems = ({
  currency,
  ...asked
}: ProductReadOptions): ReadonlyArray<Problem> => {
  const problems = sourceProblems(asked, sources)
  if (Currency.isCurrency(currency)) return problems
  const message = `must be an ISO 4217 currency code, as USD, got ${reader.describe(currency)}`
  return [{ path: "currency", value: currency, message }, ...problems]
}

// Texts in the form in which WordPress stores the names of terms.

const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["#039", "'"],
  ["#39", "'"],
])

const plain = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#0?39);/g,
    (written, name: string) => entities.get(name) ?? written,
  )

const filled = (node: reader.Node, key: string): string | undefined => {
  const text = (reader.text(node, key) ?? "").trim()
  return text === "" ? undefined : text
}

/** The names of the terms in a list, such as tags. */
const names = (node: reader.Node, key: string): ReadonlyArray<string> =>
  (reader.children(node, key) ?? []).flatMap((term) => {
    const name = filled(term, "name")
    return name === undefined ? [] : [plain(name)]
  })

// Products, and their variations.

const money = (node: reader.Node, key: string, currency: string): number | undefined => {
  const value = reader.field(node, key)
  if (value === undefined || value === "") return undefined
  return cents(node, key, amount(node, key), currency)
}

const costOf = (node: reader.Node, { currency }: ProductReadOptions): number | undefined => {
  const cost = reader.child(node, "cost_of_goods_sold")
  return cost && money(cost, "total_value", currency)
}

const figuresOf = (node: reader.Node, options: ProductReadOptions) => ({
  sku: filled(node, "sku") ?? null,
  price: money(node, "price", options.currency),
  cost: costOf(node, options),
  inventoryQuantity: reader.whole(node, "stock_quantity") ?? null,
})

/** A product, or a variation without the data of its product. */
export interface ReadProduct {
  readonly id: string
  /** The product and the variations that it names, or only the variation. */
  readonly entries: ReadonlyArray<Product>
  readonly isVariation: boolean
}

const readVariation = (
  node: reader.Node,
  { parent, options }: { readonly parent: string; readonly options: ProductReadOptions },
): ReadProduct => {
  const variation = reader.neededId(node, "id")
  const figures = figuresOf(node, options)
  const brought = { variant: [variation], sku: [figures.sku ?? undefined], category: [] }
  const entry: Product = {
    ...{ id: parent, externalId: parent, externalVariantId: variation },
    name: filled(node, "name"),
    ...figures,
    ...bringing([], options, brought),
  }
  return { id: parent, entries: [entry], isVariation: true }
}

/** A variation is named by its id; the first version of the API has objects with one. */
const aVariation = {
  parse: (value: unknown) => reader.idOf(reader.isFields(value) ? value.id : value),
  expected: "the id of a variation",
}

/** Reads a product or, if it has a `parent_id`, a variation. */
export const readProduct = (node: reader.Node, options: ProductReadOptions): ReadProduct => {
  const parent = reader.id(node, "parent_id") ?? "0"
  const isNamed = reader.field(node, "type") === "variation"
  const isBare = reader.field(node, "variations") === undefined
  if (parent !== "0" && (isNamed || isBare)) return readVariation(node, { parent, options })
  const id = reader.neededId(node, "id")
  const variations = reader.parsedList(node, "variations", aVariation) ?? []
  const figures = figuresOf(node, options)
  const shared = {
    ...{ id, externalId: id, name: filled(node, "name"), vendor: names(node, "brands")[0] },
  }
  const [tags, category] = [names(node, "tags"), names(node, "categories")]
  const broughtBy = (variant: string | undefined, sku: string | null) =>
    bringing(tags, options, { variant: [variant], sku: [sku ?? undefined], category })
  const base: Product = {
    ...{ ...shared, ...figures },
    ...broughtBy(undefined, variations.length === 0 ? figures.sku : null),
  }
  const named = variations.map(
    (variant): Product => ({
      ...{ ...shared, externalVariantId: variant },
      ...broughtBy(variant, null),
    }),
  )
  return { id, entries: [base, ...named], isVariation: false }
}
