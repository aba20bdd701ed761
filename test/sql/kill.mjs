// Carries what versions before 0.6.0 stored of payouts and sales over into the form of today, and kills `apportion migrate` with
// SIGKILL again and again on the way: afterwards all that is read is what it was, nothing is left behind, each sale comes
// out again, and the audits find no difference. Run by hand, after a build (Node 24):
//
//   node test/sql/kill.mjs                 sales of today, brought into the earlier form
//   node test/sql/kill.mjs backup.ndjson   a backup that an earlier version made
//
// KILLS sets how often it is killed (50), KILL_SALES of how many sales (8000).
import { spawn, spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ExchangeRates, Storage } from "../../dist/ports/index.js"
import {
  Audit,
  Collaborators,
  Payouts,
  ProductGroups,
  Sales,
  servicesLayer,
} from "../../dist/service/index.js"
import { SqlStorage } from "../../dist/sql/index.js"
import { toEarlierForm } from "./EarlierForm.ts"
import { start } from "./embeddedPostgres.ts"

const shop = "shop"
const people = ["ada", "bo", "cy"]
const [kills, count] = [Number(process.env.KILLS ?? 50), Number(process.env.KILL_SALES ?? 8_000)]
const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))

const orderOf = (number) => ({
  ...{ id: `o${number}`, currency: "EUR", createdAt: 1_760_000_000 + number },
  items: [1, 2].map((index) => ({
    ...{ id: String(index), product: { id: `p${index}`, name: `Print ${index}` } },
    ...{ quantity: 1 + (number % 3), amount: 1_000 + ((37 * number * index) % 9_001) },
  })),
})

/** Sales, refunds of them, and entries of which some are removed: items that are put, replaced and taken away. */
const fill = Effect.gen(function* () {
  const [sales, payouts] = [yield* Sales, yield* Payouts]
  for (const [index, id] of people.entries()) {
    yield* (yield* Collaborators).create(shop, { id, currency: "EUR" })
    const link = { type: "products.all" }
    yield* (yield* ProductGroups).create(shop, id, { id: `g${index}`, link, percent: "12.50" })
  }
  for (let first = 0; first < count; first += 500) {
    const length = Math.min(500, count - first)
    yield* sales.recordAll(
      shop,
      Array.from({ length }, (_, index) => orderOf(first + index)),
    )
    for (let number = first; number < first + length; number += 5) {
      const part = { id: `r${number}`, orderId: `o${number}`, itemId: "1", quantity: 1 }
      yield* sales.refund(shop, part)
    }
    const { entries } = yield* payouts.list(shop, {}, { page: 1, perPage: 100 })
    for (const { payout } of entries) {
      for (const id of ["bonus", "slip"]) {
        const entry = { id: `${id} ${first}`, name: "Bonus", amount: 700 }
        yield* payouts.addIncome(shop, payout.id, entry)
      }
      yield* payouts.removeEntry(shop, payout.id, `slip ${first}`)
    }
  }
})

/** All that is read of payouts and sales, of all accounts. */
const readAll = Effect.gen(function* () {
  const storage = yield* Storage
  const found = []
  for (const accountId of yield* storage.accounts) {
    const read = Effect.fnUntraced(function* ({ payouts, sales }) {
      const { entries } = yield* sales.list({}, { offset: 0, limit: 1_000_000 })
      const ofOne = yield* sales.list({ collaboratorId: "ada" }, { offset: 10, limit: 1_000 })
      found.push({ accountId, sales: entries, ofOne })
      for (const payout of yield* payouts.batch({ after: undefined, limit: 100_000 })) {
        const history = yield* payouts.history({ payoutId: payout.id, after: 0, limit: 1_000_000 })
        const items = yield* payouts.items(payout.id)
        found.push({ accountId, payout, history, items, hash: yield* payouts.lastHash(payout.id) })
      }
    })
    yield* storage.transaction(accountId, read, { mode: "read" })
  }
  return found
})

const rowsLeft = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql.unsafe(`SELECT ((SELECT count(*) FROM apportion.payout_history)
        + (SELECT count(*) FROM apportion.sale_parts WHERE document IS NOT NULL))::int AS entries,
      ((SELECT count(*) FROM apportion.payout_items)
        + (SELECT count(*) FROM apportion.placements))::int AS items`),
    ([row]) => row,
  ),
)

/** Splits every sale again by what is recorded of it. */
const replayAll = Effect.gen(function* () {
  const [storage, sales] = [yield* Storage, yield* Sales]
  let [replayed, others] = [0, 0]
  for (const accountId of yield* storage.accounts) {
    const list = ({ sales: recorded }) => recorded.list({}, { offset: 0, limit: 1_000_000 })
    const { entries } = yield* storage.transaction(accountId, list, { mode: "read" })
    for (const orderId of new Set(entries.map((sale) => sale.orderId))) {
      // One that comes out otherwise than recorded fails.
      const { _tag } = yield* Effect.exit(sales.replay(accountId, orderId))
      replayed += 1
      if (_tag !== "Success") others += 1
    }
  }
  return { replayed, others }
})

const auditAll = Effect.gen(function* () {
  const [storage, audit] = [yield* Storage, yield* Audit]
  let [payouts, sales, differences] = [0, 0, 0]
  for (const accountId of yield* storage.accounts) {
    const [ofPayouts, ofSales] = [yield* audit.payouts(accountId), yield* audit.sales(accountId)]
    payouts += ofPayouts.checked
    sales += ofSales.checked
    differences += ofPayouts.differences.length + ofSales.differences.length
  }
  return { payouts, sales, differences }
})

/** Runs `apportion migrate` and kills it when it is time; gives whether it was killed before it was done. */
const migrateUntil = (url, isTime) =>
  new Promise((done) => {
    const child = spawn(process.execPath, [program, "migrate", "--database-url", url], {
      stdio: ["ignore", "ignore", "inherit"],
    })
    let isOver = false
    child.on("exit", (_code, signal) => {
      isOver = true
      done(signal === "SIGKILL")
    })
    const watch = async () => {
      while (!isOver && !(await isTime())) await new Promise((next) => setTimeout(next, 3))
      child.kill("SIGKILL")
    }
    void watch()
  })

const seconds = (since) => `${((Date.now() - since) / 1_000).toFixed(1)} s`

const main = async (backup) => {
  const server = await start()
  const client = PgClient.layer({ url: Redacted.make(server.url), maxConnections: 4 })
  const storage = Layer.provideMerge(SqlStorage.layer({ migrate: backup === undefined }), client)
  let began = Date.now()
  const step = (what) => {
    console.log(`${what} in ${seconds(began)}`)
    began = Date.now()
  }
  if (backup !== undefined) {
    const args = ["restore", "--database-url", server.url, "--from", backup]
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" })
    if (status !== 0) throw new Error(stderr)
    step("restored")
  }
  const runtime = ManagedRuntime.make(
    servicesLayer.pipe(
      Layer.provide(ExchangeRates.none),
      Layer.provideMerge(storage),
      Layer.provideMerge(Logger.layer([])),
    ),
  )
  if (backup === undefined) {
    await runtime.runPromise(fill)
    const [sql, stored] = [
      await runtime.runPromise(SqlClient.SqlClient),
      await runtime.runPromise(Storage),
    ]
    await runtime.runPromise(toEarlierForm(sql, stored))
    step(`${count} sales recorded and brought into the earlier form`)
  }
  const before = await runtime.runPromise(readAll)
  const all = await runtime.runPromise(rowsLeft)
  step(
    `${all.entries} entries of histories and parts of orders, and ${all.items} items and postings read`,
  )
  let [killed, within] = [0, 0]
  let left = all
  while (killed < kills && left.entries > 0) {
    // Most are killed on the way, at any moment of a batch; some before they have begun. On a busy machine more is carried
    // over until a kill than was meant: the next ones share what is left then.
    const share = left.entries / ((kills - killed) * 1.6)
    const entries = left.entries - Math.floor(Math.random() * 2 * share)
    const from = Date.now()
    const isEarly = Math.random() < 0.1
    const isTime = async () => {
      if (isEarly) return Date.now() - from > Math.random() * 1_000
      return (await runtime.runPromise(rowsLeft)).entries < entries
    }
    if (!(await migrateUntil(server.url, isTime))) break
    const now = await runtime.runPromise(rowsLeft)
    if (now.entries > 0 && now.entries < left.entries) within += 1
    killed += 1
    left = now
  }
  step(`killed ${killed} times, ${within} of them between the first entry and the last`)
  const isSameHalfway = isDeepStrictEqual(await runtime.runPromise(readAll), before)
  step(
    `read again with ${left.entries} entries and parts to go: ${isSameHalfway ? "the same" : "OTHERS"}`,
  )
  await migrateUntil(server.url, async () => false)
  const rest = await runtime.runPromise(rowsLeft)
  step(
    `carried over to the end; left: ${rest.entries} entries and parts, ${rest.items} items and postings`,
  )
  const isSame = isDeepStrictEqual(await runtime.runPromise(readAll), before)
  step(`read again: ${isSame ? "the same" : "OTHERS"}`)
  const { replayed, others } = await runtime.runPromise(replayAll)
  step(`${replayed} sales replayed, ${others} otherwise than recorded`)
  const audit = await runtime.runPromise(auditAll)
  step(
    `audit of ${audit.payouts} payouts and ${audit.sales} sales: ${audit.differences} differences`,
  )
  if (killed < kills) {
    console.log(`nothing was left to carry over after ${killed} kills: KILL_SALES makes more of it`)
  }
  const isRight =
    killed > 0 &&
    isSameHalfway &&
    isSame &&
    rest.entries + rest.items + others + audit.differences === 0 &&
    replayed > 0
  console.log(isRight ? "everything is as it should be" : "WRONG")
  await runtime.dispose()
  await server.stop()
  process.exitCode = isRight ? 0 : 1
}

await main(process.argv[2])
