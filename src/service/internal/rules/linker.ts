/** Linking products in the background: finding jobs, doing them, and reporting progress. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { LinkJob } from "../../../ports/LinkStore.js"
import { Storage, type StorageService, type Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { NotFound } from "../../ServiceError.js"
import { defaultSettings, Settings, type SettingsValue } from "../../Settings.js"
import type { Transactor } from "../transactions.js"
import {
  type AccountTools,
  giveUp,
  linkAccount,
  linkBatch,
  makeBackoff,
  type Worker,
} from "./linkWork.js"

/**
 * How far the linking of a group has come.
 *
 * @since 0.2.0
 * @category models
 */
export interface LinkProgress
  extends Pick<LinkJob, "groupId" | "groupVersion" | "scanned" | "status"> {
  /** How many products are linked to the group so far. */
  readonly productsCount: number
}

// Waking fibers that wait for a change.

/** The signals that fibers wait for, by name; a name for which none waits is not kept. */
export interface Signals {
  readonly waiting: Map<string, Deferred.Deferred<void>>
}

export const makeSignals = (): Signals => ({ waiting: new Map() })

/**
 * Waits for the next signal after this call. So a change between a later look-up and the beginning of the waiting is
 * not missed.
 */
export const nextSignal = ({ waiting }: Signals, name: string): Effect.Effect<void> => {
  const known = waiting.get(name)
  if (known !== undefined) return Deferred.await(known)
  const signal = Deferred.makeUnsafe<void>()
  waiting.set(name, signal)
  return Deferred.await(signal)
}

/** Wakes all fibers that wait for it. */
export const signal = ({ waiting }: Signals, name: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const known = waiting.get(name)
    waiting.delete(name)
    return known === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(known, undefined))
  })

// Looking from time to time for linking that is left unfinished because its process is gone.

const realTime = Clock.Clock.defaultValue()

/**
 * How to wait between two looks: in real time, whatever clock the work uses. A clock that is set to another day would
 * otherwise catch up on all the looks in between.
 */
export const Pause = Context.Reference<(duration: Duration.Duration) => Effect.Effect<void>>(
  "apportion/service/LinkSweepPause",
  {
    defaultValue: () => (duration) =>
      Effect.provideService(Effect.sleep(duration), Clock.Clock, realTime),
  },
)

/** How long to wait between two looks: the shortest time in the settings of all accounts so far. */
export interface SweepPeriod {
  seconds: number | undefined
}

/** Notes the setting of an account. */
export const learn = (period: SweepPeriod, { linkSweepSeconds }: SettingsValue): void => {
  period.seconds = Math.min(linkSweepSeconds, period.seconds ?? linkSweepSeconds)
}

/** Growing waits between attempts to find the accounts. */
const waits = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("1 minute")])

/** The accounts that may have jobs; asked until there is an answer. */
const accountsToLink = ({
  accounts,
  accountsLinking = accounts,
}: StorageService): Effect.Effect<ReadonlyArray<string>> => {
  const logged = Effect.tapError(accountsLinking, (error) =>
    Effect.logWarning("the accounts to link could not be read, which is tried again", error),
  )
  return Effect.orDie(Effect.retry(logged, waits))
}

/**
 * Continues what was under way when a process ended: at once, and then repeatedly where several processes share a
 * storage. A storage that can't say which accounts are being linked has one process, which needs no second look.
 */
export const sweep = Effect.fnUntraced(function* (
  wake: (accountId: string) => Effect.Effect<void>,
  period: SweepPeriod,
): Effect.fn.Return<void, never, Storage> {
  const storage = yield* Storage
  const settings = yield* Settings
  const pause = yield* Pause
  const learnOf = (accountId: string) =>
    Effect.map(settings.of(accountId), (known) => learn(period, known))
  while (true) {
    const accounts = yield* accountsToLink(storage)
    yield* Effect.forEach(accounts, wake, { discard: true })
    // Settings that a host can't give now must not end the sweep.
    yield* Effect.ignoreCause(Effect.forEach(accounts, learnOf, { discard: true }))
    if (storage.accountsLinking === undefined) return
    yield* pause(Duration.seconds(period.seconds ?? defaultSettings.linkSweepSeconds))
  }
})

// Watching how far the linking of a group has come.

/** A group that never had a job counts as done. */
const readProgress = Effect.fnUntraced(function* (
  { groups, links }: Stores,
  groupId: string,
): Effect.fn.Return<LinkProgress | undefined, StorageError> {
  const stored = yield* groups.get(groupId)
  if (stored === undefined) return undefined
  const job = yield* links.job(groupId)
  const [productsCount = 0] = yield* links.counts([groupId])
  return {
    groupId,
    groupVersion: job?.groupVersion ?? stored.version,
    scanned: job?.scanned ?? 0,
    status: job?.status ?? "done",
    productsCount,
  }
})

const isSame = (left: LinkProgress, right: LinkProgress): boolean =>
  left.groupVersion === right.groupVersion &&
  left.scanned === right.scanned &&
  left.status === right.status &&
  left.productsCount === right.productsCount

/** Linking in another process sends no signal here, so progress is read again. */
const lookAgain = Effect.sleep("1 second")

/** The next progress that differs from the last one; `undefined`: there will be none. */
const progressAfter = Effect.fnUntraced(function* (
  { transactor, linker }: { readonly transactor: Transactor; readonly linker: Linker },
  { accountId, groupId }: { readonly accountId: string; readonly groupId: string },
  last: LinkProgress | undefined,
): Effect.fn.Return<LinkProgress | undefined, NotFound | StorageError> {
  while (last?.status !== "done") {
    const news = linker.news(accountId, groupId)
    const progress = yield* transactor.read(accountId, (stores) => readProgress(stores, groupId))
    if (progress === undefined) {
      return last === undefined ? yield* NotFound.of("product group", groupId) : undefined
    }
    if (last === undefined || !isSame(progress, last)) return progress
    yield* Effect.raceFirst(news, lookAgain)
  }
  return undefined
})

export const watch =
  (tools: {
    readonly transactor: Transactor
    readonly linker: Linker
  }): ((
    accountId: string,
    groupId: string,
  ) => Stream.Stream<LinkProgress, NotFound | StorageError>) =>
  (accountId, groupId) => {
    const about = { accountId, groupId }
    const start: LinkProgress | undefined = undefined
    return Stream.unfold(start, (last: LinkProgress | undefined) =>
      Effect.map(progressAfter(tools, about, last), (progress) =>
        progress === undefined ? undefined : ([progress, progress] as const),
      ),
    ).pipe(Stream.withSpan("ProductGroups.watch", { attributes: about }))
  }

// Linking in the background. The jobs are stored, and nowhere else: for each account that has jobs, one fiber reads
// those that run and takes each a batch further, until none runs or another process has them. From time to time, a
// sweep finds jobs that a process left unfinished.

/** Links products in the background. */
export interface Linker {
  /** Says that an account may have jobs. */
  readonly wake: (accountId: string) => Effect.Effect<void>
  /** Signals that the linking of a group progressed, began anew, or ended. */
  readonly tell: (accountId: string, groupId: string) => Effect.Effect<void>
  /** Waits for the next such signal of a group after this call. */
  readonly news: (accountId: string, groupId: string) => Effect.Effect<void>
}

/** How many accounts of a process use the storage for linking at the same time. */
const accountsAtATime = 4

/** How long the storage may take to remove the claims of a process that ends; otherwise others wait a little longer. */
const farewell = "5 seconds"

type StorageTools = Omit<AccountTools, "inTurn" | "othersWait">

const storageTools = Effect.fnUntraced(function* (given: {
  readonly transactor: Transactor
  readonly processId: string
  readonly period: SweepPeriod
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
    giveUp: (accountId) => transactor.write(accountId, (stores) => giveUp(stores, processId)),
  }
})

/** Lets other processes continue at once with what this one has begun. */
const giveUpAll = (
  { giveUp }: StorageTools,
  accountIds: ReadonlySet<string>,
): Effect.Effect<void> =>
  Effect.forEach([...accountIds], (accountId) => Effect.ignoreCause(giveUp(accountId)), {
    concurrency: accountsAtATime,
    discard: true,
  }).pipe(Effect.interruptible, Effect.timeoutOption(farewell), Effect.asVoid)

/** The fibers that link, one for each account that may have jobs; returns the function that wakes one. */
const makeWorkers = Effect.fnUntraced(function* (
  storage: StorageTools,
): Effect.fn.Return<Linker["wake"], never, Scope.Scope> {
  const begun = new Set<string>()
  // A finalizer that is added before the fibers runs after they have ended.
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
      const worker: Worker = { accountId, awake, backoff: makeBackoff(), leave }
      workers.set(accountId, worker)
      // A worker that ends in any other way must not keep the next one from starting.
      const forget = Effect.sync(() => {
        if (workers.get(accountId) === worker) workers.delete(accountId)
      })
      return fork(Effect.ensuring(linkAccount(tools, worker), forget))
    })
})

/** Makes the linker of a layer and continues the jobs of all accounts; it ends with the scope. */
export const makeLinker = Effect.fnUntraced(function* (
  transactor: Transactor,
  processId: string,
): Effect.fn.Return<Linker, never, Storage | Scope.Scope> {
  const signals = makeSignals()
  const nameOf = (accountId: string, groupId: string) => JSON.stringify([accountId, groupId])
  const tell: Linker["tell"] = (accountId, groupId) => signal(signals, nameOf(accountId, groupId))
  const news: Linker["news"] = (accountId, groupId) =>
    nextSignal(signals, nameOf(accountId, groupId))

  const period: SweepPeriod = { seconds: undefined }
  const wake = yield* makeWorkers(yield* storageTools({ transactor, processId, period, tell }))
  yield* Effect.forkScoped(sweep(wake, period))
  return { wake, tell, news }
})
