/** Parts of lists of products, in the order of `ListOrder.products`. */
import * as Effect from "effect/Effect"
import { foldText, type Product } from "../../matching/Product.js"
import type { ProductFilter } from "../../ports/ProductStore.js"
import type { Slice, Sliced } from "../../ports/Slice.js"
import type { StorageError } from "../../ports/StorageError.js"
import { documentOf, type Parameter, type Row, text, whole, wholeOf } from "./rows.js"
import type { Session } from "./Session.js"
import { toSearchable } from "./texts.js"

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
