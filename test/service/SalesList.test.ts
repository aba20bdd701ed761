import { MemoryStorage } from "apportion/memory"
import { ExchangeRates } from "apportion/ports"
import { Collaborators, ProductGroups, Sales, servicesLayer } from "apportion/service"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"

const layer = servicesLayer.pipe(
  Layer.provide([MemoryStorage.layer, ExchangeRates.none]),
  Layer.provideMerge(Logger.layer([])),
)

const run = <A, E>(program: Effect.Effect<A, E, Collaborators | ProductGroups | Sales>) =>
  Effect.runPromise(program.pipe(Effect.provide(layer), Effect.provide(TestClock.layer())))

const of = (productId: string) =>
  ({ type: "products", modifier: "WITH", values: [productId] }) as const

const item = (id: string, externalId?: string) => ({
  ...{ id, quantity: 1, amount: 1_000 },
  product: { id: `p${id}`, ...(externalId === undefined ? {} : { externalId }) },
})

/** Ada gets a share of the first product, Ben of the second; a sale each ten seconds. */
const sell = Effect.gen(function* () {
  for (const [id, productId] of [
    ["ada", "p1"],
    ["ben", "p2"],
  ] as const) {
    yield* (yield* Collaborators).create("shop", { id, currency: "USD" })
    yield* (yield* ProductGroups).create("shop", id, { link: of(productId), percent: 10 })
  }
  const sales = yield* Sales
  const baskets = [[item("1")], [item("2", "x2")], [item("1"), item("2", "x2")], [item("3")]]
  for (const [index, items] of baskets.entries()) {
    yield* TestClock.setTime(index * 10_000)
    yield* sales.record("shop", { id: `o${index}`, currency: "USD", items })
  }
})

const page = { page: 1, perPage: 15 }

test("sales are listed by collaborator, product and time, page by page", async () => {
  const lists = await run(
    Effect.gen(function* () {
      yield* sell
      const sales = yield* Sales
      const asked = [
        {},
        { collaboratorId: "ada" },
        { productId: "p2" },
        { productId: "x2" },
        { collaboratorId: "ada", productId: "p2" },
        { recorded: { from: 10, to: 20 } },
        { collaboratorId: "ben", recorded: { from: 11 } },
        { collaboratorId: "eve" },
      ]
      const found = yield* Effect.forEach(asked, (filter) => sales.list("shop", filter, page))
      const second = yield* sales.list("shop", { productId: "p2" }, { page: 2, perPage: 1 })
      return [...found, second].map(
        ({ entries, total }) => `${total}: ${entries.map(({ orderId }) => orderId).join(" ")}`,
      )
    }),
  )
  expect(lists).toEqual([
    ...["4: o0 o1 o2 o3", "2: o0 o2", "2: o1 o2", "2: o1 o2", "0: ", "2: o1 o2", "1: o2", "0: "],
    "2: o2",
  ])
})

test("a range that ends before it begins, or has no times, is refused", async () => {
  const failures = await run(
    Effect.gen(function* () {
      const sales = yield* Sales
      const asked = [{ from: 5, to: 4 }, { from: 0.5 }]
      return yield* Effect.forEach(asked, (recorded) =>
        Effect.flip(sales.list("shop", { recorded }, page)),
      )
    }),
  )
  expect(failures.map(({ _tag }) => _tag)).toEqual(["InvalidSaleFilter", "InvalidSaleFilter"])
  expect(failures[0]?.message).toContain("recorded.from: must not be after recorded.to, which is 4")
})
