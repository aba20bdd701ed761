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
import { type ChangedPayout, sameState } from "./changedPayouts.js"
import { Packer } from "./Packer.js"
import { adding, additionFields, type GrowingPayout, growingIn } from "./payoutAdditions.js"
import { packEntry, packItem, placeOfItem } from "./payoutItems.js"
import {
  columnsOf,
  json,
  payoutColumns,
  rowOfPayout,
  textOf,
  texts,
  wholeOf,
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

/** What becomes of items: where each one goes, and what of the others it replaces. Removed ones are of the one payout. */
const placing = `wanted AS (
    SELECT nth, item_id FROM unnest($10::text[]::bigint[], $11::text[]) AS i (nth, item_id)
    UNION SELECT 1, item_id FROM unnest($19::text[]) AS i (item_id)
  ), met AS MATERIALIZED (
    SELECT w.nth, k.payout_id, w.item_id, m.version, m.place FROM wanted w
    JOIN known k ON k.nth = w.nth
    CROSS JOIN LATERAL (${placeOfItem({ number: "k.number", payoutId: "k.payout_id", itemId: "w.item_id" })} OFFSET 0) AS m
  ), placed AS MATERIALIZED (
    SELECT i.*, coalesce(m.version, i.version_of_first) AS first_version,
      coalesce(m.place, i.index_of_first) AS first_place,
      CASE WHEN m.item_id IS NULL AND i.version = i.version_of_first AND i.index = i.index_of_first
        THEN i.index ELSE -1 - i.index END AS place
    FROM unnest($12::text[]::bigint[], $13::text[]::integer[], $14::text[]::integer[],
      $15::text[]::integer[], $16::text[]::integer[], $17::text[], $18::text[]::bigint[], $21::text[])
      AS i (nth, version, index, version_of_first, index_of_first, item_id, amount, packed)
    LEFT JOIN met m ON m.nth = i.nth AND m.item_id = i.item_id AND m.item_id <> ALL($19::text[])
  )`

/** Items of earlier versions that are changed are kept as the others from then on. */
const keepingItems = `gone AS (
    DELETE FROM apportion.payout_items i USING met m
    WHERE i.account_id = $1 AND i.payout_id = m.payout_id AND i.item_id = m.item_id
  ), replaced AS (
    INSERT INTO apportion.payout_replacements AS known
      (payout, version, place, item, now_version, now_place)
    SELECT kept.number, r.version, r.place, hashtext(r.item_id), r.now_version, r.now_place FROM (
      (SELECT DISTINCT ON (nth, item_id) nth, item_id, first_version AS version,
        first_place AS place, version AS now_version, place AS now_place FROM placed
      WHERE place < 0 ORDER BY nth, item_id, version DESC, index DESC)
      UNION ALL SELECT nth, item_id, version, place, NULL, NULL FROM met
      WHERE item_id = ANY($19::text[])
    ) AS r JOIN kept USING (nth)
    ON CONFLICT (payout, version, place) DO UPDATE SET
      now_version = excluded.now_version, now_place = excluded.now_place
  ), written AS (
    INSERT INTO apportion.payout_ledger (payout, version, place, amount, item_id, packed, hash)
    SELECT kept.number, e.version, coalesce(p.place, 0), p.amount, p.item_id,
      decode(coalesce(p.packed, e.packed), 'hex'),
      CASE WHEN coalesce(p.index, 0) = 0 THEN decode(e.hash, 'hex') END
    FROM entries e JOIN kept ON kept.nth = e.nth
    LEFT JOIN placed p ON p.nth = e.nth AND p.version = e.version
  )`

/** What an entry says beside total and count, which nearly every change changes. */
const stateOf = (document: string): string =>
  `${document}::jsonb - '{payout_id,total,items_count,version}'::text[]`

/**
 * The state that an entry stores: the one that is given where it may be another than before, unless it is as the payout
 * is stored.
 */
const changedState = `CASE WHEN g.version > c.first OR k.payout_id IS NULL
        OR g.state::jsonb <> ${stateOf("k.before")} THEN g.state::jsonb END`

/**
 * Stores changes, several of one payout too, and gives the numbers of the payouts. One that was not as it should have been
 * has none: then nothing of the transaction may be kept. Items are removed by a change that stands alone, as which of them there were is found
 * here. Payouts are opened after others are closed, because an owner has one active payout at a time.
 */
const storing = `WITH changing AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::text[]::bigint[], $4::text[]::bigint[])
      WITH ORDINALITY AS c (payout_id, first, last, nth)
  ), known AS MATERIALIZED (
    SELECT c.nth, p.payout_id, p.number, p.status, p.to_be_paid_at, p.paid_at, p.history_hash,
      (SELECT row_to_json(columns) FROM (SELECT ${columnsOf("p")}) AS columns)::text AS before
    FROM changing c JOIN apportion.payouts p ON p.account_id = $1::text AND p.payout_id = c.payout_id
  ), ${placing}, taken AS MATERIALIZED (
    SELECT met.item_id, given.told, given.place
    FROM unnest($19::text[], $20::text[]) WITH ORDINALITY AS given (item_id, told, place)
    JOIN met ON met.item_id = given.item_id
  ), removal AS (
    SELECT coalesce(string_agg(told, ',' ORDER BY place), '') AS told,
      json_agg(item_id ORDER BY place) AS removed FROM taken
  ), entries AS MATERIALIZED (
    SELECT g.nth, g.version, g.packed, removal.removed, ${changedState} AS state,
      apportion.chained(k.history_hash, g.entry || removal.told || ']}') OVER history AS hash
    FROM (
      SELECT nth, version, nullif(state, '') AS state, entry, packed
      FROM unnest($5::text[]::bigint[], $6::text[]::bigint[], $7::text[], $8::text[], $9::text[])
        AS given (nth, version, state, entry, packed)
    ) AS g JOIN changing c ON c.nth = g.nth CROSS JOIN removal LEFT JOIN known k ON k.nth = g.nth
    WINDOW history AS (PARTITION BY g.nth ORDER BY g.version)
  ), latest AS MATERIALIZED (
    SELECT p.*, c.nth, c.first, e.hash
    FROM json_populate_recordset(NULL::apportion.payouts, $22::json) AS p
    JOIN changing c ON c.payout_id = p.payout_id JOIN entries e ON e.nth = c.nth AND e.version = c.last
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
    SELECT c.nth, c.payout_id, k.number FROM (
      SELECT payout_id, number FROM changed UNION ALL SELECT payout_id, number FROM opened
    ) AS k JOIN changing c ON c.payout_id = k.payout_id
  ), places AS MATERIALIZED (
    SELECT k.status, apportion.day_of(k.to_be_paid_at) AS day, apportion.day_of(k.paid_at) AS paid_day,
      -1 AS payouts FROM known k JOIN kept USING (nth)
    UNION ALL
    SELECT l.status, apportion.day_of(l.to_be_paid_at), apportion.day_of(l.paid_at), 1
    FROM latest l JOIN kept USING (nth)
  ), ${counting({ table: "payout_days", keys: "status, day", counted: "" })},
  ${counting({ table: "payment_days", keys: "paid_day, status, day", counted: "WHERE paid_day IS NOT NULL" })},
  ${keepingItems}, noted AS (
    INSERT INTO apportion.payout_states (payout, version, account_id, payout_id, state, removed)
    SELECT kept.number, e.version, CASE WHEN e.version = 1 THEN $1 END,
      CASE WHEN e.version = 1 THEN kept.payout_id END,
      e.state::json, e.removed
    FROM entries e JOIN kept ON kept.nth = e.nth
    WHERE e.state IS NOT NULL OR e.removed IS NOT NULL
  )
  SELECT c.payout_id, kept.number FROM changing c LEFT JOIN kept ON kept.nth = c.nth`

/** A payout with what its row has, and nothing else. */
const storedOf = ({ payout }: PayoutChange): StoredPayout => ({
  id: payout.id,
  collaboratorId: payout.collaboratorId,
  currency: payout.currency,
  status: payout.status,
  openedAt: payout.openedAt,
  toBePaidAt: payout.toBePaidAt,
  closedAt: payout.closedAt,
  payableAt: payout.payableAt,
  paidAt: payout.paidAt,
  failureReason: payout.failureReason,
  total: payout.total,
  itemsCount: payout.itemsCount,
  paymentId: payout.paymentId,
  version: payout.version + 1,
})

/** What comes after the ids of items that were removed. */
const endOfText = "]}".length

/** The text of an entry up to those ids: which of the given ones were there is for the database to say. */
const beginningOf = (entry: Omit<HashedEntry, "removed">): string =>
  historyText({ ...entry, removed: [] }).slice(0, -endOfText)

/** A payout that is changed, and the first and the last of its versions that are written. */
interface ChangingPayout {
  readonly id: string
  /** Its place among them, from 1 on, by which the rest names it: ids are long. */
  readonly nth: number
  readonly first: number
  last: number
}

const changingOf = (steps: ReadonlyArray<ChangedPayout>): ReadonlyMap<string, ChangingPayout> => {
  const all = new Map<string, ChangingPayout>()
  for (const { after } of steps) {
    const { id, version } = after
    const known = all.get(id)
    if (known === undefined) all.set(id, { id, nth: all.size + 1, first: version, last: version })
    else known.last = version
  }
  return all
}

/** An item that a change puts, and the first one with its id among all that are. */
interface PutItem {
  readonly payout: ChangingPayout
  readonly version: number
  readonly index: number
  readonly first: Pick<PutItem, "version" | "index">
  readonly item: PayoutItem
}

const itemsPut = (
  steps: ReadonlyArray<ChangedPayout>,
  changing: ReadonlyMap<string, ChangingPayout>,
): ReadonlyArray<PutItem> => {
  const firsts = new Map<string, Map<string, PutItem["first"]>>()
  return steps.flatMap(({ change: { put = [] }, after: { id, version } }) => {
    const payout = changing.get(id)
    if (payout === undefined) return []
    const ofPayout = firsts.get(id) ?? new Map<string, PutItem["first"]>()
    firsts.set(id, ofPayout)
    return put.map((item, index) => {
      const first = ofPayout.get(item.id) ?? { version, index }
      ofPayout.set(item.id, first)
      return { payout, version, index, first, item }
    })
  })
}

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

/** Writes changes of any kind, or ends in a conflict when a payout is not as it was when it was read. */
const change = (
  session: Session,
  steps: ReadonlyArray<ChangedPayout>,
  at: number,
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    const { actor } = session
    const removed = [...new Set(steps.flatMap(({ change }) => change.remove ?? []))]
    const changing = changingOf(steps)
    const payouts = [...changing.values()]
    const items = itemsPut(steps, changing)
    // Of others the transaction has seen that their payout has none of that id, or opens it. From now on all of them are there.
    const unseen = items.filter(
      ({ payout: { id, first }, item }) => !session.absentItems.forget(id, item.id) && first > 1,
    )
    const { states, latest } = statesOf(steps)
    const packer = new Packer()
    const packedHead = ({ after: { total, itemsCount } }: ChangedPayout, item?: PayoutItem) =>
      packEntry({ at, actor, total, itemsCount }, item, packer)
    const fields = [
      texts(payouts.map(({ id }) => id)),
      wholes(payouts.map(({ first }) => first)),
      wholes(payouts.map(({ last }) => last)),
      wholes(steps.map(({ after }) => changing.get(after.id)?.nth ?? 0)),
      wholes(steps.map(({ after }) => after.version)),
      states,
      steps.map(({ change: { put = [] }, after }) => beginningOf({ at, actor, after, put })),
      steps.map((step) => (step.change.put?.length ? "" : packedHead(step))),
      wholes(unseen.map(({ payout }) => payout.nth)),
      texts(unseen.map(({ item }) => item.id)),
      wholes(items.map(({ payout }) => payout.nth)),
      wholes(items.map(({ version }) => version)),
      wholes(items.map(({ index }) => index)),
      wholes(items.map(({ first }) => first.version)),
      wholes(items.map(({ first }) => first.index)),
      texts(items.map(({ item }) => item.id)),
      wholes(items.map(({ item }) => item.amount)),
      ...[texts(removed), removed.map(json)],
      steps.flatMap((step) =>
        (step.change.put ?? []).map((item, index) =>
          index === 0 ? packedHead(step, item) : packItem(item, packer),
        ),
      ),
      latest,
    ]
    yield* session.send("store payouts", storing, fields, (rows) => {
      for (const row of rows) {
        const payoutId = textOf(row, "payout_id")
        const number = wholeOrNullOf(row, "number")
        if (number === null) return session.conflict("payout", payoutId)
        session.payoutNumbers.set(payoutId, number)
      }
      return Effect.void
    })
    // What is packed next names payouts by their numbers, which the answer has. One that is opened had another number if a
    // savepoint took it back before.
    const isNumbered = ({ id, first }: ChangingPayout) => first > 1 && session.payoutNumbers.has(id)
    if (!payouts.every(isNumbered)) yield* session.answered
  })

/** Writes additions, or ends in a conflict when a payout is not as it was when it was read. */
const add = (
  session: Session,
  payouts: ReadonlyArray<GrowingPayout>,
  at: number,
): Effect.Effect<void, StorageError> => {
  for (const { steps, after } of payouts) {
    for (const item of steps.flatMap(({ change: { put = [] } }) => put)) {
      session.absentItems.forget(after.id, item.id)
    }
  }
  const fields = additionFields(session, payouts, at)
  return session.send("store payouts", { kept: adding }, fields, (rows) => {
    const changed = new Set(rows.map((row) => wholeOf(row, "number")))
    const other = payouts.find(({ number }) => !changed.has(number))
    return other === undefined ? Effect.void : session.conflict("payout", other.after.id)
  })
}

/** Writes changes: those of payouts that only get more items apart from all others. */
const write = (
  session: Session,
  steps: ReadonlyArray<ChangedPayout>,
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    const at = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const { payouts, others } = growingIn(session, steps)
    if (others.length > 0) yield* change(session, others, at)
    if (payouts.length > 0) yield* add(session, payouts, at)
    for (const { after } of steps) session.seenPayouts.set(after.id, after)
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
