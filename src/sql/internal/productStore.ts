import * as Effect from "effect/Effect"
import type { Product } from "../../orders/Product.js"
import { type ProductStore, productKeyOf } from "../../ports/ProductStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import { forgetProducts } from "./linkStore.js"
import {
  firstAfter,
  listingOf,
  listProducts,
  productsOf,
  rowsOf,
  selected,
  type TermRow,
  totalOf,
} from "./productLists.js"
import { texts, whole } from "./rows.js"
import type { Session } from "./Session.js"

const countThose = `SELECT count(*) AS total FROM apportion.products
  WHERE account_id = $1 AND product_key = ANY($2::text[])`

const put = `INSERT INTO apportion.products AS known (account_id, product_key, place, search, document)
  SELECT $1, given.product_key, given.place, given.search, given.document::json
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])
    AS given (product_key, place, search, document)
  ORDER BY given.product_key COLLATE "C"
  ON CONFLICT (account_id, product_key) DO UPDATE
    SET place = excluded.place, search = excluded.search, document = excluded.document
  WHERE (known.place, known.search, known.document::text)
    IS DISTINCT FROM (excluded.place, excluded.search, excluded.document::text)`

const given = `SELECT given.kind, apportion.term_of(given.term) AS term, given.product_key
  FROM unnest($2::text[], $3::text[], $4::text[]) AS given (kind, term, product_key)`

/**
 * One pass over what is there and what is given, and no join: the plan of a join follows from statistics, which know
 * nothing of an account that has only just come, and then compares each term with each other.
 */
const removeTerms = `DELETE FROM apportion.product_terms WHERE ctid = ANY(ARRAY(
    SELECT min(terms.place) FROM (
      SELECT ctid AS place, kind, term, product_key FROM apportion.product_terms
      WHERE account_id = $1 AND product_key = ANY($5::text[])
      UNION ALL
      SELECT NULL::tid, given.* FROM (${given}) AS given
    ) AS terms
    GROUP BY terms.kind, terms.term, terms.product_key
    HAVING count(*) = count(terms.place)
  ))`

const addTerms = `INSERT INTO apportion.product_terms (account_id, kind, term, product_key)
  SELECT $1, given.* FROM (${given}) AS given
  ON CONFLICT (account_id, kind, term, product_key) DO NOTHING`

const countMore = `UPDATE apportion.accounts SET products_count = products_count + $2
  WHERE account_id = $1`

const remove = `WITH gone AS (
    DELETE FROM apportion.products WHERE account_id = $1 AND product_key = ANY($2::text[])
    RETURNING product_key
  ) SELECT count(*) AS total FROM gone`

const get = `SELECT document::text AS document FROM apportion.products
  WHERE account_id = $1 AND product_key = ANY($2::text[])`

const find = `SELECT document::text AS document FROM apportion.products
  WHERE account_id = $1 AND product_key IN (
    SELECT product_key FROM apportion.product_terms
    WHERE account_id = $1 AND kind IN ('id', 'variant')
      AND term IN (SELECT apportion.term_of(given) FROM unnest($2::text[]) AS given)
  )`

/** Terms of ids have those too that groups can name, but by which no product is asked for. */
const isNamed = (
  { id, externalId, externalVariantId }: Product,
  ids: ReadonlySet<string | undefined>,
): boolean => ids.has(id) || ids.has(externalId) || ids.has(externalVariantId)

const batch = `SELECT document::text AS document FROM apportion.products
  WHERE account_id = $1 AND product_key >= $2 ORDER BY product_key LIMIT $3`

const countChanged = (session: Session, difference: number): Effect.Effect<void, StorageError> =>
  difference === 0
    ? Effect.void
    : Effect.asVoid(session.write("count products", countMore, [whole(difference)]))

const putTerms = Effect.fnUntraced(function* (
  session: Session,
  terms: ReadonlyArray<TermRow>,
  keys: ReadonlyArray<string>,
) {
  const columns = [
    terms.map(({ kind }) => kind),
    terms.map(({ term }) => term),
    terms.map(({ key }) => key),
  ]
  yield* session.write("put the terms of products", removeTerms, [...columns, keys])
  yield* session.write("put the terms of products", addTerms, columns)
})

/** So many products are one statement, so that none keeps others waiting for long. */
const sliceSize = 1_000

const putSlice = Effect.fnUntraced(function* (session: Session, products: ReadonlyArray<Product>) {
  const { rows, terms } = rowsOf(products)
  const keys = rows.map(({ key }) => key)
  const known = totalOf(yield* session.read("put products", countThose, [keys]))
  yield* session.write("put products", put, [
    keys,
    rows.map(({ place }) => place),
    rows.map(({ search }) => search),
    rows.map(({ document }) => document),
  ])
  yield* putTerms(session, terms, keys)
  return keys.length - known
})

const putProducts = Effect.fnUntraced(function* (
  session: Session,
  products: ReadonlyArray<Product>,
) {
  // Those who put the same products side by side come to them in the same order.
  const byKey = [...products].sort((left, right) =>
    productKeyOf(left) < productKeyOf(right)
      ? -1
      : productKeyOf(left) > productKeyOf(right)
        ? 1
        : 0,
  )
  let added = 0
  for (let from = 0; from < byKey.length; from += sliceSize) {
    added += yield* putSlice(session, byKey.slice(from, from + sliceSize))
  }
  yield* countChanged(session, added)
})

const removeProducts = Effect.fnUntraced(function* (session: Session, keys: ReadonlyArray<string>) {
  yield* forgetProducts(session, keys)
  yield* countChanged(session, -totalOf(yield* session.write("remove products", remove, [keys])))
})

/** The store of products within one transaction. */
export const make = (session: Session): ProductStore => ({
  put: (products) => putProducts(session, products),
  remove: (keys) => removeProducts(session, texts(keys)),
  get: (keys) => Effect.map(session.read("read products", get, [texts(keys)]), productsOf),
  find: (ids) => {
    const asked = new Set(ids)
    const read = session.read("find products", find, [texts(ids)])
    return Effect.map(read, (rows) => productsOf(rows).filter((one) => isNamed(one, asked)))
  },
  list: (filter, slice) => listProducts(session, listingOf(filter), slice),
  batch: ({ after, limit }) =>
    Effect.map(
      session.read("read a batch of products", batch, [firstAfter(after), whole(limit)]),
      productsOf,
    ),
  selected: (options) => selected(session, options),
})
