import * as Effect from "effect/Effect"
import {
  foldOf,
  ofProduct,
  type ProductAttribute,
  productAttributes,
} from "../../orders/Attribute.js"
import { foldText, type Product, searchTexts } from "../../orders/Product.js"
import {
  type ProductFilter,
  productKeyOf,
  type SelectedProducts,
} from "../../ports/ProductStore.js"
import type { Slice, Sliced } from "../../ports/Slice.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { Link } from "../../rules/ProductGroup.js"
import {
  documentOf,
  json,
  type Parameter,
  type Row,
  text,
  textOf,
  toSearchable,
  whole,
  wholeOf,
} from "./rows.js"
import type { Session } from "./Session.js"

// Parts of lists of products, in the order of `ListOrder.products`.

/** The index has the first part of it, in which nearly all places differ already. */
const inOrder = "ORDER BY left(p.place, 300), p.place"

const countAll = "SELECT products_count AS total FROM apportion.accounts WHERE account_id = $1"

const listAll = `SELECT p.document::text AS document FROM apportion.products p
  WHERE p.account_id = $1 ${inOrder} OFFSET $2 LIMIT $3`

const found = "p.account_id = $1 AND strpos(p.search, $2) > 0"

const countFound = `SELECT count(*) AS total FROM apportion.products p WHERE ${found}`

const listFound = `SELECT p.document::text AS document FROM apportion.products p
  WHERE ${found} ${inOrder} OFFSET $3 LIMIT $4`

const ofCollaborator = `${found} AND EXISTS (
    SELECT 1 FROM apportion.product_links l
    JOIN apportion.product_groups g ON g.account_id = l.account_id AND g.group_id = l.group_id
    WHERE l.account_id = $1 AND l.product_key = p.product_key AND g.collaborator_id = $3
  )`

const countOfCollaborator = `SELECT count(*) AS total FROM apportion.products p
  WHERE ${ofCollaborator}`

const listOfCollaborator = `SELECT p.document::text AS document FROM apportion.products p
  WHERE ${ofCollaborator} ${inOrder} OFFSET $4 LIMIT $5`

/** The products that rows hold. */
export const productsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Product> =>
  rows.map((row) => documentOf<Product>(row))

/** The number that a row holds; 0 when there is no row. */
export const totalOf = ([row]: ReadonlyArray<Row>): number =>
  row === undefined ? 0 : wholeOf(row, "total")

/** The statements that give the length of a list and a part of it. */
export interface Listing {
  readonly count: string
  readonly list: string
  readonly parameters: ReadonlyArray<Parameter>
}

/** The statements that answer a filter; a search for nothing finds everything. */
export const listingOf = ({ search = "", collaboratorId }: ProductFilter): Listing => {
  const folded = toSearchable(foldText(search))
  if (collaboratorId !== undefined) {
    const parameters = [folded, text(collaboratorId)]
    return { count: countOfCollaborator, list: listOfCollaborator, parameters }
  }
  return folded === ""
    ? { count: countAll, list: listAll, parameters: [] }
    : { count: countFound, list: listFound, parameters: [folded] }
}

/** A part of a list of products, with the length of the whole. */
export const listProducts = (
  session: Session,
  { count, list, parameters }: Listing,
  { offset, limit }: Slice,
): Effect.Effect<Sliced<Product>, StorageError> =>
  Effect.gen(function* () {
    const total = totalOf(yield* session.read("count products", count, parameters))
    // Behind the end there is nothing to be looked for.
    if (offset >= total) return { entries: [], total }
    const slice = [...parameters, whole(offset), whole(limit)]
    return { entries: productsOf(yield* session.read("list products", list, slice)), total }
  })

// Products as rows of tables, and the terms by which they are found.

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

const termKinds: { readonly [A in ProductAttribute]: TermKind } = {
  products: "id",
  "products.tag": "tag",
  "products.vendor": "vendor",
}

/** Values of an attribute in the form in which terms are compared. */
const termsIn = (attribute: ProductAttribute, values: ReadonlyArray<string>) => {
  const fold = foldOf(attribute)
  return values.map((value) => text(fold(value)))
}

/** The terms of a product; what it does not have, it can't be found by. */
export const termsOf = (product: Product): ReadonlyArray<TermRow> => {
  const { externalVariantId } = product
  const key = text(productKeyOf(product))
  const rows = productAttributes.flatMap((attribute) =>
    termsIn(attribute, ofProduct[attribute](product)).map((term) => ({
      kind: termKinds[attribute],
      term,
      key,
    })),
  )
  return externalVariantId === undefined
    ? rows
    : [...rows, { kind: "variant", term: text(externalVariantId), key }]
}

/** The rows of products; of two with the same key, the later one counts. */
export const rowsOf = (
  products: ReadonlyArray<Product>,
): { readonly rows: ReadonlyArray<ProductRow>; readonly terms: ReadonlyArray<TermRow> } => {
  const byKey = new Map(products.map((product) => [productKeyOf(product), product]))
  const distinct = [...byKey.values()]
  return { rows: distinct.map(rowOf), terms: distinct.flatMap(termsOf) }
}

// What the link of a group selects, looked up by the terms of products instead of asking each of them.

/** The first of the stored texts that stand after a text; before them all when there is none. */
export const firstAfter = (after: string | undefined): string =>
  after === undefined ? "" : `${text(after)}\u0001`

const all = `SELECT product_key FROM apportion.products
  WHERE account_id = $1 AND product_key >= $2 ORDER BY product_key LIMIT $3`

// Of each term only the first products are looked at, so that a batch costs what it is, not what the terms have.
const withTerms = `SELECT DISTINCT found.product_key
  FROM (SELECT DISTINCT apportion.term_of(given) AS term FROM unnest($5::text[]) AS given) AS wanted
  CROSS JOIN LATERAL (
    SELECT t.product_key FROM apportion.product_terms t
    WHERE t.account_id = $1 AND t.kind = $4 AND t.term = wanted.term AND t.product_key >= $2
    ORDER BY t.product_key LIMIT $3
  ) AS found
  ORDER BY found.product_key LIMIT $3`

// The OFFSET keeps it a question about each product in turn, of which a batch asks only as many as it needs.
const withoutTerms = `SELECT p.product_key FROM apportion.products p
  WHERE p.account_id = $1 AND p.product_key >= $2 AND NOT EXISTS (
    SELECT 1 FROM apportion.product_terms t
    WHERE t.account_id = $1 AND t.product_key = p.product_key AND t.kind = $4
      AND t.term = ANY(ARRAY(SELECT apportion.term_of(given) FROM unnest($5::text[]) AS given))
    OFFSET 0
  )
  ORDER BY p.product_key LIMIT $3`

const countRest = `SELECT count(*) AS total FROM apportion.products
  WHERE account_id = $1 AND product_key >= $2`

const countThrough = `${countRest} AND product_key <= $3`

interface Lookup {
  readonly statement: string
  readonly parameters: ReadonlyArray<Parameter>
}

/** What looks a link's products up; `undefined`: it selects none. */
const lookupOf = ({ type, modifier, values }: Link): Lookup | undefined => {
  const isNot = modifier === "NOT"
  if (type === "products.all") return isNot ? undefined : { statement: all, parameters: [] }
  const statement = isNot ? withoutTerms : withTerms
  return { statement, parameters: [termKinds[type], [...new Set(termsIn(type, values))]] }
}

/** How many products lie from a key on: through another one, or to the end. */
const countFrom = (
  session: Session,
  from: string,
  through: string | undefined,
): Effect.Effect<number, StorageError> => {
  const doing = "count the products that were looked at"
  return Effect.map(
    through === undefined
      ? session.read(doing, countRest, [from])
      : session.read(doing, countThrough, [from, text(through)]),
    totalOf,
  )
}

/** The next products that a link selects, by key. */
export const selected = Effect.fnUntraced(function* (
  session: Session,
  options: {
    readonly link: Link
    readonly after: string | undefined
    readonly limit: number
  },
): Effect.fn.Return<SelectedProducts, StorageError> {
  const { link, after, limit } = options
  const from = firstAfter(after)
  const lookup = lookupOf(link)
  const rows =
    lookup === undefined
      ? []
      : yield* session.read("find the products of a link", lookup.statement, [
          ...[from, whole(limit + 1), ...lookup.parameters],
        ])
  const keys = rows.slice(0, limit).map((row) => textOf(row, "product_key"))
  const isLast = rows.length <= limit
  // Where everything is selected, it has been counted already.
  const scanned =
    lookup?.statement === all
      ? keys.length
      : yield* countFrom(session, from, isLast ? undefined : keys.at(-1))
  return { keys, scanned, isLast }
})
