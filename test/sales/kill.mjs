// Records sales in a process that is killed again and again, with SIGKILL, and gets what was not answered sent again. Each
// order has to be there once, and the books have to be those of recording one after the other in memory. Run by hand, after
// a build (Node 24):
//
//   node test/sales/kill.mjs postgres 50             many at once and single calls at the same time, on a server of its own
//   node test/sales/kill.mjs folder 50 together      many at once only, in a folder
//   node test/sales/kill.mjs folder 50 singly        single calls at the same time only
//
// KILL_ORDERS sets how many orders there are (20000), KILL_SEED which ones.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { ExchangeRates, Storage } from "../../dist/ports/index.js"
import {
  Actor,
  Audit,
  Collaborators,
  ProductGroups,
  Sales,
  servicesLayer,
} from "../../dist/service/index.js"
import { openPlace, runOn, storageOf } from "../sql/places.mjs"

const shop = "shop"
const count = Number(process.env.KILL_ORDERS ?? 20_000)
const seed = Number(process.env.KILL_SEED ?? 7)
const callers = 24
const people = [
  { id: "ada", currency: "USD" },
  { id: "bo", currency: "EUR" },
  { id: "cy", currency: "USD" },
]

const randomOf = (first) => {
  let state = first >>> 0
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

/** Orders that come in this order: some come twice, some with more items the second time, and some are refused. */
const deliveries = () => {
  const random = randomOf(seed)
  const all = []
  while (all.length < count) {
    const id = `o${all.length}`
    const items = Array.from({ length: 1 + random(3) }, (_, index) => {
      const product = { id: `p${random(50)}`, vendor: `v${random(people.length)}` }
      return { id: `${index + 1}`, product, quantity: 1 + random(3), amount: 100 + random(20_000) }
    })
    const order = { id, currency: "USD", createdAt: 1_760_000_000 + all.length, items }
    const kind = random(20)
    // Nobody knows a rate from pounds to anybody's currency.
    if (kind === 0) all.push({ ...order, currency: "GBP" })
    else if (kind === 1) all.push(order, order)
    else if (kind === 2) all.push({ ...order, items: items.slice(0, 1) }, order)
    else all.push(order)
  }
  return all
}

const layerOf = (storage) =>
  servicesLayer.pipe(
    Layer.provideMerge([storage, ExchangeRates.fixed({ "USD/EUR": "0.9173" })]),
    Layer.provideMerge(Logger.layer([])),
  )

const runtimeOf = (kind, place, options) =>
  ManagedRuntime.make(layerOf(storageOf(kind, place, options)))

const fill = Effect.gen(function* () {
  for (const [index, { id, currency }] of people.entries()) {
    yield* (yield* Collaborators).create(shop, { id, currency })
    const link = { type: "products.vendor", values: [`v${index}`] }
    yield* (yield* ProductGroups).create(shop, id, { id: `v${index}`, link, percent: "12.50" })
  }
  const all = { link: { type: "products.all" }, percent: "3.33" }
  yield* (yield* ProductGroups).create(shop, "bo", { id: "all", ...all })
})

// What is killed: it gets numbers of orders, a line for each call, and tells what became of them.

const recordTogether = (orders, numbers) =>
  Effect.flatMap(Sales, (sales) =>
    Effect.map(
      sales.recordAll(
        shop,
        numbers.map((number) => orders[number]),
      ),
      (outcomes) => outcomes.map(({ type, error }) => [type, error?._tag]),
    ),
  )

const recordSingly = (orders, numbers) =>
  Effect.forEach(
    numbers,
    (number) =>
      Effect.flatMap(Sales, (sales) => sales.record(shop, orders[number])).pipe(
        Effect.match({
          onSuccess: ({ newItemIds }) => [newItemIds.length === 0 ? "known" : "recorded"],
          onFailure: ({ _tag, message }) => ["refused", _tag, message],
        }),
        Effect.provideService(Actor, `caller ${number % 2}`),
      ),
    { concurrency: "unbounded" },
  )

const record = { together: recordTogether, singly: recordSingly }

const work = async ([kind, place]) => {
  const orders = deliveries()
  const runtime = runtimeOf(kind, place)
  process.stdout.write("ready\n")
  for await (const line of createInterface({ input: process.stdin })) {
    const { way, numbers } = JSON.parse(line)
    void runtime.runPromise(record[way](orders, numbers)).then(
      (became) => process.stdout.write(`${JSON.stringify({ numbers, became })}\n`),
      (error) => process.stderr.write(`${error}\n`),
    )
  }
}

/** A process that records; `ask` gives what became of orders, or nothing when it died before it said so. */
const startRecorder = async (args) => {
  const script = fileURLToPath(import.meta.url)
  const child = spawn(process.execPath, [script, "work", ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const ended = new Promise((done) => child.on("exit", () => done(undefined)))
  child.stdin.on("error", () => {})
  const waiting = new Map()
  let ready
  const isReady = new Promise((done) => {
    ready = done
  })
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line === "ready") return ready()
    const { numbers, became } = JSON.parse(line)
    waiting.get(numbers[0])?.(became)
    waiting.delete(numbers[0])
  })
  await Promise.race([isReady, ended])
  const ask = (way, numbers) =>
    Promise.race([
      ended,
      new Promise((done) => {
        waiting.set(numbers[0], done)
        child.stdin.write(`${JSON.stringify({ way, numbers })}\n`)
      }),
    ])
  const kill = async () => {
    child.kill("SIGKILL")
    await ended
  }
  return { ask, kill }
}

/** What may become of an order: what the tidy run says of a number, or that it was there already. */
const isExpected = (expected, [type, error]) =>
  expected.type === "refused"
    ? type === "refused" && error === expected.error?._tag
    : type === "recorded" || type === "known"

/**
 * Sends all orders, and again what was not answered, until all are answered; kills who takes them again and again. Many at
 * once come one call after the other, single calls come in crowds.
 */
const sendAll = async (args, { ways, kills, expected }) => {
  const random = randomOf(seed + 13)
  const tally = { kills: 0, unanswered: 0, failed: 0, again: 0, wrong: 0 }
  let recorder = await startRecorder(args)
  let next = 0
  const answer = (numbers, became, again) => {
    for (const [index, number] of numbers.entries()) {
      if (!isExpected(expected[number], became[index])) {
        tally.wrong += 1
        if (tally.wrong < 5) console.log(number, became[index], expected[number].type)
      }
      if (again && became[index][0] === "known") tally.again += 1
    }
  }
  let isAgain = false
  while (next < count) {
    const way = ways[random(ways.length)]
    const size = way === "together" ? 1 + random([10, 100, 1_000][random(3)]) : callers
    const numbers = Array.from({ length: size }, (_, index) => next + index).filter(
      (number) => number < count,
    )
    const asked = recorder.ask(way, numbers)
    const isTime = tally.kills < kills && next >= (count * (tally.kills + 0.5)) / (kills + 1)
    if (isTime) {
      // Somewhere within the call, which takes as long as it has orders, about.
      await Promise.race([asked, wait(random(20 + numbers.length))])
      await recorder.kill()
      tally.kills += 1
    }
    const became = await asked
    // What the storage could not do, because it was busy or being opened, is sent again.
    const failure = became?.find(([, error]) => error === "StorageFailure" || error === "Conflict")
    if (failure !== undefined) {
      tally.failed += 1
      console.log(`${way}, ${numbers.length} orders: ${failure[2]}`)
      if (tally.failed > kills) throw new Error("the storage fails again and again")
    } else if (became === undefined) {
      tally.unanswered += 1
      if (!isTime) throw new Error("the recorder ended by itself")
    } else {
      answer(numbers, became, isAgain)
      next += numbers.length
    }
    isAgain = became === undefined || failure !== undefined
    if (isTime) recorder = await startRecorder(args)
  }
  await recorder.kill()
  return tally
}

// The books: all that does not depend on in how many parts an order came, or on who came first.

const all = { offset: 0, limit: 1_000_000 }

const books = Effect.gen(function* () {
  const storage = yield* Storage
  yield* storage.numberEvents?.(shop, 10_000_000) ?? Effect.void
  return yield* storage.transaction(shop, (stores) =>
    Effect.gen(function* () {
      const { entries: payouts } = yield* stores.payouts.list({}, all)
      const { entries: sales } = yield* stores.sales.list({}, all)
      const items = []
      for (const { id, collaboratorId, currency } of payouts) {
        for (const item of yield* stores.payouts.items(id)) {
          items.push(`${collaboratorId} ${item.id} ${item.amount} ${currency}`)
        }
      }
      const sold = sales.flatMap(({ orderId, order }) =>
        order.items.map(({ id, amount }) => `${orderId} ${id} ${amount}`),
      )
      let [after, told] = [0, 0]
      for (let next; next === undefined || next.length > 0; after = next.at(-1)?.number ?? 0) {
        next = yield* stores.events.after({ after, limit: 10_000 })
        told += next.filter(({ type }) => type === "sale.recorded").length
      }
      const totals = payouts.map(({ collaboratorId, total }) => `${collaboratorId} ${total}`)
      const kept = { items: items.sort(), sold: sold.sort(), totals: totals.sort() }
      return { kept, isTold: told === sales.length, parts: sales.length }
    }),
  )
})

/** One after the other, in memory: what became of each, and the books. */
const tidy = Effect.gen(function* () {
  yield* fill
  const sales = yield* Sales
  const outcomes = []
  for (const order of deliveries().slice(0, count)) {
    outcomes.push(
      yield* Effect.match(sales.record(shop, order), {
        onSuccess: () => ({ type: "recorded" }),
        onFailure: (error) => ({ type: "refused", error }),
      }),
    )
  }
  return { outcomes, ...(yield* books) }
})

const main = async ([kind = "postgres", kills = "50", way]) => {
  const began = Date.now()
  const expected = await runOn(runtimeOf("memory"), tidy)
  const { place, close } = await openPlace(kind)
  await runOn(runtimeOf(kind, place, { migrate: true }), fill)
  const ways = way === undefined ? ["together", "singly"] : [way]
  const how = { ways, kills: Number(kills), expected: expected.outcomes }
  const tally = await sendAll([kind, place], how)
  const look = Effect.gen(function* () {
    const audit = yield* Audit
    const [payouts, sales] = [yield* audit.payouts(shop), yield* audit.sales(shop)]
    const differences = payouts.differences.length + sales.differences.length
    return { ...(yield* books), differences }
  })
  const found = await runOn(runtimeOf(kind, place), look)
  await close()
  const isSame = isDeepStrictEqual(found.kept, expected.kept)
  const isRight = isSame && found.isTold && found.differences === 0 && tally.wrong === 0
  console.log(
    `${kind}, ${ways.join(" and ")}: ${count} orders, ${tally.kills} kills, ${tally.unanswered} calls without an answer and ${tally.failed} that failed, of which ${tally.again} orders were there when they came again; ${found.parts} parts, ${found.kept.items.length} shares, ${found.differences} differences in the audits, ${Math.round((Date.now() - began) / 1_000)} s: ${isRight ? "each order is there once, to the cent" : "WRONG"}`,
  )
  if (!isSame) {
    for (const name of ["items", "sold", "totals"]) {
      const [mine, theirs] = [new Set(found.kept[name]), new Set(expected.kept[name])]
      console.log(name, found.kept[name].length, expected.kept[name].length, {
        here: [...mine.difference(theirs)].slice(0, 5),
        tidy: [...theirs.difference(mine)].slice(0, 5),
      })
    }
  }
  process.exit(isRight ? 0 : 1)
}

const [mode, ...rest] = process.argv.slice(2)
await (mode === "work" ? work(rest) : main(process.argv.slice(2)))
