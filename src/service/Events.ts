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
import { makeTransactor, now } from "./internal/transactions.js"
import { Settings, type SettingsService } from "./Settings.js"

/**
 * From where events are followed, and how often new ones are looked for.
 *
 * @since 0.6.0
 * @category models
 */
export interface FollowOptions {
  /** The number of the last event that is known; 0, from the beginning, when absent. */
  readonly after?: number | undefined
  /** How long is waited when there is nothing new; a second when absent, and 10 milliseconds at least. */
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
   * beginning. Numbers have no gaps, so a first event with a number that is not the next says that those between are no
   * longer kept. Within a unit of work, only events are seen that were asked for before it.
   */
  readonly after: (
    accountId: string,
    number: number,
    limit?: number,
  ) => Effect.Effect<ReadonlyArray<AccountEvent>, StorageError>
  /** The number of the last event; 0: there never was one. */
  readonly last: (accountId: string) => Effect.Effect<number, StorageError>
  /**
   * The events of an account as they come, without end: those that there are, then new ones. So few are read at a time
   * that however far it is behind, it takes no more memory.
   */
  readonly follow: (
    accountId: string,
    options?: FollowOptions,
  ) => Stream.Stream<AccountEvent, StorageError>
  /**
   * Forgets events that are older than the setting `eventDays` says, and gives how many; never one that an active
   * webhook endpoint did not get yet. The worker of webhooks does it by itself.
   */
  readonly purge: (accountId: string) => Effect.Effect<number, StorageError>
}

const usualLimit = 100
const largestLimit = 1_000

/** How many events are forgotten in one transaction. */
const forgottenAtATime = 5_000

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
const purge = ({ transactor }: EventTools, settings: SettingsService): EventsService["purge"] =>
  Effect.fn("Events.purge")(function* (accountId: string) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const { eventDays } = yield* settings.of(accountId)
    const at = (yield* now) - eventDays * secondsOfDay
    let count = 0
    while (true) {
      const gone = yield* transactor.write(
        accountId,
        Effect.fnUntraced(function* ({ events, endpoints }) {
          const waiting = (yield* endpoints.list()).filter(({ isActive }) => isActive)
          const delivered = waiting.map((endpoint) => endpoint.delivered)
          const upTo = Math.min(yield* events.last(), ...delivered)
          return yield* events.removeBefore({ upTo, at, limit: forgottenAtATime })
        }),
      )
      count += gone
      if (gone < forgottenAtATime) return count
    }
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
 * const told = Effect.gen(function* () {
 *   const collaborators = yield* Collaborators
 *   yield* collaborators.create("shop", { id: "ada", currency: "EUR" })
 *   const events = yield* Events
 *   return (yield* events.after("shop", 0)).map(({ number, type }) => ({ number, type }))
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * await Effect.runPromise(Effect.provide(told, layer))
 * // => [{ number: 1, type: "collaborator.created" }]
 * ```
 */
export class Events extends Context.Service<Events, EventsService>()("apportion/service/Events") {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Events, never, Storage> = Layer.effect(Events, make)
}
