// Recording sales in PostgreSQL: many in one transaction, and single calls that come at the same time, beside bare inserts
// of the same rows by unnest, as many in one transaction, in the same run. With BENCH_BEFORE, the folder of version 0.5.0 that was
// built, bare inserts of the rows that it left of the same sale as well. Writes its section of docs/benchmarks.md.
import { strict as assert } from "node:assert"
import { execFileSync } from "node:child_process"
import { cpus, loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { Effect, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { Sales } from "../../dist/service/index.js"
import { table, writeSection } from "../report.mjs"
import { bare, barePayouts, bareWork, least, partOf, splitOf, tablesOfEarlier } from "./bare.mjs"
import { byHand, compareByHand, recordedTerms } from "./byHand.mjs"
import { median, range, startServer } from "./database.mjs"
import { accountId, collaboratorsOfAccount, orderOf } from "./orders.mjs"
import { observed, runtimeOf, setUp } from "./recorders.mjs"

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
const nextNumbers = (count) => {
  orders += count
  return Array.from({ length: count }, (_, index) => orders - index)
}
const nextOrders = (count) => nextNumbers(count).map(orderOf)

const recordMany = (count) => () =>
  Effect.flatMap(Sales, (sales) =>
    Effect.map(sales.recordAll(accountId, nextOrders(count)), (outcomes) => {
      assert.ok(outcomes.every(({ type }) => type === "recorded"))
      return count
    }),
  )

const recordByHand = (count, terms) => () => Effect.suspend(() => byHand(nextNumbers(count), terms))

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
  const [{ split }] = yield* (yield* Sales).get(accountId, "o1")
  assert.deepEqual(split.shares, splitOf(1))
})

const oneShop = () => accountId
const ownShop = (index) => `shop ${index % accounts}`

/** What inserts the rows that an earlier version left of a sale. */
const earlierOf = async (server, folder) => {
  const admin = ManagedRuntime.make(server.client())
  await admin.runPromise(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe("CREATE DATABASE earlier")),
  )
  await admin.dispose()
  const script = fileURLToPath(new URL("earlierSale.mjs", import.meta.url))
  execFileSync(process.execPath, [script, folder, server.url("earlier")], { stdio: "inherit" })
  const runtime = ManagedRuntime.make(server.client(1, "earlier"))
  return { runtime, prepared: await runtime.runPromise(bareWork(tablesOfEarlier)) }
}

/** Each of several at a time has payouts of its own. */
const bareApart = (prepared) => (worker) => bare(partOf(prepared, worker, accounts), 1)()

const earlierRows = ({ runtime, prepared }, count) => ({
  name: `bare, ${count}, rows of 0.5.0`,
  ...{ runtime, workers: 1, once: bare(prepared, count), of: count },
})

const server = await startServer()
try {
  const runtime = runtimeOf(counted(server.client(connections)))
  for (let index = 0; index < accounts; index += 1) {
    await runtime.runPromise(setUp(ownShop(index)))
  }
  await runtime.runPromise(recordOne(oneShop)(0))
  const prepared = await runtime.runPromise(bareWork())
  const before = process.env.BENCH_BEFORE
  const earlier = before === undefined ? undefined : await earlierOf(server, before)
  // Two ways that have to lead to the same are compared before they are measured.
  await runtime.runPromise(recordMany(100)())
  const all = { ...prepared, payouts: await runtime.runPromise(barePayouts) }
  const terms = await runtime.runPromise(recordedTerms)
  await runtime.runPromise(recordByHand(20, terms)())
  // Orders whose numbers differ by the number of tags in pairs have the same items.
  await runtime.runPromise(compareByHand(orders, orders - collaboratorsOfAccount / 2))
  for (let index = 0; index < 8; index += 1) await runtime.runPromise(recordOne(ownShop)(index))
  await runtime.runPromise(check)
  await runtime.runPromise(compare)
  const contenders = [
    ...batches.flatMap((count) => [
      ...(earlier === undefined ? [] : [earlierRows(earlier, count)]),
      { name: `bare, ${count} in a transaction`, workers: 1, once: bare(prepared, count) },
      { name: `the least, ${count}`, workers: 1, once: least(prepared, count), of: count },
      { name: `by hand, ${count}`, workers: 1, once: recordByHand(count, terms), of: count },
      { name: `recordAll of ${count}`, workers: 1, once: recordMany(count), of: count },
    ]),
    { name: `bare, 1, ${accounts} at a time`, workers: accounts, once: bareApart(all) },
    ...atOnce.flatMap((workers) => [
      { name: `${workers} at a time, one account`, workers, once: recordOne(oneShop) },
      { name: `${workers} at a time, ${accounts} accounts`, workers, once: recordOne(ownShop) },
    ]),
  ]
  const found = new Map(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, workers, once, runtime: own = runtime } of contenders) {
      const figures = await measure(own, workers, once)
      // The first round only warms up.
      if (round > 0) found.get(name).push(figures)
    }
  }
  await runtime.runPromise(check)
  await runtime.dispose()
  await earlier?.runtime.dispose()
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
  const besides =
    earlier === undefined
      ? ""
      : " The rows of 0.5.0 are those that it left of the same sale, in tables as it had them."
  const told = [
    `Recording sales of two items and four shares, beside nothing but bare inserts of the same ${rowsOfSale} rows by \`unnest\` and updates of the same payouts, as many in one transaction. The least is the same, after all that a recorder can't do without: reading and splitting the orders by the same engine, the lock, the questions that decide what is new, and a hash for each share; without making the rows of that. By hand is the same over the port of the storage, which makes the rows: what recording comes to if all that the services do besides took no time; what it stores was compared with what they store.${besides} ${rounds} rounds of ${seconds} s, interleaved, with the load of the machine at ${load.join(", ")} (${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}). The processor's time is that of the process in Node. Calls that come at the same time are calls of \`record\`, with one order each.`,
    table(header, rows),
  ].join("\n\n")
  console.log(told)
  writeSection("recording", told)
} finally {
  await server.stop()
}
