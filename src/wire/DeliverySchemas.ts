/** The JSON formats of deliveries and of the inbox, one schema each, for the requests and answers of HTTP. */
import * as Schema from "effect/Schema"
import { Count, NullableText, Seconds } from "./Schemas.js"

const optional = Schema.optionalKey

const Outcome = Schema.Literals(["done", "nothing", "known", "waiting", "refused"]).annotate({
  description:
    "done: it had its effect; nothing: there was nothing to do; known: it came before; waiting: it is tried again by itself; refused: a person has to look at it",
})

export const TakenDelivery = Schema.Struct({ outcome: Outcome }).annotate({
  identifier: "TakenDelivery",
  description: "What became of a delivery. A platform is told no more than that",
})

export const TriedDelivery = Schema.Struct({
  outcome: Outcome,
  key: NullableText.annotate({ description: "The key of what still waits; null: nothing does" }),
  told: Schema.Array(Schema.String).annotate({
    description: "Why nothing was done or what it waits for, and what a person should know",
  }),
}).annotate({ identifier: "TriedDelivery", description: "What became of a delivery that waited" })

export const InboxEntryView = Schema.Struct({
  key: Schema.String.annotate({ description: "What it is about, such as shopify/refund/509" }),
  platform: Schema.String,
  topic: Schema.String,
  delivery_id: Schema.String,
  state: Schema.Literals(["waiting", "refused"]).annotate({
    description: "waiting: it is tried again by itself; refused: a person has to look at it",
  }),
  waits_for: NullableText.annotate({
    description: "The key of what it waits for; null: nothing in particular",
  }),
  reason: Schema.String.annotate({ description: "Why it could not be carried out" }),
  received_at: Seconds,
  attempts: Count,
  next_attempt_at: Seconds,
}).annotate({
  identifier: "InboxEntry",
  description: "A delivery of a platform that could not be carried out yet",
})

export const RetryRequest = Schema.Struct({
  force: optional(Schema.NullOr(Schema.Boolean)).annotate({
    description: "Whether it is tried without what it waits for; false when absent",
  }),
}).annotate({ identifier: "NewInboxRetry", description: "How an entry is tried again" })

export const FetchedDocument = Schema.Struct({
  topic: Schema.String.check(Schema.isMinLength(1)).annotate({
    description: "The topic with which the platform would deliver it, such as refund.created",
  }),
  document: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "The document as the platform gave it",
  }),
}).annotate({ identifier: "NewFetchedDocument", description: "What the platform was asked for" })
