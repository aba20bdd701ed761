// A shop sends its deliveries over four connections to a process that is killed again and again, with SIGKILL. Deliveries
// come twice, in another order, and are sent again when no answer came; the books in the end are those of the order of
// events in memory, to the cent. Run by hand, after a build (Node 24):
//
//   node test/deliveries/kill.mjs postgres 10 100            ten shops, the first with seed 100, on a PostgreSQL server of its own
//   node test/deliveries/kill.mjs folder 10 100              each in a folder of its own
//   node test/deliveries/kill.mjs postgres 10 100 stripe     shops that sell with Stripe; or on woocommerce
//
// KILL_ORDERS sets how many orders a shop has (450: over 2,000 deliveries), KILL_EVERY after how many answers a process is
// killed at most (150).
import { spawn } from "node:child_process"
import { Agent, createServer, request } from "node:http"
import { registerHooks } from "node:module"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { TestClock } from "effect/testing"
import { ExchangeRates } from "../../dist/ports/index.js"
import { Audit, Deliveries, servicesLayer } from "../../dist/service/index.js"
import { openPlace, runOn, storageOf } from "../sql/places.mjs"

// Node reads the TypeScript of these tests, which name each other as JavaScript.
registerHooks({
  resolve: (name, context, next) => {
    const isTest = name.startsWith(".") && context.parentURL?.endsWith(".ts")
    return next(isTest ? name.replace(/\.js$/, ".ts") : name, context)
  },
})

const { asDelivered, randomOf } = await import("./History.ts")
const { account, open, run, settings } = await import("./Shop.ts")
const { books, corrected, lacks, settle, shopify, take } = await import("./Simulation.ts")
const { stripeScene: stripe } = await import("./StripeHistory.ts")
const { woocommerce } = await import("./WooHistory.ts")

const scenes = { shopify, stripe, woocommerce }

const orders = Number(process.env.KILL_ORDERS ?? 450)
const mostBetween = Number(process.env.KILL_EVERY ?? 150)

const runtimeOf = (kind, place, migrate = false) =>
  ManagedRuntime.make(
    servicesLayer.pipe(
      Layer.provideMerge([storageOf(kind, place, { migrate }), ExchangeRates.none, settings]),
      Layer.provideMerge(Logger.layer([])),
    ),
  )

const statuses = { InvalidSignature: 401, Unreadable: 422, UnknownTopic: 404 }

const bodyOf = async (asked) => {
  const pieces = []
  for await (const piece of asked) pieces.push(piece)
  return new Uint8Array(Buffer.concat(pieces))
}

/** What is killed: it takes deliveries over HTTP, as a host does, and what the host fetched. */
const receive = async ([kind, place, platform]) => {
  const { shop } = scenes[platform]
  const runtime = runtimeOf(kind, place)
  const deliveries = await runtime.runPromise(Deliveries)
  const server = createServer(async (asked, answer) => {
    const body = await bodyOf(asked).catch(() => undefined)
    if (body === undefined) return
    const received =
      asked.url === "/fetched"
        ? deliveries.receiveFetched(account, shop, JSON.parse(new TextDecoder().decode(body)))
        : deliveries.receive(account, shop, { headers: asked.headers, body })
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

/** Posts something; `undefined` when no answer came, be it that the process died or that the sender broke off. */
const post = ({ port, agent, breakOffAfter }, path, { headers, body }) =>
  new Promise((done) => {
    const about = { port, agent, host: "127.0.0.1", method: "POST", path, headers }
    const asked = request(about, async (answer) => {
      const text = await bodyOf(answer).catch(() => undefined)
      done(text && { status: answer.statusCode, text: new TextDecoder().decode(text) })
    })
    asked.on("error", () => done(undefined))
    if (breakOffAfter !== undefined) setTimeout(() => asked.destroy(), breakOffAfter)
    asked.end(body)
  })

const postFetched = (to, topic, document) =>
  post(to, "/fetched", { headers: {}, body: JSON.stringify({ topic, document }) })

/** Sends one delivery, and what the host fetched for it. */
const sendTo = async (to, { deliveryOf, isFetched }, sent) => {
  if (isFetched?.(sent)) return (await postFetched(to, sent.topic, sent.body))?.status
  const told = await post(to, "/", await deliveryOf(sent, Math.floor(Date.now() / 1_000)))
  if (told === undefined || !lacks(sent, told.text)) return told?.status
  return (await postFetched(to, sent.fetched.topic, sent.fetched.document))?.status
}

const addTo = (tally, name) => tally.set(name, (tally.get(name) ?? 0) + 1)

/** Sends all of them over four connections, and kills who takes them, until each was answered as taken. */
const deliverAll = async (seed, all, args, tally) => {
  const scene = scenes[args[2]]
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
      const to = { port, agent, breakOffAfter: isBrokenOff ? random() * 10 : undefined }
      const status = await sendTo(to, scene, next)
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
const shopEnds = async (kind, place, platform, seed) => {
  const began = Date.now()
  const scene = scenes[platform]
  const history = scene.historyOf(seed, orders)
  const delivered = asDelivered(seed, history)
  const all = Effect.andThen(
    open,
    Effect.forEach(history, (sent) => take(scene, sent)),
  )
  const tidy = await run(Effect.andThen(Effect.andThen(all, settle(scene)), books))
  await runOn(runtimeOf(kind, place, true), open)
  const tally = new Map()
  await deliverAll(seed, delivered, [kind, place, platform], tally)
  const look = Effect.gen(function* () {
    yield* TestClock.setTime(Date.now())
    yield* settle(scene)
    const audit = yield* (yield* Audit).payouts(account)
    const differences = audit.differences.length
    return { ends: yield* books, adjusted: yield* corrected, differences }
  }).pipe(Effect.provide(TestClock.layer()), Effect.scoped)
  const { ends, adjusted, differences } = await runOn(runtimeOf(kind, place), look)
  const isSame = isDeepStrictEqual(ends, tidy) && differences === 0
  const seconds = Math.round((Date.now() - began) / 1_000)
  console.log(
    `${platform}, ${kind}, seed ${seed}: ${delivered.length} deliveries (${described(tally)}), ${tidy.shares.length} shares, ${adjusted} orders corrected, ${differences} differences in the audit, ${seconds} s: ${isSame ? "the same to the cent" : "WRONG"}`,
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

const main = async ([kind = "postgres", seeds = "10", first = "100", platform = "shopify"]) => {
  let isRight = true
  for (let seed = Number(first); seed < Number(first) + Number(seeds); seed += 1) {
    const { place, close } = await openPlace(kind)
    isRight = (await shopEnds(kind, place, platform, seed)) && isRight
    await close()
  }
  process.exit(isRight ? 0 : 1)
}

const [mode, ...rest] = process.argv.slice(2)
await (mode === "receive" ? receive(rest) : main(process.argv.slice(2)))
