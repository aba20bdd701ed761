// A shop sends its deliveries over four connections to a process that is killed again and again, with SIGKILL. Deliveries
// come twice, in another order, and are sent again when no answer came; the books in the end are those of the order of
// events in memory, to the cent. Run by hand, after a build (Node 24):
//
//   node test/deliveries/kill.mjs postgres 10 100     ten shops, the first with seed 100, on a PostgreSQL server of its own
//   node test/deliveries/kill.mjs folder 10 100       each in a folder of its own
//
// KILL_ORDERS sets how many orders a shop has (450: over 2,000 deliveries), KILL_EVERY after how many answers a process is
// killed at most (150).
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { Agent, createServer, request } from "node:http"
import { registerHooks } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { ExchangeRates } from "../../dist/ports/index.js"
import { Audit, Deliveries, servicesLayer } from "../../dist/service/index.js"
import { FolderStorage } from "../../dist/sql/folder/index.js"
import { SqlStorage } from "../../dist/sql/index.js"

// Node reads the TypeScript of these tests, which name each other as JavaScript.
registerHooks({
  resolve: (name, context, next) => {
    const isTest = name.startsWith("./") && context.parentURL?.endsWith(".ts")
    return next(isTest ? name.replace(/\.js$/, ".ts") : name, context)
  },
})

const { asDelivered, historyOf, randomOf } = await import("./History.ts")
const { account, deliveryOf, open, run, send, settings, shop } = await import("./Shop.ts")
const { books, retryAll } = await import("./Simulation.ts")

const orders = Number(process.env.KILL_ORDERS ?? 450)
const mostBetween = Number(process.env.KILL_EVERY ?? 150)

const storageOf = (kind, place, migrate) =>
  kind === "postgres"
    ? Layer.provide(
        SqlStorage.layer({ migrate }),
        PgClient.layer({ url: Redacted.make(place), maxConnections: 10 }),
      )
    : FolderStorage.layer(place)

const runtimeOf = (kind, place, migrate = false) =>
  ManagedRuntime.make(
    servicesLayer.pipe(
      Layer.provideMerge([storageOf(kind, place, migrate), ExchangeRates.none, settings]),
      Layer.provideMerge(Logger.layer([])),
    ),
  )

const onRuntime = async (kind, place, work, migrate) => {
  const runtime = runtimeOf(kind, place, migrate)
  try {
    return await runtime.runPromise(work)
  } finally {
    await runtime.dispose()
  }
}

const statuses = { InvalidSignature: 401, Unreadable: 422, UnknownTopic: 404 }

/** What is killed: it takes deliveries over HTTP, as a host does. */
const receive = async ([kind, place]) => {
  const runtime = runtimeOf(kind, place)
  const deliveries = await runtime.runPromise(Deliveries)
  const server = createServer(async (asked, answer) => {
    const pieces = []
    try {
      for await (const piece of asked) pieces.push(piece)
    } catch {
      return
    }
    const raw = { headers: asked.headers, body: new Uint8Array(Buffer.concat(pieces)) }
    const received = deliveries.receive(account, shop, raw)
    const told = await runtime.runPromise(
      Effect.match(received, {
        onSuccess: ({ outcome }) => ({ status: 200, text: outcome }),
        onFailure: ({ _tag }) => ({ status: statuses[_tag] ?? 503, text: _tag }),
      }),
    )
    answer.writeHead(told.status).end(told.text)
  })
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
}

/** A process that takes deliveries. */
const startReceiver = (args) =>
  new Promise((started, failed) => {
    const script = fileURLToPath(import.meta.url)
    const child = spawn(process.execPath, [script, "receive", ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    const ended = new Promise((done) => child.on("exit", done))
    child.stdout.once("data", (text) => started({ child, ended, port: Number(text) }))
    child.once("exit", (code) => failed(new Error(`the receiver ended with ${code}`)))
  })

/** Sends one delivery; `undefined` when no answer came, be it that the process died or that the sender broke off. */
const sendTo = (port, agent, { headers, body }, breakOffAfter) =>
  new Promise((done) => {
    const asked = request({ port, agent, host: "127.0.0.1", method: "POST", headers }, (answer) => {
      answer.resume()
      answer.on("end", () => done(answer.statusCode))
      answer.on("error", () => done(undefined))
    })
    asked.on("error", () => done(undefined))
    if (breakOffAfter !== undefined) setTimeout(() => asked.destroy(), breakOffAfter)
    asked.end(body)
  })

const addTo = (tally, name) => tally.set(name, (tally.get(name) ?? 0) + 1)

/** Sends all of them over four connections, and kills who takes them, until each was answered as taken. */
const deliverAll = async (seed, all, args, tally) => {
  const random = randomOf(seed + 13)
  const queue = [...all]
  let receiver = await startReceiver(args)
  let left = 1 + Math.floor(random() * mostBetween)
  const killReceiver = async () => {
    left = Number.POSITIVE_INFINITY
    await wait(random() * 8)
    receiver.child.kill("SIGKILL")
    await receiver.ended
    addTo(tally, "killed")
    receiver = await startReceiver(args)
    left = 1 + Math.floor(random() * mostBetween)
  }
  let killing = Promise.resolve()
  const connection = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { port } = receiver
      const isBrokenOff = random() < 0.1
      const delivery = await deliveryOf(next)
      const status = await sendTo(port, agent, delivery, isBrokenOff ? random() * 10 : undefined)
      left -= 1
      if (left === 0) killing = killReceiver()
      addTo(tally, status ?? "no answer")
      if (status !== 200) {
        queue.splice(Math.floor(random() * queue.length), 0, next)
        await killing
      }
    }
    agent.destroy()
  }
  await Promise.all([connection(), connection(), connection(), connection()])
  await killing
  receiver.child.kill("SIGKILL")
  await receiver.ended
}

const described = (tally) => [...tally].map(([name, times]) => `${name}: ${times}`).join(", ")

/** Whether the shop of a seed ends as it does in the order of events. */
const shopEnds = async (kind, place, seed) => {
  const began = Date.now()
  const history = historyOf(seed, orders)
  const delivered = asDelivered(seed, history)
  const tidy = await run(Effect.andThen(Effect.andThen(open, Effect.forEach(history, send)), books))
  await onRuntime(kind, place, open, true)
  const tally = new Map()
  await deliverAll(seed, delivered, [kind, place], tally)
  const look = Effect.gen(function* () {
    yield* retryAll
    const audit = yield* (yield* Audit).payouts(account)
    return { ends: yield* books, differences: audit.differences.length }
  })
  const { ends, differences } = await onRuntime(kind, place, look)
  const isSame = isDeepStrictEqual(ends, tidy) && differences === 0
  const seconds = Math.round((Date.now() - began) / 1_000)
  console.log(
    `${kind}, seed ${seed}: ${delivered.length} deliveries (${described(tally)}), ${tidy.shares.length} shares, ${differences} differences in the audit, ${seconds} s: ${isSame ? "the same to the cent" : "WRONG"}`,
  )
  if (!isSame) {
    for (const name of ["shares", "catalogue", "waiting"]) {
      const [mine, theirs] = [new Set(ends[name]), new Set(tidy[name])]
      console.log(name, {
        here: [...mine.difference(theirs)].slice(0, 5),
        tidy: [...theirs.difference(mine)].slice(0, 5),
      })
    }
  }
  return isSame
}

const main = async ([kind = "postgres", seeds = "10", first = "100"]) => {
  const { start } = await import("../sql/embeddedPostgres.ts")
  let isRight = true
  for (let seed = Number(first); seed < Number(first) + Number(seeds); seed += 1) {
    const folder = await mkdtemp(join(tmpdir(), "apportion-kill-"))
    const server = kind === "postgres" ? await start() : undefined
    isRight = (await shopEnds(kind, server?.url ?? join(folder, "data"), seed)) && isRight
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
  process.exit(isRight ? 0 : 1)
}

const [mode, ...rest] = process.argv.slice(2)
await (mode === "receive" ? receive(rest) : main(process.argv.slice(2)))
