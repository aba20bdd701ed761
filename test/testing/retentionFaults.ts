import type { RetentionStore } from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores } from "./Fault.js"

/** A fault in the store of what is old. */
const inOld = (name: string, change: (store: RetentionStore) => Partial<RetentionStore>): Fault =>
  inStores(name, ({ stores: { retention } }) => ({
    retention: { ...retention, ...change(retention) },
  }))

/** What an adapter can do wrong with what is old. */
export const retentionFaults: ReadonlyArray<Fault> = [
  inOld("keys of the very second are old", ({ count, remove }) => ({
    count: (old) => count(old.kind === "answers" ? { ...old, before: old.before + 1 } : old),
    remove: (old, limit) =>
      remove(old.kind === "answers" ? { ...old, before: old.before + 1 } : old, limit),
  })),
  inOld("all that is old goes at once", ({ remove }) => ({
    remove: (old) => remove(old, Number.MAX_SAFE_INTEGER),
  })),
  inOld("events behind one that stays are counted", ({ count }) => ({
    count: (old) =>
      Effect.map(count(old), (total) => (old.kind === "events" && total > 0 ? total + 1 : total)),
  })),
  inOld("batches of a run are counted and do not go", ({ remove }) => ({
    remove: (old, limit) => (old.kind === "answers" ? remove(old, limit) : Effect.succeed(0)),
  })),
  inOld("the listing of documents begins again and again", ({ refundDocuments }) => ({
    refundDocuments: (options) => refundDocuments({ ...options, after: undefined }),
  })),
  inOld("documents that are not old are found", ({ refundDocuments }) => ({
    refundDocuments: (options) => refundDocuments({ ...options, before: 2 ** 40 }),
  })),
]
