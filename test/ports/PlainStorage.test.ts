import { MemoryStorage } from "apportion/memory"
import {
  Conflict,
  fromPlain,
  fromPlainExchangeRates,
  fromPlainTokens,
  type PlainStores,
  StorageFailure,
  type StorageService,
} from "apportion/ports"
import { Context, Effect, Exit, Fiber } from "effect"
import { expect, test } from "vitest"
import { type Behaviour, gate, plainHost } from "../promise/PlainHost.js"

const setUp = async (behaviour: Partial<Behaviour> = {}) => {
  const noted: Behaviour = { log: [], ...behaviour }
  const memory = await Effect.runPromise(MemoryStorage.make)
  return { storage: fromPlain(plainHost(memory, noted)), log: noted.log, behaviour: noted }
}

const answer = (key: string) => ({ key, fingerprint: "f", answer: "1", createdAt: 1 })

const keep = (storage: StorageService, key: string) =>
  storage.transaction("shop", ({ keys }) => keys.insert(answer(key)))

const isKept = (storage: StorageService, key: string) =>
  Effect.runPromise(
    Effect.map(
      storage.transaction("shop", ({ keys }) => keys.get(key), { mode: "read" }),
      (found) => found !== undefined,
    ),
  )

const failureOf = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.flip(effect))

test("what a transaction wrote is kept, and its result comes out", async () => {
  const { storage, log } = await setUp()
  const work = storage.transaction("shop", ({ keys }) =>
    Effect.andThen(keys.insert(answer("k1")), keys.get("k1")),
  )
  expect(await Effect.runPromise(work)).toEqual(answer("k1"))
  expect(log).toEqual(["begin", "commit"])
  expect(await isKept(storage, "k1")).toBe(true)
  expect(await Effect.runPromise(storage.accounts)).toEqual(["shop"])
})

test("work that fails makes the host roll back, and its own failure comes out", async () => {
  const { storage, log } = await setUp()
  const work = storage.transaction("shop", ({ keys }) =>
    Effect.andThen(keys.insert(answer("k1")), Effect.fail("no, after all")),
  )
  expect(await failureOf(work)).toBe("no, after all")
  expect(log).toEqual(["begin", "rollback"])
  expect(await isKept(storage, "k1")).toBe(false)
})

test("a defect of the work makes the host roll back and stays a defect", async () => {
  const { storage, log } = await setUp()
  const work = storage.transaction("shop", ({ keys }) =>
    Effect.andThen(keys.insert(answer("k1")), Effect.die("a bug")),
  )
  expect(await Effect.runPromiseExit(work)).toEqual(Exit.die("a bug"))
  expect(log).toEqual(["begin", "rollback"])
})

test("the failure of the work counts, even when the rollback fails too", async () => {
  const { storage } = await setUp({
    beforeRollback: async () => {
      throw new Error("the connection is gone")
    },
  })
  expect(await failureOf(storage.transaction("shop", () => Effect.fail("mine")))).toBe("mine")
})

test("the failure of the work counts, even when the host swallows it", async () => {
  const swallowing = fromPlain({
    transaction: async (_accountId, work) => {
      const stores = {} as PlainStores
      return work(stores).catch((error) => error)
    },
    accounts: async () => [],
  })
  expect(await failureOf(swallowing.transaction("shop", () => Effect.fail("mine")))).toBe("mine")
})

test("work has the services of the one who runs it", async () => {
  const { storage } = await setUp()
  class Name extends Context.Service<Name, string>()("test/Name") {}
  const work = storage.transaction("shop", () => Effect.map(Name, (name) => name))
  expect(await Effect.runPromise(Effect.provideService(work, Name, "Ada"))).toBe("Ada")
})

const conflicting = (error: unknown) => (stores: PlainStores) => ({
  ...stores,
  keys: { ...stores.keys, insert: () => Promise.reject(error) },
})

test("a conflict is known by its class", async () => {
  const conflict = Conflict.of("key", "k1")
  const { storage } = await setUp({ around: conflicting(conflict) })
  expect(await failureOf(keep(storage, "k1"))).toBe(conflict)
})

test.each([
  [{ _tag: "Conflict" }, { what: "store an idempotency key", id: "" }],
  [
    Object.assign(new Error("too late"), { _tag: "Conflict", what: "key", id: "k1" }),
    { what: "key", id: "k1", message: "too late" },
  ],
])("a conflict is known by its tag alone (%#)", async (thrown, expected) => {
  const { storage } = await setUp({ around: conflicting(thrown) })
  const failure = await failureOf(keep(storage, "k1"))
  expect(failure).toBeInstanceOf(Conflict)
  expect(failure).toMatchObject(expected)
})

test("whatever else a store throws is a failure of the storage, with it as the cause", async () => {
  const cause = new Error("disk full")
  const { storage, log } = await setUp({ around: conflicting(cause) })
  const failure = await failureOf(keep(storage, "k1"))
  expect(failure).toBeInstanceOf(StorageFailure)
  expect(failure).toMatchObject({
    doing: "store an idempotency key",
    cause,
    message: "storage failed: could not store an idempotency key",
  })
  expect(log).toEqual(["begin", "rollback"])
})

test("a failure of the storage that a store throws itself comes out as it is", async () => {
  const failure = StorageFailure.of("reach the database", "timeout")
  const { storage } = await setUp({ around: conflicting(failure) })
  expect(await failureOf(keep(storage, "k1"))).toBe(failure)
})

test("a store that throws before it gives a promise has failed too", async () => {
  const { storage } = await setUp({
    around: (stores) => ({
      ...stores,
      keys: {
        ...stores.keys,
        insert: () => {
          throw new Error("not connected")
        },
      },
    }),
  })
  expect(await failureOf(keep(storage, "k1"))).toBeInstanceOf(StorageFailure)
})

test.each([
  [new Conflict({ what: "account", id: "shop", message: "someone was first" }), Conflict],
  [{ _tag: "Conflict" }, Conflict],
  [new Error("disk full"), StorageFailure],
])("a commit that fails keeps nothing and says why (%#)", async (thrown, kind) => {
  const { storage, behaviour } = await setUp({
    beforeCommit: async () => {
      throw thrown
    },
  })
  expect(await failureOf(keep(storage, "k1"))).toBeInstanceOf(kind)
  behaviour.beforeCommit = undefined
  expect(await isKept(storage, "k1")).toBe(false)
})

test("after a conflict the same work can be run again and is kept", async () => {
  let isFirst = true
  const { storage, log } = await setUp({
    beforeCommit: async () => {
      if (!isFirst) return
      isFirst = false
      throw Conflict.of("account", "shop")
    },
  })
  const again = Effect.retry(keep(storage, "k1"), {
    while: (error) => error._tag === "Conflict",
    times: 3,
  })
  await Effect.runPromise(again)
  expect(log).toEqual(["begin", "rollback", "begin", "commit"])
  expect(await isKept(storage, "k1")).toBe(true)
})

test("a host that calls the work again by itself is stopped with a conflict", async () => {
  let runs = 0
  const stores = {} as PlainStores
  const stubborn = fromPlain({
    transaction: async (_accountId, work) => {
      await work(stores)
      return work(stores)
    },
    accounts: async () => [],
  })
  const work = stubborn.transaction("shop", () =>
    Effect.sync(() => {
      runs += 1
    }),
  )
  expect(await failureOf(work)).toBeInstanceOf(Conflict)
  expect(runs).toBe(1)
})

test("a transaction that can't even begin has failed", async () => {
  const unplugged = fromPlain({
    transaction: () => {
      throw new Error("no connection")
    },
    accounts: () => Promise.reject(new Error("no connection")),
  })
  const failure = await failureOf(keep(unplugged, "k1"))
  expect(failure).toMatchObject({ _tag: "StorageFailure", doing: "run a transaction" })
  expect(await failureOf(unplugged.accounts)).toMatchObject({
    _tag: "StorageFailure",
    doing: "list the accounts",
  })
})

test("a transaction that ends without running its work has failed", async () => {
  const idle = fromPlain({
    transaction: <A>() => Promise.resolve({} as A),
    accounts: async () => [],
  })
  const failure = await failureOf(idle.transaction("shop", () => Effect.succeed(1)))
  expect(failure).toMatchObject({ _tag: "StorageFailure", doing: "run a transaction" })
})

test("work that goes on when the host has given up is stopped", async () => {
  const started = gate()
  const impatient = fromPlain({
    transaction: async (_accountId, work) => {
      work({} as PlainStores).catch(() => undefined)
      await started.promise
      throw new Error("took too long")
    },
    accounts: async () => [],
  })
  let stopped = false
  const work = impatient.transaction("shop", () =>
    Effect.onInterrupt(
      Effect.suspend(() => {
        started.resolve()
        return Effect.never
      }),
      () =>
        Effect.sync(() => {
          stopped = true
        }),
    ),
  )
  expect(await failureOf(work)).toMatchObject({ _tag: "StorageFailure" })
  expect(stopped).toBe(true)
})

test("one who is interrupted makes the host roll back, and waits until it has", async () => {
  const [writing, rollingBack] = [gate(), gate()]
  const { storage, log } = await setUp({
    beforeRollback: () => rollingBack.promise,
  })
  const work = storage.transaction("shop", ({ keys }) =>
    Effect.andThen(
      keys.insert(answer("k1")),
      Effect.suspend(() => {
        writing.resolve()
        return Effect.never
      }),
    ),
  )
  const fiber = Effect.runFork(work)
  await writing.promise
  const interruption = Effect.runPromise(Fiber.interrupt(fiber))
  expect(log).toEqual(["begin"])
  rollingBack.resolve()
  await interruption
  expect(log).toEqual(["begin", "rollback"])
  expect(Exit.hasInterrupts(await Effect.runPromise(Fiber.await(fiber)))).toBe(true)
  expect(await isKept(storage, "k1")).toBe(false)
})

test("one who is interrupted lets the call of a store end before the host rolls back", async () => {
  const [writing, written] = [gate(), gate()]
  const { storage, log } = await setUp({
    around: (stores) => ({
      ...stores,
      keys: {
        ...stores.keys,
        insert: async () => {
          writing.resolve()
          await written.promise
          log.push("written")
        },
      },
    }),
  })
  const fiber = Effect.runFork(keep(storage, "k1"))
  await writing.promise
  const interruption = Effect.runPromise(Fiber.interrupt(fiber))
  written.resolve()
  await interruption
  expect(log).toEqual(["begin", "written", "rollback"])
})

test("one who is interrupted before the host begins runs no work", async () => {
  const [asked, free] = [gate(), gate()]
  let runs = 0
  const busy = fromPlain({
    transaction: async (_accountId, work) => {
      asked.resolve()
      await free.promise
      return work({} as PlainStores)
    },
    accounts: async () => [],
  })
  const work = busy.transaction("shop", () =>
    Effect.sync(() => {
      runs += 1
    }),
  )
  const fiber = Effect.runFork(work)
  await asked.promise
  const interruption = Effect.runPromise(Fiber.interrupt(fiber))
  free.resolve()
  await interruption
  expect(runs).toBe(0)
})

test("null where something may be missing is taken for undefined", async () => {
  const nothing = () => Promise.resolve(null as unknown as undefined)
  const { storage } = await setUp({
    around: (stores) => ({
      ...stores,
      collaborators: { ...stores.collaborators, get: nothing },
      groups: { ...stores.groups, get: nothing },
      links: { ...stores.links, job: nothing },
      payouts: {
        ...stores.payouts,
        get: nothing,
        active: nothing,
        firstOpenedAt: nothing,
        item: nothing,
      },
      sales: { ...stores.sales, refund: nothing },
      keys: { ...stores.keys, get: nothing },
    }),
  })
  const owner = { collaboratorId: "ada", currency: "USD" }
  const work = storage.transaction(
    "shop",
    ({ collaborators, groups, links, payouts, sales, keys }) =>
      Effect.all([
        collaborators.get("x"),
        groups.get("x"),
        links.job("x"),
        payouts.get("x"),
        payouts.active(owner),
        payouts.firstOpenedAt(owner),
        payouts.item("x", "y"),
        sales.refund("x"),
        keys.get("x"),
      ]),
  )
  expect(await Effect.runPromise(work)).toEqual(Array.from({ length: 9 }, () => undefined))
})

test("the mode of a transaction is told to the host", async () => {
  const modes: Array<unknown> = []
  const noting = fromPlain({
    transaction: async (_accountId, work, options) => {
      modes.push(options?.mode)
      return work({} as PlainStores)
    },
    accounts: async () => [],
  })
  await Effect.runPromise(noting.transaction("shop", () => Effect.void, { mode: "read" }))
  await Effect.runPromise(noting.transaction("shop", () => Effect.void))
  expect(modes).toEqual(["read", undefined])
})

const request = { accountId: "shop", from: "EUR", to: "USD", at: 1 }

test("exchange rates come from a plain function, null for none", async () => {
  const known = fromPlainExchangeRates(async ({ from, to }) => `${from}/${to}`)
  expect(await Effect.runPromise(known.rate(request))).toBe("EUR/USD")
  const unknown = fromPlainExchangeRates(async () => null as unknown as undefined)
  expect(await Effect.runPromise(unknown.rate(request))).toBe(undefined)
  const broken = fromPlainExchangeRates(() => Promise.reject(new Error("no answer")))
  expect(await failureOf(broken.rate(request))).toMatchObject({
    _tag: "StorageFailure",
    doing: "ask for an exchange rate",
  })
})

test("tokens are found by a plain function, null for none", async () => {
  const known = fromPlainTokens(async (hash) => ({ hash, accountId: "shop" }))
  expect(await Effect.runPromise(known.find("ab"))).toEqual({ hash: "ab", accountId: "shop" })
  const unknown = fromPlainTokens(async () => null as unknown as undefined)
  expect(await Effect.runPromise(unknown.find("ab"))).toBe(undefined)
  const broken = fromPlainTokens(() => Promise.reject(new Error("no answer")))
  expect(await failureOf(broken.find("ab"))).toMatchObject({ _tag: "StorageFailure" })
})
