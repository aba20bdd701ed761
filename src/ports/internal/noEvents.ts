import * as Effect from "effect/Effect"
import type { EventStore } from "../EventStore.js"

/** The store of a host that has none of its own: there are no events. */
export const noEvents: EventStore = {
  append: () => Effect.void,
  after: () => Effect.succeed([]),
  last: () => Effect.succeed(0),
  removeBefore: () => Effect.succeed(0),
}
