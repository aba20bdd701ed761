/**
 * Transactions that calls of services join: the outermost one opens it, tries again after a conflict, and
 * does what was put off until the changes are kept.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { StorageService, Stores, TransactionMode } from "../../ports/Storage.js"
import type { Conflict, StorageError } from "../../ports/StorageError.js"
import { UnitOfWorkBroken } from "../ServiceError.js"
import { Settings } from "../Settings.js"

/** A transaction that is under way. */
interface Current {
  readonly accountId: string
  readonly mode: TransactionMode
  readonly stores: Stores
  readonly afterwards: Array<Effect.Effect<void>>
  /** Set when a call in it failed: what it had written by then must not be kept. */
  broken: boolean
  /** Set when it is over, for fibers that outlive it. */
  over: boolean
}

const CurrentTransaction = Context.Reference<Current | undefined>(
  "apportion/service/CurrentTransaction",
  { defaultValue: () => undefined },
)

const isConflict = (error: unknown): error is Conflict =>
  typeof error === "object" && error !== null && Reflect.get(error, "_tag") === "Conflict"

/** Short, growing and uneven waits, so that those who met do not meet again. */
const waits = Schedule.jittered(
  Schedule.min([Schedule.exponential("2 millis"), Schedule.spaced("250 millis")]),
)

const retryConflicts = <A, E, R>(
  accountId: string,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const { conflictRetries } = yield* settings.of(accountId)
    return yield* Effect.retry(effect, {
      while: isConflict,
      times: conflictRetries,
      schedule: waits,
    })
  })

const brokenOf = (accountId: string): UnitOfWorkBroken => {
  const message = `a call within the unit of work of account ${accountId} failed, so nothing of it was kept`
  return new UnitOfWorkBroken({ accountId, message })
}

const open = <A, E, R>(
  storage: StorageService,
  options: { readonly accountId: string; readonly mode: TransactionMode },
  work: (current: Current) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | StorageError, R> => {
  const { accountId, mode } = options
  const attempt = Effect.suspend(() => {
    const afterwards: Array<Effect.Effect<void>> = []
    const transaction = storage.transaction(
      accountId,
      (stores) => {
        const current = { accountId, mode, stores, afterwards, broken: false, over: false }
        const ended = Effect.sync(() => {
          current.over = true
        })
        return Effect.ensuring(
          Effect.provideService(work(current), CurrentTransaction, current),
          ended,
        )
      },
      { mode },
    )
    return Effect.tap(transaction, () => Effect.all(afterwards, { discard: true }))
  })
  return retryConflicts(accountId, attempt)
}

const isJoinable = (current: Current | undefined, accountId: string): current is Current =>
  current !== undefined && !current.over && current.accountId === accountId

/** Runs work on the stores of an account: in the transaction that is under way, or in one of its own. */
export const transact = <A, E, R>(
  storage: StorageService,
  options: { readonly accountId: string; readonly mode: TransactionMode },
  work: (stores: Stores) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | StorageError, R> =>
  Effect.flatMap(CurrentTransaction, (current) => {
    if (!isJoinable(current, options.accountId)) {
      return open(storage, options, ({ stores }) => work(stores))
    }
    const breaks = Effect.sync(() => {
      current.broken = true
    })
    return Effect.onError(work(current.stores), () => breaks)
  })

/** Runs work of which every call of a service belongs to one transaction. */
export const run = <A, E, R>(
  storage: StorageService,
  accountId: string,
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | UnitOfWorkBroken | StorageError, R> =>
  Effect.flatMap(CurrentTransaction, (outer) => {
    const whole = (current: Current) =>
      Effect.flatMap(work, (result) =>
        current.broken ? Effect.fail(brokenOf(accountId)) : Effect.succeed(result),
      )
    return isJoinable(outer, accountId)
      ? whole(outer)
      : open(storage, { accountId, mode: "write" }, whole)
  })

/** Does something once the changes are kept: at once when no transaction is under way. */
export const afterwards = (action: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(CurrentTransaction, (current) =>
    current === undefined || current.over
      ? action
      : Effect.sync(() => {
          current.afterwards.push(action)
        }),
  )

/** Logs a change as one structured line, once it is kept; the account of the transaction is added. */
export const logChange = (
  message: string,
  fields: Readonly<Record<string, string | number>>,
): Effect.Effect<void> =>
  Effect.flatMap(CurrentTransaction, (current) => {
    const account = current === undefined ? {} : { accountId: current.accountId }
    return afterwards(Effect.annotateLogs(Effect.logInfo(message), { ...account, ...fields }))
  })
