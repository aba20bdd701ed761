/**
 * How processes over one storage share the linking: each account is linked by one of them at a time. Who does
 * a batch writes its claim beside the job, in the same transaction; it holds for a while, so that what a
 * process that is gone left behind is taken up by others.
 */
import * as Effect from "effect/Effect"
import type { LinkClaim, LinkJob } from "../../ports/LinkStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"

/** How many jobs of an account are looked up at a time; they take turns. */
export const jobsAtATime = 16

/** More jobs than a process ever has claims on in one account. */
const mostClaimed = 1_000

/** A process that links, as others see it. */
export interface Claimant {
  readonly processId: string
  /** How long it is believed to be at work after a batch. */
  readonly seconds: number
}

/** The claim of a process that does something now, in Unix seconds. */
export const claimOf = ({ processId, seconds }: Claimant, at: number): LinkClaim => ({
  by: processId,
  until: at + seconds,
})

/**
 * Whether another process goes on with the jobs of an account. All see the jobs in the same order, and the
 * first claim that still holds decides.
 */
export const isTaken = (jobs: ReadonlyArray<LinkJob>, processId: string, at: number): boolean => {
  const first = jobs.find(({ claim }) => claim !== undefined && claim.until > at)
  return first?.claim !== undefined && first.claim.by !== processId
}

/** Takes the claims of a process away, so that others need not wait until they are over. */
export const giveUp = Effect.fnUntraced(function* (
  { links }: Stores,
  processId: string,
): Effect.fn.Return<void, StorageError> {
  for (const job of yield* links.runningJobs(mostClaimed)) {
    if (job.claim?.by === processId) yield* links.saveJob({ ...job, claim: undefined })
  }
})
