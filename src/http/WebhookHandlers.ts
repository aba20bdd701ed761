/** Handling requests about webhook endpoints. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as Result from "effect/Result"
import { toJson } from "../events/AccountEvent.js"
import * as reader from "../internal/reader.js"
import type { DeadLetter } from "../ports/EndpointStore.js"
import {
  type Endpoint,
  type EndpointChanges,
  type EndpointWithKey,
  type NewEndpoint,
  Webhooks,
  type WebhooksService,
} from "../service/Webhooks.js"
import type { Unreadable } from "../Unreadable.js"
import type { Failure } from "./Answer.js"
import { Api } from "./Api.js"
import type { CallerService } from "./Caller.js"
import { respond } from "./Endpoint.js"
import type { createWebhook, deadLetters, viewWebhook } from "./EventApi.js"
import { respondOnce } from "./Once.js"

type EndpointView = (typeof viewWebhook)["~Success"]["Type"]["data"]
type WithKey = (typeof createWebhook)["~Success"]["Type"]
type Letters = (typeof deadLetters)["~Success"]["Type"]

const write = (endpoint: Endpoint): EndpointView => ({
  id: endpoint.id,
  url: endpoint.url,
  types: endpoint.types,
  is_active: endpoint.isActive,
  delivered: endpoint.delivered,
  failing_since: endpoint.failingSince,
  attempts: endpoint.attempts,
  failure: endpoint.failure,
  keys: endpoint.keys.map(({ createdAt, expiresAt }) => ({
    ...{ created_at: createdAt, expires_at: expiresAt },
  })),
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
})

const writeWithKey = ({ key, ...endpoint }: EndpointWithKey): WithKey => ({
  data: { ...write(endpoint), key },
})

const writeLetter = (letter: DeadLetter): Letters["data"][number] => ({
  event: toJson(letter.event),
  failure: letter.failure,
  set_aside_at: letter.setAsideAt,
  is_replayed: letter.isReplayed,
})

// Requests. No field may be misspelt: without its types, an endpoint would get every event.

const what = "webhook endpoint"

const aUrl = "a URL"

const readUrl = (node: reader.Node): string => {
  if (reader.field(node, "url") === undefined) reader.refuse(node, "url", aUrl)
  return reader.text(node, "url") ?? ""
}

/** An invalid key is still a secret, and not shown. */
const readKey = (node: reader.Node): string | undefined => {
  const key = reader.field(node, "key")
  if (key === undefined || typeof key === "string") return key
  reader.note(node, "key", "must be whsec_ and 24 to 64 bytes in base64")
  return undefined
}

const readTypes = (node: reader.Node): ReadonlyArray<string> | undefined =>
  reader.texts(node, "types")

const readNew = (body: unknown): Result.Result<NewEndpoint, Unreadable> =>
  reader.read(body, {
    what,
    known: ["url", "types", "key", "after"],
    read: (node) => ({
      url: readUrl(node),
      types: readTypes(node),
      key: readKey(node),
      after: reader.whole(node, "after", 0),
    }),
  })

const readChanges = (body: unknown): Result.Result<EndpointChanges, Unreadable> =>
  reader.read(body, {
    what,
    known: ["url", "types", "is_active"],
    read: (node) => ({
      url: Object.hasOwn(node.fields, "url") ? readUrl(node) : undefined,
      types: node.fields.types === null ? null : readTypes(node),
      isActive: reader.flag(node, "is_active"),
    }),
  })

const readRotation = (body: unknown) =>
  reader.read(body, {
    what,
    known: ["key", "overlap_seconds"],
    read: (node) => ({
      key: readKey(node),
      overlapSeconds: reader.whole(node, "overlap_seconds", 0),
    }),
  })

const readReplay = (body: unknown): Result.Result<number, Unreadable> =>
  reader.read(body, {
    what,
    known: ["after"],
    read: (node) => reader.neededWhole(node, "after", 0),
  })

/** The answer to a repetition: the key was shown once. */
const withoutKey = (webhooks: WebhooksService) => ({
  isSecret: true,
  recall: ({ accountId }: CallerService, id: string): Effect.Effect<WithKey, Failure> =>
    Effect.map(webhooks.get(accountId, id), (endpoint) => ({
      data: { ...write(endpoint), key: null },
    })),
})

const createWith =
  (webhooks: WebhooksService) =>
  ({ accountId, body }: CallerService): Effect.Effect<WithKey, Failure> =>
    Effect.flatMap(Effect.fromResult(readNew(body)), (endpoint) =>
      Effect.map(webhooks.create(accountId, endpoint), writeWithKey),
    )

const rotateWith =
  (webhooks: WebhooksService, id: string) =>
  ({ accountId, body }: CallerService): Effect.Effect<WithKey, Failure> =>
    Effect.flatMap(Effect.fromResult(readRotation(body)), (rotation) =>
      Effect.map(webhooks.rotate(accountId, id, rotation), writeWithKey),
    )

const updateWith =
  (webhooks: WebhooksService, id: string) =>
  ({ accountId, body }: CallerService): Effect.Effect<{ data: EndpointView }, Failure> =>
    Effect.flatMap(Effect.fromResult(readChanges(body)), (changes) =>
      Effect.map(webhooks.update(accountId, id, changes), (endpoint) => ({
        data: write(endpoint),
      })),
    )

const replayWith =
  (webhooks: WebhooksService, id: string) =>
  ({ accountId, body }: CallerService): Effect.Effect<{ data: EndpointView }, Failure> =>
    Effect.flatMap(Effect.fromResult(readReplay(body)), (after) =>
      Effect.map(webhooks.replay(accountId, id, after), (endpoint) => ({ data: write(endpoint) })),
    )

export const layer = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    const secret = withoutKey(webhooks)
    return handlers
      .handle("list", (call) =>
        respond(call, ({ accountId }) =>
          Effect.map(webhooks.list(accountId), (all) => ({ data: all.map(write) })),
        ),
      )
      .handleRaw("create", (call) => respondOnce(call, createWith(webhooks), secret))
      .handle("view", (call) =>
        respond(call, ({ accountId }) =>
          Effect.map(webhooks.get(accountId, call.params.endpoint_id), (endpoint) => ({
            data: write(endpoint),
          })),
        ),
      )
      .handleRaw("update", (call) => respond(call, updateWith(webhooks, call.params.endpoint_id)))
      .handle("remove", (call) =>
        respond(call, ({ accountId }) => webhooks.remove(accountId, call.params.endpoint_id)),
      )
      .handleRaw("rotate", (call) =>
        respondOnce(call, rotateWith(webhooks, call.params.endpoint_id), secret),
      )
      .handleRaw("replay", (call) =>
        respondOnce(call, replayWith(webhooks, call.params.endpoint_id)),
      )
      .handle("deadLetters", (call) =>
        respond(call, ({ accountId }) =>
          Effect.map(
            webhooks.deadLetters(accountId, call.params.endpoint_id, call.query.after),
            (letters) => ({ data: letters.map(writeLetter) }),
          ),
        ),
      )
      .handle("replayDeadLetters", (call) =>
        respondOnce(call, ({ accountId }) =>
          Effect.map(webhooks.replayDeadLetters(accountId, call.params.endpoint_id), (count) => ({
            data: { count },
          })),
        ),
      )
  }),
)
