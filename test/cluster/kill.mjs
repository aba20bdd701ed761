// Carries out jobs on several runners, breaks things on purpose, and looks at what triggers in the database have counted:
// each effect happened exactly once. Run by hand, after a build (Node 24):
//
//   node test/cluster/kill.mjs scale 2 10000     jobs a second of 2 runners
//   node test/cluster/kill.mjs runners 200       kills runners with SIGKILL, so many times
//   node test/cluster/kill.mjs restart 20        ends runners with SIGTERM one after the other, as an upgrade does
//   node test/cluster/kill.mjs database 20       kills the database
//   node test/cluster/kill.mjs network 20        cuts a runner off from the database
//   node test/cluster/kill.mjs fair 100000       one account with so many jobs, beside 100 with one each
//
// CLUSTER_RUNNERS sets how many runners there are (3), CLUSTER_ACCOUNTS how many accounts (100), CLUSTER_PORT the first
// port of them (41700), CLUSTER_SEED the seed.
import { spawn } from "node:child_process"
import { createServer as createHttp } from "node:http"
import { connect, createServer } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Jobs, runnerLayer } from "../../dist/cluster/index.js"
import { Collaborator, Payout, PayoutItem } from "../../dist/index.js"
import { ExchangeRates, fromPlainRail, paymentRails, Storage } from "../../dist/ports/index.js"
import { Audit, Collaborators, ProductGroups, servicesLayer } from "../../dist/service/index.js"
import { SqlStorage } from "../../dist/sql/index.js"

const runnerCount = Number(process.env.CLUSTER_RUNNERS ?? 3)
const accountCount = Number(process.env.CLUSTER_ACCOUNTS ?? 100)
const payoutsOfEach = 20
const payableOfEach = 2
const firstPort = Number(process.env.CLUSTER_PORT ?? 41_700)

let state = Number(process.env.CLUSTER_SEED ?? 7) >>> 0
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

// A runner, which is a process of its own.

const railOver = (url) => {
  const ask = async (path, body, signal) => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      signal,
    })
    return response.json()
  }
  return fromPlainRail({
    name: "fake",
    terms: { currencies: null, mode: "single", lateSeconds: 1, knownSeconds: null },
    send: (instruction, signal) => ask("/send", instruction, signal),
    find: (key, signal) => ask("/find", { key }, signal),
  })
}

const servicesOf = (url, rail, connections = 12) => {
  const client = PgClient.layer({
    ...{ url: Redacted.make(url), maxConnections: connections },
    startupParameters: { lock_timeout: "10s", idle_in_transaction_session_timeout: "20s" },
  })
  const storage = Layer.provideMerge(
    SqlStorage.layer({ migrate: true, patience: "20 seconds" }),
    client,
  )
  return servicesLayer.pipe(
    Layer.provide([paymentRails([railOver(rail)]), ExchangeRates.none]),
    Layer.provideMerge(storage),
  )
}

const quiet = Logger.layer(process.env.CLUSTER_LOG === undefined ? [] : [Logger.consoleLogFmt])

const work = async ([url, rail, port]) => {
  const layer = runnerLayer({ port: Number(port), steps: 4, calls: 8 })
  const runtime = ManagedRuntime.make(
    Layer.provideMerge(layer, servicesOf(url, rail)).pipe(Layer.provideMerge(quiet)),
  )
  await runtime.context()
  process.stdout.write("ready\n")
  process.once("SIGTERM", () => runtime.dispose().then(() => process.exit(0)))
  await new Promise(() => {})
}

const startRunner = async (url, rail, port) => {
  const args = [fileURLToPath(import.meta.url), "work", url, rail, String(port)]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise((done) => child.once("exit", done))
  await Promise.race([new Promise((done) => child.stdout.once("data", done)), ended])
  const end = async (signal) => {
    child.kill(signal)
    await ended
  }
  return { child, end }
}

// What is done, and what counts it.

/** Tells the triggers' counts: closed payouts, items of sales, and jobs that were noted as done. */
const triggers = [
  "CREATE TABLE public.effects (kind text NOT NULL, account_id text NOT NULL, name text NOT NULL)",
  `CREATE FUNCTION public.count_closed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO public.effects VALUES ('closed', NEW.account_id, NEW.payout_id); RETURN NULL; END $$`,
  `CREATE TRIGGER count_closed AFTER UPDATE ON apportion.payouts FOR EACH ROW
    WHEN (OLD.status = 'active' AND NEW.status = 'pending') EXECUTE FUNCTION public.count_closed()`,
  `CREATE FUNCTION public.count_sold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO public.effects VALUES ('sold', NEW.account_id, NEW.document->>'orderId'); RETURN NULL; END $$`,
  `CREATE FUNCTION public.count_ended() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO public.effects VALUES ('job ' || NEW.kind, NEW.account_id, NEW.key); RETURN NULL; END $$`,
  `CREATE TRIGGER count_ended AFTER UPDATE ON apportion_cluster.jobs FOR EACH ROW
    WHEN (OLD.state = 'waiting' AND NEW.state <> 'waiting') EXECUTE FUNCTION public.count_ended()`,
  `CREATE FUNCTION public.count_placed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO public.effects VALUES ('sold', NEW.account_id, NEW.order_id); RETURN NULL; END $$`,
  `CREATE TRIGGER count_placed AFTER INSERT ON apportion.placements FOR EACH ROW
    EXECUTE FUNCTION public.count_placed()`,
]

const now = Math.floor(Date.now() / 1_000)

/** An account with payouts that are due, others that can be paid, and somebody who has a share of each sale. */
const openAccount = (accountId, dueCount = payoutsOfEach) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    yield* storage.transaction(accountId, ({ collaborators, payouts }) =>
      Effect.gen(function* () {
        for (let number = 0; number < dueCount + payableOfEach; number += 1) {
          const [id, collaboratorId] = [`p${number}`, `c${number}`]
          const collaborator = Collaborator.make({ id: collaboratorId, currency: "USD" })
          yield* collaborators.insert({ collaborator, createdAt: now, updatedAt: now })
          const dates = { openedAt: now - 86_400 * 20, toBePaidAt: now - 3_600 }
          const { items: _none, ...opened } = Payout.open({
            id,
            collaboratorId,
            currency: "USD",
            ...dates,
          })
          const times = { status: "pending", closedAt: now - 30, payableAt: now - 30 }
          const total = 1_000 + number
          const entry = { id: "i", amount: total, name: "Earned", at: now - 86_400 }
          const item = PayoutItem.income(entry, { currency: "USD" })
          const standing = number < dueCount ? opened : { ...opened, ...times }
          const payout = { ...standing, total, itemsCount: 1, paymentId: null }
          yield* payouts.insert({ payout, put: [item.success] })
        }
      }),
    )
    yield* (yield* Collaborators).create(accountId, { id: "ada", currency: "USD" })
    const link = { type: "products.all" }
    yield* (yield* ProductGroups).create(accountId, "ada", { link, percent: "10" })
  })

const orderOf = (number) => ({
  ...{ id: `o${number}`, currency: "USD" },
  items: [{ id: "1", product: { id: `p${number % 50}` }, quantity: 1, amount: 1_000 + number }],
})

/** One job of each kind of an account, and so many that record a sale. */
const jobsOf = (accountId, sales) => [
  { kind: "close-due", accountId },
  { kind: "pay", accountId, rail: "fake" },
  ...Array.from({ length: sales }, (_, number) => ({
    ...{ kind: "record-sales", accountId, id: `s${number}`, orders: [orderOf(number)] },
  })),
]

const nameOf = (number) => `account-${String(number).padStart(3, "0")}`

/** The rail's own book of what it paid. */
const startRail = async () => {
  const known = new Map()
  const book = []
  const server = createHttp(async (request, response) => {
    let text = ""
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text)
    const answer = (value) => response.end(JSON.stringify(value))
    if (request.url === "/find") return answer(known.get(body.key) ?? { type: "absent" })
    if (!known.has(body.key)) {
      book.push(body)
      const at = Math.floor(Date.now() / 1_000)
      known.set(body.key, { type: "confirmed", at, reference: `r${book.length}`, fee: 0 })
    }
    await sleep(20)
    answer(known.get(body.key))
  })
  await new Promise((done) => server.listen(0, "127.0.0.1", done))
  return { book, server, url: `http://127.0.0.1:${server.address().port}` }
}

/** What stands between a runner and the database, and lets nothing through while it is cut. */
const startProxy = async (target) => {
  const sockets = new Set()
  let isCut = false
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1")
    const pair = { near, far }
    sockets.add(pair)
    const pass = (from, to) => {
      from.on("data", (data) => to.write(data))
      from.on("error", () => {})
      from.on("close", () => {
        to.destroy()
        sockets.delete(pair)
      })
    }
    pass(near, far)
    pass(far, near)
    if (isCut) [near, far].map((socket) => socket.pause())
  })
  await new Promise((done) => server.listen(0, "127.0.0.1", done))
  return {
    port: server.address().port,
    cut: () => {
      isCut = true
      for (const { near, far } of sockets) [near, far].map((socket) => socket.pause())
    },
    // What was sent meanwhile arrives late, or never.
    heal: (isLost) => {
      isCut = false
      for (const { near, far } of sockets) {
        if (isLost) [near, far].map((socket) => socket.destroy())
        else [near, far].map((socket) => socket.resume())
      }
    },
    stop: () => server.close(),
  }
}

// Watching.

const ask = (looking, statement, parameters = []) =>
  looking.runPromise(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement, parameters)),
  )

const countDone = async (looking) => {
  const [{ left }] = await ask(
    looking,
    "SELECT count(*)::int AS left FROM apportion_cluster.jobs WHERE state = 'waiting'",
  )
  return left
}

/** Waits until all is done, and gives how long that took. */
const untilDone = async (looking, limit = 900_000) => {
  const began = Date.now()
  for (;;) {
    const left = await countDone(looking).catch(() => -1)
    if (process.env.CLUSTER_TRACE)
      console.log(
        Date.now() - began,
        left,
        JSON.stringify(
          await ask(
            looking,
            "SELECT kind, count(*) FILTER (WHERE is_active)::int AS active, count(*) FILTER (WHERE wake_at IS NOT NULL)::int AS waiting, sum(turn)::int AS turns, max(step)::int AS step FROM apportion_cluster.lanes GROUP BY kind",
          ),
        ),
      )
    if (left === 0) return Date.now() - began
    if (Date.now() - began > limit) throw new Error(`${left} jobs are left`)
    await sleep(100)
  }
}

/** How long it takes until every turn that is under way has moved on, in milliseconds. */
const untilAllMoved = async (looking, limit = 120_000) => {
  const active =
    "SELECT account_id || ' ' || kind || ' ' || turn AS name, step::int AS step FROM apportion_cluster.lanes WHERE is_active"
  const before = new Map((await ask(looking, active)).map(({ name, step }) => [name, step]))
  const began = Date.now()
  while (Date.now() - began < limit) {
    const after = new Map((await ask(looking, active)).map(({ name, step }) => [name, step]))
    if (![...before].some(([name, step]) => after.get(name) === step)) return Date.now() - began
    await sleep(50)
  }
  return limit
}

/** Compares what the triggers counted with what there was to do. */
const judge = async (looking, { accounts, sales, book }) => {
  const counts = await ask(
    looking,
    `SELECT kind, count(*)::int AS all, count(DISTINCT (account_id, name))::int AS different FROM public.effects
      WHERE kind <> 'job pay' AND kind <> 'job close-due' GROUP BY kind ORDER BY kind`,
  )
  const found = Object.fromEntries(counts.map(({ kind, ...count }) => [kind, count]))
  const expected = {
    closed: accounts * payoutsOfEach,
    sold: accounts * sales,
    "job record-sales": accounts * sales,
  }
  const wrong = Object.entries(expected).filter(
    ([kind, count]) => found[kind]?.all !== count || found[kind]?.different !== count,
  )
  const keys = new Set(book.map(({ key }) => key))
  const paid = { book: book.length, keys: keys.size }
  let differences = 0
  for (let number = 0; number < accounts; number += 10) {
    const audit = await looking.runPromise(
      Effect.flatMap(Audit, ({ payouts }) => payouts(nameOf(number))),
    )
    differences += audit.differences.length
  }
  const isRight =
    wrong.length === 0 &&
    paid.keys === paid.book &&
    paid.book >= accounts * payableOfEach &&
    differences === 0
  console.log(JSON.stringify({ effects: found, paid, differences }))
  console.log(isRight ? "every effect happened exactly once" : `WRONG: ${JSON.stringify(wrong)}`)
  return isRight
}

const percentile = (values, part) =>
  [...values].sort((left, right) => left - right)[
    Math.min(values.length - 1, Math.floor(values.length * part))
  ]

const told = (values) =>
  `median ${percentile(values, 0.5)} ms, p95 ${percentile(values, 0.95)} ms, longest ${Math.max(...values)} ms (${values.length})`

// What is broken.

const breaking = {
  runners: async ({ looking, runners, start }, kills) => {
    const times = []
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(200 + random() * 800)
      const place = Math.floor(random() * runners.length)
      await runners[place].end("SIGKILL")
      // From time to time it stays away until the others have gone on with all that it had.
      if (kill % 10 === 0) times.push(await untilAllMoved(looking))
      runners[place] = await start(place)
      if (kill % 20 === 0) console.log(`${kill} kills, ${await countDone(looking)} jobs left`)
    }
    console.log(`${kills} kills; others went on with everything after: ${told(times)}`)
  },
  restart: async ({ looking, runners, start }, restarts) => {
    const times = []
    for (let number = 0; number < restarts; number += 1) {
      await sleep(500)
      const place = number % runners.length
      await runners[place].end("SIGTERM")
      times.push(await untilAllMoved(looking))
      runners[place] = await start(place)
    }
    console.log(`${restarts} restarts; others went on with everything after: ${told(times)}`)
  },
  database: async ({ looking, server }, kills) => {
    const times = []
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(1_000 + random() * 2_000)
      await server.kill()
      await sleep(random() * 1_000)
      await server.restart()
      const began = Date.now()
      for (;;) {
        const moved = await untilAllMoved(looking).catch(() => undefined)
        if (moved !== undefined) break
        await sleep(100)
      }
      times.push(Date.now() - began)
      console.log(`${kill + 1} kills, ${await countDone(looking).catch(() => "?")} jobs left`)
    }
    console.log(`${kills} kills; everything went on after: ${told(times)}`)
  },
  network: async ({ looking, proxies }, cuts) => {
    const times = []
    for (let cut = 0; cut < cuts; cut += 1) {
      await sleep(1_000 + random() * 1_000)
      const proxy = proxies[cut % proxies.length]
      proxy.cut()
      times.push(await untilAllMoved(looking))
      proxy.heal(cut % 2 === 0)
      console.log(`${cut + 1} cuts, ${await countDone(looking)} jobs left`)
    }
    console.log(`${cuts} cuts; others went on with everything after: ${told(times)}`)
  },
}

/** Times of the accounts that have one job each, beside one that has many. */
const fair = async ({ looking }, many) => {
  const others = Array.from({ length: 100 }, (_, number) => nameOf(number + 1))
  await looking.runPromise(
    Effect.gen(function* () {
      const jobs = yield* Jobs
      for (let from = 0; from < many; from += 10_000) {
        const count = Math.min(10_000, many - from)
        yield* jobs.enqueue(
          Array.from({ length: count }, (_, place) => ({
            ...{ kind: "record-sales", accountId: nameOf(0), id: `s${from + place}` },
            orders: [orderOf(from + place)],
          })),
        )
      }
    }),
  )
  console.log(`${many} jobs of one account are enqueued`)
  const timesOf = async () => {
    const times = []
    const suffix = Math.random().toString(36).slice(2)
    for (const accountId of others) {
      await sleep(50)
      const id = `alone-${suffix}`
      const job = { kind: "record-sales", accountId, id, orders: [orderOf(suffix)] }
      const began = Date.now()
      await looking.runPromise(
        Effect.flatMap(Jobs, ({ enqueue }) =>
          enqueue([{ ...job, orders: [{ ...orderOf(1), id }] }]),
        ),
      )
      times.push(
        (async () => {
          for (;;) {
            const name = { accountId, kind: "record-sales", key: id }
            const found = await looking.runPromise(Effect.flatMap(Jobs, ({ get }) => get(name)))
            if (found?.state !== "waiting") return Date.now() - began
            await sleep(20)
          }
        })(),
      )
    }
    return Promise.all(times)
  }
  const p99 = (times) => `median ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`
  const beside = await timesOf()
  const [{ left }] = await ask(
    looking,
    "SELECT count(*)::int AS left FROM apportion_cluster.jobs WHERE state = 'waiting' AND account_id = $1",
    [nameOf(0)],
  )
  console.log(`beside an account with ${many} jobs (${left} left): ${p99(beside)}`)
  await ask(looking, "DELETE FROM apportion_cluster.jobs WHERE account_id = $1", [nameOf(0)])
  await sleep(1_000)
  console.log(`alone: ${p99(await timesOf())}`)
}

const main = async ([mode = "runners", given = "20", size = "10000"]) => {
  const { startServer } = await import("../sql/crash/CrashingServer.ts")
  const server = await startServer()
  const url = await server.newDatabase("cluster")
  const rail = await startRail()
  const looking = ManagedRuntime.make(
    Layer.provideMerge(Jobs.layer, servicesOf(url, rail.url)).pipe(Layer.provideMerge(quiet)),
  )
  const accounts = mode === "fair" ? 101 : accountCount
  const count = mode === "scale" ? Number(given) : runnerCount
  const jobs = Number(mode === "fair" ? 0 : size)
  const sales = Math.max(0, Math.floor(jobs / accounts) - 2)
  for (let number = 0; number < accounts; number += 1) {
    await looking.runPromise(openAccount(nameOf(number), mode === "fair" ? 0 : undefined))
  }
  for (const trigger of triggers) await ask(looking, trigger)
  const proxies =
    mode === "network"
      ? await Promise.all(Array.from({ length: count }, () => startProxy(server.port)))
      : []
  const urlOf = (place) => {
    if (mode !== "network") return url
    const through = new URL(url)
    through.port = String(proxies[place].port)
    return through.href
  }
  const start = (place) => startRunner(urlOf(place), rail.url, firstPort + place)
  const runners = []
  for (let place = 0; place < count; place += 1) runners.push(await start(place))
  await sleep(12_000)
  const parts = { looking, runners, server, proxies, start }
  let isRight = true
  if (mode === "fair") {
    await fair(parts, Number(given))
  } else {
    const all = Array.from({ length: accounts }, (_, number) =>
      jobsOf(nameOf(number), sales),
    ).flat()
    const enqueue = Effect.flatMap(Jobs, (service) =>
      Effect.forEach(
        Array.from({ length: Math.ceil(all.length / 1_000) }, (_, part) =>
          all.slice(part * 1_000, part * 1_000 + 1_000),
        ),
        (part) => service.enqueue(part),
        { discard: true },
      ),
    )
    const began = Date.now()
    await looking.runPromise(enqueue)
    console.log(
      `${all.length} jobs of ${accounts} accounts are enqueued after ${Date.now() - began} ms, for ${count} runners`,
    )
    if (breaking[mode] !== undefined) await breaking[mode](parts, Number(given))
    await untilDone(looking)
    const seconds = (Date.now() - began) / 1_000
    console.log(
      `done after ${seconds.toFixed(1)} s: ${(all.length / seconds).toFixed(0)} jobs a second`,
    )
    isRight = await judge(looking, { accounts, sales, book: rail.book })
  }
  console.log(
    JSON.stringify(await looking.runPromise(Effect.flatMap(Jobs, ({ figures }) => figures))),
  )
  for (const proxy of proxies) proxy.heal(true)
  for (const runner of runners) await runner.end("SIGKILL")
  await looking.dispose()
  rail.server.close()
  rail.server.closeAllConnections()
  await server.stop()
  process.exit(isRight ? 0 : 1)
}

const [mode, ...rest] = process.argv.slice(2)
await (mode === "work" ? work(rest) : main(process.argv.slice(2)))
