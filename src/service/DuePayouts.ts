/**
 * Closing the due payouts of every account on a schedule.
 *
 * @since 0.3.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import { Storage, type StorageService } from "../ports/Storage.js"
import type { StorageFailure } from "../ports/StorageError.js"
import { Actor } from "./Actor.js"
import { logged } from "./internal/background.js"
import { type Closing, Payouts, type PayoutsService } from "./Payouts.js"

/**
 * The result of closing the due payouts of one account.
 *
 * @since 0.3.0
 * @category models
 */
export interface AccountClosing extends Closing {
  readonly accountId: string
}

/**
 * The result of closing the due payouts of all accounts.
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
   * The interval between starts, such as `"1 hour"` or in milliseconds; at least a second. When closing takes longer,
   * the next run starts when it is done.
   */
  readonly every: Duration.Input
}

/**
 * Closes the due payouts of every account.
 *
 * @since 0.3.0
 * @category services
 */
export interface DuePayoutsService {
  /**
   * Closes every payout that is due by now, in all accounts of the storage; those too small roll to their next due
   * date. The actor is `"system"`. When an account fails, that is logged as a warning and the others are still closed.
   */
  readonly closeAll: Effect.Effect<AllClosing, StorageFailure>
}

// Closing the due payouts of all accounts, once or on a schedule.

/** How many accounts are closed at the same time. */
const accountsAtATime = 4

const shortest = Duration.seconds(1)

const closeAccount = Effect.fnUntraced(function* (payouts: PayoutsService, accountId: string) {
  const closing = logged(payouts.closeDue(accountId), "the due payouts could not all be closed")
  const done = yield* Effect.annotateLogs(closing, { accountId })
  return done === undefined ? accountId : { accountId, ...done }
})

const isClosing = (done: AccountClosing | string): done is AccountClosing =>
  typeof done !== "string"

const byId = (left: string, right: string): number => (left < right ? -1 : 1)

/** `DuePayouts.closeAll` */
const closeAll = (
  storage: StorageService,
  payouts: PayoutsService,
): DuePayoutsService["closeAll"] =>
  Effect.gen(function* () {
    // Several processes may start at the same moment. Each takes a random order, so that they don't meet at every
    // account.
    const accounts = yield* Random.shuffle(yield* storage.accounts)
    const close = (accountId: string) => closeAccount(payouts, accountId)
    const done = yield* Effect.forEach(accounts, close, { concurrency: accountsAtATime })
    return {
      accounts: done
        .filter(isClosing)
        .filter(({ closed, rolled }) => closed.length + rolled.length > 0)
        .sort((left, right) => byId(left.accountId, right.accountId)),
      failed: done.filter((one) => typeof one === "string").sort(byId),
    }
  }).pipe(Effect.provideService(Actor, "system"), Effect.withSpan("DuePayouts.closeAll"))

/** Closes all now, and then repeatedly. */
const repeatedly = (
  closing: DuePayoutsService["closeAll"],
  every: Duration.Input,
): Effect.Effect<void> => {
  const interval = Duration.max(Duration.fromInputUnsafe(every), shortest)
  const once = logged(closing, "the accounts whose payouts may be due could not be read")
  return Effect.asVoid(Effect.repeat(once, Schedule.fixed(interval)))
}

/**
 * Closes due payouts on a schedule, as an Effect service. Any number of processes may do it over the same storage: each
 * payout is closed once.
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
   * Closes due payouts as soon as the layer is built, and repeatedly as long as the layer lives. Failures are logged as
   * warnings and don't stop later runs.
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
