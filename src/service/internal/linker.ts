/** Linking products in the background: who looks for jobs, who does them, and who hears of it. */
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
import type { LinkJob } from "../../ports/LinkStore.js"
import { Storage, type StorageService, type Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { NotFound } from "../ServiceError.js"
import { defaultSettings, Settings, type SettingsValue } from "../Settings.js"
import {
  type AccountTools,
  giveUp,
  linkAccount,
  linkBatch,
  makeBackoff,
  type Worker,
} from "./linkWork.js"
import type { Transactor } from "./transactions.js"

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

// Telling those who wait for something that it has changed.

/** What is waited for, by name; nothing is kept for what nobody waits for. */
export interface Signals {
  readonly waiting: Map<string, Deferred.Deferred<void>>
}

export const makeSignals = (): Signals => ({ waiting: new Map() })

/**
 * Waits for the next signal from the moment in which this is called: what is looked up after that and
 * before the waiting begins is not missed.
 */
export const nextSignal = ({ waiting }: Signals, name: string): Effect.Effect<void> => {
  const known = waiting.get(name)
  if (known !== undefined) return Deferred.await(known)
  const signal = Deferred.makeUnsafe<void>()
  waiting.set(name, signal)
  return Deferred.await(signal)
}

/** Wakes all who wait for it. */
export const signal = ({ waiting }: Signals, name: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const known = waiting.get(name)
    waiting.delete(name)
    return known === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(known, undefined))
  })

// Looking from time to time for linking that nobody goes on with, because its process is gone.

const realTime = Clock.Clock.defaultValue()

/**
 * How it is waited between two looks: by the real time, whatever clock the work goes by. A clock that is set
 * to another day would otherwise have all the looks in between caught up on.
 */
export const Pause = Context.Reference<(duration: Duration.Duration) => Effect.Effect<void>>(
  "apportion/service/LinkSweepPause",
  {
    defaultValue: () => (duration) =>
      Effect.provideService(Effect.sleep(duration), Clock.Clock, realTime),
  },
)

/** How long to wait between two looks: as long as the most impatient account says that was met so far. */
export interface SweepPeriod {
  seconds: number | undefined
}

/** Notes what an account says. */
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
 * Goes on with what was under way when a process ended: at once, and then again and again where several
 * processes share a storage. One that can't tell who is linking is used by one process, which needs no
 * second look, and which nothing keeps from ending.
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
    // Settings that a host can't give now must not end the looking.
    yield* Effect.ignoreCause(Effect.forEach(accounts, learnOf, { discard: true }))
    if (storage.accountsLinking === undefined) return
    yield* pause(Duration.seconds(period.seconds ?? defaultSettings.linkSweepSeconds))
  }
})

// Watching how far the linking of a group has come.

/** A group that never had a job is as far as it will come. */
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

/** Another process that links says nothing here, so we look again by ourselves. */
const lookAgain = Effect.sleep("1 second")

/** The next progress that is another than the last one; `undefined`: there is no more to come. */
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

// Linking in the background. What is to be done stands in the storage and nowhere else: for each account
// that has jobs, one fiber asks for those that run and takes each a batch further, until none runs or another
// process is at them. From time to time it is looked whether a process left any behind.

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
      const worker: Worker = { accountId, awake, backoff: makeBackoff(), leave }
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

  const period: SweepPeriod = { seconds: undefined }
  const wake = yield* makeWorkers(yield* storageTools({ transactor, processId, period, tell }))
  yield* Effect.forkScoped(sweep(wake, period))
  return { wake, tell, news }
})
