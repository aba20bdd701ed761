// Bytes of a sale on disk: every table with its indexes and TOAST, before and after so many sales, or as many as there was time
// for.
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { ExchangeRates } from "../../dist/ports/index.js"
import { Collaborators, ProductGroups, Sales, servicesLayer } from "../../dist/service/index.js"
import { SqlStorage } from "../../dist/sql/index.js"
import { startServer } from "./database.mjs"

const most = Number(process.env.BENCH_SALES ?? 20_000)
const together = Number(process.env.BENCH_TOGETHER ?? 1)
const seconds = Number(process.env.BENCH_SECONDS ?? 300)
const isWide = process.env.BENCH_SHAPE === "wide"
const people = 64
const account = isWide ? "gid-shop-7730212233" : "shop 0"

/** Two items, each shared by two of the account's collaborators; the wide ones are as a shop's platform writes them. */
const orderOf = (number) => {
  const id = isWide ? String(5_120_000_000_000 + number * 37) : `o${number}`
  const items = [0, 1].map((index) => {
    const tag = `t${(number * 2 + index) % (people / 2)}`
    const product = isWide
      ? {
          id: String(8_200_000_000_000 + ((number * 2 + index) % 500)),
          externalId: String(8_200_000_000_000 + ((number * 2 + index) % 500)),
          name: `Framed print of a heron, 40 x 60 cm, number ${(number * 2 + index) % 500}`,
          vendor: "Paper Heron Studio",
          sku: `PH-${(number * 2 + index) % 500}`,
          tags: [tag, "framed", "limited edition"],
        }
      : { id: `p${index}`, name: `Print ${index}`, tags: [tag] }
    return {
      id: isWide ? String(13_120_000_000_000 + number * 74 + index) : String(index + 1),
      product,
      quantity: 1,
      amount: 10_000 + index,
    }
  })
  const details = {
    customerEmail: `customer${number}@example.com`,
    customerName: `Customer ${number}`,
    orderName: `#${number}`,
  }
  const order = { id, currency: "USD", createdAt: 1_760_000_000 + number, items }
  return isWide ? { ...order, details, tags: ["web"], billingCountry: "DE" } : order
}

const setUp = Effect.gen(function* () {
  const collaborators = yield* Collaborators
  const groups = yield* ProductGroups
  for (let index = 0; index < people; index += 1) {
    const id = `c${index}`
    yield* collaborators.create(account, { id, currency: "USD" })
    const link = { type: "products.tag", values: [`t${index >> 1}`] }
    yield* groups.create(account, id, { id: `g${index}`, link, percent: "12.50" })
  }
})

const sizes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("VACUUM (ANALYZE)")
  return yield* sql.unsafe(`SELECT c.relname AS name, pg_table_size(c.oid)::int AS rows,
      pg_indexes_size(c.oid)::int AS indexes, c.reltuples::int AS tuples
    FROM pg_class c WHERE c.relnamespace = 'apportion'::regnamespace AND c.relkind IN ('r', 'p', 'm')
    ORDER BY c.relname`)
})

const indexSizes = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.unsafe(`SELECT i.relname AS name, pg_relation_size(i.oid)::int AS bytes
    FROM pg_class i JOIN pg_index x ON x.indexrelid = i.oid
    WHERE i.relnamespace = 'apportion'::regnamespace ORDER BY 2 DESC LIMIT 30`),
)

/** The columns of the tables that have a row for each sale. */
const columnSizes = Effect.fnUntraced(function* (count) {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql.unsafe(`SELECT c.relname AS table, quote_ident(a.attname) AS column
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'apportion'::regnamespace AND c.relkind = 'r' AND c.reltuples >= ${count / 2}`)
  const found = []
  for (const { table, column } of columns) {
    const [row] = yield* sql.unsafe(
      `SELECT coalesce(sum(pg_column_size(${column})), 0)::float8 AS bytes FROM apportion.${table}`,
    )
    found.push({ name: `${table}.${column}`, bytes: row.bytes })
  }
  return found.sort((one, other) => other.bytes - one.bytes)
})

/** Records sales, so many together; gives how many. */
const record = Effect.gen(function* () {
  const sales = yield* Sales
  const end = Date.now() + seconds * 1_000
  let count = 0
  while (count < most && Date.now() < end) {
    const length = Math.min(together, most - count)
    const orders = Array.from({ length }, (_, place) => orderOf(count + place))
    if (together === 1) yield* sales.record(account, orders[0])
    else {
      const outcomes = yield* sales.recordAll(account, orders)
      const refused = outcomes.find(({ type }) => type === "refused")
      if (refused !== undefined) return yield* Effect.fail(refused.error)
    }
    count += length
  }
  return count
})

const server = await startServer(["-c", "fsync=off", "-c", "synchronous_commit=off"])
const client = server.client(4)
const storage = Layer.provide(SqlStorage.layer({ migrate: true }), client)
const services = Layer.provide(servicesLayer, [storage, ExchangeRates.none])
const runtime = ManagedRuntime.make(
  Layer.provideMerge(Layer.mergeAll(services, client), Logger.layer([])),
)
try {
  await runtime.runPromise(setUp)
  const before = new Map((await runtime.runPromise(sizes)).map((row) => [row.name, row]))
  const count = await runtime.runPromise(record)
  await runtime.runPromise(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.unsafe(`SELECT apportion.number_events('${account}', ${count * 2})`),
    ),
  )
  const after = await runtime.runPromise(sizes)
  const perSale = (bytes) => Math.round((bytes / count) * 10) / 10
  const lines = after.map((row) => {
    const known = before.get(row.name) ?? { rows: 0, indexes: 0, tuples: 0 }
    const rows = perSale(row.rows - known.rows)
    const indexes = perSale(row.indexes - known.indexes)
    const tuples = perSale(row.tuples - known.tuples)
    return { table: row.name, tuples, rows, indexes, all: Math.round((rows + indexes) * 10) / 10 }
  })
  lines.sort((one, other) => other.all - one.all)
  console.table(lines.filter(({ all }) => all > 0))
  const all = Math.round(lines.reduce((sum, line) => sum + line.all, 0))
  console.log(`bytes a sale: ${all}, after ${count} sales, ${together} together`)
  const indexes = await runtime.runPromise(indexSizes)
  console.table(
    indexes.slice(0, 16).map(({ name, bytes }) => ({ index: name, bytes: perSale(bytes) })),
  )
  const columns = await runtime.runPromise(columnSizes(count))
  console.table(
    columns.slice(0, 40).map(({ name, bytes }) => ({ column: name, bytes: perSale(bytes) })),
  )
} finally {
  await runtime.dispose()
  await server.stop()
}
