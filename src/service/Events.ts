/**
 * What happened in an account, for hosts that ask.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { AccountEvent } from "../events/AccountEvent.js"
import { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { type EventTools, eventsAfter, lastNumber } from "./internal/events.js"
import { forgetEvents } from "./internal/past/oldRecords.js"
import { makeTransactor, now } from "./internal/transactions.js"
import { Settings, type SettingsService } from "./Settings.js"

/**
 * Where to start following events, and how often to look for new ones.
 *
 * @since 0.6.0
 * @category models
 */
export interface FollowOptions {
  /** The number of the last event that is known; 0, from the beginning, when absent. */
  readonly after?: number | undefined
  /** How long to wait when there is nothing new; a second when absent, and 10 milliseconds at least. */
  readonly every?: Duration.Input | undefined
}

/**
 * What happened in an account. Every change has its event, written in its own transaction: there is no change without
 * its event, and no event without its change.
 *
 * @since 0.6.0
 * @category services
 */
export interface EventsService {
  /**
   * The next events above a number, by number, at most `limit` of them (100 when absent, 1,000 at most); 0: from the
   * beginning. Numbers have no gaps, so when the first event does not have the next number, those in between are no
   * longer kept. Within a unit of work, only events that were read before it are returned.
   */
  readonly after: (
    accountId: string,
    number: number,
    limit?: number,
  ) => Effect.Effect<ReadonlyArray<AccountEvent>, StorageError>
  /** The number of the last event; 0: there never was one. */
  readonly last: (accountId: string) => Effect.Effect<number, StorageError>
  /**
   * The events of an account without end: the existing ones, then new ones as they happen. Events are read in small
   * batches, so a reader that is far behind needs no more memory.
   */
  readonly follow: (
    accountId: string,
    options?: FollowOptions,
  ) => Stream.Stream<AccountEvent, StorageError>
  /**
   * Forgets events older than the setting `eventDays`, and returns how many; never one that an active webhook endpoint
   * has not received yet. `WebhookDelivery` calls it once an hour.
   */
  readonly purge: (accountId: string) => Effect.Effect<number, StorageError>
}

const usualLimit = 100
const largestLimit = 1_000

const secondsOfDay = 86_400

const wholeWithin = (value: number, least: number, most: number): number =>
  Math.min(Math.max(Math.floor(value) || least, least), most)

/** `Events.after` */
const after = (tools: EventTools): EventsService["after"] =>
  Effect.fn("Events.after")(function* (accountId: string, number: number, limit = usualLimit) {
    yield* Effect.annotateCurrentSpan({ accountId, number })
    return yield* eventsAfter(tools, accountId, {
      after: wholeWithin(number, 0, Number.MAX_SAFE_INTEGER),
      limit: wholeWithin(limit, 1, largestLimit),
    })
  })

const shortestWait = Duration.millis(10)

/** `Events.follow` */
const follow =
  (tools: EventTools): EventsService["follow"] =>
  (accountId, { after: first = 0, every = "1 second" } = {}) => {
    const wait = Duration.max(Duration.fromInputUnsafe(every), shortestWait)
    return Stream.paginate(first, (number: number) =>
      Effect.gen(function* () {
        const events = yield* eventsAfter(tools, accountId, { after: number, limit: usualLimit })
        const next = events.at(-1)?.number ?? number
        if (events.length === 0) yield* Effect.sleep(wait)
        return [events, Option.some(next)] as const
      }),
    )
  }

/** `Events.purge` */
const purge = (tools: EventTools, settings: SettingsService): EventsService["purge"] =>
  Effect.fn("Events.purge")(function* (accountId: string) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const { eventDays } = yield* settings.of(accountId)
    const at = (yield* now) - eventDays * secondsOfDay
    // Nobody may have asked for them yet.
    yield* lastNumber(tools, accountId)
    return yield* forgetEvents(tools.transactor, accountId, at)
  })

const make = Effect.gen(function* (): Effect.fn.Return<EventsService, never, Storage> {
  const tools = { storage: yield* Storage, transactor: yield* makeTransactor }
  return {
    after: after(tools),
    last: Effect.fn("Events.last")((accountId: string) => lastNumber(tools, accountId)),
    follow: follow(tools),
    purge: purge(tools, yield* Settings),
  }
})

/**
 * What happened in an account, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Collaborators, Events, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const happened = Effect.gen(function* () {
 *   const collaborators = yield* Collaborators
 *   yield* collaborators.create("shop", { id: "ada", currency: "EUR" })
 *   const events = yield* Events
 *   return (yield* events.after("shop", 0)).map(({ number, type }) => ({ number, type }))
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * await Effect.runPromise(Effect.provide(happened, layer))
 * // => [{ number: 1, type: "collaborator.created" }]
 * ```
 */
export class Events extends Context.Service<Events, EventsService>()("apportion/service/Events") {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Events, never, Storage> = Layer.effect(Events, make)
}
