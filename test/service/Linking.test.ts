import type { Product } from "apportion"
import { StorageFailure, type StorageService } from "apportion/ports"
import {
  Collaborators,
  type NewGroup,
  ProductGroups,
  Products,
  UnitOfWork,
} from "apportion/service"
import { Deferred, Effect, Fiber, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"
import {
  aroundBatches,
  eventually,
  failing,
  type Logged,
  linked,
  linkedKeys,
  pausing,
  runTest,
  startProcess,
  unindexedStorage,
} from "./Storefront.js"

const tagged = (tag: string): NewGroup => ({
  id: "g1",
  link: { type: "products.tag", values: [tag] },
  percent: 10,
})

/** Ten products with the keys p0 to p9: the even ones are art, the odd ones music. */
const catalogue: ReadonlyArray<Product.Product> = Array.from({ length: 10 }, (_, number) => ({
  id: `p${number}`,
  name: `Product ${number}`,
  tags: [number % 2 === 0 ? "art" : "music"],
}))

const art = ["p0", "p2", "p4", "p6", "p8"]
const music = ["p1", "p3", "p5", "p7", "p9"]

type Process = Effect.Success<ReturnType<typeof startProcess>>

const createGroup = (process: Process, group: NewGroup, accountId = "shop") =>
  process.run(Effect.flatMap(ProductGroups, (groups) => groups.create(accountId, "ada", group)))

const changeLink = (process: Process, tag: string) =>
  process.run(
    Effect.flatMap(ProductGroups, (groups) =>
      groups.update("shop", "ada", "g1", (group) =>
        Result.succeed({ ...group, link: tagged(tag).link }),
      ),
    ),
  )

const put = (process: Process, products: ReadonlyArray<Product.Product>) =>
  process.run(Effect.flatMap(Products, (each) => each.put("shop", products)))

const watch = (process: Process) =>
  process.run(
    Effect.flatMap(ProductGroups, (groups) => Stream.runCollect(groups.watch("shop", "g1"))),
  )

/** A storage with Ada and the catalogue in it. */
const stocked = Effect.fnUntraced(function* (accountIds: ReadonlyArray<string> = ["shop"]) {
  const storage = yield* unindexedStorage
  const process = yield* startProcess(storage)
  for (const accountId of accountIds) {
    yield* process.run(
      Effect.gen(function* () {
        const collaborators = yield* Collaborators
        const products = yield* Products
        yield* collaborators.create(accountId, { id: "ada", currency: "EUR" })
        yield* products.put(accountId, catalogue)
      }),
    )
  }
  yield* process.stop
  return storage
})

/** A process that links two products at a time and stops after each batch until it may go on. */
const pausedProcess = Effect.fnUntraced(function* (inner: StorageService) {
  const gate = yield* pausing(inner)
  const process = yield* startProcess(gate.storage, { linkBatchSize: 2 })
  return { ...gate, process }
})

const jobOf = (storage: StorageService) =>
  storage.transaction("shop", ({ links }) => links.job("g1"))

test("the count of products grows from batch to batch while a group is linked", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const { process, batch, goOn } = yield* pausedProcess(storage)
      yield* createGroup(process, tagged("art"))
      const counts: Array<number | undefined> = []
      for (let step = 0; step < 6; step += 1) {
        yield* batch
        const page = { page: 1, perPage: 15 }
        const listed = yield* process.run(
          Effect.flatMap(ProductGroups, (groups) => groups.list("shop", "ada", page)),
        )
        const viewed = yield* process.run(
          Effect.flatMap(ProductGroups, (groups) => groups.get("shop", "ada", "g1")),
        )
        counts.push(listed.entries[0]?.productsCount)
        expect(viewed.products.total).toBe(counts.at(-1))
        yield* goOn
      }
      expect(counts).toEqual([1, 2, 3, 4, 5, 5])
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(art)
      yield* process.stop
    }),
  ))

test("watching tells each step and ends when the group is linked", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const { process, batch, goOn } = yield* pausedProcess(storage)
      yield* createGroup(process, tagged("art"))
      yield* batch
      const watching = yield* Effect.forkChild(watch(process), { startImmediately: true })
      for (let step = 0; step < 6; step += 1) {
        yield* TestClock.adjust("1 second")
        yield* goOn
        if (step < 5) yield* batch
      }
      const progress = yield* Fiber.join(watching)
      expect(
        progress.map(({ scanned, productsCount, status }) => [scanned, productsCount, status]),
      ).toEqual([
        [2, 1, "running"],
        [4, 2, "running"],
        [6, 3, "running"],
        [8, 4, "running"],
        [10, 5, "running"],
        [10, 5, "done"],
      ])
      yield* process.stop
    }),
  ))

test("whoever watches in the same process is told of each step, without looking again", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const process = yield* startProcess(storage, { linkBatchSize: 1 })
      yield* createGroup(process, tagged("art"))
      const progress = yield* watch(process)
      const scanned = progress.map((each) => each.scanned)
      expect(scanned.length).toBeGreaterThan(5)
      expect(scanned).toEqual([...scanned].sort((left, right) => left - right))
      expect(progress.at(-1)).toMatchObject({ scanned: 10, productsCount: 5, status: "done" })
      yield* process.stop
    }),
  ))

test("watching a group that is linked already tells so once", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const process = yield* startProcess(storage)
      yield* createGroup(process, tagged("art"))
      yield* linked(storage, "shop")
      expect(yield* watch(process)).toEqual([
        { groupId: "g1", groupVersion: 1, scanned: 10, status: "done", productsCount: 5 },
      ])
      yield* process.stop
    }),
  ))

test("watching ends when the group is removed", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const { process, batch } = yield* pausedProcess(storage)
      yield* createGroup(process, tagged("art"))
      yield* batch
      const watching = yield* Effect.forkChild(watch(process), { startImmediately: true })
      yield* process.run(
        Effect.flatMap(ProductGroups, (groups) => groups.remove("shop", "ada", "g1")),
      )
      const progress = yield* Fiber.join(watching)
      expect(progress.map(({ status }) => status)).toEqual(["running"])
      yield* process.stop
    }),
  ))

test("a process sees the progress that another one makes", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const { process, batch, release } = yield* pausedProcess(storage)
      const onlooker = yield* startProcess(
        { ...storage, accounts: Effect.succeed([]) },
        { linkBatchSize: 2 },
      )
      yield* createGroup(process, tagged("art"))
      yield* batch
      const watching = yield* Effect.forkChild(watch(onlooker), { startImmediately: true })
      yield* release
      yield* linked(storage, "shop")
      yield* TestClock.adjust("5 seconds")
      const progress = yield* Fiber.join(watching)
      expect(progress.at(0)).toMatchObject({ scanned: 2, status: "running" })
      expect(progress.at(-1)).toMatchObject({ scanned: 10, productsCount: 5, status: "done" })
      yield* onlooker.stop
      yield* process.stop
    }),
  ))

test("a group that is removed while it is linked leaves no link and no job", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const { process, batch, release } = yield* pausedProcess(storage)
      yield* createGroup(process, tagged("art"))
      yield* batch
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(["p0"])
      yield* process.run(
        Effect.flatMap(ProductGroups, (groups) => groups.remove("shop", "ada", "g1")),
      )
      yield* release
      yield* linked(storage, "shop")
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual([])
      expect(yield* jobOf(storage)).toBeUndefined()
      yield* process.stop
    }),
  ))

test("an update of the link while a group is linked supersedes what was under way", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const { process, batch, goOn, release } = yield* pausedProcess(storage)
      yield* createGroup(process, tagged("art"))
      yield* batch
      yield* goOn
      yield* batch
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(["p0", "p2"])
      yield* changeLink(process, "music")
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual([])
      expect(yield* jobOf(storage)).toMatchObject({ groupVersion: 2, after: null, scanned: 0 })
      yield* release
      yield* linked(storage, "shop")
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(music)
      yield* process.stop
    }),
  ))

test("an update that leaves the link alone lets the linking go on where it is", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const { process, batch, release } = yield* pausedProcess(storage)
      yield* createGroup(process, tagged("art"))
      yield* batch
      yield* process.run(
        Effect.flatMap(ProductGroups, (groups) =>
          groups.update("shop", "ada", "g1", (group) => Result.succeed({ ...group, percent: 1 })),
        ),
      )
      expect(yield* jobOf(storage)).toMatchObject({ groupVersion: 2, after: "p1", scanned: 2 })
      yield* release
      yield* linked(storage, "shop")
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(art)
      expect(yield* jobOf(storage)).toMatchObject({ groupVersion: 2, scanned: 10 })
      yield* process.stop
    }),
  ))

test("a process that is stopped between two batches goes on where it was when it is started again", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const first = yield* pausedProcess(storage)
      yield* createGroup(first.process, tagged("art"))
      yield* first.batch
      yield* first.goOn
      yield* first.batch
      yield* first.process.stop
      const halfway = { after: "p3", scanned: 4, status: "running" }
      expect(yield* jobOf(storage)).toMatchObject(halfway)
      yield* first.release
      yield* Effect.yieldNow
      expect(yield* jobOf(storage)).toMatchObject(halfway)

      const second = yield* startProcess(storage, { linkBatchSize: 2 })
      yield* linked(storage, "shop")
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(art)
      expect(yield* jobOf(storage)).toMatchObject({ scanned: 10, status: "done" })
      yield* second.stop
    }),
  ))

test("a process that is stopped in the middle of a batch keeps nothing of that batch", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const begun = yield* Deferred.make<void>()
      const before = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      const hanging = yield* startProcess(aroundBatches(storage, { before }), { linkBatchSize: 2 })
      yield* createGroup(hanging, tagged("art"))
      yield* Deferred.await(begun)
      yield* hanging.stop
      expect(yield* jobOf(storage)).toMatchObject({ after: null, scanned: 0, status: "running" })
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual([])

      const second = yield* startProcess(storage, { linkBatchSize: 2 })
      yield* linked(storage, "shop")
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(art)
      yield* second.stop
    }),
  ))

test("a group that was changed past the service is linked anew as it is", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const first = yield* pausedProcess(storage)
      yield* createGroup(first.process, tagged("art"))
      yield* first.batch
      yield* first.process.stop
      yield* storage.transaction("shop", ({ groups }) =>
        Effect.gen(function* () {
          const stored = yield* groups.get("g1")
          if (stored === undefined) return yield* Effect.die("there is no group")
          const link = { type: "products.tag", modifier: "NOT", values: ["art"] } as const
          return yield* groups.update({ ...stored, group: { ...stored.group, link } })
        }),
      )
      const second = yield* startProcess(storage, { linkBatchSize: 2 })
      yield* linked(storage, "shop")
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(music)
      expect(yield* jobOf(storage)).toMatchObject({ groupVersion: 2, scanned: 10 })
      yield* second.stop
    }),
  ))

test("links of a group that was removed past the service are cleared away with its job", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const first = yield* pausedProcess(storage)
      yield* createGroup(first.process, tagged("art"))
      yield* first.batch
      yield* first.process.stop
      yield* storage.transaction("shop", ({ groups }) =>
        groups.remove({ groupId: "g1", version: 1 }),
      )
      const second = yield* startProcess(storage, { linkBatchSize: 2 })
      yield* linked(storage, "shop")
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual([])
      expect(yield* jobOf(storage)).toBeUndefined()
      yield* second.stop
    }),
  ))

test("a process that starts goes on with the jobs of every account", () =>
  runTest(
    Effect.gen(function* () {
      const accountIds = Array.from({ length: 7 }, (_, number) => `shop ${number}`)
      const storage = yield* stocked(accountIds)
      const first = yield* pausedProcess(storage)
      for (const accountId of accountIds) {
        yield* createGroup(first.process, tagged("art"), accountId)
      }
      yield* first.batch
      yield* first.process.stop
      const second = yield* startProcess(storage, { linkBatchSize: 3 })
      for (const accountId of accountIds) {
        yield* linked(storage, accountId)
        expect(yield* linkedKeys(storage, accountId, "g1")).toEqual(art)
      }
      yield* second.stop
    }),
  ))

test("a product that changes while a group is linked ends with the right links", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const { process, batch, goOn, release } = yield* pausedProcess(storage)
      yield* createGroup(process, tagged("art"))
      yield* batch
      yield* goOn
      yield* batch
      // Of what was looked at: one comes in, one falls out, one is new; and the same of the rest.
      yield* put(process, [
        { id: "p1", tags: ["ART"] },
        { id: "p2", tags: ["music"] },
        { id: "p1a", tags: ["art"] },
        { id: "p7", tags: ["art"] },
        { id: "p8", tags: [] },
        { id: "p7a", tags: ["art"] },
      ])
      const keys = ["p0", "p1", "p1a", "p7", "p7a"]
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(keys)
      yield* release
      yield* linked(storage, "shop")
      const final = ["p0", "p1", "p1a", "p4", "p6", "p7", "p7a"]
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(final)
      yield* process.stop
    }),
  ))

test("several groups of an account take turns", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const { process, batch, goOn, release } = yield* pausedProcess(storage)
      yield* createGroup(process, { ...tagged("art"), id: "g1" })
      yield* createGroup(process, { ...tagged("music"), id: "g2" })
      for (let step = 0; step < 3; step += 1) {
        yield* batch
        yield* goOn
      }
      yield* batch
      expect(yield* linkedKeys(storage, "shop", "g1")).not.toEqual([])
      expect(yield* linkedKeys(storage, "shop", "g2")).not.toEqual([])
      yield* release
      yield* linked(storage, "shop")
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(art)
      expect(yield* linkedKeys(storage, "shop", "g2")).toEqual(music)
      yield* process.stop
    }),
  ))

test("a batch that fails is logged and tried again, each time after a longer wait", () => {
  const log: Array<Logged> = []
  return runTest(
    Effect.gen(function* () {
      const inner = yield* stocked()
      const { storage, left } = failing(inner, 4)
      const process = yield* startProcess(storage, { linkBatchSize: 2 })
      log.length = 0
      yield* createGroup(process, tagged("art"))
      const leftAfter = (millis: number) => Effect.map(TestClock.adjust(millis), () => left())
      expect(yield* leftAfter(1)).toBe(3)
      expect(yield* leftAfter(498)).toBe(3)
      expect(yield* leftAfter(1)).toBe(2)
      expect(yield* leftAfter(999)).toBe(2)
      expect(yield* leftAfter(1)).toBe(1)
      expect(yield* leftAfter(1_999)).toBe(1)
      expect(yield* leftAfter(1)).toBe(0)
      expect((yield* jobOf(inner))?.scanned).toBe(0)
      yield* TestClock.adjust(4_000)
      yield* linked(inner, "shop")
      expect(yield* linkedKeys(inner, "shop", "g1")).toEqual(art)
      const warnings = log.filter(({ level }) => level === "Warn")
      expect(warnings.map(({ about }) => about)).toEqual(
        [500, 1_000, 2_000, 4_000].map((waitMillis, index) => ({
          accountId: "shop",
          groupId: "g1",
          failures: index + 1,
          waitMillis,
        })),
      )
      yield* process.stop
    }),
    log,
  )
})

test("a group that is made while another one waits for its next try is linked at once", () =>
  runTest(
    Effect.gen(function* () {
      const inner = yield* stocked()
      const { storage } = failing(inner, 3)
      const process = yield* startProcess(storage, { linkBatchSize: 2 })
      yield* createGroup(process, tagged("art"))
      yield* TestClock.adjust(500)
      yield* TestClock.adjust(1_000)
      expect((yield* jobOf(inner))?.scanned).toBe(0)
      yield* createGroup(process, { ...tagged("music"), id: "g2" })
      yield* eventually(
        inner.transaction("shop", ({ links }) => links.job("g2")),
        (job) => job?.status === "done",
      )
      expect(yield* linkedKeys(inner, "shop", "g2")).toEqual(music)
      expect(yield* linkedKeys(inner, "shop", "g1")).toEqual([])
      yield* process.stop
    }),
  ))

test("a process whose accounts can't be read at first goes on with their jobs later", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const first = yield* pausedProcess(storage)
      yield* createGroup(first.process, tagged("art"))
      yield* first.batch
      yield* first.process.stop
      let failures = 2
      const shaky = {
        ...storage,
        accounts: Effect.suspend(() => {
          failures -= 1
          const failure = StorageFailure.of("read the accounts", new Error("no connection"))
          return failures < 0 ? storage.accounts : Effect.fail(failure)
        }),
      }
      const second = yield* startProcess(shaky)
      yield* TestClock.adjust(500)
      expect((yield* jobOf(storage))?.status).toBe("running")
      yield* TestClock.adjust(1_000)
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual(art)
      yield* second.stop
    }),
  ))

test("nothing is tried again once the process is stopped", () =>
  runTest(
    Effect.gen(function* () {
      const inner = yield* stocked()
      const { storage, left } = failing(inner, 100)
      const process = yield* startProcess(storage)
      yield* createGroup(process, tagged("art"))
      yield* TestClock.adjust("10 minutes")
      const before = left()
      expect(before).toBeLessThan(100)
      yield* process.stop
      yield* TestClock.adjust("1 day")
      expect(left()).toBe(before)
    }),
  ))

test("a group whose unit of work fails is never linked", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* stocked()
      const process = yield* startProcess(storage)
      yield* process.run(
        Effect.gen(function* () {
          const groups = yield* ProductGroups
          const unit = yield* UnitOfWork
          const create = groups.create("shop", "ada", tagged("art"))
          yield* Effect.exit(unit.run("shop", Effect.andThen(create, Effect.fail("stop"))))
        }),
      )
      yield* TestClock.adjust("1 minute")
      expect(yield* jobOf(storage)).toBeUndefined()
      expect(yield* linkedKeys(storage, "shop", "g1")).toEqual([])
      yield* process.stop
    }),
  ))

test("a group in a catalogue without products is done at once", () =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* unindexedStorage
      const process = yield* startProcess(storage)
      yield* process.run(
        Effect.flatMap(Collaborators, (each) =>
          each.create("shop", { id: "ada", currency: "EUR" }),
        ),
      )
      yield* createGroup(process, tagged("art"))
      yield* linked(storage, "shop")
      expect(yield* jobOf(storage)).toMatchObject({ after: null, scanned: 0, status: "done" })
      yield* process.stop
    }),
  ))
