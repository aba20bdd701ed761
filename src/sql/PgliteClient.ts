/**
 * A client of `effect/sql` for PGlite, PostgreSQL inside the process. PGlite itself is the host's: this
 * needs no more of it than a way to ask queries. For one in a folder see `FolderStorage`.
 *
 * @since 0.3.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { reasonOf } from "./internal/Session.js"

/**
 * The functions of a PGlite database that the client needs.
 *
 * @since 0.3.0
 * @category models
 */
export interface Pglite {
  readonly query: (
    statement: string,
    parameters?: Array<unknown>,
    options?: { readonly rowMode?: "array" | "object" },
  ) => Promise<{ readonly rows: ReadonlyArray<object> }>
  /**
   * Called at the beginning of each transaction, and of each statement outside one: returns the database to run in. For
   * a database that may end and be reopened; a transaction never continues in a different one from the one it began in.
   * Without it, always this one.
   *
   * @since 0.6.0
   */
  readonly connect?: (() => Promise<Pick<Pglite, "query">>) | undefined
}

type RowMode = "array" | "object"

/** Asks the database, and remembers for the end of a transaction whether anything failed in it. */
const makeAsk = (database: Pick<Pglite, "query">) => {
  let hasFailed = false
  const query = async (statement: string, parameters: ReadonlyArray<unknown>, rowMode: RowMode) => {
    // A transaction in which a statement failed is taken back by COMMIT, without a word; any other statement says so.
    if (hasFailed && statement === "COMMIT") await database.query("SELECT 1")
    return database.query(statement, [...parameters], { rowMode })
  }
  return (
    statement: string,
    parameters: ReadonlyArray<unknown>,
    rowMode: RowMode = "object",
  ): Effect.Effect<ReadonlyArray<object>, SqlError> =>
    Effect.tryPromise({
      try: () => query(statement, parameters, rowMode),
      catch: (cause) => {
        hasFailed = true
        return new SqlError({ reason: reasonOf(cause) })
      },
    }).pipe(
      Effect.map(({ rows }) => rows),
      // What has begun can't be called back, so who gives up waits for it.
      Effect.uninterruptible,
    )
}

const makeConnection = (database: Pick<Pglite, "query">): Connection => {
  const ask = makeAsk(database)
  const execute: Connection["execute"] = (statement, parameters, transform) =>
    Effect.map(ask(statement, parameters), (rows) => transform?.(rows) ?? rows)
  const values: Connection["executeValues"] = (statement, parameters) =>
    Effect.map(ask(statement, parameters, "array"), (rows) =>
      rows.map((row): ReadonlyArray<unknown> => (Array.isArray(row) ? row : Object.values(row))),
    )
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: ask,
    executeValues: values,
    executeValuesUnprepared: values,
    executeStream: (statement, parameters, transform) =>
      Stream.fromIterableEffect(execute(statement, parameters, transform)),
  }
}

/** The connection of the next turn. */
const connectionOf = (database: Pglite): Effect.Effect<Connection, SqlError> => {
  const { connect } = database
  if (connect === undefined) return Effect.sync(() => makeConnection(database))
  return Effect.map(
    Effect.tryPromise({
      try: () => connect(),
      catch: (cause) => new SqlError({ reason: reasonOf(cause) }),
    }),
    makeConnection,
  )
}

const compiler = Statement.makeCompiler({
  dialect: "pg",
  placeholder: (index) => `$${index}`,
  onIdentifier: Statement.defaultEscape('"'),
  onRecordUpdate: (placeholders, alias, columns, values, returning) => [
    `(values ${placeholders}) AS ${alias}${columns}${returning ? ` RETURNING ${returning[0]}` : ""}`,
    returning ? values.flat().concat(returning[1]) : values.flat(),
  ],
  onCustom: () => ["", []],
})

/**
 * Makes a client of an open database. The database has one connection, which transactions use one after the other.
 * Whoever opened the database closes it.
 *
 * @since 0.3.0
 * @category constructors
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { PgliteClient } from "apportion/sql"
 * import { Effect } from "effect"
 * import { Reactivity } from "effect/reactivity"
 *
 * const database = await PGlite.create()
 * const client = Effect.provide(PgliteClient.make(database), Reactivity.layer)
 * const { driver } = await Effect.runPromise(client)
 * driver // => "pglite"
 * ```
 */
export const make = (
  database: Pglite,
): Effect.Effect<SqlClient.SqlClient, never, Reactivity.Reactivity> =>
  Effect.suspend(() => {
    const connection = connectionOf(database)
    const turn = Semaphore.makeUnsafe(1)
    const acquirer: Effect.Effect<Connection, SqlError, Scope.Scope> = Effect.andThen(
      // Who waits for its turn can give up.
      Effect.acquireRelease(turn.take(1), () => turn.release(1), { interruptible: true }),
      connection,
    )
    return SqlClient.make({
      acquirer,
      borrower: (use) => turn.withPermit(Effect.flatMap(connection, use)),
      compiler,
      onCommitFailure: (tried) => Effect.asVoid(tried.executeUnprepared("ROLLBACK", [], undefined)),
      releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
      driver: "pglite",
      spanAttributes: [["db.system.name", "postgresql"]],
    })
  })

/**
 * The client as a layer, which opens and closes its database.
 *
 * @since 0.3.0
 * @category layers
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { PgliteClient, SqlStorage } from "apportion/sql"
 * import { Storage } from "apportion/ports"
 * import { Effect, Layer } from "effect"
 *
 * const database = Effect.acquireRelease(
 *   Effect.promise(() => PGlite.create()), // With the name of a folder it is kept there.
 *   (database) => Effect.promise(() => database.close()),
 * )
 * const storage = Layer.provide(SqlStorage.layer({ migrate: true }), PgliteClient.layer(database))
 * const accounts = Effect.flatMap(Storage, (storage) => storage.accounts)
 * await Effect.runPromise(Effect.provide(accounts, storage)) // => []
 * ```
 */
export const layer = <E, R>(
  database: Effect.Effect<Pglite, E, R>,
): Layer.Layer<SqlClient.SqlClient, E, Exclude<R, Scope.Scope>> =>
  Layer.effect(SqlClient.SqlClient, Effect.flatMap(database, make)).pipe(
    Layer.provide(Reactivity.layer),
  )

/**
 * The client as a layer, of a database that is already open. Whoever opened it closes it.
 *
 * @since 0.3.0
 * @category layers
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { PgliteClient } from "apportion/sql"
 * import { Effect } from "effect"
 * import { SqlClient } from "effect/sql"
 *
 * const client = PgliteClient.layerOf(await PGlite.create())
 * const sum = Effect.gen(function* () {
 *   const sql = yield* SqlClient.SqlClient
 *   return yield* sql`SELECT ${1}::int + ${2}::int AS sum`
 * })
 * await Effect.runPromise(Effect.provide(sum, client)) // => [{ sum: 3 }]
 * ```
 */
export const layerOf = (database: Pglite): Layer.Layer<SqlClient.SqlClient> =>
  layer(Effect.succeed(database))
