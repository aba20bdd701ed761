// Splits many past sales again after a percentage has changed, and kills the booking with SIGKILL again and again: the
// differences are those of a backtest, each sale is adjusted once, a second run changes nothing, and full refunds leave
// nobody anything. Run by hand, after a build (Node 24):
//
//   node test/resplit/kill.mjs memory 10000      without kills
//   node test/resplit/kill.mjs postgres 10000    on a PostgreSQL server of its own
//   node test/resplit/kill.mjs folder 1000       on a folder
//
// KILLS sets how often the booking is killed at most (20).
import { execFileSync, spawn } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Layer, Logger, ManagedRuntime, Result } from "effect"
import { ExchangeRates } from "../../dist/ports/index.js"
import {
  Audit,
  Collaborators,
  Payouts,
  ProductGroups,
  Resplits,
  Sales,
  servicesLayer,
} from "../../dist/service/index.js"
import { openPlace, storageOf } from "../sql/places.mjs"

const shop = "shop"
const here = fileURLToPath(import.meta.url)

const runtimeOf = (kind, place, migrate = false) =>
  ManagedRuntime.make(
    servicesLayer.pipe(
      Layer.provide(ExchangeRates.fixed({ "USD/EUR": "0.9" })),
      Layer.provideMerge(storageOf(kind, place, { migrate })),
      Layer.provideMerge(Logger.layer([])),
    ),
  )

const ordersOf = (count) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `o${index}`, currency: index % 7 === 0 ? "USD" : "EUR" },
    createdAt: Date.UTC(2025, index % 12, 3 + (index % 20)) / 1_000,
    shippingAmount: index % 3 === 0 ? 490 : 0,
    items: [
      { id: "1", product: { id: "p1" }, quantity: 3, amount: 1_000 + ((37 * index) % 9_001) },
      { id: "2", product: { id: "p2" }, quantity: 1, amount: 499 },
    ],
  }))

const groupsFile = (percentage) =>
  JSON.stringify([
    { id: "g1", collaborator_id: "ada", itemType: "products.all", type: "percentage", percentage },
    {
      ...{ id: "g2", collaborator_id: "ben", itemType: "products", items: ["p2"] },
      ...{ type_modifier: "WITH", type: "percentage", percentage: "7.00" },
    },
  ])

const orderLine = ({ id, currency, createdAt, shippingAmount, items }) =>
  JSON.stringify({
    ...{ id, currency, created_at: createdAt, shipping_amount: shippingAmount },
    items: items.map(({ id: itemId, ...item }) => ({ external_id: itemId, ...item })),
  })

/** What a backtest of the same orders says: by collaborator, currency and month. */
const backtest = async (folder, orders) => {
  const file = async (name, text) => {
    const path = join(folder, name)
    await writeFile(path, text)
    return path
  }
  const flags = ["--groups", await file("before.json", groupsFile("12.50"))]
  flags.push("--against", await file("after.json", groupsFile("14.25")))
  flags.push("--orders", await file("orders.ndjson", orders.map(orderLine).join("\n")))
  const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))
  const args = [cli, "backtest", ...flags, "--format", "json"]
  return JSON.parse(execFileSync(process.execPath, args, { maxBuffer: 2 ** 28 })).rows
}

const differing = (rows) =>
  rows
    .filter(({ difference }) => Number(difference) !== 0)
    .map(({ collaboratorId, collaborator_id = collaboratorId, currency, month, difference }) =>
      [collaborator_id, currency, month, Number(difference)].join(" "),
    )
    .sort()
    .join("\n")

const fill = (orders) =>
  Effect.gen(function* () {
    const [collaborators, groups] = [yield* Collaborators, yield* ProductGroups]
    const sales = yield* Sales
    for (const id of ["ada", "ben"]) yield* collaborators.create(shop, { id, currency: "EUR" })
    const link = { type: "products.all" }
    yield* groups.create(shop, "ada", { id: "g1", link, percent: "12.5" })
    const cup = { type: "products", modifier: "WITH", values: ["p2"] }
    yield* groups.create(shop, "ben", { id: "g2", link: cup, percent: "7" })
    for (const order of orders) yield* sales.record(shop, order)
    const better = (group) => Result.succeed({ ...group, percent: "14.25" })
    yield* groups.update(shop, "ada", "g1", better)
  })

const booking = Effect.flatMap(Resplits, (resplits) => resplits.book(shop, "raise"))

/** What is killed. */
const work = async ([kind, place]) => {
  const runtime = runtimeOf(kind, place)
  await runtime.runPromise(booking)
  await runtime.dispose()
}

/** Runs a worker and kills it after a while; gives whether it was killed before it was done. */
const killed = (args, after) =>
  new Promise((done) => {
    const stdio = ["ignore", "inherit", "inherit"]
    const child = spawn(process.execPath, [here, "work", ...args], { stdio })
    let isKilled = false
    const timer = setTimeout(() => {
      isKilled = true
      child.kill("SIGKILL")
    }, after)
    child.on("exit", () => {
      clearTimeout(timer)
      done(isKilled)
    })
  })

const totals = Effect.gen(function* () {
  const payouts = yield* Payouts
  const { entries } = yield* payouts.list(shop, {}, { page: 1, perPage: 100 })
  return entries.map(({ payout: { collaboratorId, total } }) => [collaboratorId, total])
})

const adjustments = (orders) =>
  Effect.gen(function* () {
    const sales = yield* Sales
    let [once, other] = [0, 0]
    for (const { id } of orders) {
      const [part] = yield* sales.get(shop, id)
      if (part.adjustments?.length === 1) once += 1
      else other += 1
    }
    return { once, other }
  })

const refundAll = (orders) =>
  Effect.gen(function* () {
    const sales = yield* Sales
    for (const { id: orderId, items } of orders) {
      for (const { id: itemId } of items) {
        const id = `${orderId}/${itemId}`
        yield* sales.refund(shop, { id, orderId, itemId, remaining: true })
      }
    }
  })

const seconds = (since) => `${((Date.now() - since) / 1_000).toFixed(1)} s`

const main = async ([kind = "postgres", size = "10000"]) => {
  const { folder, place, close } = await openPlace(kind)
  const orders = ordersOf(Number(size))
  let runtime = runtimeOf(kind, place, true)
  let began = Date.now()
  const step = (what) => {
    console.log(`${kind}: ${what} in ${seconds(began)}`)
    began = Date.now()
  }
  await runtime.runPromise(fill(orders))
  step(`${size} sales recorded`)
  const expected = differing(await backtest(folder, orders))
  step("backtest of the same orders")
  const resplits = await runtime.runPromise(Resplits)
  const preview = await runtime.runPromise(resplits.preview(shop, {}))
  step(`preview, ${preview.changed} of ${preview.sales} would change`)
  const isBacktest = differing(preview.totals) === expected && expected !== ""
  await runtime.runPromise(resplits.propose(shop, { id: "raise" }))
  await runtime.runPromise(resplits.approve(shop, "raise", { digest: preview.digest }))
  step("proposed and approved")
  let kills = 0
  if (kind !== "memory") {
    await runtime.dispose()
    for (let left = Number(process.env.KILLS ?? 20); left > 0; left -= 1) {
      if (!(await killed([kind, place], 1_500 + Math.random() * 4_000))) break
      kills += 1
    }
    runtime = runtimeOf(kind, place)
  }
  const run = await runtime.runPromise(booking)
  step(`booked, ${run.adjusted} adjusted, killed ${kills} times`)
  const { once, other } = await runtime.runPromise(adjustments(orders))
  const after = await runtime.runPromise(
    Effect.flatMap(Resplits, (again) => again.preview(shop, {}, { biggest: 0 })),
  )
  const booked = await runtime.runPromise(totals)
  const second = await runtime.runPromise(booking)
  const isSame = JSON.stringify(booked) === JSON.stringify(await runtime.runPromise(totals))
  step(`${once} sales adjusted once and ${other} not; a second run would change ${after.changed}`)
  await runtime.runPromise(refundAll(orders))
  const left = await runtime.runPromise(totals)
  step(`all refunded; left: ${JSON.stringify(left)}`)
  const audit = await runtime.runPromise(Effect.flatMap(Audit, (one) => one.payouts(shop)))
  const isRight =
    isBacktest &&
    once === orders.length &&
    run.adjusted === orders.length &&
    after.changed === 0 &&
    isSame &&
    JSON.stringify(second) === JSON.stringify(run) &&
    left.every(([, total]) => total === 0) &&
    audit.differences.length === 0
  console.log(`differences of the backtest: ${isBacktest ? "the same" : "OTHERS"}`)
  console.log(`audit: ${audit.checked} payouts, ${audit.differences.length} differences`)
  console.log(isRight ? "everything is as it should be" : "WRONG")
  await runtime.dispose()
  await close()
  process.exitCode = isRight ? 0 : 1
}

const [first, ...rest] = process.argv.slice(2)
if (first === "work") await work(rest)
else await main([first, ...rest])
