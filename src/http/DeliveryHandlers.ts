/** Handling deliveries of platforms, and requests about the inbox. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import { type ConnectedShop, ConnectedShops } from "../ports/ConnectedShop.js"
import type { InboxEntry } from "../ports/InboxStore.js"
import type { Platform } from "../ports/Platform.js"
import {
  Deliveries,
  type DeliveriesService,
  type FetchedDocument,
  InvalidSignature,
  type Received,
} from "../service/Deliveries.js"
import { NotFound } from "../service/ServiceError.js"
import type { Unreadable } from "../Unreadable.js"
import type { Strangers } from "./Access.js"
import { type Failure, ofJson, settle } from "./Answer.js"
import { Api } from "./Api.js"
import type { CallerService } from "./Caller.js"
import { type listInbox, longestDelivery, type retryEntry } from "./DeliveryApi.js"
import { respond } from "./Endpoint.js"
import { respondInParts } from "./Once.js"
import { readBytes } from "./Request.js"

// Deliveries. Until the signature is checked, the sender is unknown.

const unknownShop = (key: string) => NotFound.of("connected shop", key)

const notSigned = ({ name }: Platform): InvalidSignature =>
  new InvalidSignature({ platform: name, message: `the delivery of ${name} is not signed` })

/** How many bytes of deliveries are held at a time, because anybody can begin to send one. */
const mostHeld = 16 * longestDelivery

/** How many bytes a delivery takes beside its body. */
const leastHeld = 16_384

/** There is no room for a delivery now. */
class Crowded extends Data.TaggedError("Crowded") {}

type Hold = (bytes: number) => Effect.Effect<void, Crowded>

/**
 * Lets work hold bytes of a delivery, if there is room. The bytes that arrived count, not those that were announced, so
 * a sender that sends nothing keeps no other one out.
 */
const makeRoom = () => {
  let held = 0
  return <A, E, R>(work: (hold: Hold) => Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      let own = 0
      const hold: Hold = (bytes) => {
        if (held + bytes > mostHeld) return new Crowded()
        held += bytes
        own += bytes
        return Effect.void
      }
      const release = Effect.sync(() => {
        held -= own
      })
      return Effect.ensuring(Effect.andThen(hold(leastHeld), work(hold)), release)
    })
}

const crowded = ofJson(503, { message: "busy, try again" }, { "retry-after": "1" })

/** A ping, by which a platform tries the address, is short. */
const longestPing = 1_024

/** A delivery is only read when it has a signature, or may be a ping. */
const take = (deliveries: DeliveriesService, { key, accountId, platform }: ConnectedShop) =>
  Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    hold: Hold,
  ): Effect.fn.Return<HttpServerResponse, Failure | Crowded> {
    const { headers } = request
    const isSigned = platform.claimOf(headers, "") !== undefined
    if (!isSigned && platform.isPing === undefined) return yield* notSigned(platform)
    const body = yield* readBytes(request, isSigned ? longestDelivery : longestPing, hold)
    const received = deliveries.receive(accountId, platform, { headers, body })
    const { outcome } = yield* Effect.annotateLogs(received, { accountId, shop: key })
    return ofJson(200, { data: { outcome } })
  })

/** Whether a failure leaves the sender unknown: it counts for the address, as a wrong token does. */
const isAnonymous = ({ _tag }: Failure | Crowded): boolean =>
  _tag === "InvalidSignature" || _tag === "BodyTooLarge" || _tag === "MalformedBody"

/**
 * The deliveries of all shops. An address that sends deliveries without a valid signature is counted, and refused in
 * the end.
 */
export const layer = (strangers: Strangers) =>
  HttpApiBuilder.group(
    Api,
    "deliveries",
    Effect.fnUntraced(function* (handlers) {
      const deliveries = yield* Deliveries
      const shops = yield* ConnectedShops
      const withRoom = makeRoom()

      const receive = (request: HttpServerRequest.HttpServerRequest, shopKey: string) => {
        const { remoteAddress } = request
        const answered = Effect.fnUntraced(function* (hold: Hold) {
          yield* strangers.admit(remoteAddress)
          const shop = yield* shops.find(shopKey)
          if (shop === undefined) return yield* unknownShop(shopKey)
          const taken = take(deliveries, shop)(request, hold)
          if (shop.platform.claimOf(request.headers, "") === undefined) return yield* taken
          // A shop sends many at once, so a delivery only counts after it turned out to be invalid.
          strangers.excuse(remoteAddress)
          const count = Effect.ignore(strangers.admit(remoteAddress))
          return yield* Effect.tapError(taken, (failure) =>
            isAnonymous(failure) ? count : Effect.void,
          )
        })
        const answer = Effect.catchTag(withRoom(answered), "Crowded", () => Effect.succeed(crowded))
        return settle(answer)
      }

      return handlers.handleRaw("receive", ({ request, params }) =>
        receive(request, params.shop_key),
      )
    }),
  )

// The inbox.

type EntryView = (typeof listInbox)["~Success"]["Type"]["data"][number]
type Tried = (typeof retryEntry)["~Success"]["Type"]

const writeEntry = (entry: InboxEntry): EntryView => ({
  key: entry.key,
  platform: entry.platform,
  topic: entry.topic,
  delivery_id: entry.deliveryId,
  state: entry.state,
  waits_for: entry.waitsFor,
  reason: entry.reason,
  received_at: entry.receivedAt,
  attempts: entry.attempts,
  next_attempt_at: entry.nextAttemptAt,
})

const writeTried = ({ outcome, key, told }: Received): Tried => ({ data: { outcome, key, told } })

const readForce = (body: unknown): Result.Result<boolean, Unreadable> =>
  reader.read(body, {
    what: "retry",
    known: ["force"],
    read: (node) => reader.flag(node, "force") ?? false,
  })

const readFetched = (body: unknown): Result.Result<FetchedDocument, Unreadable> =>
  reader.read(body, {
    what: "fetched document",
    known: ["topic", "document"],
    read: (node) => {
      const topic = reader.text(node, "topic") ?? ""
      if (topic === "") reader.refuse(node, "topic", "a topic, as refund.created")
      return { topic, document: reader.neededChild(node, "document")?.fields }
    },
  })

/** The platforms of an account's shops, each once: an entry names its platform. */
const platformsOf = (shops: ReadonlyArray<ConnectedShop>, accountId: string) => {
  const ofAccount = shops.filter((shop) => shop.accountId === accountId)
  return new Map(ofAccount.map(({ platform }) => [platform.name, platform]))
}

const noEntry = (key: string) => NotFound.of("inbox entry", key)

export const inboxLayer = HttpApiBuilder.group(
  Api,
  "inbox",
  Effect.fnUntraced(function* (handlers) {
    const deliveries = yield* Deliveries
    const shops = yield* ConnectedShops

    const retry = (key: string) =>
      Effect.fnUntraced(function* ({ accountId, body }: CallerService) {
        const force = yield* Effect.fromResult(readForce(body))
        const platforms = platformsOf(yield* shops.all, accountId)
        const platform = platforms.get(key.split("/", 1)[0] ?? "")
        if (platform === undefined) return yield* noEntry(key)
        return writeTried(yield* deliveries.retry(accountId, platform, key, { force }))
      })

    const bring = (shopKey: string) =>
      Effect.fnUntraced(function* ({ accountId, body }: CallerService) {
        const fetched = yield* Effect.fromResult(readFetched(body))
        const shop = yield* shops.find(shopKey)
        if (shop?.accountId !== accountId) return yield* unknownShop(shopKey)
        return writeTried(yield* deliveries.receiveFetched(accountId, shop.platform, fetched))
      })

    return handlers
      .handle("list", (call) =>
        respond(call, ({ accountId }) =>
          Effect.map(deliveries.list(accountId, call.query.after), (entries) => ({
            data: entries.map(writeEntry),
          })),
        ),
      )
      .handleRaw("bring", (call) => respondInParts(call, bring(call.params.shop_key)))
      .handleRaw("retry", (call) => respondInParts(call, retry(call.params.entry_key)))
      .handle("drop", (call) =>
        respond(call, ({ accountId }) => deliveries.drop(accountId, call.params.entry_key)),
      )
  }),
)
