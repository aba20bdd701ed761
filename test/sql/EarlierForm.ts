/**
 * What is stored of payouts and sales in the form that it had before version 0.6.0: all of each entry, and the items beside
 * it; sales as documents, with their postings, their items and what they are found by in rows.
 */
import type {
  PayoutHistoryEntry,
  RecordedSale,
  StorageService,
  StoredPayout,
  Stores,
} from "apportion/ports"
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

const insertDocuments = `UPDATE apportion.sale_parts s SET document = g.document, packed = NULL, rules = NULL,
    postings = NULL, recorded_hour = NULL, subject_1 = NULL, subject_2 = NULL, subject_3 = NULL, subject_4 = NULL,
    subject_5 = NULL, subject_6 = NULL, subject_7 = NULL, subject_8 = NULL, subject_9 = NULL, subject_10 = NULL
  FROM json_populate_recordset(NULL::apportion.sale_parts, $1::text::json) AS g
  WHERE s.account_id = g.account_id AND s.order_id = g.order_id AND s.part = g.part`

const insertRows = (table: string) => `INSERT INTO apportion.${table}
  SELECT * FROM json_populate_recordset(NULL::apportion.${table}, $1::text::json)`

const keyOf = (account_id: string, { orderId, part }: RecordedSale) => ({
  ...{ account_id, order_id: orderId, part },
})

const postingRows = (accountId: string, sale: RecordedSale): ReadonlyArray<object> =>
  sale.postings.map(({ reversed, ...posting }, index) => ({
    ...{ ...keyOf(accountId, sale), position: index + 1, taken_back: reversed },
    ...Object.fromEntries(
      Object.entries(posting).map(([field, value]) => [
        field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        value,
      ]),
    ),
  }))

const itemRows = (accountId: string, sale: RecordedSale): ReadonlyArray<object> =>
  sale.order.items.map(({ id }) => ({ ...keyOf(accountId, sale), item_id: id }))

/** Ids of products are short. */
const subjectRows = (accountId: string, sale: RecordedSale): ReadonlyArray<object> => {
  const { order, split, recordedAt: recorded_at } = sale
  const products = new Map(
    order.items.map(({ id, product }) => [
      id,
      [...new Set([product.id, product.externalId ?? ""])].filter((one) => one !== ""),
    ]),
  )
  const pairs = [
    ...[...products.values()].flat().map((product) => ["", product]),
    ...split.shares.flatMap(({ collaboratorId, itemId }) =>
      ["", ...(products.get(itemId) ?? [])].map((product) => [collaboratorId, product]),
    ),
  ]
  const found = new Map(pairs.map((pair) => [JSON.stringify(pair), pair]))
  return [...found.values()].map(([collaborator_id, product_id]) => ({
    ...{ ...keyOf(accountId, sale), recorded_at, collaborator_id, product_id },
  }))
}

/** The rows that there are of sales, by table. */
const saleRows = (accountId: string, sales: ReadonlyArray<RecordedSale>) => ({
  documents: sales.map((sale) => {
    const { order, groups, policy, split } = sale
    return { ...keyOf(accountId, sale), document: { order, groups, policy, split } }
  }),
  placements: sales.flatMap((sale) => postingRows(accountId, sale)),
  sale_items: sales.flatMap((sale) => itemRows(accountId, sale)),
  sale_subjects: sales.flatMap((sale) => subjectRows(accountId, sale)),
})

const writeSales = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { documents, ...tables }: ReturnType<typeof saleRows>,
) {
  yield* sql.unsafe(insertDocuments, [JSON.stringify(documents)])
  for (const [table, rows] of Object.entries(tables)) {
    yield* sql.unsafe(`DELETE FROM apportion.${table}`)
    yield* sql.unsafe(insertRows(table), [JSON.stringify(rows)])
  }
  yield* sql.unsafe("DELETE FROM apportion.recorded_rules")
})

/** Brings all that is stored into that form; ids and actors are plain texts. */
export const toEarlierForm = (sql: SqlClient.SqlClient, storage: StorageService) =>
  Effect.gen(function* () {
    const [entries, rows]: [Array<object>, Array<object>] = [[], []]
    const sales: Array<ReturnType<typeof saleRows>> = []
    for (const account_id of yield* storage.accounts) {
      const all = yield* storage.transaction(account_id, readAll, { mode: "read" })
      const listed = yield* storage.transaction(
        account_id,
        (stores) => stores.sales.list({}, { offset: 0, limit: Number.MAX_SAFE_INTEGER }),
        { mode: "read" },
      )
      sales.push(saleRows(account_id, listed.entries))
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
      yield* writeSales(sql, {
        documents: sales.flatMap(({ documents }) => documents),
        placements: sales.flatMap(({ placements }) => placements),
        sale_items: sales.flatMap(({ sale_items }) => sale_items),
        sale_subjects: sales.flatMap(({ sale_subjects }) => sale_subjects),
      })
    })
    yield* sql.withTransaction(write)
  })
