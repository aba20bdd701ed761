// A consumer that is a million events behind on PostgreSQL: how much memory it takes to catch up, and how long. After a
// build: `node --expose-gc bench/events/behind.mjs [how many]`.
import { strict as assert } from "node:assert"
import { Effect, Layer, Logger, ManagedRuntime, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { ExchangeRates } from "../../dist/ports/index.js"
import { Collaborators, Events, servicesLayer } from "../../dist/service/index.js"
import { SqlStorage } from "../../dist/sql/index.js"
import { startServer } from "../sql/database.mjs"

const count = Number(process.argv[2] ?? 1_000_000)
const shop = "shop"

const server = await startServer()
const client = server.client(2)
const storage = Layer.provide(SqlStorage.layer({ migrate: true }), client)
const services = Layer.provide(servicesLayer, [storage, ExchangeRates.none])
const runtime = ManagedRuntime.make(
  Layer.provideMerge(Layer.merge(services, client), Logger.layer([])),
)

/** The first event is told; the others are copies of what the database holds of it. */
const fill = Effect.gen(function* () {
  yield* (yield* Collaborators).create(shop, { id: "ada", currency: "EUR" })
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(
    `INSERT INTO apportion.new_events (account_id, at, document, packed)
     SELECT e.account_id, e.at, e.document, e.packed FROM apportion.new_events e, generate_series(2, $1::bigint)`,
    [String(count)],
  )
})

const used = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

const catchUp = Effect.gen(function* () {
  const events = yield* Events
  const heaps = []
  let last = 0
  yield* Stream.runForEach(Stream.take(events.follow(shop), count), ({ number }) =>
    Effect.sync(() => {
      assert.equal(number, last + 1)
      last = number
      if (last % (count / 10) === 0) heaps.push(used())
    }),
  )
  return heaps
})

try {
  await runtime.runPromise(fill)
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  const heaps = await runtime.runPromise(catchUp)
  const { user } = process.cpuUsage(cpu)
  const seconds = (performance.now() - began) / 1_000
  console.log(
    `${count} events in ${seconds.toFixed(0)} s, ${(user / 1e6).toFixed(0)} s of CPU time`,
  )
  console.log(`heap after each tenth, MB: ${heaps.map((heap) => heap.toFixed(1)).join(" ")}`)
} finally {
  await runtime.dispose()
  await server.stop()
}
