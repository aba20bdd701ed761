/** One step of linking a group's products, in one transaction. */
import * as Effect from "effect/Effect"
import { linkedGroups } from "../../matching/RuleSet.js"
import type { LinkJob } from "../../ports/LinkStore.js"
import type { StoredGroup } from "../../ports/ProductGroupStore.js"
import { productKeyOf } from "../../ports/ProductStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
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

const linkNext = Effect.fnUntraced(function* (
  { links, products }: Stores,
  work: { readonly job: LinkJob; readonly stored: StoredGroup; readonly batchSize: number },
) {
  const { job, stored, batchSize } = work
  const next = yield* products.batch({ after: job.after ?? undefined, limit: batchSize })
  const rules = { groups: [stored.group] }
  const linked = next.filter((product) => linkedGroups(rules, product).length > 0)
  if (linked.length > 0) yield* links.add(stored.group.id, linked.map(productKeyOf))
  const last = next.at(-1)
  const isLast = next.length < batchSize
  const scanned = job.scanned + next.length
  yield* links.saveJob({
    ...job,
    after: last === undefined ? job.after : productKeyOf(last),
    scanned,
    status: isLast ? "done" : "running",
    updatedAt: yield* now,
  })
  if (isLast) yield* logChange("product group linked", { groupId: stored.group.id, scanned })
})

/**
 * Links the next products of a group, if its job still runs. Everything is read in the transaction, so
 * it does not matter who changed the group in the meantime, or who else is at the same job.
 */
export const linkBatch = Effect.fnUntraced(function* (
  stores: Stores,
  groupId: string,
  batchSize: number,
): Effect.fn.Return<void, StorageError> {
  const job = yield* stores.links.job(groupId)
  if (job?.status !== "running") return
  const stored = yield* stores.groups.get(groupId)
  if (stored === undefined) return yield* forgetLinks(stores, groupId)
  const isCurrent = stored.version === job.groupVersion
  const current = isCurrent ? job : yield* startLinking(stores, stored)
  yield* linkNext(stores, { job: current, stored, batchSize })
})
