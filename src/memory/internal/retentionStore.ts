import type { InboxNote } from "../../ports/InboxStore.js"
import type { OldRecords, RefundDocument, RetentionStore } from "../../ports/RetentionStore.js"
import { batchKey, type MemoryAccount } from "./Account.js"
import { everything, type Journal } from "./Table.js"

type Removed = Parameters<RetentionStore["remove"]>[0]

/** The keys of old rows, the first so many of them. */
const oldKeys = (account: MemoryAccount, old: Removed, limit: number): ReadonlyArray<string> => {
  if (old.kind === "resplit batches") {
    return (account.batchesOfRun.list(old.runId)?.slice(0, limit) ?? []).map(batchKey)
  }
  const { before } = old
  const byTime = account.answersByTime.list(everything)
  return (byTime?.firstWhile(({ createdAt }) => createdAt < before, limit) ?? []).map(
    ({ key }) => key,
  )
}

const countOf = (account: MemoryAccount, old: OldRecords): number => {
  if (old.kind === "events") {
    const { upTo, before } = old
    return account.events.countWhile(({ number, at }) => number <= upTo && at < before)
  }
  if (old.kind !== "deliveries") return oldKeys(account, old, Number.MAX_SAFE_INTEGER).length
  const notes = account.notesOfKind.list("delivery")
  return notes?.firstWhile(({ at }) => at < old.before, notes.size).length ?? 0
}

const documentOf = (note: InboxNote): ReadonlyArray<RefundDocument> =>
  note.kind === "refund" && note.document !== undefined
    ? [{ key: note.key, at: note.at, orderId: note.orderId }]
    : []

const isAfter = (
  { at, key }: RefundDocument,
  after: Parameters<RetentionStore["refundDocuments"]>[0]["after"],
): boolean => after === undefined || at > after.at || (at === after.at && key > after.key)

/** What is old within one transaction. */
export const makeRetention = (account: MemoryAccount, journal: Journal): RetentionStore => ({
  count: (old) => journal.read("count what is old", () => countOf(account, old)),
  remove: (old, limit) =>
    journal.write("remove what is old", () => {
      const keys = oldKeys(account, old, limit)
      const table = old.kind === "answers" ? account.answers : account.resplitBatches
      for (const key of keys) table.remove(journal, key)
      return keys.length
    }),
  refundDocuments: ({ before, after, limit }) =>
    journal.read("find old documents", () => {
      const notes = account.notesOfKind.list("refund")
      const old = notes?.firstWhile(({ at }) => at < before, notes.size) ?? []
      return old
        .flatMap(documentOf)
        .filter((document) => isAfter(document, after))
        .slice(0, limit)
    }),
})
