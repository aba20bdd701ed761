/**
 * Deliveries of platforms: each has its effect once, whenever and however often it arrives.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { deepest, isTooDeep } from "../internal/depth.js"
import { parseJson, unreadable } from "../internal/reader.js"
import { ExchangeRates } from "../ports/ExchangeRates.js"
import type { InboxEntry } from "../ports/InboxStore.js"
import type { Announcement, DeliveryHeaders, Platform, UnknownTopic } from "../ports/Platform.js"
import type { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import type { Unreadable } from "../Unreadable.js"
import { digestOf, signatureProblem } from "./internal/inbox/deliverySignature.js"
import type { InboxDelivery, InboxTools, StoredOfOrder } from "./internal/inbox/inboxSteps.js"
import { dropEntry, type InboxSweep, sweepInbox } from "./internal/inbox/inboxSweep.js"
import {
  followUp,
  type InboxLimits,
  type InboxResult,
  type IsFull,
  takeIn,
  tryAgain,
} from "./internal/inbox/inboxWork.js"
import { countDelivery } from "./internal/meters.js"
import { makeRulesCache } from "./internal/rules/rules.js"
import { makeTransactor, now } from "./internal/transactions.js"
import { Products } from "./Products.js"
import { Sales } from "./Sales.js"
import { NotFound } from "./ServiceError.js"
import { Settings } from "./Settings.js"

export type { StoredOfOrder } from "./internal/inbox/inboxSteps.js"
export type { InboxSweep } from "./internal/inbox/inboxSweep.js"

/**
 * A delivery that is not signed with any of the platform's secrets, or was signed long ago. Nothing of it was read.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidSignature extends Schema.TaggedError<InvalidSignature>()("InvalidSignature", {
  platform: Schema.String,
  message: Schema.String,
}) {}

/**
 * A delivery that is larger than any that a platform sends, or for which the inbox has no room. Nothing of it was kept;
 * the platform sends it again.
 *
 * @since 0.6.0
 * @category errors
 */
export class InboxFull extends Schema.TaggedError<InboxFull>()("InboxFull", {
  platform: Schema.String,
  message: Schema.String,
}) {}

/**
 * A delivery as it came.
 *
 * @since 0.6.0
 * @category models
 */
export interface RawDelivery {
  readonly headers: DeliveryHeaders
  /** Exactly as it came: what is signed is its bytes. */
  readonly body: string | Uint8Array
}

/**
 * What a host fetched from a platform.
 *
 * @since 0.6.0
 * @category models
 */
export interface FetchedDocument {
  /** The topic with which the platform would deliver it. */
  readonly topic: string
  /** The parsed JSON. */
  readonly document: unknown
}

/**
 * The outcome of a delivery.
 *
 * @since 0.6.0
 * @category models
 */
export interface Received {
  readonly topic: string
  readonly deliveryId: string
  /**
   * `done`: it had its effect. `nothing`: there was nothing to do. `known`: it arrived before. `waiting`: it is retried
   * automatically. `refused`: a person has to look at it.
   */
  readonly outcome: "done" | "nothing" | "known" | "waiting" | "refused"
  /** The key of its entry in the inbox; `null`: it has none. */
  readonly key: string | null
  /** Why nothing was done, or what it waits for; and what a person should know, such as money that was not read. */
  readonly told: ReadonlyArray<string>
  /** The stored data of a buyer who asked for it, order by order; empty for all other deliveries. */
  readonly stored: ReadonlyArray<StoredOfOrder>
}

/**
 * Takes the deliveries of platforms. A delivery has its effect once, in one transaction; in whatever order deliveries
 * arrive, they end in the same state. A delivery that can't be carried out yet waits in the inbox, and is retried when
 * what it waits for arrives.
 *
 * @since 0.6.0
 * @category services
 */
export interface DeliveriesService {
  /**
   * Checks, reads and carries out a delivery. A delivery that fails with an error had no effect. Answer it so that the
   * platform sends it again, unless the delivery itself is invalid.
   */
  readonly receive: (
    accountId: string,
    platform: Platform,
    delivery: RawDelivery,
  ) => Effect.Effect<
    Received,
    InvalidSignature | Unreadable | UnknownTopic | InboxFull | StorageError
  >
  /**
   * Carries out a document that the host itself fetched from the platform, as if it had been delivered with a topic. No
   * signature is checked, so it must not be a document that somebody sent.
   */
  readonly receiveFetched: (
    accountId: string,
    platform: Platform,
    fetched: FetchedDocument,
  ) => Effect.Effect<Received, Unreadable | UnknownTopic | InboxFull | StorageError>
  /** The next entries of the inbox by key: those after a key, 100 at most. */
  readonly list: (
    accountId: string,
    after?: string,
  ) => Effect.Effect<ReadonlyArray<InboxEntry>, StorageError>
  /** Retries an entry now; with `force`, without what it waits for. */
  readonly retry: (
    accountId: string,
    platform: Platform,
    key: string,
    options?: { readonly force?: boolean | undefined },
  ) => Effect.Effect<Received, NotFound | InboxFull | StorageError>
  /** Removes an entry; it never has its effect. */
  readonly drop: (accountId: string, key: string) => Effect.Effect<void, NotFound | StorageError>
  /**
   * Retries the entries that are due, without what they wait for if they have waited too long, and drops those that are
   * too old. Call it every few minutes.
   */
  readonly sweep: (accountId: string, platform: Platform) => Effect.Effect<InboxSweep, StorageError>
}

/**
 * The limits of the inbox.
 *
 * @since 0.6.0
 * @category models
 */
export interface DeliveriesOptions {
  /** How many seconds a delivery waits for a product, or for the first delivery of its order; 3600 when absent. */
  readonly patienceSeconds?: number | undefined
  /** How many entries an account has at most; 10000 when absent. */
  readonly mostEntries?: number | undefined
  /** How many days entries are kept, and the ids of deliveries remembered; 30 when absent. */
  readonly days?: number | undefined
}

/** The largest body, in characters. */
const mostOfBody = 4_000_000

const entriesAtATime = 100
const longestId = 200

interface DeliveryTools {
  readonly inbox: InboxTools
  readonly limits: InboxLimits
  readonly days: number
}

// Checking and reading deliveries.

const full = (platform: Platform, message: string): InboxFull =>
  new InboxFull({ platform: platform.name, message })

const notJson = (platform: Platform, message: string) =>
  unreadable(`delivery of ${platform.name}`, [{ path: "", value: undefined, message }])

/** The body as text, unchanged: the signature covers its exact bytes. */
const textOf = (
  platform: Platform,
  body: string | Uint8Array,
): Effect.Effect<string, InboxFull | Unreadable> =>
  Effect.suspend((): Effect.Effect<string, InboxFull | Unreadable> => {
    if (body.length > mostOfBody) {
      return Effect.fail(full(platform, `has a body of more than ${mostOfBody} characters`))
    }
    if (typeof body === "string") return Effect.succeed(body)
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
    const decoded = Result.try(() => decoder.decode(body))
    return Effect.fromResult(Result.mapError(decoded, () => notJson(platform, "must be UTF-8")))
  })

const tooDeep = (platform: Platform) =>
  notJson(platform, `must not be nested deeper than ${deepest} levels`)

const parsed = (platform: Platform, body: string): Result.Result<unknown, Unreadable> =>
  isTooDeep(body)
    ? Result.fail(tooDeep(platform))
    : Result.mapError(
        Result.try(() => parseJson(body)),
        () => notJson(platform, "must be JSON"),
      )

const testDelivery = "only tried whether deliveries arrive"

/** A parsed delivery, and what its headers announce. */
interface KnownDelivery {
  readonly announced: Announcement
  readonly value: unknown
  readonly text: string
}

/** The occurrences of a delivery; of a test delivery, none. */
const readAnnounced = Effect.fnUntraced(function* (
  platform: Platform,
  { announced, value, text }: KnownDelivery,
) {
  const { topic } = announced
  const given = announced.deliveryId
  // A text with spaces is more than an id, and the rest of it must not be stored.
  const isFit = given !== null && given.length <= longestId && !/\s/.test(given)
  const deliveryId = isFit ? given : yield* digestOf(`${topic}\n${given ?? text}`)
  const known = { platform, topic, deliveryId, receivedAt: yield* now, entry: undefined }
  if (announced.isTest) {
    return { ...known, occurrences: [{ kind: "nothing", reason: testDelivery }] } as const
  }
  const occurrences = yield* Effect.fromResult(platform.read(announced, value))
  return { ...known, occurrences }
})

/** A delivery with a valid signature, and its occurrences. */
const readDelivery = Effect.fnUntraced(function* (
  platform: Platform,
  headers: DeliveryHeaders,
  text: string,
) {
  const problem = yield* signatureProblem(platform, platform.claimOf(headers, text))
  if (problem !== undefined) {
    return yield* new InvalidSignature({ platform: platform.name, message: problem })
  }
  const value = yield* Effect.fromResult(parsed(platform, text))
  const announced = yield* Effect.fromResult(platform.announce(headers, value))
  return yield* readAnnounced(platform, { announced, value, text })
})

// Outcomes.

const receivedOf = Effect.fnUntraced(function* (
  { platform, topic, deliveryId }: InboxDelivery,
  result: InboxResult | IsFull,
): Effect.fn.Return<Received, InboxFull> {
  if ("isFull" in result) {
    return yield* full(platform, `there is no place in the inbox: ${result.count} deliveries wait`)
  }
  const about = { topic, deliveryId }
  if ("entry" in result) {
    const { outcome, entry } = result
    return { ...about, outcome, key: entry.key, told: [entry.reason], stored: [] }
  }
  const { steps } = result
  const told = steps.flatMap((step) => step.told)
  const stored = steps.flatMap((step) => step.stored)
  const isDone = steps.some((step) => step.isDone)
  const carried = isDone ? ("done" as const) : ("nothing" as const)
  const outcome = result.outcome === "known" ? result.outcome : carried
  return { ...about, outcome, key: null, told, stored }
})

/** A delivery that can't be carried out is kept in a transaction of its own, so none may be around the call. */
const alone = <A, E>({ transactor }: InboxTools, work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  transactor.outside("take a delivery of a platform", work)

/** Carries out a delivery that was read, and what waited for it. */
const take = ({ inbox, limits }: DeliveryTools, accountId: string, delivery: InboxDelivery) => {
  const call = { accountId, platform: delivery.platform, isForced: false }
  return alone(
    inbox,
    Effect.gen(function* () {
      const result = yield* takeIn(inbox, call, delivery, limits)
      const received = yield* receivedOf(delivery, result)
      yield* followUp(inbox, call, result, limits)
      return received
    }),
  )
}

/** A ping leaves no trace: anybody may send one. */
const pinged: Received = {
  ...{ topic: "ping", deliveryId: "ping", outcome: "nothing", key: null },
  ...{ told: [testDelivery], stored: [] },
}

const receive = (tools: DeliveryTools): DeliveriesService["receive"] =>
  Effect.fn("Deliveries.receive")(function* (
    accountId: string,
    platform: Platform,
    { headers, body }: RawDelivery,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, platform: platform.name })
    const text = yield* textOf(platform, body)
    if (platform.isPing?.(headers, text) === true) return pinged
    return yield* take(tools, accountId, yield* readDelivery(platform, headers, text))
  })

/** Counts the outcome of each delivery, also of those that are refused with an error. */
const counted =
  (work: DeliveriesService["receive"]): DeliveriesService["receive"] =>
  (accountId, platform, raw) =>
    work(accountId, platform, raw).pipe(
      Effect.tap(({ outcome }) => countDelivery(platform.name, outcome)),
      Effect.tapError(({ _tag }) => countDelivery(platform.name, _tag)),
    )

const receiveFetched = (tools: DeliveryTools): DeliveriesService["receiveFetched"] =>
  Effect.fn("Deliveries.receiveFetched")(function* (
    accountId: string,
    platform: Platform,
    { topic, document }: FetchedDocument,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, platform: platform.name, topic })
    const announced = { topic, deliveryId: null, happenedAt: null, isTest: false }
    const json = Result.try(() => JSON.stringify(document) ?? "")
    const text = Result.getOrElse(json, () => "")
    if (text === "") return yield* Effect.fail(notJson(platform, "must be JSON"))
    if (isTooDeep(text)) return yield* Effect.fail(tooDeep(platform))
    if (text.length > mostOfBody) {
      return yield* full(platform, `has a body of more than ${mostOfBody} characters`)
    }
    return yield* take(
      tools,
      accountId,
      yield* readAnnounced(platform, { announced, value: document, text }),
    )
  })

// The inbox.

const list = ({ inbox: { transactor } }: DeliveryTools): DeliveriesService["list"] =>
  Effect.fn("Deliveries.list")(function* (accountId: string, after?: string) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* transactor.read(accountId, ({ inbox }) =>
      inbox.list({ after, limit: entriesAtATime }),
    )
  })

const retry = ({ inbox, limits }: DeliveryTools): DeliveriesService["retry"] =>
  Effect.fn("Deliveries.retry")(function* (accountId, platform, key, { force = false } = {}) {
    yield* Effect.annotateCurrentSpan({ accountId, key })
    const entry = yield* inbox.transactor.read(accountId, (stores) => stores.inbox.get(key))
    if (entry === undefined || entry.platform !== platform.name) {
      return yield* NotFound.of("inbox entry", key)
    }
    const call = { accountId, platform, isForced: force }
    const { topic, deliveryId, occurrences, receivedAt } = entry
    const delivery = { platform, topic, deliveryId, occurrences, receivedAt, entry }
    return yield* alone(
      inbox,
      Effect.gen(function* () {
        const result = yield* tryAgain(inbox, call, entry, limits)
        const received = yield* receivedOf(delivery, result)
        yield* followUp(inbox, { ...call, isForced: false }, result, limits)
        return received
      }),
    )
  })

const drop = ({ inbox }: DeliveryTools): DeliveriesService["drop"] =>
  Effect.fn("Deliveries.drop")(function* (accountId: string, key: string) {
    yield* Effect.annotateCurrentSpan({ accountId, key })
    return yield* dropEntry(inbox, accountId, { key, reason: "somebody dropped it" })
  })

const sweep = ({ inbox, limits, days }: DeliveryTools): DeliveriesService["sweep"] =>
  Effect.fn("Deliveries.sweep")(function* (accountId: string, platform: Platform) {
    yield* Effect.annotateCurrentSpan({ accountId, platform: platform.name })
    const call = { accountId, platform, isForced: false }
    return yield* alone(inbox, sweepInbox(inbox, call, { ...limits, days }))
  })

/**
 * The deliveries of platforms, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Deliveries, servicesLayer } from "apportion/service"
 * import { Webhook } from "apportion/shopify"
 * import { Effect, Layer } from "effect"
 *
 * const shop = Webhook.platform({ secrets: ["hush-hush"], shop: "north.myshopify.com", currency: "EUR" })
 * const received = Effect.gen(function* () {
 *   const deliveries = yield* Deliveries
 *   return yield* Effect.flip(deliveries.receive("shop", shop, { headers: {}, body: "{}" }))
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const { message } = await Effect.runPromise(Effect.provide(received, layer))
 * message // => "the delivery of shopify is not signed"
 * ```
 */
export class Deliveries extends Context.Service<Deliveries, DeliveriesService>()(
  "apportion/service/Deliveries",
) {
  /**
   * The service with limits other than the default ones.
   *
   * @since 0.6.0
   */
  static readonly layerWith = (
    options: DeliveriesOptions,
  ): Layer.Layer<Deliveries, never, Storage | ExchangeRates | SecureRandom | Sales | Products> =>
    Layer.effect(Deliveries, make(options))

  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<
    Deliveries,
    never,
    Storage | ExchangeRates | SecureRandom | Sales | Products
  > = Layer.effect(
    Deliveries,
    Effect.suspend(() => make({})),
  )
}

const make = Effect.fnUntraced(function* ({
  patienceSeconds = 3_600,
  mostEntries = 10_000,
  days = 30,
}: DeliveriesOptions): Effect.fn.Return<
  DeliveriesService,
  never,
  Storage | ExchangeRates | SecureRandom | Sales | Products
> {
  const inbox: InboxTools = {
    ...{ transactor: yield* makeTransactor, sales: yield* Sales, products: yield* Products },
    ...{ settings: yield* Settings, rules: makeRulesCache(), exchangeRates: yield* ExchangeRates },
    newId: (yield* SecureRandom).uuidV7(),
  }
  const tools = { inbox, limits: { patienceSeconds, mostEntries }, days }
  return {
    receive: counted(receive(tools)),
    receiveFetched: receiveFetched(tools),
    list: list(tools),
    retry: retry(tools),
    drop: drop(tools),
    sweep: sweep(tools),
  }
})
