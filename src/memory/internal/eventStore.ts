import { uuidV4Unsafe } from "effect/crypto/SecureRandom"
import type { AccountEvent, NewEvent } from "../../events/AccountEvent.js"
import type { EventStore } from "../../ports/EventStore.js"
import { type Journal, sealed } from "./Table.js"

/** The events of an account, by number: they are added at the end and forgotten from the beginning. */
export class EventLog {
  /** Makes the ids of its events those of no other log. */
  readonly #name = uuidV4Unsafe()
  #events: Array<AccountEvent> = []
  /** How many were forgotten: the number of the first event that is kept is one more. */
  #forgotten = 0

  get size(): number {
    return this.#events.length
  }

  get last(): number {
    return this.#forgotten + this.#events.length
  }

  add(journal: Journal, event: NewEvent): void {
    const number = this.last + 1
    this.#events.push(sealed({ ...event, number, id: `${this.#name}-${number}` }))
    journal.note(() => this.#events.pop())
  }

  after(number: number, limit: number): Array<AccountEvent> {
    const start = Math.max(0, number - this.#forgotten)
    return this.#events.slice(start, start + limit)
  }

  /** Forgets those from the beginning on for which something holds, at most so many; gives how many. */
  forget(journal: Journal, limit: number, holds: (event: AccountEvent) => boolean): number {
    let count = 0
    for (const event of this.#events) {
      if (count >= limit || !holds(event)) break
      count += 1
    }
    const gone = this.#events.slice(0, count)
    this.#events = this.#events.slice(count)
    this.#forgotten += count
    journal.note(() => {
      this.#events = [...gone, ...this.#events]
      this.#forgotten -= count
    })
    return count
  }
}

/** The store of events within one transaction: one at a time, so that each event has its number at once. */
export const makeEvents = (log: EventLog, journal: Journal): EventStore => ({
  append: (added) =>
    journal.write("add events", () => {
      for (const event of added) log.add(journal, event)
    }),
  after: ({ after, limit }) => journal.read("read the next events", () => log.after(after, limit)),
  last: () => journal.read("read the number of the last event", () => log.last),
  removeBefore: ({ upTo, at, limit }) =>
    journal.write("forget events", () =>
      log.forget(journal, limit, (event) => event.number <= upTo && event.at < at),
    ),
})
