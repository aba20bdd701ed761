// Linking a group to a catalogue: products looked up in the database, beside all of them read and matched here.
import { strict as assert } from "node:assert"
import { cpus } from "node:os"
import { PGlite } from "@electric-sql/pglite"
import { Effect, Layer, Logger, ManagedRuntime, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Collaborator } from "../../dist/index.js"
import { ExchangeRates, Storage } from "../../dist/ports/index.js"
import { ProductGroups, servicesLayer, settingsLayer } from "../../dist/service/index.js"
import { PgliteClient, SqlStorage } from "../../dist/sql/index.js"
import { median, range, startServer } from "./database.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const size = Number(process.env.BENCH_PRODUCTS ?? 100_000)
const accountId = "shop"

/** One product in a hundred has the tag. */
const productOf = (number) => ({
  id: `p${String(number).padStart(7, "0")}`,
  externalId: String(number),
  name: `Print ${number}`,
  vendor: `Vendor ${number % 50}`,
  tags: [`Tag ${number % 100}`, "print"],
  price: 2_500,
})

const links = {
  "a tag of one product in a hundred": { type: "products.tag", values: ["tag 7"] },
  "all products": { type: "products.all" },
}

/** The same storage without the method that looks products up. */
const streaming = (storage) => ({
  ...storage,
  transaction: (account, work, options) =>
    storage.transaction(
      account,
      (stores) => work({ ...stores, products: { ...stores.products, selected: undefined } }),
      options,
    ),
})

const runtimeOf = (storage) =>
  ManagedRuntime.make(
    servicesLayer.pipe(
      Layer.provide(settingsLayer({ linkSweepSeconds: 86_400 })),
      Layer.provide([Layer.succeed(Storage)(storage), ExchangeRates.none]),
      Layer.provideMerge(Logger.layer([])),
    ),
  )

const fill = (storage) =>
  Effect.gen(function* () {
    for (let start = 0; start < size; start += 5_000) {
      const length = Math.min(5_000, size - start)
      const products = Array.from({ length }, (_, index) => productOf(start + index))
      yield* storage.transaction(accountId, (stores) => stores.products.put(products))
    }
  })

/** Links a group; gives the seconds it took and what was linked in the end. */
const link = (id, given) =>
  Effect.gen(function* () {
    const groups = yield* ProductGroups
    const start = performance.now()
    yield* groups.create(accountId, "ada", { id, link: given, percent: 1 })
    const progress = yield* Stream.runLast(groups.watch(accountId, id))
    const seconds = (performance.now() - start) / 1_000
    const last = { page: Math.ceil(progress.value.productsCount / 100), perPage: 100 }
    const { products } = yield* groups.get(accountId, "ada", id, last)
    yield* groups.remove(accountId, "ada", id)
    const { scanned, productsCount } = progress.value
    return { seconds, linked: { scanned, productsCount, last: products.entries } }
  })

/** Links a group in a process of its own, so that no other one takes the job up. */
const linkAlone = async (storage, id, given) => {
  const runtime = runtimeOf(storage)
  const done = await runtime.runPromise(link(id, given))
  await runtime.dispose()
  return done
}

const compare = async (name, storage) => {
  const ways = { "looked up": storage, "read and matched": streaming(storage) }
  for (const [what, given] of Object.entries(links)) {
    const seconds = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))
    for (let round = 0; round < rounds; round += 1) {
      const found = []
      for (const [way, used] of Object.entries(ways)) {
        const done = await linkAlone(used, `${round} ${way}`, given)
        seconds[way].push(done.seconds)
        found.push(done.linked)
      }
      assert.deepEqual(found[0], found[1])
      assert.equal(found[0].scanned, size)
    }
    const ratios = seconds["looked up"].map(
      (each, round) => seconds["read and matched"][round] / each,
    )
    const told = Object.entries(seconds).map(([way, all]) => `${way} ${median(all).toFixed(2)} s`)
    console.log(
      `${name}, ${what}: ${told.join(", ")}; ${median(ratios).toFixed(1)} times (${range(ratios, 1)})`,
    )
  }
}

const bench = (name) =>
  Effect.gen(function* () {
    const storage = yield* SqlStorage.make({ migrate: true })
    const start = performance.now()
    yield* fill(storage)
    yield* storage.transaction(accountId, ({ collaborators }) =>
      collaborators.insert({
        collaborator: Collaborator.make({ id: "ada", currency: "EUR" }),
        createdAt: 0,
        updatedAt: 0,
      }),
    )
    const seconds = (performance.now() - start) / 1_000
    console.log(`${name}: ${size} products put in ${seconds.toFixed(1)} s, 5,000 at a time`)
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe("ANALYZE"))
    yield* Effect.promise(() => compare(name, storage))
  })

console.log(`node ${process.version}, ${cpus().length} cores`)
const server = await startServer()
await Effect.runPromise(Effect.provide(bench("PostgreSQL"), server.client(4)))
await server.stop()

const pglite = Effect.acquireRelease(
  Effect.promise(() => PGlite.create()),
  (database) => Effect.promise(() => database.close()),
)
await Effect.runPromise(Effect.provide(bench("PGlite"), PgliteClient.layer(pglite)))
