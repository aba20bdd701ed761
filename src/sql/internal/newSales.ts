/** New parts of orders, with all that is found by them, many in one statement. */
import * as Effect from "effect/Effect"
import type { NewSale, Posting, RecordedSale } from "../../ports/SaleStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import { subjectColumns } from "./migrations/subjectColumns.js"
import { json, type Parameter, textOf, texts, wholes } from "./rows.js"
import type { Session } from "./Session.js"
import {
  columnsFrom,
  digestsOf,
  subjectFields,
  subjectsInColumns,
  subjectsInRows,
  subjectsOf,
} from "./saleSubjects.js"

/** What was recorded once and never changes; the rest of a part lies in columns and tables of its own. */
export type SaleDocument = Pick<RecordedSale, "order" | "groups" | "policy" | "split">

/** The columns of postings. */
export const placementColumns = `account_id, order_id, part, position, item_id, group_id, collaborator_id,
    payout_id, payout_item_id, currency, rate, taken_back, refunds, run_id`

/** Stores sales, and gives the order of one that is there, or that has an item which is. */
const insert = `WITH given AS MATERIALIZED (
    SELECT g.*, ${digestsOf("$1", "g.subjects")} AS digests
    FROM unnest($2::text[], $3::text[]::bigint[], $4::text[], $5::text[]::bigint[],
      $6::text[]::bigint[], $27::text[]) AS g (order_id, part, document, recorded_at, items, subjects)
  ), recorded AS (
    INSERT INTO apportion.sale_parts
      (account_id, order_id, part, document, recorded_at, version, ${subjectColumns.join(", ")})
    SELECT $1::text, order_id, part, document::json, recorded_at, 1, ${columnsFrom("digests")} FROM given
    ON CONFLICT (account_id, order_id, part) DO NOTHING RETURNING order_id, part, recorded_at
  ), sold AS (
    INSERT INTO apportion.sale_items (account_id, order_id, item_id, part)
    SELECT $1, s.order_id, i.item_id, s.part
    FROM unnest($7::text[], $8::text[]::bigint[], $9::text[]) AS i (order_id, part, item_id)
    JOIN recorded s ON s.order_id = i.order_id AND s.part = i.part
    ON CONFLICT (account_id, order_id, item_id) DO NOTHING RETURNING order_id, part
  ), placed AS (
    INSERT INTO apportion.placements (${placementColumns})
    SELECT $1, s.order_id, s.part, p.position, p.item_id, p.group_id, p.collaborator_id,
      p.payout_id, p.payout_item_id, p.currency, nullif(p.rate, ''), p.taken_back, p.refunds, nullif(p.run_id, '')
    FROM unnest($10::text[], $11::text[]::bigint[], $12::text[]::bigint[], $13::text[], $14::text[],
      $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[]::bigint[],
      $21::text[]::bigint[], $22::text[]) AS p (order_id, part, position, item_id, group_id,
        collaborator_id, payout_id, payout_item_id, currency, rate, taken_back, refunds, run_id)
    JOIN recorded s ON s.order_id = p.order_id AND s.part = p.part
  ), found AS (
    INSERT INTO apportion.sale_subjects
      (account_id, collaborator_id, product_id, recorded_at, order_id, part)
    SELECT $1, f.collaborator_id, apportion.term_of(f.product_id), s.recorded_at, s.order_id, s.part
    FROM unnest($23::text[], $24::text[]::bigint[], $25::text[], $26::text[])
      AS f (order_id, part, collaborator_id, product_id)
    JOIN recorded s ON s.order_id = f.order_id AND s.part = f.part
  )
  SELECT g.order_id FROM given g LEFT JOIN (
    SELECT order_id, part, count(*) AS items FROM sold GROUP BY order_id, part
  ) AS s ON s.order_id = g.order_id AND s.part = g.part
  WHERE coalesce(s.items, 0) < g.items OR NOT EXISTS (
    SELECT FROM recorded r WHERE r.order_id = g.order_id AND r.part = g.part
  ) LIMIT 1`

const insertRefunds = `INSERT INTO apportion.refunds
    (account_id, refund_id, order_id, part, position, document, recorded_at)
  SELECT $1::text, r.refund_id, r.order_id, r.part, r.position, r.document::json, r.recorded_at
  FROM unnest($2::text[], $3::text[]::bigint[], $4::text[]::bigint[], $5::text[], $6::text[],
    $7::text[]::bigint[]) AS r (order_id, part, position, refund_id, document, recorded_at)
  ON CONFLICT (account_id, refund_id) DO NOTHING RETURNING refund_id`

/** What stands in the columns of postings, from the item on. */
export const postingFields = (postings: ReadonlyArray<Posting>): ReadonlyArray<Parameter> => [
  texts(postings.map(({ itemId }) => itemId)),
  texts(postings.map(({ groupId }) => groupId)),
  texts(postings.map(({ collaboratorId }) => collaboratorId)),
  texts(postings.map(({ payoutId }) => payoutId)),
  texts(postings.map(({ payoutItemId }) => payoutItemId)),
  texts(postings.map(({ currency }) => currency)),
  postings.map(({ rate }) => rate ?? ""),
  wholes(postings.map(({ reversed }) => reversed)),
  wholes(postings.map(({ refunds }) => refunds)),
  texts(postings.map(({ runId = "" }) => runId)),
]

/** Something of a sale, with the sale that it is of. */
interface OfSale<A> {
  readonly sale: NewSale
  readonly one: A
  /** Its place among those of the sale, from 1 on. */
  readonly position: number
}

const ofEach = <A>(
  sales: ReadonlyArray<NewSale>,
  listed: (sale: NewSale) => ReadonlyArray<A>,
): ReadonlyArray<OfSale<A>> =>
  sales.flatMap((sale) => listed(sale).map((one, index) => ({ sale, one, position: index + 1 })))

/** The orders and the parts of what sales have. */
const placesOf = (all: ReadonlyArray<{ readonly sale: NewSale }>): ReadonlyArray<Parameter> => [
  texts(all.map(({ sale }) => sale.orderId)),
  wholes(all.map(({ sale }) => sale.part)),
]

const positionsOf = (all: ReadonlyArray<OfSale<unknown>>): Parameter =>
  wholes(all.map(({ position }) => position))

const itemIdsOf = ({ order }: NewSale): ReadonlyArray<string> => [
  ...new Set(order.items.map(({ id }) => id)),
]

const documentOfSale = ({ order, groups, policy, split }: NewSale): string => {
  const document: SaleDocument = { order, groups, policy, split }
  return json(document)
}

const saleFields = (sales: ReadonlyArray<NewSale>): ReadonlyArray<Parameter> => {
  const items = ofEach(sales, itemIdsOf)
  const postings = ofEach(sales, (sale) => sale.postings)
  const subjects = sales.map(subjectsOf)
  const rest = sales.flatMap((sale, index) =>
    subjectsInRows(subjects[index] ?? []).map((one) => ({ sale, one })),
  )
  return [
    ...placesOf(sales.map((sale) => ({ sale }))),
    sales.map(documentOfSale),
    wholes(sales.map(({ recordedAt }) => recordedAt)),
    wholes(sales.map((sale) => itemIdsOf(sale).length)),
    ...[...placesOf(items), texts(items.map(({ one }) => one))],
    ...[...placesOf(postings), positionsOf(postings)],
    ...postingFields(postings.map(({ one }) => one)),
    ...[...placesOf(rest), ...subjectFields(rest.map(({ one }) => one))],
    subjects.map(subjectsInColumns),
  ]
}

/** Refunds that a part comes with are before those that are added to it. */
const insertRefundsOf = (
  session: Session,
  sales: ReadonlyArray<NewSale>,
): Effect.Effect<void, StorageError> => {
  const all = ofEach(sales, (sale) => sale.refunds)
  if (all.length === 0) return Effect.void
  const parameters = [
    ...placesOf(all),
    wholes(all.map(({ sale, position }) => position - sale.refunds.length)),
    texts(all.map(({ one }) => one.id)),
    all.map(({ one }) => json(one)),
    wholes(all.map(({ one }) => one.recordedAt)),
  ]
  return Effect.flatMap(session.write("insert refunds", insertRefunds, parameters), (rows) => {
    const added = new Set(rows.map((row) => textOf(row, "refund_id")))
    const taken = all.find(({ one }) => !added.has(one.id))
    if (taken !== undefined) return session.conflict("refund", taken.one.id)
    return added.size === all.length ? Effect.void : session.conflict("refund", "")
  })
}

/** The order of which a part comes twice; `undefined`: there is none. */
const repeated = (sales: ReadonlyArray<NewSale>): string | undefined => {
  const seen = new Set<string>()
  for (const { orderId, part } of sales) {
    const name = `${part}/${orderId}`
    if (seen.has(name)) return orderId
    seen.add(name)
  }
  return undefined
}

/** Stores new parts, or ends in a conflict when one is there already. */
export const insertSales = (
  session: Session,
  sales: ReadonlyArray<NewSale>,
): Effect.Effect<ReadonlyArray<RecordedSale>, StorageError> =>
  Effect.gen(function* () {
    const twice = repeated(sales)
    if (twice !== undefined) return yield* session.conflict("sale", twice)
    const [row] = yield* session.write("insert sales", insert, saleFields(sales))
    if (row !== undefined) return yield* session.conflict("sale", textOf(row, "order_id"))
    yield* insertRefundsOf(session, sales)
    return sales.map((sale) => ({ ...sale, version: 1 }))
  })
