import * as Effect from "effect/Effect"
import { fromOrdered } from "../../internal/orderedText.js"
import {
  isSaleOf,
  type LedgerOrder,
  type NewSale,
  type Posting,
  type PostingMove,
  type RecordedAdjustment,
  type RecordedRefund,
  type RecordedSale,
  type SaleStore,
} from "../../ports/SaleStore.js"
import { soldByAdjustment, soldByRefund } from "../../ports/SoldSales.js"
import type { SoldChange } from "../../ports/SoldSums.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { ItemBreakdown, Share } from "../../shares/Share.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { insertSales } from "./newSales.js"
import {
  type NamedByParts,
  packPostings,
  payoutNumbersIn,
  type SaleDocument,
  unpackPostings,
  unpackSale,
} from "./packedSales.js"
import { type PayoutIds, payoutIdsIn, payoutsByNumber } from "./payoutNumbers.js"
import {
  documentOf,
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
import { hasSubject, ledgerOrders, sourceOf, subjectFields, subjectsOf } from "./saleSubjects.js"
import { addingSold, changeFields, changesIn, readSold } from "./soldSums.js"
import { unpack } from "./Unpacker.js"

const refundsOfPart = `(SELECT json_agg(r.document ORDER BY r.position) FROM apportion.refunds r
    WHERE r.account_id = s.account_id AND r.order_id = s.order_id AND r.part = s.part
  )::text AS refunds`

const adjustmentsOfPart = `(SELECT json_agg(a.document ORDER BY a.position)
    FROM apportion.adjustments a
    WHERE a.account_id = s.account_id AND a.order_id = s.order_id AND a.part = s.part
  )::text AS adjustments`

/** Where the shares of parts that are not carried over yet were booked. */
const placementsOfPart = `CASE WHEN s.postings IS NULL THEN (SELECT json_agg(json_build_object(
      'itemId', p.item_id, 'groupId', p.group_id, 'collaboratorId', p.collaborator_id,
      'payoutId', p.payout_id, 'payoutItemId', p.payout_item_id, 'currency', p.currency,
      'rate', p.rate, 'reversed', p.taken_back, 'refunds', p.refunds,
      'runId', p.run_id
    ) ORDER BY p.position) FROM apportion.placements p
    WHERE p.account_id = s.account_id AND p.order_id = s.order_id AND p.part = s.part
  )::text END AS placements`

/** What is read of a part `s`. */
export const columnsOfPart = `s.order_id, s.part, s.recorded_at, s.version, s.document::text AS document,
  encode(s.packed, 'hex') AS packed, encode(s.rules, 'hex') AS rules, encode(s.postings, 'hex') AS postings,
  ${placementsOfPart}, ${refundsOfPart}, ${adjustmentsOfPart}`

const ofOrders = `SELECT ${columnsOfPart} FROM apportion.sale_parts s
  WHERE s.account_id = $1 AND s.order_id = ANY($2::text[]) ORDER BY s.order_id, s.part`

/** Nothing is looked up for what comes before the slice. */
const listing = (places: string, order: LedgerOrder): string => `SELECT ${columnsOfPart} FROM (
    ${places}
  ) AS place JOIN apportion.sale_parts s ON s.account_id = $1 AND s.order_id = place.order_id
    AND s.part = place.part
  ORDER BY ${ledgerOrders[order]}`

const ofPart = `SELECT ${columnsOfPart} FROM apportion.sale_parts s
  WHERE s.account_id = $1 AND s.order_id = $2 AND s.part = $3 AND s.version = $4`

/** The rules and the payouts that packed parts name by their numbers. */
const named = `SELECT number, encode(content, 'hex') AS content, NULL AS payout_id
  FROM apportion.recorded_rules WHERE account_id = $1 AND number = ANY($2::text[]::integer[])
  UNION ALL SELECT number, NULL, payout_id FROM (${payoutsByNumber("$3")}) AS p`

/** What is added to a part, with the postings that it has then: the next version of it. */
const adding = (added: {
  readonly name: string
  readonly statement: string
  /** What else is written. */
  readonly also?: string
  /** The number of the first parameter that tells what changes of the sums of what was sold. */
  readonly sold: number
}): string => `WITH changed AS (
    UPDATE apportion.sale_parts SET version = version + 1, postings = decode($8::text, 'hex')
    WHERE account_id = $1 AND order_id = $2 AND part = $3 AND version = $4
    RETURNING *
  ), ${added.name} AS (
    ${added.statement}
  )${added.also ?? ""}, sold AS (
    ${addingSold(added.sold)}
  ), gone AS (
    DELETE FROM apportion.placements p USING changed s
    WHERE p.account_id = s.account_id AND p.order_id = s.order_id AND p.part = s.part
  ) SELECT (SELECT count(*) FROM ${added.name}) AS added FROM changed s`

const addRefund = adding({
  name: "refunded",
  statement: `INSERT INTO apportion.refunds
      (account_id, refund_id, order_id, part, position, document, recorded_at)
    SELECT s.account_id, $5::text, s.order_id, s.part, s.version - 1, $6::text::json, $7::bigint
    FROM changed s ON CONFLICT (account_id, refund_id) DO NOTHING RETURNING refund_id`,
  sold: 9,
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
    FROM changed s, unnest($9::text[], $10::text[]) AS f (collaborator_id, product_id)
    WHERE NOT ${hasSubject("s", "apportion.subject_of($1, f.collaborator_id, f.product_id)")}
    ON CONFLICT DO NOTHING
  )`,
  sold: 11,
})

/** The next version of parts that are as they were read. */
const repost = `WITH given AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::text[]::bigint[], $4::text[]::bigint[], $5::text[])
      AS g (order_id, part, version, postings)
  ), gone AS (
    DELETE FROM apportion.placements p USING given g
    WHERE p.account_id = $1 AND p.order_id = g.order_id AND p.part = g.part
  ) UPDATE apportion.sale_parts s SET version = s.version + 1, postings = decode(g.postings, 'hex')
  FROM given g
  WHERE s.account_id = $1 AND s.order_id = g.order_id AND s.part = g.part AND s.version = g.version
  RETURNING s.order_id`

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

/** The numbers of the rules that a packed part names, four bytes each. */
export const ruleNumbers = (row: Row): ReadonlyArray<number> => {
  const { rules: hex } = row
  return typeof hex === "string"
    ? Array.from(hex.match(/.{8}/g) ?? [], (number) => Number.parseInt(number, 16))
    : []
}

const documentIn = (row: Row, known: NamedByParts["rules"]): SaleDocument => {
  const { packed } = row
  if (typeof packed !== "string") return recordOf(documentOf<SaleDocument>(row))
  const named = ruleNumbers(row).map((number) => known.get(number))
  return unpackSale(textOf(row, "order_id"), packed, named)
}

const postingsIn = (row: Row, sale: Pick<RecordedSale, "orderId" | "split">, ids: PayoutIds) => {
  const { postings } = row
  return typeof postings === "string"
    ? unpackPostings(sale, postings, ids)
    : listOf<Parameters<typeof postingOf>[0]>(row, "placements").map(postingOf)
}

/** The part in a row, with what it names. */
export const readPart = (row: Row, { rules, payouts }: NamedByParts): RecordedSale => {
  const sale = { ...documentIn(row, rules), orderId: textOf(row, "order_id") }
  return {
    ...sale,
    part: wholeOf(row, "part"),
    postings: postingsIn(row, sale, payouts),
    refunds: listOf(row, "refunds"),
    ...adjustmentsOf(row),
    recordedAt: wholeOf(row, "recorded_at"),
    version: wholeOf(row, "version"),
  }
}

/** What happened to a part in a row, as far as it says who has what of it. */
export const readSplit = (
  row: Row,
  known: NamedByParts["rules"],
): Pick<RecordedSale, "split" | "refunds" | "adjustments"> => ({
  split: documentIn(row, known).split,
  refunds: listOf(row, "refunds"),
  ...adjustmentsOf(row),
})

const payoutNumbersOf = ({ postings }: Row): ReadonlyArray<number> =>
  typeof postings === "string" ? payoutNumbersIn(postings) : []

/** The parts in rows, with what they name. */
const readAll = (
  session: Session,
  rows: ReadonlyArray<Row>,
): Effect.Effect<ReadonlyArray<RecordedSale>, StorageError> => {
  const numbers = [ruleNumbers, payoutNumbersOf].map((of) => [...new Set(rows.flatMap(of))])
  if (numbers.every((all) => all.length === 0)) {
    return Effect.succeed(
      rows.map((row) => readPart(row, { rules: new Map(), payouts: new Map() })),
    )
  }
  const asked = session.read("read what parts name", named, numbers.map(wholes))
  return Effect.map(asked, (found) => {
    const [ofRules, ofPayouts] = [
      found.filter((row) => row["content"] !== null),
      found.filter((row) => row["payout_id"] !== null),
    ]
    const known = {
      rules: new Map(
        ofRules.map((row) => [wholeOf(row, "number"), unpack(textOf(row, "content"))] as const),
      ),
      payouts: payoutIdsIn(session, ofPayouts),
    }
    return rows.map((row) => readPart(row, known))
  })
}

const insertAll = (session: Session, sales: ReadonlyArray<NewSale>) =>
  insertSales(session, sales, (orderIds) => partsOf(session, orderIds))

const insertSale = (session: Session, sale: NewSale): Effect.Effect<RecordedSale, StorageError> =>
  Effect.flatMap(insertAll(session, [sale]), ([stored]) =>
    stored === undefined ? session.conflict("sale", sale.orderId) : Effect.succeed(stored),
  )

const partsOf = (
  session: Session,
  orderIds: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<RecordedSale>, StorageError> =>
  Effect.flatMap(session.read("read the parts of orders", ofOrders, [texts(orderIds)]), (rows) =>
    readAll(session, rows),
  )

/** What a transaction read of an order last: what is added to one of its parts need not be preceded by reading it again. */
class LatestParts {
  #parts: ReadonlyArray<RecordedSale> = []

  /** The parts of one order, to be known from now on. */
  read(session: Session, orderId: string): ReturnType<typeof partsOf> {
    const noting = (parts: ReadonlyArray<RecordedSale>) =>
      Effect.sync(() => {
        this.#parts = parts
      })
    return Effect.tap(partsOf(session, [orderId]), noting)
  }

  /** A part in a version: that it has it still is for the statement to say that changes it. */
  partIn({ orderId, part, version }: Addition): RecordedSale | undefined {
    return this.#parts.find(
      (one) => one.orderId === orderId && one.part === part && one.version === version,
    )
  }
}

const refundsOf = (
  session: Session,
  refundIds: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<RecordedRefund>, StorageError> =>
  Effect.map(session.read("read refunds", refunds, [texts(refundIds)]), (rows) =>
    rows.map((row) => documentOf<RecordedRefund>(row)),
  )

type Addition = Parameters<SaleStore["addRefund"]>[0] | Parameters<SaleStore["addAdjustment"]>[0]

/** A part that is to get something, in the version that it has to have. */
const partFor = (
  session: Session,
  { orderId, part, version }: Addition,
): Effect.Effect<RecordedSale, StorageError> =>
  Effect.gen(function* () {
    const fields = [text(orderId), whole(part), whole(version)]
    const rows = yield* session.read("read a part", ofPart, fields)
    const [sale] = yield* readAll(session, rows)
    return sale ?? (yield* session.conflict("sale", orderId))
  })

/** What is added to a part, and under which name it may be there already. */
interface Added {
  readonly what: "refund" | "adjustment"
  readonly id: string
  readonly document: RecordedRefund | RecordedAdjustment
  /** What else the statement is given. */
  readonly also?: ReadonlyArray<Parameter>
  /** What it changes of what was sold in a currency. */
  readonly sold: (currency: string) => ReadonlyArray<SoldChange>
}

/** Writes what is added to a part, and gives the part's next version, as yet without it. */
const addTo = (
  session: Session,
  latest: LatestParts,
  options: Addition,
  { what, id, document, also = [], sold }: Added,
): Effect.Effect<RecordedSale, StorageError> =>
  Effect.gen(function* () {
    const { orderId, part, version, postings } = options
    const sale = latest.partIn(options) ?? (yield* partFor(session, options))
    const [row] = yield* session.write(
      `add ${what === "refund" ? "a refund" : "an adjustment"}`,
      what === "refund" ? addRefund : addAdjustment,
      [
        ...[text(orderId), whole(part), whole(version), text(id), json(document)],
        whole(document.recordedAt),
        packPostings(sale, postings, session.payoutNumbers),
        ...also,
        ...changeFields(changesIn([{ at: sale.recordedAt, changes: sold(sale.split.currency) }])),
      ],
    )
    if (row === undefined) return yield* session.conflict("sale", orderId)
    if (wholeOf(row, "added") === 0) return yield* session.conflict(what, id)
    return { ...sale, postings, version: version + 1 }
  })

const addRefundTo = (
  session: Session,
  latest: LatestParts,
  options: Parameters<SaleStore["addRefund"]>[0],
): Effect.Effect<RecordedSale, StorageError> => {
  const { refund: document } = options
  return Effect.map(
    addTo(session, latest, options, {
      ...{ what: "refund", id: document.id, document },
      sold: (currency) => soldByRefund(currency, document),
    }),
    (sale) => ({ ...sale, refunds: [...sale.refunds, document] }),
  )
}

const addAdjustmentTo = (
  session: Session,
  latest: LatestParts,
  options: Parameters<SaleStore["addAdjustment"]>[0],
): Effect.Effect<RecordedSale, StorageError> => {
  const { adjustment: document } = options
  const { runId: id, order, adjustment } = document
  const also = subjectFields(subjectsOf({ order, split: adjustment.split }))
  return Effect.map(
    addTo(session, latest, options, {
      ...{ what: "adjustment", id, document, also },
      sold: () => soldByAdjustment(document),
    }),
    ({ adjustments = [], ...sale }) => ({ ...sale, adjustments: [...adjustments, document] }),
  )
}

const partsAtATime = 500

/** The parts that have a posting which moves, with the postings that they have then. */
const movedParts = (
  sales: ReadonlyArray<RecordedSale>,
  { fromPayoutId, toPayoutId, items }: PostingMove,
) => {
  const moving = Map.groupBy(items, ({ orderId }) => orderId)
  return sales.flatMap((sale) => {
    const ids = new Set(moving.get(sale.orderId)?.map(({ payoutItemId }) => payoutItemId))
    const isMoving = ({ payoutId, payoutItemId }: Posting) =>
      payoutId === fromPayoutId && ids.has(payoutItemId)
    if (!sale.postings.some(isMoving)) return []
    const postings = sale.postings.map((posting) =>
      isMoving(posting) ? { ...posting, payoutId: toPayoutId } : posting,
    )
    return [{ sale, postings }]
  })
}

const moveAll = (session: Session, moved: PostingMove): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    const orderIds = [...new Set(moved.items.map(({ orderId }) => orderId))]
    for (let first = 0; first < orderIds.length; first += partsAtATime) {
      const sales = yield* partsOf(session, orderIds.slice(first, first + partsAtATime))
      const parts = movedParts(sales, moved)
      if (parts.length === 0) continue
      const rows = yield* session.write("move postings", repost, [
        texts(parts.map(({ sale }) => sale.orderId)),
        wholes(parts.map(({ sale }) => sale.part)),
        wholes(parts.map(({ sale }) => sale.version)),
        parts.map(({ sale, postings }) => packPostings(sale, postings, session.payoutNumbers)),
      ])
      if (rows.length < parts.length) yield* session.conflict("sale", "")
    }
  })

const listFrom =
  (session: Session): SaleStore["list"] =>
  (filter, { offset, limit }, order = "earliest first") =>
    Effect.gen(function* () {
      const { places, count, parametersOf } = sourceOf(filter)
      const slice = parametersOf(offset, limit)
      const [counted] = yield* session.read("count the ledger", count, slice)
      const rows = yield* session.read("list the ledger", listing(places[order], order), slice)
      return {
        // Two subjects could have the same digest.
        entries: (yield* readAll(session, rows)).filter((sale) => isSaleOf(filter, sale)),
        total: counted === undefined ? 0 : wholeOf(counted, "total"),
      }
    })

/** The ledger within one transaction. */
export const make = (session: Session): SaleStore => {
  const latest = new LatestParts()
  return {
    ofOrder: (orderId) => latest.read(session, orderId),
    ofOrders: (orderIds) => partsOf(session, orderIds),
    insert: (sale) => insertSale(session, sale),
    insertAll: (sales) => insertAll(session, sales),
    addRefund: (options) => addRefundTo(session, latest, options),
    addAdjustment: (options) => addAdjustmentTo(session, latest, options),
    move: (moved) => moveAll(session, moved),
    refund: (refundId) => Effect.map(refundsOf(session, [refundId]), ([found]) => found),
    refunds: (refundIds) => refundsOf(session, refundIds),
    list: listFrom(session),
    sold: (times) => readSold(session, listFrom(session), times),
  }
}
