/** The stores of a host that has none of its own. */
import * as Effect from "effect/Effect"
import type { EndpointStore } from "../EndpointStore.js"
import type { EventStore } from "../EventStore.js"
import type { InboxStore } from "../InboxStore.js"
import type { ResplitStore } from "../ResplitStore.js"
import type { SettingsStore } from "../SettingsStore.js"
import { StorageFailure } from "../StorageError.js"

/** There are no events. */
export const noEvents: EventStore = {
  append: () => Effect.void,
  after: () => Effect.succeed([]),
  last: () => Effect.succeed(0),
  removeBefore: () => Effect.succeed(0),
}

const refused = Effect.fail(
  StorageFailure.of("store a webhook endpoint", "this storage has no store of endpoints"),
)

/** There are no endpoints, and none can be added. */
export const noEndpoints: EndpointStore = {
  get: () => Effect.succeed(undefined),
  list: () => Effect.succeed([]),
  insert: () => refused,
  update: () => refused,
  remove: () => Effect.void,
  putDeadLetters: () => refused,
  deadLetters: () => Effect.succeed([]),
  removeDeadLetter: () => Effect.void,
}

const noInbox = Effect.fail(
  StorageFailure.of("take a delivery of a platform", "this storage has no inbox"),
)

/** Nothing came from platforms, and nothing can be taken. */
export const leftOutInbox: InboxStore = {
  notes: () => noInbox,
  putNotes: () => noInbox,
  forgetNotes: () => Effect.succeed(0),
  get: () => Effect.succeed(undefined),
  put: () => noInbox,
  remove: () => Effect.void,
  list: () => Effect.succeed([]),
  count: () => Effect.succeed(0),
}

const noRun = Effect.fail(
  StorageFailure.of("store a re-split", "this storage has no store of re-splits"),
)

/** No sale was split again, and none can be. */
export const noResplits: ResplitStore = {
  get: () => Effect.succeed(undefined),
  insert: () => noRun,
  update: () => noRun,
  batch: () => Effect.succeed(undefined),
  list: () => Effect.succeed({ entries: [], total: 0 }),
}

/** The host's settings are those of every account, and none can change its own. */
export const noSettings: SettingsStore = {
  current: Effect.succeed(undefined),
  append: () =>
    Effect.fail(StorageFailure.of("change the settings", "this storage has no store of settings")),
  list: () => Effect.succeed({ entries: [], total: 0 }),
}
