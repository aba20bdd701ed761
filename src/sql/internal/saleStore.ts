import * as Effect from "effect/Effect"
import type { Posting, RecordedAdjustment, RecordedSale, SaleStore } from "../../ports/SaleStore.js"
import type { Conflict, StorageError } from "../../ports/StorageError.js"
import type { ItemBreakdown, Share } from "../../shares/Share.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
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
  wholes,
} from "./rows.js"
import type { Session } from "./Session.js"
import { sourceOf, subjectFields } from "./saleSubjects.js"

/** What was recorded once and never changes; the rest of a part lies in columns and tables of its own. */
type Document = Pick<RecordedSale, "order" | "groups" | "policy" | "split">

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

const ofOrder = `SELECT ${columns} FROM apportion.sale_parts s
  WHERE s.account_id = $1 AND s.order_id = $2 ORDER BY s.part`

/** Nothing is looked up for what comes before the slice. */
const listing = (places: string, parameters: number): string => `SELECT ${columns} FROM (
    ${places} OFFSET $${parameters + 2} LIMIT $${parameters + 3}
  ) AS place JOIN apportion.sale_parts s ON s.account_id = $1 AND s.order_id = place.order_id
    AND s.part = place.part
  ORDER BY s.recorded_at, s.order_id, s.part`

const placementColumns = `account_id, order_id, part, position, item_id, group_id, collaborator_id,
    payout_id, payout_item_id, currency, rate, taken_back, refunds, run_id`

const insert = `WITH recorded AS (
    INSERT INTO apportion.sale_parts (account_id, order_id, part, document, recorded_at, version)
    VALUES ($1, $2, $3, $4, $5, 1)
    ON CONFLICT (account_id, order_id, part) DO NOTHING RETURNING account_id, order_id, part, recorded_at
  ), sold AS (
    INSERT INTO apportion.sale_items (account_id, order_id, item_id, part)
    SELECT s.account_id, s.order_id, i.item_id, s.part
    FROM recorded s, unnest($6::text[]) AS i (item_id)
    ON CONFLICT (account_id, order_id, item_id) DO NOTHING RETURNING item_id
  ), placed AS (
    INSERT INTO apportion.placements (${placementColumns})
    SELECT s.account_id, s.order_id, s.part, p.position, p.item_id, p.group_id, p.collaborator_id,
      p.payout_id, p.payout_item_id, p.currency, nullif(p.rate, ''), p.taken_back, p.refunds, nullif(p.run_id, '')
    FROM recorded s, unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
      $12::text[], $13::text[], $14::text[]::bigint[], $15::text[]::bigint[], $16::text[])
      WITH ORDINALITY AS p (item_id, group_id, collaborator_id, payout_id, payout_item_id, currency,
        rate, taken_back, refunds, run_id, position)
  ), found AS (
    INSERT INTO apportion.sale_subjects
      (account_id, collaborator_id, product_id, recorded_at, order_id, part)
    SELECT s.account_id, f.collaborator_id, apportion.term_of(f.product_id), s.recorded_at,
      s.order_id, s.part
    FROM recorded s, unnest($17::text[], $18::text[]) AS f (collaborator_id, product_id)
  ) SELECT (SELECT count(*) FROM recorded) AS parts, (SELECT count(*) FROM sold) AS items`

/** What is added to a part, with the postings that it has then: the next version of it. */
const adding = (added: {
  readonly name: string
  readonly statement: string
  /** What else is written. */
  readonly also?: string
}): string => `WITH changed AS (
    UPDATE apportion.sale_parts SET version = version + 1
    WHERE account_id = $1 AND order_id = $2 AND part = $3 AND version = $4
    RETURNING account_id, order_id, part, document, recorded_at, version
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
    ON CONFLICT DO NOTHING
  )`,
})

const insertRefunds = `INSERT INTO apportion.refunds
    (account_id, refund_id, order_id, part, position, document, recorded_at)
  SELECT $1::text, r.refund_id, $2::text, $3::bigint, r.position - cardinality($4::text[]),
    r.document::json, r.recorded_at
  FROM unnest($4::text[], $5::text[], $6::text[]::bigint[]) WITH ORDINALITY
    AS r (refund_id, document, recorded_at, position)
  ON CONFLICT (account_id, refund_id) DO NOTHING RETURNING refund_id`

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

const refund = `SELECT document::text AS document FROM apportion.refunds
  WHERE account_id = $1 AND refund_id = $2`

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

const recordOf = ({ policy, split, ...document }: Document): Document => ({
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
  ...recordOf(documentOf<Document>(row)),
  orderId: textOf(row, "order_id"),
  part: wholeOf(row, "part"),
  postings: listOf<Parameters<typeof postingOf>[0]>(row, "placements").map(postingOf),
  refunds: listOf(row, "refunds"),
  ...adjustmentsOf(row),
  recordedAt: wholeOf(row, "recorded_at"),
  version: wholeOf(row, "version"),
})

const postingFields = (postings: ReadonlyArray<Posting>): ReadonlyArray<Parameter> => [
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

type NewSale = Parameters<SaleStore["insert"]>[0]

const saleFields = (sale: NewSale, itemIds: ReadonlyArray<string>): ReadonlyArray<Parameter> => {
  const { orderId, part, order, groups, policy, split, recordedAt } = sale
  const document: Document = { order, groups, policy, split }
  return [
    ...[text(orderId), whole(part), json(document), whole(recordedAt), texts(itemIds)],
    ...postingFields(sale.postings),
    ...subjectFields(sale),
  ]
}

/** Refunds that a part comes with are before those that are added to it. */
const insertRefundsOf = (
  session: Session,
  { orderId, part, refunds }: NewSale,
): Effect.Effect<void, StorageError> => {
  if (refunds.length === 0) return Effect.void
  const ids = texts(refunds.map(({ id }) => id))
  const fields = [ids, refunds.map(json), wholes(refunds.map(({ recordedAt }) => recordedAt))]
  const parameters = [text(orderId), whole(part), ...fields]
  return Effect.flatMap(session.write("insert refunds", insertRefunds, parameters), (rows) => {
    const added = new Set(rows.map((row) => textOf(row, "refund_id")))
    const taken = refunds.find(({ id }) => !added.has(id))
    return taken === undefined ? Effect.void : session.conflict("refund", taken.id)
  })
}

const insertSale = (session: Session, sale: NewSale): Effect.Effect<RecordedSale, StorageError> =>
  Effect.gen(function* () {
    const itemIds = [...new Set(sale.order.items.map(({ id }) => id))]
    const [row] = yield* session.write("insert a sale", insert, saleFields(sale, itemIds))
    const isNew = row !== undefined && wholeOf(row, "parts") === 1
    if (!isNew || wholeOf(row, "items") < itemIds.length) {
      return yield* session.conflict("sale", sale.orderId)
    }
    yield* insertRefundsOf(session, sale)
    return { ...sale, version: 1 }
  })

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
  const subjects = subjectFields({ order: document.order, split: document.adjustment.split })
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
  ofOrder: (orderId) =>
    Effect.map(session.read("read the parts of an order", ofOrder, [text(orderId)]), (rows) =>
      rows.map(read),
    ),
  insert: (sale) => insertSale(session, sale),
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
  refund: (refundId) =>
    Effect.map(session.read("read a refund", refund, [text(refundId)]), ([row]) =>
      row === undefined ? undefined : documentOf(row),
    ),
  list: (filter, { offset, limit }) =>
    Effect.gen(function* () {
      const { places, count, parameters } = sourceOf(filter)
      const [counted] = yield* session.read("count the ledger", count, parameters)
      const list = listing(places, parameters.length)
      const slice = [whole(offset), whole(limit)]
      const rows = yield* session.read("list the ledger", list, [...parameters, ...slice])
      return {
        entries: rows.map(read),
        total: counted === undefined ? 0 : wholeOf(counted, "total"),
      }
    }),
})
