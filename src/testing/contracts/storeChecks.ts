import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { sameData } from "../../internal/sameData.js"
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
import { type ContractCheck, expectSame, expectTrue } from "./check.js"

const other = (value: unknown): unknown => {
  if (typeof value === "number") return -value - 1
  if (typeof value === "boolean") return !value
  return `${value} changed`
}

/** Changes everything in a value that lets itself be changed. A frozen one stays as it is. */
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

/** A copy of all that can be read, which stays as it is whatever happens to the store. */
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

/** What every store has to do alike. */
export const storeChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...[ownWrites, rollback, isolation, dirtyReads, aliasesIn, aliasesOut],
].flatMap((kind) => storeFixtures.map(kind))
