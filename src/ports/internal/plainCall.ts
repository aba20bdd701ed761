/** Calls of a host's plain async functions as effects: what they throw becomes a tagged error. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { Conflict, type StorageError, StorageFailure } from "../StorageError.js"

const textOf = (error: object, name: string, fallback: string): string => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === "string" ? value : fallback
}

const isTagged = (error: unknown, tag: string): error is object =>
  Predicate.isObject(error) && Reflect.get(error, "_tag") === tag

/** A conflict stays one, whether or not it was made with our class. */
const conflictOf = (doing: string, error: object): Conflict => {
  const message = `could not ${doing}: it was changed by someone else at the same time`
  return new Conflict({
    what: textOf(error, "what", doing),
    id: textOf(error, "id", ""),
    message: textOf(error, "message", message) || message,
  })
}

const failureOf = (doing: string, error: unknown): StorageFailure =>
  error instanceof StorageFailure ? error : StorageFailure.of(doing, error)

/** The error that a store threw: a conflict, or a failure with the thrown value as its cause. */
export const storageErrorOf = (doing: string, error: unknown): StorageError => {
  if (error instanceof Conflict) return error
  return isTagged(error, "Conflict") ? conflictOf(doing, error) : failureOf(doing, error)
}

/**
 * A call that can't be abandoned: an interrupted transaction waits for it, so that the host never rolls back while a
 * statement is still running.
 */
const call = <A, E>(run: () => Promise<A>, errorOf: (error: unknown) => E): Effect.Effect<A, E> =>
  Effect.uninterruptible(Effect.tryPromise({ try: async () => run(), catch: errorOf }))

/** A plain function as a function that returns an effect. */
export const lift =
  <Arguments extends ReadonlyArray<unknown>, A>(
    doing: string,
    run: (...args: Arguments) => Promise<A>,
  ): ((...args: Arguments) => Effect.Effect<A, StorageError>) =>
  (...args) =>
    call(
      () => run(...args),
      (error) => storageErrorOf(doing, error),
    )

/** Like `lift`, for optional results: hosts may return `null`, as their databases do. */
export const liftOptional =
  <Arguments extends ReadonlyArray<unknown>, A>(
    doing: string,
    run: (...args: Arguments) => Promise<A | undefined>,
  ): ((...args: Arguments) => Effect.Effect<A | undefined, StorageError>) =>
  (...args) =>
    Effect.map(lift(doing, run)(...args), (value) => value ?? undefined)

/** A call outside of transactions, which can't conflict. */
export const ask = <A>(doing: string, run: () => Promise<A>): Effect.Effect<A, StorageFailure> =>
  call(run, (error) => failureOf(doing, error))
