import * as Effect from "effect/Effect"
import {
  isSaleOf,
  type NewSale,
  type Posting,
  type RecordedAdjustment,
  type RecordedRefund,
  type RecordedSale,
  type SaleStore,
} from "../../ports/SaleStore.js"
import type { Conflict, StorageError } from "../../ports/StorageError.js"
import type { ItemBreakdown, Share } from "../../shares/Share.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { insertSales, placementColumns, postingFields, type SaleDocument } from "./newSales.js"
import {
  documentOf,
  fromOrdered,
  json,
  type Parameter,
  type Row,
  text,
  textOf,
  texts,
  whole,
  wholeOf,
} from "./rows.js"
import type { Session } from "./Session.js"
import { hasSubject, sourceOf, subjectFields, subjectsOf } from "./saleSubjects.js"

const refundsOfPart = `(SELECT json_agg(r.document ORDER BY r.position) FROM apportion.refunds r
    WHERE r.account_id = s.account_id AND r.order_id = s.order_id AND r.part = s.part
  )::text AS refunds`

const adjustmentsOfPart = `(SELECT json_agg(a.document ORDER BY a.position)
    FROM apportion.adjustments a
    WHERE a.account_id = s.account_id AND a.order_id = s.order_id AND a.part = s.part
  )::text AS adjustments`

const placementsOfPart = `(SELECT json_agg(json_build_object(
      'itemId', p.item_id, 'groupId', p.group_id, 'collaboratorId', p.collaborator_id,
      'payoutId', p.payout_id, 'payoutItemId', p.payout_item_id, 'currency', p.currency,
      'rate', p.rate, 'reversed', p.taken_back, 'refunds', p.refunds,
      'runId', p.run_id
    ) ORDER BY p.position) FROM apportion.placements p
    WHERE p.account_id = s.account_id AND p.order_id = s.order_id AND p.part = s.part
  )::text AS placements`

const columns = `s.order_id, s.part, s.document::text AS document, s.recorded_at, s.version,
  ${placementsOfPart}, ${refundsOfPart}, ${adjustmentsOfPart}`

const ofOrders = `SELECT ${columns} FROM apportion.sale_parts s
  WHERE s.account_id = $1 AND s.order_id = ANY($2::text[]) ORDER BY s.order_id, s.part`

/** Nothing is looked up for what comes before the slice. */
const listing = (places: string): string => `SELECT ${columns} FROM (
    ${places}
  ) AS place JOIN apportion.sale_parts s ON s.account_id = $1 AND s.order_id = place.order_id
    AND s.part = place.part
  ORDER BY s.recorded_at, s.order_id, s.part`

/** What is added to a part, with the postings that it has then: the next version of it. */
const adding = (added: {
  readonly name: string
  readonly statement: string
  /** What else is written. */
  readonly also?: string
}): string => `WITH changed AS (
    UPDATE apportion.sale_parts SET version = version + 1
    WHERE account_id = $1 AND order_id = $2 AND part = $3 AND version = $4
    RETURNING *
  ), ${added.name} AS (
    ${added.statement}
  )${added.also ?? ""}, placed AS (
    INSERT INTO apportion.placements AS known (${placementColumns})
    SELECT s.account_id, s.order_id, s.part, p.position, p.item_id, p.group_id, p.collaborator_id,
      p.payout_id, p.payout_item_id, p.currency, nullif(p.rate, ''), p.taken_back, p.refunds,
      nullif(p.run_id, '')
    FROM changed s, unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
      $13::text[], $14::text[], $15::text[]::bigint[], $16::text[]::bigint[], $17::text[])
      WITH ORDINALITY AS p (item_id, group_id, collaborator_id, payout_id, payout_item_id, currency,
        rate, taken_back, refunds, run_id, position)
    ON CONFLICT (account_id, order_id, part, position) DO UPDATE SET item_id = excluded.item_id,
      group_id = excluded.group_id, collaborator_id = excluded.collaborator_id,
      payout_id = excluded.payout_id, payout_item_id = excluded.payout_item_id,
      currency = excluded.currency, rate = excluded.rate, taken_back = excluded.taken_back,
      refunds = excluded.refunds, run_id = excluded.run_id
    WHERE known.* IS DISTINCT FROM excluded.*
  ), gone AS (
    DELETE FROM apportion.placements p USING changed s
    WHERE p.account_id = s.account_id AND p.order_id = s.order_id AND p.part = s.part
      AND p.position > cardinality($8::text[])
  ) SELECT s.order_id, s.part, s.document::text AS document, s.recorded_at, s.version,
    (SELECT count(*) FROM ${added.name}) AS added, ${refundsOfPart}, ${adjustmentsOfPart}
  FROM changed s`

const addRefund = adding({
  name: "refunded",
  statement: `INSERT INTO apportion.refunds
      (account_id, refund_id, order_id, part, position, document, recorded_at)
    SELECT s.account_id, $5::text, s.order_id, s.part, s.version - 1, $6::text::json, $7::bigint
    FROM changed s ON CONFLICT (account_id, refund_id) DO NOTHING RETURNING refund_id`,
})

const addAdjustment = adding({
  name: "adjusted",
  statement: `INSERT INTO apportion.adjustments
      (account_id, run_id, order_id, part, position, document, recorded_at)
    SELECT s.account_id, $5::text, s.order_id, s.part, s.version - 1, $6::text::json, $7::bigint
    FROM changed s ON CONFLICT (account_id, order_id, part, run_id) DO NOTHING RETURNING run_id`,
  also: `, found AS (
    INSERT INTO apportion.sale_subjects
      (account_id, collaborator_id, product_id, recorded_at, order_id, part)
    SELECT s.account_id, f.collaborator_id, apportion.term_of(f.product_id), s.recorded_at,
      s.order_id, s.part
    FROM changed s, unnest($18::text[], $19::text[]) AS f (collaborator_id, product_id)
    WHERE NOT ${hasSubject("s", "apportion.subject_of($1, f.collaborator_id, f.product_id)")}
    ON CONFLICT DO NOTHING
  )`,
})

/** The orders come first, as that is how postings are found; one that two items name is looked up once. */
const move = `WITH given AS MATERIALIZED (
    SELECT order_id, payout_item_id FROM unnest($4::text[], $5::text[]) AS i (order_id, payout_item_id)
  ), moved AS (
    UPDATE apportion.placements p SET payout_id = $3::text FROM given
    WHERE p.account_id = $1 AND p.order_id = given.order_id AND p.payout_id = $2::text
      AND p.payout_item_id = given.payout_item_id
    RETURNING p.order_id, p.part
  ) UPDATE apportion.sale_parts s SET version = s.version + 1
  FROM (SELECT DISTINCT order_id, part FROM moved) AS changed
  WHERE s.account_id = $1 AND s.order_id = changed.order_id AND s.part = changed.part`

const refunds = `SELECT document::text AS document FROM apportion.refunds
  WHERE account_id = $1 AND refund_id = ANY($2::text[])`

/** A list that the database made into JSON; `null`: of nothing. */
const listOf = <A>(row: Row, column: string): ReadonlyArray<A> =>
  row[column] === null ? [] : documentOf(row, column)

/** Within JSON that the database made, texts are as they are stored. */
const postingOf = ({
  runId,
  ...stored
}: Omit<Posting, "runId"> & { readonly runId: string | null }): Posting => ({
  ...stored,
  itemId: fromOrdered(stored.itemId),
  groupId: fromOrdered(stored.groupId),
  collaboratorId: fromOrdered(stored.collaboratorId),
  payoutId: fromOrdered(stored.payoutId),
  payoutItemId: fromOrdered(stored.payoutItemId),
  currency: fromOrdered(stored.currency),
  ...(runId === null ? {} : { runId: fromOrdered(runId) }),
})

// What is recorded is never written again, so what versions before 0.6.0 wrote keeps the names it has.
type EarlierItem = ItemBreakdown & { readonly broughtIn?: number }
type EarlierShare = Share & { readonly goods?: number }
type EarlierPolicy = SplitPolicy & { readonly timeZone?: string }

const itemOf = ({ broughtIn, ...item }: EarlierItem): ItemBreakdown =>
  broughtIn === undefined ? item : { ...item, distributable: broughtIn }

const shareOf = ({ goods, ...share }: EarlierShare): Share =>
  goods === undefined ? share : { ...share, beforeShipping: goods }

const policyOf = ({ timeZone: _, ...policy }: EarlierPolicy): SplitPolicy => policy

const recordOf = ({ policy, split, ...document }: SaleDocument): SaleDocument => ({
  ...document,
  policy: policyOf(policy),
  split: {
    ...split,
    policy: policyOf(split.policy),
    items: split.items.map(itemOf),
    shares: split.shares.map(shareOf),
  },
})

const adjustmentsOf = (row: Row): Pick<RecordedSale, "adjustments"> => {
  const adjustments = listOf<RecordedAdjustment>(row, "adjustments")
  return adjustments.length === 0 ? {} : { adjustments }
}

const read = (row: Row): RecordedSale => ({
  ...recordOf(documentOf<SaleDocument>(row)),
  orderId: textOf(row, "order_id"),
  part: wholeOf(row, "part"),
  postings: listOf<Parameters<typeof postingOf>[0]>(row, "placements").map(postingOf),
  refunds: listOf(row, "refunds"),
  ...adjustmentsOf(row),
  recordedAt: wholeOf(row, "recorded_at"),
  version: wholeOf(row, "version"),
})

const insertSale = (session: Session, sale: NewSale): Effect.Effect<RecordedSale, StorageError> =>
  Effect.flatMap(insertSales(session, [sale]), ([stored]) =>
    stored === undefined ? session.conflict("sale", sale.orderId) : Effect.succeed(stored),
  )

const partsOf = (
  session: Session,
  orderIds: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<RecordedSale>, StorageError> =>
  Effect.map(session.read("read the parts of orders", ofOrders, [texts(orderIds)]), (rows) =>
    rows.map(read),
  )

const refundsOf = (
  session: Session,
  refundIds: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<RecordedRefund>, StorageError> =>
  Effect.map(session.read("read refunds", refunds, [texts(refundIds)]), (rows) =>
    rows.map((row) => documentOf<RecordedRefund>(row)),
  )

type Addition = Parameters<SaleStore["addRefund"]>[0] | Parameters<SaleStore["addAdjustment"]>[0]

/** The parameters of what is added to a part. */
const fieldsOfAddition = (
  { orderId, part, version, postings }: Addition,
  {
    id,
    document,
    recordedAt,
  }: { readonly id: string; readonly document: unknown; readonly recordedAt: number },
): ReadonlyArray<Parameter> => [
  ...[text(orderId), whole(part), whole(version)],
  ...[text(id), json(document), whole(recordedAt), ...postingFields(postings)],
]

/** The next version of a part, before what was added: rows that a statement writes it does not read. */
const added = (
  rows: ReadonlyArray<Row>,
  conflicts: {
    readonly part: Effect.Effect<never, Conflict>
    readonly added: Effect.Effect<never, Conflict>
  },
): Effect.Effect<RecordedSale, Conflict> => {
  const [row] = rows
  if (row === undefined) return conflicts.part
  return wholeOf(row, "added") === 0
    ? conflicts.added
    : Effect.succeed(read({ ...row, placements: null }))
}

const addRefundTo = (
  session: Session,
  options: Parameters<SaleStore["addRefund"]>[0],
): Effect.Effect<RecordedSale, StorageError> => {
  const { orderId, refund: document, postings } = options
  const { id, recordedAt } = document
  const fields = fieldsOfAddition(options, { id, document, recordedAt })
  const part = session.conflict("sale", orderId)
  return session.write("add a refund", addRefund, fields).pipe(
    Effect.flatMap((rows) => added(rows, { part, added: session.conflict("refund", id) })),
    Effect.map((sale) => ({ ...sale, postings, refunds: [...sale.refunds, document] })),
  )
}

const addAdjustmentTo = (
  session: Session,
  options: Parameters<SaleStore["addAdjustment"]>[0],
): Effect.Effect<RecordedSale, StorageError> => {
  const { orderId, adjustment: document, postings } = options
  const { runId: id, recordedAt } = document
  const { order, adjustment } = document
  const subjects = subjectFields(subjectsOf({ order, split: adjustment.split }))
  const fields = [...fieldsOfAddition(options, { id, document, recordedAt }), ...subjects]
  const part = session.conflict("sale", orderId)
  return session.write("add an adjustment", addAdjustment, fields).pipe(
    Effect.flatMap((rows) => added(rows, { part, added: session.conflict("adjustment", id) })),
    Effect.map(({ adjustments = [], ...sale }) => ({
      ...sale,
      postings,
      adjustments: [...adjustments, document],
    })),
  )
}

/** The ledger within one transaction. */
export const make = (session: Session): SaleStore => ({
  ofOrder: (orderId) => partsOf(session, [orderId]),
  ofOrders: (orderIds) => partsOf(session, orderIds),
  insert: (sale) => insertSale(session, sale),
  insertAll: (sales) => insertSales(session, sales),
  addRefund: (options) => addRefundTo(session, options),
  addAdjustment: (options) => addAdjustmentTo(session, options),
  move: ({ fromPayoutId, toPayoutId, items }) =>
    Effect.asVoid(
      session.write("move postings", move, [
        ...[text(fromPayoutId), text(toPayoutId)],
        ...[texts(items.map(({ orderId }) => orderId))],
        ...[texts(items.map(({ payoutItemId }) => payoutItemId))],
      ]),
    ),
  refund: (refundId) => Effect.map(refundsOf(session, [refundId]), ([found]) => found),
  refunds: (refundIds) => refundsOf(session, refundIds),
  list: (filter, { offset, limit }) =>
    Effect.gen(function* () {
      const { places, count, parameters } = sourceOf(filter)
      const [counted] = yield* session.read("count the ledger", count, parameters)
      const list = listing(places)
      const slice = [whole(offset), whole(limit)]
      const rows = yield* session.read("list the ledger", list, [...parameters, ...slice])
      return {
        // Two subjects could have the same digest.
        entries: rows.map(read).filter((sale) => isSaleOf(filter, sale)),
        total: counted === undefined ? 0 : wholeOf(counted, "total"),
      }
    }),
})
