/**
 * Linking in the background. What is to be done stands in the storage and nowhere else: for each account
 * that has jobs, one fiber asks for those that run and takes each a batch further, until none runs.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { LinkJob } from "../../ports/LinkStore.js"
import { Storage } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { Settings } from "../Settings.js"
import { linkBatch } from "./linkBatch.js"
import * as patience from "./patience.js"
import { makeSignals, nextSignal, signal } from "./signals.js"
import type { Transactor } from "./transactor.js"

/** Links products in the background. */
export interface Linker {
  /** Says that an account may have jobs. */
  readonly wake: (accountId: string) => Effect.Effect<void>
  /** Says that the linking of a group came further, was begun anew, or is over. */
  readonly tell: (accountId: string, groupId: string) => Effect.Effect<void>
  /** Waits, from the moment of the call, until that is said of a group. */
  readonly news: (accountId: string, groupId: string) => Effect.Effect<void>
}

/** How many jobs of an account are looked up at a time; they take turns. */
const jobsAtATime = 16

/** How many accounts use the storage for linking at the same time. */
const accountsAtATime = 4

/** Stands for the looking up of jobs where failures are counted; no group has it for an id. */
const lookup = ""

interface Worker {
  readonly accountId: string
  /** Open when there may be jobs that were not seen yet. */
  readonly awake: Latch.Latch
  readonly patience: patience.Patience
}

interface Tools {
  readonly runningJobs: (
    accountId: string,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<LinkJob>, StorageError>
  readonly linkNext: (accountId: string, groupId: string) => Effect.Effect<void, StorageError>
}

const storageTools = Effect.fnUntraced(function* (transactor: Transactor, tell: Linker["tell"]) {
  const settings = yield* Settings
  const turns = yield* Semaphore.make(accountsAtATime)
  const linkNext = Effect.fn("ProductGroups.linkBatch")(function* (
    accountId: string,
    groupId: string,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, groupId })
    const { linkBatchSize } = yield* settings.of(accountId)
    yield* transactor.write(accountId, (stores) => linkBatch(stores, groupId, linkBatchSize))
    yield* tell(accountId, groupId)
  }, turns.withPermit)
  const runningJobs = (accountId: string, limit: number) =>
    turns.withPermit(transactor.read(accountId, ({ links }) => links.runningJobs(limit)))
  return { runningJobs, linkNext }
})

/** Does something that may fail; a failure is logged and noted, and gives `undefined`. */
const attempt = <A>(
  worker: Worker,
  groupId: string,
  effect: Effect.Effect<A, StorageError>,
): Effect.Effect<A | undefined> =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(effect)
    if (Exit.isSuccess(exit)) {
      patience.noteSuccess(worker.patience, groupId)
      return exit.value
    }
    if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
    const at = yield* Clock.currentTimeMillis
    const { failures, waitMillis } = patience.noteFailure(worker.patience, groupId, at)
    const about = { accountId: worker.accountId, groupId, failures, waitMillis }
    const log = Effect.logWarning("linking failed and is tried again", exit.cause)
    yield* Effect.annotateLogs(log, about)
    return undefined
  })

/** Takes each job that is not waiting a batch further, and waits when all of them are. */
const takeTurns = Effect.fnUntraced(function* (
  tools: Tools,
  worker: Worker,
  jobs: ReadonlyArray<LinkJob>,
) {
  patience.keepOnly(worker.patience, new Set([lookup, ...jobs.map(({ groupId }) => groupId)]))
  const at = yield* Clock.currentTimeMillis
  const due = jobs.filter(({ groupId }) => patience.isDue(worker.patience, groupId, at))
  for (const { groupId } of due) {
    yield* attempt(worker, groupId, tools.linkNext(worker.accountId, groupId))
    yield* Effect.yieldNow
  }
  if (due.length > 0) return
  const millis = patience.millisUntilDue(worker.patience, at)
  yield* Effect.raceFirst(worker.awake.await, Effect.sleep(millis))
})

const linkAccount = Effect.fnUntraced(function* (
  tools: Tools,
  worker: Worker,
  leave: () => void,
): Effect.fn.Return<void> {
  // Whoever wakes the linker is answered first.
  yield* Effect.yieldNow
  while (true) {
    worker.awake.closeUnsafe()
    const limit = jobsAtATime + worker.patience.failing.size
    const jobs = yield* attempt(worker, lookup, tools.runningJobs(worker.accountId, limit))
    if (jobs === undefined || jobs.length > 0) {
      yield* takeTurns(tools, worker, jobs ?? [])
    } else if (!worker.awake.isOpen()) {
      // Nothing happens between this look and the leaving, so no call to wake up is lost.
      return leave()
    }
  }
})

/** Growing waits between attempts to find the accounts. */
const waits = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("1 minute")])

/** Goes on with what was under way when the process, or another one, ended. */
const resume = Effect.fnUntraced(function* (wake: Linker["wake"]) {
  const storage = yield* Storage
  const logged = Effect.tapError(storage.accounts, (error) =>
    Effect.logWarning("the accounts to link could not be read, which is tried again", error),
  )
  const accounts = yield* Effect.retry(logged, waits)
  yield* Effect.forEach(accounts, wake, { discard: true })
})

/** Makes the linker of a layer and goes on with the jobs of all accounts; it ends with the scope. */
export const makeLinker = Effect.fnUntraced(function* (
  transactor: Transactor,
): Effect.fn.Return<Linker, never, Storage | Scope.Scope> {
  const signals = makeSignals()
  const nameOf = (accountId: string, groupId: string) => JSON.stringify([accountId, groupId])
  const tell: Linker["tell"] = (accountId, groupId) => signal(signals, nameOf(accountId, groupId))
  const news: Linker["news"] = (accountId, groupId) =>
    nextSignal(signals, nameOf(accountId, groupId))

  const tools = yield* storageTools(transactor, tell)
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  const workers = new Map<string, Worker>()
  const wake: Linker["wake"] = (accountId) =>
    Effect.sync(() => {
      const working = workers.get(accountId)
      if (working !== undefined) return working.awake.openUnsafe()
      const awake = Latch.makeUnsafe()
      const worker = { accountId, awake, patience: patience.makePatience() }
      workers.set(accountId, worker)
      const leave = () => {
        if (workers.get(accountId) === worker) workers.delete(accountId)
      }
      return fork(Effect.ensuring(linkAccount(tools, worker, leave), Effect.sync(leave)))
    })
  yield* Effect.forkScoped(resume(wake))
  return { wake, tell, news }
})
