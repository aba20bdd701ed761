// How the storage in PostgreSQL finds things among a million payouts: the plan of each statement, which may
// read no table as a whole, and how long each question takes. The questions are those of the tests.
import { Effect, Exit, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { SqlStorage } from "../../dist/sql/index.js"
import { explaining, scannedBy, sizes, stepsOf } from "../../test/sql/plans/Explaining.ts"
import { accounts, manyRows } from "../../test/sql/plans/ManyRows.ts"
import { questionsOf } from "../../test/sql/plans/Questions.ts"
import { median, range, startServer } from "./database.mjs"

const rows = Number(process.env.BENCH_ROWS ?? 1_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
/** Smaller tables are read quicker as a whole than by an index. */
const fewRows = 1_000
const fill = (sql) =>
  Effect.forEach(manyRows(rows), (statement) =>
    Effect.gen(function* () {
      const began = performance.now()
      yield* sql.unsafe(statement)
      const seconds = ((performance.now() - began) / 1_000).toFixed(1)
      if (process.env.BENCH_VERBOSE) console.log(`${seconds} s: ${statement.slice(0, 60)}`)
    }),
  )

/** Asks a question; a writer's changes are taken back, so that the next one finds what it found. */
const ask = (storage, accountId, question) => {
  const work = (stores) =>
    question.isWrite
      ? Effect.andThen(question.ask(stores), Effect.fail("taken back"))
      : question.ask(stores)
  const mode = question.isWrite ? "write" : "read"
  return Effect.gen(function* () {
    const exit = yield* Effect.exit(storage.transaction(accountId, work, { mode }))
    if (Exit.isFailure(exit) && !question.isWrite) return yield* exit
  })
}

const timesOf = (storage, accountId, question) =>
  Effect.gen(function* () {
    const times = []
    for (let round = 0; round <= rounds; round += 1) {
      const began = performance.now()
      yield* ask(storage, accountId, question)
      times.push(performance.now() - began)
    }
    return times.slice(1)
  })

const nodesOf = (plan) =>
  [
    ...new Set(
      stepsOf(plan).flatMap((step) =>
        step["Index Name"] === undefined && step["Node Type"] !== "Seq Scan"
          ? []
          : [`${step["Node Type"]} ${step["Index Name"] ?? step["Relation Name"]}`],
      ),
    ),
  ].join(", ")

const looking = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const storage = yield* SqlStorage.make({ migrate: true })
  yield* fill(sql)
  const known = yield* sizes(sql)
  console.log(
    `${[...known].map(([name, size]) => `${name}: ${size.toLocaleString("en")}`).join(", ")}\n`,
  )
  const plans = []
  const watched = yield* Effect.provideService(
    SqlStorage.make(),
    SqlClient.SqlClient,
    explaining(sql, (explained) => plans.push(explained)),
  )
  const scans = new Set()
  const statements = new Map()
  const note = ({ name, isRight }) => {
    for (const { statement, plan, generic } of plans.splice(0)) {
      statements.set(`${statement} ${nodesOf(plan)}`, { name, plan: nodesOf(plan) })
      for (const table of [...scannedBy(plan), ...scannedBy(generic)]) {
        if (isRight || (known.get(table) ?? 0) <= fewRows) continue
        scans.add(`${name}: reads all of ${table}:\n${statement}`)
      }
    }
  }
  yield* watched.accounts
  note({ name: "the accounts", isRight: false })
  for (const [index, { accountId, asked }] of accounts.entries()) {
    console.log(`\n\nIn an account with ${index === 0 ? "most" : "little"} of it, in ms:`)
    let name = ""
    for (const question of questionsOf(asked)) {
      yield* ask(watched, accountId, question)
      // Nearly all of the table is this account's: what it has can't be read without the table.
      note({ name: question.name, isRight: question.isWhole === true && index === 0 })
      const times = yield* timesOf(storage, accountId, question)
      process.stdout.write(question.name === name ? "; " : `\n${question.name}: `)
      name = question.name
      process.stdout.write(
        `${question.part ?? ""} ${median(times).toFixed(1)} (${range(times, 1)})`,
      )
    }
  }
  console.log("\n\nHow the statements were planned:")
  for (const { name, plan } of statements.values()) console.log(`- ${name}: ${plan}`)
  console.log(scans.size === 0 ? "\nNo table is read as a whole." : `\n${[...scans].join("\n")}`)
  return scans.size
})

const server = await startServer()
const runtime = ManagedRuntime.make(Layer.fresh(server.client(1)))
try {
  process.exitCode = (await runtime.runPromise(looking)) === 0 ? 0 : 1
} finally {
  await runtime.dispose()
  await server.stop()
}
