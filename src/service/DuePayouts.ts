/**
 * Closing by the clock what is due, in every account.
 *
 * @since 0.3.0
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Storage } from "../ports/Storage.js"
import type { StorageFailure } from "../ports/StorageError.js"
import { closeAll, repeatedly } from "./internal/duePayouts.js"
import { type Closing, Payouts } from "./Payouts.js"

/**
 * What closing the due payouts did in one account.
 *
 * @since 0.3.0
 * @category models
 */
export interface AccountClosing extends Closing {
  readonly accountId: string
}

/**
 * What closing the due payouts did in all accounts.
 *
 * @since 0.3.0
 * @category models
 */
export interface AllClosing {
  /** The accounts in which something was due, by id. */
  readonly accounts: ReadonlyArray<AccountClosing>
  /** The accounts in which it failed, by id; the log says why. */
  readonly failed: ReadonlyArray<string>
}

/**
 * How often payouts are closed.
 *
 * @since 0.3.0
 * @category models
 */
export interface DuePayoutsOptions {
  /**
   * From one beginning to the next, as `"1 hour"` or in milliseconds; at least a second. When closing takes
   * longer than that, the next time begins when it is done.
   */
  readonly every: Duration.Input
}

/**
 * Closing what is due in every account.
 *
 * @since 0.3.0
 * @category services
 */
export interface DuePayoutsService {
  /**
   * Closes every payout that is due by now, in all accounts of the storage; those too small roll to their
   * next due date. The actor is `"system"`. When an account fails, that is logged as a warning and the others
   * are closed all the same.
   */
  readonly closeAll: Effect.Effect<AllClosing, StorageFailure>
}

/**
 * Closing by the clock what is due, as a service of Effect. Any number of processes may do it over the same
 * storage: each payout is closed once.
 *
 * @since 0.3.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { DuePayouts, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const services = Layer.provide(servicesLayer, ExchangeRates.none)
 * const layer = DuePayouts.layer({ every: "1 hour" }).pipe(
 *   Layer.provideMerge(services),
 *   Layer.provide(MemoryStorage.layer),
 * )
 * const closeNow = Effect.flatMap(DuePayouts, ({ closeAll }) => closeAll)
 * await Effect.runPromise(Effect.provide(closeNow, layer)) // => { accounts: [], failed: [] }
 * ```
 */
export class DuePayouts extends Context.Service<DuePayouts, DuePayoutsService>()(
  "apportion/service/DuePayouts",
) {
  /**
   * Closes what is due as soon as the layer is built, and again and again as long as it lives. Whatever goes
   * wrong is logged as a warning, and the next time comes all the same.
   *
   * @since 0.3.0
   */
  static readonly layer = ({
    every,
  }: DuePayoutsOptions): Layer.Layer<DuePayouts, never, Storage | Payouts> =>
    Layer.effect(
      DuePayouts,
      Effect.gen(function* () {
        const service = { closeAll: closeAll(yield* Storage, yield* Payouts) }
        yield* Effect.forkScoped(repeatedly(service.closeAll, every))
        return service
      }),
    )
}
