/**
 * Bringing a database to the schema that this version works with: one step after the other, never back.
 *
 * @since 0.3.0
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { agreementBookingsStep } from "./internal/agreementBookings.js"
import { carryOverSales } from "./internal/carriedSales.js"
import { carryOverPayouts } from "./internal/carryOver.js"
import { agreements } from "./internal/migrations/agreements.js"
import { counters } from "./internal/migrations/counters.js"
import { entriesById } from "./internal/migrations/entriesById.js"
import { events } from "./internal/migrations/events.js"
import { firstSchema } from "./internal/migrations/firstSchema.js"
import { hashChains } from "./internal/migrations/hashChains.js"
import { historyHashes } from "./internal/migrations/historyHashes.js"
import { inbox } from "./internal/migrations/inbox.js"
import { packedEvents } from "./internal/migrations/packedEvents.js"
import { packedSales } from "./internal/migrations/packedSales.js"
import { passes } from "./internal/migrations/passes.js"
import { paymentReferences } from "./internal/migrations/paymentReferences.js"
import { payments } from "./internal/migrations/payments.js"
import { payoutLedger } from "./internal/migrations/payoutLedger.js"
import { recordedHours } from "./internal/migrations/recordedHours.js"
import { resplits } from "./internal/migrations/resplits.js"
import { retention } from "./internal/migrations/retention.js"
import { settings } from "./internal/migrations/settings.js"
import { columnsOfSubjects } from "./internal/migrations/subjectColumns.js"
import { webhooks } from "./internal/migrations/webhooks.js"
import { isTrue, type Row, wholeOf } from "./internal/rows.js"
import { saleSubjects } from "./internal/saleSubjects.js"
import { soldSumsStep } from "./internal/soldFill.js"

/**
 * The database has a schema of a later version than this code knows, and must not be written to. Nothing was changed.
 *
 * @since 0.3.0
 * @category errors
 */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  /** The version in the database. */
  found: Schema.Number,
  /** The version that this code knows. */
  known: Schema.Number,
  message: Schema.String,
}) {}

/**
 * The database has an older schema than this code needs, or none.
 *
 * @since 0.3.0
 * @category errors
 */
export class SchemaTooOld extends Schema.TaggedError<SchemaTooOld>()("SchemaTooOld", {
  /** The version in the database; 0: none. */
  found: Schema.Number,
  /** The version that this code needs. */
  known: Schema.Number,
  message: Schema.String,
}) {}

/**
 * The database could not be reached, or refused a step; none of the steps was committed.
 *
 * @since 0.3.0
 * @category errors
 */
export class MigrationFailed extends Schema.TaggedError<MigrationFailed>()("MigrationFailed", {
  /** The database's error. */
  cause: Schema.Defect(),
  message: Schema.String,
}) {}

/**
 * Why a database can't be used.
 *
 * @since 0.3.0
 * @category errors
 */
export type MigrationsError = SchemaTooNew | SchemaTooOld | MigrationFailed

/** What leads from each version of the schema to the next; only ever added to. */
const steps: ReadonlyArray<{
  readonly name: string
  readonly statements: ReadonlyArray<string>
  /** What is worked out from the rows that are there. */
  readonly fill?: Effect.Effect<void, SqlError, SqlClient>
}> = [
  { name: "first_schema", statements: firstSchema },
  { name: "entries_by_id", statements: entriesById },
  { name: "events", statements: events },
  { name: "payments", statements: payments },
  saleSubjects,
  { name: "history_hashes", statements: historyHashes },
  { name: "webhooks", statements: webhooks },
  { name: "inbox", statements: inbox },
  { name: "payment_references", statements: paymentReferences },
  { name: "resplits", statements: resplits },
  { name: "hash_chains", statements: hashChains },
  { name: "settings", statements: settings },
  { name: "subject_columns", statements: columnsOfSubjects },
  { name: "payout_ledger", statements: payoutLedger },
  { name: "retention", statements: retention },
  { name: "packed_sales", statements: packedSales },
  { name: "packed_events", statements: packedEvents },
  { name: "passes", statements: passes },
  { name: "recorded_hours", statements: recordedHours },
  soldSumsStep,
  { name: "counters", statements: counters },
  { name: "agreements", statements: agreements },
  agreementBookingsStep,
]

/**
 * The version of the schema that this code works with.
 *
 * @since 0.3.0
 * @category constants
 */
export const latest: number = steps.length

const table = "apportion.migrations"

const failed = (doing: string) => (error: SqlError | Migrator.MigrationError) =>
  new MigrationFailed({ cause: error, message: `could not ${doing}: ${reasonOf(error)}` })

/** What the database itself said, which the errors around it do not repeat. */
const reasonOf = (error: unknown): string => {
  let innermost: unknown = error
  for (let depth = 0; depth < 5 && innermost instanceof Error && innermost.cause; depth += 1) {
    innermost = innermost.cause
  }
  return innermost instanceof Error ? innermost.message : String(innermost)
}

/**
 * The version of the schema that a database has; 0: none.
 *
 * @since 0.3.0
 * @category operations
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { Migrations, PgliteClient } from "apportion/sql"
 * import { Effect } from "effect"
 *
 * const client = PgliteClient.layerOf(await PGlite.create())
 * await Effect.runPromise(Effect.provide(Migrations.version, client)) // => 0
 * ```
 */
export const version: Effect.Effect<number, MigrationFailed, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [there] = yield* sql.unsafe<Row>(`SELECT to_regclass('${table}') IS NOT NULL AS there`)
  if (there === undefined || !isTrue(there, "there")) return 0
  const [row] = yield* sql.unsafe<Row>(
    `SELECT coalesce(max(migration_id), 0) AS version FROM ${table}`,
  )
  return row === undefined ? 0 : wholeOf(row, "version")
}).pipe(Effect.mapError(failed("read the version of the schema")))

const refuseNewer = (found: number): Effect.Effect<void, SchemaTooNew> => {
  const message = `the database has version ${found} of the schema, and this version of apportion knows ${latest}: use a newer apportion`
  return found > latest
    ? Effect.fail(new SchemaTooNew({ found, known: latest, message }))
    : Effect.void
}

/**
 * Fails unless the database has exactly the schema that this code works with.
 *
 * @since 0.3.0
 * @category operations
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { Migrations, PgliteClient } from "apportion/sql"
 * import { Effect } from "effect"
 *
 * const client = PgliteClient.layerOf(await PGlite.create())
 * const refused = Effect.flip(Effect.provide(Migrations.check, client))
 * const { _tag } = await Effect.runPromise(refused)
 * _tag // => "SchemaTooOld"
 * ```
 */
export const check: Effect.Effect<void, MigrationsError, SqlClient> = Effect.gen(function* () {
  const found = yield* version
  yield* refuseNewer(found)
  if (found === latest) return
  const has = found === 0 ? "no tables of apportion" : `version ${found} of the schema`
  const message = `the database has ${has}, and version ${latest} is needed: run the migrations first`
  return yield* new SchemaTooOld({ found, known: latest, message })
})

const runStatements = (statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }),
  )

const loaderTo = (to: number): Migrator.Loader =>
  Effect.succeed(
    steps
      .slice(0, to)
      .map(
        ({ name, statements, fill = Effect.void }, index) =>
          [
            index + 1,
            name,
            Effect.succeed(Effect.andThen(runStatements(statements), fill)),
          ] as const,
      ),
  )

/** Two processes that both make it at once: one of them fails, and finds it there when it tries again. */
const makeSchema = Effect.flatMap(SqlClient, (sql) =>
  Effect.retry(
    Effect.flatMap(
      sql.unsafe<Row>("SELECT to_regnamespace('apportion') IS NOT NULL AS there"),
      ([row]) =>
        row !== undefined && isTrue(row, "there")
          ? Effect.void
          : Effect.asVoid(sql.unsafe("CREATE SCHEMA IF NOT EXISTS apportion")),
    ),
    { times: 5, schedule: Schedule.spaced("50 millis") },
  ),
)

/**
 * Brings a database to the schema that this code works with. All missing steps run in one transaction. Processes that
 * migrate at the same time wait for each other, and each step runs once.
 *
 * @since 0.3.0
 * @category operations
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { Migrations, PgliteClient } from "apportion/sql"
 * import { Effect } from "effect"
 *
 * const client = PgliteClient.layerOf(await PGlite.create())
 * const { from, to } = await Effect.runPromise(Effect.provide(Migrations.run, client))
 * from // => 0
 * to === Migrations.latest // => true
 * await Effect.runPromise(Effect.provide(Migrations.check, client)) // => undefined
 * ```
 */
export const run: Effect.Effect<
  { readonly from: number; readonly to: number },
  SchemaTooNew | MigrationFailed,
  SqlClient
> = Effect.suspend(() => runTo(latest))

/**
 * The same up to an earlier version of the schema, as that of a backup which is restored into it before the rest of the
 * steps. A database that is further already stays as it is.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { Migrations, PgliteClient } from "apportion/sql"
 * import { Effect } from "effect"
 *
 * const client = PgliteClient.layerOf(await PGlite.create())
 * const { to } = await Effect.runPromise(Effect.provide(Migrations.runTo(1), client))
 * to // => 1
 * ```
 */
export const runTo = Effect.fnUntraced(function* (
  to: number,
): Effect.fn.Return<
  { readonly from: number; readonly to: number },
  SchemaTooNew | MigrationFailed,
  SqlClient
> {
  const from = yield* version
  yield* refuseNewer(from)
  if (from >= to) return { from, to: from }
  yield* Effect.mapError(makeSchema, failed("make the schema"))
  const done = yield* Effect.mapError(
    Migrator.make({})({ loader: loaderTo(to), table }),
    failed("bring the schema up to date"),
  )
  yield* refuseNewer(yield* version)
  return { from: to - done.length, to }
})

const carryOverAll = Effect.gen(function* () {
  const payouts = yield* carryOverPayouts
  const sales = yield* carryOverSales
  return { carried: payouts.carried + sales.carried, left: payouts.left + sales.left }
})

/**
 * Carries what versions before 0.6.0 stored over into the smaller form of today, a few hundred rows in each transaction,
 * while the services go on working: they read both forms. It can be ended at any time, and goes on where it was. What was
 * changed behind the back of the services is left as it is, for the audit to find.
 *
 * Gives how many entries of histories of payouts and parts of orders were carried over, and how many were left.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { Migrations, PgliteClient } from "apportion/sql"
 * import { Effect } from "effect"
 *
 * const client = PgliteClient.layerOf(await PGlite.create())
 * const both = Effect.andThen(Migrations.run, Migrations.carryOver)
 * await Effect.runPromise(Effect.provide(both, client)) // => { carried: 0, left: 0 }
 * ```
 */
export const carryOver: Effect.Effect<
  { readonly carried: number; readonly left: number },
  MigrationFailed,
  SqlClient
> = Effect.mapError(carryOverAll, failed("carry over what earlier versions stored"))
