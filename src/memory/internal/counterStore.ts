import type { CounterStore } from "../../ports/CounterStore.js"
import type { MemoryAccount } from "./Account.js"
import { everything, type Journal, sealed, slicedList } from "./Table.js"

/** The store of counters within one transaction. */
export const makeCounters = (account: MemoryAccount, journal: Journal): CounterStore => {
  const { counters, countersInOrder } = account
  return {
    find: (keys) =>
      journal.read("read counters", () =>
        [...new Set(keys)].flatMap((key) => counters.get(key) ?? []),
      ),
    put: (all) =>
      journal.write("store counters", () => {
        for (const counter of all) counters.put(journal, sealed(counter))
        return undefined
      }),
    list: (slice) =>
      journal.read("list counters", () => slicedList(countersInOrder.list(everything), slice)),
  }
}
