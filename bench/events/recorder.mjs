// Records, refunds and books, several at a time, while others ask for the events, until it is killed. Part of kills.mjs.
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { ExchangeRates } from "../../dist/ports/index.js"
import {
  Collaborators,
  Events,
  Payouts,
  ProductGroups,
  Sales,
  servicesLayer,
} from "../../dist/service/index.js"
import { storageOf } from "./storage.mjs"

const [, , kind, place, run] = process.argv
const shop = "shop"

const storage = storageOf(kind, place)
const services = Layer.provide(servicesLayer, [storage, ExchangeRates.none])
const runtime = ManagedRuntime.make(Layer.provideMerge(services, Logger.layer([])))

const open = Effect.gen(function* () {
  const [collaborators, groups] = [yield* Collaborators, yield* ProductGroups]
  for (const id of ["ada", "ben"]) {
    yield* Effect.ignore(collaborators.create(shop, { id, currency: "EUR" }))
    const link = { type: "products.all" }
    yield* Effect.ignore(groups.create(shop, id, { id: `group of ${id}`, link, percent: "10" }))
  }
})

const sell = (name) =>
  Effect.gen(function* () {
    const [sales, payouts] = [yield* Sales, yield* Payouts]
    const item = { id: "1", product: { id: "p1" }, quantity: 2, amount: 10_000 }
    const { parts } = yield* sales.record(shop, { id: name, currency: "EUR", items: [item] })
    yield* sales.refund(shop, { id: `refund of ${name}`, orderId: name, itemId: "1", quantity: 1 })
    const payoutId = parts[0].postings[0].payoutId
    const expense = { id: `expense of ${name}`, amount: 1, name: "Fee" }
    yield* payouts.addExpense(shop, payoutId, expense)
  })

const sellAll = (worker) =>
  Effect.gen(function* () {
    for (let index = 0; ; index += 1) yield* sell(`${run}-${worker}-${index}`)
  })

const ask = Effect.gen(function* () {
  const events = yield* Events
  while (true) {
    yield* events.after(shop, 0, 10)
    yield* Effect.sleep("5 millis")
  }
})

await runtime.runPromise(open)
process.send("ready")
await runtime.runPromise(Effect.all([...[0, 1, 2].map(sellAll), ask], { concurrency: "unbounded" }))
