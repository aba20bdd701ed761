// Purges the old history of an account in a process that is killed again and again, with SIGKILL, while another sells. All
// that is asked of the money has to be what it was, nothing young may be gone, and what is old has to be gone at the end.
// Run by hand, after a build (Node 24):
//
//   node test/retention/kill.mjs postgres 30
//   node test/retention/kill.mjs folder 30
//
// KILL_RECORDS sets how much there is of each kind of old records (40000).
import { spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { TestClock } from "effect/testing"
import { ExchangeRates, Storage } from "../../dist/ports/index.js"
import {
  Audit,
  Balances,
  Collaborators,
  Payouts,
  ProductGroups,
  Retention,
  Sales,
  Statements,
  servicesLayer,
} from "../../dist/service/index.js"
import { openPlace, runOn, storageOf } from "../sql/places.mjs"

const shop = "shop"
const months = 24
const count = Number(process.env.KILL_RECORDS ?? 40_000)
const old = 1_500_000_000
const none = { events: 0, answers: 0, deliveries: 0, refundDocuments: 0, resplitBatches: 0 }

const runtimeOf = (kind, place, options) =>
  ManagedRuntime.make(
    servicesLayer.pipe(
      Layer.provideMerge([storageOf(kind, place, options), ExchangeRates.none]),
      Layer.provideMerge(Logger.layer([])),
    ),
  )

const orderOf = (id) => {
  const items = [{ id: "1", product: { id: "p1" }, quantity: 3, amount: 10_001 }]
  return { id, currency: "USD", items }
}

const inParts = (work) =>
  Effect.forEach(
    Array.from({ length: Math.ceil(count / 1_000) }, (_, part) => part * 1_000),
    (first) =>
      Effect.flatMap(Storage, (storage) =>
        storage.transaction(shop, (stores) =>
          work(
            stores,
            Array.from({ length: 1_000 }, (_, index) => first + index),
          ),
        ),
      ),
    { discard: true },
  )

/** A shop of years ago, with records of every kind that are old. */
const fill = Effect.gen(function* () {
  // The first events of all: none goes that is behind one that stays.
  const event = { type: "collaborator.created", at: old, actor: "a" }
  const data = { collaboratorId: "ada", currency: "USD" }
  yield* inParts(({ events }, numbers) => events.append(numbers.map(() => ({ ...event, data }))))
  const terms = { payoutMeasurement: "day", payoutFrequency: 1 }
  yield* (yield* Collaborators).create(shop, { id: "ada", currency: "USD", ...terms })
  const link = { type: "products.all" }
  yield* (yield* ProductGroups).create(shop, "ada", { id: "g", link, percent: "12.5" })
  const [sales, payouts] = [yield* Sales, yield* Payouts]
  for (let index = 0; index < 60; index += 1) {
    yield* TestClock.setTime((old + index * 86_400) * 1_000)
    yield* sales.record(shop, orderOf(`old ${index}`))
    if (index % 3 === 0) {
      const refund = { id: `r${index}`, orderId: `old ${index}`, itemId: "1", quantity: 1 }
      yield* sales.refund(shop, refund)
    }
    for (const id of (yield* payouts.closeDue(shop)).closed)
      yield* Effect.ignore(payouts.pay(shop, id))
  }
  yield* inParts(({ keys, inbox }, numbers) =>
    Effect.gen(function* () {
      yield* inbox.putNotes(
        numbers.flatMap((number) => [
          { key: `x/delivery/${number}`, at: old, kind: "delivery", topic: "t" },
          {
            ...{ key: `x/refund/${number}`, at: old, kind: "refund" },
            ...{ orderId: `none ${number}`, document: { id: number, lines: [1, 2, 3] } },
          },
        ]),
      )
      for (const number of numbers.slice(0, 100)) {
        yield* keys.insert({ key: `k${number}`, fingerprint: "f", answer: "{}", createdAt: old })
      }
    }),
  )
})

/** All that is asked of the money of the past. */
const books = Effect.gen(function* () {
  const [statements, payouts] = [yield* Statements, yield* Payouts]
  const periods = [10, 30, 55].map((days) => ({ until: old + days * 86_400 }))
  const of = yield* Effect.forEach(periods, (period) => statements.of(shop, "ada", period))
  const lines = yield* Effect.forEach(periods, (period) =>
    statements.lines(shop, "ada", { period }),
  )
  const paid = yield* payouts.list(shop, { status: "paid" }, { page: 1, perPage: 100 })
  const views = yield* Effect.forEach(paid.entries, ({ payout }) => payouts.get(shop, payout.id))
  const balances = (yield* (yield* Balances).of(shop, "ada")).map(({ paid: all }) => all)
  return JSON.parse(JSON.stringify({ of, lines, views, balances }))
})

const purge = async ([kind, place]) => {
  const runtime = runtimeOf(kind, place)
  process.stdout.write("ready\n")
  await runOn(
    runtime,
    Effect.flatMap(Retention, (retention) => retention.purge(shop, { months })),
  )
  process.stdout.write("done\n")
  process.exit(0)
}

const main = async ([kind = "postgres", wanted = "30"]) => {
  const { place, close } = await openPlace(kind)
  await runOn(runtimeOf(kind, place, { migrate: true }), Effect.provide(fill, TestClock.layer()))
  const look = (work) => runOn(runtimeOf(kind, place), work)
  const before = await look(books)
  const first = await look(
    Effect.flatMap(Retention, (retention) => retention.survey(shop, { months })),
  )
  const [kills, steps] = [Number(wanted), []]
  let [killed, sold, wrong, finished] = [0, 0, 0, 0]
  while (killed < kills) {
    const script = fileURLToPath(import.meta.url)
    const child = spawn(process.execPath, [script, "purge", kind, place], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    const ended = once(child, "exit")
    await Promise.race([once(child.stdout, "data"), ended])
    // On a server somebody sells meanwhile; a folder has one process.
    const sell = async () => {
      if (kind !== "postgres") return
      sold += 1
      await look(Effect.flatMap(Sales, (sales) => sales.record(shop, orderOf(`new ${sold}`))))
    }
    const selling = sell()
    await Promise.race([wait(60 + ((killed * 37) % 160)), ended])
    if (child.exitCode === null) killed += 1
    else finished += 1
    child.kill("SIGKILL")
    await ended
    await selling
    const left = await look(
      Effect.flatMap(Retention, (retention) => retention.survey(shop, { months })),
    )
    steps.push(Object.values(left).reduce((sum, one) => sum + one, 0))
    if (finished > 3) break
    if (killed % 10 === 0 && !isDeepStrictEqual(await look(books), before)) wrong += 1
  }
  await look(Effect.flatMap(Retention, (retention) => retention.purge(shop, { months })))
  const end = await look(
    Effect.gen(function* () {
      const audit = yield* Audit
      const [payouts, sales] = [yield* audit.payouts(shop), yield* audit.sales(shop)]
      const differences = payouts.differences.length + sales.differences.length
      const left = yield* (yield* Retention).survey(shop, { months })
      const storage = yield* Storage
      const notes = yield* storage.transaction(shop, ({ inbox }) =>
        inbox.notes(Array.from({ length: count }, (_, index) => `x/refund/${index}`)),
      )
      return { differences, left, notes: notes.length, parts: sales.checked }
    }),
  )
  const isSame = isDeepStrictEqual(await look(books), before)
  await close()
  const isWhole =
    isDeepStrictEqual(end.left, none) && end.notes === count && end.parts === 60 + sold
  const isRight = isSame && isWhole && end.differences === 0 && wrong === 0
  console.log(
    `${kind}: ${JSON.stringify(first)} were old; ${killed} kills, ${finished} purges that came to their end, ${new Set(steps).size} different amounts left after them; ${sold} sales meanwhile, ${end.parts} in all, ${end.differences} differences in the audits: ${isRight ? "the books are what they were, and all that was old is gone" : `WRONG ${JSON.stringify({ isSame, isWhole, wrong, end })}`}`,
  )
  process.exit(isRight ? 0 : 1)
}

const [mode, ...rest] = process.argv.slice(2)
await (mode === "purge" ? purge(rest) : main(process.argv.slice(2)))
