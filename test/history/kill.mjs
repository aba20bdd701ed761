// Imports past orders with the command line, kills it with SIGKILL again and again on the way, and looks at the books
// afterwards: each sale and refund is there once, nobody is to be paid, and the statements of the year are those that
// `apportion statement` makes of the files. Run by hand, after a build (Node 24):
//
//   node test/history/kill.mjs postgres     on a PostgreSQL server of its own
//   node test/history/kill.mjs folder       in a folder
//
// HISTORY_ORDERS sets how many orders there are (100000), HISTORY_KILLS how many kills (5), HISTORY_DATES of which
// days the statements are compared; HISTORY_MS, of a folder, how much later each kill comes than the one before it.
import { execFile, spawn } from "node:child_process"
import { createWriteStream } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Effect, Layer, ManagedRuntime } from "effect"
import { ExchangeRates, Storage } from "../../dist/ports/index.js"
import {
  Audit,
  Collaborators,
  Payouts,
  ProductGroups,
  servicesLayer,
} from "../../dist/service/index.js"
import { openPlace, runOn, storageOf } from "../sql/places.mjs"

const shop = "shop"
const orders = Number(process.env.HISTORY_ORDERS ?? 100_000)
const kills = Number(process.env.HISTORY_KILLS ?? 5)
const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))
const people = ["ada", "bo", "cy"]
const terms = { payoutMeasurement: "monthly_date", payoutFrequency: 1, payoutThreshold: 0 }

/** A year of orders, and a refund of every twentieth. */
const writeFiles = async (folder) => {
  const [begin, end] = [Date.UTC(2024, 0, 1) / 1_000, Date.UTC(2025, 0, 1) / 1_000]
  let state = 7
  const random = (most) => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
  const out = createWriteStream(join(folder, "orders.ndjson"))
  const back = createWriteStream(join(folder, "refunds.ndjson"))
  let refunds = 0
  for (let number = 0; number < orders; number += 1) {
    const at = begin + Math.floor(((end - begin) * number) / orders)
    const items = Array.from({ length: 1 + random(3) }, (_, index) => {
      const product = { id: `p${random(50)}`, vendor: `v${random(people.length)}` }
      return { id: `${index + 1}`, product, quantity: 1 + random(3), amount: 100 + random(20_000) }
    })
    const order = { id: `o${number}`, currency: "EUR", created_at: at, items }
    if (!out.write(`${JSON.stringify(order)}\n`)) await new Promise((go) => out.once("drain", go))
    if (number % 20 !== 3) continue
    refunds += 1
    const refundedAt = Math.min(at + random(40 * 86_400), end - 1)
    const amount = 1 + random(90)
    const refund = { order_id: order.id, item_id: "1", amount, refunded_at: refundedAt }
    back.write(`${JSON.stringify(refund)}\n`)
  }
  await Promise.all([out, back].map((stream) => new Promise((done) => stream.end(done))))
  const groups = people.map((id, index) => ({
    ...{ id: `g${index}`, collaborator_id: id, itemType: "products.vendor" },
    ...{ items: [`v${index}`], type: "percentage", percent: "12.50" },
  }))
  const collaborators = people.map((id) => ({
    ...{ id, currency: "EUR", payout_measurement: "monthly_date", payout_frequency: 1 },
    ...{ payout_threshold: 0, should_pay_automatically: true },
  }))
  await writeFile(join(folder, "groups.json"), JSON.stringify(groups))
  await writeFile(join(folder, "collaborators.json"), JSON.stringify(collaborators))
  return refunds
}

const runtimeOf = (kind, place, migrate = false) => {
  const storage = storageOf(kind, place, { migrate, connections: 4 })
  return ManagedRuntime.make(
    servicesLayer.pipe(Layer.provide(ExchangeRates.none), Layer.provideMerge(storage)),
  )
}

const within = (kind, place, work, migrate) => runOn(runtimeOf(kind, place, migrate), work)

const fill = Effect.gen(function* () {
  for (const [index, id] of people.entries()) {
    yield* (yield* Collaborators).create(shop, { id, currency: "EUR", ...terms })
    const link = { type: "products.vendor", values: [`v${index}`] }
    yield* (yield* ProductGroups).create(shop, id, { id: `g${index}`, link, percent: "12.50" })
  }
})

const countSales = Effect.flatMap(Storage, (storage) =>
  storage.transaction(shop, ({ sales }) => sales.list({}, { offset: 0, limit: 1 }), {
    mode: "read",
  }),
)

/** Runs the import until it is done, or is time to kill it; gives what it printed, or that it was killed. */
const runImport = (args, isTime) =>
  new Promise((done) => {
    const child = spawn(process.execPath, [main, "import", ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    let output = ""
    child.stdout.on("data", (text) => {
      output += text
    })
    let isOver = false
    child.on("exit", (code, signal) => {
      isOver = true
      done({ output, code, isKilled: signal === "SIGKILL" })
    })
    const watch = async () => {
      while (!isOver) {
        await new Promise((next) => setTimeout(next, 20))
        if (await isTime()) child.kill("SIGKILL")
      }
    }
    if (isTime !== undefined) void watch()
  })

const run = promisify(execFile)
const print = async (args) => {
  const { stdout } = await run(process.execPath, [main, ...args], { maxBuffer: 1 << 30 })
  return stdout
}

/** What each collaborator earned after refunds, was paid and has to get, by the statement of what is stored. */
const storedFigures = async (where, until) => {
  const period = ["--from", "2024-01-01", "--until", until]
  const text = await print([
    "statement",
    ...where,
    "--account",
    shop,
    "--format",
    "json",
    ...period,
  ])
  return JSON.parse(text).data.map(
    ({ collaborator, statements: [{ sales, refunds, ...rest }] }) => {
      return { id: collaborator.id, earned: sales + refunds, paid: rest.paid, open: rest.closing }
    },
  )
}

/** The same by the statement of the files, whose payouts are closed and paid on their days. */
const fileFigures = async (folder, until) => {
  const file = (name) => join(folder, name)
  const text = await print([
    ...["statement", "--groups", file("groups.json"), "--orders", file("orders.ndjson")],
    ...["--refunds", file("refunds.ndjson"), "--collaborators", file("collaborators.json")],
    ...["--from", "2024-01-01", "--until", until, "--format", "csv"],
  ])
  const figures = new Map(people.map((id) => [id, { id, earned: 0, paid: 0, open: 0 }]))
  const [head, ...rows] = text.trim().split("\n")
  const columns = head.trim().split(",")
  const [id, paidAt, amount] = ["collaborator_id", "paid_at", "amount"].map((name) =>
    columns.indexOf(name),
  )
  for (const row of rows) {
    const cells = row.trim().split(",")
    const one = figures.get(cells[id])
    if (one === undefined) throw new Error(`a line of nobody: ${row}`)
    one.earned += Number(cells[amount])
    one[cells[paidAt] === "" ? "open" : "paid"] += Number(cells[amount])
  }
  return [...figures.values()]
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

const look = async (kind, place, refunds) => {
  const audited = Effect.gen(function* () {
    const { total } = yield* countSales
    const payouts = yield* Payouts
    const { entries } = yield* payouts.list(shop, {}, { page: 1, perPage: 100 })
    const statuses = [...new Set(entries.map(({ payout }) => payout.status))]
    const items = entries.reduce((sum, { payout }) => sum + payout.itemsCount, 0)
    const due = yield* payouts.closeDue(shop)
    const payable = yield* payouts.listPayable(shop, 10)
    const audit = yield* (yield* Audit).payouts(shop)
    const [closed, toPay] = [due.closed.length, payable.length]
    return { total, statuses, items, closed, toPay, differences: audit.differences.length }
  })
  const found = await within(kind, place, audited)
  console.log(`${found.total} sales; ${JSON.stringify(found)}`)
  const { total, statuses, closed, toPay, differences } = found
  const isOnce = total === orders && isSame(statuses, ["manually paid"])
  return isOnce && closed + toPay + differences === 0 && refunds > 0
}

/** When to kill: on a server once so many sales are there; a folder can't be looked into meanwhile, so after a time. */
const timeOf = (kind, place, number) => {
  const after = Date.now() + 1_500 + Number(process.env.HISTORY_MS ?? orders) * number
  if (kind !== "postgres") return async () => Date.now() > after
  const runtime = runtimeOf(kind, place)
  const enough = (orders * (number - Math.random())) / (kills + 1)
  return async () => (await runtime.runPromise(countSales)).total > enough
}

const seconds = (since) => Math.round((Date.now() - since) / 1_000)

const start = async (kind = "postgres") => {
  const { folder, place, close } = await openPlace(kind)
  const where = [kind === "postgres" ? "--database-url" : "--data", place]
  const refunds = await writeFiles(folder)
  await within(kind, place, fill, true)
  const file = (name) => join(folder, name)
  const args = [
    ...[...where, "--account", shop, "--format", "json", "--paid-until", "2025-01-01"],
    ...["--orders", file("orders.ndjson"), "--refunds", file("refunds.ndjson")],
  ]
  const began = Date.now()
  let killed = 0
  for (let number = 1; number <= kills; number += 1) {
    const { isKilled } = await runImport(args, timeOf(kind, place, number))
    if (!isKilled) break
    killed += 1
    const { total } = await within(kind, place, countSales)
    console.log(`kill ${number}, ${seconds(began)} s: ${total} sales are there`)
  }
  const { output, code } = await runImport(args)
  console.log(`done after ${seconds(began)} s:`, JSON.stringify(JSON.parse(output)))
  const again = Date.now()
  const second = JSON.parse((await runImport(args)).output)
  console.log(`once more, ${seconds(again)} s:`, JSON.stringify(second))
  let isRight = code === 0 && second.sales.known === orders && second.refunds.known === refunds
  isRight = (await look(kind, place, refunds)) && isRight
  const dates = (process.env.HISTORY_DATES ?? "2024-06-15,2024-12-31,2025-01-31").split(",")
  for (const until of dates) {
    const [stored, files] = [await storedFigures(where, until), await fileFigures(folder, until)]
    const equal = isSame(stored, files)
    console.log(
      `${until}: ${JSON.stringify(stored)}${equal ? "" : ` FILES ${JSON.stringify(files)}`}`,
    )
    isRight = isRight && equal
  }
  console.log(
    isRight
      ? `${kind}: ${killed} kills; each sale is there once, the statements are right, and nothing is to be paid`
      : "WRONG",
  )
  await close()
  process.exit(isRight ? 0 : 1)
}

await start(...process.argv.slice(2))
