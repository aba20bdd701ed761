import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { sameData } from "../../internal/sameData.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractCheck, expectSame, expectTrue } from "./check.js"
import { type Facet, facets, givingWay, onStage, retried, type Stage, stageOf } from "./Stage.js"

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

const seed = (stage: Stage, facet: Facet) => stage.write((stores) => facet.seed(stores, asItIs))

/** A copy of all that can be read, which stays as it is whatever happens to the store. */
const look = (stage: Stage, facet: Facet) =>
  Effect.map(stage.read(facet.read), (seen) => structuredClone(seen))

const ownWrites = (facet: Facet) =>
  onStage(
    `the work sees its own writes: ${facet.name}`,
    Effect.fnUntraced(function* (stage) {
      yield* seed(stage, facet)
      const before = yield* look(stage, facet)
      const within = yield* stage.write((stores) =>
        Effect.andThen(
          facet.change(stores),
          Effect.map(facet.read(stores), (seen) => structuredClone(seen)),
        ),
      )
      const after = yield* look(stage, facet)
      yield* expectTrue("something has changed", !sameData(before, after), after)
      yield* expectSame("what the work saw", within, after)
    }),
  )

const rollback = (facet: Facet) =>
  onStage(
    `work that fails leaves nothing behind: ${facet.name}`,
    Effect.fnUntraced(function* (stage) {
      yield* seed(stage, facet)
      const before = yield* look(stage, facet)
      const failing = stage.write((stores) =>
        Effect.andThen(facet.change(stores), Effect.fail("on purpose")),
      )
      const failure = yield* Effect.flip(failing)
      yield* expectSame("the failure", failure, "on purpose")
      yield* expectSame("what is stored", yield* look(stage, facet), before)
      yield* stage.write(facet.change)
      const after = yield* look(stage, facet)
      yield* expectTrue("the same can be done again", !sameData(before, after), after)
    }),
  )

const isolation = (facet: Facet) =>
  onStage(
    `accounts are apart, though ids are the same: ${facet.name}`,
    Effect.fnUntraced(function* (stage) {
      const other = stageOf(stage.storage, "Shop")
      const empty = yield* look(other, facet)
      yield* seed(stage, facet)
      yield* expectSame("the other account", yield* look(other, facet), empty)
      yield* seed(other, facet)
      const before = yield* look(stage, facet)
      yield* expectSame("the other account, seeded", yield* look(other, facet), before)
      yield* other.write(facet.change)
      yield* expectSame("the first account", yield* look(stage, facet), before)
      const changed = yield* look(other, facet)
      yield* expectTrue("the other has changed", !sameData(before, changed), changed)
    }),
  )

const dirtyReads = (facet: Facet) =>
  onStage(
    `nobody sees what was not kept: ${facet.name}`,
    Effect.fnUntraced(function* (stage) {
      yield* seed(stage, facet)
      const before = yield* look(stage, facet)
      const changed = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const writing = stage.write((stores) =>
        facet
          .change(stores)
          .pipe(
            Effect.andThen(Deferred.succeed(changed, undefined)),
            Effect.andThen(Deferred.await(mayEnd)),
            Effect.andThen(Effect.fail("on purpose")),
          ),
      )
      const writer = yield* Effect.forkChild(Effect.exit(writing))
      yield* Effect.raceFirst(Deferred.await(changed), Fiber.await(writer))
      const reader = yield* Effect.forkChild(retried(look(stage, facet)))
      yield* givingWay
      yield* Deferred.succeed(mayEnd, undefined)
      yield* expectSame("what another saw", yield* Fiber.join(reader), before)
      yield* Fiber.join(writer)
      yield* expectSame("what is stored", yield* look(stage, facet), before)
    }),
  )

const aliasesIn = (facet: Facet) =>
  onStage(
    `what happens to a value that was handed over changes nothing: ${facet.name}`,
    Effect.fnUntraced(function* (stage) {
      const pristine = stageOf(stage.storage, "pristine")
      yield* seed(pristine, facet)
      yield* stage.write((stores) => {
        const handed: Array<unknown> = []
        const give = <A>(value: A): A => {
          const copy = structuredClone(value)
          handed.push(copy)
          return copy
        }
        return Effect.andThen(
          facet.seed(stores, give),
          Effect.sync(() => handed.forEach(scramble)),
        )
      })
      const expected = yield* look(pristine, facet)
      yield* expectSame("what is stored", yield* look(stage, facet), expected)
    }),
  )

const aliasesOut = (facet: Facet) =>
  onStage(
    `what happens to a value that was given out changes nothing: ${facet.name}`,
    Effect.fnUntraced(function* (stage) {
      yield* seed(stage, facet)
      const before = yield* look(stage, facet)
      const again = yield* stage.write((stores) =>
        Effect.gen(function* () {
          scramble(yield* facet.read(stores))
          return structuredClone(yield* facet.read(stores))
        }),
      )
      yield* expectSame("what the same work saw next", again, before)
      scramble(yield* stage.read(facet.read))
      yield* expectSame("what is stored", yield* look(stage, facet), before)
    }),
  )

/** What every store has to do alike. */
export const facetChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...[ownWrites, rollback, isolation, dirtyReads, aliasesIn, aliasesOut],
].flatMap((kind) => facets.map(kind))
