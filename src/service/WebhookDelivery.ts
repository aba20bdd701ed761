/**
 * Sends events to webhook endpoints, in every account.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { Storage } from "../ports/Storage.js"
import type { StorageError, StorageFailure } from "../ports/StorageError.js"
import { Actor } from "./Actor.js"
import { Events } from "./Events.js"
import { logged } from "./internal/background.js"
import { makeTransactor, now } from "./internal/transactions.js"
import {
  type Delivery,
  type DeliveryTools,
  deliverTo,
  waitingEndpoints,
} from "./internal/webhooks/webhookWork.js"
import { Settings } from "./Settings.js"

/**
 * How webhooks are sent.
 *
 * @since 0.6.0
 * @category models
 */
export interface WebhookDeliveryOptions {
  /** How often new events are looked for; a second when absent, which is the least too. */
  readonly every?: Duration.Input | undefined
  /** How long an endpoint has to answer; 15 seconds when absent. */
  readonly timeout?: Duration.Input | undefined
  /**
   * Resolves a host name to its addresses, like `lookup` of `node:dns`, to refuse names that lead to a private network.
   * Without it only the name itself is checked. A name may lead elsewhere a moment later: where that matters, the
   * network has to keep the process from reaching such addresses.
   */
  readonly resolve?: ((host: string) => Effect.Effect<ReadonlyArray<string>>) | undefined
}

/**
 * What one round of sending did.
 *
 * @since 0.6.0
 * @category models
 */
export interface DeliveryRound {
  /** How many events arrived. */
  readonly delivered: number
  /** How many endpoints failed. */
  readonly failed: number
}

/**
 * Sends events to webhook endpoints.
 *
 * @since 0.6.0
 * @category services
 */
export interface WebhookDeliveryService {
  /**
   * Sends waiting events to all endpoints of all accounts that are due, and returns the result. When an account fails,
   * that is logged as a warning and the others are still served. An endpoint to which this process is sending already
   * is left out; one with many waiting events is served for half a minute at a time.
   */
  readonly deliverAll: Effect.Effect<DeliveryRound, StorageFailure>
}

const accountsAtATime = 4
const endpointsOfAccount = 4
const endpointsAtATime = 100
const shortest = Duration.seconds(1)

/** How often old events are forgotten. */
const purgeEvery = 3_600

const sum = (counts: ReadonlyArray<number>): number =>
  counts.reduce((total, count) => total + count, 0)

// Each endpoint is served by a fiber of its own, and rounds don't wait for the fibers of earlier rounds. So a slow
// endpoint holds up no other account, and other endpoints of its account only when several are slow.

/** The endpoints of an account that this process sends to now, or is about to. */
interface BusyEndpoints {
  readonly busy: Set<string>
  readonly turns: Semaphore.Semaphore
}

interface Worker {
  readonly tools: DeliveryTools
  readonly sendings: Map<string, BusyEndpoints>
  readonly turns: Semaphore.Semaphore
  readonly scope: Scope.Scope
}

type Sent = Fiber.Fiber<Delivery | undefined>

const startEndpoint = ({ tools, sendings, turns, scope }: Worker, accountId: string, id: string) =>
  Effect.suspend((): Effect.Effect<Sent> => {
    const sending = sendings.get(accountId) ?? {
      busy: new Set(),
      turns: Semaphore.makeUnsafe(endpointsOfAccount),
    }
    sendings.set(accountId, sending)
    sending.busy.add(id)
    const end = Effect.sync(() => {
      sending.busy.delete(id)
      if (sending.busy.size === 0) sendings.delete(accountId)
    })
    return logged(deliverTo(tools, accountId, id), "webhooks could not be sent").pipe(
      turns.withPermit,
      sending.turns.withPermit,
      Effect.annotateLogs({ accountId, endpointId: id }),
      Effect.ensuring(end),
      Effect.forkIn(scope),
    )
  })

const startAccount = Effect.fnUntraced(function* (
  worker: Worker,
  accountId: string,
): Effect.fn.Return<ReadonlyArray<Sent>, StorageError> {
  const waiting = yield* waitingEndpoints(worker.tools, accountId)
  const busy = worker.sendings.get(accountId)?.busy
  const free = yield* Random.shuffle(waiting.filter(({ id }) => busy?.has(id) !== true))
  return yield* Effect.forEach(free, ({ id }) => startEndpoint(worker, accountId, id))
})

/** Starts sending to every waiting endpoint that this process is not sending to already. */
const startRound = (worker: Worker): Effect.Effect<ReadonlyArray<Sent>, StorageFailure> =>
  Effect.gen(function* () {
    const { accountsWithEndpoints, accounts } = worker.tools.storage
    // Several processes may start at the same moment. Each takes a random order, so that they don't meet at every
    // endpoint.
    const ids = yield* Random.shuffle(yield* accountsWithEndpoints ?? accounts)
    const start = (accountId: string) =>
      Effect.annotateLogs(
        logged(startAccount(worker, accountId), "webhooks of an account could not be sent"),
        { accountId },
      )
    const started = yield* Effect.forEach(ids, start, { concurrency: accountsAtATime })
    return started.flatMap((fibers) => fibers ?? [])
  }).pipe(Effect.provideService(Actor, "system"), Effect.withSpan("WebhookDelivery.deliverAll"))

/** `WebhookDelivery.deliverAll` */
const deliverAll = (worker: Worker): WebhookDeliveryService["deliverAll"] =>
  Effect.gen(function* () {
    const done = yield* Effect.forEach(yield* startRound(worker), Fiber.join)
    return {
      delivered: sum(done.map((sent) => sent?.delivered ?? 0)),
      failed: done.filter((sent) => sent?.failure !== undefined).length,
    }
  })

/** Forgets the old events of all accounts, unless that was done within the hour. */
const purging = Effect.fnUntraced(function* ({ storage }: DeliveryTools) {
  const events = yield* Events
  let last = Number.NEGATIVE_INFINITY
  return Effect.gen(function* () {
    const at = yield* now
    if (at - last < purgeEvery) return
    last = at
    const purge = (accountId: string) =>
      logged(events.purge(accountId), "old events could not be forgotten")
    yield* Effect.forEach(yield* storage.accounts, purge, { discard: true })
  })
})

const make = Effect.fnUntraced(function* (options: WebhookDeliveryOptions) {
  const tools: DeliveryTools = {
    storage: yield* Storage,
    transactor: yield* makeTransactor,
    settings: yield* Settings,
    client: yield* HttpClient,
    processId: yield* (yield* SecureRandom.SecureRandom).uuidV4(),
    timeout: Duration.fromInputUnsafe(options.timeout ?? "15 seconds"),
    resolve: options.resolve,
  }
  const worker: Worker = {
    tools,
    sendings: new Map(),
    turns: Semaphore.makeUnsafe(endpointsAtATime),
    scope: yield* Effect.scope,
  }
  const start = logged(startRound(worker), "the accounts with webhook endpoints could not be read")
  const purge = logged(yield* purging(tools), "old events could not be forgotten")
  const every = Duration.max(Duration.fromInputUnsafe(options.every ?? shortest), shortest)
  yield* Effect.forkScoped(Effect.repeat(start, Schedule.spaced(every)))
  yield* Effect.forkScoped(Effect.repeat(purge, Schedule.spaced(every)))
  return { deliverAll: deliverAll(worker) }
})

/**
 * Sends events to webhook endpoints, as an Effect service. Any number of processes may do it over the same storage:
 * each endpoint is served by one of them at a time.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { servicesLayer, WebhookDelivery } from "apportion/service"
 * import { Effect, Layer } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * const delivery = WebhookDelivery.layer({ every: "1 second" }).pipe(
 *   Layer.provide(servicesLayer),
 *   Layer.provide([MemoryStorage.layer, ExchangeRates.none, FetchHttpClient.layer]),
 * )
 * const round = Effect.flatMap(WebhookDelivery, ({ deliverAll }) => deliverAll)
 * await Effect.runPromise(Effect.provide(round, delivery)) // => { delivered: 0, failed: 0 }
 * ```
 */
export class WebhookDelivery extends Context.Service<WebhookDelivery, WebhookDeliveryService>()(
  "apportion/service/WebhookDelivery",
) {
  /**
   * Sends waiting events as soon as the layer is built, and repeatedly as long as it lives; once an hour it forgets the
   * events that are old enough. Redirects are not followed: an answer of 200 to 299 is the only one that counts.
   *
   * @since 0.6.0
   */
  static readonly layer = (
    options: WebhookDeliveryOptions = {},
  ): Layer.Layer<WebhookDelivery, never, Storage | Events | HttpClient> =>
    Layer.provide(Layer.effect(WebhookDelivery, make(options)), SecureRandom.layerWebCrypto)
}
