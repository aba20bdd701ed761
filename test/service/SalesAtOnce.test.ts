import { Collaborator, ProductGroup } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { ExchangeRates, Storage, StorageFailure, type StorageService } from "apportion/ports"
import { Actor, defaultSettings, Sales, Settings, UnitOfWork } from "apportion/service"
import { Deferred, Effect, Exit, Fiber, Layer, Logger, References } from "effect"
import { SecureRandom } from "effect/crypto"
import { describe, expect, test } from "vitest"

// Calls that come at the same time: what is under way is held until the test lets it go on.

const order = (id: string, currency = "USD") => ({
  ...{ id, currency, createdAt: 1_700_000_000 },
  items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }],
})

interface Held {
  /** The orders that each transaction has written, of all accounts. */
  readonly written: Array<ReadonlyArray<string>>
  readonly log: Array<{ readonly orderId: unknown; readonly request: unknown }>
  /** Lets the transactions of an account go on. */
  readonly letGo: (accountId: string) => Effect.Effect<void>
  /** Waits until so many transactions of an account have begun. */
  readonly begun: (accountId: string, count: number) => Effect.Effect<void>
  /** How many transactions of an account have begun. */
  readonly count: (accountId: string) => number
  /** From now on nothing can be stored. */
  readonly breakDown: () => void
}

const holding = (inner: StorageService, kept: Held["written"]) => {
  const gates = new Map<string, Deferred.Deferred<void>>()
  const counts = new Map<string, number>()
  let isBroken = false
  const gateOf = (accountId: string) => {
    const gate = gates.get(accountId) ?? Deferred.makeUnsafe<void>()
    gates.set(accountId, gate)
    return gate
  }
  const storage: StorageService = {
    ...inner,
    transaction: (accountId, work, options) =>
      Effect.suspend(() => {
        counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
        if (isBroken) return Effect.fail(StorageFailure.of("begin a transaction", "no connection"))
        const orders: Array<string> = []
        const watched: typeof work = (stores) =>
          Effect.andThen(
            Deferred.await(gateOf(accountId)),
            work({
              ...stores,
              sales: {
                ...stores.sales,
                insertAll: (sales) => {
                  if (sales.some(({ orderId }) => orderId.startsWith("refused"))) {
                    return Effect.fail(StorageFailure.of("insert sales", "an id is too long"))
                  }
                  orders.push(...sales.map(({ orderId }) => orderId))
                  return stores.sales.insertAll(sales)
                },
              },
            }),
          )
        const done = inner.transaction(accountId, watched, options)
        return Effect.tap(done, () => Effect.sync(() => orders.length > 0 && kept.push(orders)))
      }),
  }
  return {
    storage,
    letGo: (accountId: string) => Effect.asVoid(Deferred.succeed(gateOf(accountId), undefined)),
    begun: (accountId: string, count: number) =>
      Effect.asVoid(
        Effect.repeat(Effect.yieldNow, { until: () => (counts.get(accountId) ?? 0) >= count }),
      ),
    count: (accountId: string) => counts.get(accountId) ?? 0,
    breakDown: () => {
      isBroken = true
    },
  }
}

const openShop = (storage: StorageService, accountId: string) =>
  storage.transaction(accountId, ({ collaborators, groups }) =>
    Effect.andThen(
      collaborators.insert({
        collaborator: Collaborator.make({ id: "ada", currency: "USD" }),
        ...{ createdAt: 0, updatedAt: 0 },
      }),
      groups.insert({
        group: ProductGroup.make({
          ...{ id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
        }),
        updatedAt: 0,
      }),
    ),
  )

const inShop = async (
  test: (held: Held) => Effect.Effect<void, unknown, Sales | UnitOfWork>,
  { waitSeconds }: Pick<typeof defaultSettings, "waitSeconds"> = defaultSettings,
) => {
  const inner = await Effect.runPromise(MemoryStorage.make)
  for (const id of ["shop", "other"]) await Effect.runPromise(openShop(inner, id))
  const written: Array<ReadonlyArray<string>> = []
  const log: Array<Held["log"][number]> = []
  const { storage, ...gates } = holding(inner, written)
  const logger = Logger.make<unknown, void>(({ fiber }) => {
    const { orderId, request } = fiber.getRef(References.CurrentLogAnnotations)
    log.push({ orderId, request })
  })
  const layer = Layer.mergeAll(Sales.layer, UnitOfWork.layer).pipe(
    Layer.provide([
      Layer.succeed(Storage)(storage),
      Layer.succeed(Settings)({ of: () => Effect.succeed({ ...defaultSettings, waitSeconds }) }),
      ExchangeRates.none,
      SecureRandom.layerWebCrypto,
    ]),
    Layer.provideMerge(Logger.layer([logger])),
  )
  await Effect.runPromise(Effect.provide(test({ written, log, ...gates }), layer))
}

const record = (id: string, accountId = "shop") =>
  Effect.flatMap(Sales, (sales) => sales.record(accountId, order(id)))

/** Begins calls, the first of which is held, and the others wait for it. */
const begin = Effect.fnUntraced(function* (held: Held, ids: ReadonlyArray<string>) {
  const fibers: Array<Fiber.Fiber<unknown, unknown>> = []
  for (const id of ids) {
    fibers.push(yield* Effect.forkChild(record(id)))
    if (fibers.length === 1) yield* held.begun("shop", 1)
  }
  for (let turn = 0; turn < 20; turn += 1) yield* Effect.yieldNow
  return fibers
})

const exitsOf = (fibers: ReadonlyArray<Fiber.Fiber<unknown, unknown>>) =>
  Effect.forEach(fibers, (fiber) => Fiber.await(fiber))

const recorded = (id: string, accountId = "shop") =>
  Effect.flatMap(Sales, (sales) => Effect.exit(sales.get(accountId, id))).pipe(
    Effect.map(Exit.isSuccess),
  )

describe("calls that record sales at the same time", () => {
  test("are recorded together, when they come while another one is being written", () =>
    inShop((held) =>
      Effect.gen(function* () {
        const fibers = yield* begin(held, ["a", "b", "c", "d"])
        yield* held.letGo("shop")
        const exits = yield* exitsOf(fibers)
        expect(exits.every(Exit.isSuccess)).toBe(true)
        expect(held.written).toEqual([["a"], ["b", "c", "d"]])
        yield* record("e")
        expect(held.written.at(-1)).toEqual(["e"])
      }),
    ))

  test("fail each for itself", () =>
    inShop((held) =>
      Effect.gen(function* () {
        const sales = yield* Sales
        const first = yield* begin(held, ["a", "b"])
        const euros = yield* Effect.forkChild(sales.record("shop", order("c", "EUR")))
        const fibers = [...first, euros, yield* Effect.forkChild(record("d"))]
        yield* held.letGo("shop")
        const exits = yield* exitsOf(fibers)
        expect(exits.map(Exit.isSuccess)).toEqual([true, true, false, true])
        expect(held.written.flat().toSorted()).toEqual(["a", "b", "d"])
      }),
    ))

  test("leave out one that the storage refuses, whoever comes with it", () =>
    inShop((held) =>
      Effect.gen(function* () {
        const fibers = yield* begin(held, ["a", "b", "refused", "c"])
        yield* held.letGo("shop")
        const exits = yield* exitsOf(fibers)
        expect(exits.map(Exit.isSuccess)).toEqual([true, true, false, true])
        for (const id of ["a", "b", "c"]) expect(yield* recorded(id)).toBe(true)
        expect(yield* recorded("refused")).toBe(false)
      }),
    ))

  test("leave out those that the storage refuses, however many come one after the other", () =>
    inShop((held) =>
      Effect.gen(function* () {
        const refused = ["refused 1", "refused 2", "refused 3", "refused 4", "refused 5"]
        const fibers = yield* begin(held, ["a", "b", ...refused, "c"])
        yield* held.letGo("shop")
        const exits = yield* exitsOf(fibers)
        expect(exits.map(Exit.isSuccess)).toEqual([true, true, ...refused.map(() => false), true])
        for (const id of ["a", "b", "c"]) expect(yield* recorded(id)).toBe(true)
      }),
    ))

  test("are all told when the storage fails for all of them, without an attempt for each", () =>
    inShop((held) =>
      Effect.gen(function* () {
        const ids = Array.from({ length: 50 }, (_, index) => `${index}`)
        const fibers = yield* begin(held, ids)
        held.breakDown()
        yield* held.letGo("shop")
        const exits = yield* exitsOf(fibers)
        expect(exits.map(Exit.isSuccess)).toEqual(ids.map((_, index) => index === 0))
        // The first, the others together, one of them alone, and nothing at all.
        expect(held.count("shop")).toBe(4)
      }),
    ))

  test("wait for their turn no longer than a call may wait, and are not recorded then", () =>
    inShop(
      (held) =>
        Effect.gen(function* () {
          const fibers = yield* begin(held, ["a", "b"])
          const [second] = yield* exitsOf(fibers.slice(1))
          const error = second?.pipe(Exit.findErrorOption)
          expect(error).toMatchObject({
            value: { _tag: "StorageFailure", waited: { for: "the turn of account shop" } },
          })
          yield* held.letGo("shop")
          yield* exitsOf(fibers)
          expect(held.written).toEqual([["a"]])
        }),
      { waitSeconds: 0 },
    ))

  test("are recorded although the one before them ends while they come", () =>
    inShop((held) =>
      Effect.gen(function* () {
        // Both let others go on after every few steps, so that the second one comes at every point of the first one's end.
        const slowly = (id: string) =>
          Effect.provideService(record(id), References.MaxOpsBeforeYield, 9)
        yield* held.letGo("shop")
        for (let turns = 0; turns < 90; turns += 1) {
          const first = yield* Effect.forkChild(slowly(`first ${turns}`))
          yield* Effect.replicateEffect(Effect.yieldNow, turns, { discard: true })
          const second = yield* Effect.forkChild(slowly(`second ${turns}`))
          expect((yield* exitsOf([first, second])).every(Exit.isSuccess)).toBe(true)
        }
      }),
    ))

  test("are not recorded when they are given up before their turn", () =>
    inShop((held) =>
      Effect.gen(function* () {
        const fibers = yield* begin(held, ["a", "b", "c"])
        yield* Fiber.interrupt(fibers[1] ?? expect.fail("there is no second call"))
        yield* held.letGo("shop")
        yield* exitsOf(fibers)
        expect(held.written).toEqual([["a"], ["c"]])
        expect(yield* recorded("b")).toBe(false)
      }),
    ))

  test("go on for the others when the first is given up", () =>
    inShop((held) =>
      Effect.gen(function* () {
        const fibers = yield* begin(held, ["a", "b", "c"])
        yield* Fiber.interrupt(fibers[0] ?? expect.fail("there is no first call"))
        yield* held.letGo("shop")
        yield* exitsOf(fibers)
        expect(held.written).toEqual([["b", "c"]])
        expect(yield* recorded("a")).toBe(false)
      }),
    ))

  test("are recorded once when they are given up after their turn has come, which is waited for", () =>
    inShop((held) =>
      Effect.gen(function* () {
        const fibers = yield* begin(held, ["a", "b", "c"])
        yield* Fiber.interrupt(fibers[0] ?? expect.fail("there is no first call"))
        yield* held.begun("shop", 2)
        const giving = yield* Effect.forkChild(
          Fiber.interrupt(fibers[1] ?? expect.fail("there is no second call")),
        )
        for (let turn = 0; turn < 20; turn += 1) yield* Effect.yieldNow
        yield* held.letGo("shop")
        yield* Fiber.await(giving)
        expect(yield* recorded("b")).toBe(true)
        yield* exitsOf(fibers)
        yield* record("b")
        expect(held.written.flat()).toEqual(["b", "c"])
      }),
    ))

  test("don't hold up those of other accounts", () =>
    inShop((held) =>
      Effect.gen(function* () {
        const fibers = yield* begin(held, ["a", "b"])
        yield* held.letGo("other")
        yield* record("x", "other")
        expect(held.written).toEqual([["x"]])
        yield* held.letGo("shop")
        yield* exitsOf(fibers)
      }),
    ))

  test("have each the name of who made it, and its lines in the log", () =>
    inShop((held) =>
      Effect.gen(function* () {
        const sales = yield* Sales
        const by = (id: string, actor: string) =>
          Effect.forkChild(
            sales
              .record("shop", order(id))
              .pipe(
                Effect.annotateLogs("request", `request of ${id}`),
                Effect.provideService(Actor, actor),
              ),
          )
        const fibers = [yield* by("a", "alice")]
        yield* held.begun("shop", 1)
        for (const id of ["b", "c"]) fibers.push(yield* by(id, "alice"))
        fibers.push(yield* by("d", "bob"))
        for (let turn = 0; turn < 20; turn += 1) yield* Effect.yieldNow
        yield* held.letGo("shop")
        yield* exitsOf(fibers)
        expect(held.written.map((ids) => ids.join(" ")).toSorted()).toEqual(["a", "b c", "d"])
        const lines = held.log.filter(({ orderId }) => orderId !== undefined)
        expect(lines.length).toBe(4)
        for (const { orderId, request } of lines) expect(request).toBe(`request of ${orderId}`)
      }),
    ))

  test("stay in the unit of work that they are part of", () =>
    inShop((held) =>
      Effect.gen(function* () {
        const unit = yield* UnitOfWork
        yield* held.letGo("shop")
        const both = Effect.all([record("a"), record("b"), Effect.fail("on purpose")])
        yield* Effect.exit(unit.run("shop", both))
        expect(held.written).toEqual([])
        yield* unit.run("shop", Effect.all([record("a"), record("b")], { concurrency: 2 }))
        expect(held.written).toEqual([["a", "b"]])
      }),
    ))
})
