/**
 * The storage port in PostgreSQL, through any client of `effect/sql` for it: a server, a cluster, or PGlite
 * inside the process.
 *
 * @since 0.3.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { Storage, type StorageService, type Stores } from "../ports/Storage.js"
import { StorageFailure } from "../ports/StorageError.js"
import * as accounts from "./internal/accounts.js"
import * as collaboratorStore from "./internal/collaboratorStore.js"
import * as groupStore from "./internal/groupStore.js"
import * as keyStore from "./internal/keyStore.js"
import * as linkStore from "./internal/linkStore.js"
import * as payoutStore from "./internal/payoutStore.js"
import * as productStore from "./internal/productStore.js"
import type { Session } from "./internal/Session.js"
import * as saleStore from "./internal/saleStore.js"
import * as transactions from "./internal/transactions.js"
import * as Migrations from "./Migrations.js"

/**
 * How a storage in PostgreSQL behaves.
 *
 * @since 0.3.0
 * @category models
 */
export interface SqlStorageOptions {
  /**
   * How transactions that write to the same account get along. `queue`, when absent: one after the other,
   * none ever fails because of another; those of different accounts run side by side. `optimistic`: side by
   * side, and those fail with `Conflict` and are run again (by the services, a bounded number of times) that
   * would not have come out the same one after the other: for accounts with more sales than one connection
   * can record.
   */
  readonly concurrency?: transactions.Concurrency | undefined
  /** Whether the schema is brought up to date first; `false` when absent: then one that is not is refused. */
  readonly migrate?: boolean | undefined
}

const storesOf = (session: Session): Stores => ({
  collaborators: collaboratorStore.make(session),
  groups: groupStore.make(session),
  products: productStore.make(session),
  links: linkStore.make(session),
  payouts: payoutStore.make(session),
  sales: saleStore.make(session),
  keys: keyStore.make(session),
})

/**
 * Makes a storage in the database of a client.
 *
 * @since 0.3.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* ({
  concurrency = "queue",
  migrate = false,
}: SqlStorageOptions = {}): Effect.fn.Return<
  StorageService,
  Migrations.MigrationsError,
  SqlClient
> {
  const sql = yield* SqlClient
  yield* migrate ? Migrations.run : Migrations.check
  return {
    transaction: transactions.make({ sql, concurrency, storesOf }),
    accounts: Effect.mapError(accounts.list(sql), (error) =>
      StorageFailure.of("list the accounts", error),
    ),
  }
})

/**
 * The storage port in the database of a client.
 *
 * @since 0.3.0
 * @category layers
 */
export const layer = (
  options: SqlStorageOptions = {},
): Layer.Layer<Storage, Migrations.MigrationsError, SqlClient> =>
  Layer.effect(Storage, make(options))
