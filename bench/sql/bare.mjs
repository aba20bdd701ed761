// What recording is compared with: bare inserts of the rows that sales leave, and the least that a recorder does besides.
import { strict as assert } from "node:assert"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Order, RuleSet, Split } from "../../dist/index.js"
import { groups, orderOf } from "./orders.mjs"

/** Where the rows of a sale are, and which ones they are. */
const tables = {
  sale_parts: "order_id = 'o1'",
  payout_ledger: "item_id LIKE 'o1/%'",
  new_events: "account_id = 'shop 0' AND packed IS NOT NULL",
}

/** The same of version 0.5.0. */
export const tablesOfEarlier = {
  sale_parts: "order_id = 'o1'",
  sale_items: "order_id = 'o1'",
  placements: "order_id = 'o1'",
  payout_items: "item_id LIKE 'o1/%'",
  payout_history: "account_id = 'shop 0' AND version = 2",
}

/** Stands for NULL: the client wants texts. */
const none = "(null)"

/** The payouts that there are by now, as ready-made ones. */
export const barePayouts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(
    `INSERT INTO bare.payouts SELECT p.* FROM apportion.payouts p WHERE account_id = 'shop 0'
     ON CONFLICT DO NOTHING`,
  )
  const payouts = yield* sql.unsafe("SELECT payout_id FROM bare.payouts")
  assert.ok(payouts.length > 0)
  return payouts.map(({ payout_id }) => payout_id)
})

/** The rows that one sale left behind, and a statement for each table that puts as many as are given into a bare one. */
export const bareWork = Effect.fnUntraced(function* (places = tables) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("CREATE SCHEMA bare")
  const work = []
  for (const [table, condition] of Object.entries(places)) {
    yield* sql.unsafe(`CREATE TABLE bare.${table} (LIKE apportion.${table} INCLUDING ALL)`)
    const columns = yield* sql.unsafe(
      `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type FROM pg_attribute a
       WHERE a.attrelid = 'apportion.${table}'::regclass AND a.attnum > 0 AND NOT a.attisdropped
       ORDER BY a.attnum`,
    )
    const list = columns.map(({ name }) => `${name}::text AS ${name}`).join(", ")
    const rows = yield* sql.unsafe(`SELECT ${list} FROM apportion.${table} WHERE ${condition}`)
    assert.ok(rows.length > 0, table)
    const names = columns.map(({ name }) => name)
    const arrays = names.map((_, index) => `$${index + 1}::text[]`)
    const casts = columns.map(({ name, type }) => `nullif(${name}, '${none}')::${type}`)
    const statement = `INSERT INTO bare.${table} (${names.join(", ")})
      SELECT ${casts.join(", ")} FROM unnest(${arrays.join(", ")}) AS given (${names.join(", ")})`
    work.push({ statement, names, rows })
  }
  yield* sql.unsafe("CREATE TABLE bare.payouts (LIKE apportion.payouts INCLUDING ALL)")
  return { work, payouts: yield* barePayouts }
})

const update = `UPDATE bare.payouts p SET total = total + 1250, items_count = items_count + 1,
    version = version + 1 FROM unnest($1::text[]) AS given (payout_id)
  WHERE p.account_id = 'shop 0' AND p.payout_id = given.payout_id`

/** What has to be another one in each sale, so that the keys are. */
const own = new Set(["order_id", "item_id", "payout_item_id"])
const numbered = new Set(["version", "position", "added_in"])

const cellOf = (row, name, number, index) => {
  if (numbered.has(name)) return String(number * 10 + index)
  return own.has(name) ? `${number}-${row[name]}` : (row[name] ?? none)
}

const columnsOf = ({ names, rows }, first, count) =>
  names.map((name) => {
    const cells = []
    for (let number = first; number < first + count; number += 1) {
      for (const [index, row] of rows.entries()) cells.push(cellOf(row, name, number, index))
    }
    return cells
  })

const insertAll = ({ work, payouts }, first, count) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const one of work) yield* sql.unsafe(one.statement, columnsOf(one, first, count))
    const changed = new Set()
    for (let index = 0; index < 4 * count; index += 1) {
      changed.add(payouts[(first * 4 + index) % payouts.length])
    }
    yield* sql.unsafe(update, [[...changed]])
  })

let inserted = 1
const transactionOf = (count, work) =>
  Effect.suspend(() => {
    const first = inserted
    inserted += count
    return Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.as(sql.withTransaction(work(first)), count),
    )
  })

/** The rows of so many sales, ready-made, in one transaction. */
export const bare = (prepared, count) => () =>
  transactionOf(count, (first) => insertAll(prepared, first, count))

/** For one of several at a time: payouts of its own, so that nobody waits for anybody. */
export const partOf = ({ work, payouts }, part, parts) => ({
  work,
  payouts: payouts.filter((_, index) => index % parts === part),
})

const lock = `SELECT set_config('enable_seqscan', 'off', true) FROM apportion.accounts
  WHERE account_id = 'shop 0' FOR UPDATE`
const known =
  "SELECT order_id FROM bare.sale_parts WHERE account_id = 'shop 0' AND order_id = ANY($1::text[])"
const taken = `SELECT given.id FROM unnest($1::text[]::integer[], $2::text[]) AS given (payout, id)
  CROSS JOIN LATERAL (SELECT FROM bare.payout_ledger l WHERE l.payout = given.payout
    AND hashtext(l.item_id) = hashtext(given.id) AND l.item_id = given.id OFFSET 0) AS found`
const chained = `SELECT apportion.chained(NULL, entry) OVER (ORDER BY nth)
  FROM unnest($1::text[]) WITH ORDINALITY AS given (entry, nth)`

const rules = RuleSet.make(groups)

/** The shares of so many orders, read and split by the library's engine. */
const split = (first, count) =>
  Array.from({ length: count }, (_, index) => {
    const order = Order.make(orderOf(first + index))
    const { shares } = Split.order(rules, order)
    return { id: order.id, shares }
  })

/** What the least splits must be what services record. */
export const splitOf = (number) => split(number, 1)[0].shares

/**
 * The same rows, as ready-made, after the least that has to be done to know them: orders are read and split, the account is
 * locked, what is recorded of the orders and which of the items there are is asked for, and a text of each share is hashed
 * after the one before. Rows are not made of what was split, and nothing can be taken back for one order alone.
 */
export const least = (prepared, count) => () =>
  transactionOf(count, (first) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ledger = prepared.work.find(({ names }) => names.includes("item_id")).rows
      yield* sql.unsafe(lock)
      const orders = split(first, count)
      const ids = orders.map(({ id }) => id)
      assert.equal((yield* sql.unsafe(known, [ids])).length, 0)
      const items = orders.flatMap(({ id, shares }) =>
        shares.map(({ itemId, groupId }) => `${id}/${itemId}/${groupId}`),
      )
      assert.equal(items.length, ledger.length * count)
      const payouts = items.map((_, index) => ledger[index % ledger.length].payout)
      assert.equal((yield* sql.unsafe(taken, [payouts, items])).length, 0)
      const entries = orders.flatMap(({ shares }) => shares.map((share) => JSON.stringify(share)))
      assert.equal((yield* sql.unsafe(chained, [entries])).length, items.length)
      yield* insertAll(prepared, first, count)
    }),
  )
