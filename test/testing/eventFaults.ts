import type { AccountEvent } from "apportion"
import type { DeadLetter, EndpointStore, EventStore, StoredEndpoint } from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores } from "./Fault.js"

/** A fault in the store of events. */
const inEvents = (name: string, change: (store: EventStore) => Partial<EventStore>): Fault =>
  inStores(name, ({ stores: { events } }) => ({ events: { ...events, ...change(events) } }))

/** A fault in the store of webhook endpoints. */
const inEndpoints = (
  name: string,
  change: (store: EndpointStore) => Partial<EndpointStore>,
): Fault =>
  inStores(name, ({ stores: { endpoints } }) => ({
    endpoints: { ...endpoints, ...change(endpoints) },
  }))

type Event = AccountEvent.AccountEvent

/** Events that are read as others than were added. */
const readAs = (name: string, told: (event: Event, index: number) => Event): Fault =>
  inEvents(name, ({ after }) => ({
    after: (options) => Effect.map(after(options), (found) => found.map(told)),
  }))

/** A list that is kept whatever becomes of transactions. */
const listIn = <A>(kept: Map<string, unknown>): Array<A> => {
  const known = kept.get("all")
  if (Array.isArray(known)) return known
  const made: Array<A> = []
  kept.set("all", made)
  return made
}

const outliving = inStores(
  "events outlive transactions that fail, and those of all accounts are one",
  ({ stores, kept }) => {
    const all = listIn<Event>(kept)
    const append: EventStore["append"] = (events) =>
      Effect.sync(() => {
        for (const event of events) {
          const number = all.length + 1
          all.push({ ...event, number, id: String(number) })
        }
      })
    return {
      events: {
        ...stores.events,
        append,
        after: ({ after, limit }) => Effect.sync(() => all.slice(after, after + limit)),
        last: () => Effect.sync(() => all.length),
      },
    }
  },
)

const outlivingLetters = inStores(
  "dead letters outlive transactions that fail, and their endpoints",
  ({ stores, kept }) => {
    const all = listIn<DeadLetter>(kept)
    const putDeadLetters: EndpointStore["putDeadLetters"] = (letters) =>
      Effect.sync(() => {
        all.push(...letters)
      })
    const deadLetters: EndpointStore["deadLetters"] = ({ limit }) =>
      Effect.sync(() => all.slice(0, limit))
    return { endpoints: { ...stores.endpoints, putDeadLetters, deadLetters } }
  },
)

const withoutClaim = (endpoint: StoredEndpoint | undefined): StoredEndpoint | undefined =>
  endpoint && { ...endpoint, claim: null }

/** What an adapter can do wrong with events, and with the endpoints that they are sent to. */
export const eventFaults: ReadonlyArray<Fault> = [
  readAs("who acted is forgotten", (event) => ({ ...event, actor: "" })),
  readAs("an event has another id each time", (event) => ({
    ...event,
    id: `${event.id} ${String(performance.now())}`,
  })),
  readAs("numbers are counted from what was asked for", (event, index) => ({
    ...event,
    number: index + 1,
  })),
  inEvents("an event that is known comes again", ({ after }) => ({
    after: (options) => after({ ...options, after: Math.max(0, options.after - 1) }),
  })),
  inEvents("events are forgotten whatever their number", ({ removeBefore }) => ({
    removeBefore: (options) => removeBefore({ ...options, upTo: Number.MAX_SAFE_INTEGER }),
  })),
  outliving,
  inEndpoints("who sends is forgotten", ({ get }) => ({
    get: (id) => Effect.map(get(id), withoutClaim),
  })),
  inEndpoints("an endpoint is changed whatever its version", ({ get, update }) => ({
    update: (endpoint) =>
      Effect.flatMap(get(endpoint.id), (known) =>
        update({ ...endpoint, version: known?.version ?? endpoint.version }),
      ),
  })),
  inEndpoints("ids of endpoints are trimmed and made small", ({ get }) => ({
    get: (id) => get(id.trim().toLowerCase()),
  })),
  inEndpoints("all dead letters are sent again", ({ deadLetters }) => ({
    deadLetters: ({ isReplayed: _, ...options }) => deadLetters(options),
  })),
  outlivingLetters,
]
