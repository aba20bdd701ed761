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
import {
  columnsOf,
  itemFieldsOf,
  json,
  payoutColumns,
  type RowOfItem,
  rowOfPayout,
  text,
  textOf,
  texts,
  whole,
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

const isAddedAgain = "known.item_id = ANY($20::text[])"

/**
 * Stores changes, several of one payout too, and gives the id of a payout that was not as it should have been: then nothing
 * of the transaction may be kept. Items are removed by a change that stands alone, as which of them there were is found
 * here. Payouts are opened after others are closed, because an owner has one active payout at a time.
 */
const storing = `WITH given AS MATERIALIZED (
    SELECT g.*, min(g.version) OVER payout AS first, max(g.version) OVER payout AS last
    FROM unnest($2::text[], $3::text[]::bigint[], $4::text[], $5::text[], $6::text[])
      AS g (payout_id, version, after, entry, put)
    WINDOW payout AS (PARTITION BY g.payout_id)
  ), known AS MATERIALIZED (
    SELECT p.payout_id, p.status, p.to_be_paid_at, p.paid_at, p.history_hash,
      (SELECT row_to_json(columns) FROM (SELECT ${columnsOf("p")}) AS columns)::text AS before
    FROM apportion.payouts p WHERE p.account_id = $1::text AND p.payout_id = ANY($2::text[])
  ), taken AS MATERIALIZED (
    SELECT i.item_id, given.told, given.place
    FROM unnest($20::text[], $21::text[]) WITH ORDINALITY AS given (item_id, told, place)
    JOIN apportion.payout_items i ON i.account_id = $1::text AND i.payout_id = ($2::text[])[1]
      AND i.item_id = given.item_id
  ), removal AS (
    SELECT coalesce(string_agg(told, ',' ORDER BY place), '') AS told,
      coalesce(json_agg(item_id ORDER BY place), '[]') AS removed FROM taken
  ), entries AS MATERIALIZED (
    SELECT g.payout_id, g.version, g.first, g.last, g.after, g.put, removal.removed,
      coalesce(lag(g.after) OVER history, k.before) AS before,
      apportion.chained(k.history_hash, g.entry || removal.told || ']}') OVER history AS hash
    FROM given g CROSS JOIN removal LEFT JOIN known k ON k.payout_id = g.payout_id
    WINDOW history AS (PARTITION BY g.payout_id ORDER BY g.version)
  ), latest AS MATERIALIZED (
    SELECT p.*, e.first, e.hash FROM entries e
    CROSS JOIN LATERAL json_populate_record(NULL::apportion.payouts, e.after::json) AS p
    WHERE e.version = e.last
  ), changed AS (
    UPDATE apportion.payouts p SET ${assigned}, version = l.version, history_hash = l.hash
    FROM latest l WHERE p.account_id = $1 AND p.payout_id = l.payout_id AND p.version = l.first - 1
    RETURNING p.payout_id
  ), opened AS (
    INSERT INTO apportion.payouts (account_id, ${listed}, version, history_hash)
    SELECT $1, ${listed}, version, hash FROM latest
    WHERE first = 1 AND (SELECT count(*) FROM changed) >= 0
    ON CONFLICT DO NOTHING RETURNING payout_id
  ), kept AS MATERIALIZED (
    SELECT payout_id FROM changed UNION ALL SELECT payout_id FROM opened
  ), places AS MATERIALIZED (
    SELECT k.status, apportion.day_of(k.to_be_paid_at) AS day, apportion.day_of(k.paid_at) AS paid_day,
      -1 AS payouts FROM known k JOIN kept USING (payout_id)
    UNION ALL
    SELECT l.status, apportion.day_of(l.to_be_paid_at), apportion.day_of(l.paid_at), 1
    FROM latest l JOIN kept USING (payout_id)
  ), ${counting({ table: "payout_days", keys: "status, day", counted: "" })},
  ${counting({ table: "payment_days", keys: "paid_day, status, day", counted: "WHERE paid_day IS NOT NULL" })},
  gone AS (
    DELETE FROM apportion.payout_items i USING kept
    WHERE i.account_id = $1 AND i.payout_id = kept.payout_id
      AND i.item_id = ANY($20::text[]) AND i.item_id <> ALL($10::text[])
  ), written AS (
    INSERT INTO apportion.payout_items AS known (account_id, payout_id, item_id, added_in, place,
      kind, amount, original_amount, original_currency, exchange_rate, created_at, document)
    SELECT $1, i.payout_id, i.item_id, i.added_in, i.place, i.kind, i.amount, i.original_amount,
      i.original_currency, nullif(i.exchange_rate, ''), i.created_at, i.document::json
    FROM unnest($9::text[], $10::text[], $11::text[]::bigint[], $12::text[]::bigint[], $13::text[],
      $14::text[]::bigint[], $15::text[]::bigint[], $16::text[], $17::text[],
      $18::text[]::bigint[], $19::text[]) AS i (payout_id, item_id, added_in, place, kind, amount,
      original_amount, original_currency, exchange_rate, created_at, document)
    JOIN kept ON kept.payout_id = i.payout_id
    ON CONFLICT (account_id, payout_id, item_id) DO UPDATE SET
      added_in = CASE WHEN ${isAddedAgain} THEN excluded.added_in ELSE known.added_in END,
      place = CASE WHEN ${isAddedAgain} THEN excluded.place ELSE known.place END,
      kind = excluded.kind, amount = excluded.amount, original_amount = excluded.original_amount,
      original_currency = excluded.original_currency, exchange_rate = excluded.exchange_rate,
      created_at = excluded.created_at, document = excluded.document
  ), noted AS (
    INSERT INTO apportion.payout_history
      (account_id, payout_id, version, at, actor, before, after, put, removed, hash)
    SELECT $1, e.payout_id, e.version, $7::bigint, $8::text, e.before::json, e.after::json,
      e.put::json, e.removed, e.hash FROM entries e JOIN kept ON kept.payout_id = e.payout_id
  )
  SELECT g.payout_id FROM given g WHERE NOT EXISTS (
    SELECT FROM kept WHERE kept.payout_id = g.payout_id
  ) LIMIT 1`

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

/** The items of changes: the last one with an id in a payout is written, to where the first one stood. */
const rowsOfItems = (steps: ReadonlyArray<ChangedPayout>): ReadonlyArray<RowOfItem> => {
  const byPlace = new Map<string, Map<string, RowOfItem>>()
  for (const { change, after } of steps) {
    const { id: payoutId, version: addedIn } = after
    const ofPayout = byPlace.get(payoutId) ?? new Map<string, RowOfItem>()
    byPlace.set(payoutId, ofPayout)
    for (const [place, item] of (change.put ?? []).entries()) {
      const before = ofPayout.get(item.id)
      ofPayout.set(item.id, { ...(before ?? { payoutId, addedIn, place }), item })
    }
  }
  return [...byPlace.values()].flatMap((ofPayout) => [...ofPayout.values()])
}

const listOf = (items: ReadonlyArray<PayoutItem> = []): string => json(items)

/** Writes changes, or ends in a conflict when a payout is not as it was when it was read. */
const write = (
  session: Session,
  steps: ReadonlyArray<ChangedPayout>,
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    const at = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const { actor } = session
    const removed = [...new Set(steps.flatMap(({ change }) => change.remove ?? []))]
    const [row] = yield* session.write("store payouts", storing, [
      texts(steps.map(({ after }) => after.id)),
      wholes(steps.map(({ after }) => after.version)),
      steps.map(({ after }) => json(rowOfPayout(after))),
      steps.map(({ change: { put = [] }, after }) => beginningOf({ at, actor, after, put })),
      steps.map(({ change }) => listOf(change.put)),
      ...[whole(at), text(actor)],
      ...itemFieldsOf(rowsOfItems(steps)),
      ...[texts(removed), removed.map(json)],
    ])
    if (row !== undefined) yield* session.conflict("payout", textOf(row, "payout_id"))
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
