/** Bringing databases to the schema that the code works with, whatever they have and whoever else does it. */
import { PgClient } from "@effect/sql-pg"
import { Migrations, SqlStorage } from "apportion/sql"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { beforeEach, describe, expect, inject, test } from "vitest"
import { clientFor, dropSchema, pglite, postgres } from "./databases.js"

const { latest } = Migrations

const runOn = <A, E>(sql: SqlClient.SqlClient, work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.runPromise(Effect.provideService(work, SqlClient.SqlClient, sql))

const failureOn = <A, E>(
  sql: SqlClient.SqlClient,
  work: Effect.Effect<A, E, SqlClient.SqlClient>,
) => runOn(sql, Effect.flip(work))

/** Everything that the schema has: columns and their types, constraints, indexes, triggers, steps. */
const snapshot = (sql: SqlClient.SqlClient) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const [there] = yield* sql.unsafe<{ there: boolean }>(
        "SELECT to_regclass('apportion.migrations') IS NOT NULL AS there",
      )
      const within = "WHERE n.nspname = 'apportion' ORDER BY 1"
      const things = yield* Effect.forEach(
        [
          `SELECT concat_ws(' ', c.relname, c.relkind) AS thing FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace ${within}`,
          `SELECT concat_ws(' ', c.relname, a.attname, a.atttypid::regtype) AS thing
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace ${within}`,
          `SELECT concat_ws(' ', c.conname, pg_get_constraintdef(c.oid)) AS thing FROM pg_constraint c
            JOIN pg_namespace n ON n.oid = c.connamespace ${within}`,
          `SELECT concat_ws(' ', t.tgname, c.relname) AS thing FROM pg_trigger t
            JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'apportion' AND NOT t.tgisinternal ORDER BY 1`,
        ],
        (statement) => sql.unsafe<{ thing: string }>(statement),
      )
      const steps =
        there?.there === true
          ? yield* sql.unsafe<{ migration_id: number; name: string }>(
              "SELECT migration_id, name FROM apportion.migrations ORDER BY migration_id",
            )
          : undefined
      return { things: things.map((rows) => rows.map(({ thing }) => thing)), steps }
    }),
  )

const inOneDatabase = (layer: Parameters<typeof clientFor>[0]) => {
  const client = clientFor(layer)
  const ask = (statement: string) => Effect.runPromise(client().unsafe(statement))

  beforeEach(() => Effect.runPromise(dropSchema(client())))

  test("a database that has nothing gets everything, once", async () => {
    expect(await runOn(client(), Migrations.version)).toBe(0)
    expect(await runOn(client(), Migrations.run)).toEqual({ from: 0, to: latest })
    expect(await runOn(client(), Migrations.version)).toBe(latest)
    const { steps } = await snapshot(client())
    expect(steps?.map(({ migration_id }) => Number(migration_id))).toEqual(
      Array.from({ length: latest }, (_, index) => index + 1),
    )
    expect(await runOn(client(), Migrations.check)).toBeUndefined()
  })

  test("a second run changes nothing", async () => {
    await runOn(client(), Migrations.run)
    const before = await snapshot(client())
    expect(await runOn(client(), Migrations.run)).toEqual({ from: latest, to: latest })
    expect(await snapshot(client())).toEqual(before)
    expect(before.things.every((names) => names.length > 3)).toBe(true)
  })

  test("a newer schema is refused by a run, by a check and by a storage, and nothing is changed", async () => {
    await runOn(client(), Migrations.run)
    await ask(
      `INSERT INTO apportion.migrations (migration_id, name) VALUES (${latest + 7}, 'later')`,
    )
    const before = await snapshot(client())
    const everyone = [
      Migrations.run,
      Migrations.check,
      SqlStorage.make({ migrate: true }),
      SqlStorage.make(),
      Effect.scoped(Layer.build(SqlStorage.layer({ migrate: true }))),
    ]
    for (const work of everyone) {
      const error = await failureOn<unknown, unknown>(client(), work)
      expect(error).toMatchObject({ _tag: "SchemaTooNew", found: latest + 7, known: latest })
    }
    expect(await snapshot(client())).toEqual(before)
  })

  test("a database without the schema, or with an older one, is refused by a check and a storage", async () => {
    const everyone = [Migrations.check, SqlStorage.make(), SqlStorage.make({ migrate: false })]
    const expectRefusals = async (found: number) => {
      for (const work of everyone) {
        const error = await failureOn<unknown, unknown>(client(), work)
        expect(error).toMatchObject({ _tag: "SchemaTooOld", found, known: latest })
      }
    }
    const before = await snapshot(client())
    await expectRefusals(0)
    expect(await snapshot(client())).toEqual(before)
    await runOn(client(), Migrations.run)
    await ask(`DELETE FROM apportion.migrations WHERE migration_id = ${latest}`)
    await expectRefusals(latest - 1)
  })

  test("a storage brings the schema up to date when it is asked to", async () => {
    await runOn(client(), SqlStorage.make({ migrate: true }))
    expect(await runOn(client(), Migrations.check)).toBeUndefined()
    const storage = await runOn(client(), SqlStorage.make())
    expect(await Effect.runPromise(storage.accounts)).toEqual([])
  })

  test("a step that fails leaves nothing of itself, and is done when nothing is in its way", async () => {
    await ask("CREATE SCHEMA apportion")
    // The last of the tables that the first step makes.
    await ask("CREATE TABLE apportion.idempotency_keys (mine text)")
    const before = await snapshot(client())
    const error = await failureOn(client(), Migrations.run)
    expect(error).toMatchObject({ _tag: "MigrationFailed" })
    expect(error.message).toContain('relation "idempotency_keys" already exists')
    const after = await snapshot(client())
    const others = (names: ReadonlyArray<string> = []) =>
      names.filter((name) => !name.startsWith("migrations"))
    expect(after.things.map(others)).toEqual(before.things.map(others))
    expect(after.steps).toEqual([])
    expect(await runOn(client(), Migrations.version)).toBe(0)
    await ask("DROP TABLE apportion.idempotency_keys")
    expect(await runOn(client(), Migrations.run)).toEqual({ from: 0, to: latest })
  })

  test("a database that can't be asked is a failure that says what it was to do", async () => {
    await runOn(client(), Migrations.run)
    await ask("ALTER TABLE apportion.migrations RENAME COLUMN migration_id TO id")
    for (const work of [Migrations.version, Migrations.check, Migrations.run]) {
      const error = await failureOn<unknown, { readonly message: string }>(client(), work)
      expect(error).toMatchObject({ _tag: "MigrationFailed" })
      expect(error.message).toContain("could not read the version of the schema")
      expect(error.message).toContain('column "migration_id" does not exist')
    }
  })
}

describe("on PGlite", () => inOneDatabase(() => pglite))

describe("on a server", () => {
  inOneDatabase(() => postgres("migrations"))

  const elsewhere = () => {
    const url = new URL(inject("postgresUrl"))
    url.pathname = "/migrations_together"
    return PgClient.layer({ url: Redacted.make(url.href), maxConnections: 4 })
  }

  describe("with two programs that start together", () => {
    const one = clientFor(() => postgres("migrations_together", { maxConnections: 4 }))
    const other = clientFor(elsewhere)

    test("each step is done once, and all find the schema that they need", async () => {
      for (let round = 0; round < 6; round += 1) {
        await Effect.runPromise(dropSchema(one()))
        const everyone = [one(), other(), one(), other(), one(), other()]
        const done = await Promise.all(everyone.map((sql) => runOn(sql, Migrations.run)))
        const first = done.filter(({ from }) => from === 0)
        expect(first).toEqual([{ from: 0, to: latest }])
        expect(done.filter(({ from }) => from === latest)).toHaveLength(everyone.length - 1)
        expect((await snapshot(one())).steps).toHaveLength(latest)
      }
    })

    test("storages that migrate at the start work at once", async () => {
      await Effect.runPromise(dropSchema(one()))
      const storages = await Promise.all(
        [one(), other(), one(), other()].map((sql) =>
          runOn(sql, SqlStorage.make({ migrate: true })),
        ),
      )
      for (const storage of storages) {
        expect(await Effect.runPromise(storage.accounts)).toEqual([])
      }
    })
  })
})
