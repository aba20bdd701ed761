/**
 * Linking in the background. What is to be done stands in the storage and nowhere else: for each account
 * that has jobs, one fiber asks for those that run and takes each a batch further, until none runs or another
 * process is at them. From time to time it is looked whether a process left any behind.
 */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Storage, Stores } from "../../ports/Storage.js"
import { Settings } from "../Settings.js"
import { type AccountTools, linkAccount, type Worker } from "./linkAccount.js"
import { linkBatch } from "./linkBatch.js"
import * as claims from "./linkClaims.js"
import { learn, type Period, sweep } from "./linkSweep.js"
import { makePatience } from "./patience.js"
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

/** How many accounts of a process use the storage for linking at the same time. */
const accountsAtATime = 4

/** How long the storage may take to forget what a process was at that ends; else others wait a little longer. */
const farewell = "5 seconds"

type StorageTools = Omit<AccountTools, "inTurn" | "othersWait">

const storageTools = Effect.fnUntraced(function* (given: {
  readonly transactor: Transactor
  readonly processId: string
  readonly period: Period
  readonly tell: Linker["tell"]
}): Effect.fn.Return<StorageTools> {
  const { transactor, processId, period, tell } = given
  const settings = yield* Settings
  const linkNext = Effect.fn("ProductGroups.linkBatch")(function* (
    accountId: string,
    groupId: string,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, groupId })
    const known = yield* settings.of(accountId)
    learn(period, known)
    const claimant = { processId, seconds: known.linkSweepSeconds }
    const options = { batchSize: known.linkBatchSize, claimant }
    const batch = (stores: Stores) => linkBatch(stores, groupId, options)
    const isOurs = yield* transactor.write(accountId, batch)
    if (isOurs) yield* tell(accountId, groupId)
    return isOurs
  })
  return {
    processId,
    linkNext,
    runningJobs: (accountId, limit) =>
      transactor.read(accountId, ({ links }) => links.runningJobs(limit)),
    giveUp: (accountId) =>
      transactor.write(accountId, (stores) => claims.giveUp(stores, processId)),
  }
})

/** Lets other processes go on at once with what this one has begun. */
const giveUpAll = (
  { giveUp }: StorageTools,
  accountIds: ReadonlySet<string>,
): Effect.Effect<void> =>
  Effect.forEach([...accountIds], (accountId) => Effect.ignoreCause(giveUp(accountId)), {
    concurrency: accountsAtATime,
    discard: true,
  }).pipe(Effect.interruptible, Effect.timeoutOption(farewell), Effect.asVoid)

/** The fibers that link, one for each account that may have jobs; gives what wakes one. */
const makeWorkers = Effect.fnUntraced(function* (
  storage: StorageTools,
): Effect.fn.Return<Linker["wake"], never, Scope.Scope> {
  const begun = new Set<string>()
  // What is added before the fibers is done when they have ended.
  yield* Effect.addFinalizer(() => giveUpAll(storage, begun))
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  const workers = new Map<string, Worker>()
  const turns = yield* Semaphore.make(accountsAtATime)
  const othersWait = () => workers.size > accountsAtATime
  // Where no batch was begun there is nothing to give up.
  const linkNext: StorageTools["linkNext"] = (accountId, groupId) =>
    Effect.suspend(() => {
      begun.add(accountId)
      return storage.linkNext(accountId, groupId)
    })
  const tools = { ...storage, linkNext, inTurn: turns.withPermit, othersWait }
  return (accountId) =>
    Effect.sync(() => {
      const working = workers.get(accountId)
      if (working !== undefined) return working.awake.openUnsafe()
      const leave = () => {
        workers.delete(accountId)
        begun.delete(accountId)
      }
      const awake = Latch.makeUnsafe()
      const worker: Worker = { accountId, awake, patience: makePatience(), leave }
      workers.set(accountId, worker)
      // One that ends in any other way must not keep the next one from beginning.
      const forget = Effect.sync(() => {
        if (workers.get(accountId) === worker) workers.delete(accountId)
      })
      return fork(Effect.ensuring(linkAccount(tools, worker), forget))
    })
})

/** Makes the linker of a layer and goes on with the jobs of all accounts; it ends with the scope. */
export const makeLinker = Effect.fnUntraced(function* (
  transactor: Transactor,
  processId: string,
): Effect.fn.Return<Linker, never, Storage | Scope.Scope> {
  const signals = makeSignals()
  const nameOf = (accountId: string, groupId: string) => JSON.stringify([accountId, groupId])
  const tell: Linker["tell"] = (accountId, groupId) => signal(signals, nameOf(accountId, groupId))
  const news: Linker["news"] = (accountId, groupId) =>
    nextSignal(signals, nameOf(accountId, groupId))

  const period: Period = { seconds: undefined }
  const wake = yield* makeWorkers(yield* storageTools({ transactor, processId, period, tell }))
  yield* Effect.forkScoped(sweep(wake, period))
  return { wake, tell, news }
})
