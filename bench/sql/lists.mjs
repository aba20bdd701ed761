// Lists of payouts among a million of them, beside the same lists among a thousand, in the same run.
import { strict as assert } from "node:assert"
import { cpus } from "node:os"
import { Effect, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { SqlStorage } from "../../dist/sql/index.js"
import { manyRows, today } from "../../test/sql/plans/ManyRows.ts"
import { median, range, startServer } from "./database.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 15)
const callsOfRound = Number(process.env.BENCH_CALLS ?? 40)
const sizes = { small: 1_000, large: 1_000_000 }
const accountId = "shop-01"
const limit = 15
const month = 30 * 86_400

const lists = {
  "all, first page": { filter: {}, place: () => 0 },
  "all, page in the middle": { filter: {}, place: (total) => Math.floor(total / 2) },
  "all, last page": { filter: {}, place: (total) => Math.max(0, total - limit) },
  "pending, first page": { filter: { status: "pending" }, place: () => 0 },
  "paid, last page": { filter: { status: "paid" }, place: (total) => Math.max(0, total - limit) },
  "due within a month, first page": {
    filter: { expected: { from: today - month, to: today } },
    place: () => 0,
  },
  "paid within a month, first page": {
    filter: { paid: { from: today - month, to: today } },
    place: () => 0,
  },
}

const open = async (server, database) => {
  const runtime = ManagedRuntime.make(server.client(1, database))
  const storage = await runtime.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const made = yield* SqlStorage.make({ migrate: true })
      for (const statement of manyRows(sizes[database])) yield* sql.unsafe(statement)
      yield* sql.unsafe("VACUUM (ANALYZE)")
      return made
    }),
  )
  const list = (filter, offset) =>
    runtime.runPromise(
      storage.transaction(accountId, ({ payouts }) => payouts.list(filter, { offset, limit }), {
        mode: "read",
      }),
    )
  return { runtime, list, sql: await runtime.runPromise(SqlClient.SqlClient) }
}

/** What is measured must be right first: totals are those that counting gives, and pages are whole. */
const check = async ({ runtime, list, sql }) => {
  const [counted] = await runtime.runPromise(
    sql.unsafe(
      `SELECT count(*)::int AS whole, count(*) FILTER (WHERE status = 'pending')::int AS pending
       FROM apportion.payouts WHERE account_id = $1`,
      [accountId],
    ),
  )
  assert.equal((await list({}, 0)).total, counted.whole)
  assert.equal((await list({ status: "pending" }, 0)).total, counted.pending)
  const last = await list({}, counted.whole - limit)
  const [lowest] = await runtime.runPromise(
    sql.unsafe(
      "SELECT min(to_be_paid_at)::int AS due FROM apportion.payouts WHERE account_id = $1",
      [accountId],
    ),
  )
  assert.equal(last.entries.length, limit)
  assert.equal(last.entries.at(-1).toBePaidAt, lowest.due)
}

const millisecondsOf = async (list, filter, offset) => {
  const began = performance.now()
  for (let call = 0; call < callsOfRound; call += 1) await list(filter, offset)
  return (performance.now() - began) / callsOfRound
}

const server = await startServer()
const opened = {}
try {
  const admin = ManagedRuntime.make(server.client())
  for (const database of Object.keys(sizes)) {
    await admin.runPromise(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`CREATE DATABASE ${database}`)),
    )
    opened[database] = await open(server, database)
    await check(opened[database])
  }
  await admin.dispose()
  const found = new Map()
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { filter, place }] of Object.entries(lists)) {
      for (const [database, { list }] of Object.entries(opened)) {
        const { total } = await list(filter, 0)
        const time = await millisecondsOf(list, filter, place(total))
        const known = found.get(name) ?? { small: [], large: [], total: {} }
        known.total[database] = total
        // The first round only warms up.
        if (round > 0) known[database].push(time)
        found.set(name, known)
      }
    }
  }
  console.log(
    `${rounds} rounds of ${callsOfRound} calls each, interleaved, one connection; PostgreSQL 18 on the same machine; ` +
      `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()})\n`,
  )
  console.log("| list of 15 | of | ms, median (range) | of | ms, median (range) | ratio |")
  console.log("|---|---|---|---|---|---|")
  for (const [name, { small, large, total }] of found) {
    const ratio = (median(large) / median(small)).toFixed(2)
    const cells = [
      ...[total.small.toLocaleString("en"), `${median(small).toFixed(2)} (${range(small, 2)})`],
      ...[total.large.toLocaleString("en"), `${median(large).toFixed(2)} (${range(large, 2)})`],
    ]
    console.log(`| ${name} | ${cells.join(" | ")} | ${ratio} |`)
  }
} finally {
  for (const { runtime } of Object.values(opened)) await runtime.dispose()
  await server.stop()
}
