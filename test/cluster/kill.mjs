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
// The last number is how many jobs there are (10000). CLUSTER_RUNNERS sets how many runners there are (3),
// CLUSTER_ACCOUNTS how many accounts (100), CLUSTER_PORT the first port of them (41700), CLUSTER_SEED the seed,
// CLUSTER_SECONDS for how long things are broken at the most; with CLUSTER_LOG they log.
import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { PgClient } from "@effect/sql-pg"
import { Jobs, runnerLayer } from "apportion/cluster"
import { ExchangeRates, fromPlainRail, paymentRails } from "apportion/ports"
import { Audit, servicesLayer } from "apportion/service"
import { SqlStorage } from "apportion/sql"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { railAt, startRail } from "../payments/fakeRail.mjs"
import { startProxy } from "../sql/crash/Proxy.ts"
import { countEffects, effects, openAccount, orderOf, recording } from "./shop.ts"

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

const servicesOf = (url, rail, connections = 12) => {
  const client = PgClient.layer({
    ...{ url: Redacted.make(url), maxConnections: connections },
    startupParameters: { lock_timeout: "10s", idle_in_transaction_session_timeout: "10s" },
  })
  const storage = Layer.provideMerge(
    SqlStorage.layer({ migrate: true, patience: "10 seconds" }),
    client,
  )
  return servicesLayer.pipe(
    Layer.provide([paymentRails([fromPlainRail(railAt(rail))]), ExchangeRates.none]),
    Layer.provideMerge(storage),
  )
}

const quiet = Logger.layer(
  process.env.CLUSTER_LOG === undefined
    ? []
    : [Logger.map(Logger.formatLogFmt, (line) => process.stderr.write(`${line}\n`))],
)

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

/** How many seconds of processor time a process took, as the kernel counts them: hundredths. */
const secondsOf = async (pid) => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
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
  return { seconds: () => secondsOf(child.pid), end }
}

// What is done.

/** One job of each kind of an account, and so many that record a sale. */
const jobsOf = (accountId, sales) => [
  { kind: "close-due", accountId },
  { kind: "pay", accountId, rail: "fake" },
  ...Array.from({ length: sales }, (_, number) => recording(accountId, `s${number}`)),
]

const nameOf = (number) => `account-${String(number).padStart(3, "0")}`

const enqueue = (looking, jobs) =>
  looking.runPromise(Effect.flatMap(Jobs, (service) => service.enqueue(jobs)))

const enqueueAll = async (looking, jobs) => {
  for (let from = 0; from < jobs.length; from += 1_000) {
    await enqueue(looking, jobs.slice(from, from + 1_000))
  }
}

// Watching.

const ask = (looking, statement, parameters = []) =>
  looking.runPromise(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement, parameters)),
  )

const countLeft = async (looking) => {
  const [{ left }] = await ask(
    looking,
    "SELECT count(*)::int AS left FROM apportion_cluster.jobs WHERE state = 'waiting'",
  )
  return left
}

/** Waits until all is done. */
const untilDone = async (looking, limit = 1_800_000) => {
  const began = Date.now()
  for (;;) {
    const left = await countLeft(looking).catch(() => -1)
    if (left === 0) return
    if (Date.now() - began > limit) throw new Error(`${left} jobs are left`)
    await sleep(250)
  }
}

/** How long it takes until others have all that was a runner's, in milliseconds. */
const untilTaken = async (looking, place) => {
  const began = Date.now()
  const locks = "SELECT 1 FROM apportion_cluster_locks WHERE address = $1"
  while ((await ask(looking, locks, [`127.0.0.1:${firstPort + place}`])).length > 0) await sleep(50)
  return Date.now() - began
}

/**
 * How long it takes until every turn that is under way has moved on, in milliseconds: with more to do than the runners are
 * up to, turns wait for a slot as well.
 */
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
  const found = await looking.runPromise(Effect.flatMap(SqlClient.SqlClient, (sql) => effects(sql)))
  const expected = {
    closed: accounts * payoutsOfEach,
    placed: accounts * sales,
    "record-sales": accounts * sales,
  }
  const wrong = Object.entries(expected).filter(([what, count]) => {
    const [things, most] = found[what] ?? [0, 0]
    return things !== count || (count > 0 && most !== 1)
  })
  const keys = new Set(book.map(({ key }) => key))
  let differences = 0
  for (let number = 0; number < accounts; number += 1) {
    const audit = await looking.runPromise(
      Effect.flatMap(Audit, ({ payouts }) => payouts(nameOf(number))),
    )
    differences += audit.differences.length
  }
  const isPaid = keys.size === book.length && book.length >= accounts * payableOfEach
  const isRight = wrong.length === 0 && isPaid && differences === 0
  console.log(JSON.stringify({ effects: found, paid: book.length, keys: keys.size, differences }))
  console.log(isRight ? "every effect happened exactly once" : `WRONG: ${JSON.stringify(wrong)}`)
  return isRight
}

const percentile = (values, part) =>
  [...values].sort((left, right) => left - right)[
    Math.min(values.length - 1, Math.floor(values.length * part))
  ]

const told = (values) =>
  values.length === 0
    ? "never looked at"
    : `median ${percentile(values, 0.5)} ms, p95 ${percentile(values, 0.95)} ms, longest ${Math.max(...values)} ms (${values.length})`

// What is broken.

const lasts = Number(process.env.CLUSTER_SECONDS ?? Number.POSITIVE_INFINITY) * 1_000

/** Does it so many times, or until its time is up; gives how often it was done. */
const repeatedly = async (times, work) => {
  const began = Date.now()
  let done = 0
  while (done < times && Date.now() - began < lasts) {
    await work(done)
    done += 1
  }
  return done
}

const breaking = {
  runners: async ({ looking, runners, start }, kills) => {
    const times = []
    const moves = []
    const done = await repeatedly(kills, async (kill) => {
      await sleep(200 + random() * 800)
      const place = Math.floor(random() * runners.length)
      await runners[place].end("SIGKILL")
      // From time to time it stays away until the others have all that it had, or have gone on with it too.
      if (kill % 10 === 9) {
        const moving = kill % 50 === 49 ? untilAllMoved(looking) : undefined
        times.push(await untilTaken(looking, place))
        if (moving !== undefined) moves.push(await moving)
        console.log(`${kill + 1} kills, ${await countLeft(looking)} left, ${times.at(-1)} ms`)
      }
      runners[place] = await start(place)
    })
    console.log(`${done} kills; others had all that was the runner's after: ${told(times)}`)
    console.log(`and had gone on with every turn after: ${told(moves)}`)
  },
  restart: async ({ looking, runners, start }, restarts) => {
    const times = []
    const done = await repeatedly(restarts, async (number) => {
      await sleep(500)
      const place = number % runners.length
      await runners[place].end("SIGTERM")
      times.push(await untilTaken(looking, place))
      runners[place] = await start(place)
      console.log(`${number + 1} restarts, ${await countLeft(looking)} left, ${times.at(-1)} ms`)
    })
    console.log(`${done} restarts; others had all that was the runner's after: ${told(times)}`)
  },
  database: async ({ looking, server }, kills) => {
    const times = []
    const done = await repeatedly(kills, async (kill) => {
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
      const left = await countLeft(looking).catch(() => "?")
      console.log(`${kill + 1} kills, ${left} left, ${times.at(-1)} ms`)
    })
    console.log(`${done} kills; every turn went on after: ${told(times)}`)
  },
  network: async ({ looking, proxies }, cuts) => {
    const times = []
    const moves = []
    const done = await repeatedly(cuts, async (cut) => {
      await sleep(1_000 + random() * 1_000)
      const place = cut % proxies.length
      proxies[place].interrupt()
      const [time, moved] = await Promise.all([untilTaken(looking, place), untilAllMoved(looking)])
      times.push(time)
      moves.push(moved)
      // What was sent meanwhile arrives late, or never.
      proxies[place].heal(cut % 2 === 0)
      console.log(`${cut + 1} cuts, ${await countLeft(looking)} left, ${time} and ${moved} ms`)
    })
    console.log(`${done} cuts; others had all that was the runner's after: ${told(times)}`)
    console.log(`and had gone on with every turn after: ${told(moves)}`)
  },
}

/** How long a job of each account takes that is enqueued one after the other. */
const timesOf = async (looking, accountIds) => {
  const suffix = Math.random().toString(36).slice(2)
  const timeOf = async (accountId) => {
    const began = Date.now()
    await enqueue(looking, [recording(accountId, `alone-${suffix}`)])
    const name = { accountId, kind: "record-sales", key: `alone-${suffix}` }
    for (;;) {
      const found = await looking.runPromise(Effect.flatMap(Jobs, ({ get }) => get(name)))
      if (found?.state !== "waiting") return Date.now() - began
      await sleep(20)
    }
  }
  const times = []
  for (const accountId of accountIds) {
    await sleep(50)
    times.push(timeOf(accountId))
  }
  const all = await Promise.all(times)
  return `median ${percentile(all, 0.5)} ms, p99 ${percentile(all, 0.99)} ms`
}

/** Times of the accounts that have one job each, beside one that has many. */
const fair = async ({ looking }, many) => {
  const others = Array.from({ length: 100 }, (_, number) => nameOf(number + 1))
  console.log(`100 accounts alone: ${await timesOf(looking, others)}`)
  for (let from = 0; from < many; from += 1_000) {
    const part = Array.from({ length: Math.min(1_000, many - from) }, (_, place) =>
      recording(nameOf(0), `s${from + place}`, [orderOf(`o${from + place}`)]),
    )
    await enqueue(looking, part)
  }
  console.log(`${many} jobs of one account are enqueued`)
  for (let time = 0; time < 3; time += 1) {
    const beside = await timesOf(looking, others)
    console.log(`beside an account with ${await countLeft(looking)} jobs: ${beside}`)
  }
}

/** All jobs, with what is broken meanwhile. */
const mixed = async ({ mode, looking, runners, rail, ...parts }, { given, jobs, accounts }) => {
  const sales = Math.max(0, Math.floor(jobs / accounts) - 2)
  const all = Array.from({ length: accounts }, (_, number) => jobsOf(nameOf(number), sales)).flat()
  const before = await Promise.all(runners.map(({ seconds }) => seconds()))
  const began = Date.now()
  await enqueueAll(looking, all)
  const enqueued = Date.now() - began
  console.log(
    `${all.length} jobs of ${accounts} accounts, enqueued in ${enqueued} ms, for ${runners.length} runners`,
  )
  await breaking[mode]?.({ looking, runners, ...parts }, given)
  await untilDone(looking)
  const seconds = (Date.now() - began) / 1_000
  const perSecond = (all.length / seconds).toFixed(0)
  console.log(`done after ${seconds.toFixed(1)} s: ${perSecond} jobs a second`)
  if (breaking[mode] === undefined) {
    const after = await Promise.all(runners.map((runner) => runner.seconds()))
    const processor = after.map((value, place) => (value - before[place]).toFixed(1))
    console.log(`processor seconds of the runners: ${processor.join(", ")}`)
  }
  return judge(looking, { accounts, sales, book: rail.book })
}

const main = async ([mode = "runners", number = "20", size = "10000"]) => {
  const given = Number(number)
  // It ends its process on SIGTERM by itself, which a runner must not.
  const { startServer } = await import("../sql/crash/CrashingServer.ts")
  const server = await startServer()
  const url = await server.newDatabase("cluster")
  const { rail, stop, url: railUrl } = await startRail()
  const looking = ManagedRuntime.make(
    Layer.provideMerge(Jobs.layer, servicesOf(url, railUrl)).pipe(Layer.provideMerge(quiet)),
  )
  const accounts = mode === "fair" ? 101 : accountCount
  const [dueCount, payable] = mode === "fair" ? [0, 0] : [payoutsOfEach, payableOfEach]
  for (let place = 0; place < accounts; place += 1) {
    await looking.runPromise(openAccount(nameOf(place), dueCount, payable))
  }
  await looking.runPromise(Effect.flatMap(SqlClient.SqlClient, (sql) => countEffects(sql)))
  const count = mode === "scale" ? given : runnerCount
  const proxies = []
  if (mode === "network") {
    for (let place = 0; place < count; place += 1) proxies.push(await startProxy(server.port))
  }
  const urlOf = (place) => {
    if (mode !== "network") return url
    const through = new URL(url)
    through.port = String(proxies[place].port)
    return through.href
  }
  const start = (place) => startRunner(urlOf(place), railUrl, firstPort + place)
  const runners = []
  for (let place = 0; place < count; place += 1) runners.push(await start(place))
  await sleep(12_000)
  const parts = { mode, looking, runners, server, proxies, rail, start }
  const isRight =
    mode === "fair"
      ? await fair(parts, given).then(() => true)
      : await mixed(parts, { given, jobs: Number(size), accounts })
  const figures = Effect.flatMap(Jobs, (jobs) => jobs.figures)
  console.log(JSON.stringify(await looking.runPromise(figures)))
  for (const runner of runners) await runner.end("SIGKILL")
  for (const proxy of proxies) await proxy.stop()
  await looking.dispose()
  stop()
  await server.stop()
  process.exit(isRight ? 0 : 1)
}

const [mode, ...rest] = process.argv.slice(2)
await (mode === "work" ? work(rest) : main(process.argv.slice(2)))
