/** Linking the groups of one account, for as long as there is something to link. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Latch from "effect/Latch"
import type { LinkJob } from "../../ports/LinkStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import { isTaken, jobsAtATime } from "./linkClaims.js"
import { now } from "./now.js"
import * as patience from "./patience.js"

/** How many batches an account gets before it is another one's turn. */
const batchesInTurn = 100

/** Stands for the looking up of jobs where failures are counted; no group has it for an id. */
const lookup = ""

/** Who links an account within this process. */
export interface Worker {
  readonly accountId: string
  /** Open when there may be jobs that were not seen yet. */
  readonly awake: Latch.Latch
  readonly patience: patience.Patience
  /** Ends it: from now on, a call to wake up makes another one. */
  readonly leave: () => void
}

/** What an account is linked with. */
export interface AccountTools {
  readonly processId: string
  /** Does something when it is the account's turn to use the storage. */
  readonly inTurn: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Whether accounts of this process wait for their turn. */
  readonly othersWait: () => boolean
  readonly runningJobs: (
    accountId: string,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<LinkJob>, StorageError>
  /** `false`: another process is at the account's jobs. */
  readonly linkNext: (accountId: string, groupId: string) => Effect.Effect<boolean, StorageError>
  /** Lets other processes go on with what this one has begun in an account. */
  readonly giveUp: (accountId: string) => Effect.Effect<void, StorageError>
}

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

/** Takes each job that is not waiting a batch further; gives how many batches that were. */
const linkEach = Effect.fnUntraced(function* (
  { linkNext }: AccountTools,
  worker: Worker,
  jobs: ReadonlyArray<LinkJob>,
) {
  patience.keepOnly(worker.patience, new Set([lookup, ...jobs.map(({ groupId }) => groupId)]))
  const at = yield* Clock.currentTimeMillis
  const due = jobs.filter(({ groupId }) => patience.isDue(worker.patience, groupId, at))
  for (const { groupId } of due) {
    const isOurs = yield* attempt(worker, groupId, linkNext(worker.accountId, groupId))
    yield* Effect.yieldNow
    // Whoever has the account has all of its jobs; the next look tells.
    if (isOurs === false) break
  }
  return due.length
})

/** Links until there is nothing more to do for now, or others have waited long enough. */
const takeTurn = Effect.fnUntraced(function* (
  tools: AccountTools,
  worker: Worker,
): Effect.fn.Return<"done" | "waiting" | "interrupted"> {
  for (let batches = 0; batches < batchesInTurn || !tools.othersWait(); ) {
    worker.awake.closeUnsafe()
    const limit = jobsAtATime + worker.patience.failing.size
    const jobs = yield* attempt(worker, lookup, tools.runningJobs(worker.accountId, limit))
    const isOver = jobs?.length === 0 || isTaken(jobs ?? [], tools.processId, yield* now)
    if (!isOver) {
      const linked = yield* linkEach(tools, worker, jobs ?? [])
      if (linked === 0) return "waiting"
      batches += linked
    } else if (!worker.awake.isOpen()) {
      // Nothing happens between this look and the leaving, so no call to wake up is lost.
      worker.leave()
      return "done"
    }
  }
  yield* Effect.ignore(tools.giveUp(worker.accountId))
  return "interrupted"
})

/** Links the groups of an account until no job runs, or another process is at them. */
export const linkAccount = Effect.fnUntraced(function* (
  tools: AccountTools,
  worker: Worker,
): Effect.fn.Return<void> {
  // Whoever wakes the linker is answered first.
  yield* Effect.yieldNow
  while (true) {
    const end = yield* tools.inTurn(takeTurn(tools, worker))
    if (end === "done") return
    if (end === "waiting") {
      const millis = patience.millisUntilDue(worker.patience, yield* Clock.currentTimeMillis)
      yield* Effect.raceFirst(worker.awake.await, Effect.sleep(millis))
    }
  }
})
