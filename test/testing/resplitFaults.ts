import { isSaleOf, type ResplitStore } from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores } from "./Fault.js"

/** A fault in the store of re-splits. */
const inRuns = (name: string, change: (store: ResplitStore) => Partial<ResplitStore>): Fault =>
  inStores(name, ({ stores: { resplits } }) => ({ resplits: { ...resplits, ...change(resplits) } }))

/** What an adapter can do wrong with adjustments and runs of re-splits. */
export const resplitFaults: ReadonlyArray<Fault> = [
  inStores("adjustments look at no version", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      addAdjustment: (added) =>
        Effect.flatMap(sales.ofOrder(added.orderId), (parts) =>
          sales.addAdjustment({
            ...added,
            version: parts.find(({ part }) => part === added.part)?.version ?? added.version,
          }),
        ),
    },
  })),
  inStores("sales are found by how they were recorded only", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      list: (filter, slice) =>
        Effect.map(sales.list(filter, slice), ({ entries, total }) => ({
          entries: entries.filter(({ adjustments: _, ...sale }) => isSaleOf(filter, sale)),
          total,
        })),
    },
  })),
  inStores("an adjustment leaves the postings as they were", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      addAdjustment: (added) =>
        Effect.flatMap(sales.ofOrder(added.orderId), (parts) =>
          sales.addAdjustment({
            ...added,
            postings: parts.find(({ part }) => part === added.part)?.postings ?? [],
          }),
        ),
    },
  })),
  inStores("postings forget their run", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      ofOrder: (orderId) =>
        Effect.map(sales.ofOrder(orderId), (parts) =>
          parts.map((part) => ({
            ...part,
            postings: part.postings.map(({ runId: _, ...posting }) => posting),
          })),
        ),
    },
  })),
  inStores("a refund forgets what it took back of adjustments", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      addRefund: ({ refund: { adjusted: _, ...refund }, ...added }) =>
        sales.addRefund({ ...added, refund }),
    },
  })),
  inRuns("a run can be changed twice", ({ get, update }) => ({
    update: (run) =>
      Effect.flatMap(get(run.id), (known) => update({ ...run, version: known?.version ?? 0 })),
  })),
  inRuns("all batches are the first one", ({ batch }) => ({
    batch: (runId) => batch(runId, 1),
  })),
  inRuns("the list of runs forgets the first of them", ({ list }) => ({
    list: (slice) =>
      Effect.map(list(slice), ({ entries, total }) => ({ entries: entries.slice(0, 5), total })),
  })),
]
