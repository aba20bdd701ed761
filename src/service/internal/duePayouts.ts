import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type { ScheduleError } from "../../payouts/Schedule.js"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import type { StorageService } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { Actor } from "../Actor.js"
import type { AccountClosing, DuePayoutsService } from "../DuePayouts.js"
import type { PayoutsService } from "../Payouts.js"
import { now } from "./now.js"
import { type Brought, closeOrRoll } from "./payoutCycle.js"
import type { PayoutTools } from "./payoutEntries.js"

// Closing all payouts that are due.

/** How many due payouts are looked up at a time. */
const batchSize = 100

/** How many of them a worker that is not alone closes before it looks again. */
const togetherSize = 10

interface Task {
  readonly accountId: string
  readonly timeZone: string
  readonly at: number
}

/** Closes or rolls one payout in a transaction, unless someone else did so since it was looked up. */
const closeOne = (
  { write }: PayoutTools,
  { accountId, timeZone, at }: Task,
  payoutId: string,
): Effect.Effect<Brought["done"] | "orphaned", ScheduleError | StorageError> =>
  write(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const payout = yield* stores.payouts.get(payoutId)
      if (payout === undefined) return "nothing"
      const owner = yield* stores.collaborators.get(payout.collaboratorId)
      if (owner === undefined) return "orphaned"
      const { collaborator } = owner
      return (yield* closeOrRoll(stores, { payout, collaborator, timeZone, at })).done
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
  /** What could not be closed or rolled, and is passed over from then on. */
  readonly passed: Set<string>
  /** Set when another worker was met, who closes the same payouts. */
  isShared: boolean
}

/**
 * Which payouts to go on with, of those that are due. A worker that is alone takes them by their dates. Those
 * that met draw lots, so that they don't go side by side from then on, and look again soon, because what is
 * left becomes less without them.
 */
const nextOf = (
  due: ReadonlyArray<StoredPayout>,
  { passed, isShared }: CloseProgress,
): Effect.Effect<ReadonlyArray<StoredPayout>> => {
  const left = due.filter(({ id }) => !passed.has(id))
  if (!isShared) return Effect.succeed(left)
  return Effect.map(Random.shuffle(left), (shuffled) => shuffled.slice(0, togetherSize))
}

/** Closes or rolls one after the other, until another worker was there first. */
const closeNext = Effect.fnUntraced(function* (
  tools: PayoutTools,
  task: Task,
  next: ReadonlyArray<StoredPayout>,
  progress: CloseProgress,
) {
  for (const payout of next) {
    const done = yield* closeOne(tools, task, payout.id)
    if (done === "closed") progress.closed.push(payout.id)
    else if (done === "rolled") progress.rolled.push(payout.id)
    else progress.passed.add(payout.id)
    if (done === "orphaned") yield* warnOfOrphan(task.accountId, payout)
    if (done !== "nothing") continue
    progress.isShared = true
    return
  }
})

/**
 * `Payouts.closeDue`: each payout in a transaction of its own. What is closed or rolled is not due any
 * more, so the next look finds others; what could not be is looked past, so that it ends in any case.
 */
export const closeDue = (tools: PayoutTools): PayoutsService["closeDue"] =>
  Effect.fn("Payouts.closeDue")(function* (accountId: string) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const { timeZone } = yield* tools.settings.of(accountId)
    const task = { accountId, timeZone, at: yield* now }
    const progress: CloseProgress = { closed: [], rolled: [], passed: new Set(), isShared: false }
    for (;;) {
      const { closed, rolled, passed } = progress
      const due = yield* tools.read(accountId, ({ payouts }) =>
        payouts.due({ at: task.at, limit: batchSize + passed.size }),
      )
      // What another worker has closed is gone from the list, and must not make the next look wider.
      const seen = new Set(due.map(({ id }) => id))
      for (const id of passed) if (!seen.has(id)) passed.delete(id)
      const next = yield* nextOf(due, progress)
      if (next.length === 0) return { closed, rolled }
      yield* closeNext(tools, task, next, progress)
    }
  })

// Closing what is due in all accounts, once or by the clock.

/** How many accounts are closed at the same time. */
const accountsAtATime = 4

const shortest = Duration.seconds(1)

/** Goes on after whatever went wrong, but ends when it is told to. */
const logged = <A, E>(effect: Effect.Effect<A, E>, message: string): Effect.Effect<A | undefined> =>
  Effect.flatMap(Effect.exit(effect), (exit) => {
    if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
    if (Cause.hasInterruptsOnly(exit.cause)) return Effect.interrupt
    return Effect.as(Effect.logWarning(message, exit.cause), undefined)
  })

const closeAccount = Effect.fnUntraced(function* (payouts: PayoutsService, accountId: string) {
  const closing = logged(payouts.closeDue(accountId), "the due payouts could not all be closed")
  const done = yield* Effect.annotateLogs(closing, { accountId })
  return done === undefined ? accountId : { accountId, ...done }
})

const isClosing = (done: AccountClosing | string): done is AccountClosing =>
  typeof done !== "string"

const byId = (left: string, right: string): number => (left < right ? -1 : 1)

/** `DuePayouts.closeAll` */
export const closeAll = (
  storage: StorageService,
  payouts: PayoutsService,
): DuePayoutsService["closeAll"] =>
  Effect.gen(function* () {
    // Several processes begin at the same moment; so that they don't go side by side, each takes its way.
    const accounts = yield* Random.shuffle(yield* storage.accounts)
    const close = (accountId: string) => closeAccount(payouts, accountId)
    const done = yield* Effect.forEach(accounts, close, { concurrency: accountsAtATime })
    return {
      accounts: done
        .filter(isClosing)
        .filter(({ closed, rolled }) => closed.length + rolled.length > 0)
        .sort((left, right) => byId(left.accountId, right.accountId)),
      failed: done.filter((one) => typeof one === "string").sort(byId),
    }
  }).pipe(Effect.provideService(Actor, "system"), Effect.withSpan("DuePayouts.closeAll"))

/** Closes all now, and then again and again. */
export const repeatedly = (
  closing: DuePayoutsService["closeAll"],
  every: Duration.Input,
): Effect.Effect<void> => {
  const interval = Duration.max(Duration.fromInputUnsafe(every), shortest)
  const once = logged(closing, "the accounts whose payouts may be due could not be read")
  return Effect.asVoid(Effect.repeat(once, Schedule.fixed(interval)))
}
