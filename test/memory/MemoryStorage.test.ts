import { MemoryStorage } from "apportion/memory"
import {
  Conflict,
  Storage,
  StorageFailure,
  type StorageService,
  type Stores,
} from "apportion/ports"
import { StorageContract } from "apportion/testing"
import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, test } from "vitest"

describe("the storage in memory keeps the contract", () => {
  for (const { name, run } of StorageContract.cases(() => MemoryStorage.make)) test(name, run)
})

describe("the storage of the layer keeps the contract", () => {
  const make = () => Effect.provide(Storage, MemoryStorage.layer)
  for (const { name, run } of StorageContract.cases(make)) test(name, run)
})

const mug = { id: "p1", name: "Mug" }

const put = ({ products }: Stores) => products.put([mug])

const stored = (storage: StorageService) =>
  storage.transaction("shop", ({ products }) => products.get(["p1"]))

const run = <A, E>(work: (storage: StorageService) => Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.flatMap(MemoryStorage.make, work))

test("an account does not wait for what another one does", async () => {
  const products = await run((storage) =>
    Effect.gen(function* () {
      const other = yield* Deferred.make<void>()
      const waiting = storage.transaction("shop", (stores) =>
        Effect.andThen(put(stores), Deferred.await(other)),
      )
      const fiber = yield* Effect.forkChild(waiting)
      yield* storage.transaction("stall", () => Deferred.succeed(other, undefined))
      yield* Fiber.join(fiber)
      return yield* stored(storage)
    }),
  )
  expect(products).toEqual([mug])
})

test("work that only reads can't write", async () => {
  const writing = (storage: StorageService) =>
    Effect.flip(storage.transaction("shop", put, { mode: "read" }))
  const failure = await run(writing)
  expect(failure).toBeInstanceOf(StorageFailure)
  expect(failure.message).toBe("storage failed: could not put products")
  expect(await run((storage) => Effect.andThen(writing(storage), stored(storage)))).toEqual([])
})

test("the stores of a transaction are of no use when it is over", async () => {
  const late = (use: (stores: Stores) => Effect.Effect<unknown, unknown>) =>
    run((storage) =>
      Effect.gen(function* () {
        const stores = yield* storage.transaction("shop", (given) => Effect.succeed(given))
        return yield* Effect.flip(use(stores))
      }),
    )
  expect(await late(put)).toBeInstanceOf(StorageFailure)
  expect(await late(({ products }) => products.get(["p1"]))).toBeInstanceOf(StorageFailure)
})

test("nothing is kept of work that looks away from a conflict", async () => {
  const answer = { key: "k1", fingerprint: "f", answer: "{}", createdAt: 1 }
  const result = await run((storage) =>
    Effect.gen(function* () {
      yield* storage.transaction("shop", ({ keys }) => keys.insert(answer))
      const work = storage.transaction("shop", (stores) =>
        Effect.andThen(put(stores), Effect.ignore(stores.keys.insert(answer))),
      )
      const failure = yield* Effect.flip(work)
      return { failure, products: yield* stored(storage) }
    }),
  )
  expect(result.failure).toBeInstanceOf(Conflict)
  expect(result.failure.message).toContain("idempotency key k1")
  expect(result.products).toEqual([])
})

test("work that throws before it begins leaves the account usable", async () => {
  const products = await run((storage) =>
    Effect.gen(function* () {
      const thrown = storage.transaction("shop", (): Effect.Effect<void> => {
        throw new RangeError("on purpose")
      })
      yield* Effect.exit(thrown)
      yield* storage.transaction("shop", put)
      return yield* stored(storage)
    }),
  )
  expect(products).toEqual([mug])
})

test("what is given out can't be changed", async () => {
  const [product] = await run((storage) =>
    Effect.andThen(storage.transaction("shop", put), stored(storage)),
  )
  expect(Object.isFrozen(product)).toBe(true)
})

test("a search that was answered is answered anew when a product, a link or a group changes", async () => {
  const found = await run((storage) =>
    Effect.gen(function* () {
      const seen: Array<number> = []
      const look = Effect.gen(function* () {
        const filter = { search: "mug", collaboratorId: "ada" }
        const list = storage.transaction("shop", ({ products }) =>
          products.list(filter, { offset: 0, limit: 5 }),
        )
        seen.push((yield* list).total)
      })
      const change = (work: (stores: Stores) => Effect.Effect<unknown, unknown>) =>
        Effect.andThen(storage.transaction("shop", work), look)
      const link = { type: "products.all", modifier: "WITH", values: [] } as const
      const terms = { condition: null, percent: "1.00", amount: null, shippingPercent: null }
      const limits = { shippingAmount: null, minAmount: null, maxAmount: null }
      const times = { startsAt: null, endsAt: null, createdAt: 1 }
      const group = { id: "g1", collaboratorId: "ada", link, deductForOtherSplits: false }
      yield* change(put)
      yield* change(({ links }) => links.add("g1", ["p1"]))
      yield* change(({ groups }) =>
        groups.insert({ group: { ...group, ...terms, ...limits, ...times }, updatedAt: 1 }),
      )
      yield* change(({ products }) => products.put([{ id: "p1", name: "Cap" }]))
      yield* change(({ products }) => products.put([mug]))
      yield* change(({ groups }) => groups.remove({ groupId: "g1", version: 1 }))
      return seen
    }),
  )
  expect(found).toEqual([0, 0, 1, 0, 1, 0])
})

test("many searches are answered right, though not all are remembered", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `item ${index}.`)
  const totals = await run((storage) =>
    Effect.gen(function* () {
      yield* storage.transaction("shop", ({ products }) =>
        products.put(names.map((name, index) => ({ id: `p${index}`, name }))),
      )
      return yield* Effect.forEach([...names, ...names], (search) =>
        storage.transaction("shop", ({ products }) =>
          Effect.map(products.list({ search }, { offset: 0, limit: 1 }), ({ total }) => total),
        ),
      )
    }),
  )
  expect(new Set(totals)).toEqual(new Set([1]))
})

test("a search for a text of two lines is not found across two texts of a product", async () => {
  const totals = await run((storage) =>
    Effect.gen(function* () {
      yield* storage.transaction("shop", ({ products }) =>
        products.put([{ id: "p1", name: "Blue", vendor: "Mug", tags: ["one\ntwo"] }]),
      )
      return yield* Effect.forEach(["blue\nmug", "one\ntwo"], (search) =>
        storage.transaction("shop", ({ products }) =>
          Effect.map(products.list({ search }, { offset: 0, limit: 1 }), ({ total }) => total),
        ),
      )
    }),
  )
  expect(totals).toEqual([0, 1])
})

test("whoever waits for an account waits as long as there is patience, and is in nobody's way then", async () => {
  const told = await run((storage) =>
    Effect.gen(function* () {
      const [begun, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const long = storage.transaction("shop", () =>
        Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(mayEnd)),
      )
      const fiber = yield* Effect.forkChild(long)
      yield* Deferred.await(begun)
      const since = Date.now()
      const patience = { since, until: since + 20 }
      const late = yield* Effect.flip(storage.transaction("shop", put, { patience }))
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(fiber)
      return { late, after: yield* stored(storage) }
    }),
  )
  expect(told.late).toMatchObject({
    _tag: "StorageFailure",
    waited: { for: "the turn of account shop", seconds: expect.any(Number) },
  })
  expect(told.after).toEqual([])
})
