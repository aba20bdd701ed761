/**
 * Retrying the entries that wait in the inboxes of connected shops, on a schedule.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { type ConnectedShop, ConnectedShops } from "../ports/ConnectedShop.js"
import type { StorageFailure } from "../ports/StorageError.js"
import { Deliveries, type InboxSweep } from "./Deliveries.js"
import { logged } from "./internal/background.js"

/**
 * How often inboxes are swept.
 *
 * @since 0.6.0
 * @category models
 */
export interface InboxSweepsOptions {
  /** The interval between starts, such as `"5 minutes"` or in milliseconds; at least a second. */
  readonly every: Duration.Input
}

/**
 * Sweeps the inboxes of all connected shops.
 *
 * @since 0.6.0
 * @category services
 */
export interface InboxSweepsService {
  /**
   * What `Deliveries.sweep` did for each connected shop, added up. When one fails, that is logged as a warning, and the
   * others are still swept.
   */
  readonly sweepAll: Effect.Effect<InboxSweep, StorageFailure>
}

const shortest = Duration.seconds(1)

const sum = (sweeps: ReadonlyArray<InboxSweep | undefined>): InboxSweep => {
  const total = (of: (one: InboxSweep) => number) =>
    sweeps.reduce((all, one) => all + (one === undefined ? 0 : of(one)), 0)
  return {
    tried: total(({ tried }) => tried),
    settled: total(({ settled }) => settled),
    dropped: total(({ dropped }) => dropped),
  }
}

/**
 * Retries waiting entries on a schedule, as an Effect service. Any number of processes may do it over the same storage:
 * each delivery has its effect once.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { InboxSweeps, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const services = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const layer = Layer.provide(InboxSweeps.layer({ every: "5 minutes" }), services)
 * const sweepNow = Effect.flatMap(InboxSweeps, ({ sweepAll }) => sweepAll)
 * await Effect.runPromise(Effect.provide(sweepNow, layer)) // => { tried: 0, settled: 0, dropped: 0 }
 * ```
 */
export class InboxSweeps extends Context.Service<InboxSweeps, InboxSweepsService>()(
  "apportion/service/InboxSweeps",
) {
  /**
   * Sweeps as soon as the layer is built, and repeatedly as long as the layer lives. Failures are logged as warnings and
   * don't stop later sweeps.
   *
   * @since 0.6.0
   */
  static readonly layer = ({
    every,
  }: InboxSweepsOptions): Layer.Layer<InboxSweeps, never, Deliveries> =>
    Layer.effect(
      InboxSweeps,
      Effect.gen(function* () {
        const deliveries = yield* Deliveries
        const shops = yield* ConnectedShops
        const sweep = ({ key, accountId, platform }: ConnectedShop) =>
          Effect.annotateLogs(
            logged(deliveries.sweep(accountId, platform), "the inbox of a shop could not be swept"),
            { accountId, shop: key },
          )
        const sweepAll = Effect.flatMap(shops.all, (all) =>
          Effect.map(Effect.forEach(all, sweep), sum),
        ).pipe(Effect.withSpan("InboxSweeps.sweepAll"))
        const interval = Duration.max(Duration.fromInputUnsafe(every), shortest)
        const once = logged(sweepAll, "the connected shops could not be read")
        yield* Effect.forkScoped(Effect.repeat(once, Schedule.fixed(interval)))
        return { sweepAll }
      }),
    )
}
