import { uuidV4Unsafe } from "effect/crypto/SecureRandom"
import type { AccountEvent, NewEvent } from "../../events/AccountEvent.js"
import type { EventStore } from "../../ports/EventStore.js"
import { type Journal, sealed } from "./Table.js"

/** The events of an account, by number: they are added at the end and removed from the beginning. */
export class EventLog {
  /** Makes the ids of its events unique among all logs. */
  readonly #name = uuidV4Unsafe()
  #events: Array<AccountEvent> = []
  /** How many events were removed: the number of the first remaining event is one more. */
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

  /** The number of events from the beginning for which a condition holds. */
  countWhile(holds: (event: AccountEvent) => boolean): number {
    const first = this.#events.findIndex((event) => !holds(event))
    return first === -1 ? this.#events.length : first
  }

  /** Removes events from the beginning while a condition holds, at most `limit`; returns how many. */
  forget(journal: Journal, limit: number, holds: (event: AccountEvent) => boolean): number {
    const count = Math.min(limit, this.countWhile(holds))
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

/** The store of events within one transaction. Transactions run in sequence, so each event gets its number at once. */
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
