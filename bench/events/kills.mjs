// Kills a process that records, again and again, and looks whether every change has its event and every event its
// change: `node bench/events/kills.mjs folder|postgres [how many kills]`, after a build.
import { strict as assert } from "node:assert"
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { ExchangeRates } from "../../dist/ports/index.js"
import {
  Audit,
  Collaborators,
  Events,
  Payouts,
  ProductGroups,
  Sales,
  servicesLayer,
} from "../../dist/service/index.js"
import { startServer } from "../sql/database.mjs"
import { storageOf } from "./storage.mjs"

const [, , kind = "folder", count = "150"] = process.argv
const kills = Number(count)
const shop = "shop"
// A folder takes longer for its first sale.
const longest = kind === "folder" ? 3_000 : 500
const folder = await mkdtemp(join(tmpdir(), "apportion-kills-"))
const server = kind === "postgres" ? await startServer() : undefined
const place = server === undefined ? join(folder, "data") : server.url()

/** All pages of a list, or all parts of what comes after a number. */
const all = (read) =>
  Effect.gen(function* () {
    const found = []
    for (let page = 1; ; page += 1) {
      const next = yield* read(page, found.at(-1))
      found.push(...next)
      if (next.length === 0) return found
    }
  })

const look = Effect.gen(function* () {
  const [events, sales, payouts] = [yield* Events, yield* Sales, yield* Payouts]
  const told = yield* all((_, last) => events.after(shop, last?.number ?? 0, 1_000))
  for (const [index, { number }] of told.entries()) assert.equal(number, index + 1, "a gap")
  assert.equal(new Set(told.map(({ id }) => id)).size, told.length, "an id twice")
  const perPage = 100
  const parts = yield* all((page) =>
    Effect.map(sales.list(shop, {}, { page, perPage }), ({ entries }) => entries),
  )
  const listed = yield* all((page) =>
    Effect.map(payouts.list(shop, {}, { page, perPage }), ({ entries }) => entries),
  )
  const items = []
  for (const { payout } of listed) {
    const history = yield* all((_, last) =>
      payouts.history(shop, payout.id, { after: last?.version ?? 0, limit: 1_000 }),
    )
    for (const { put } of history)
      for (const item of put) if (item.kind === "expense") items.push(item.id)
  }
  const collaborators = (yield* (yield* Collaborators).list(shop, { page: 1, perPage })).entries
  const groups = yield* ProductGroups
  const made = []
  for (const { collaborator } of collaborators) {
    made.push(...(yield* groups.list(shop, collaborator.id, { page: 1, perPage })).entries)
  }
  const changes = {
    "collaborator.created": collaborators.map(({ collaborator }) => collaborator.id),
    "group.created": made.map(({ group }) => group.id),
    "sale.recorded": parts.map(({ orderId, part }) => `${orderId}/${part}`),
    "refund.recorded": parts.flatMap(({ refunds }) => refunds.map(({ id }) => id)),
    "payout.opened": listed.map(({ payout }) => payout.id),
    "expense.added": items,
  }
  const nameOf = {
    "collaborator.created": ({ collaboratorId }) => collaboratorId,
    "group.created": ({ groupId }) => groupId,
    "sale.recorded": ({ orderId, part }) => `${orderId}/${part}`,
    "refund.recorded": ({ refundId }) => refundId,
    "payout.opened": ({ payoutId }) => payoutId,
    "expense.added": ({ itemId }) => itemId,
  }
  for (const [type, names] of Object.entries(changes)) {
    const of = told.filter((event) => event.type === type).map(({ data }) => nameOf[type](data))
    assert.deepEqual(of.toSorted(), names.toSorted(), type)
  }
  assert.deepEqual(
    told.filter(({ type }) => !(type in changes) && type !== "group.linked"),
    [],
  )
  // What led to what: a sale before its refund, that before the expense.
  const places = new Map(
    told.map(({ type, data, number }) => [`${type} ${nameOf[type]?.(data)}`, number]),
  )
  for (const { orderId, refunds } of parts) {
    if (refunds.length === 0) continue
    const refund = places.get(`refund.recorded refund of ${orderId}`)
    assert.ok(places.get(`sale.recorded ${orderId}/1`) < refund, orderId)
    const expense = places.get(`expense.added expense of ${orderId}`)
    assert.ok(expense === undefined || refund < expense, orderId)
  }
  const audited = yield* (yield* Audit).payouts(shop)
  return { events: told.length, sales: parts.length, audited }
})

const check = async () => {
  const services = Layer.provide(servicesLayer, [storageOf(kind, place), ExchangeRates.none])
  const runtime = ManagedRuntime.make(Layer.provideMerge(services, Logger.layer([])))
  const seen = await runtime.runPromise(look)
  await runtime.dispose()
  return seen
}

try {
  for (let run = 1; run <= kills; run += 1) {
    const child = fork(join(import.meta.dirname, "recorder.mjs"), [kind, place, `run ${run}`])
    const exit = once(child, "exit")
    await Promise.race([once(child, "message"), exit.then(() => assert.fail("it ended by itself"))])
    await wait(100 + Math.random() * longest)
    child.kill("SIGKILL")
    await exit
    if (run % 20 === 0 || run === kills) {
      const { events, sales } = await check()
      console.log(
        `${kind}: ${run} kills, ${events} events, ${sales} sales: no gap, no event or change alone`,
      )
    }
  }
} finally {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
}
