/** Several processes over one storage: who links what, and what becomes of what one of them leaves behind. */
import { type LinkJob, StorageFailure, type StorageService } from "apportion/ports"
import { Collaborators, ProductGroups, Products, type SettingsInput } from "apportion/service"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"
import {
  aroundBatches,
  eventually,
  type Logged,
  linked,
  linkedKeys,
  pausing,
  runTest,
  startProcess,
  unindexedStorage,
} from "./Storefront.js"

/** Ten products; the even ones are art. */
const catalogue = Array.from({ length: 10 }, (_, number) => ({
  id: `p${number}`,
  tags: [number % 2 === 0 ? "art" : "music"],
}))

const art = ["p0", "p2", "p4", "p6", "p8"]
const tagged = { type: "products.tag", values: ["art"] } as const

type Process = Effect.Success<ReturnType<typeof startProcess>>

/** Two products at a time: five batches for a group, and one more that finds the end. */
const settings: SettingsInput = { linkBatchSize: 2 }

/** A storage with accounts that have the catalogue, and groups that nobody has begun to link. */
const stocked = Effect.fnUntraced(function* (
  accountIds: ReadonlyArray<string> = ["shop"],
  groupIds: ReadonlyArray<string> = ["g1"],
) {
  const storage = yield* unindexedStorage
  const process = yield* startProcess(unable(storage))
  for (const accountId of accountIds) {
    const work = Effect.gen(function* () {
      const collaborators = yield* Collaborators
      yield* collaborators.create(accountId, { id: "ada", currency: "EUR" })
      yield* (yield* Products).put(accountId, catalogue)
      const groups = yield* ProductGroups
      for (const id of groupIds) {
        yield* groups.create(accountId, "ada", { id, link: tagged, percent: 10 })
      }
    })
    yield* process.run(work)
  }
  yield* process.stop
  return storage
})

/** A storage in which nothing is ever linked. */
const unable = (storage: StorageService): StorageService =>
  aroundBatches(storage, { before: Effect.fail(StorageFailure.of("read products", "no disk")) })

/** A storage that counts the batches that are kept, by account. */
const counting = (storage: StorageService) => {
  const counts = new Map<string, number>()
  const counted: StorageService = {
    ...storage,
    transaction: (accountId, work, options) => {
      let batches = 0
      const watched: typeof work = (stores) =>
        work({
          ...stores,
          products: {
            ...stores.products,
            batch: (slice) =>
              Effect.tap(stores.products.batch(slice), () =>
                Effect.sync(() => {
                  batches += 1
                }),
              ),
          },
        })
      return Effect.tap(storage.transaction(accountId, watched, options), () =>
        Effect.sync(() => {
          if (batches > 0) counts.set(accountId, (counts.get(accountId) ?? 0) + batches)
        }),
      )
    },
  }
  return { storage: counted, counts: () => Object.fromEntries(counts) }
}

/** A process that stops after each batch until it may go on, and counts them. */
const pausedProcess = Effect.fnUntraced(function* (inner: StorageService, more?: SettingsInput) {
  const { storage, counts } = counting(inner)
  const gate = yield* pausing(storage)
  const process = yield* startProcess(gate.storage, { ...settings, ...more })
  return { ...gate, process, counts }
})

const freeProcess = Effect.fnUntraced(function* (inner: StorageService, more?: SettingsInput) {
  const { storage, counts } = counting(inner)
  return { process: yield* startProcess(storage, { ...settings, ...more }), counts }
})

const jobOf = (storage: StorageService, groupId = "g1", accountId = "shop") =>
  storage.transaction(accountId, ({ links }) => links.job(groupId))

const isDone = (job: LinkJob | undefined) => job?.status === "done"

const createGroup = (process: Process, id: string) =>
  process.run(
    Effect.flatMap(ProductGroups, (groups) =>
      groups.create("shop", "ada", { id, link: tagged, percent: 5 }),
    ),
  )

test("an account that one process links, the others leave alone", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked(["shop"], ["g1", "g2"])
      const one = yield* pausedProcess(storage)
      yield* one.batch
      const two = yield* freeProcess(storage)
      yield* TestClock.adjust("29 seconds")
      expect(two.counts()).toEqual({})
      expect(yield* jobOf(storage)).toMatchObject({ scanned: 2, status: "running" })
      yield* one.release
      yield* linked(storage, "shop")
      expect(one.counts()).toEqual({ shop: 12 })
      expect(two.counts()).toEqual({})
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(art)
      expect(yield* linkedKeys(storage, "shop", "g2")).toEqual(art)
      expect(yield* jobOf(storage)).toMatchObject({ scanned: 10, claim: undefined })
      yield* one.process.stop
      yield* two.process.stop
    }),
  ))

test("what a process that is gone was at, another one goes on with, without being started anew", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const gone = yield* pausedProcess(storage)
      yield* gone.batch
      const living = yield* freeProcess(storage)
      yield* TestClock.adjust("29 seconds")
      expect(yield* jobOf(storage)).toMatchObject({ scanned: 2, status: "running" })
      yield* TestClock.adjust("1 second")
      yield* eventually(jobOf(storage), isDone)
      expect(gone.counts()).toEqual({ shop: 1 })
      expect(living.counts()).toEqual({ shop: 5 })
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(art)
      expect(yield* jobOf(storage)).toMatchObject({ scanned: 10 })
      yield* living.process.stop
      yield* gone.release
      yield* gone.process.stop
    }),
  ))

test("a process that was only slow does nothing again that another one did in its place", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const slow = yield* pausedProcess(storage)
      yield* slow.batch
      const other = yield* pausedProcess(storage)
      yield* TestClock.adjust("30 seconds")
      yield* other.batch
      expect(yield* jobOf(storage)).toMatchObject({ scanned: 4 })
      yield* slow.release
      yield* TestClock.adjust("29 seconds")
      expect(yield* jobOf(storage)).toMatchObject({ scanned: 4 })
      yield* other.release
      yield* eventually(jobOf(storage), isDone)
      expect([slow.counts(), other.counts()]).toEqual([{ shop: 1 }, { shop: 5 }])
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(art)
      yield* slow.process.stop
      yield* other.process.stop
    }),
  ))

test("a process that stops leaves its accounts to the others' next look", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const impatient = { linkSweepSeconds: 7 }
      const one = yield* pausedProcess(storage, impatient)
      yield* one.batch
      const two = yield* freeProcess(storage, impatient)
      yield* TestClock.adjust("6 seconds")
      expect(yield* jobOf(storage)).toMatchObject({ claim: { until: 1_700_000_007 } })
      yield* one.process.stop
      expect((yield* jobOf(storage))?.claim).toBeUndefined()
      expect(two.counts()).toEqual({})
      yield* TestClock.adjust("1 second")
      yield* eventually(jobOf(storage), isDone)
      expect(two.counts()).toEqual({ shop: 5 })
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(art)
      yield* two.process.stop
    }),
  ))

test("a group that is made in one process is linked by the one that is at its account", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const one = yield* pausedProcess(storage)
      yield* one.batch
      const two = yield* freeProcess(storage)
      yield* createGroup(two.process, "g2")
      yield* one.release
      yield* eventually(jobOf(storage, "g2"), isDone)
      expect([one.counts(), two.counts()]).toEqual([{ shop: 12 }, {}])
      expect(yield* linkedKeys(storage, "shop", "g2")).toEqual(art)
      yield* one.process.stop
      yield* two.process.stop
    }),
  ))

test("a group whose link changes in another process is linked as it is now", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const one = yield* pausedProcess(storage)
      yield* one.batch
      const two = yield* freeProcess(storage)
      yield* two.process.run(
        Effect.flatMap(ProductGroups, (groups) =>
          groups.update("shop", "ada", "g1", (group) =>
            Result.succeed({ ...group, link: { ...tagged, modifier: "NOT" as const } }),
          ),
        ),
      )
      yield* eventually(jobOf(storage), isDone)
      yield* one.release
      const rest = catalogue.map(({ id }) => id).filter((id) => !art.includes(id))
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(rest)
      expect(yield* jobOf(storage)).toMatchObject({ scanned: 10, groupVersion: 2 })
      yield* one.process.stop
      yield* two.process.stop
    }),
  ))

const shops = Array.from({ length: 9 }, (_, number) => `shop ${number}`)

test("accounts for which a process has no time are linked by others", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked(shops)
      const one = yield* pausedProcess(storage)
      // As many accounts as a process uses the storage for at a time.
      for (let account = 0; account < 4; account += 1) yield* one.batch
      const two = yield* freeProcess(storage)
      for (const accountId of shops.slice(4)) yield* linked(storage, accountId)
      expect(Object.keys(two.counts()).sort()).toEqual(shops.slice(4))
      yield* one.release
      for (const accountId of shops) {
        yield* linked(storage, accountId)
        expect(yield* linkedKeys(storage, accountId, "g1")).toEqual(art)
      }
      const all = Object.values({ ...one.counts(), ...two.counts() })
      expect(all).toEqual(shops.map(() => 6))
      yield* one.process.stop
      yield* two.process.stop
    }),
  ))

test("an account with long jobs does not hold up those that wait in its process", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked(shops)
      const long = Array.from({ length: 100 }, (_, number) => ({ id: `q${number}`, tags: ["art"] }))
      for (const accountId of shops.slice(0, 4)) {
        yield* storage.transaction(accountId, ({ products }) => products.put(long))
      }
      const slow = aroundBatches(storage, { committed: TestClock.adjust("10 millis") })
      const { process } = yield* freeProcess(slow, { linkBatchSize: 1 })
      for (const accountId of shops.slice(4)) yield* linked(storage, accountId)
      for (const accountId of shops.slice(0, 4)) {
        expect(yield* jobOf(storage, "g1", accountId)).toMatchObject({ status: "running" })
      }
      for (const accountId of shops) yield* linked(storage, accountId)
      expect((yield* linkedKeys(storage, "shop 0", "g1")).length).toBe(105)
      yield* process.stop
    }),
  ))

test("processes with nothing to link look for it once in a while, and say nothing", () => {
  const log: Array<Logged> = []
  return runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const one = yield* freeProcess(storage)
      yield* linked(storage, "shop")
      yield* one.process.stop
      let looks = 0
      let transactions = 0
      const watched: StorageService = {
        ...storage,
        transaction: (accountId, work, options) => {
          transactions += 1
          return storage.transaction(accountId, work, options)
        },
        accountsLinking: Effect.sync(() => {
          looks += 1
          return []
        }),
      }
      log.length = 0
      const idle = yield* startProcess(watched)
      yield* TestClock.adjust("10 minutes")
      expect([looks, transactions]).toEqual([21, 0])
      yield* idle.stop
      expect(log).toEqual([])
    }),
    log,
  )
})

test("a look that fails is tried again, and the next ones come all the same", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const gone = yield* pausedProcess(storage)
      yield* gone.batch
      let failures = 3
      const shaky: StorageService = {
        ...storage,
        accountsLinking: Effect.suspend(() => {
          failures -= 1
          const failure = StorageFailure.of("find the accounts", new Error("no connection"))
          return failures < 0 ? Effect.succeed(["shop"]) : Effect.fail(failure)
        }),
      }
      const living = yield* freeProcess(shaky)
      yield* TestClock.adjust("29 seconds")
      expect(failures).toBe(-1)
      expect(living.counts()).toEqual({})
      yield* TestClock.adjust("1 minute")
      yield* eventually(jobOf(storage), isDone)
      expect(living.counts()).toEqual({ shop: 5 })
      yield* living.process.stop
      yield* gone.release
      yield* gone.process.stop
    }),
  ))
