import { Payout } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { Conflict, Storage, StorageFailure, type StorageService } from "apportion/ports"
import { Payouts, UnitOfWork, type UnitOfWorkBroken } from "apportion/service"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { expect, test } from "vitest"
import { afterwards, transact } from "../../src/service/internal/transactions.js"
import {
  addCollaborator,
  addPayout,
  type LogLine,
  runWith,
  shop,
  stored,
  toItsEnd,
} from "./PayoutFixture.js"

const expense = { amount: 100, name: "Tea" }

/** An account with three payouts of 5000. */
const threePayouts = Effect.gen(function* () {
  yield* addCollaborator()
  yield* addPayout({ id: "p1", total: 5_000 })
  yield* addPayout({ id: "p2", total: 5_000, currency: "EUR" })
  yield* addPayout({ id: "p3", total: 5_000, status: "paid" })
})

const totals = Effect.forEach(["p1", "p2", "p3"], (id) =>
  Effect.map(stored(id), ({ total }) => total),
)

const services = Effect.all({ payouts: Payouts, unit: UnitOfWork, storage: Storage })

test("all calls of a unit of work are kept when it succeeds", async () => {
  const { kept, answer } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, unit } = yield* services
      const answer = yield* unit.run(
        shop,
        Effect.gen(function* () {
          yield* payouts.addExpense(shop, "p1", expense)
          yield* payouts.addIncome(shop, "p2", expense)
          // It sees what it wrote.
          return (yield* payouts.get(shop, "p1")).total
        }),
      )
      return { kept: yield* totals, answer }
    }),
  )
  expect(kept).toEqual([4_900, 5_100, 5_000])
  expect(answer).toBe(4_900)
})

test("nothing of a unit of work is kept when a call in it fails", async () => {
  const { kept, error } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, unit } = yield* services
      const calls = Effect.forEach(["p1", "p2", "p3"], (id) =>
        payouts.addExpense(shop, id, expense),
      )
      const error = yield* Effect.flip(unit.run(shop, calls))
      return { kept: yield* totals, error }
    }),
  )
  expect(error._tag).toBe("PayoutAlreadyPaid")
  expect(kept).toEqual([5_000, 5_000, 5_000])
})

const endings = {
  "its own work fails": Effect.fail("no"),
  "its own work dies": Effect.die("no"),
  "it is interrupted": Effect.interrupt,
}

for (const [ending, end] of Object.entries(endings)) {
  test(`nothing of a unit of work is kept, nor logged, when ${ending}`, async () => {
    const log: Array<LogLine> = []
    const { kept, exit } = await runWith(
      Effect.gen(function* () {
        yield* threePayouts
        const { payouts, unit } = yield* services
        const work = Effect.andThen(payouts.addExpense(shop, "p1", expense), end)
        const exit = yield* Effect.exit(unit.run(shop, work))
        return { kept: yield* totals, exit }
      }),
      { log },
    )
    expect(Exit.isFailure(exit)).toBe(true)
    expect(kept).toEqual([5_000, 5_000, 5_000])
    expect(log).toEqual([])
  })
}

test("a unit of work that passes over the failure of a writing call is broken", async () => {
  const { kept, error } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, unit } = yield* services
      const work = Effect.andThen(
        payouts.addExpense(shop, "p1", expense),
        Effect.ignore(payouts.addExpense(shop, "p3", expense)),
      )
      const error = yield* Effect.flip(unit.run(shop, work))
      return { kept: yield* totals, error }
    }),
  )
  const broken: Partial<UnitOfWorkBroken> = { _tag: "UnitOfWorkBroken", accountId: shop }
  expect(error).toMatchObject(broken)
  expect(kept).toEqual([5_000, 5_000, 5_000])
})

test("a call that only reads, or is refused before it begins, may fail without breaking anything", async () => {
  const kept = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, unit } = yield* services
      yield* unit.run(
        shop,
        Effect.gen(function* () {
          yield* payouts.addExpense(shop, "p1", expense)
          yield* Effect.ignore(payouts.get(shop, "p4"))
          yield* Effect.ignore(payouts.addExpense(shop, "p2", { amount: 0, name: "" }))
        }),
      )
      return yield* totals
    }),
  )
  expect(kept).toEqual([4_900, 5_000, 5_000])
})

test("a unit of work within another one of the account is part of it", async () => {
  const { kept, inner, error } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, unit } = yield* services
      const both = unit.run(
        shop,
        Effect.gen(function* () {
          yield* payouts.addExpense(shop, "p1", expense)
          const inner = yield* unit.run(shop, payouts.addExpense(shop, "p2", expense))
          yield* payouts.addExpense(shop, "p2", expense)
          return inner.total
        }),
      )
      const inner = yield* both
      const kept = yield* totals
      const error = yield* Effect.flip(unit.run(shop, Effect.andThen(both, Effect.fail("no"))))
      expect(yield* totals).toEqual(kept)
      return { kept, inner, error }
    }),
  )
  expect(inner).toBe(4_900)
  expect(kept).toEqual([4_900, 4_800, 5_000])
  expect(error).toBe("no")
})

test("a failed unit of work within another one can't be passed over, for it may have written", async () => {
  const { kept, error, idle } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, unit } = yield* services
      const failing = (work: Effect.Effect<unknown, unknown>) =>
        unit.run(shop, Effect.ignore(unit.run(shop, Effect.andThen(work, Effect.fail("no")))))
      const error = yield* Effect.flip(failing(payouts.addExpense(shop, "p1", expense)))
      const kept = yield* totals
      return { kept, error, idle: yield* Effect.exit(failing(payouts.get(shop, "p1"))) }
    }),
  )
  expect(error._tag).toBe("UnitOfWorkBroken")
  expect(kept).toEqual([5_000, 5_000, 5_000])
  expect(Exit.isSuccess(idle)).toBe(true)
})

test("calls for another account within a unit of work are kept for themselves", async () => {
  const { kept, other } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      yield* addCollaborator({}, "other")
      yield* addPayout({ id: "p1", total: 7 }, "other")
      const { payouts, unit } = yield* services
      const work = Effect.gen(function* () {
        yield* payouts.addExpense(shop, "p1", expense)
        yield* payouts.addExpense("other", "p1", { amount: 1, name: "Tea" })
        return yield* Effect.fail("no")
      })
      yield* Effect.exit(unit.run(shop, work))
      return { kept: yield* totals, other: yield* stored("p1", "other") }
    }),
  )
  expect(kept).toEqual([5_000, 5_000, 5_000])
  expect(other.total).toBe(6)
})

test("a call for the account within the unit of work of another one belongs to the outer one", async () => {
  const { kept, other } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      yield* addCollaborator({}, "other")
      yield* addPayout({ id: "p1", total: 7 }, "other")
      const { payouts, unit } = yield* services
      const inner = unit.run(
        "other",
        Effect.gen(function* () {
          yield* payouts.addExpense(shop, "p1", expense)
          yield* payouts.addExpense("other", "p1", { amount: 1, name: "Tea" })
        }),
      )
      yield* Effect.exit(unit.run(shop, Effect.andThen(inner, Effect.fail("no"))))
      return { kept: yield* totals, other: yield* stored("p1", "other") }
    }),
  )
  expect(kept).toEqual([5_000, 5_000, 5_000])
  expect(other.total).toBe(6)
})

test("calls that a unit of work makes side by side take turns, so none of them is lost", async () => {
  const { total, versions } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, unit } = yield* services
      const views = yield* unit.run(
        shop,
        Effect.all(
          Array.from({ length: 20 }, (_, number) =>
            number % 2 === 0
              ? payouts.addExpense(shop, "p1", expense)
              : unit.run(shop, payouts.addExpense(shop, "p1", expense)),
          ),
          { concurrency: "unbounded" },
        ),
      )
      const { total } = yield* stored("p1")
      return { total, versions: new Set(views.map((view) => view.total)).size }
    }),
  )
  expect(total).toBe(3_000)
  expect(versions).toBe(20)
})

test("a fiber that outlives a unit of work goes on in transactions of its own", async () => {
  const { kept, outlived } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, unit } = yield* services
      const gate = yield* Deferred.make<void>()
      const late = Effect.andThen(Deferred.await(gate), payouts.addExpense(shop, "p2", expense))
      const fiber = yield* unit.run(
        shop,
        Effect.andThen(payouts.addExpense(shop, "p1", expense), Effect.forkDetach(late)),
      )
      const kept = yield* totals
      yield* Deferred.succeed(gate, undefined)
      const outlived = yield* Fiber.join(fiber)
      expect(yield* totals).toEqual([4_900, 4_900, 5_000])
      return { kept, outlived }
    }),
  )
  expect(kept).toEqual([4_900, 5_000, 5_000])
  expect(outlived.total).toBe(4_900)
})

test("a fiber that outlives a failed unit of work changes what was kept, not what was taken back", async () => {
  const total = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, unit } = yield* services
      const gate = yield* Deferred.make<void>()
      const fiber = yield* Deferred.make<Fiber.Fiber<unknown, unknown>>()
      const late = Effect.andThen(Deferred.await(gate), payouts.addExpense(shop, "p1", expense))
      const work = payouts.addIncome(shop, "p1", { amount: 7, name: "Bonus" }).pipe(
        Effect.andThen(Effect.forkDetach(late)),
        Effect.tap((forked) => Deferred.succeed(fiber, forked)),
        Effect.andThen(Effect.fail("no")),
      )
      yield* Effect.exit(unit.run(shop, work))
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(yield* Deferred.await(fiber))
      return (yield* stored("p1")).total
    }),
  )
  expect(total).toBe(4_900)
})

test("a call that another fiber has begun when the work is done is waited for, and kept with it", async () => {
  const { order, kept } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, unit, storage } = yield* services
      const order: Array<string> = []
      const begun = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const slow = transact(storage, { accountId: shop, mode: "write" }, (stores) =>
        Effect.gen(function* () {
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(gate)
          const payout = yield* stores.payouts.get("p2")
          if (payout !== undefined) {
            const { items: _items, ...empty } = Payout.open(payout)
            yield* stores.payouts.update({ payout: { ...payout, ...empty, toBePaidAt: 7 } })
          }
          order.push("call")
        }),
      )
      const work = payouts
        .addExpense(shop, "p1", expense)
        .pipe(
          Effect.andThen(Effect.forkDetach(slow)),
          Effect.andThen(Deferred.await(begun)),
          Effect.andThen(Effect.forkDetach(Deferred.succeed(gate, undefined))),
        )
      yield* unit.run(shop, work)
      order.push("unit")
      return { order, kept: yield* stored("p2") }
    }),
  )
  expect(order).toEqual(["call", "unit"])
  expect(kept.toBePaidAt).toBe(7)
})

test("a call that gets its turn only when the work is over has a transaction of its own", async () => {
  const memory = await Effect.runPromise(MemoryStorage.make)
  let transactions = 0
  const storage: StorageService = {
    ...memory,
    transaction: (accountId, work, options) => {
      transactions += 1
      return memory.transaction(accountId, work, options)
    },
  }
  const { kept, opened } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, unit } = yield* services
      const options = { accountId: shop, mode: "write" } as const
      const [begun, gate, done] = yield* Effect.all([
        Deferred.make<void>(),
        Deferred.make<void>(),
        Deferred.make<void>(),
      ])
      const slow = transact(storage, options, () =>
        Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(gate)),
      )
      const late = Deferred.await(done).pipe(
        Effect.andThen(Effect.yieldNow),
        Effect.andThen(Effect.forkDetach(payouts.addExpense(shop, "p1", expense))),
      )
      const before = transactions
      const work = Effect.forkDetach(slow).pipe(
        Effect.andThen(Deferred.await(begun)),
        Effect.andThen(Effect.forkDetach(late)),
        Effect.tap(() => Deferred.succeed(done, undefined)),
      )
      const running = yield* Effect.forkChild(unit.run(shop, work))
      // By now the work is done and waits for the slow call; the late one waits behind it.
      yield* Effect.replicateEffect(Effect.yieldNow, 50, { discard: true })
      expect(transactions - before).toBe(1)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(yield* Fiber.join(yield* Fiber.join(running)))
      return { opened: transactions - before, kept: yield* totals }
    }),
    { storage },
  )
  expect(opened).toBe(2)
  expect(kept).toEqual([4_900, 5_000, 5_000])
})

/** A storage in memory whose next commits fail as planned. */
const planned = Effect.map(MemoryStorage.make, (storage) => {
  const plan: Array<Conflict | StorageFailure> = []
  const failing: StorageService = {
    ...storage,
    transaction: (accountId, work, options) =>
      storage.transaction(
        accountId,
        (stores) =>
          Effect.tap(work(stores), () => {
            const failure = plan.shift()
            return failure === undefined ? Effect.void : Effect.fail(failure)
          }),
        options,
      ),
  }
  return { storage: failing, plan }
})

const conflict = Conflict.of("payout", "p1")

/** Runs work that counts its attempts on a storage that fails as planned. */
const attempted = async <A, E>(
  failures: ReadonlyArray<Conflict | StorageFailure>,
  work: Effect.Effect<A, E, Payouts | UnitOfWork | Storage>,
  conflictRetries = 20,
) => {
  const { storage, plan } = await Effect.runPromise(planned)
  const log: Array<LogLine> = []
  let attempts = 0
  const counted = Effect.suspend(() => {
    attempts += 1
    return work
  })
  const { exit, kept } = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { unit } = yield* services
      plan.push(...failures)
      const exit = yield* Effect.exit(toItsEnd(unit.run(shop, counted)))
      plan.length = 0
      return { exit, kept: yield* totals }
    }),
    { storage, log, settings: { conflictRetries } },
  )
  return {
    exit,
    kept,
    attempts,
    log,
    error: Exit.isFailure(exit) ? Cause.squash(exit.cause) : null,
  }
}

const charge = Effect.flatMap(Payouts, (payouts) => payouts.addExpense(shop, "p1", expense))

for (const [conflicts, retries] of [
  [0, 0],
  [1, 0],
  [3, 3],
  [4, 3],
  [20, 20],
] as const) {
  const keeps = conflicts <= retries
  const outcome = keeps ? "is kept once" : "fails with the conflict"
  test(`work that meets ${conflicts} conflicts and may be tried ${retries} times more ${outcome}`, async () => {
    const outcome = await attempted(Array(conflicts).fill(conflict), charge, retries)
    expect(outcome.attempts).toBe(Math.min(conflicts, retries) + 1)
    expect(outcome.kept).toEqual([keeps ? 4_900 : 5_000, 5_000, 5_000])
    expect(outcome.error).toBe(keeps ? null : conflict)
    expect(outcome.log.map(({ message }) => message)).toEqual(keeps ? ["expense added"] : [])
  })
}

test("a failure of the storage is not tried again, for it may have been kept", async () => {
  const failure = StorageFailure.of("commit", new Error("no connection"))
  const { attempts, error } = await attempted([failure], charge)
  expect(attempts).toBe(1)
  expect(error).toBe(failure)
})

test("a host's own error is not tried again, whatever its tag", async () => {
  const own = { _tag: "Conflict", field: "name" }
  const { attempts, error } = await attempted([], Effect.andThen(charge, Effect.fail(own)))
  expect(attempts).toBe(1)
  expect(error).toBe(own)
})

const passedOver = {
  "passed over": (call: Effect.Effect<void, Conflict>) => Effect.ignore(call),
  "turned into another failure": (call: Effect.Effect<void, Conflict>) =>
    Effect.mapError(call, () => "something went wrong"),
}

for (const [how, passOver] of Object.entries(passedOver)) {
  test(`work in which the conflict of a call is ${how} is tried again`, async () => {
    let conflicts = 2
    const conflictingCall = Effect.flatMap(Storage, (storage) =>
      transact(storage, { accountId: shop, mode: "write" }, () => {
        conflicts -= 1
        return conflicts >= 0 ? Effect.fail(conflict) : Effect.void
      }),
    ).pipe(Effect.catchTag("StorageFailure", Effect.die))
    const work = Effect.flatMap(Storage, (storage) =>
      passOver(Effect.provideService(conflictingCall, Storage, storage)),
    )
    const { attempts, kept, exit } = await attempted([], Effect.andThen(charge, work))
    expect(Exit.isSuccess(exit)).toBe(true)
    expect(attempts).toBe(3)
    expect(kept).toEqual([4_900, 5_000, 5_000])
  })
}

test("what is put off is done once, in order, after the changes are kept, and a fault stops nothing", async () => {
  const done: Array<string> = []
  const note = (what: string) =>
    Effect.flatMap(Storage, (storage) =>
      afterwards(
        Effect.sync(() => {
          done.push(what)
        }).pipe(Effect.andThen(what === "b" ? Effect.die("no") : Effect.void)),
      ).pipe(Effect.provideService(Storage, storage)),
    )
  const work = note("a").pipe(
    Effect.andThen(note("b")),
    Effect.andThen(charge),
    Effect.andThen(note("c")),
    Effect.tap(() => Effect.sync(() => expect(done).toEqual([]))),
  )
  const { exit, log } = await attempted([conflict, conflict], work)
  expect(Exit.isSuccess(exit)).toBe(true)
  expect(done).toEqual(["a", "b", "c"])
  expect(log.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    "Error: a follow-up of a transaction failed",
    "Info: expense added",
  ])
})

test("what is put off where no transaction is under way is done at once", async () => {
  const done: Array<string> = []
  await Effect.runPromise(afterwards(Effect.sync(() => void done.push("now"))))
  expect(done).toEqual(["now"])
})

test("a call that writes can't be part of one that only reads", async () => {
  const exit = await runWith(
    Effect.gen(function* () {
      yield* threePayouts
      const { payouts, storage } = yield* services
      return yield* Effect.exit(
        transact(storage, { accountId: shop, mode: "read" }, () => payouts.setPaid(shop, "p1")),
      )
    }),
  )
  expect(Exit.hasDies(exit)).toBe(true)
})
