/**
 * The storage port in a folder: PGlite, PostgreSQL inside the process, on files that outlive a power cut, in a
 * thread of its own, for one process at a time. Needs Node and `@electric-sql/pglite`.
 *
 * @since 0.6.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Storage } from "../../ports/Storage.js"
import type * as Migrations from "../Migrations.js"
import * as PgliteClient from "../PgliteClient.js"
import * as SqlStorage from "../SqlStorage.js"
import { FolderInUse, type FolderLost, FolderUnusable } from "./FolderError.js"
import * as DataFolder from "./internal/DataFolder.js"
import * as upkeep from "./internal/upkeep.js"

export { FolderInUse, FolderLost, FolderUnusable } from "./FolderError.js"

/**
 * How a folder is opened.
 *
 * @since 0.6.0
 * @category models
 */
export interface FolderOptions {
  /** Whether to create it if it does not exist; `true` when absent. */
  readonly create?: boolean | undefined
  /** Called with a message during slow steps, such as waiting for a sign of life of another process. */
  readonly note?: ((message: string) => void) | undefined
  /**
   * Called once when the folder can no longer be used: another process has taken it over, or its files can't be
   * written. From then on every call fails with `StorageFailure`; the program may as well end.
   */
  readonly onLost?: ((cause: FolderLost) => void) | undefined
}

const openFolder = (path: string, { create = true, note, onLost }: FolderOptions) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        DataFolder.open(path, {
          create,
          note: note ?? (() => undefined),
          onLost: onLost ?? (() => undefined),
        }),
      catch: (cause) => cause,
    }),
    ({ close }) => Effect.promise(close),
  ).pipe(
    Effect.catch((cause) =>
      cause instanceof FolderInUse || cause instanceof FolderUnusable
        ? Effect.fail(cause)
        : Effect.die(cause),
    ),
    Effect.map(({ database }) => database),
  )

/**
 * A client of the database of a folder, which is open as long as the layer. Its statements run in a separate thread,
 * one after the other. The regular maintenance of a server, such as recycling its log, is done here too. It fails with
 * `FolderInUse` when another process has the folder, and with `FolderUnusable` when it can't be used.
 *
 * The folder is locked: other processes that open it in this way, and all commands of the command line, are refused
 * meanwhile. A suspended process keeps it. Only a process on another computer that shares the folder loses it after 20
 * seconds without a sign of life: then all its calls fail, and what it still writes is discarded.
 *
 * @param path - the folder; the database lies in `database` within it
 * @since 0.6.0
 * @category layers
 * @example
 * ```ts
 * import { FolderStorage } from "apportion/sql/folder"
 * import { Effect } from "effect"
 * import { SqlClient } from "effect/sql"
 * import { mkdtemp, rm } from "node:fs/promises"
 *
 * const folder = await mkdtemp("shop-")
 * const sum = Effect.gen(function* () {
 *   const sql = yield* SqlClient.SqlClient
 *   return yield* sql`SELECT ${1}::int + ${2}::int AS sum`
 * })
 * await Effect.runPromise(Effect.provide(sum, FolderStorage.client(folder))) // => [{ sum: 3 }]
 * await rm(folder, { recursive: true })
 * ```
 */
export const client = (
  path: string,
  options: FolderOptions = {},
): Layer.Layer<SqlClient, FolderInUse | FolderUnusable> =>
  Layer.provideMerge(
    Layer.effectDiscard(Effect.forkScoped(upkeep.run)),
    PgliteClient.layer(openFolder(path, options)),
  )

/**
 * The storage port in a folder, open as long as the layer. Its schema is brought up to date first.
 *
 * @param path - the folder; the database lies in `database` within it
 * @since 0.6.0
 * @category layers
 * @example
 * ```ts
 * import { Storage } from "apportion/ports"
 * import { FolderStorage } from "apportion/sql/folder"
 * import { Effect } from "effect"
 * import { mkdtemp, rm } from "node:fs/promises"
 *
 * const folder = await mkdtemp("shop-")
 * const accounts = Effect.flatMap(Storage, (storage) => storage.accounts)
 * await Effect.runPromise(Effect.provide(accounts, FolderStorage.layer(folder))) // => []
 * await rm(folder, { recursive: true })
 * ```
 */
export const layer = (
  path: string,
  options: FolderOptions = {},
): Layer.Layer<Storage, FolderInUse | FolderUnusable | Migrations.MigrationsError> =>
  Layer.provide(SqlStorage.layer({ migrate: true }), client(path, options))

/**
 * Opens the storage of a folder, for hosts that don't use Effect. Rejects with `FolderInUse`,
 * `FolderUnusable`, `SchemaTooNew` or `MigrationFailed`.
 *
 * @param path - the folder; the database lies in `database` within it
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { makeApportion } from "apportion/promise"
 * import { FolderStorage } from "apportion/sql/folder"
 * import { mkdtemp, rm } from "node:fs/promises"
 *
 * const folder = await mkdtemp("shop-")
 * const { storage, close } = await FolderStorage.open(folder)
 * const apportion = await makeApportion({ storage })
 * await apportion.collaborators.create("my-shop", { id: "ada", currency: "EUR" })
 *
 * const second = await FolderStorage.open(folder).catch((error: unknown) => error)
 * second instanceof FolderStorage.FolderInUse // => true
 *
 * await apportion.close()
 * await close()
 * await rm(folder, { recursive: true })
 * ```
 */
export const open = (
  path: string,
  options: FolderOptions = {},
): Promise<SqlStorage.OpenedStorage> => SqlStorage.open(client(path, options), { migrate: true })
