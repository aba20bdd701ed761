/**
 * The histories of payouts as they lie in rows: what an entry put lies where the items are, and what did not change from
 * the entry before is not repeated. Entries of before version 0.6.0 tell all of it.
 */
import { fromOrdered } from "../../internal/orderedText.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { PayoutHistoryEntry, StoredPayout } from "../../ports/PayoutStore.js"
import { eightVersionsOf } from "./migrations/payoutLedger.js"
import { numberOf, readHead, readItem } from "./payoutItems.js"
import { documentOf, payoutOf, type Row, textOf, textOrNullOf, wholeOf } from "./rows.js"

/** Of the payout that there is, or of which there was one. */
const number = `coalesce(${numberOf("$2")}, (SELECT payout FROM apportion.payout_states
    WHERE account_id = $1 AND payout_id = $2))`

const [eight, isOfPayout] = [eightVersionsOf("e.version"), `e.payout = ${number}`]

/** All that each of the entries put, whatever became of it: with those in one go, however many share an eight. */
const putByEntries = `SELECT e.version, json_agg(json_build_object('item_id', e.item_id, 'amount', e.amount,
      'packed', encode(e.packed, 'hex')) ORDER BY CASE WHEN e.place < 0 THEN -1 - e.place ELSE e.place END
    )::text AS put
    FROM apportion.payout_ledger e WHERE ${isOfPayout} AND e.item_id IS NOT NULL
      AND e.version BETWEEN (SELECT min(version) FROM entries) AND (SELECT max(version) FROM entries)
      AND ${eight} BETWEEN (SELECT min(${eightVersionsOf("version")}) FROM entries)
        AND (SELECT max(${eightVersionsOf("version")}) FROM entries)
    GROUP BY e.version`

/**
 * The entries of the payout $2 after the version $3, $4 of them, and the one before them; of each its own state, or none
 * when it is that of the one before.
 */
export const entriesOfPayout = `WITH entries AS MATERIALIZED (SELECT * FROM (
    (SELECT e.version, encode(e.packed, 'hex') AS packed, NULL::text AS put_then, s.state::text AS state,
      s.removed::text AS removed, encode(e.hash, 'hex') AS hash, NULL::bigint AS at,
      NULL::text AS actor, NULL::text AS before, NULL::text AS after
    FROM apportion.payout_ledger e LEFT JOIN apportion.payout_states s
      ON s.payout = e.payout AND s.version = e.version
    WHERE ${isOfPayout} AND ${eight} >= ${eightVersionsOf("$3::bigint")} AND e.version >= $3::bigint
      AND e.place IN (-1, 0)
    ORDER BY ${eight}, e.version LIMIT $4 + 1)
    UNION ALL (SELECT version, NULL, put::text, NULL, removed::text, hash, at, actor,
      coalesce(before, 'null')::text, after::text
    FROM apportion.payout_history WHERE account_id = $1 AND payout_id = $2 AND version >= $3::bigint
    ORDER BY version LIMIT $4 + 1)
  ) AS entry ORDER BY version LIMIT $4 + 1)
  SELECT entries.*, coalesce(entries.put_then, p.put) AS put
  FROM entries LEFT JOIN (${putByEntries}) AS p ON p.version = entries.version ORDER BY entries.version`

/** What the payout $2 was beside total and count when it had the version $3, or what it is when nothing says so. */
export const stateOfPayout = `SELECT state::text AS state FROM (
    (SELECT version, state FROM apportion.payout_states
    WHERE payout = ${number} AND version <= $3::bigint AND state IS NOT NULL ORDER BY version DESC LIMIT 1)
    UNION ALL (SELECT version, after FROM apportion.payout_history
    WHERE account_id = $1 AND payout_id = $2 AND version <= $3::bigint ORDER BY version DESC LIMIT 1)
    UNION ALL SELECT 0, row_to_json(p) FROM apportion.payouts p
    WHERE account_id = $1 AND payout_id = $2
  ) AS states ORDER BY version DESC LIMIT 1`

const idsOf = (table: string): string => `(SELECT payout_id FROM apportion.${table}
      WHERE account_id = $1 AND payout_id >= $2 ORDER BY payout_id LIMIT 1)`

const nextOf = (table: string): string => `(SELECT h.payout_id FROM apportion.${table} h
      WHERE h.account_id = $1 AND h.payout_id > ids.payout_id ORDER BY h.payout_id LIMIT 1)`

/** From one id to the next in the index, however many entries each has. */
export const idsOfHistories = `WITH RECURSIVE ids AS (
    SELECT min(payout_id) AS payout_id FROM (
      ${idsOf("payout_history")} UNION ALL ${idsOf("payout_states")}
    ) AS first
    UNION ALL
    SELECT least(${nextOf("payout_history")}, ${nextOf("payout_states")})
    FROM ids WHERE ids.payout_id IS NOT NULL
  ) SELECT payout_id FROM ids WHERE payout_id IS NOT NULL LIMIT $3`

const removedOf = (row: Row): ReadonlyArray<string> =>
  row["removed"] === null ? [] : documentOf<ReadonlyArray<string>>(row, "removed").map(fromOrdered)

const putOf = (row: Row): ReadonlyArray<PayoutItem> =>
  row["put"] === null ? [] : documentOf<ReadonlyArray<Row>>(row, "put").map(readItem)

/** An entry of before version 0.6.0, which says itself what was before. */
export const earlierEntryOf = (payoutId: string, row: Row): PayoutHistoryEntry => {
  const before = documentOf<Row | null>(row, "before")
  return {
    payoutId,
    version: wholeOf(row, "version"),
    at: wholeOf(row, "at"),
    actor: textOf(row, "actor"),
    before: before === null ? null : payoutOf(before),
    after: payoutOf(documentOf(row, "after")),
    put: documentOf(row, "put"),
    removed: removedOf(row),
    hash: textOrNullOf(row, "hash"),
  }
}

/** The entries in rows, one after the other, the first of which follows from a state. */
export const entriesIn = (
  payoutId: string,
  rows: ReadonlyArray<Row>,
  stateBefore: Row | undefined,
): ReadonlyArray<PayoutHistoryEntry> => {
  let state = stateBefore ?? {}
  let before: StoredPayout | null = null
  return rows.map((row) => {
    const version = wholeOf(row, "version")
    if (row["packed"] === null) {
      const entry = earlierEntryOf(payoutId, row)
      state = documentOf<Row>(row, "after")
      before = entry.after
      return entry
    }
    state = row["state"] === null ? state : documentOf<Row>(row, "state")
    const { at, actor, total, itemsCount } = readHead(row)
    const named = { ...state, payout_id: payoutId, total, items_count: itemsCount, version }
    const after: StoredPayout = { ...payoutOf(named), id: payoutId }
    const hash = textOrNullOf(row, "hash")
    const entry = { payoutId, version, at, actor, before, after, put: putOf(row) }
    before = after
    return { ...entry, removed: removedOf(row), hash }
  })
}
