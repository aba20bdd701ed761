// What recording a sale costs the process, by part: a thousand sales at a time, without a database. The services work on a
// storage whose writing does nothing, and what they wrote is then made into the parameters of statements. Writes its
// section of docs/benchmarks.md.
import { strict as assert } from "node:assert"
import { createRequire } from "node:module"
import { loadavg } from "node:os"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { Order, RuleSet, Split } from "../../dist/index.js"
import { MemoryStorage } from "../../dist/memory/index.js"
import { ExchangeRates, historyText, Storage } from "../../dist/ports/index.js"
import { Collaborators, ProductGroups, Sales, servicesLayer } from "../../dist/service/index.js"
import * as eventStore from "../../dist/sql/internal/eventStore.js"
import { insertSales } from "../../dist/sql/internal/newSales.js"
import * as payoutChanges from "../../dist/sql/internal/payoutChanges.js"
import { table, writeSection } from "../report.mjs"
import { median, range } from "./database.mjs"
import { orderOf } from "./orders.mjs"

const { prepareValue } = createRequire(import.meta.url)("pg/lib/utils.js")

const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const count = 1_000
const people = 64

let orders = 0
const nextOrders = () => {
  orders += count
  return Array.from({ length: count }, (_, index) => orderOf(orders - index, people))
}

// What the services write, kept instead of written once there is something to keep it in.

let written

const withoutWriting = ({ sales, payouts, events, ...stores }) => {
  const noting = (kind, inner, stored) => (given) => {
    if (written === undefined) return inner(given)
    written[kind].push(given)
    return Effect.succeed(stored(given))
  }
  const recorded = (all) => all.map((sale) => ({ ...sale, version: 1 }))
  const changed = (all) => all.map(({ payout }) => ({ ...payout, version: payout.version + 1 }))
  return {
    ...stores,
    sales: { ...sales, insertAll: noting("sales", sales.insertAll, recorded) },
    payouts: { ...payouts, storeAll: noting("changes", payouts.storeAll, changed) },
    events: { ...events, append: noting("events", events.append, () => undefined) },
  }
}

const storage = Layer.effect(
  Storage,
  Effect.map(MemoryStorage.make, (inner) => ({
    ...inner,
    transaction: (accountId, work, options) =>
      inner.transaction(accountId, (stores) => work(withoutWriting(stores)), options),
  })),
)
const services = Layer.provide(servicesLayer, [storage, ExchangeRates.none])
const runtime = ManagedRuntime.make(Layer.provideMerge(services, Logger.layer([])))

const groups = Array.from({ length: people }, (_, index) => ({
  id: `g${index}`,
  collaboratorId: `c${index}`,
  link: { type: "products.tag", values: [`t${index >> 1}`] },
  percent: "12.50",
}))

const setUp = Effect.gen(function* () {
  for (const { collaboratorId, ...group } of groups) {
    yield* (yield* Collaborators).create("shop", { id: collaboratorId, currency: "USD" })
    yield* (yield* ProductGroups).create("shop", collaboratorId, group)
  }
})

const record = (all) =>
  Effect.map(
    Effect.flatMap(Sales, (sales) => sales.recordAll("shop", all)),
    (outcomes) => assert.ok(outcomes.every(({ type }) => type === "recorded")),
  )

await runtime.runPromise(setUp)
// Payouts are opened before anything is timed.
for (let times = 0; times < 3; times += 1) await runtime.runPromise(record(nextOrders()))
const nothing = () => ({ sales: [], changes: [], events: [] })
written = nothing()
await runtime.runPromise(record(nextOrders()))
const { sales, changes, events } = written
const all = changes.flat()
assert.equal(sales.flat().length, count)
assert.equal(all.flatMap(({ put = [] }) => put).length, 4 * count)

/** What a store sends to a database that answers that all is as it should be. */
let sent = []
const numbers = new Map(all.map(({ payout }) => [payout.id, 1]))
const session = {
  actor: "system",
  payoutNumbers: numbers,
  write: (doing, _statement, parameters) => {
    sent.push(...parameters)
    const rows = [...numbers.keys()].map((id) => ({ payout_id: id, number: 1 }))
    return Effect.succeed(doing === "store payouts" ? rows : [])
  },
}
const sending = (work) => {
  sent = []
  return Effect.runPromise(Effect.forEach(work, (one) => one, { discard: true }))
}

const rules = RuleSet.make(groups)
const fixed = nextOrders()
const storeOf = payoutChanges.make(session)
const eventsOf = eventStore.make(session)
const none = () => Effect.succeed([])
const parts = [
  { name: "reading orders", work: () => fixed.map((order) => Order.parse(order)) },
  { name: "splitting them", work: () => fixed.map((order) => Split.order(rules, order)) },
  {
    name: "the services, with reading and splitting",
    work: () => {
      written = nothing()
      return runtime.runPromise(record(nextOrders()))
    },
  },
  {
    name: "parts of orders packed",
    work: () => sending(sales.map((one) => insertSales(session, one, none))),
  },
  {
    name: "entries of payouts packed",
    work: () => sending(changes.map((one) => storeOf.storeAll(one))),
  },
  {
    name: "of that, the texts that are hashed",
    work: () =>
      all.map(({ payout: after, put = [] }) =>
        historyText({ at: 1, actor: "system", after, put, removed: [] }),
      ),
  },
  { name: "events packed", work: () => sending(events.map((one) => eventsOf.append(one))) },
]

await sending([
  ...sales.map((one) => insertSales(session, one, none)),
  ...changes.map((one) => storeOf.storeAll(one)),
  ...events.map((one) => eventsOf.append(one)),
])
const parameters = sent
parts.push({
  name: "parameters as the driver writes them",
  work: () => parameters.map((one) => prepareValue(one)),
})

const found = parts.map(() => [])
for (let round = 0; round <= rounds; round += 1) {
  for (const [index, { work }] of parts.entries()) {
    const began = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(began)
    // The first round only warms up.
    if (round > 0) found[index].push((user + system) / count)
  }
}
await runtime.dispose()

const bytes = parameters.reduce((sum, one) => sum + Buffer.byteLength(prepareValue(one)), 0)
const load = loadavg()[0].toFixed(1)
const told = [
  `What of a sale of two items and four shares takes the process's processor, ${count} together: each part alone, without a database, ${rounds} interleaved rounds, with the load of the machine at ${load} (\`node bench/sql/costs.mjs\`). A sale is ${Math.round(bytes / count)} bytes of parameters.`,
  table(
    ["", "µs a sale, median (range)"],
    parts.map(({ name }, index) => [
      name,
      `${median(found[index]).toFixed(0)} (${range(found[index])})`,
    ]),
  ),
].join("\n\n")
console.log(told)
writeSection("costs", told)
