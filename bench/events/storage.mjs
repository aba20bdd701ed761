// The storages that are killed: a folder, or a database of PostgreSQL whose transactions run side by side.
import { PgClient } from "@effect/sql-pg"
import { Layer, Redacted } from "effect"
import { FolderStorage } from "../../dist/sql/folder/index.js"
import { SqlStorage } from "../../dist/sql/index.js"

export const storageOf = (kind, place) => {
  if (kind === "folder") return FolderStorage.layer(place)
  const client = PgClient.layer({ url: Redacted.make(place), maxConnections: 8 })
  return Layer.provide(SqlStorage.layer({ migrate: true, concurrency: "optimistic" }), client)
}
