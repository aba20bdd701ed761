/** The endpoints for deliveries of platforms and for the inbox, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import {
  FetchedDocument,
  InboxEntryView,
  RetryRequest,
  TakenDelivery,
  TriedDelivery,
} from "../wire/DeliverySchemas.js"
import { Authorization, Malformations, Unguarded } from "./Caller.js"
import { beside, IdempotencyKey, id, One } from "./EndpointParts.js"
import { anId, parsed, queryOf } from "./QueryFields.js"
import {
  always,
  Conflicting,
  Invalid,
  NotFound,
  NotSigned,
  ofBody,
  TooLarge,
  unmetered,
} from "./RefusalSchemas.js"

/** The longest delivery that is read, in bytes. */
export const longestDelivery = 4_000_000

export const receiveDelivery = HttpApiEndpoint.post("receive", "/deliveries/:shop_key", {
  params: { shop_key: id("The key of a connected shop") },
  payload: HttpApiSchema.StreamUint8Array(),
  success: One(TakenDelivery),
  error: [...unmetered, NotSigned, NotFound, TooLarge, Invalid],
}).annotateMerge(
  beside(
    "receiveDelivery",
    "Take a delivery of a platform",
    `A webhook of the shop, as it comes: it has no access token, and the platform's signature stands for one. The body has at most ${longestDelivery} bytes. The same delivery again changes nothing`,
  ),
)

export const bringFetched = HttpApiEndpoint.post("bring", "/deliveries/:shop_key/fetched", {
  params: { shop_key: id("The key of a connected shop of the account") },
  headers: IdempotencyKey,
  payload: FetchedDocument,
  success: One(TriedDelivery),
  error: [...always, ...ofBody, NotFound, Conflicting],
}).annotateMerge(
  beside(
    "bringFetched",
    "Bring what the platform was asked for",
    "A document that was fetched from the platform, such as a refund of WooCommerce with its lines or a session of Stripe with its items, as if it had been delivered with a topic. The access token stands for the signature, so it must not be what somebody sent. The same document again changes nothing",
  ),
)

const InboxQuery = queryOf(Schema.Struct({ after: Schema.optional(Schema.String) }), (fields) => ({
  after: parsed(fields, "after", anId),
}))

/** The OpenAPI document's descriptions of their parameters. */
export const deliveryParameters: Readonly<Record<string, object>> = {
  "listInbox after": {
    schema: { type: "string" },
    description: "The key of the last entry that is known; when absent, from the beginning",
  },
}

const entry = { entry_key: id("The entry's key, escaped as any name in a path") }

export const listInbox = HttpApiEndpoint.get("list", "/inbox", {
  query: InboxQuery,
  success: Schema.Struct({ data: Schema.Array(InboxEntryView) }),
  error: [...always, Invalid],
}).annotateMerge(
  beside("listInbox", "List what waits", "Entries of the inbox by key, 100 at most in an answer"),
)

export const retryEntry = HttpApiEndpoint.post("retry", "/inbox/:entry_key/retry", {
  params: entry,
  headers: IdempotencyKey,
  payload: RetryRequest,
  success: One(TriedDelivery),
  error: [...always, ...ofBody, NotFound, Conflicting],
}).annotateMerge(
  beside("retryInboxEntry", "Try an entry again", "Now, and with force without what it waits for"),
)

export const dropEntry = HttpApiEndpoint.delete("drop", "/inbox/:entry_key", {
  params: entry,
  success: HttpApiSchema.NoContent,
  error: [...always, NotFound],
}).annotateMerge(
  beside("dropInboxEntry", "Drop an entry", "It never has its effect, and an event says so"),
)

export class DeliveryEndpoints extends HttpApiGroup.make("deliveries")
  .add(receiveDelivery)
  .middleware(Malformations)
  .middleware(Unguarded)
  .annotateMerge(
    OpenApi.annotations({
      title: "Deliveries",
      description: "What the platforms of connected shops send",
    }),
  ) {}

export class InboxEndpoints extends HttpApiGroup.make("inbox")
  .add(listInbox, retryEntry, dropEntry, bringFetched)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Inbox",
      description:
        "Deliveries of platforms that could not be carried out yet, and what was fetched",
    }),
  ) {}
