/**
 * A client of `effect/sql` for PGlite, PostgreSQL inside the process. PGlite itself is the host's: this
 * needs no more of it than a way to ask queries.
 *
 * @since 0.3.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { reasonOf } from "./internal/sqlStates.js"

/**
 * What is needed of a database of PGlite.
 *
 * @since 0.3.0
 * @category models
 */
export interface Pglite {
  readonly query: (
    statement: string,
    // biome-ignore lint/suspicious/noExplicitAny: it is what PGlite itself says of them
    parameters?: Array<any>,
    options?: { readonly rowMode?: "array" | "object" },
  ) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
}

type Rows = ReadonlyArray<object>

const makeConnection = (database: Pglite): Connection => {
  const ask = (
    statement: string,
    parameters: ReadonlyArray<unknown>,
    rowMode: "array" | "object" = "object",
  ) =>
    Effect.tryPromise({
      // What has begun can't be called back, so that who gives up waits for it.
      try: () => database.query(statement, [...parameters], { rowMode }),
      catch: (cause) => new SqlError({ reason: reasonOf(cause) }),
    }).pipe(
      Effect.map(({ rows }) => rows),
      Effect.uninterruptible,
    )
  // biome-ignore lint/suspicious/noExplicitAny: rows are what the statement makes them, for the client too
  const execute: Connection["execute"] = (statement, parameters, transform): Effect.Effect<any, SqlError> =>
    Effect.map(ask(statement, parameters), (rows) =>
      transform === undefined ? rows : transform(rows as Rows),
    )
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const values = (statement: string, parameters: ReadonlyArray<unknown>): Effect.Effect<any, SqlError> =>
    ask(statement, parameters, "array")
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
 * Makes a client of a database that is open. The database has one connection, which transactions have one
 * after the other. Closing it is for whoever opened it.
 *
 * @since 0.3.0
 * @category constructors
 */
export const make = (
  database: Pglite,
): Effect.Effect<SqlClient.SqlClient, never, Reactivity.Reactivity> =>
  Effect.suspend(() => {
    const connection = makeConnection(database)
    const turn = Semaphore.makeUnsafe(1)
    const acquirer: Effect.Effect<Connection, never, Scope.Scope> = Effect.as(
      Effect.acquireRelease(turn.take(1), () => turn.release(1)),
      connection,
    )
    return SqlClient.make({
      acquirer,
      borrower: (use) => turn.withPermit(use(connection)),
      compiler,
      driver: "pglite",
      spanAttributes: [["db.system.name", "postgresql"]],
    })
  })

/**
 * The client as a layer, of a database that is opened with the layer and closed with it.
 *
 * @since 0.3.0
 * @category layers
 */
export const layer = <E, R>(
  database: Effect.Effect<Pglite, E, R>,
): Layer.Layer<SqlClient.SqlClient, E, Exclude<R, Scope.Scope>> =>
  Layer.effect(SqlClient.SqlClient, Effect.flatMap(database, make)).pipe(
    Layer.provide(Reactivity.layer),
  )
