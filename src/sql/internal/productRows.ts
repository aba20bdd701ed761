/** Products as rows of tables, and the terms by which they are found. */
import { foldText, type Product, searchTexts } from "../../matching/Product.js"
import { productKeyOf } from "../../ports/ProductStore.js"
import { json, text } from "./rows.js"
import { toSearchable } from "./texts.js"

/** What a term is: of `id`, the product's own and its external one. */
export type TermKind = "id" | "variant" | "tag" | "vendor"

/** A product with what is stored beside it. */
export interface ProductRow {
  readonly key: string
  /** Orders as `ListOrder.products` does. */
  readonly place: string
  readonly search: string
  readonly document: string
}

/** A text by which a product is found, in the form in which it is compared. */
export interface TermRow {
  readonly kind: TermKind
  readonly term: string
  readonly key: string
}

/** Comes before all that can go on in a part, so that texts of parts sort as their first different parts do. */
const endOfPart = "\u0001\u0001"

const partOf = (value: string): string => text(value).replaceAll("\u0001", "\u0001\u0002")

const placeOf = ({ name = "", id, externalVariantId }: Product): string => {
  const variant = externalVariantId === undefined ? "" : `/${externalVariantId}`
  return [name, id, variant].map(partOf).join(endOfPart)
}

/** Stands alone in no searchable text: what is found lies within one of the texts. */
const endOfText = "\u0001"

const searchOf = (product: Product): string =>
  searchTexts(product).map(toSearchable).join(endOfText)

const rowOf = (product: Product): ProductRow => ({
  key: text(productKeyOf(product)),
  place: placeOf(product),
  search: searchOf(product),
  document: json(product),
})

/** Texts of links in the form in which terms of their kind are compared: ids as they are, others folded. */
export const compared = (kind: TermKind, value: string): string =>
  text(kind === "id" || kind === "variant" ? value : foldText(value))

/** The terms of a product; what it does not have, it can't be found by. */
export const termsOf = (product: Product): ReadonlyArray<TermRow> => {
  const { id, externalId, externalVariantId, vendor, tags = [] } = product
  const key = text(productKeyOf(product))
  const given: ReadonlyArray<readonly [TermKind, string | undefined]> = [
    ["id", id],
    ["id", externalId],
    ["variant", externalVariantId],
    ["vendor", vendor],
    ...tags.map((tag) => ["tag", tag] as const),
  ]
  return given.flatMap(([kind, value]) =>
    value === undefined ? [] : { kind, term: compared(kind, value), key },
  )
}

/** The rows of products; of two with the same key, the later one counts. */
export const rowsOf = (
  products: ReadonlyArray<Product>,
): { readonly rows: ReadonlyArray<ProductRow>; readonly terms: ReadonlyArray<TermRow> } => {
  const byKey = new Map(products.map((product) => [productKeyOf(product), product]))
  const distinct = [...byKey.values()]
  return { rows: distinct.map(rowOf), terms: distinct.flatMap(termsOf) }
}
