/** Questions for a person, while the rest of the delivery is carried out. */
import * as Effect from "effect/Effect"
import type { InboxEntry } from "../../../ports/InboxStore.js"
import type { Occurrence } from "../../../ports/Platform.js"
import type { Stores } from "../../../ports/Storage.js"
import { emit, now } from "../transactions.js"
import type { InboxDelivery } from "./inboxSteps.js"

/** A question for a person, and the occurrence to carry out when it is retried. */
export interface InboxQuestion<Told extends Occurrence = Occurrence> {
  readonly key: string
  readonly reason: string
  readonly told: Told
}

/** Keeps a question, unless it is kept already. */
export const ask = Effect.fnUntraced(function* (
  stores: Stores,
  { key, reason, told }: InboxQuestion,
  { platform: { name: platform }, topic, deliveryId, receivedAt }: InboxDelivery,
) {
  if ((yield* stores.inbox.get(key)) !== undefined) return
  const state = "refused" as const
  const entry: InboxEntry = {
    ...{ key, platform, topic, deliveryId, state, waitsFor: null, reason },
    ...{ occurrences: [told], receivedAt, attempts: 0, nextAttemptAt: yield* now },
  }
  yield* stores.inbox.put(entry)
  yield* emit({ type: "delivery.set-aside", data: { key, platform, topic, state, reason } })
})
