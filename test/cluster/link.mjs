// How long accounts with few products wait until their groups are linked, beside accounts with many products to link. Run by
// hand, after a build (Node 24):
//
//   node test/cluster/link.mjs 1000000 1     one account with a million products, beside 100 with 100 each
//   node test/cluster/link.mjs 200000 5      five with 200000 each
//
// All of them are linked by one process, from the claims of the services.
import { setTimeout as sleep } from "node:timers/promises"
import { PgClient } from "@effect/sql-pg"
import { ExchangeRates } from "apportion/ports"
import { Collaborators, ProductGroups, Products, servicesLayer } from "apportion/service"
import { SqlStorage } from "apportion/sql"
import { Effect, Layer, Logger, ManagedRuntime, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { startServer } from "../sql/crash/CrashingServer.ts"

const [productsOfEach = 1_000_000, accountsWithMany = 1] = process.argv.slice(2).map(Number)
const few = 100

const server = await startServer()
const url = await server.newDatabase("linking")
const client = PgClient.layer({ url: Redacted.make(url), maxConnections: 12 })
const runtime = ManagedRuntime.make(
  servicesLayer.pipe(
    Layer.provide(ExchangeRates.none),
    Layer.provideMerge(Layer.provideMerge(SqlStorage.layer({ migrate: true }), client)),
    Layer.provideMerge(Logger.layer([])),
  ),
)
const ask = (statement, parameters = []) =>
  runtime.runPromise(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement, parameters)),
  )

/** An account with so many products, which are copies of one that the services have put. */
const openAccount = async (accountId, count) => {
  await runtime.runPromise(
    Effect.gen(function* () {
      yield* (yield* Collaborators).create(accountId, { id: "ada", currency: "USD" })
      const product = { id: "PROTO", title: "PROTO", vendor: "heron" }
      yield* (yield* Products).put(accountId, [product])
    }),
  )
  const copy = (column) => `replace(${column}, 'PROTO', 'p' || number)`
  await ask(
    `INSERT INTO apportion.products SELECT account_id, ${copy("product_key")}, ${copy("place")}, ${copy("search")},
      ${copy("document::text")}::json FROM apportion.products CROSS JOIN generate_series(2, $2::int) AS number
      WHERE account_id = $1`,
    [accountId, count],
  )
  await ask(
    `INSERT INTO apportion.product_terms SELECT account_id, kind, ${copy("term")}, ${copy("product_key")}
      FROM apportion.product_terms CROSS JOIN generate_series(2, $2::int) AS number WHERE account_id = $1`,
    [accountId, count],
  )
  await ask("UPDATE apportion.accounts SET products_count = $2 WHERE account_id = $1", [
    accountId,
    count,
  ])
}

const link = { type: "products.vendor", values: ["heron"] }

const create = (accountId) =>
  Effect.flatMap(ProductGroups, (groups) => groups.create(accountId, "ada", { link, percent: "1" }))

/** How many milliseconds it takes until a new group of an account is linked. */
const timeOf = async (accountId) => {
  const began = Date.now()
  await runtime.runPromise(
    Effect.gen(function* () {
      const { group } = yield* create(accountId)
      yield* Stream.runDrain((yield* ProductGroups).watch(accountId, group.id))
    }),
  )
  return Date.now() - began
}

const timesOfAll = async () => {
  const times = []
  for (let number = 0; number < few; number += 1) {
    await sleep(50)
    times.push(timeOf(`few-${number}`))
  }
  const sorted = (await Promise.all(times)).sort((left, right) => left - right)
  return `median ${sorted[few / 2]} ms, longest of ${few} ${sorted[few - 1]} ms`
}

const linkedOfMany = async () => {
  const [{ linked }] = await ask(
    "SELECT coalesce(sum(scanned), 0)::int AS linked FROM apportion.link_jobs WHERE account_id LIKE 'many%'",
  )
  return linked
}

for (let number = 0; number < few; number += 1) await openAccount(`few-${number}`, 100)
for (let number = 0; number < accountsWithMany; number += 1) {
  await openAccount(`many-${number}`, productsOfEach)
}
await ask("ANALYZE")
console.log(`alone: ${await timesOfAll()}`)
const began = Date.now()
for (let number = 0; number < accountsWithMany; number += 1) {
  await runtime.runPromise(create(`many-${number}`))
}
for (let time = 0; time < 3; time += 1) {
  console.log(`beside many: ${await timesOfAll()}; ${await linkedOfMany()} of many are linked`)
}
while ((await linkedOfMany()) < productsOfEach * accountsWithMany) await sleep(500)
console.log(`many are linked after ${((Date.now() - began) / 1_000).toFixed(1)} s`)
await runtime.dispose()
await server.stop()
