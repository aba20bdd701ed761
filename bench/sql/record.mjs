// Recording sales in PostgreSQL, beside bare prepared inserts of the same rows through the same client.
import { strict as assert } from "node:assert"
import { cpus } from "node:os"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { ExchangeRates } from "../../dist/ports/index.js"
import { Collaborators, ProductGroups, Sales, servicesLayer } from "../../dist/service/index.js"
import { SqlStorage } from "../../dist/sql/index.js"
import { median, range, startServer } from "./database.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const allConnections = [1, 2, 4, 8, 16]
const collaboratorsOfAccount = 64

/** An order of two items; each is shared by two of the account's collaborators. */
const orderOf = (id, number) => ({
  id,
  currency: "USD",
  createdAt: 1_760_000_000,
  items: [0, 1].map((index) => ({
    id: String(index + 1),
    product: {
      id: `p${index}`,
      name: `Print ${index}`,
      tags: [`t${(number * 2 + index) % (collaboratorsOfAccount / 2)}`],
    },
    quantity: 1,
    amount: 10_000 + index,
  })),
})

const setUp = (accountId) =>
  Effect.gen(function* () {
    const collaborators = yield* Collaborators
    const groups = yield* ProductGroups
    for (let index = 0; index < collaboratorsOfAccount; index += 1) {
      const id = `c${index}`
      yield* collaborators.create(accountId, { id, currency: "USD" })
      const link = { type: "products.tag", values: [`t${index >> 1}`] }
      yield* groups.create(accountId, id, { id: `g${index}`, link, percent: "12.50" })
    }
  })

const runtimeOf = (client, options) => {
  const storage = Layer.provide(SqlStorage.layer({ migrate: true, ...options }), client)
  const services = Layer.provide(servicesLayer, [storage, ExchangeRates.none])
  return ManagedRuntime.make(Layer.mergeAll(services, client, Logger.layer([])))
}

/** Does something over and over, so many at a time, until the time is up; gives how often a second. */
const perSecond = async (runtime, connections, once) => {
  let done = 0
  const began = performance.now()
  const end = began + seconds * 1000
  const worker = (index) =>
    Effect.gen(function* () {
      while (performance.now() < end) {
        yield* once(index)
        done += 1
      }
    })
  const workers = Array.from({ length: connections }, (_, index) => worker(index))
  await runtime.runPromise(Effect.all(workers, { concurrency: "unbounded", discard: true }))
  return (done * 1000) / (performance.now() - began)
}

let orders = 0
const record = (accountOf) => (index) =>
  Effect.gen(function* () {
    orders += 1
    const sales = yield* Sales
    yield* sales.record(accountOf(index), orderOf(`o${orders}`, orders))
  })

const tables = ["sale_parts", "sale_items", "placements", "payout_items", "payout_history"]

/** The rows that one sale left behind, and a statement for each table that puts them into a bare one. */
const bareWork = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("CREATE SCHEMA bare")
  const work = []
  for (const table of tables) {
    yield* sql.unsafe(`CREATE TABLE bare.${table} (LIKE apportion.${table} INCLUDING ALL)`)
    const columns = yield* sql.unsafe(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = 'apportion' AND table_name = '${table}' ORDER BY ordinal_position`,
    )
    const key = table === "payout_items" ? "item_id LIKE 'o1/%'" : "order_id = 'o1'"
    const where =
      table === "payout_history"
        ? "account_id = 'shop 0' AND put::text LIKE '%\"o1/%'"
        : `account_id = 'shop 0' AND ${key}`
    const list = columns.map(({ name }) => `${name}::text AS ${name}`).join(", ")
    const rows = yield* sql.unsafe(`SELECT ${list} FROM apportion.${table} WHERE ${where}`)
    assert.ok(rows.length > 0, table)
    const names = columns.map(({ name }) => name)
    const places = rows.map(
      (_, row) => `(${names.map((_, index) => `$${row * names.length + index + 1}`).join(", ")})`,
    )
    const statement = `INSERT INTO bare.${table} (${names.join(", ")}) VALUES ${places.join(", ")}`
    work.push({ statement, names, rows })
  }
  yield* sql.unsafe("CREATE TABLE bare.payouts (LIKE apportion.payouts INCLUDING ALL)")
  yield* sql.unsafe(
    "INSERT INTO bare.payouts SELECT p.* FROM apportion.payouts p WHERE account_id = 'shop 0'",
  )
  const payouts = yield* sql.unsafe("SELECT payout_id FROM bare.payouts")
  assert.ok(payouts.length > 0)
  return { work, payouts: payouts.map(({ payout_id }) => payout_id) }
})

const update =
  "UPDATE bare.payouts SET total = total + 1250, items_count = items_count + 1, version = version + 1 WHERE account_id = $1 AND payout_id = $2"

/** What has to be another one in each sale, so that the keys are. */
const own = new Set(["order_id", "item_id", "payout_item_id"])

const cellOf = (row, name, number, index) => {
  const value = row[name]
  if (name === "version" || name === "position" || name === "added_in")
    return String(number * 10 + index)
  return own.has(name) ? `${number}-${value}` : value
}

/** One sale as nothing but its rows: what no recording can be faster than, on this client. */
const bare =
  ({ work, payouts }) =>
  () =>
    Effect.gen(function* () {
      orders += 1
      const number = orders
      const sql = yield* SqlClient.SqlClient
      const insertAll = Effect.gen(function* () {
        for (const { statement, names, rows } of work) {
          const values = rows.flatMap((row, index) =>
            names.map((name) => cellOf(row, name, number, index)),
          )
          yield* sql.unsafe(statement, values)
        }
        for (let index = 0; index < 4; index += 1) {
          const payout = payouts[(number * 4 + index) % payouts.length]
          yield* sql.unsafe(update, ["shop 0", payout])
        }
      })
      yield* sql.withTransaction(insertAll)
    })

/** What is measured must be right first: each sale is there once, and payouts add up. */
const checkRecorded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [wrong] = yield* sql.unsafe(
    `SELECT count(*)::int AS payouts FROM apportion.payouts p WHERE (total::bigint, items_count::bigint) IS DISTINCT FROM (
       SELECT (coalesce(sum(amount), 0)::bigint, count(*)) FROM apportion.payout_items i
       WHERE i.account_id = p.account_id AND i.payout_id = p.payout_id)`,
  )
  assert.equal(wrong.payouts, 0)
})

const oneShop = () => "shop 0"
const ownShop = (index) => `shop ${index}`

const contenders = [
  { name: "bare prepared inserts", options: {}, work: "bare" },
  { name: "one account, in a queue", options: {}, accountOf: oneShop },
  { name: "one account, optimistic", options: { concurrency: "optimistic" }, accountOf: oneShop },
  { name: "an account for each connection", options: {}, accountOf: ownShop },
]

const server = await startServer()
try {
  const seeding = runtimeOf(server.client(4), {})
  for (let index = 0; index < Math.max(...allConnections); index += 1) {
    await seeding.runPromise(setUp(ownShop(index)))
  }
  await seeding.runPromise(record(oneShop)(0))
  const prepared = await seeding.runPromise(bareWork)
  await seeding.dispose()
  const found = new Map()
  for (let round = 0; round <= rounds; round += 1) {
    for (const connections of allConnections) {
      for (const { name, options, accountOf, work } of contenders) {
        const runtime = runtimeOf(server.client(connections), options)
        const once = work === "bare" ? bare(prepared) : record(accountOf)
        await runtime.runPromise(Effect.all([once(0), once(0)]))
        const speed = await perSecond(runtime, connections, once)
        await runtime.dispose()
        const key = `${name}|${connections}`
        // The first round only warms up.
        if (round > 0) found.set(key, [...(found.get(key) ?? []), speed])
      }
    }
  }
  const last = runtimeOf(server.client(), {})
  await last.runPromise(checkRecorded)
  await last.dispose()
  const rowsOfSale = prepared.work.reduce((sum, { rows }) => sum + rows.length, 0)
  console.log(
    `A sale of two items and four shares: ${rowsOfSale} rows inserted, 4 payouts updated. ` +
      `${rounds} rounds of ${seconds} s, interleaved; PostgreSQL 18 with fsync on the same machine; ` +
      `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()})\n`,
  )
  console.log(
    `| sales/s, median (range) | ${allConnections.map((n) => `${n} conn.`).join(" | ")} |`,
  )
  console.log(`|---|${allConnections.map(() => "---|").join("")}`)
  for (const { name } of contenders) {
    const cells = allConnections.map((connections) => {
      const speeds = found.get(`${name}|${connections}`)
      const limit = median(found.get(`${contenders[0].name}|${connections}`))
      const share = `${((100 * median(speeds)) / limit).toFixed(0)} %`
      return `${median(speeds).toFixed(0)} (${range(speeds)}), ${share}`
    })
    console.log(`| ${name} | ${cells.join(" | ")} |`)
  }
} finally {
  await server.stop()
}
