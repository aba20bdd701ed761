/** What the link of a group selects, looked up by the terms of products instead of asking each of them. */
import * as Effect from "effect/Effect"
import type { Link } from "../../groups/ProductGroup.js"
import type { SelectedProducts } from "../../ports/ProductStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import { totalOf } from "./productLists.js"
import { compared, type TermKind } from "./productRows.js"
import { type Parameter, text, textOf, whole } from "./rows.js"
import type { Session } from "./Session.js"

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

const kinds: Readonly<Record<Exclude<Link["type"], "products.all">, TermKind>> = {
  products: "id",
  "products.tag": "tag",
  "products.vendor": "vendor",
}

interface Lookup {
  readonly statement: string
  readonly parameters: ReadonlyArray<Parameter>
}

/** What looks a link's products up; `undefined`: it selects none. */
const lookupOf = ({ type, modifier, values }: Link): Lookup | undefined => {
  const isNot = modifier === "NOT"
  if (type === "products.all") return isNot ? undefined : { statement: all, parameters: [] }
  const kind = kinds[type]
  const terms = [...new Set(values.map((value) => compared(kind, value)))]
  const statement = isNot ? withoutTerms : withTerms
  return { statement, parameters: [kind, terms] }
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
