/**
 * The hashes of the entries of histories, made when they are asked for first: nobody but the store can reach what is in
 * memory, so those who write don't wait for them.
 */
import { historyHash } from "../../ports/PayoutHistory.js"
import type { PayoutHistoryEntry } from "../../ports/PayoutStore.js"

/** An entry as it is noted. */
export type NotedEntry = Omit<PayoutHistoryEntry, "hash">

const known = new WeakMap<NotedEntry, PayoutHistoryEntry>()

/** The entries of a history from a place on, with their hashes; the first one is at place 0. */
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
