import { MemoryStorage } from "apportion/memory"
import { Conflict, type StorageService } from "apportion/ports"
import { Actor, isActor, Payouts, UnitOfWork } from "apportion/service"
import { Cause, Effect, Exit } from "effect"
import { expect, test } from "vitest"
import { addCollaborator, addPayout, runWith, shop, toItsEnd } from "./PayoutFixture.js"

const expense = { amount: 100, name: "Tea" }

const open = Effect.andThen(addCollaborator(), addPayout({ id: "p1", total: 5_000 }))

const services = Effect.all({ payouts: Payouts, unit: UnitOfWork })

const actors = Effect.gen(function* () {
  const history = yield* (yield* Payouts).history(shop, "p1")
  return history.map(({ actor }) => actor)
})

const as = (actor: string) => Effect.provideService(Actor, actor)

test("the history of a payout tells who changed it, the system when nothing is said", async () => {
  const told = await runWith(
    Effect.gen(function* () {
      yield* open
      const { payouts } = yield* services
      yield* payouts.addExpense(shop, "p1", expense)
      yield* as("alice")(payouts.addExpense(shop, "p1", expense))
      yield* as("ben")(payouts.setPaid(shop, "p1"))
      return yield* actors
    }),
  )
  // The first one was made by the test itself, in the storage.
  expect(told).toEqual(["unknown", "system", "alice", "ben"])
})

test("the calls of a unit of work are made by whom the unit was begun by", async () => {
  const told = await runWith(
    Effect.gen(function* () {
      yield* open
      const { payouts, unit } = yield* services
      const work = Effect.gen(function* () {
        yield* payouts.addExpense(shop, "p1", expense)
        yield* as("ben")(payouts.addExpense(shop, "p1", expense))
        yield* as("cam")(unit.run(shop, payouts.setPaid(shop, "p1")))
      })
      yield* as("alice")(unit.run(shop, work))
      return yield* actors
    }),
  )
  expect(told).toEqual(["unknown", "alice", "alice", "alice"])
})

test("a call for another account within a unit of work has an actor of its own", async () => {
  const told = await runWith(
    Effect.gen(function* () {
      yield* open
      const { payouts, unit } = yield* services
      const work = as("ben")(payouts.addExpense(shop, "p1", expense))
      yield* as("alice")(unit.run("another shop", work))
      return yield* actors
    }),
  )
  expect(told).toEqual(["unknown", "ben"])
})

test("an attempt after a conflict is made by the same actor", async () => {
  const tried: Array<unknown> = []
  const storage = await Effect.runPromise(MemoryStorage.make)
  const conflicting: StorageService = {
    ...storage,
    transaction: (accountId, work, options) => {
      if (options?.actor !== "alice") return storage.transaction(accountId, work, options)
      tried.push(options.actor)
      return tried.length === 1
        ? Effect.fail(Conflict.of("payout", "p1"))
        : storage.transaction(accountId, work, options)
    },
  }
  const told = await runWith(
    Effect.gen(function* () {
      yield* open
      const { payouts } = yield* services
      yield* toItsEnd(as("alice")(payouts.addExpense(shop, "p1", expense)))
      return yield* actors
    }),
    { storage: conflicting },
  )
  expect(tried).toEqual(["alice", "alice"])
  expect(told).toEqual(["unknown", "alice"])
})

for (const actor of ["", "   ", "x".repeat(201), "🎨".repeat(201)]) {
  test(`nothing is done by ${JSON.stringify(actor.slice(0, 5))} of ${actor.length}`, async () => {
    expect(isActor(actor)).toBe(false)
    const { exit, told } = await runWith(
      Effect.gen(function* () {
        yield* open
        const { payouts } = yield* services
        const exit = yield* Effect.exit(as(actor)(payouts.addExpense(shop, "p1", expense)))
        return { exit, told: yield* actors }
      }),
    )
    expect(told).toEqual(["unknown"])
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
      _tag: "InvalidActor",
      actor,
      message: expect.stringContaining("must be a text of 1 to 200 characters"),
    })
  })
}

test("an actor may have 200 characters of any kind", () => {
  for (const actor of ["x".repeat(200), "🎨".repeat(200), " \u0000é", "token:0123abcd"]) {
    expect(isActor(actor)).toBe(true)
  }
  for (const other of [undefined, null, 7, ["alice"]]) expect(isActor(other)).toBe(false)
})
