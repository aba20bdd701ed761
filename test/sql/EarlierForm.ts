/** What is stored of payouts in the form that it had before version 0.6.0: all of each entry, and the items beside it. */
import type { PayoutHistoryEntry, StorageService, StoredPayout, Stores } from "apportion/ports"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

const insertEntries = `INSERT INTO apportion.payout_history
    (account_id, payout_id, version, at, actor, before, after, put, removed, hash)
  SELECT account_id, payout_id, version, at, actor, before, after, put, removed, hash
  FROM json_populate_recordset(NULL::apportion.payout_history, $1::text::json)`

const insertItems = `INSERT INTO apportion.payout_items (account_id, payout_id, item_id, added_in, place,
    kind, amount, original_amount, original_currency, exchange_rate, created_at, document)
  SELECT account_id, payout_id, item_id, added_in, place, kind, amount, original_amount,
    original_currency, exchange_rate, created_at, document
  FROM json_populate_recordset(NULL::apportion.payout_items, $1::text::json)`

const columnOf = (field: string): string =>
  field === "id" ? "payout_id" : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const rowOf = (payout: StoredPayout | null) =>
  payout &&
  Object.fromEntries(Object.entries(payout).map(([field, value]) => [columnOf(field), value]))

/** Where each item came to a payout: the version, and its number among what that one put. */
const placesOf = (history: ReadonlyArray<PayoutHistoryEntry>) => {
  const places = new Map<string, { readonly added_in: number; readonly place: number }>()
  for (const { version, put, removed } of history) {
    for (const id of removed) places.delete(id)
    for (const [place, { id }] of put.entries()) {
      if (!places.has(id)) places.set(id, { added_in: version, place })
    }
  }
  return places
}

const pageLength = 1_000

const readAll = Effect.fnUntraced(function* ({ payouts }: Stores) {
  const found = []
  for (let after: string | undefined; ; ) {
    const page = yield* payouts.batch({ after, limit: pageLength })
    for (const { id } of page) {
      const history: Array<PayoutHistoryEntry> = []
      for (let isMore = true; isMore; ) {
        const last = history.at(-1)?.version ?? 0
        const more = yield* payouts.history({ payoutId: id, after: last, limit: pageLength })
        history.push(...more)
        isMore = more.length === pageLength
      }
      found.push({ id, history, items: yield* payouts.items(id) })
    }
    after = page.at(-1)?.id
    if (page.length < pageLength) return found
  }
})

/** Brings all that is stored into that form; ids and actors are plain texts. */
export const toEarlierForm = (sql: SqlClient.SqlClient, storage: StorageService) =>
  Effect.gen(function* () {
    const [entries, rows]: [Array<object>, Array<object>] = [[], []]
    for (const account_id of yield* storage.accounts) {
      const all = yield* storage.transaction(account_id, readAll, { mode: "read" })
      for (const { id: payout_id, history, items } of all) {
        const key = { account_id, payout_id }
        for (const { payoutId: _, before, after, ...entry } of history) {
          entries.push({ ...key, ...entry, before: rowOf(before), after: rowOf(after) })
        }
        const places = placesOf(history)
        for (const item of items) {
          rows.push({
            ...{ ...key, item_id: item.id, ...places.get(item.id), kind: item.kind },
            ...{ amount: item.amount, original_amount: item.originalAmount },
            ...{ original_currency: item.originalCurrency, created_at: item.createdAt },
            ...{ exchange_rate: item.currencyExchangeRate, document: item },
          })
        }
      }
    }
    const write = Effect.gen(function* () {
      yield* sql.unsafe("SET LOCAL session_replication_role = replica")
      for (const table of ["ledger", "states", "replacements"]) {
        yield* sql.unsafe(`DELETE FROM apportion.payout_${table}`)
      }
      yield* sql.unsafe(insertEntries, [JSON.stringify(entries)])
      yield* sql.unsafe(insertItems, [JSON.stringify(rows)])
    })
    yield* sql.withTransaction(write)
  })
