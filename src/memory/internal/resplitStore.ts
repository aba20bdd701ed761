import type { ResplitRun, ResplitStore } from "../../ports/ResplitStore.js"
import { Conflict } from "../../ports/StorageError.js"
import { batchKey, type MemoryAccount } from "./Account.js"
import { everything, type Journal, sealed, slicedList } from "./Table.js"

/** The store of re-splits within one transaction. */
export const makeResplits = (account: MemoryAccount, journal: Journal): ResplitStore => {
  const { resplits, resplitBatches, resplitsInOrder } = account
  const put = (run: ResplitRun): ResplitRun => {
    const row = sealed(run)
    resplits.put(journal, row)
    return row
  }
  return {
    get: (runId) => journal.read("read a re-split", () => resplits.get(runId)),
    insert: (run, batches) =>
      journal.write("insert a re-split", () => {
        if (resplits.get(run.id) !== undefined) return Conflict.of("re-split", run.id)
        for (const batch of batches) {
          resplitBatches.put(journal, sealed({ ...batch, runId: run.id }))
        }
        return put({ ...run, version: 1 })
      }),
    update: (run) =>
      journal.write("update a re-split", () =>
        resplits.get(run.id)?.version === run.version
          ? put({ ...run, version: run.version + 1 })
          : Conflict.of("re-split", run.id),
      ),
    batch: (runId, number) =>
      journal.read("read a batch of a re-split", () => {
        const found = resplitBatches.get(batchKey({ runId, number }))
        return found && { number, sales: found.sales }
      }),
    list: (slice) =>
      journal.read("list re-splits", () => slicedList(resplitsInOrder.list(everything), slice)),
  }
}
