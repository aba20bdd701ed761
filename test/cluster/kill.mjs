// Carries out jobs on several runners, breaks things on purpose, and looks at what triggers in the database have counted:
// each effect happened exactly once. Run by hand, after a build (Node 24):
//
//   node test/cluster/kill.mjs scale 2 10000     jobs a second of 2 runners, and what they wait for
//   node test/cluster/kill.mjs runners 200       kills runners with SIGKILL, so many times
//   node test/cluster/kill.mjs restart 20        ends runners with SIGTERM one after the other, as an upgrade does
//   node test/cluster/kill.mjs database 20       kills the database
//   node test/cluster/kill.mjs network 20        cuts a runner off from the database
//   node test/cluster/kill.mjs fair 1000000      one account with so many jobs, beside 100 with one each
//
// The last number is how many jobs there are (10000), of all five kinds. Where something is broken, a part of them is enqueued
// before each time, so that there is work to break. CLUSTER_RUNNERS sets how many runners there are (3), CLUSTER_ACCOUNTS how
// many accounts (100), CLUSTER_PORT the first port of them (21700), CLUSTER_SEED the seed, CLUSTER_SECONDS for how long things
// are broken at the most; with CLUSTER_LOG they log.
import { spawn } from "node:child_process"
import { readdir, readFile } from "node:fs/promises"
import { cpus } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { PgClient } from "@effect/sql-pg"
import { Jobs, runnerLayer } from "apportion/cluster"
import { connectedShops, ExchangeRates, fromPlainRail, paymentRails } from "apportion/ports"
import { Audit, servicesLayer } from "apportion/service"
import { SqlStorage } from "apportion/sql"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { railAt, startRail } from "../payments/fakeRail.mjs"
import { startProxy } from "../sql/crash/Proxy.ts"
import {
  approveResplit,
  countEffects,
  effects,
  keepWaiting,
  openAccount,
  orderOf,
  recording,
  shopOf,
} from "./shop.ts"

const runnerCount = Number(process.env.CLUSTER_RUNNERS ?? 3)
const accountCount = Number(process.env.CLUSTER_ACCOUNTS ?? 100)
const payoutsOfEach = 20
const payableOfEach = 2
/** Sales that were recorded before, and are to be adjusted. */
const earlierOfEach = 3
const firstPort = Number(process.env.CLUSTER_PORT ?? 21_700)

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
  const shops = Array.from({ length: accountCount + 1 }, (_, number) => shopOf(nameOf(number)))
  const runtime = ManagedRuntime.make(
    Layer.provideMerge(layer, servicesOf(url, rail)).pipe(
      Layer.provideMerge([connectedShops(shops), quiet]),
    ),
  )
  await runtime.context()
  process.stdout.write("ready\n")
  process.once("SIGTERM", () => runtime.dispose().then(() => process.exit(0)))
  await new Promise(() => {})
}

// What processors do.

/** What the kernel says of a process, from its state on; the name before it stands in brackets and may hold anything. */
const statOf = async (pid) => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
}

/** Some fields of it that count hundredths of seconds, together. */
const secondsIn = (fields, places) =>
  places.reduce((sum, place) => sum + Number(fields[place] ?? 0), 0) / 100

const ownTime = [11, 12]
const timeOfEndedChildren = [13, 14]

/** How many seconds of processor time a process took. */
const secondsOf = async (pid) => secondsIn(await statOf(pid), ownTime)

/** The most memory that a process had at a time, in megabytes. */
const memoryOf = async (pid) => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
}

/** How many seconds of processor time a database took, with all its processes. */
const secondsOfDatabase = async (looking) => {
  const [{ pid }] = await ask(looking, "SELECT pg_backend_pid() AS pid")
  const postmaster = (await statOf(pid))[1]
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(all.map(statOf))
  const children = stats.filter((fields) => fields[1] === postmaster)
  const own = secondsIn(await statOf(postmaster), [...ownTime, ...timeOfEndedChildren])
  return children.reduce((sum, fields) => sum + secondsIn(fields, ownTime), own)
}

/** How many seconds the machine's processors were busy, with all that runs on it. */
const secondsOfMachine = async () => {
  const [line = ""] = (await readFile("/proc/stat", "utf8")).split("\n")
  const [user, nice, system, , , ...interrupts] = line.trim().split(/\s+/).slice(1, 8).map(Number)
  return [user, nice, system, ...interrupts].reduce((sum, value) => sum + value, 0) / 100
}

/** Starts to count processor time; gives what tells how much was taken since then. */
const startCounting = async (looking, runners) => {
  const now = async () => ({
    at: Date.now(),
    runners: await Promise.all(runners.map((runner) => runner.seconds())),
    database: await secondsOfDatabase(looking),
    own: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    machine: await secondsOfMachine(),
  })
  const before = await now()
  return async () => {
    const after = await now()
    const ofEach = after.runners.map((value, place) => value - before.runners[place])
    const ofRunners = ofEach.reduce((sum, value) => sum + value, 0)
    const database = after.database - before.database
    const own = after.own - before.own
    const seconds = (after.at - before.at) / 1_000
    const others = (after.machine - before.machine - ofRunners - database - own) / seconds
    return { ofEach, ofRunners, database, own, seconds, others }
  }
}

const toldTime = ({ ofEach, database, own, seconds, others }) =>
  `processor seconds of the runners ${ofEach.map((value) => value.toFixed(1)).join(", ")}, of the database ${database.toFixed(1)}, ` +
  `of this process ${own.toFixed(1)}, in ${seconds.toFixed(1)} s; others had ${others.toFixed(2)} of ${cpus().length} processors`

/** Looks again and again at what the connections to the database are at; gives what tells how many were at what. */
const startWatching = (looking) => {
  const counts = new Map()
  let [isOver, times] = [false, 0]
  const watch = async () => {
    while (!isOver) {
      const rows = await ask(
        looking,
        `SELECT CASE WHEN state = 'idle in transaction' THEN 'the runner, within a transaction'
            ELSE coalesce(wait_event_type || ' ' || wait_event, 'none: it works') END AS what, count(*)::int AS count
          FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' GROUP BY 1`,
      )
      times += 1
      for (const { what, count } of rows) counts.set(what, (counts.get(what) ?? 0) + count)
      await sleep(100)
    }
  }
  const watched = watch()
  return async () => {
    isOver = true
    await watched
    const sorted = [...counts].sort(([, left], [, right]) => right - left).slice(0, 8)
    return sorted.map(([what, count]) => `${what} ${(count / times).toFixed(2)}`).join("; ")
  }
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
  return { seconds: () => secondsOf(child.pid), memory: () => memoryOf(child.pid), end }
}

// What is done.

/** One job of each kind of an account, and so many that record a sale. */
const jobsOf = (accountId, sales) => [
  { kind: "close-due", accountId },
  { kind: "pay", accountId, rail: "fake" },
  { kind: "book-resplit", accountId, runId: "raise" },
  { kind: "sweep-inbox", accountId, shop: accountId },
  ...Array.from({ length: sales }, (_, number) => recording(accountId, `s${number}`)),
]

const nameOf = (number) => `account-${String(number).padStart(3, "0")}`

const enqueue = (looking, jobs) =>
  looking.runPromise(Effect.flatMap(Jobs, (service) => service.enqueue(jobs)))

/** In an order that the seed decides. */
const shuffled = (jobs) =>
  jobs
    .map((job) => ({ job, place: random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ job }) => job)

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

const activeTurns = async (looking) => {
  const rows = await ask(
    looking,
    "SELECT account_id || ' ' || kind || ' ' || turn AS name, step::int AS step FROM apportion_cluster.lanes WHERE is_active",
  )
  return new Map(rows.map(({ name, step }) => [name, step]))
}

/** How long it takes until each of some turns, or all that are under way, has moved on, in milliseconds. */
const untilMoved = async (looking, limit = 120_000) => {
  const began = Date.now()
  const before = await activeTurns(looking)
  while (Date.now() - began < limit) {
    const after = await activeTurns(looking)
    if (![...before].some(([name, step]) => after.get(name) === step)) return Date.now() - began
    await sleep(50)
  }
  return limit
}

const countEnded = async (looking) => {
  const [{ ended }] = await ask(looking, "SELECT count(*)::int AS ended FROM public.effects")
  return ended
}

/** How long it takes until something has its effect again, in milliseconds. */
const untilAnything = async (looking, limit = 120_000) => {
  const began = Date.now()
  const before = await again(() => countEnded(looking))
  while (Date.now() - began < limit) {
    if ((await again(() => countEnded(looking))) > before) return Date.now() - began
    await sleep(50)
  }
  return limit
}

/** Asks until the database answers. */
const again = async (question) => {
  for (;;) {
    const answer = await question().catch(() => undefined)
    if (answer !== undefined) return answer
    await sleep(50)
  }
}

/** Compares what the triggers counted with what there was to do. */
const judge = async (looking, { accounts, sales, book }) => {
  const found = await looking.runPromise(Effect.flatMap(SqlClient.SqlClient, (sql) => effects(sql)))
  const expected = {
    closed: accounts * payoutsOfEach,
    // With the order that came from the shop.
    sold: accounts * (sales + 1),
    adjusted: accounts * earlierOfEach,
    "record-sales": accounts * sales,
    "book-resplit": accounts,
  }
  const wrong = Object.entries(expected).filter(([what, count]) => {
    const [things, most] = found[what] ?? [0, 0]
    return things !== count || (count > 0 && most !== 1)
  })
  const [{ done }] = await ask(
    looking,
    "SELECT count(*)::int AS done FROM apportion_cluster.jobs WHERE state = 'done'",
  )
  const keys = new Set(book.map(({ key }) => key))
  let differences = 0
  for (let number = 0; number < accounts; number += 1) {
    const audits = Effect.flatMap(Audit, (audit) =>
      Effect.all([audit.payouts(nameOf(number)), audit.sales(nameOf(number))]),
    )
    for (const audit of await looking.runPromise(audits)) differences += audit.differences.length
  }
  const isPaid = keys.size === book.length && book.length >= accounts * payableOfEach
  const isDone = done === accounts * (sales + 4)
  const isRight = wrong.length === 0 && isPaid && isDone && differences === 0
  console.log(
    JSON.stringify({ effects: found, paid: book.length, keys: keys.size, done, differences }),
  )
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
    : `median ${percentile(values, 0.5)} ms, p95 ${percentile(values, 0.95)} ms, p99 ${percentile(values, 0.99)} ms, longest ${Math.max(...values)} ms (${values.length})`

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

/** What is broken, so many times. Before each time there is something to do, and it is broken while that is done. */
const breaking = {
  runners: async ({ looking, runners, start }, kills, before) => {
    const [times, moves] = [[], []]
    let busy = 0
    const done = await repeatedly(kills, async (kill) => {
      await before(kill)
      await sleep(random() * 500)
      const place = Math.floor(random() * runners.length)
      await runners[place].end("SIGKILL")
      if ((await activeTurns(looking)).size > 0) busy += 1
      // From time to time it stays away until the others have all that it had, and have gone on with it.
      if (kill % 10 === 9) {
        const [time, moved] = await Promise.all([untilTaken(looking, place), untilMoved(looking)])
        times.push(time)
        moves.push(moved)
        console.log(`${kill + 1} kills, ${await countLeft(looking)} left, ${time} and ${moved} ms`)
      }
      runners[place] = await start(place)
    })
    console.log(`${done} kills, ${busy} of them while there were turns under way`)
    console.log(`others had all that was the runner's after: ${told(times)}`)
    console.log(`and had gone on with every turn after: ${told(moves)}`)
    return done
  },
  restart: async ({ looking, runners, start }, restarts, before) => {
    const [times, ends] = [[], []]
    let busy = 0
    const done = await repeatedly(restarts, async (number) => {
      await before(number)
      await sleep(random() * 500)
      if ((await activeTurns(looking)).size > 0) busy += 1
      const place = number % runners.length
      const began = Date.now()
      const taken = untilTaken(looking, place)
      await runners[place].end("SIGTERM")
      ends.push(Date.now() - began)
      times.push(await taken)
      runners[place] = await start(place)
      console.log(`${number + 1} restarts, ${await countLeft(looking)} left, ${times.at(-1)} ms`)
    })
    console.log(`${done} restarts, ${busy} of them while there were turns under way`)
    console.log(`others had all that was the runner's after: ${told(times)}`)
    console.log(`the runner had ended after: ${told(ends)}`)
    return done
  },
  database: async ({ looking, server }, kills, before) => {
    const [times, moves] = [[], []]
    let busy = 0
    const done = await repeatedly(kills, async (kill) => {
      await before(kill)
      await sleep(random() * 1_000)
      if ((await activeTurns(looking)).size > 0) busy += 1
      await server.kill()
      await sleep(random() * 1_000)
      await server.restart()
      await again(() => activeTurns(looking))
      const [time, moved] = await Promise.all([
        untilAnything(looking),
        again(() => untilMoved(looking)),
      ])
      times.push(time)
      moves.push(moved)
      console.log(`${kill + 1} kills, ${await countLeft(looking)} left, ${time} and ${moved} ms`)
    })
    console.log(`${done} kills, ${busy} of them while there were turns under way`)
    console.log(`something was done again after: ${told(times)}`)
    console.log(`every turn had gone on after: ${told(moves)}`)
    return done
  },
  network: async ({ looking, proxies }, cuts, before) => {
    const [times, moves] = [[], []]
    let busy = 0
    const done = await repeatedly(cuts, async (cut) => {
      await before(cut)
      await sleep(random() * 500)
      if ((await activeTurns(looking)).size > 0) busy += 1
      const place = cut % proxies.length
      proxies[place].interrupt()
      const [time, moved] = await Promise.all([untilTaken(looking, place), untilMoved(looking)])
      times.push(time)
      moves.push(moved)
      // What was sent meanwhile arrives late, or never.
      proxies[place].heal(cut % 2 === 0)
      console.log(`${cut + 1} cuts, ${await countLeft(looking)} left, ${time} and ${moved} ms`)
    })
    console.log(`${done} cuts, ${busy} of them while there were turns under way`)
    console.log(`others had all that was the runner's after: ${told(times)}`)
    console.log(`and had gone on with every turn after: ${told(moves)}`)
    return done
  },
}

/** How long a job of each account takes, in milliseconds; they are enqueued one after the other. */
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
  return Promise.all(times)
}

/** Has nobody, or everybody, work for an account that has jobs waiting. */
const setWaking = async (looking, accountId, when) => {
  const set = `UPDATE apportion_cluster.lanes SET wake_at = ${when}
    WHERE account_id = $1 AND kind = 'record-sales' AND NOT is_active RETURNING 1`
  while ((await ask(looking, set, [accountId])).length === 0) await sleep(5)
}

const rounds = 4

/** Times of the accounts that have one job each: alone, and beside one that has many, in turns. */
const fair = async ({ looking, runners }, many) => {
  const others = Array.from({ length: 100 }, (_, number) => nameOf(number + 1))
  const account = nameOf(0)
  await timesOf(looking, others)
  const counted = await startCounting(looking, runners)
  for (let from = 0; from < many; from += 1_000) {
    const part = Array.from({ length: Math.min(1_000, many - from) }, (_, place) =>
      recording(account, `s${from + place}`, [orderOf(`o${from + place}`)]),
    )
    await enqueue(looking, part)
  }
  console.log(
    `${many} jobs of one account are enqueued, while runners work: ${toldTime(await counted())}`,
  )
  const all = { alone: [], beside: [] }
  const left = async () => {
    const [{ count }] = await ask(
      looking,
      "SELECT count(*)::int AS count FROM apportion_cluster.jobs WHERE account_id = $1 AND state = 'waiting'",
      [account],
    )
    return count
  }
  for (let round = 0; round < rounds; round += 1) {
    await setWaking(looking, account, "'infinity'")
    all.alone.push(...(await timesOf(looking, others)))
    await setWaking(looking, account, "clock_timestamp()")
    const [before, counting] = [await left(), await startCounting(looking, runners)]
    all.beside.push(...(await timesOf(looking, others)))
    const [after, time] = [await left(), await counting()]
    const perJob = ((time.ofRunners + time.database) / (before - after)) * 1_000
    const did = `${before - after} of its ${before} jobs were done meanwhile, ${perJob.toFixed(2)} ms of processor time each`
    console.log(`${did}; ${toldTime(time)}`)
    for (const [what, times] of Object.entries(all)) console.log(`${what}: ${told(times)}`)
  }
  const memory = await Promise.all(runners.map((runner) => runner.memory()))
  console.log(`the most memory of the runners: ${memory.join(", ")} MB`)
}

/** All jobs, with what is broken meanwhile. */
const mixed = async ({ mode, looking, runners, rail, ...parts }, { given, jobs, accounts }) => {
  const sales = Math.max(0, Math.floor(jobs / accounts) - 4)
  const all = shuffled(
    Array.from({ length: accounts }, (_, number) => jobsOf(nameOf(number), sales)).flat(),
  )
  console.log(`${all.length} jobs of ${accounts} accounts, for ${runners.length} runners`)
  const began = Date.now()
  const breaks = breaking[mode]
  if (breaks === undefined) {
    const [counted, watched] = [await startCounting(looking, runners), startWatching(looking)]
    await enqueueAll(looking, all)
    console.log(`enqueued in ${Date.now() - began} ms`)
    await untilDone(looking)
    const time = await counted()
    const perSecond = (all.length / time.seconds).toFixed(0)
    const perJob = (seconds) => `${((seconds / all.length) * 1_000).toFixed(2)} ms`
    console.log(`${perSecond} jobs a second; ${toldTime(time)}`)
    console.log(
      `a job: ${perJob(time.ofRunners)} of runners, ${perJob(time.database)} of the database`,
    )
    const [{ turns }] = await ask(
      looking,
      "SELECT sum(turn)::int AS turns FROM apportion_cluster.lanes",
    )
    console.log(`${turns} turns, of ${(all.length / turns).toFixed(1)} jobs each`)
    console.log(`connections on average: ${await watched()}`)
  } else {
    const size = Math.ceil(all.length / given)
    const before = (number) => enqueueAll(looking, all.slice(number * size, (number + 1) * size))
    const enqueueRest = async (done) => enqueueAll(looking, all.slice(done * size))
    await breaks({ looking, runners, ...parts }, given, before).then(enqueueRest)
    await untilDone(looking)
    console.log(`done after ${((Date.now() - began) / 1_000).toFixed(1)} s`)
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
    if (mode === "fair") continue
    const earlier = Array.from({ length: earlierOfEach }, (_, number) => `earlier-${number}`)
    await looking.runPromise(approveResplit(nameOf(place), "raise", earlier))
    await looking.runPromise(keepWaiting(nameOf(place)))
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
