import { MemoryStorage } from "apportion/memory"
import { type Storage, StorageFailure, type StorageService } from "apportion/ports"
import { Actor, DuePayouts, type DuePayoutsService, type Payouts } from "apportion/service"
import { Context, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"
import {
  addCollaborator,
  addPayout,
  type LogLine,
  runWith,
  setTime,
  stored,
  utc,
} from "./PayoutFixture.js"

const due = utc("2024-02-29T00:00:00")
const names = ["apples", "books", "cards", "dolls", "eggs", "flags"]

/** Shops with one collaborator each, whose payout is due at the end of the month. */
const openShops = Effect.forEach(names, (name) =>
  Effect.andThen(addCollaborator({}, name), addPayout({ id: "p1", total: 5_000 }, name)),
)

const statuses = Effect.forEach(names, (name) =>
  Effect.map(stored("p1", name), ({ status }) => status),
)

/** Lets everything that can go on do so. */
const settle = Effect.replicateEffect(Effect.yieldNow, 1_000, { discard: true })

/** Uses the service, whose clock has struck once and won't again. */
const using = <A, E>(use: (service: DuePayoutsService) => Effect.Effect<A, E, Payouts | Storage>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const built = yield* Layer.build(DuePayouts.layer({ every: "1000 days" }))
      yield* settle
      return yield* use(Context.get(built, DuePayouts))
    }),
  )

/** The storage in memory, in which some accounts or the list of all do not answer. */
const failing = async (broken: {
  accounts: ReadonlyArray<string>
  list: boolean
}): Promise<StorageService> => {
  const storage = await Effect.runPromise(MemoryStorage.make)
  const failure = StorageFailure.of("read", "no connection")
  return {
    transaction: (accountId, work, options) =>
      broken.accounts.includes(accountId)
        ? Effect.fail(failure)
        : storage.transaction(accountId, work, options),
    accounts: Effect.suspend(() => (broken.list ? Effect.fail(failure) : storage.accounts)),
  }
}

test("what is due is closed in every account, and what is not stays as it is", async () => {
  const { early, closing, after } = await runWith(
    Effect.gen(function* () {
      yield* openShops
      yield* addPayout({ id: "p2", total: 0, currency: "EUR" }, "cards")
      yield* addPayout({ id: "p2", total: 9, currency: "EUR", toBePaidAt: due + 1 }, "dolls")
      return yield* using(({ closeAll }) =>
        Effect.gen(function* () {
          const early = yield* closeAll
          yield* setTime(due)
          return { early, closing: yield* closeAll, after: yield* statuses }
        }),
      )
    }),
  )
  expect(early).toEqual({ accounts: [], failed: [] })
  const closed = { closed: ["p1"], rolled: [] }
  expect(closing).toEqual({
    accounts: names.map((accountId) =>
      accountId === "cards"
        ? { accountId, closed: ["p1"], rolled: ["p2"] }
        : { accountId, ...closed },
    ),
    failed: [],
  })
  expect(after).toEqual(names.map(() => "pending"))
})

test("payouts are closed as soon as the layer is there, and again after each interval", async () => {
  const seen = await runWith(
    Effect.gen(function* () {
      yield* openShops
      yield* addCollaborator({ id: "ben" }, "books")
      yield* addPayout({ id: "p2", collaboratorId: "ben", total: 1, toBePaidAt: due + 90 }, "books")
      yield* setTime(due)
      const running = yield* Effect.forkChild(
        Effect.provide(Effect.never, DuePayouts.layer({ every: "1 minute" })),
      )
      yield* settle
      const atOnce = yield* statuses
      const second = Effect.map(stored("p2", "books"), ({ status }) => status)
      const steps = [yield* second]
      for (let minute = 1; minute <= 2; minute++) {
        yield* TestClock.adjust("1 minute")
        yield* settle
        steps.push(yield* second)
      }
      yield* Fiber.interrupt(running)
      return { atOnce, steps }
    }),
  )
  expect(seen.atOnce).toEqual(names.map(() => "pending"))
  expect(seen.steps).toEqual(["active", "active", "pending"])
})

test("nothing is closed any more when the layer is gone", async () => {
  const after = await runWith(
    Effect.gen(function* () {
      yield* openShops
      const running = yield* Effect.forkChild(
        Effect.provide(Effect.never, DuePayouts.layer({ every: "1 minute" })),
      )
      yield* settle
      yield* Fiber.interrupt(running)
      yield* setTime(due)
      yield* TestClock.adjust("1 hour")
      yield* settle
      return yield* statuses
    }),
  )
  expect(after).toEqual(names.map(() => "active"))
})

test("an account that fails is logged, and the others are closed all the same", async () => {
  const log: Array<LogLine> = []
  const broken = { accounts: [] as ReadonlyArray<string>, list: false }
  const { first, second, after } = await runWith(
    Effect.gen(function* () {
      yield* openShops
      return yield* using(({ closeAll }) =>
        Effect.gen(function* () {
          yield* setTime(due)
          broken.accounts = ["books", "eggs"]
          const first = yield* closeAll
          broken.accounts = []
          return { first, second: yield* closeAll, after: yield* statuses }
        }),
      )
    }),
    { storage: await failing(broken), log },
  )
  expect(first.failed).toEqual(["books", "eggs"])
  expect(first.accounts.map(({ accountId }) => accountId)).toEqual([
    "apples",
    "cards",
    "dolls",
    "flags",
  ])
  expect(second.failed).toEqual([])
  expect(second.accounts.map(({ accountId }) => accountId)).toEqual(["books", "eggs"])
  expect(after).toEqual(names.map(() => "pending"))
  const warnings = log.filter(({ level }) => level === "Warn")
  expect(warnings.map(({ message }) => message)).toContain(
    "the due payouts could not all be closed",
  )
  expect(new Set(warnings.map(({ annotations }) => annotations.accountId))).toEqual(
    new Set(["books", "eggs"]),
  )
})

test("when the accounts can't be read, that is logged and the next time comes all the same", async () => {
  const log: Array<LogLine> = []
  const broken = { accounts: [], list: false }
  const { before, after } = await runWith(
    Effect.gen(function* () {
      yield* openShops
      yield* setTime(due)
      broken.list = true
      const running = yield* Effect.forkChild(
        Effect.provide(Effect.never, DuePayouts.layer({ every: "5 minutes" })),
      )
      yield* settle
      const before = yield* statuses
      broken.list = false
      yield* TestClock.adjust("5 minutes")
      yield* settle
      yield* Fiber.interrupt(running)
      return { before, after: yield* statuses }
    }),
    { storage: await failing(broken), log },
  )
  expect(before).toEqual(names.map(() => "active"))
  expect(after).toEqual(names.map(() => "pending"))
  expect(log.filter(({ level }) => level === "Warn").map(({ message }) => message)).toEqual([
    "the accounts whose payouts may be due could not be read",
  ])
})

test("an interval of nothing is one of a second", async () => {
  let asked = 0
  const storage = await Effect.runPromise(MemoryStorage.make)
  const counting = {
    ...storage,
    accounts: Effect.suspend(() => {
      asked += 1
      return storage.accounts
    }),
  }
  await runWith(
    Effect.gen(function* () {
      const running = yield* Effect.forkChild(
        Effect.provide(Effect.never, DuePayouts.layer({ every: 0 })),
      )
      yield* settle
      expect(asked).toBe(1)
      yield* TestClock.adjust("999 millis")
      expect(asked).toBe(1)
      yield* TestClock.adjust("9001 millis")
      expect(asked).toBe(11)
      yield* Fiber.interrupt(running)
    }),
    { storage: counting },
  )
})

test("whoever asks, it is the system that closes", async () => {
  const actors: Array<unknown> = []
  const storage = await Effect.runPromise(MemoryStorage.make)
  const noting: StorageService = {
    ...storage,
    transaction: (accountId, work, options) => {
      actors.push(options?.actor)
      return storage.transaction(accountId, work, options)
    },
  }
  await runWith(
    Effect.gen(function* () {
      yield* openShops
      yield* using(({ closeAll }) => {
        actors.length = 0
        return Effect.andThen(setTime(due), Effect.provideService(closeAll, Actor, "alice"))
      })
    }),
    { storage: noting },
  )
  expect(actors.length).toBeGreaterThan(names.length)
  expect(new Set(actors)).toEqual(new Set(["system"]))
})
