import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { sameData } from "../../internal/sameData.js"
import type { StoredAnswer } from "../../ports/KeyStore.js"
import type { StorageService } from "../../ports/Storage.js"
import {
  type ContractContext,
  contextOf,
  givingWay,
  inContext,
  retried,
  type StoreFixture,
  storeFixtures,
} from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame, expectTrue } from "./check.js"
import { answer, earliest, latest, oddIds } from "./samples.js"

const other = (value: unknown): unknown => {
  if (typeof value === "number") return -value - 1
  if (typeof value === "boolean") return !value
  return `${value} changed`
}

/** Changes every mutable part of a value. A frozen one stays as it is. */
export const scramble = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  for (const name of Object.keys(value)) {
    const field: unknown = Reflect.get(value, name)
    if (typeof field === "object" && field !== null) scramble(field)
    else Reflect.set(value, name, other(field))
  }
  if (Array.isArray(value)) Reflect.set(value, value.length, "changed")
}

const asItIs = <A>(value: A): A => value

const seed = (context: ContractContext, fixture: StoreFixture) =>
  context.write((stores) => fixture.seed(stores, asItIs))

/** A copy of everything that can be read, independent of later changes of the store. */
const look = (context: ContractContext, fixture: StoreFixture) =>
  Effect.map(context.read(fixture.read), (seen) => structuredClone(seen))

const ownWrites = (fixture: StoreFixture) =>
  inContext(
    `the work sees its own writes: ${fixture.name}`,
    Effect.fnUntraced(function* (context) {
      yield* seed(context, fixture)
      const before = yield* look(context, fixture)
      const within = yield* context.write((stores) =>
        Effect.andThen(
          fixture.change(stores),
          Effect.map(fixture.read(stores), (seen) => structuredClone(seen)),
        ),
      )
      const after = yield* look(context, fixture)
      yield* expectTrue("something has changed", !sameData(before, after), after)
      yield* expectSame("what the work saw", within, after)
    }),
  )

const rollback = (fixture: StoreFixture) =>
  inContext(
    `work that fails leaves nothing behind: ${fixture.name}`,
    Effect.fnUntraced(function* (context) {
      yield* seed(context, fixture)
      const before = yield* look(context, fixture)
      const failing = context.write((stores) =>
        Effect.andThen(fixture.change(stores), Effect.fail("on purpose")),
      )
      const failure = yield* Effect.flip(failing)
      yield* expectSame("the failure", failure, "on purpose")
      yield* expectSame("what is stored", yield* look(context, fixture), before)
      yield* context.write(fixture.change)
      const after = yield* look(context, fixture)
      yield* expectTrue("the same can be done again", !sameData(before, after), after)
    }),
  )

const isolation = (fixture: StoreFixture) =>
  inContext(
    `accounts are apart, though ids are the same: ${fixture.name}`,
    Effect.fnUntraced(function* (context) {
      const other = contextOf(context.storage, "Shop")
      const empty = yield* look(other, fixture)
      yield* seed(context, fixture)
      yield* expectSame("the other account", yield* look(other, fixture), empty)
      yield* seed(other, fixture)
      const before = yield* look(context, fixture)
      yield* expectSame("the other account, seeded", yield* look(other, fixture), before)
      yield* other.write(fixture.change)
      yield* expectSame("the first account", yield* look(context, fixture), before)
      const changed = yield* look(other, fixture)
      yield* expectTrue("the other has changed", !sameData(before, changed), changed)
    }),
  )

const dirtyReads = (fixture: StoreFixture) =>
  inContext(
    `nobody sees what was not kept: ${fixture.name}`,
    Effect.fnUntraced(function* (context) {
      yield* seed(context, fixture)
      const before = yield* look(context, fixture)
      const changed = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const writing = context.write((stores) =>
        fixture
          .change(stores)
          .pipe(
            Effect.andThen(Deferred.succeed(changed, undefined)),
            Effect.andThen(Deferred.await(mayEnd)),
            Effect.andThen(Effect.fail("on purpose")),
          ),
      )
      const writer = yield* Effect.forkChild(Effect.exit(writing))
      yield* Effect.raceFirst(Deferred.await(changed), Fiber.await(writer))
      const reader = yield* Effect.forkChild(retried(look(context, fixture)))
      yield* givingWay
      yield* Deferred.succeed(mayEnd, undefined)
      yield* expectSame("what another saw", yield* Fiber.join(reader), before)
      yield* Fiber.join(writer)
      yield* expectSame("what is stored", yield* look(context, fixture), before)
    }),
  )

const aliasesIn = (fixture: StoreFixture) =>
  inContext(
    `what happens to a value that was handed over changes nothing: ${fixture.name}`,
    Effect.fnUntraced(function* (context) {
      const pristine = contextOf(context.storage, "pristine")
      yield* seed(pristine, fixture)
      yield* context.write((stores) => {
        const handed: Array<unknown> = []
        const give = <A>(value: A): A => {
          const copy = structuredClone(value)
          handed.push(copy)
          return copy
        }
        return Effect.andThen(
          fixture.seed(stores, give),
          Effect.sync(() => handed.forEach(scramble)),
        )
      })
      const expected = yield* look(pristine, fixture)
      yield* expectSame("what is stored", yield* look(context, fixture), expected)
    }),
  )

const aliasesOut = (fixture: StoreFixture) =>
  inContext(
    `what happens to a value that was given out changes nothing: ${fixture.name}`,
    Effect.fnUntraced(function* (context) {
      yield* seed(context, fixture)
      const before = yield* look(context, fixture)
      const again = yield* context.write((stores) =>
        Effect.gen(function* () {
          scramble(yield* fixture.read(stores))
          return structuredClone(yield* fixture.read(stores))
        }),
      )
      yield* expectSame("what the same work saw next", again, before)
      scramble(yield* context.read(fixture.read))
      yield* expectSame("what is stored", yield* look(context, fixture), before)
    }),
  )

/** The contract of every store. */
export const storeChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...[ownWrites, rollback, isolation, dirtyReads, aliasesIn, aliasesOut],
].flatMap((kind) => storeFixtures.map(kind))

const insert = (context: ContractContext, given: StoredAnswer) =>
  context.write(({ keys }) => keys.insert(given))

const get = (context: ContractContext, key: string) => context.read(({ keys }) => keys.get(key))

const longText = JSON.stringify({ text: "“Ünïcode” 🎨 \\ ' \n".repeat(5_000) })

/** The contract of the store of idempotency keys. */
export const keyChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "an answer is stored under its key and read as it was, however long",
    Effect.fnUntraced(function* (context) {
      const given = answer("k1", { answer: longText, createdAt: latest })
      yield* insert(context, given)
      yield* insert(context, answer("k2", { answer: "", fingerprint: "", createdAt: earliest }))
      yield* expectSame("the answer", yield* get(context, "k1"), given)
      const empty = answer("k2", { answer: "", fingerprint: "", createdAt: earliest })
      yield* expectSame("the empty answer", yield* get(context, "k2"), empty)
      yield* expectSame("a new key", yield* get(context, "K1"), undefined)
    }),
  ),
  inContext(
    "a key that is there already is a conflict, and the first answer stays",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, answer("k1"))
      yield* expectConflict("the same again", insert(context, answer("k1")))
      yield* expectConflict("another answer", insert(context, answer("k1", { answer: "2" })))
      yield* expectSame("the answer", yield* get(context, "k1"), answer("k1"))
    }),
  ),
  inContext(
    "it is told how many keys there are, and when the first of them was stored",
    Effect.fnUntraced(function* (context) {
      const kept = context.read(({ keys }) => keys.kept())
      yield* expectSame("none", yield* kept, { count: 0, oldestAt: undefined })
      for (const [key, createdAt] of [
        ["k1", 7],
        ["k2", 5],
        ["k3", 9],
      ] as const) {
        yield* insert(context, answer(key, { createdAt }))
      }
      yield* expectSame("three", yield* kept, { count: 3, oldestAt: 5 })
      yield* context.write(({ keys }) => keys.removeBefore(6))
      yield* expectSame("two", yield* kept, { count: 2, oldestAt: 7 })
    }),
  ),
  inContext(
    "keys that look alike are different ones",
    Effect.fnUntraced(function* (context) {
      for (const key of oddIds) yield* insert(context, answer(key, { answer: key }))
      for (const key of oddIds) {
        yield* expectSame(`the key ${key}`, (yield* get(context, key))?.answer, key)
      }
    }),
  ),
  inContext(
    "what is older than a time is forgotten, and how many there were is told",
    Effect.fnUntraced(function* (context) {
      const times = [-5, 5, 9, 10, 10, 11]
      for (const [index, createdAt] of times.entries()) {
        yield* insert(context, answer(`k${index}`, { createdAt }))
      }
      const removeBefore = (at: number) => context.write(({ keys }) => keys.removeBefore(at))
      yield* expectSame("how many before 10", yield* removeBefore(10), 3)
      yield* expectSame("how many the second time", yield* removeBefore(10), 0)
      for (const [index, createdAt] of times.entries()) {
        const isKept = (yield* get(context, `k${index}`)) !== undefined
        yield* expectSame(`whether the one of ${createdAt} is kept`, isKept, createdAt >= 10)
      }
      yield* expectSame("how many in all", yield* removeBefore(latest), 3)
    }),
  ),
  inContext(
    "a key that was forgotten is new again",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, answer("k1", { createdAt: 1 }))
      yield* context.write(({ keys }) => keys.removeBefore(2))
      yield* expectSame("the key", yield* get(context, "k1"), undefined)
      yield* insert(context, answer("k1", { answer: "2" }))
      yield* expectSame("its answer", (yield* get(context, "k1"))?.answer, "2")
    }),
  ),
]
