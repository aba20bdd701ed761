/** One step of linking a group's products, in one transaction. */
import * as Effect from "effect/Effect"
import { linkedGroups } from "../../matching/RuleSet.js"
import type { LinkJob } from "../../ports/LinkStore.js"
import type { StoredGroup } from "../../ports/ProductGroupStore.js"
import { type ProductStore, productKeyOf } from "../../ports/ProductStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { type Claimant, claimOf, isTaken, jobsAtATime } from "./linkClaims.js"
import { now } from "./now.js"
import { logChange } from "./transactions.js"

/** A group's job at its beginning. */
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

/** Leaves nothing of a group's linking behind. */
export const forgetLinks = (stores: Stores, groupId: string): Effect.Effect<void, StorageError> =>
  Effect.andThen(stores.links.clear(groupId), stores.links.removeJob(groupId))

/** Begins the linking of a group anew; an earlier job of it is over with that. */
export const startLinking = Effect.fnUntraced(function* (stores: Stores, stored: StoredGroup) {
  yield* stores.links.clear(stored.group.id)
  const job = newJob(stored, yield* now)
  yield* stores.links.saveJob(job)
  return job
})

interface Work {
  readonly job: LinkJob
  readonly stored: StoredGroup
  readonly batchSize: number
}

/** What comes next of the catalogue: what of it is to be linked, and how far that is. */
interface Found {
  readonly keys: ReadonlyArray<string>
  /** Key of the last product that lies behind with that. */
  readonly last: string | undefined
  readonly scanned: number
  readonly isLast: boolean
}

/** The store knows which products the link selects. */
const lookUp = (
  select: NonNullable<ProductStore["selected"]>,
  { job, stored, batchSize }: Work,
): Effect.Effect<Found, StorageError> =>
  Effect.map(
    select({ link: stored.group.link, after: job.after ?? undefined, limit: batchSize }),
    (selected) => ({ ...selected, last: selected.keys.at(-1) }),
  )

/** The rules are asked about each product. */
const goThrough = (
  products: ProductStore,
  { job, stored, batchSize }: Work,
): Effect.Effect<Found, StorageError> =>
  Effect.map(products.batch({ after: job.after ?? undefined, limit: batchSize }), (next): Found => {
    const rules = { groups: [stored.group] }
    const linked = next.filter((product) => linkedGroups(rules, product).length > 0)
    const last = next.at(-1)
    return {
      keys: linked.map(productKeyOf),
      last: last && productKeyOf(last),
      scanned: next.length,
      isLast: next.length < batchSize,
    }
  })

const linkNext = Effect.fnUntraced(function* (
  { links, products }: Stores,
  work: Work,
  claimant: Claimant,
) {
  const { job } = work
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
  if (isLast) yield* logChange("product group linked", { groupId, scanned })
})

/**
 * Links the next products of a group, if its job still runs; `false`: another process is at the account's
 * jobs. Everything is read in the transaction, so it does not matter who changed the group in the meantime,
 * and no two processes do the same.
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
