/** Linking the groups of an account in steps: which process does it, one step, and retries. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Latch from "effect/Latch"
import type { LinkClaim, LinkJob } from "../../../ports/LinkStore.js"
import type { StoredGroup } from "../../../ports/ProductGroupStore.js"
import { type ProductStore, productKeyOf } from "../../../ports/ProductStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { linkedGroups } from "../../../rules/RuleSet.js"
import { emit, now } from "../transactions.js"

// How processes that share a storage divide the linking: one at a time works on each account. The process that does a
// batch writes a claim beside the job, in the same transaction. Claims expire, so that others take over the work of a
// process that stopped.

/** How many jobs of an account are read at a time; they take turns. */
export const jobsAtATime = 16

/** More jobs than a process ever has claims on in one account. */
const mostClaimed = 1_000

/** A process that links, as others see it. */
export interface Claimant {
  readonly processId: string
  /** How long its claim is valid after a batch. */
  readonly seconds: number
}

/** The claim of a process at a time, in Unix seconds. */
export const claimOf = ({ processId, seconds }: Claimant, at: number): LinkClaim => ({
  by: processId,
  until: at + seconds,
})

/**
 * Whether another process has the jobs of an account. All processes read the jobs in the same order, and the first valid
 * claim decides.
 */
export const isTaken = (jobs: ReadonlyArray<LinkJob>, processId: string, at: number): boolean => {
  const first = jobs.find(({ claim }) => claim !== undefined && claim.until > at)
  return first?.claim !== undefined && first.claim.by !== processId
}

/** Removes the claims of a process, so that others need not wait until they expire. */
export const giveUp = Effect.fnUntraced(function* (
  { links }: Stores,
  processId: string,
): Effect.fn.Return<void, StorageError> {
  for (const job of yield* links.runningJobs(mostClaimed)) {
    if (job.claim?.by === processId) yield* links.saveJob({ ...job, claim: undefined })
  }
})

// One step of linking a group's products, in one transaction.

/** A new job for a group. */
export const newJob = (
  { group, version }: Pick<StoredGroup, "group" | "version">,
  at: number,
): LinkJob => ({
  groupId: group.id,
  groupVersion: version,
  after: null,
  scanned: 0,
  status: "running",
  startedAt: at,
  updatedAt: at,
})

/** Removes the job and the links of a group. */
export const forgetLinks = (stores: Stores, groupId: string): Effect.Effect<void, StorageError> =>
  Effect.andThen(stores.links.clear(groupId), stores.links.removeJob(groupId))

/** Starts the linking of a group anew, in place of an earlier job. */
export const startLinking = Effect.fnUntraced(function* (stores: Stores, stored: StoredGroup) {
  yield* stores.links.clear(stored.group.id)
  const job = newJob(stored, yield* now)
  yield* stores.links.saveJob(job)
  return job
})

interface LinkWork {
  readonly job: LinkJob
  readonly stored: StoredGroup
  readonly batchSize: number
}

/** The next part of the catalogue: which of its products are linked, and where it ends. */
interface CatalogueStep {
  readonly keys: ReadonlyArray<string>
  /** Key of the last product of the part. */
  readonly last: string | undefined
  readonly scanned: number
  readonly isLast: boolean
}

/** The store looks up the products that the link selects. */
const lookUp = (
  select: NonNullable<ProductStore["selected"]>,
  { job, stored, batchSize }: LinkWork,
): Effect.Effect<CatalogueStep, StorageError> =>
  Effect.map(
    select({ link: stored.group.link, after: job.after ?? undefined, limit: batchSize }),
    (selected) => ({ ...selected, last: selected.keys.at(-1) }),
  )

/** The rules match each product. */
const goThrough = (
  products: ProductStore,
  { job, stored, batchSize }: LinkWork,
): Effect.Effect<CatalogueStep, StorageError> =>
  Effect.map(
    products.batch({ after: job.after ?? undefined, limit: batchSize }),
    (next): CatalogueStep => {
      const rules = { groups: [stored.group] }
      const linked = next.filter((product) => linkedGroups(rules, product).length > 0)
      const last = next.at(-1)
      return {
        keys: linked.map(productKeyOf),
        last: last && productKeyOf(last),
        scanned: next.length,
        isLast: next.length < batchSize,
      }
    },
  )

const linkNext = Effect.fnUntraced(function* (
  { links, products }: Stores,
  work: LinkWork,
  claimant: Claimant,
) {
  const { job, stored } = work
  const { groupId } = job
  const { keys, last, isLast, ...found } = yield* products.selected === undefined
    ? goThrough(products, work)
    : lookUp(products.selected, work)
  if (keys.length > 0) yield* links.add(groupId, keys)
  const scanned = job.scanned + found.scanned
  const at = yield* now
  yield* links.saveJob({
    ...job,
    after: last ?? job.after,
    scanned,
    status: isLast ? "done" : "running",
    updatedAt: at,
    claim: isLast ? undefined : claimOf(claimant, at),
  })
  if (!isLast) return
  const { collaboratorId } = stored.group
  yield* emit({ type: "group.linked", data: { groupId, collaboratorId, scanned } })
})

/**
 * Links the next products of a group, if its job still runs; `false`: another process has the account's jobs. Everything
 * is read in the transaction, so changes of the group in the meantime are seen, and no two processes do the same.
 */
export const linkBatch = Effect.fnUntraced(function* (
  stores: Stores,
  groupId: string,
  { batchSize, claimant }: { readonly batchSize: number; readonly claimant: Claimant },
): Effect.fn.Return<boolean, StorageError> {
  const running = yield* stores.links.runningJobs(jobsAtATime)
  if (isTaken(running, claimant.processId, yield* now)) return false
  const seen = running.find((job) => job.groupId === groupId)
  const job = seen ?? (yield* stores.links.job(groupId))
  if (job?.status !== "running") return true
  const stored = yield* stores.groups.get(groupId)
  if (stored === undefined) {
    yield* forgetLinks(stores, groupId)
    return true
  }
  const isCurrent = stored.version === job.groupVersion
  const current = isCurrent ? job : yield* startLinking(stores, stored)
  yield* linkNext(stores, { job: current, stored, batchSize }, claimant)
  return true
})

// Retries: after each failure the wait is twice as long.

interface Failing {
  readonly failures: number
  /** Milliseconds of the clock. */
  readonly retryAt: number
}

const firstWaitMillis = 500
const longestWaitMillis = 60_000

/** The failures so far, by a name that the caller chooses. */
export interface Backoff {
  readonly failing: Map<string, Failing>
}

export const makeBackoff = (): Backoff => ({ failing: new Map() })

/** Records a failure; returns the number of failures in a row and the milliseconds to wait. */
const noteFailure = (
  { failing }: Backoff,
  name: string,
  at: number,
): { readonly failures: number; readonly waitMillis: number } => {
  const failures = (failing.get(name)?.failures ?? 0) + 1
  const waitMillis = Math.min(firstWaitMillis * 2 ** (failures - 1), longestWaitMillis)
  failing.set(name, { failures, retryAt: at + waitMillis })
  return { failures, waitMillis }
}

const noteSuccess = ({ failing }: Backoff, name: string): void => {
  failing.delete(name)
}

/** Removes all names but these. */
const keepOnly = ({ failing }: Backoff, names: ReadonlySet<string>): void => {
  for (const name of failing.keys()) if (!names.has(name)) failing.delete(name)
}

const isDue = ({ failing }: Backoff, name: string, at: number): boolean =>
  (failing.get(name)?.retryAt ?? at) <= at

/** Milliseconds until the first retry. */
const millisUntilDue = ({ failing }: Backoff, at: number): number => {
  const times = Array.from(failing.values(), ({ retryAt }) => retryAt - at)
  return Math.max(0, Math.min(longestWaitMillis, ...times))
}

// Linking the groups of one account until there is nothing left to link.

/** For how long an account is linked while others wait, in milliseconds. */
const turnMillis = 250

/** The name of reading the jobs among the failures; no group has it as its id. */
const lookup = ""

/** The fiber of this process that links an account. */
export interface Worker {
  readonly accountId: string
  /** Open when there may be new jobs. */
  readonly awake: Latch.Latch
  readonly backoff: Backoff
  /** Ends it: the next call to wake up starts another one. */
  readonly leave: () => void
}

/** The dependencies of linking an account. */
export interface AccountTools {
  readonly processId: string
  /** Runs an effect when it is the account's turn to use the storage. */
  readonly inTurn: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Whether other accounts of this process are waiting. */
  readonly othersWait: () => boolean
  readonly runningJobs: (
    accountId: string,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<LinkJob>, StorageError>
  /** `false`: another process has the account's jobs. */
  readonly linkNext: (accountId: string, groupId: string) => Effect.Effect<boolean, StorageError>
  /** Lets other processes continue what this one has begun in an account. */
  readonly giveUp: (accountId: string) => Effect.Effect<void, StorageError>
}

/** Runs an effect; a failure is logged and counted, and the result is `undefined`. */
const attempt = <A>(
  worker: Worker,
  groupId: string,
  effect: Effect.Effect<A, StorageError>,
): Effect.Effect<A | undefined> =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(effect)
    if (Exit.isSuccess(exit)) {
      noteSuccess(worker.backoff, groupId)
      return exit.value
    }
    if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
    const at = yield* Clock.currentTimeMillis
    const { failures, waitMillis } = noteFailure(worker.backoff, groupId, at)
    const about = { accountId: worker.accountId, groupId, failures, waitMillis }
    const log = Effect.logWarning("linking failed and is tried again", exit.cause)
    yield* Effect.annotateLogs(log, about)
    return undefined
  })

/** Does a batch of each job that is not waiting for a retry; returns the number of batches. */
const linkEach = Effect.fnUntraced(function* (
  { linkNext }: AccountTools,
  worker: Worker,
  jobs: ReadonlyArray<LinkJob>,
) {
  keepOnly(worker.backoff, new Set([lookup, ...jobs.map(({ groupId }) => groupId)]))
  const at = yield* Clock.currentTimeMillis
  const due = jobs.filter(({ groupId }) => isDue(worker.backoff, groupId, at))
  for (const { groupId } of due) {
    const isOurs = yield* attempt(worker, groupId, linkNext(worker.accountId, groupId))
    yield* Effect.yieldNow
    // The process that has the account has all of its jobs; the next read shows it.
    if (isOurs === false) break
  }
  return due.length
})

/** Links until there is nothing to do for now, or it is the turn of others. */
const takeTurn = Effect.fnUntraced(function* (
  tools: AccountTools,
  worker: Worker,
): Effect.fn.Return<"done" | "waiting" | "interrupted"> {
  const began = yield* Clock.currentTimeMillis
  // A clock that is set back must not make it longer.
  while (!tools.othersWait() || Math.abs((yield* Clock.currentTimeMillis) - began) < turnMillis) {
    worker.awake.closeUnsafe()
    const limit = jobsAtATime + worker.backoff.failing.size
    const jobs = yield* attempt(worker, lookup, tools.runningJobs(worker.accountId, limit))
    const isOver = jobs?.length === 0 || isTaken(jobs ?? [], tools.processId, yield* now)
    if (!isOver) {
      const linked = yield* linkEach(tools, worker, jobs ?? [])
      if (linked === 0) return "waiting"
    } else if (!worker.awake.isOpen()) {
      // There is no interruption between this check and the end, so no call to wake up is lost.
      worker.leave()
      return "done"
    }
  }
  yield* Effect.ignore(tools.giveUp(worker.accountId))
  return "interrupted"
})

/** Links the groups of an account until no job runs, or another process has them. */
export const linkAccount = Effect.fnUntraced(function* (
  tools: AccountTools,
  worker: Worker,
): Effect.fn.Return<void> {
  // The caller that wakes the linker is answered first.
  yield* Effect.yieldNow
  while (true) {
    const end = yield* tools.inTurn(takeTurn(tools, worker))
    if (end === "done") return
    if (end === "waiting") {
      const millis = millisUntilDue(worker.backoff, yield* Clock.currentTimeMillis)
      yield* Effect.raceFirst(worker.awake.await, Effect.sleep(millis))
    }
  }
})
