/**
 * The storage port in PostgreSQL, through any client of `effect/sql` for it: a server, a cluster, or PGlite
 * inside the process.
 *
 * @since 0.3.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Predicate from "effect/Predicate"
import { SqlClient } from "effect/sql/SqlClient"
import { Storage, type StorageService, type Stores } from "../ports/Storage.js"
import { StorageFailure } from "../ports/StorageError.js"
import * as accountLists from "./internal/accountLists.js"
import * as agreementStore from "./internal/agreementStore.js"
import * as collaboratorStore from "./internal/collaboratorStore.js"
import * as counterStore from "./internal/counterStore.js"
import * as endpointStore from "./internal/endpointStore.js"
import * as eventStore from "./internal/eventStore.js"
import * as groupStore from "./internal/groupStore.js"
import type { Concurrency } from "./internal/Isolation.js"
import * as inboxStore from "./internal/inboxStore.js"
import * as keyStore from "./internal/keyStore.js"
import * as linkStore from "./internal/linkStore.js"
import * as passStore from "./internal/passStore.js"
import * as paymentStore from "./internal/paymentStore.js"
import * as payoutStore from "./internal/payoutStore.js"
import * as productStore from "./internal/productStore.js"
import * as resplitStore from "./internal/resplitStore.js"
import * as retentionStore from "./internal/retentionStore.js"
import type { Session } from "./internal/Session.js"
import { storageErrorOf, within } from "./internal/Session.js"
import * as saleStore from "./internal/saleStore.js"
import * as settingsStore from "./internal/settingsStore.js"
import { Turns, writersOf } from "./internal/Turns.js"
import * as transactions from "./internal/transactions.js"
import * as Migrations from "./Migrations.js"

/**
 * The options of a storage in PostgreSQL.
 *
 * @since 0.3.0
 * @category models
 */
export interface SqlStorageOptions {
  /**
   * How transactions that write to the same account run. `queue`, the default: one after the other, and none fails
   * because of another; those of different accounts run concurrently. `optimistic`: concurrently, and those that could
   * not have run one after the other with the same result fail with `Conflict` and are retried (by the services, a
   * bounded number of times): for accounts with more sales than one connection can record.
   */
  readonly concurrency?: Concurrency | undefined
  /** Whether the schema is brought up to date first; `false` when absent: an outdated schema is then refused. */
  readonly migrate?: boolean | undefined
  /**
   * How long to wait for an answer of the server, and how long the server waits for the next statement of a transaction
   * that writes; 1 minute when absent. After that the connection is closed, so that no one waits longer for a broken
   * network or a process that has disappeared. It has no effect on PGlite.
   */
  readonly patience?: Duration.Input | undefined
  /**
   * How long a transaction waits in total for its turn to write to an account, a connection and the account itself,
   * before it fails with `StorageFailure`, which says what it `waited` for and how long; 15 seconds when absent. If
   * less is left of the services' setting `waitSeconds`, that counts. Writers of one account take turns before they
   * take a connection, so that other accounts always find one.
   *
   * @since 0.6.0
   */
  readonly waiting?: Duration.Input | undefined
  /**
   * How many connections the client has. A quarter of them is reserved for transactions that only read. When absent,
   * the number that the client reports, as the one of `@effect/sql-pg` does, or 10.
   *
   * @since 0.6.0
   */
  readonly connections?: number | undefined
}

/** What a client says of its pool. */
const connectionsOf = (sql: SqlClient): number => {
  if (sql.driver === "pglite") return 1
  const config: unknown = Reflect.get(sql, "config")
  const most: unknown = Predicate.isObject(config) && Reflect.get(config, "maxConnections")
  return typeof most === "number" ? most : 10
}

const storesOf = (session: Session): Stores => ({
  collaborators: collaboratorStore.make(session),
  groups: groupStore.make(session),
  products: productStore.make(session),
  links: linkStore.make(session),
  payouts: payoutStore.make(session),
  payments: paymentStore.make(session),
  sales: saleStore.make(session),
  keys: keyStore.make(session),
  events: eventStore.make(session),
  endpoints: endpointStore.make(session),
  inbox: inboxStore.make(session),
  resplits: resplitStore.make(session),
  settings: settingsStore.make(session),
  retention: retentionStore.make(session),
  passes: passStore.make(session),
  counters: counterStore.make(session),
  agreements: agreementStore.make(session),
})

/**
 * Makes a storage in the database of a client.
 *
 * @since 0.3.0
 * @category constructors
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { PgliteClient, SqlStorage } from "apportion/sql"
 * import { Effect } from "effect"
 *
 * const database = await PGlite.create()
 * const found = Effect.gen(function* () {
 *   const storage = yield* SqlStorage.make({ migrate: true })
 *   yield* storage.transaction("shop", ({ products }) => products.put([{ id: "p1", name: "Mug" }]))
 *   return yield* storage.transaction("shop", ({ products }) => products.get(["p1"]))
 * })
 * await Effect.runPromise(Effect.provide(found, PgliteClient.layerOf(database))) // => [{ id: "p1", name: "Mug" }]
 * ```
 */
export const make = Effect.fnUntraced(function* ({
  concurrency = "queue",
  migrate = false,
  patience = "1 minute",
  waiting = "15 seconds",
  connections,
}: SqlStorageOptions = {}): Effect.fn.Return<
  StorageService,
  Migrations.MigrationsError,
  SqlClient
> {
  const sql = yield* SqlClient
  yield* migrate ? Migrations.run : Migrations.check
  const waits = sql.driver === "pglite" ? undefined : Duration.fromInputUnsafe(patience)
  const writers = writersOf(connections ?? connectionsOf(sql))
  const turns = new Turns({ writers, isQueue: concurrency === "queue" })
  const tools = { sql, concurrency, storesOf, patience: waits, turns }
  return {
    transaction: transactions.make({ ...tools, waiting: Duration.fromInputUnsafe(waiting) }),
    afterwards: sql.afterCommit,
    isWithin: transactions.isWithin(sql),
    accounts: Effect.mapError(within(accountLists.list(sql), waits), (error) =>
      StorageFailure.of("list the accounts", error),
    ),
    accountsLinking: Effect.mapError(within(accountLists.linking(sql), waits), (error) =>
      StorageFailure.of("find the accounts that are linking", error),
    ),
    accountsWithEndpoints: Effect.mapError(within(accountLists.withWebhooks(sql), waits), (error) =>
      StorageFailure.of("find the accounts with webhook endpoints", error),
    ),
    numberEvents: (accountId, limit) =>
      Effect.mapError(within(eventStore.numberEvents(sql, accountId, limit), waits), (error) =>
        storageErrorOf("give numbers to events", error),
      ),
  }
})

/**
 * The storage port in the database of a client.
 *
 * @since 0.3.0
 * @category layers
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { PgliteClient, SqlStorage } from "apportion/sql"
 * import { Collaborators } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const client = PgliteClient.layerOf(await PGlite.create())
 * const storage = Layer.provide(SqlStorage.layer({ migrate: true }), client)
 * const services = Layer.provide(Collaborators.layer, storage)
 * const total = Effect.gen(function* () {
 *   const collaborators = yield* Collaborators
 *   yield* collaborators.create("shop", { id: "ada", currency: "EUR" })
 *   return (yield* collaborators.list("shop", { page: 1, perPage: 15 })).total
 * })
 * await Effect.runPromise(Effect.provide(total, services)) // => 1
 * ```
 */
export const layer = (
  options: SqlStorageOptions = {},
): Layer.Layer<Storage, Migrations.MigrationsError, SqlClient> =>
  Layer.effect(Storage, make(options))

/**
 * A storage for hosts that don't use Effect, and a function that closes its connections.
 *
 * @since 0.3.0
 * @category models
 */
export interface OpenedStorage {
  /** For `makeApportion({ storage })`. */
  readonly storage: StorageService
  /** Closes the client's connections; first close everything that uses the storage. */
  readonly close: () => Promise<void>
}

/**
 * Opens a storage in the database of a client, for hosts that don't use Effect. Rejects with
 * `SchemaTooNew`, `SchemaTooOld` or `MigrationFailed`, or with what the client's layer fails with.
 *
 * @since 0.3.0
 * @category constructors
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { makeApportion } from "apportion/promise"
 * import { PgliteClient, SqlStorage } from "apportion/sql"
 *
 * const client = PgliteClient.layerOf(await PGlite.create())
 * const { storage, close } = await SqlStorage.open(client, { migrate: true })
 * const { collaborators } = await makeApportion({ storage })
 * await collaborators.create("my-shop", { id: "ada", currency: "EUR" })
 * const { entries } = await collaborators.list("my-shop", { page: 1, perPage: 15 })
 * entries.map(({ collaborator }) => collaborator.id) // => ["ada"]
 * await close()
 * ```
 */
export const open = async <E>(
  client: Layer.Layer<SqlClient, E>,
  options: SqlStorageOptions = {},
): Promise<OpenedStorage> => {
  const runtime = ManagedRuntime.make(Layer.provide(layer(options), client))
  try {
    return { storage: await runtime.runPromise(Storage), close: () => runtime.dispose() }
  } catch (error) {
    await runtime.dispose()
    throw error
  }
}
