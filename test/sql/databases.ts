/** Databases to test with: each test gets one of its own, which is gone after it. */
import { openAsBlob } from "node:fs"
import { writeFile } from "node:fs/promises"
import { PgClient } from "@effect/sql-pg"
import { PGlite } from "@electric-sql/pglite"
import { Migrations, PgliteClient, SqlStorage } from "apportion/sql"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, inject } from "vitest"
import { templateOf } from "../templates.js"

type Clients = Layer.Layer<SqlClient.SqlClient, unknown>

/** The client of a layer for the tests of a file or of a `describe`; it is open from before them until after. */
export const clientFor = (layer: () => Clients): (() => SqlClient.SqlClient) => {
  const scope = Scope.makeUnsafe()
  let client: SqlClient.SqlClient | undefined
  beforeAll(async () => {
    const context = await Effect.runPromise(Layer.buildWithScope(layer(), scope))
    client = Context.get(context, SqlClient.SqlClient)
  }, 120_000)
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return () => {
    if (client === undefined) throw new TypeError("the client is asked for before the tests run")
    return client
  }
}

/** Makes it empty: nothing of the schema is left. */
export const dropSchema = (sql: SqlClient.SqlClient) =>
  Effect.asVoid(sql.unsafe("DROP SCHEMA IF EXISTS apportion CASCADE"))

/**
 * Removes what is stored, so that the next test begins with nothing. The tables are locked first, which waits for
 * transactions that are still under way. Deleting few rows takes a fiftieth of what truncating all tables takes.
 */
export const emptyTables = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const tables = yield* sql.unsafe<{ name: string; large: boolean }>(
      `SELECT oid::regclass::text AS name, pg_relation_size(oid) > 500000 AS large FROM pg_class
        WHERE relnamespace = 'apportion'::regnamespace AND relkind = 'r' AND relname <> 'migrations'`,
    )
    const lock = `LOCK ${tables.map(({ name }) => name).join(", ")} IN ACCESS EXCLUSIVE MODE;`
    const removal = tables.some(({ large }) => large)
      ? `TRUNCATE ${tables.map(({ name }) => name).join(", ")};`
      : // Neither guards against deletion nor foreign keys matter when every row goes.
        `SET LOCAL session_replication_role = replica; ${tables.map(({ name }) => `DELETE FROM ${name};`).join(" ")}`
    yield* sql.unsafe(`DO $$ BEGIN ${lock} ${removal} END $$`)
  })

/** A file from which databases of PGlite's are made, the same for all tests of a run. */
const imageOf = (name: string, make: () => Promise<PGlite>) =>
  templateOf(name, async (path) => {
    const first = await make()
    const data = await first.dumpDataDir("none")
    await first.close()
    await writeFile(path, data.stream())
  })

const openImage = async (image: string): Promise<PGlite> =>
  PGlite.create({ loadDataDir: await openAsBlob(image) })

/** A new database of PGlite's: making the first takes seconds, and all others of a test run are copies of it. */
export const newPglite = async (): Promise<PGlite> =>
  openImage(await imageOf("pglite.tar", () => PGlite.create()))

const migrated = async (): Promise<PGlite> => {
  const database = await newPglite()
  const client = PgliteClient.layer(Effect.succeed(database))
  await Effect.runPromise(Effect.provide(Migrations.run, client))
  return database
}

/** PGlite in memory, with the schema: making that takes seconds, too. */
export const pglite: Clients = PgliteClient.layer(
  Effect.acquireRelease(
    Effect.promise(async () => openImage(await imageOf("pglite-schema.tar", migrated))),
    (database) => Effect.promise(() => database.close()),
  ),
)

const template = "apportion_template"

/** Makes the database of which all others of a test run are copies: it has the schema. */
const makeTemplate = (url: URL) => {
  const within = new URL(url)
  within.pathname = `/${template}`
  return Effect.runPromise(
    Effect.gen(function* () {
      yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql.unsafe(`CREATE DATABASE ${template} LOCALE 'C' TEMPLATE template0`),
        ),
        PgClient.layer({ url: Redacted.make(url.href) }),
      )
      yield* Effect.provide(
        Migrations.run,
        PgClient.layer({ url: Redacted.make(within.href), maxConnections: 1 }),
      )
    }),
  )
}

/** A database of its own, with the schema, on the server of the test run. */
export const postgres = (
  name: string,
  options: {
    readonly maxConnections?: number
    readonly startupParameters?: Readonly<Record<string, string>>
  } = {},
): Clients =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = new URL(inject("postgresUrl"))
      yield* Effect.promise(() =>
        templateOf("postgres", async (path) => {
          await makeTemplate(url)
          await writeFile(path, template)
        }),
      )
      const admin = PgClient.layer({ url: Redacted.make(url.href) })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
        yield* sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`)
      }).pipe(Effect.provide(admin))
      url.pathname = `/${name}`
      return PgClient.layer({ url: Redacted.make(url.href), maxConnections: 20, ...options })
    }),
  )

/** A storage with nothing in it, in the database of a client. */
export const emptyStorage = (
  sql: SqlClient.SqlClient,
  options: SqlStorage.SqlStorageOptions = {},
) =>
  Effect.gen(function* () {
    const storage = yield* SqlStorage.make({ migrate: true, ...options })
    yield* emptyTables(sql)
    return storage
  }).pipe(Effect.provideService(SqlClient.SqlClient, sql))
