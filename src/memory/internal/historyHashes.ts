/**
 * The hashes of the entries of histories, computed when they are first read: only the store can reach the memory, so
 * writers need not wait for them.
 */
import { historyHash } from "../../ports/PayoutHistory.js"
import type { PayoutHistoryEntry } from "../../ports/PayoutStore.js"

/** An entry as stored, without its hash. */
export type NotedEntry = Omit<PayoutHistoryEntry, "hash">

const known = new WeakMap<NotedEntry, PayoutHistoryEntry>()

/** The entries of a history from an index on, with their hashes. */
export const hashedFrom = async (
  entries: ReadonlyArray<NotedEntry>,
  place: number,
): Promise<ReadonlyArray<PayoutHistoryEntry>> => {
  const from = Math.max(0, place)
  const knownBefore = entries.slice(0, from).findLastIndex((entry) => known.has(entry))
  const begin = Math.max(0, knownBefore)
  let previous: string | null = null
  const hashed: Array<PayoutHistoryEntry> = []
  for (const entry of entries.slice(begin)) {
    const made: PayoutHistoryEntry =
      known.get(entry) ?? Object.freeze({ ...entry, hash: await historyHash(entry, previous) })
    known.set(entry, made)
    previous = made.hash
    hashed.push(made)
  }
  return hashed.slice(from - begin)
}
