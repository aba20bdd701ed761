/** Closing all payouts of an account that are due. */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { AmountOutOfRange } from "../../../money/Cents.js"
import type { ScheduleError } from "../../../payouts/Schedule.js"
import type { StoredPayout } from "../../../ports/PayoutStore.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { SettingsService, SettingsValue } from "../../Settings.js"
import { bookDue, isAnyDue, mostBooked } from "../agreements/agreementDue.js"
import { inForce } from "../chosenSettings.js"
import { wholeWithin } from "../lookups.js"
import { now, type Transactor } from "../transactions.js"
import { type Brought, closeOrRoll, type Passing } from "./payoutCycle.js"

/** How many due payouts are looked up at a time. */
const batchSize = 100

/** How many of them a worker that is not alone closes before it looks again. */
const togetherSize = 10

/** The largest limit that a caller can give. */
const mostAtOnce = 1_000

interface ClosingTools extends Transactor {
  readonly settings: SettingsService
  readonly newId: Effect.Effect<string>
}

interface Task extends Pick<Passing, "newId" | "at"> {
  readonly accountId: string
  /** The host's. */
  readonly settings: SettingsValue
}

type Closed = Pick<Brought, "closed" | "rolled"> & { readonly isOrphaned?: boolean }

const nothing: Closed = { closed: [], rolled: [] }

/** Closes or rolls one payout in a transaction, unless someone else did so since it was looked up. */
const closeOne = (
  { write }: ClosingTools,
  { accountId, settings, newId, at }: Task,
  payoutId: string,
): Effect.Effect<Closed, ScheduleError | StorageError> =>
  write(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const payout = yield* stores.payouts.get(payoutId)
      if (payout === undefined) return nothing
      const owner = yield* stores.collaborators.get(payout.collaboratorId)
      if (owner === undefined) return { ...nothing, isOrphaned: true }
      const { collaborator } = owner
      const { timeZone, maturityDays } = yield* inForce(stores, settings)
      const passing = { payout, collaborator, timeZone, maturityDays, at, newId }
      return yield* closeOrRoll(stores, passing)
    }),
  )

const warnOfOrphan = (accountId: string, payout: StoredPayout): Effect.Effect<void> =>
  Effect.annotateLogs(
    Effect.logWarning("a payout that is due has no collaborator, so it stays as it is"),
    { accountId, payoutId: payout.id, collaboratorId: payout.collaboratorId },
  )

/** What a run of closing has done so far. */
interface CloseProgress {
  readonly closed: Array<string>
  readonly rolled: Array<string>
  /** Payouts that could not be closed or rolled, which are passed over from then on. */
  readonly passed: Set<string>
  /** Set when another worker was closing the same payouts. */
  isShared: boolean
}

/**
 * The due payouts to continue with. A worker that is alone takes them by their dates. Workers that meet choose at
 * random, so that they don't meet at every payout, and soon look again, because the others shorten the list.
 */
const nextOf = (
  due: ReadonlyArray<StoredPayout>,
  { passed, isShared }: CloseProgress,
): Effect.Effect<ReadonlyArray<StoredPayout>> => {
  const left = due.filter(({ id }) => !passed.has(id))
  if (!isShared) return Effect.succeed(left)
  return Effect.map(Random.shuffle(left), (shuffled) => shuffled.slice(0, togetherSize))
}

/** Closes or rolls payouts in sequence, until another worker was faster. */
const closeNext = Effect.fnUntraced(function* (
  tools: ClosingTools,
  task: Task,
  next: ReadonlyArray<StoredPayout>,
  progress: CloseProgress,
) {
  for (const payout of next) {
    const { closed, rolled, isOrphaned = false } = yield* closeOne(tools, task, payout.id)
    progress.closed.push(...closed)
    progress.rolled.push(...rolled)
    if (closed.length + rolled.length > 0) continue
    progress.passed.add(payout.id)
    if (isOrphaned) {
      yield* warnOfOrphan(task.accountId, payout)
      continue
    }
    progress.isShared = true
    return
  }
})

type Closings = {
  readonly closed: ReadonlyArray<string>
  readonly rolled: ReadonlyArray<string>
}

type NextClosings = Closings & { readonly isAll: boolean }

const warnOfUnbooked = (accountId: string, { message }: AmountOutOfRange): Effect.Effect<void> =>
  Effect.annotateLogs(
    Effect.logWarning("what agreements book by now does not fit into a payout, so it waits"),
    { accountId, why: message },
  )

/** Books what agreements book by now: some in each of so many transactions; whether all is. */
const bookAgreementsDue = Effect.fnUntraced(function* (
  { read, write }: ClosingTools,
  { accountId, settings, newId, at }: Task,
  times: number,
): Effect.fn.Return<boolean, ScheduleError | StorageError> {
  const isDue = read(accountId, (stores) => isAnyDue(stores, at))
  const bookSome = write(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const { timeZone, maturityDays } = yield* inForce(stores, settings)
      return yield* Effect.catchTags(bookDue(stores, { timeZone, maturityDays, at, newId }), {
        ...{ InvalidExchangeRate: Effect.die, UnknownCurrency: Effect.die },
      })
    }),
  )
  const book = Effect.catchTag(bookSome, "AmountOutOfRange", (error) =>
    Effect.as(warnOfUnbooked(accountId, error), "unbooked" as const),
  )
  for (let time = 0; time < times; time += 1) {
    if (!(yield* isDue) || (yield* book) === "unbooked") return true
  }
  return !(yield* isDue)
})

/** Closes or rolls due payouts, at most so many. */
const closePayouts = Effect.fnUntraced(function* (
  tools: ClosingTools,
  task: Task,
  limit: number,
): Effect.fn.Return<Closings, ScheduleError | StorageError> {
  const progress: CloseProgress = { closed: [], rolled: [], passed: new Set(), isShared: false }
  for (;;) {
    const { closed, rolled, passed } = progress
    const due = yield* tools.read(task.accountId, ({ payouts }) =>
      payouts.due({ at: task.at, limit: batchSize + passed.size }),
    )
    // Payouts that another worker has closed are gone from the list, and must not make the next look wider.
    const seen = new Set(due.map(({ id }) => id))
    for (const id of passed) if (!seen.has(id)) passed.delete(id)
    const left = Math.max(0, limit - closed.length - rolled.length)
    const next = (yield* nextOf(due, progress)).slice(0, left)
    if (next.length === 0) return { closed, rolled }
    yield* closeNext(tools, task, next, progress)
  }
})

/**
 * Closes or rolls due payouts, at most so many, and then books what agreements book by now: it goes into the payouts that
 * collect from then on.
 */
const closeUpTo = Effect.fnUntraced(function* (
  tools: ClosingTools,
  accountId: string,
  limit: number,
): Effect.fn.Return<NextClosings, ScheduleError | StorageError> {
  yield* Effect.annotateCurrentSpan({ accountId })
  const settings = yield* tools.settings.of(accountId)
  const { newId } = tools
  const task = { accountId, settings, newId, at: yield* now }
  const { closed, rolled } = yield* closePayouts(tools, task, limit)
  const left = limit - closed.length - rolled.length
  const isAll = left > 0 && (yield* bookAgreementsDue(tools, task, Math.ceil(left / mostBooked)))
  return { closed, rolled, isAll }
})

/**
 * `Payouts.closeDue`: each payout in a transaction of its own. A payout that is closed or rolled is no longer due, so
 * the next look finds others; one that could not be closed is passed over, so that the run always ends.
 */
export const closeDue = (
  tools: ClosingTools,
): ((accountId: string) => Effect.Effect<Closings, ScheduleError | StorageError>) =>
  Effect.fn("Payouts.closeDue")((accountId) =>
    Effect.map(closeUpTo(tools, accountId, Number.POSITIVE_INFINITY), ({ closed, rolled }) => ({
      closed,
      rolled,
    })),
  )

/** `Payouts.closeNextDue` */
export const closeNextDue = (
  tools: ClosingTools,
): ((
  accountId: string,
  limit: number,
) => Effect.Effect<NextClosings, ScheduleError | StorageError>) =>
  Effect.fn("Payouts.closeNextDue")((accountId, limit) =>
    closeUpTo(tools, accountId, wholeWithin(limit, 1, mostAtOnce)),
  )
