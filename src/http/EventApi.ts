/** The endpoints of events and webhooks, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Schemas from "../wire/EventSchemas.js"
import { Count, Position } from "../wire/Schemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside, created, IdempotencyKey, id, One } from "./EndpointParts.js"
import { aWhole, bounded, parsed, type QueryFields, queryOf } from "./QueryFields.js"
import { always, Conflicting, Invalid, NotFound, ofBody } from "./RefusalSchemas.js"

const usualEvents = 100
const mostEvents = 1_000

const optionalWhole = Schema.optional(Schema.Int)

/** A number below 0 means the beginning. */
const readAfter = (fields: QueryFields): number | undefined => {
  const after = parsed(fields, "after", aWhole)
  return after === undefined ? undefined : Math.max(0, after)
}

const EventsQuery = queryOf(
  Schema.Struct({ after: optionalWhole, limit: optionalWhole }),
  (fields) => {
    const after = readAfter(fields)
    const limit = parsed(fields, "limit", aWhole)
    return {
      after,
      limit: limit === undefined ? undefined : bounded(limit, 1, mostEvents),
    }
  },
)

const LettersQuery = queryOf(Schema.Struct({ after: optionalWhole }), (fields) => ({
  after: readAfter(fields),
}))

/** The events that a query selects. */
export const partOf = ({ after = 0, limit = usualEvents }: typeof EventsQuery.Type) => ({
  after,
  limit,
})

const afterDocument = {
  schema: { type: "integer", default: 0 },
  description: "The number of the last event that is known; 0: from the beginning",
}

/** The OpenAPI document's descriptions of their parameters. */
export const eventParameters: Readonly<Record<string, object>> = {
  "listEvents after": afterDocument,
  "listDeadLetters after": afterDocument,
  "listEvents limit": {
    schema: { type: "integer", default: usualEvents },
    description: `At most how many, limited to 1 to ${mostEvents}`,
  },
}

export const listEvents = HttpApiEndpoint.get("list", "/events", {
  query: EventsQuery,
  success: Schema.Struct({
    data: Schema.Array(Schemas.EventView),
    meta: Schema.Struct({
      limit: Position.annotate({ description: "At most so many are in an answer" }),
      last: Count.annotate({
        description: "The number of the account's last event by now; 0: there never was one",
      }),
    }),
  }),
  error: [...always, Invalid],
}).annotateMerge(
  beside(
    "listEvents",
    "List events",
    "Those above a number, by number, which have no gaps: a first one that is not the next says that those between are no longer kept",
  ),
)

export class EventEndpoints extends HttpApiGroup.make("events")
  .add(listEvents)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Events", description: "What happened in the account" }),
  ) {}

// Webhooks.

const endpoint = { endpoint_id: id("The webhook endpoint's id") }
const path = "/webhooks/:endpoint_id" as const

const ofEndpoint = [...always, NotFound] as const
const ofBodyAndKey = [...always, ...ofBody, NotFound, Conflicting] as const

export const listWebhooks = HttpApiEndpoint.get("list", "/webhooks", {
  success: Schema.Struct({ data: Schema.Array(Schemas.EndpointView) }),
  error: [...always],
}).annotateMerge(beside("listWebhooks", "List webhook endpoints", "All of them, by id"))

export const createWebhook = HttpApiEndpoint.post("create", "/webhooks", {
  headers: IdempotencyKey,
  payload: Schemas.EndpointRequest,
  success: created(One(Schemas.EndpointWithKey)),
  error: [...always, ...ofBody, Conflicting],
}).annotateMerge(
  beside(
    "createWebhook",
    "Create a webhook endpoint",
    "Its key is shown in this answer and never again. What is sent is signed as Standard Webhooks does",
  ),
)

export const viewWebhook = HttpApiEndpoint.get("view", path, {
  params: endpoint,
  success: One(Schemas.EndpointView),
  error: ofEndpoint,
}).annotateMerge(beside("viewWebhook", "View a webhook endpoint", "As it is now"))

export const updateWebhook = HttpApiEndpoint.put("update", path, {
  params: endpoint,
  payload: Schemas.EndpointChanges,
  success: One(Schemas.EndpointView),
  error: [...always, ...ofBody, NotFound],
}).annotateMerge(
  beside("updateWebhook", "Update a webhook endpoint", "What waited for it is tried again at once"),
)

export const removeWebhook = HttpApiEndpoint.delete("remove", path, {
  params: endpoint,
  success: HttpApiSchema.NoContent,
  error: ofEndpoint,
}).annotateMerge(
  beside("deleteWebhook", "Delete a webhook endpoint", "Its dead letters are gone too"),
)

export const rotate = HttpApiEndpoint.post("rotate", `${path}/rotate`, {
  params: endpoint,
  headers: IdempotencyKey,
  payload: Schemas.RotationRequest,
  success: One(Schemas.EndpointWithKey),
  error: ofBodyAndKey,
}).annotateMerge(
  beside(
    "rotateWebhookKey",
    "Replace the key of a webhook endpoint",
    "The new one is shown in this answer and never again. For a while what is sent is signed with both",
  ),
)

export const replay = HttpApiEndpoint.post("replay", `${path}/replay`, {
  params: endpoint,
  headers: IdempotencyKey,
  payload: Schemas.ReplayRequest,
  success: One(Schemas.EndpointView),
  error: ofBodyAndKey,
}).annotateMerge(
  beside("replayWebhook", "Send events again", "All above a number, in order, as far as kept"),
)

export const deadLetters = HttpApiEndpoint.get("deadLetters", `${path}/dead-letters`, {
  params: endpoint,
  query: LettersQuery,
  success: Schema.Struct({ data: Schema.Array(Schemas.DeadLetterView) }),
  error: [...always, NotFound, Invalid],
}).annotateMerge(
  beside(
    "listDeadLetters",
    "List the events that could not be delivered",
    "By number, 100 at most: those above the last number are asked for next",
  ),
)

export const replayDeadLetters = HttpApiEndpoint.post(
  "replayDeadLetters",
  `${path}/dead-letters/replay`,
  {
    params: endpoint,
    headers: IdempotencyKey,
    success: One(
      Schema.Struct({ count: Count.annotate({ description: "How many are sent again" }) }),
    ),
    error: [...always, Invalid, NotFound, Conflicting],
  },
).annotateMerge(
  beside(
    "replayDeadLetters",
    "Send the events again that could not be delivered",
    "All of the endpoint; what arrives is no dead letter any more",
  ),
)

export class WebhookEndpoints extends HttpApiGroup.make("webhooks")
  .add(listWebhooks, createWebhook, viewWebhook, updateWebhook, removeWebhook)
  .add(rotate, replay, deadLetters, replayDeadLetters)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Webhooks", description: "Where events are sent to" }),
  ) {}
