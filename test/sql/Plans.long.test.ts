/** Nothing that is asked of many payouts, and of what belongs to them, reads a table from end to end. */
import { SqlStorage } from "apportion/sql"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, expect, test } from "vitest"
import { clientFor, postgres } from "./databases.js"
import { type Explained, explaining, scannedBy, sizes } from "./plans/Explaining.js"
import { accounts, manyRows } from "./plans/ManyRows.js"
import { questionsOf } from "./plans/Questions.js"

/** One connection, so that what is set for it holds for all. */
const client = clientFor(() => postgres("plans", { maxConnections: 1 }))

const run = <A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.runPromise(Effect.provideService(work, SqlClient.SqlClient, client()))

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* SqlStorage.make({ migrate: true })
  yield* Effect.forEach(manyRows(20_000), (statement) => sql.unsafe(statement), { discard: true })
})

beforeAll(() => run(fill), 120_000)

interface Scan {
  readonly question: string
  readonly account: string
  readonly table: string
  readonly isWhole: boolean
}

/** Asks everything, and tells which tables were read as a whole. */
const scans = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const plans: Array<Explained> = []
  const found: Array<Scan> = []
  let asked = 0
  const watched = explaining(sql, (explained) => plans.push(explained))
  const storage = yield* Effect.provideService(SqlStorage.make(), SqlClient.SqlClient, watched)
  const note = (scan: Omit<Scan, "table">) => {
    for (const { plan, generic } of plans.splice(0)) {
      asked += 1
      const tables = [...scannedBy(plan), ...scannedBy(generic)]
      found.push(...tables.map((table) => ({ ...scan, table })))
    }
  }
  yield* storage.accounts
  note({ question: "the accounts", account: "", isWhole: false })
  for (const { accountId, asked: given } of accounts) {
    for (const { name, ask, isWrite = false, isWhole = false } of questionsOf(given)) {
      const mode = isWrite ? "write" : "read"
      const done = Effect.exit(storage.transaction(accountId, ask, { mode }))
      expect(Exit.isSuccess(yield* done), name).toBe(true)
      note({ question: name, account: accountId, isWhole })
    }
  }
  return { found, asked, sizes: yield* sizes(sql) }
})

test("among 20,000 payouts none is looked for by reading all of them, nor is anything else", async () => {
  const { found, asked, sizes } = await run(scans)
  expect(asked).toBeGreaterThan(500)
  const isLarge = (table: string) => (sizes.get(table) ?? 0) >= 20_000
  // Where nearly all of a table is one account's, what the account has is read quicker with the table.
  const isRight = ({ isWhole, account }: Scan) => isWhole && account === "shop-01"
  expect(found.filter((scan) => isLarge(scan.table) && !isRight(scan))).toEqual([])
}, 120_000)

test("there is an index for everything that is asked", async () => {
  await run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe("SET enable_seqscan = off")))
  const { found } = await run(scans)
  expect(found.filter(({ question }) => question !== "the accounts")).toEqual([])
}, 120_000)

test("a list that has no index would be noticed", async () => {
  await run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(
        [
          "SET enable_seqscan = on",
          "DROP INDEX apportion.payouts_of_collaborator, apportion.payouts_of_owner",
        ],
        (statement) => sql.unsafe(statement),
      ),
    ),
  )
  const { found } = await run(scans)
  expect(found.filter(({ table }) => table === "payouts")).not.toEqual([])
}, 120_000)
