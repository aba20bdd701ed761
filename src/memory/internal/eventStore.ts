import { uuidV4Unsafe } from "effect/crypto/SecureRandom"
import type { AccountEvent } from "../../events/AccountEvent.js"
import type { EventStore } from "../../ports/EventStore.js"
import type { MemoryAccount } from "./Account.js"
import { everything, type Journal, sealed } from "./Table.js"

const isOld = (event: AccountEvent, upTo: number, at: number): boolean =>
  event.number <= upTo && event.at < at

/** The store of events within one transaction: one at a time, so that each event has its number at once. */
export const makeEvents = (account: MemoryAccount, journal: Journal): EventStore => {
  const { events } = account
  const inOrder = () => account.eventsInOrder.list(everything)
  return {
    append: (added) =>
      journal.write("add events", () => {
        const before = account.lastEvent
        journal.note(() => {
          account.lastEvent = before
        })
        for (const event of added) {
          account.lastEvent += 1
          const placed = { number: account.lastEvent, id: uuidV4Unsafe() }
          events.put(journal, sealed({ ...event, ...placed }))
        }
      }),
    after: ({ after, limit }) =>
      journal.read(
        "read the next events",
        () => inOrder()?.from(({ number }) => number > after, limit) ?? [],
      ),
    last: () => journal.read("read the number of the last event", () => account.lastEvent),
    removeBefore: ({ upTo, at, limit }) =>
      journal.write("forget events", () => {
        const old = inOrder()?.firstWhile((event) => isOld(event, upTo, at), limit) ?? []
        for (const { id } of old) events.remove(journal, id)
        return old.length
      }),
  }
}
