/**
 * Carries the histories of payouts over from the tables of before version 0.6.0, some entries at a time and the latest
 * first, so that each finds what came after it carried over already. What is not as it must have been written, because
 * somebody changed it behind the back of the services, stays where it is for the audit to find.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { sameData } from "../../internal/sameData.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { PayoutHistoryEntry } from "../../ports/PayoutStore.js"
import { earlierEntryOf } from "./payoutEntryRows.js"
import { packEntry, packItem, readItem } from "./payoutItems.js"
import {
  json,
  type Row,
  rowOfPayout,
  text,
  textOf,
  texts,
  wholeOf,
  wholes,
  wrongCopiesOf,
} from "./rows.js"
import { storageErrorOf } from "./Session.js"

const entriesAtATime = 200

const nextPayout = `SELECT account_id::text, payout_id::text FROM apportion.payout_history
  WHERE (account_id, payout_id) > ($1::text, $2::text) ORDER BY account_id, payout_id LIMIT 1`

/** Nothing of the account changes meanwhile. */
const lock = `SELECT p.number FROM apportion.accounts a
  JOIN apportion.payouts p ON p.account_id = a.account_id
  WHERE a.account_id = $1 AND p.payout_id = $2 FOR UPDATE`

const lastEntries = `SELECT payout_id, version, at, actor, coalesce(before, 'null')::text AS before,
    after::text AS after, put::text AS put, removed::text AS removed, hash
  FROM apportion.payout_history WHERE account_id = $1 AND payout_id = $2 AND version < $3
  ORDER BY version DESC LIMIT ${entriesAtATime + 1}`

const itemsSince = `SELECT item_id, added_in, place, kind, amount, original_amount, original_currency,
    exchange_rate, created_at, document::text AS document
  FROM apportion.payout_items WHERE account_id = $1 AND payout_id = $2 AND added_in >= $3`

const lastPut = `SELECT version, place, item_id, amount, encode(packed, 'hex') AS packed
  FROM apportion.payout_ledger WHERE payout = $1 AND item_id = $2 AND hashtext(item_id) = hashtext($2)
  ORDER BY version DESC, place LIMIT 1`

const addRows = `INSERT INTO apportion.payout_ledger
    (payout, version, place, amount, item_id, packed, hash)
  SELECT $1::integer, version, place, nullif(amount, '')::bigint,
    CASE WHEN amount <> '' THEN item_id END, decode(packed, 'hex'), decode(nullif(hash, ''), 'hex')
  FROM unnest($2::text[]::integer[], $3::text[]::integer[], $4::text[], $5::text[], $6::text[],
    $7::text[]) AS r (version, place, amount, item_id, packed, hash)`

const addStates = `INSERT INTO apportion.payout_states
    (payout, version, account_id, payout_id, state, removed)
  SELECT $1::integer, version, CASE WHEN version = 1 THEN $2::text END,
    CASE WHEN version = 1 THEN $3::text END, nullif(state, '')::json, nullif(removed, '')::json
  FROM unnest($4::text[]::integer[], $5::text[], $6::text[]) AS s (version, state, removed)`

const addReplacements = `INSERT INTO apportion.payout_replacements
    (payout, version, place, item, now_version, now_place)
  SELECT $1::integer, version, place, hashtext(item_id), now_version, now_place
  FROM unnest($2::text[]::integer[], $3::text[]::integer[], $4::text[], $5::text[]::integer[],
    $6::text[]::integer[]) AS r (version, place, item_id, now_version, now_place)
  ON CONFLICT (payout, version, place) DO NOTHING`

const allow = "SELECT set_config('apportion.carrying_over', 'yes', true)"

const takeAway = `WITH gone AS (
    DELETE FROM apportion.payout_items WHERE account_id = $1 AND payout_id = $2
      AND item_id = ANY($4::text[])
  ) DELETE FROM apportion.payout_history WHERE account_id = $1 AND payout_id = $2
    AND version = ANY($3::text[]::bigint[])`

/** A row of the ledger as it is to be. */
interface LedgerRow {
  readonly version: number
  readonly place: number
  readonly item: PayoutItem | undefined
  readonly entry: PayoutHistoryEntry | undefined
}

interface Replacement {
  readonly version: number
  readonly place: number
  readonly itemId: string
  readonly now: Pick<LedgerRow, "version" | "place">
}

interface CarriedEntry {
  readonly entry: PayoutHistoryEntry
  readonly rows: ReadonlyArray<LedgerRow>
  readonly replacements: ReadonlyArray<Replacement>
  /** The ids of the items that were kept beside it. */
  readonly itemIds: ReadonlyArray<string>
  readonly state: Row | undefined
  readonly removed: string
}

const stateOf = (entry: PayoutHistoryEntry): Row => {
  const { payout_id, total, items_count, version, ...state } = rowOfPayout(entry.after)
  return state
}

const packedOf = ({ item, entry }: Pick<LedgerRow, "item" | "entry">): string => {
  if (entry === undefined) return item === undefined ? "" : packItem(item)
  const { at, actor, after } = entry
  return packEntry({ at, actor, total: after.total, itemsCount: after.itemsCount }, item)
}

const isPackedAsItIs = (item: PayoutItem, entry: PayoutHistoryEntry | undefined): boolean => {
  const row = { item_id: text(item.id), amount: item.amount, packed: packedOf({ item, entry }) }
  return sameData(readItem(row), item)
}

type Carrying<A> = Effect.Effect<A, SqlError, SqlClient>

/** A payout whose entries are carried over. */
class Carriage {
  readonly #accountId: string
  readonly #payoutId: string
  readonly #number: string
  /** The last row of each item among those of this transaction. */
  readonly #latest = new Map<string, LedgerRow>()

  constructor(accountId: string, payoutId: string, number: string) {
    this.#accountId = accountId
    this.#payoutId = payoutId
    this.#number = number
  }

  /** The row of the ledger that has an item as it is now; `undefined`: none has. */
  #rowWith(
    now: PayoutItem,
    own: ReadonlyMap<string, LedgerRow>,
  ): Carrying<Pick<LedgerRow, "version" | "place"> | undefined> {
    const known = this.#latest.get(now.id)
    if (known !== undefined) return Effect.succeed(sameData(known.item, now) ? known : undefined)
    return Effect.flatMap(SqlClient, (sql) =>
      Effect.map(sql.unsafe<Row>(lastPut, [this.#number, text(now.id)]), ([row]) => {
        if (row === undefined)
          return sameData(own.get(now.id)?.item, now) ? own.get(now.id) : undefined
        if (!sameData(readItem(row), now)) return undefined
        return { version: wholeOf(row, "version"), place: wholeOf(row, "place") }
      }),
    )
  }

  /** The entry as it is to be; `undefined`: it is not as it was written. */
  carried(
    row: Row,
    before: PayoutHistoryEntry | undefined,
    items: ReadonlyMap<string, Row>,
  ): Carrying<CarriedEntry | undefined> {
    const payoutId = this.#payoutId
    const carriage = this
    return Effect.gen(function* () {
      const entry = earlierEntryOf(textOf(row, "payout_id"), row)
      const { version, put } = entry
      const follows = version === 1 ? entry.before === null : before?.version === version - 1
      if (!follows || !sameData(entry.before, before?.after ?? null)) return undefined
      if (entry.after.version !== version || entry.after.id !== payoutId) return undefined
      const [kept, replacements]: [Array<PayoutItem>, Array<Replacement>] = [[], []]
      const rows = put.map((item, index) => {
        const beside = items.get(`${version}/${index}`)
        const isFirst = beside !== undefined && textOf(beside, "item_id") === item.id
        if (isFirst) kept.push(readItem(beside))
        const place = isFirst ? index : -1 - index
        return { version, place, item, entry: index === 0 ? entry : undefined }
      })
      if (!rows.every((one) => isPackedAsItIs(one.item, one.entry))) return undefined
      const all = rows.length === 0 ? [{ version, place: 0, item: undefined, entry }] : rows
      const own = new Map(rows.map((one) => [one.item.id, one] as const))
      for (const one of rows) {
        const now = one.place < 0 ? undefined : kept.find(({ id }) => id === one.item.id)
        if (now === undefined || sameData(now, one.item)) continue
        const found = yield* carriage.#rowWith(now, own)
        if (found === undefined) return undefined
        replacements.push({ version, place: one.place, itemId: one.item.id, now: found })
      }
      for (const [id, one] of own) {
        if (!carriage.#latest.has(id)) carriage.#latest.set(id, one)
      }
      const state = before && sameData(stateOf(before), stateOf(entry)) ? undefined : stateOf(entry)
      const removed = entry.removed.length === 0 ? "" : textOf(row, "removed")
      const itemIds = kept.map(({ id }) => id)
      return { entry, rows: all, replacements, itemIds, state, removed }
    })
  }

  /** Puts entries where they belong from now on, and takes them away from where they were. */
  store(entries: ReadonlyArray<CarriedEntry>): Carrying<void> {
    const [number, account, payout] = [this.#number, this.#accountId, this.#payoutId]
    const rows = entries.flatMap((one) => one.rows)
    const states = entries.filter(({ state, removed }) => state !== undefined || removed !== "")
    const replacements = entries.flatMap((one) => one.replacements)
    return Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql.unsafe(addRows, [
        number,
        wholes(rows.map(({ version }) => version)),
        wholes(rows.map(({ place }) => place)),
        rows.map(({ item }) => (item === undefined ? "" : String(item.amount))),
        rows.map(({ item }) => (item === undefined ? "" : text(item.id))),
        rows.map(packedOf),
        rows.map(({ entry }) => entry?.hash ?? ""),
      ])
      yield* sql.unsafe(addStates, [
        ...[number, account, text(payout)],
        wholes(states.map(({ entry }) => entry.version)),
        states.map(({ state }) => (state === undefined ? "" : json(state))),
        states.map(({ removed }) => removed),
      ])
      yield* sql.unsafe(addReplacements, [
        number,
        wholes(replacements.map(({ version }) => version)),
        wholes(replacements.map(({ place }) => place)),
        texts(replacements.map(({ itemId }) => itemId)),
        wholes(replacements.map(({ now }) => now.version)),
        wholes(replacements.map(({ now }) => now.place)),
      ])
      yield* sql.unsafe(allow)
      yield* sql.unsafe(takeAway, [
        ...[account, text(payout), wholes(entries.map(({ entry }) => entry.version))],
        entries.flatMap(({ itemIds }) => itemIds.map(text)),
      ])
    })
  }
}

/** How far a payout has come. */
interface CarriedBatch {
  readonly carried: number
  readonly left: number
  /** Entries below this version are still to be looked at; `undefined`: there are none. */
  readonly below: string | undefined
}

const carrySome = Effect.fnUntraced(function* (accountId: string, id: string, below: string) {
  const sql = yield* SqlClient
  const [payout] = yield* sql.unsafe<Row>(lock, [accountId, id])
  if (payout === undefined) return { carried: 0, left: 1, below: undefined }
  const rows = yield* sql.unsafe<Row>(lastEntries, [accountId, id, below])
  const batch = rows.slice(0, entriesAtATime)
  const last = batch.at(-1)
  if (last === undefined) return { carried: 0, left: 0, below: undefined }
  const since = String(wholeOf(last, "version"))
  const items = yield* sql.unsafe<Row>(itemsSince, [accountId, id, since])
  const sound = items.filter((row) => wrongCopiesOf(row).length === 0)
  const byPlace = new Map(
    sound.map((row) => [`${wholeOf(row, "added_in")}/${wholeOf(row, "place")}`, row] as const),
  )
  const changed = new Set(
    items.filter((row) => !sound.includes(row)).map((row) => wholeOf(row, "added_in")),
  )
  const payoutId = textOf({ id }, "id")
  const carriage = new Carriage(accountId, payoutId, String(wholeOf(payout, "number")))
  const entries: Array<CarriedEntry> = []
  for (const [index, row] of batch.entries()) {
    const previous = rows[index + 1]
    const before = previous && earlierEntryOf(payoutId, previous)
    if (changed.has(wholeOf(row, "version"))) continue
    const entry = yield* carriage.carried(row, before, byPlace)
    if (entry !== undefined) entries.push(entry)
  }
  if (entries.length > 0) yield* carriage.store(entries)
  const carried = entries.length
  return {
    carried,
    left: batch.length - carried,
    below: rows.length > batch.length ? since : undefined,
  }
})

/** Carries over all that can be, each time in a transaction of its own; gives how many entries were and were not. */
export const carryOverPayouts: Effect.Effect<
  { readonly carried: number; readonly left: number },
  SqlError,
  SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  let [carried, left] = [0, 0]
  let last: readonly [string, string] = ["", ""]
  for (;;) {
    const [row] = yield* sql.unsafe<Row>(nextPayout, last)
    if (row === undefined) return { carried, left }
    last = [String(row["account_id"]), String(row["payout_id"])]
    const [accountId, payoutId] = last
    for (let below: string | undefined = String(Number.MAX_SAFE_INTEGER); below !== undefined; ) {
      const some: CarriedBatch = yield* Effect.retry(
        sql.withTransaction(carrySome(accountId, payoutId, below)),
        { times: 5, while: (error) => storageErrorOf("carry over", error)._tag === "Conflict" },
      )
      carried += some.carried
      left += some.left
      below = some.below
    }
  }
})
