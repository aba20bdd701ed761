/** One transaction of a plain storage, with work of Effect in it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { PlainStorage, PlainStores } from "../PlainStorage.js"
import type { Stores, TransactionOptions } from "../Storage.js"
import { Conflict, type StorageError, StorageFailure } from "../StorageError.js"
import { storageErrorOf } from "./plainCalls.js"
import { storesOf } from "./plainStores.js"

/** Runs the work until it ends or the signal says stop; never rejects. */
export type Run<A, E> = (stores: Stores, signal: AbortSignal) => Promise<Exit.Exit<A, E>>

/** What is known of the work when the host says that the transaction is over. */
interface Progress<A, E> {
  starts: number
  exit: Exit.Exit<A, E> | undefined
  running: Promise<unknown> | undefined
}

/**
 * The work as the host calls it: rejects when the work fails, so that the host rolls back. Some libraries
 * call it again by themselves after a conflict; only those who asked for the transaction may do that.
 */
const callbackOf =
  <A, E>(progress: Progress<A, E>, run: Run<A, E>, signal: AbortSignal) =>
  async (stores: PlainStores): Promise<void> => {
    progress.starts += 1
    if (progress.starts > 1) throw Conflict.of("transaction", "")
    if (signal.aborted) throw StorageFailure.of("start a transaction", "it was given up")
    const running = run(storesOf(stores), signal)
    progress.running = running
    const exit = await running
    progress.exit = exit
    if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  }

/** What comes out: the work's own failure before anything that the host says about it. */
const outcomeOf = <A, E>(
  progress: Progress<A, E>,
  rejection: { readonly error: unknown } | undefined,
): Exit.Exit<A, E | StorageError> => {
  const { exit, starts } = progress
  if (exit !== undefined && Exit.isFailure(exit)) return exit
  if (starts > 1) return Exit.fail(Conflict.of("transaction", ""))
  const doing = exit === undefined ? "run a transaction" : "commit a transaction"
  if (rejection !== undefined) return Exit.fail(storageErrorOf(doing, rejection.error))
  return exit ?? Exit.fail(StorageFailure.of(doing, "it ended before its work did"))
}

/** Runs work in a transaction of a plain storage. Given up, it ends when the host has rolled back. */
export const runPlain = <A, E>(
  plain: PlainStorage,
  options: TransactionOptions & { readonly accountId: string },
  run: Run<A, E>,
): Effect.Effect<A, E | StorageError> =>
  Effect.callback<A, E | StorageError>((resume) => {
    const { accountId, mode, actor } = options
    const stop = new AbortController()
    const progress: Progress<A, E> = { starts: 0, exit: undefined, running: undefined }
    const end = async (rejection?: { readonly error: unknown }) => {
      const outcome = outcomeOf(progress, rejection)
      // A host that has run out of patience says so while the work still goes on.
      stop.abort()
      await progress.running
      resume(outcome)
    }
    const begin = async () =>
      plain.transaction(accountId, callbackOf(progress, run, stop.signal), { mode, actor })
    const ended = begin().then(
      () => end(),
      (error) => end({ error }),
    )
    return Effect.promise(() => {
      stop.abort()
      return ended
    })
  })
