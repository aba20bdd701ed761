// Recording sales in PostgreSQL: many in one transaction, and single calls that come at the same time, beside bare inserts
// of the same rows by unnest, as many in one transaction, in the same run. Writes its section of docs/benchmarks.md.
import { strict as assert } from "node:assert"
import { cpus, loadavg } from "node:os"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { ExchangeRates } from "../../dist/ports/index.js"
import { Collaborators, ProductGroups, Sales, servicesLayer } from "../../dist/service/index.js"
import { SqlStorage } from "../../dist/sql/index.js"
import { table, writeSection } from "../report.mjs"
import { median, range, startServer } from "./database.mjs"
import { orderOf } from "./orders.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const batches = [1, 10, 100, 1_000]
const atOnce = [1, 2, 4, 8, 16, 32]
const connections = 10
const accounts = 8
const collaboratorsOfAccount = 64

let statements = 0

/** A connection whose statements are counted. */
const counting = (connection) =>
  new Proxy(connection, {
    get: (target, name) => {
      const method = Reflect.get(target, name)
      if (name !== "execute" && name !== "executeUnprepared") return method
      return (...args) => {
        statements += 1
        return Reflect.apply(method, target, args)
      }
    },
  })

/** The client of a layer, which counts what its storage asks. */
const counted = (client) =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.map(
      SqlClient.SqlClient,
      (sql) =>
        new Proxy(sql, {
          get: (target, name) =>
            name === "reserve" ? Effect.map(target.reserve, counting) : Reflect.get(target, name),
        }),
    ),
  ).pipe(Layer.provide(client))

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

const runtimeOf = (client) => {
  const storage = Layer.provide(SqlStorage.layer({ migrate: true }), client)
  const services = Layer.provide(servicesLayer, [storage, ExchangeRates.none])
  const quiet = Layer.provideMerge(Layer.merge(services, client), Logger.layer([]))
  return ManagedRuntime.make(quiet)
}

let orders = 0
const nextOrders = (count) => {
  orders += count
  return Array.from({ length: count }, (_, index) =>
    orderOf(orders - index, collaboratorsOfAccount),
  )
}

const recordMany = (count) => () =>
  Effect.flatMap(Sales, (sales) =>
    Effect.map(sales.recordAll("shop 0", nextOrders(count)), (outcomes) => {
      assert.ok(outcomes.every(({ type }) => type === "recorded"))
      return count
    }),
  )

const recordOne = (accountOf) => (worker) =>
  Effect.flatMap(Sales, (sales) => Effect.as(sales.record(accountOf(worker), nextOrders(1)[0]), 1))

// The same rows without recording anything.

const tables = {
  sale_parts: "order_id = 'o1'",
  payout_ledger: "item_id LIKE 'o1/%'",
  new_events: "account_id = 'shop 0' AND packed IS NOT NULL",
}

/** Stands for NULL: the client wants texts. */
const none = "(null)"

/** The rows that one sale left behind, and a statement for each table that puts as many as are given into a bare one. */
const bareWork = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("CREATE SCHEMA bare")
  const work = []
  for (const [table, condition] of Object.entries(tables)) {
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
  yield* sql.unsafe(
    "INSERT INTO bare.payouts SELECT p.* FROM apportion.payouts p WHERE account_id = 'shop 0'",
  )
  const payouts = yield* sql.unsafe("SELECT payout_id FROM bare.payouts")
  assert.ok(payouts.length > 0)
  return { work, payouts: payouts.map(({ payout_id }) => payout_id) }
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

let inserted = 1
const bare =
  ({ work, payouts }, count) =>
  () =>
    Effect.gen(function* () {
      const first = inserted
      inserted += count
      const sql = yield* SqlClient.SqlClient
      const insertAll = Effect.gen(function* () {
        for (const { statement, names, rows } of work) {
          const columns = names.map((name) => {
            const cells = []
            for (let number = first; number < first + count; number += 1) {
              for (const [index, row] of rows.entries())
                cells.push(cellOf(row, name, number, index))
            }
            return cells
          })
          yield* sql.unsafe(statement, columns)
        }
        const changed = new Set()
        for (let index = 0; index < 4 * count; index += 1) {
          changed.add(payouts[(first * 4 + index) % payouts.length])
        }
        yield* sql.unsafe(update, [[...changed]])
      })
      yield* sql.withTransaction(insertAll)
      return count
    })

/** Does something over and over, so many at a time, until the time is up. */
const measure = async (runtime, workers, once) => {
  await runtime.runPromise(once(0))
  let done = 0
  const [cpu, asked, began] = [process.cpuUsage(), statements, performance.now()]
  const end = began + seconds * 1000
  const worker = (index) =>
    Effect.gen(function* () {
      while (performance.now() < end) {
        const more = yield* once(index)
        done += more
      }
    })
  const all = Array.from({ length: workers }, (_, index) => worker(index))
  await runtime.runPromise(Effect.all(all, { concurrency: "unbounded", discard: true }))
  return {
    speed: (done * 1000) / (performance.now() - began),
    statements: (statements - asked) / done,
    micros: process.cpuUsage(cpu).user / done,
  }
}

/** What is measured must be right first: each sale is there once, and payouts add up. */
const check = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [wrong] = yield* sql.unsafe(
    `SELECT count(*)::int AS payouts FROM apportion.payouts p
     WHERE (total::bigint, items_count::bigint, version::bigint) IS DISTINCT FROM (
       SELECT (coalesce(sum(amount), 0)::bigint, count(item_id), count(*) FILTER (WHERE place IN (-1, 0)))
       FROM apportion.payout_ledger l WHERE l.payout = p.number)`,
  )
  assert.equal(wrong.payouts, 0)
  const [sales] = yield* sql.unsafe("SELECT count(*)::int AS parts FROM apportion.sale_parts")
  assert.equal(sales.parts, orders)
})

const oneShop = () => "shop 0"
const ownShop = (index) => `shop ${index % accounts}`

const server = await startServer()
try {
  const runtime = runtimeOf(counted(server.client(connections)))
  for (let index = 0; index < accounts; index += 1) {
    await runtime.runPromise(setUp(ownShop(index)))
  }
  await runtime.runPromise(recordOne(oneShop)(0))
  const prepared = await runtime.runPromise(bareWork)
  // Two ways that have to lead to the same are compared before they are measured.
  await runtime.runPromise(recordMany(100)())
  for (let index = 0; index < 8; index += 1) await runtime.runPromise(recordOne(ownShop)(index))
  await runtime.runPromise(check)
  const contenders = [
    ...batches.flatMap((count) => [
      { name: `bare, ${count} in a transaction`, workers: 1, once: bare(prepared, count) },
      { name: `recordAll of ${count}`, workers: 1, once: recordMany(count), of: count },
    ]),
    ...atOnce.flatMap((workers) => [
      { name: `${workers} at a time, one account`, workers, once: recordOne(oneShop) },
      { name: `${workers} at a time, ${accounts} accounts`, workers, once: recordOne(ownShop) },
    ]),
  ]
  const found = new Map(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, workers, once } of contenders) {
      const figures = await measure(runtime, workers, once)
      // The first round only warms up.
      if (round > 0) found.get(name).push(figures)
    }
  }
  await runtime.runPromise(check)
  await runtime.dispose()
  const rowsOfSale = prepared.work.reduce((sum, { rows }) => sum + rows.length, 0)
  const load = loadavg().map((one) => one.toFixed(1))
  const speedsOf = (name) => found.get(name).map(({ speed }) => speed)
  const rows = contenders.map(({ name, of }) => {
    const limit = of && median(speedsOf(`bare, ${of} in a transaction`))
    const [speeds, all] = [speedsOf(name), found.get(name)]
    return [
      name,
      `${median(speeds).toFixed(0)} (${range(speeds)})`,
      limit === undefined ? "" : (median(speeds) / limit).toFixed(2),
      median(all.map((one) => one.statements)).toFixed(2),
      `${median(all.map((one) => one.micros)).toFixed(0)} µs`,
    ]
  })
  const header = ["", "sales/s, median (range)", "of bare", "statements a sale", "user CPU a sale"]
  const told = [
    `Recording sales of two items and four shares, beside nothing but bare inserts of the same ${rowsOfSale} rows by \`unnest\` and updates of the same payouts, as many in one transaction: ${rounds} rounds of ${seconds} s, interleaved, with the load of the machine at ${load.join(", ")} (${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}). The processor's time is that of the process in Node. Calls that come at the same time are calls of \`record\`, with one order each.`,
    table(header, rows),
  ].join("\n\n")
  console.log(told)
  writeSection("recording", told)
} finally {
  await server.stop()
}
