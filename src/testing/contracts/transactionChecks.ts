import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { StorageService, Stores } from "../../ports/Storage.js"
import {
  accountId,
  type ContractContext,
  contextOf,
  givingWay,
  inContext,
  storeFixtures,
} from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame } from "./check.js"
import { answer, collaborator, group, oddIds, product } from "./samples.js"

/** A service of the host that the work can use. */
class HostService extends Context.Service<HostService, { readonly text: string }>()(
  "apportion/testing/contracts/Given",
) {}

const asItIs = <A>(value: A): A => value

const seedAll = (context: ContractContext) =>
  context.write((stores) =>
    Effect.forEach(storeFixtures, (fixture) => fixture.seed(stores, asItIs), { discard: true }),
  )

const changeAll = (stores: Stores) =>
  Effect.forEach(storeFixtures, (fixture) => fixture.change(stores), { discard: true })

const lookAtAll = (context: ContractContext) =>
  context.read((stores) => Effect.forEach(storeFixtures, (fixture) => fixture.read(stores)))

/**
 * Fails unless work that changes everything and then ends in a given way leaves everything as it
 * was.
 */
const expectNothingKept = (
  context: ContractContext,
  end: (work: (stores: Stores) => Effect.Effect<void, unknown>) => Effect.Effect<void, unknown>,
) =>
  Effect.gen(function* () {
    yield* seedAll(context)
    const before = yield* lookAtAll(context)
    yield* end(changeAll)
    yield* expectSame("what is stored", yield* lookAtAll(context), before)
  })

const succeeding: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "what the work gives comes out of the transaction, whatever it reads or writes",
    Effect.fnUntraced(function* (context) {
      const given = { any: ["thing", null] }
      yield* expectSame("of a write", yield* context.write(() => Effect.succeed(given)), given)
      yield* expectSame("of a read", yield* context.read(() => Effect.succeed(given)), given)
      yield* expectSame("nothing", yield* context.write(() => Effect.void), undefined)
    }),
  ),
  inContext(
    "everything that one transaction wrote is there for the next one",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ collaborators, groups, keys }) =>
        Effect.gen(function* () {
          yield* collaborators.insert(collaborator("ada"))
          yield* groups.insert(group("g1"))
          yield* keys.insert(answer("k1"))
        }),
      )
      const found = yield* context.read(({ collaborators, groups, keys }) =>
        Effect.all([collaborators.get("ada"), groups.get("g1"), keys.get("k1")]),
      )
      const expected = [
        { ...collaborator("ada"), version: 1 },
        { ...group("g1"), version: 1 },
        answer("k1"),
      ]
      yield* expectSame("what is stored", found, expected)
    }),
  ),
  inContext(
    "the work runs once, whether it succeeds or fails",
    Effect.fnUntraced(function* (context) {
      let runs = 0
      const counted = <A, E>(end: Effect.Effect<A, E>) =>
        context.write(() => {
          runs += 1
          return end
        })
      yield* counted(Effect.void)
      yield* expectSame("runs that succeed", runs, 1)
      yield* Effect.flip(counted(Effect.fail("on purpose")))
      yield* expectSame("runs in all", runs, 2)
    }),
  ),
  inContext(
    "the work has the services of whoever asked for it",
    Effect.fnUntraced(function* (context) {
      const work = context.write(() => Effect.map(HostService, ({ text }) => text))
      const text = yield* Effect.provideService(work, HostService, { text: "from outside" })
      yield* expectSame("what the work was given", text, "from outside")
    }),
  ),
  inContext(
    "five hundred writes of one transaction are kept together",
    Effect.fnUntraced(function* (context) {
      const ids = Array.from({ length: 500 }, (_, index) => `k${index}`)
      const writeAll = (end: Effect.Effect<void, string>) =>
        context.write(({ keys }) =>
          Effect.andThen(
            Effect.forEach(ids, (id) => keys.insert(answer(id)), { discard: true }),
            end,
          ),
        )
      const count = context.read(({ keys }) =>
        Effect.map(
          Effect.forEach(ids, (id) => keys.get(id)),
          (found) => found.filter((one) => one !== undefined).length,
        ),
      )
      yield* Effect.flip(writeAll(Effect.fail("on purpose")))
      yield* expectSame("how many after a failure", yield* count, 0)
      yield* writeAll(Effect.void)
      yield* expectSame("how many after a success", yield* count, 500)
    }),
  ),
]

const failing: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "work that dies leaves nothing behind, and its defect comes out",
    Effect.fnUntraced(function* (context) {
      const defect = { bug: "on purpose" }
      yield* expectNothingKept(context, (work) =>
        Effect.gen(function* () {
          const dying = context.write((stores) => Effect.andThen(work(stores), Effect.die(defect)))
          const exit = yield* Effect.exit(dying)
          const isDefect = Exit.hasDies(exit) && !Exit.hasFails(exit)
          yield* expectSame("whether it is a defect", isDefect, true)
          const cause = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
          yield* expectSame("the defect", cause, defect)
        }),
      )
    }),
  ),
  inContext(
    "work that is interrupted leaves nothing behind, and lets others go on",
    Effect.fnUntraced(function* (context) {
      yield* expectNothingKept(context, (work) =>
        Effect.gen(function* () {
          const done = yield* Deferred.make<void>()
          const endless = context.write((stores) =>
            work(stores).pipe(
              Effect.andThen(Deferred.succeed(done, undefined)),
              Effect.andThen(Effect.never),
            ),
          )
          const fiber = yield* Effect.forkChild(Effect.exit(endless))
          yield* Effect.raceFirst(Deferred.await(done), Fiber.await(fiber))
          yield* Fiber.interrupt(fiber)
        }),
      )
    }),
  ),
  inContext(
    "a conflict leaves nothing of its transaction behind",
    Effect.fnUntraced(function* (context) {
      yield* expectNothingKept(context, (work) =>
        expectConflict(
          "the transaction",
          context.write((stores) =>
            Effect.andThen(work(stores), stores.keys.insert(answer("k2", { answer: "late" }))),
          ),
        ),
      )
    }),
  ),
  inContext(
    "the failure of the work comes out as it is, data and all",
    Effect.fnUntraced(function* (context) {
      const failure = { _tag: "OutOfPaper", pages: [1, { left: 0 }] }
      for (const transaction of [context.write, context.read]) {
        const found = yield* Effect.flip(transaction(() => Effect.fail(failure)))
        yield* expectSame("the failure", found, failure)
      }
    }),
  ),
  inContext(
    "whoever is interrupted while waiting for its turn leaves nothing behind and holds nobody up",
    Effect.fnUntraced(function* (context) {
      const begun = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(
        context.write(({ keys }) =>
          keys
            .insert(answer("first"))
            .pipe(
              Effect.andThen(Deferred.succeed(begun, undefined)),
              Effect.andThen(Deferred.await(mayEnd)),
            ),
        ),
      )
      yield* Effect.raceFirst(Deferred.await(begun), Fiber.await(first))
      const second = yield* Effect.forkChild(
        context.write(({ keys }) => Effect.andThen(keys.insert(answer("second")), Effect.never)),
      )
      yield* givingWay
      const interruption = yield* Effect.forkChild(Fiber.interrupt(second))
      yield* givingWay
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(first)
      yield* Fiber.join(interruption)
      const found = yield* context.read(({ keys }) =>
        Effect.all([keys.get("first"), keys.get("second")]),
      )
      yield* expectSame("what is stored", found, [answer("first"), undefined])
    }),
  ),
]

const accounting: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "an account that was never written to is empty",
    Effect.fnUntraced(function* (context) {
      const all = { offset: 0, limit: 10 }
      const empty = { entries: [], total: 0 }
      const lists = yield* context.read((stores) =>
        Effect.all([
          stores.collaborators.list(all),
          stores.groups.list("ada", all),
          stores.products.list({}, all),
          stores.links.products("g1", all),
          stores.payouts.list({}, all),
          stores.sales.list({}, all),
        ]),
      )
      yield* expectSame(
        "the lists",
        lists,
        Array.from({ length: 6 }, () => empty),
      )
      const others = yield* context.read((stores) =>
        Effect.all([stores.groups.all, stores.groups.revision, stores.links.runningJobs(5)]),
      )
      yield* expectSame("the rest", others, [[], 0, []])
    }),
  ),
  inContext(
    "the accounts are those that have something stored, by id",
    Effect.fnUntraced(function* ({ storage }) {
      yield* expectSame("the accounts at first", yield* storage.accounts, [])
      for (const id of oddIds.toReversed()) {
        const context = contextOf(storage, id)
        yield* context.write(({ products }) => products.put([product("p1", { name: id })]))
      }
      yield* contextOf(storage, "only read").read(({ products }) => products.get(["p1"]))
      yield* expectSame("the accounts", yield* storage.accounts, oddIds)
      for (const id of oddIds) {
        const context = contextOf(storage, id)
        const [found] = yield* context.read(({ products }) => products.get(["p1"]))
        yield* expectSame(`the product of ${id}`, found?.name, id)
      }
    }),
  ),
  inContext(
    "whatever is stored first makes an account one of those that have something",
    Effect.fnUntraced(function* ({ storage }) {
      for (const fixture of storeFixtures) {
        const context = contextOf(storage, fixture.name)
        yield* context.write((stores) => fixture.seed(stores, asItIs))
      }
      const names = storeFixtures.map(({ name }) => name).sort()
      yield* expectSame("the accounts", yield* storage.accounts, names)
    }),
  ),
  inContext(
    "an account of which nothing was kept is none of those that have something",
    Effect.fnUntraced(function* (context) {
      const work = (end: Effect.Effect<void, string>) =>
        context.write(({ keys }) => Effect.andThen(keys.insert(answer("k1")), end))
      yield* Effect.flip(work(Effect.fail("on purpose")))
      yield* expectSame("after a failure", yield* context.storage.accounts, [])
      yield* work(Effect.void)
      yield* expectSame("after a success", yield* context.storage.accounts, [accountId])
    }),
  ),
]

/** What transactions and accounts have to do. */
export const transactionChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...succeeding,
  ...failing,
  ...accounting,
]
