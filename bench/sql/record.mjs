// Recording sales in PostgreSQL: many in one transaction, and single calls that come at the same time, beside bare inserts
// of the same rows by unnest, as many in one transaction, in the same run. Writes its section of docs/benchmarks.md.
import { strict as assert } from "node:assert"
import { cpus, loadavg } from "node:os"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Sales } from "../../dist/service/index.js"
import { table, writeSection } from "../report.mjs"
import { bare, bareWork, least, splitOf } from "./bare.mjs"
import { median, range, startServer } from "./database.mjs"
import { orderOf } from "./orders.mjs"
import { collaboratorsOfAccount, observed, runtimeOf, setUp } from "./recorders.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const batches = [1, 10, 100, 1_000]
const atOnce = [1, 2, 4, 8, 16, 32]
const connections = 10
const accounts = 8

let statements = 0

const counted = (client) =>
  observed(client, (asked) =>
    Effect.suspend(() => {
      statements += 1
      return asked
    }),
  )

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

/** The least splits as services do. */
const compare = Effect.gen(function* () {
  const [{ split }] = yield* (yield* Sales).get("shop 0", "o1")
  assert.deepEqual(split.shares, splitOf(1))
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
  await runtime.runPromise(compare)
  const contenders = [
    ...batches.flatMap((count) => [
      { name: `bare, ${count} in a transaction`, workers: 1, once: bare(prepared, count) },
      { name: `the least, ${count}`, workers: 1, once: least(prepared, count), of: count },
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
    `Recording sales of two items and four shares, beside nothing but bare inserts of the same ${rowsOfSale} rows by \`unnest\` and updates of the same payouts, as many in one transaction. The least is the same, after all that a recorder can't do without: reading and splitting the orders by the same engine, the lock, the questions that decide what is new, and a hash for each share; without making the rows of that. ${rounds} rounds of ${seconds} s, interleaved, with the load of the machine at ${load.join(", ")} (${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}). The processor's time is that of the process in Node. Calls that come at the same time are calls of \`record\`, with one order each.`,
    table(header, rows),
  ].join("\n\n")
  console.log(told)
  writeSection("recording", told)
} finally {
  await server.stop()
}
