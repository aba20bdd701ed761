/** The JSON formats of events and of the webhook endpoints that they are sent to, one schema each. */
import * as Schema from "effect/Schema"
import { types } from "../events/EventType.js"
import { Count, NullableText, Position, Seconds } from "./Schemas.js"

const optional = Schema.optionalKey

const typeNames = Object.keys(types)

const Type = Schema.String.check(
  Schema.makeFilter((name: string) => typeNames.includes(name), {
    toJsonSchema: () => [{ enum: typeNames }, true],
  }),
)

export const EventView = Schema.Struct({
  id: Schema.String.annotate({
    description: "The same each time that the event is told, and no other event's",
  }),
  number: Position.annotate({
    description: "1 for the first event of the account, one more for each: none is left out",
  }),
  type: Type.annotate({ description: "What it is about, and what happened to it" }),
  timestamp: Schema.String.annotate({ description: "When it happened, as ISO 8601 in UTC" }),
  actor: Schema.String.annotate({ description: "Who made the change" }),
  data: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "What its type tells: ids, amounts in cents, counts and times; never a secret",
  }),
}).annotate({ identifier: "Event", description: "Something that happened in the account" })

// Webhook endpoints.

const url = Schema.String.check(Schema.isMinLength(1)).annotate({
  description: "https, and neither this machine nor a network of its own",
})

const key = optional(Schema.NullOr(Schema.String)).annotate({
  description: "whsec_ and 24 to 64 bytes in base64; one is made when absent",
})

const Types = Schema.Array(Type).check(Schema.isMinLength(1))

const number = (description: string) => Count.annotate({ description })

const endpoint = {
  id: Schema.String,
  url: Schema.String,
  types: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "The types of events that are sent; null: all",
  }),
  is_active: Schema.Boolean,
  delivered: number("The number of the last event that was sent, passed over or set aside"),
  failing_since: Schema.NullOr(Schema.Int).annotate({
    description: "Unix seconds; null: it is not failing",
  }),
  attempts: number("How often in a row it failed"),
  failure: NullableText.annotate({ description: "Why it failed last; null: it did not" }),
  keys: Schema.Array(
    Schema.Struct({
      created_at: Seconds,
      expires_at: Schema.NullOr(Schema.Int).annotate({
        description: "Unix seconds; null: it is used as long as the endpoint is there",
      }),
    }),
  ).annotate({ description: "When its keys were made, the newest first; they are not shown" }),
  created_at: Seconds,
  updated_at: Seconds,
}

export const EndpointView = Schema.Struct(endpoint).annotate({
  identifier: "WebhookEndpoint",
  description: "Where events are sent to",
})

export const EndpointWithKey = Schema.Struct({
  ...endpoint,
  key: NullableText.annotate({
    description:
      "The new key, shown this once; null: the request came again with the same idempotency key",
  }),
}).annotate({
  identifier: "WebhookEndpointWithKey",
  description: "Where events are sent to, with the key that they are signed with",
})

export const EndpointRequest = Schema.Struct({
  url,
  types: optional(Schema.NullOr(Types)).annotate({
    description: "The types of events that are sent; all when absent",
  }),
  key,
  after: optional(Schema.NullOr(Count)).annotate({
    description:
      "The number of the last event that is not sent; when absent, the first that is sent is the next that happens",
  }),
}).annotate({ identifier: "NewWebhookEndpoint", description: "Where events are to be sent to" })

export const EndpointChanges = Schema.Struct({
  url: optional(url),
  types: optional(Schema.NullOr(Types)).annotate({
    description: "The types of events that are sent; null: all",
  }),
  is_active: optional(Schema.Boolean).annotate({
    description:
      "Whether events are sent at all. One that is active again goes on where it stopped",
  }),
}).annotate({
  identifier: "WebhookEndpointChanges",
  description: "What is to be changed; what is absent stays as it is",
})

export const RotationRequest = Schema.Struct({
  key,
  overlap_seconds: optional(Schema.NullOr(Count)).annotate({
    description: "How long what is sent is signed with the old key too; a day when absent",
  }),
}).annotate({ identifier: "NewWebhookKey", description: "How the key is replaced" })

export const ReplayRequest = Schema.Struct({
  after: number("Events above this number are sent again, in order, as far as they are kept"),
}).annotate({ identifier: "NewReplay", description: "From where on events are sent again" })

export const DeadLetterView = Schema.Struct({
  event: EventView,
  failure: Schema.String.annotate({ description: "Why it could not be delivered" }),
  set_aside_at: Seconds,
  is_replayed: Schema.Boolean.annotate({ description: "Whether it is sent again" }),
}).annotate({
  identifier: "DeadLetter",
  description: "An event that could not be delivered for three days",
})
