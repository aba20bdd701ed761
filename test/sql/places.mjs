// Where scripts keep data while processes are killed: a PostgreSQL server of its own, a folder, or memory.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Layer, Redacted } from "effect"
import { MemoryStorage } from "../../dist/memory/index.js"
import { FolderStorage } from "../../dist/sql/folder/index.js"
import { SqlStorage } from "../../dist/sql/index.js"

const storages = {
  memory: () => MemoryStorage.layer,
  folder: (place) => FolderStorage.layer(place),
  postgres: (place, { migrate = false, connections = 10 }) =>
    Layer.provide(
      SqlStorage.layer({ migrate }),
      PgClient.layer({ url: Redacted.make(place), maxConnections: connections }),
    ),
}

/** The storage of a place, for one process. */
export const storageOf = (kind, place, options = {}) => storages[kind](place, options)

/** A place that is gone once it is closed, with a folder beside it for other files. */
export const openPlace = async (kind) => {
  const folder = await mkdtemp(join(tmpdir(), "apportion-kill-"))
  const server =
    kind === "postgres" ? await (await import("./embeddedPostgres.ts")).start() : undefined
  const close = async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { folder, place: server?.url ?? join(folder, "data"), close }
}

/** Runs work on a runtime of its own. */
export const runOn = async (runtime, work) => {
  try {
    return await runtime.runPromise(work)
  } finally {
    await runtime.dispose()
  }
}
