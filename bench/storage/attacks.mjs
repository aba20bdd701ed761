// What a storage bears: attacks on a program that serves, and what they cost others.
// usage: node bench/storage/attacks.mjs [stall] [keys] [writers] [lock] [--program dist/cli/main.js]
//
// stall    a group of 90,000 ids is made and 100,000 products are linked in a folder
// keys     3,000 idempotency keys on a payout of 1,000 items, in memory and in a folder
// writers  60 writers of one account of a library on a server of PostgreSQL, and readers of another one
// lock     a change of an account whose lock somebody has forgotten
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: "string", default: "dist/cli/main.js" },
    keys: { type: "string", default: "3000" },
  },
})
const wanted = positionals.length === 0 ? ["stall", "keys", "writers", "lock"] : positionals
const folder = await mkdtemp(join(tmpdir(), "apportion-attacks-"))

const serve = async (...flags) => {
  const args = [values.program, "serve", "--port", "0", "--token", "paper-heron-at-dusk"]
  const child = spawn(process.execPath, [...args, "--rate", "1000000", ...flags], {
    stdio: ["ignore", "pipe", "ignore"],
  })
  const began = performance.now()
  const [line] = await once(child.stdout.setEncoding("utf8"), "data")
  const url = line.replace("apportion is listening on ", "").trim()
  const end = async () => {
    child.kill("SIGTERM")
    await once(child, "exit")
  }
  return { child, url, end, startMs: performance.now() - began }
}

const ask = async (base, method, path, { body, key } = {}) => {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      Authorization: "Bearer paper-heron-at-dusk",
      "Content-Type": "application/json",
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

/** Peak memory of a process in megabytes, as Linux tells it. */
const peakMb = (pid) =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024)

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
const told = (times) => {
  const sorted = times.toSorted((a, b) => a - b)
  const [half, p99, most] = [at(sorted, 0.5), at(sorted, 0.99), sorted.at(-1)]
  return `median ${half?.toFixed(0)} ms, p99 ${p99?.toFixed(0)} ms, longest ${most?.toFixed(0)} ms (${times.length})`
}

/** Asks for something again and again; gives how long each answer took. */
const watch = (base, path) => {
  const times = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now()
      await ask(base, "GET", path)
      times.push(performance.now() - began)
      await wait(10)
    }
  })()
  return async () => {
    isOver = true
    await watching
    return told(times)
  }
}

const stall = async () => {
  const count = 100_000
  const seed = join(folder, "catalogue.json")
  const products = Array.from({ length: count }, (_, index) => ({ id: `p${index}`, tags: ["art"] }))
  const groups = [{ id: "all", collaborator_id: "ada", itemType: "products.all", percent: "5" }]
  writeFileSync(
    seed,
    JSON.stringify({ collaborators: [{ id: "ada", currency: "EUR" }], products, groups }),
  )
  const data = join(folder, "stalled")
  const served = await serve("--data", data, "--seed", seed)
  console.log(
    `stall: seeding ${count} products: ${(served.startMs / 1_000).toFixed(1)} s until it listens`,
  )
  const ready = watch(served.url, "/ready")
  const began = performance.now()
  const path = "/api/v1/collaborators/ada/products"
  for (;;) {
    const { text } = await ask(served.url, "GET", `${path}?perPage=1`)
    if (text.includes(`${count}`) || performance.now() - began > 120_000) break
    await wait(1_000)
  }
  console.log(
    `stall: /ready while ${count} products are linked for ${((performance.now() - began) / 1_000).toFixed(0)} s: ${await ready()}`,
  )
  for (const ids of [10_000, 90_000]) {
    const docs = watch(served.url, "/ready")
    const start = performance.now()
    const body = {
      ...{ itemType: "products", items: Array.from({ length: ids }, (_, index) => `p${index}`) },
      ...{ type: "percentage", percent: "1.50" },
    }
    const { status } = await ask(served.url, "PUT", path, { body })
    const took = performance.now() - start
    await wait(5_000)
    console.log(
      `stall: a group of ${ids} ids: ${status} after ${took.toFixed(0)} ms; /ready until 5 s later: ${await docs()}`,
    )
  }
  console.log(`stall: peak memory ${peakMb(served.child.pid)} MB`)
  await served.end()
}

const sizeOf = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    : statSync(path).size

const keys = async () => {
  const count = Number(values.keys)
  const seed = join(folder, "payout.json")
  const items = Array.from({ length: 1_000 }, (_, index) => ({
    ...{ amount: 100, expense_name: `Item number ${index} of this payout` },
  }))
  const payout = { id: "p", currency: "EUR", collaborator: "ada", to_be_paid_at: 4_102_444_800 }
  const payouts = [{ ...payout, status: "active", paid_at: null, items }]
  writeFileSync(seed, JSON.stringify({ collaborators: [{ id: "ada", currency: "EUR" }], payouts }))
  for (const place of ["memory", "folder"]) {
    const data = join(folder, "keys")
    const served = await serve("--seed", seed, ...(place === "folder" ? ["--data", data] : []))
    const before = { memory: peakMb(served.child.pid), disk: place === "folder" ? sizeOf(data) : 0 }
    let answer = 0
    for (let index = 0; index < count; index += 1) {
      const body = { amount: 1, name: "x" }
      const { status, text } = await ask(served.url, "POST", "/v1/payouts/p/income", {
        body,
        key: `k${index}`,
      })
      if (status >= 300) throw new RangeError(text)
      answer = text.length
    }
    const memory = peakMb(served.child.pid)
    const disk = place === "folder" ? (sizeOf(data) - before.disk) / 1e6 : 0
    console.log(
      `keys: ${count} in ${place}: answers of ${(answer / 1_000).toFixed(0)} kB; peak memory ${before.memory} -> ${memory} MB, disk +${disk.toFixed(0)} MB`,
    )
    await served.end()
  }
}

/** The library beside the program, so that an earlier version is looked at with its own. */
const library = (name) =>
  import(pathToFileURL(join(process.cwd(), values.program, "../..", name, "index.js")).href)

const onServer = async (work) => {
  const { startServer } = await import("../sql/database.mjs")
  const server = await startServer()
  try {
    const { SqlStorage } = await library("sql")
    const { makeApportion } = await library("promise")
    // What the command line asks a server for.
    const sql = await import("effect/sql/SqlClient")
    const Effect = await import("effect/Effect")
    const impatient = Effect.flatMap(sql.SqlClient, (client) =>
      client.unsafe("ALTER ROLE postgres SET lock_timeout = '10s'"),
    )
    await Effect.runPromise(Effect.provide(impatient, server.client(1)))
    const opened = await SqlStorage.open(server.client(10), { migrate: true })
    const apportion = await makeApportion({ storage: opened.storage })
    await work(apportion, server)
    await apportion.close()
    await opened.close()
  } finally {
    await server.stop()
  }
}

const writers = () =>
  onServer(async ({ collaborators }) => {
    for (const account of ["a", "b"])
      await collaborators.create(account, { id: "ada", currency: "EUR" })
    const page = { page: 1, perPage: 15 }
    const read = async (times) => {
      const took = []
      for (let index = 0; index < times; index += 1) {
        const began = performance.now()
        await collaborators.list("b", page)
        took.push(performance.now() - began)
      }
      return told(took)
    }
    await read(50)
    console.log(`writers: reads of B alone: ${await read(200)}`)
    let isOver = false
    let written = 0
    const busy = Array.from({ length: 60 }, async (_, writer) => {
      for (let index = 0; !isOver; index += 1) {
        await collaborators.create("a", { id: `c-${writer}-${index}`, currency: "EUR" })
        written += 1
      }
    })
    await wait(500)
    console.log(`writers: reads of B beside 60 writers of A: ${await read(200)}`)
    isOver = true
    await Promise.all(busy)
    console.log(`writers: ${written} changes of A meanwhile`)
  })

const lock = () =>
  onServer(async ({ collaborators }, server) => {
    const [Effect, { SqlClient }] = await Promise.all([
      import("effect/Effect"),
      import("effect/sql/SqlClient"),
    ])
    await collaborators.create("a", { id: "ada", currency: "EUR" })
    const forgotten = Effect.gen(function* () {
      const sql = yield* SqlClient
      const other = yield* sql.reserve
      yield* other.executeUnprepared("BEGIN", [], undefined)
      yield* other.executeUnprepared("SELECT 1 FROM apportion.accounts FOR UPDATE", [], undefined)
      const began = performance.now()
      const told = yield* Effect.promise(() =>
        collaborators.create("a", { id: "ben", currency: "EUR" }).then(
          () => "done",
          (error) => error._tag,
        ),
      )
      console.log(`lock: ${told} after ${((performance.now() - began) / 1_000).toFixed(0)} s`)
    })
    await Effect.runPromise(Effect.provide(Effect.scoped(forgotten), server.client(1)))
  })

try {
  const attacks = { stall, keys, writers, lock }
  for (const name of wanted) await attacks[name]()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
