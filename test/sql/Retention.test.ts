/** What is old goes in the database, also what nobody ever asked for, and beside those who write. */
import { ExchangeRates, Storage } from "apportion/ports"
import {
  Audit,
  Collaborators,
  Events,
  ProductGroups,
  Retention,
  Sales,
  type Services,
  servicesLayer,
} from "apportion/service"
import { Effect, Exit, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import { resplitBatch, resplitRun } from "../../src/testing/contracts/samples.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

const day = 86_400
const shop = "shop"

const sell = (id: number) =>
  Effect.flatMap(Sales, (sales) =>
    sales.record(shop, {
      ...{ id: `o${id}`, currency: "USD" },
      items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
    }),
  )

const open = Effect.gen(function* () {
  yield* (yield* Collaborators).create(shop, { id: "ada", currency: "USD" })
  const link = { type: "products.all" } as const
  yield* (yield* ProductGroups).create(shop, "ada", { id: "g", link, percent: "10" })
})

const all = [
  ["PGlite", pglite],
  ["PostgreSQL", postgres("retention")],
] as const

describe.each(all)("%s", (_name, layer) => {
  const client = clientFor(() => layer)

  const run = <A, E>(program: Effect.Effect<A, E, Services | Storage>) => {
    const services = servicesLayer.pipe(
      Layer.provideMerge([Layer.effect(Storage, emptyStorage(client())), ExchangeRates.none]),
      Layer.provideMerge(Logger.layer([])),
    )
    return Effect.runPromise(
      program.pipe(Effect.provide(services), Effect.provide(TestClock.layer())),
    )
  }

  const counted = (table: string) =>
    Effect.map(
      client().unsafe<{ total: number }>(`SELECT count(*)::int AS total FROM apportion.${table}`),
      ([row]) => row?.total,
    )

  test("events go that nobody ever asked for, by whichever purge", async () => {
    await run(
      Effect.gen(function* () {
        yield* open
        yield* sell(1)
        const [events, retention] = [yield* Events, yield* Retention]
        yield* TestClock.setTime(40 * day * 1_000)
        expect(yield* counted("new_events")).toBeGreaterThan(2)
        expect(yield* events.purge(shop)).toBeGreaterThan(2)
        yield* sell(2)
        yield* TestClock.setTime(80 * day * 1_000)
        const wouldGo = yield* retention.survey(shop)
        expect(wouldGo.events).toBeGreaterThan(0)
        expect(yield* retention.purge(shop)).toEqual(wouldGo)
        expect(yield* counted("new_events")).toBe(0)
        expect(yield* counted("events")).toBe(0)
      }),
    )
  })

  test("batches of a re-split go by a purge only", async () => {
    await run(
      Effect.gen(function* () {
        const storage = yield* Storage
        const booked = resplitRun("r1", { status: "booked", bookedAt: 1, batches: 2 })
        yield* storage.transaction(shop, ({ resplits }) =>
          resplits.insert(booked, [resplitBatch(1), resplitBatch(2)]),
        )
        const taken = yield* Effect.exit(client().unsafe("DELETE FROM apportion.resplit_batches"))
        expect(Exit.isFailure(taken)).toBe(true)
        yield* TestClock.setTime(400 * day * 1_000)
        const gone = yield* (yield* Retention).purge(shop, { months: 6 })
        expect(gone.resplitBatches).toBe(2)
        expect(yield* counted("resplit_runs")).toBe(1)
      }),
    )
  })

  test("sales that are recorded meanwhile are there, and each of several purges takes its own", async () => {
    await run(
      Effect.gen(function* () {
        yield* open
        for (let id = 0; id < 15; id += 1) yield* sell(id)
        yield* TestClock.setTime(40 * day * 1_000)
        const retention = yield* Retention
        const { events } = yield* retention.survey(shop)
        const purges = Effect.all([retention.purge(shop), retention.purge(shop)], {
          concurrency: "unbounded",
        })
        const selling = Effect.forEach([20, 21, 22, 23], sell, { concurrency: "unbounded" })
        const [gone] = yield* Effect.all([purges, selling], { concurrency: "unbounded" })
        expect(gone.reduce((sum, one) => sum + one.events, 0)).toBe(events)
        const audit = yield* (yield* Audit).sales(shop)
        expect(audit).toEqual({ checked: 19, differences: [], counters: [] })
        const left = yield* (yield* Events).after(shop, 0)
        expect(left.filter(({ type }) => type === "sale.recorded")).toHaveLength(4)
      }),
    )
  })
})
