import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { StorageService, Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { Check } from "./check.js"
import { collaborator } from "./samples.js"

/** A storage with one account to work on. */
export interface Stage {
  readonly storage: StorageService
  /** Runs work as one transaction. */
  readonly write: <A, E, R>(
    work: (stores: Stores) => Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | StorageError, R>
  /** Runs work that only reads as one transaction. */
  readonly read: <A, E, R>(
    work: (stores: Stores) => Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | StorageError, R>
}

/** The account that checks work on. */
export const accountId = "shop"

/** A stage on another account of the same storage. */
export const stageOf = (storage: StorageService, account: string): Stage => ({
  storage,
  write: (work) => storage.transaction(account, work),
  read: (work) => storage.transaction(account, work, { mode: "read" }),
})

/** A check of a storage. */
export const onStage = (
  name: string,
  check: (stage: Stage) => Effect.Effect<void, unknown>,
): Check<StorageService> => ({ name, check: (storage) => check(stageOf(storage, accountId)) })

/** Stores those of the collaborators that are not there yet. */
export const introduce = ({ collaborators }: Stores, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const known = yield* collaborators.find(ids)
    const there = new Set(known.map((one) => one.collaborator.id))
    const missing = [...new Set(ids)].filter((id) => !there.has(id))
    yield* Effect.forEach(missing, (id) => collaborators.insert(collaborator(id)), {
      discard: true,
    })
  })

/**
 * Checks of a storage whose account has collaborators with these ids: a store may refuse groups and
 * payouts of collaborators that it does not have.
 */
export const onStageWith =
  (collaboratorIds: ReadonlyArray<string>): typeof onStage =>
  (name, check) =>
    onStage(name, (stage) =>
      Effect.andThen(
        stage.write((stores) => introduce(stores, collaboratorIds)),
        check(stage),
      ),
    )

/** More often than any check needs when somebody wins each time. */
const mostTries = 1_000

/** Runs a transaction again as long as somebody else was first. */
export const retried = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(work, { while: (error) => Predicate.isTagged(error, "Conflict"), times: mostTries })

/** Runs work for each number below a count, all at the same time. */
export const allAtOnce = <A, E, R>(
  count: number,
  work: (index: number) => Effect.Effect<A, E, R>,
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    work,
    { concurrency: "unbounded" },
  )

/** Lets the others go on for a while. */
export const givingWay: Effect.Effect<void> = Effect.forEach(
  [1, 2, 3, 4, 5],
  () => Effect.yieldNow,
  { discard: true },
)
