/**
 * Sending events to webhook endpoints, in every account.
 *
 * @since 0.6.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import { Storage } from "../ports/Storage.js"
import type { StorageError, StorageFailure } from "../ports/StorageError.js"
import { Actor } from "./Actor.js"
import { Events } from "./Events.js"
import { makeTransactor, now } from "./internal/transactions.js"
import { type DeliveryTools, deliverTo, waitingEndpoints } from "./internal/webhookWork.js"
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
   * The addresses of a host's name, to refuse names that lead to a network of its own, as `lookup` of `node:dns` gives
   * them. Without it only the name itself is looked at. A name may lead elsewhere a moment later: where that matters,
   * the network has to keep the process from reaching what it must not.
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
 * Sending events to webhook endpoints.
 *
 * @since 0.6.0
 * @category services
 */
export interface WebhookDeliveryService {
  /**
   * Sends what waits to be sent, to all endpoints of all accounts whose time has come, and gives what came of it. When
   * an account fails, that is logged as a warning and the others get theirs all the same.
   */
  readonly deliverAll: Effect.Effect<DeliveryRound, StorageFailure>
}

const accountsAtATime = 4
const endpointsAtATime = 4
const shortest = Duration.seconds(1)

/** How often old events are forgotten. */
const purgeEvery = 3_600

/** Goes on after whatever went wrong, but ends when it is told to. */
const logged = <A, E>(effect: Effect.Effect<A, E>, message: string): Effect.Effect<A | undefined> =>
  Effect.flatMap(Effect.exit(effect), (exit) => {
    if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
    if (Cause.hasInterruptsOnly(exit.cause)) return Effect.interrupt
    return Effect.as(Effect.logWarning(message, exit.cause), undefined)
  })

const sum = (counts: ReadonlyArray<number>): number =>
  counts.reduce((total, count) => total + count, 0)

const deliverAccount = Effect.fnUntraced(function* (
  tools: DeliveryTools,
  accountId: string,
): Effect.fn.Return<DeliveryRound, StorageError> {
  const endpoints = yield* waitingEndpoints(tools, accountId)
  const done = yield* Effect.forEach(endpoints, ({ id }) => deliverTo(tools, accountId, id), {
    concurrency: endpointsAtATime,
  })
  return {
    delivered: sum(done.map(({ delivered }) => delivered)),
    failed: done.filter(({ failure }) => failure !== undefined).length,
  }
})

/** `WebhookDelivery.deliverAll` */
const deliverAll = (tools: DeliveryTools): WebhookDeliveryService["deliverAll"] =>
  Effect.gen(function* () {
    const { accountsWithEndpoints, accounts } = tools.storage
    // Several processes begin at the same moment; so that they don't go side by side, each takes its way.
    const ids = yield* Random.shuffle(yield* accountsWithEndpoints ?? accounts)
    const deliver = (accountId: string) =>
      Effect.annotateLogs(logged(deliverAccount(tools, accountId), "webhooks could not be sent"), {
        accountId,
      })
    const done = yield* Effect.forEach(ids, deliver, { concurrency: accountsAtATime })
    return {
      delivered: sum(done.map((round) => round?.delivered ?? 0)),
      failed: sum(done.map((round) => round?.failed ?? 0)),
    }
  }).pipe(Effect.provideService(Actor, "system"), Effect.withSpan("WebhookDelivery.deliverAll"))

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
  const service = { deliverAll: deliverAll(tools) }
  const purge = yield* purging(tools)
  const round = Effect.andThen(service.deliverAll, purge)
  const once = logged(round, "the accounts with webhook endpoints could not be read")
  const every = Duration.max(Duration.fromInputUnsafe(options.every ?? shortest), shortest)
  yield* Effect.forkScoped(Effect.repeat(once, Schedule.spaced(every)))
  return service
})

/**
 * Sending events to webhook endpoints, as a service of Effect. Any number of processes may do it over the same storage:
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
   * Sends what waits as soon as the layer is built, and again and again as long as it lives; once an hour it forgets
   * the events that are old enough. Redirects are not followed: an answer of 200 to 299 is the only one that counts.
   *
   * @since 0.6.0
   */
  static readonly layer = (
    options: WebhookDeliveryOptions = {},
  ): Layer.Layer<WebhookDelivery, never, Storage | Events | HttpClient> =>
    Layer.provide(Layer.effect(WebhookDelivery, make(options)), SecureRandom.layerWebCrypto)
}
