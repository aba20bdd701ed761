/** Replacements for stores that a host leaves out. */
import * as Effect from "effect/Effect"
import * as Balances from "../../agreements/Balances.js"
import type { AgreementStore } from "../AgreementStore.js"
import type { CounterStore } from "../CounterStore.js"
import type { EndpointStore } from "../EndpointStore.js"
import type { EventStore } from "../EventStore.js"
import type { InboxStore } from "../InboxStore.js"
import type { PassStore } from "../PassStore.js"
import type { ResplitStore } from "../ResplitStore.js"
import type { RetentionStore } from "../RetentionStore.js"
import type { SettingsStore } from "../SettingsStore.js"
import { StorageFailure } from "../StorageError.js"

/** A store without events. */
export const noEvents: EventStore = {
  append: () => Effect.void,
  after: () => Effect.succeed([]),
  last: () => Effect.succeed(0),
  removeBefore: () => Effect.succeed(0),
}

const refused = Effect.fail(
  StorageFailure.of("store a webhook endpoint", "this storage has no store of endpoints"),
)

/** A store without endpoints, to which none can be added. */
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

/** An empty inbox, to which nothing can be added. */
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

/** A store without re-splits, to which none can be added. */
export const noResplits: ResplitStore = {
  get: () => Effect.succeed(undefined),
  insert: () => noRun,
  update: () => noRun,
  batch: () => Effect.succeed(undefined),
  list: () => Effect.succeed({ entries: [], total: 0 }),
}

/** A store without chosen settings, to which none can be added. */
export const noSettings: SettingsStore = {
  current: Effect.succeed(undefined),
  append: () =>
    Effect.fail(StorageFailure.of("change the settings", "this storage has no store of settings")),
  list: () => Effect.succeed({ entries: [], total: 0 }),
}

/** Nothing is old, so nothing goes but what other stores remove. */
export const noRetention: RetentionStore = {
  count: () => Effect.succeed(0),
  remove: () => Effect.succeed(0),
  refundDocuments: () => Effect.succeed([]),
}

const noPass = Effect.fail(StorageFailure.of("store a pass", "this storage has no store of passes"))

/** A store without passes, to which none can be added. */
export const noPasses: PassStore = {
  get: () => Effect.succeed(undefined),
  ofCollaborator: () => Effect.succeed([]),
  insert: () => noPass,
  update: () => noPass,
  remove: () => Effect.void,
}

const reason =
  'this storage has no store of counters: product groups with terms, and rounding "carry", need one'

/**
 * A store without counters: groups with terms, and `rounding: "carry"`, are refused. To put none asks whether counters
 * can be stored, and is refused too.
 */
export const noCounters: CounterStore = {
  find: () => Effect.succeed([]),
  put: () =>
    Effect.fail(new StorageFailure({ doing: "store counters", cause: reason, message: reason })),
  list: () => Effect.succeed({ entries: [], total: 0 }),
}

const noAgreement = Effect.fail(
  StorageFailure.of("store an agreement", "this storage has no store of agreements"),
)

/** A store without agreements, to which none can be added. */
export const noAgreements: AgreementStore = {
  revision: Effect.succeed(0),
  all: Effect.succeed([]),
  get: () => Effect.succeed(undefined),
  insert: () => noAgreement,
  update: () => noAgreement,
  totals: () => Effect.succeed(Balances.empty),
  heldOf: () => Effect.succeed([]),
  heldDue: () => Effect.succeed([]),
  held: () => Effect.succeed([]),
  entriesOf: () => Effect.succeed([]),
  entries: () => Effect.succeed([]),
  entriesFor: () => Effect.succeed({ entries: [], total: 0 }),
  book: () => noAgreement,
}
