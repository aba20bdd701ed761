// What partitions by month would cost and save: events and parts of orders in one table each, and in one for each of 24
// months. The keys of those have to contain the time, so that nothing is looked up in one of them alone.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { startServer } from "./database.mjs"

const accounts = 100
const months = 24
const rows = Number(process.env.BENCH_ROWS ?? 480_000)
const month = 30 * 86_400
const atATime = 5_000

const columns =
  "account_id text NOT NULL, number bigint NOT NULL, at bigint NOT NULL, document json NOT NULL"

const tables = [
  `CREATE TABLE whole (${columns}, PRIMARY KEY (account_id, number))`,
  `CREATE TABLE parted (${columns}, PRIMARY KEY (account_id, number, at)) PARTITION BY RANGE (at)`,
  ...Array.from(
    { length: months + 1 },
    (_, index) =>
      `CREATE TABLE parted_${index} PARTITION OF parted FOR VALUES FROM (${index * month}) TO (${(index + 1) * month})`,
  ),
]

const fill = (table, first, last) => `INSERT INTO ${table}
  SELECT 'account ' || n % ${accounts}, n / ${accounts}, n::bigint * ${months * month} / ${rows},
    json_build_object('type', 'sale.recorded', 'data', repeat(md5(n::text), 11))
  FROM generate_series(${first}, ${last - 1}) AS n`

const program = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = (statement, given = []) => sql.unsafe(statement, given)
  const one = (statement, given) => Effect.map(run(statement, given), ([row]) => row)
  const millis = (work) =>
    Effect.gen(function* () {
      const began = performance.now()
      const result = yield* work
      return { ms: performance.now() - began, result }
    })
  const lsn = Effect.map(one("SELECT pg_current_wal_lsn()::text AS at"), ({ at }) => at)
  const written = (work) =>
    Effect.gen(function* () {
      const before = yield* lsn
      const done = yield* millis(work)
      const { bytes } = yield* one(
        "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1::text::pg_lsn)::float8 AS bytes",
        [before],
      )
      return { ms: Math.round(done.ms), megabytes: Math.round(bytes / 1e5) / 10 }
    })
  const size = (pattern) =>
    Effect.map(
      one(
        `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class WHERE relkind = 'r' AND relname ~ '${pattern}'`,
      ),
      ({ bytes }) => Math.round(bytes / 1e5) / 10,
    )
  for (const statement of tables) yield* run(statement)
  const report = {}
  for (const table of ["whole", "parted"])
    report[`fill ${table}`] = yield* written(run(fill(table, 0, rows)))
  yield* run("CHECKPOINT")
  yield* run("VACUUM (ANALYZE)")
  report.sizes = { whole: yield* size("^whole$"), parted: yield* size("^parted") }
  // The next events of an account after its last but fifty, and those of one that is behind by a year.
  const last = rows / accounts
  for (const [name, after] of [
    ["the newest", last - 50],
    ["from the middle", last / 2],
  ]) {
    for (const table of ["whole", "parted"]) {
      const ask = `SELECT number, document::text FROM ${table} WHERE account_id = $1 AND number > $2 ORDER BY number LIMIT 50`
      const times = []
      for (let round = 0; round < 300; round += 1) {
        times.push((yield* millis(run(ask, [`account ${round % accounts}`, BigInt(after)]))).ms)
      }
      times.sort((left, right) => left - right)
      const key = `next 50, ${name}, ${table}`
      report[key] = { "median ms": Math.round(times[150] * 1_000) / 1_000 }
    }
  }
  // One row by what it is known by: the parts of an order are asked for so, and no month is known.
  for (const table of ["whole", "parted"]) {
    const ask = `SELECT document::text FROM ${table} WHERE account_id = $1 AND number = ANY($2::text[]::bigint[])`
    for (const [name, many] of [
      ["one", 1],
      ["a hundred", 100],
    ]) {
      const times = []
      for (let round = 0; round < 300; round += 1) {
        const numbers = Array.from({ length: many }, (_, index) =>
          String((round * 7919 + index * 37) % last),
        )
        times.push((yield* millis(run(ask, [`account ${round % accounts}`, numbers]))).ms)
      }
      times.sort((left, right) => left - right)
      report[`${name} by number, ${table}`] = {
        "median ms": Math.round(times[150] * 1_000) / 1_000,
      }
    }
  }
  // A month goes, a month comes, six times.
  const perMonth = rows / months
  for (let turn = 0; turn < 6; turn += 1) {
    const removing = Effect.forEach(
      Array.from({ length: accounts }, (_, index) => `account ${index}`),
      (account) =>
        run(
          `WITH first AS (SELECT number, at FROM whole WHERE account_id = $1 ORDER BY number LIMIT ${atATime})
           DELETE FROM whole WHERE account_id = $1 AND number <= (SELECT max(number) FROM first)
             AND number < coalesce((SELECT min(number) FROM first WHERE at >= $2), 9000000000)`,
          [account, BigInt((turn + 1) * month)],
        ),
      { discard: true },
    )
    const gone = yield* written(removing)
    const vacuum = yield* written(run("VACUUM whole"))
    const added = yield* written(
      run(fill("whole", rows + turn * perMonth, rows + (turn + 1) * perMonth)),
    )
    report[`month ${turn + 1}, whole`] = {
      ...{ "remove ms": gone.ms, "remove MB log": gone.megabytes, "vacuum ms": vacuum.ms },
      ...{
        "vacuum MB log": vacuum.megabytes,
        "add ms": added.ms,
        "size MB": yield* size("^whole$"),
      },
    }
    const next = months + turn + 1
    const dropped = yield* written(run(`DROP TABLE parted_${turn}`))
    if (next > months)
      yield* run(
        `CREATE TABLE parted_${next} PARTITION OF parted FOR VALUES FROM (${next * month}) TO (${(next + 1) * month})`,
      )
    const addedThere = yield* written(
      run(fill("parted", rows + turn * perMonth, rows + (turn + 1) * perMonth)),
    )
    report[`month ${turn + 1}, parted`] = {
      ...{ "remove ms": dropped.ms, "remove MB log": dropped.megabytes },
      ...{ "add ms": addedThere.ms, "size MB": yield* size("^parted") },
    }
  }
  console.log(`${rows} rows in ${months} months of ${accounts} accounts`)
  console.table(report)
})

const server = await startServer(["-c", "autovacuum=off"])
try {
  await Effect.runPromise(Effect.provide(program, server.client(1)))
} finally {
  await server.stop()
}
