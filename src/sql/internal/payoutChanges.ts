/**
 * Changes of payouts, many in one statement: their rows, their items, the entries of their histories with their hashes, and
 * on which days they are counted.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import { type HashedEntry, historyText } from "../../ports/PayoutHistory.js"
import type { PayoutChange, PayoutStore, StoredPayout } from "../../ports/PayoutStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import { packEntry, packItem, placeOfItem } from "./payoutItems.js"
import {
  columnsOf,
  json,
  payoutColumns,
  rowOfPayout,
  textOf,
  texts,
  wholeOrNullOf,
  wholes,
} from "./rows.js"
import type { Session } from "./Session.js"

const listed = payoutColumns.join(", ")
const assigned = payoutColumns.map((name) => `${name} = l.${name}`).join(", ")

/**
 * How many payouts are due, and were paid, on each day: what changes about that when payouts do. What is taken off and what
 * is added are different rows, because each is added up first.
 */
const counting = (days: {
  readonly table: string
  readonly keys: string
  readonly counted: string
}): string => {
  const { table, keys, counted } = days
  const isSame = keys.split(", ").map((key) => `known.${key} = c.${key}`)
  return `${table}_changes AS (
    SELECT ${keys}, sum(payouts) AS payouts FROM places ${counted} GROUP BY ${keys}
    HAVING sum(payouts) <> 0
  ), ${table}_less AS (
    UPDATE apportion.${table} known SET payouts = known.payouts + c.payouts FROM ${table}_changes c
    WHERE known.account_id = $1 AND ${isSame.join(" AND ")} AND c.payouts < 0
  ), ${table}_more AS (
    INSERT INTO apportion.${table} AS known (account_id, ${keys}, payouts)
    SELECT $1, ${keys}, payouts FROM ${table}_changes WHERE payouts > 0
    ON CONFLICT (account_id, ${keys}) DO UPDATE SET payouts = known.payouts + excluded.payouts
  )`
}

/** What becomes of items: where each one goes, and what of the others it replaces. */
const placing = `wanted AS (
    SELECT payout_id, item_id FROM unnest($7::text[], $12::text[]) AS i (payout_id, item_id)
    UNION SELECT ($2::text[])[1], item_id FROM unnest($14::text[]) AS i (item_id)
  ), met AS MATERIALIZED (
    SELECT w.payout_id, w.item_id, m.version, m.place FROM wanted w
    JOIN known k ON k.payout_id = w.payout_id
    CROSS JOIN LATERAL (${placeOfItem({ number: "k.number", payoutId: "w.payout_id", itemId: "w.item_id" })} OFFSET 0) AS m
  ), placed AS MATERIALIZED (
    SELECT i.*, coalesce(m.version, i.version_of_first) AS first_version,
      coalesce(m.place, i.index_of_first) AS first_place,
      CASE WHEN m.item_id IS NULL AND i.version = i.version_of_first AND i.index = i.index_of_first
        THEN i.index ELSE -1 - i.index END AS place
    FROM unnest($7::text[], $8::text[]::integer[], $9::text[]::integer[], $10::text[]::integer[],
      $11::text[]::integer[], $12::text[], $13::text[]::bigint[], $16::text[])
      AS i (payout_id, version, index, version_of_first, index_of_first, item_id, amount, packed)
    LEFT JOIN met m ON m.payout_id = i.payout_id AND m.item_id = i.item_id
      AND m.item_id <> ALL($14::text[])
  )`

/** Items of earlier versions that are changed are kept as the others from then on. */
const keepingItems = `gone AS (
    DELETE FROM apportion.payout_items i USING met m
    WHERE i.account_id = $1 AND i.payout_id = m.payout_id AND i.item_id = m.item_id
  ), replaced AS (
    INSERT INTO apportion.payout_replacements AS known
      (payout, version, place, item, now_version, now_place)
    SELECT kept.number, r.version, r.place, hashtext(r.item_id), r.now_version, r.now_place FROM (
      (SELECT DISTINCT ON (payout_id, item_id) payout_id, item_id, first_version AS version,
        first_place AS place, version AS now_version, place AS now_place FROM placed
      WHERE place < 0 ORDER BY payout_id, item_id, version DESC, index DESC)
      UNION ALL SELECT payout_id, item_id, version, place, NULL, NULL FROM met
      WHERE item_id = ANY($14::text[])
    ) AS r JOIN kept USING (payout_id)
    ON CONFLICT (payout, version, place) DO UPDATE SET
      now_version = excluded.now_version, now_place = excluded.now_place
  ), written AS (
    INSERT INTO apportion.payout_ledger (payout, version, place, amount, item_id, packed, hash)
    SELECT kept.number, e.version, coalesce(p.place, 0), p.amount, p.item_id,
      decode(coalesce(p.packed, e.packed), 'hex'),
      CASE WHEN coalesce(p.index, 0) = 0 THEN decode(e.hash, 'hex') END
    FROM entries e JOIN kept ON kept.payout_id = e.payout_id
    LEFT JOIN placed p ON p.payout_id = e.payout_id AND p.version = e.version
  )`

/** What an entry says beside total and count, which nearly every change changes. */
const stateOf = (document: string): string =>
  `${document}::jsonb - '{payout_id,total,items_count,version}'::text[]`

/**
 * The state that an entry stores: the one that is given where it may be another than before, unless it is as the payout
 * is stored.
 */
const changedState = `CASE WHEN g.version > g.first OR k.payout_id IS NULL
        OR g.state::jsonb <> ${stateOf("k.before")} THEN g.state::jsonb END`

/**
 * Stores changes, several of one payout too, and gives the numbers of the payouts. One that was not as it should have been
 * has none: then nothing of the transaction may be kept. Items are removed by a change that stands alone, as which of them there were is found
 * here. Payouts are opened after others are closed, because an owner has one active payout at a time.
 */
const storing = `WITH given AS MATERIALIZED (
    SELECT g.payout_id, g.version, nullif(g.state, '') AS state, g.entry, g.packed,
      min(g.version) OVER payout AS first, max(g.version) OVER payout AS last
    FROM unnest($2::text[], $3::text[]::bigint[], $4::text[], $5::text[], $6::text[])
      AS g (payout_id, version, state, entry, packed)
    WINDOW payout AS (PARTITION BY g.payout_id)
  ), known AS MATERIALIZED (
    SELECT p.payout_id, p.number, p.status, p.to_be_paid_at, p.paid_at, p.history_hash,
      (SELECT row_to_json(columns) FROM (SELECT ${columnsOf("p")}) AS columns)::text AS before
    FROM apportion.payouts p WHERE p.account_id = $1::text AND p.payout_id = ANY($2::text[])
  ), ${placing}, taken AS MATERIALIZED (
    SELECT met.item_id, given.told, given.place
    FROM unnest($14::text[], $15::text[]) WITH ORDINALITY AS given (item_id, told, place)
    JOIN met ON met.item_id = given.item_id
  ), removal AS (
    SELECT coalesce(string_agg(told, ',' ORDER BY place), '') AS told,
      json_agg(item_id ORDER BY place) AS removed FROM taken
  ), entries AS MATERIALIZED (
    SELECT g.payout_id, g.version, g.first, g.last, g.packed, removal.removed, ${changedState} AS state,
      apportion.chained(k.history_hash, g.entry || removal.told || ']}') OVER history AS hash
    FROM given g CROSS JOIN removal LEFT JOIN known k ON k.payout_id = g.payout_id
    WINDOW history AS (PARTITION BY g.payout_id ORDER BY g.version)
  ), latest AS MATERIALIZED (
    SELECT p.*, e.first, e.hash FROM json_populate_recordset(NULL::apportion.payouts, $17::json) AS p
    JOIN entries e ON e.payout_id = p.payout_id AND e.version = e.last
  ), changed AS (
    UPDATE apportion.payouts p SET ${assigned}, version = l.version, history_hash = l.hash
    FROM latest l WHERE p.account_id = $1 AND p.payout_id = l.payout_id AND p.version = l.first - 1
    RETURNING p.payout_id, p.number
  ), opened AS (
    INSERT INTO apportion.payouts (account_id, ${listed}, version, history_hash)
    SELECT $1, ${listed}, version, hash FROM latest
    WHERE first = 1 AND (SELECT count(*) FROM changed) >= 0
    ON CONFLICT DO NOTHING RETURNING payout_id, number
  ), kept AS MATERIALIZED (
    SELECT payout_id, number FROM changed UNION ALL SELECT payout_id, number FROM opened
  ), places AS MATERIALIZED (
    SELECT k.status, apportion.day_of(k.to_be_paid_at) AS day, apportion.day_of(k.paid_at) AS paid_day,
      -1 AS payouts FROM known k JOIN kept USING (payout_id)
    UNION ALL
    SELECT l.status, apportion.day_of(l.to_be_paid_at), apportion.day_of(l.paid_at), 1
    FROM latest l JOIN kept USING (payout_id)
  ), ${counting({ table: "payout_days", keys: "status, day", counted: "" })},
  ${counting({ table: "payment_days", keys: "paid_day, status, day", counted: "WHERE paid_day IS NOT NULL" })},
  ${keepingItems}, noted AS (
    INSERT INTO apportion.payout_states (payout, version, account_id, payout_id, state, removed)
    SELECT kept.number, e.version, CASE WHEN e.version = 1 THEN $1 END,
      CASE WHEN e.version = 1 THEN e.payout_id END,
      e.state::json, e.removed
    FROM entries e JOIN kept ON kept.payout_id = e.payout_id
    WHERE e.state IS NOT NULL OR e.removed IS NOT NULL
  )
  SELECT given.payout_id, kept.number FROM given LEFT JOIN kept ON kept.payout_id = given.payout_id
  WHERE given.version = given.first`

/** A payout with what its row has, and nothing else. */
const storedOf = ({ payout }: PayoutChange): StoredPayout => ({
  ...{ id: payout.id, collaboratorId: payout.collaboratorId, currency: payout.currency },
  ...{ status: payout.status, openedAt: payout.openedAt, toBePaidAt: payout.toBePaidAt },
  ...{ closedAt: payout.closedAt, payableAt: payout.payableAt, paidAt: payout.paidAt },
  ...{ failureReason: payout.failureReason, total: payout.total, itemsCount: payout.itemsCount },
  ...{ paymentId: payout.paymentId, version: payout.version + 1 },
})

/** What comes after the ids of items that were removed. */
const endOfText = "]}".length

/** The text of an entry up to those ids: which of the given ones were there is for the database to say. */
const beginningOf = (entry: Omit<HashedEntry, "removed">): string =>
  historyText({ ...entry, removed: [] }).slice(0, -endOfText)

/** A change, and what it makes of its payout. */
interface ChangedPayout {
  readonly change: PayoutChange
  readonly after: StoredPayout
}

/** An item that a change puts, and the first one with its id among all that are. */
interface PutItem {
  readonly payoutId: string
  readonly version: number
  readonly index: number
  readonly first: Pick<PutItem, "version" | "index">
  readonly item: PayoutItem
}

const itemsPut = (steps: ReadonlyArray<ChangedPayout>): ReadonlyArray<PutItem> => {
  const firsts = new Map<string, Map<string, PutItem["first"]>>()
  return steps.flatMap(({ change: { put = [] }, after: { id: payoutId, version } }) => {
    const ofPayout = firsts.get(payoutId) ?? new Map<string, PutItem["first"]>()
    firsts.set(payoutId, ofPayout)
    return put.map((item, index) => {
      const first = ofPayout.get(item.id) ?? { version, index }
      ofPayout.set(item.id, first)
      return { payoutId, version, index, first, item }
    })
  })
}

/** What of a payout an entry of its history has in its state. */
const sameState = (one: StoredPayout, other: StoredPayout): boolean =>
  one.collaboratorId === other.collaboratorId &&
  one.currency === other.currency &&
  one.status === other.status &&
  one.openedAt === other.openedAt &&
  one.toBePaidAt === other.toBePaidAt &&
  one.closedAt === other.closedAt &&
  one.payableAt === other.payableAt &&
  one.paidAt === other.paidAt &&
  one.failureReason === other.failureReason &&
  one.paymentId === other.paymentId

/** The states that changes lead to, blank after the first one of a payout where nothing of it changes, and the last ones. */
const statesOf = (steps: ReadonlyArray<ChangedPayout>) => {
  const last = new Map<string, StoredPayout>()
  const states = steps.map(({ after }) => {
    const before = last.get(after.id)
    last.set(after.id, after)
    if (before !== undefined && sameState(before, after)) return ""
    const { payout_id, total, items_count, version, ...state } = rowOfPayout(after)
    return json(state)
  })
  return { states, latest: json([...last.values()].map(rowOfPayout)) }
}

/** Writes changes, or ends in a conflict when a payout is not as it was when it was read. */
const write = (
  session: Session,
  steps: ReadonlyArray<ChangedPayout>,
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    const at = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const { actor } = session
    const removed = [...new Set(steps.flatMap(({ change }) => change.remove ?? []))]
    const items = itemsPut(steps)
    const { states, latest } = statesOf(steps)
    const packedHead = ({ after: { total, itemsCount } }: ChangedPayout, item?: PayoutItem) =>
      packEntry({ at, actor, total, itemsCount }, item)
    const rows = yield* session.write("store payouts", storing, [
      texts(steps.map(({ after }) => after.id)),
      wholes(steps.map(({ after }) => after.version)),
      states,
      steps.map(({ change: { put = [] }, after }) => beginningOf({ at, actor, after, put })),
      steps.map((step) => (step.change.put?.length ? "" : packedHead(step))),
      texts(items.map(({ payoutId }) => payoutId)),
      wholes(items.map(({ version }) => version)),
      wholes(items.map(({ index }) => index)),
      wholes(items.map(({ first }) => first.version)),
      wholes(items.map(({ first }) => first.index)),
      texts(items.map(({ item }) => item.id)),
      wholes(items.map(({ item }) => item.amount)),
      ...[texts(removed), removed.map(json)],
      steps.flatMap((step) =>
        (step.change.put ?? []).map((item, index) =>
          index === 0 ? packedHead(step, item) : packItem(item),
        ),
      ),
      latest,
    ])
    for (const row of rows) {
      const payoutId = textOf(row, "payout_id")
      const number = wholeOrNullOf(row, "number")
      if (number === null) return yield* session.conflict("payout", payoutId)
      session.payoutNumbers.set(payoutId, number)
    }
  })

/** Changes that are written together: one that removes items stands alone. */
const runsOf = (
  steps: ReadonlyArray<ChangedPayout>,
): ReadonlyArray<ReadonlyArray<ChangedPayout>> => {
  const runs: Array<Array<ChangedPayout>> = []
  let isAlone = true
  for (const step of steps) {
    const removes = (step.change.remove ?? []).length > 0
    if (removes || isAlone) runs.push([step])
    else runs.at(-1)?.push(step)
    isAlone = removes
  }
  return runs
}

/** A change of a payout that another one before it did not lead to; `undefined`: there is none. */
const outOfTurn = (changes: ReadonlyArray<PayoutChange>): string | undefined => {
  const versions = new Map<string, number>()
  for (const { payout } of changes) {
    const { id, version } = payout
    if ((versions.get(id) ?? version) !== version) return id
    versions.set(id, version + 1)
  }
  return undefined
}

const storeAll = (
  session: Session,
  changes: ReadonlyArray<PayoutChange>,
): Effect.Effect<ReadonlyArray<StoredPayout>, StorageError> =>
  Effect.gen(function* () {
    const early = outOfTurn(changes)
    if (early !== undefined) return yield* session.conflict("payout", early)
    const steps = changes.map((change) => ({ change, after: storedOf(change) }))
    for (const run of runsOf(steps)) yield* write(session, run)
    return steps.map(({ after }) => after)
  })

const storeOne = (
  session: Session,
  change: PayoutChange,
): Effect.Effect<StoredPayout, StorageError> =>
  Effect.flatMap(storeAll(session, [change]), ([stored]) =>
    stored === undefined ? session.conflict("payout", change.payout.id) : Effect.succeed(stored),
  )

/** What changes payouts within one transaction. */
export const make = (session: Session): Pick<PayoutStore, "insert" | "update" | "storeAll"> => ({
  insert: ({ payout, put }) => storeOne(session, { payout: { ...payout, version: 0 }, put }),
  update: (change) =>
    change.payout.version === 0
      ? session.conflict("payout", change.payout.id)
      : storeOne(session, change),
  storeAll: (changes) => storeAll(session, changes),
})
