import { MemoryStorage } from "apportion/memory"
import { ExchangeRates, Storage, type StorageService } from "apportion/ports"
import {
  Audit,
  Collaborators,
  Idempotency,
  Payouts,
  ProductGroups,
  Products,
  Sales,
  type SettingsInput,
  settingsLayer,
  UnitOfWork,
} from "apportion/service"
import { Clock, type Context, Duration, Effect, Exit, Layer, Logger, Result, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { secureRandom } from "../../generators/Chance.js"

/** The services under test. */
export type Services =
  | Audit
  | Collaborators
  | Idempotency
  | Payouts
  | ProductGroups
  | Products
  | Sales
  | UnitOfWork

/** The account that all tests use. */
export const account = "shop"

/** In seconds. */
const day = 86_400

/** A clock in the test's hands. Whoever waits is let go on as soon as `pause` is over. */
export class HandClock {
  /** Unix seconds. */
  now: number
  /** Sleep is over at once, but for whoever sleeps a day or longer: those never wake. */
  readonly clock: Clock.Clock

  constructor(start: number, pause: Effect.Effect<void> = Effect.yieldNow) {
    this.now = start
    const millis = () => this.now * 1_000
    const nanos = () => BigInt(millis()) * 1_000_000n
    this.clock = {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) => (Duration.toSeconds(duration) < day ? pause : Effect.never),
    }
  }
}

/** A running process with the services over a storage. */
export interface Shop {
  readonly clock: HandClock
  readonly storage: StorageService
  /** Runs a call of a service; an expected failure is a value, anything else is thrown. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<Result.Result<A, E>>
  readonly stop: () => Promise<void>
}

export interface ShopOptions {
  readonly clock: HandClock
  readonly storage?: StorageService | undefined
  readonly settings?: SettingsInput | undefined
  /** `{ "EUR/USD": "1.08" }` */
  readonly rates?: Readonly<Record<string, string>> | undefined
}

/** Starts a process; over an empty storage in memory when none is given. */
export const openShop = async (options: ShopOptions): Promise<Shop> => {
  const { clock, settings = {}, rates = {} } = options
  const storage = options.storage ?? (await Effect.runPromise(MemoryStorage.make))
  const layer: Layer.Layer<Services> = Layer.mergeAll(
    Audit.layer,
    Collaborators.layer,
    Idempotency.layer,
    Payouts.layer,
    ProductGroups.layer,
    Products.layer,
    Sales.layer,
    UnitOfWork.layer,
  ).pipe(
    Layer.provide(settingsLayer({ linkSweepSeconds: day, ...settings })),
    Layer.provide(Layer.succeed(Storage)(storage)),
    Layer.provide(ExchangeRates.fixed(rates)),
    Layer.provide(Layer.sync(SecureRandom.SecureRandom)(() => secureRandom(7))),
    Layer.orDie,
  )
  const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    effect.pipe(Effect.provideService(Clock.Clock, clock.clock), Effect.provide(Logger.layer([])))
  const scope = Scope.makeUnsafe()
  const services: Context.Context<Services> = await Effect.runPromise(
    inTime(Layer.buildWithScope(Layer.fresh(layer), scope)),
  )
  return {
    clock,
    storage,
    run: (effect) =>
      Effect.runPromise(Effect.result(inTime(Effect.provideContext(effect, services)))),
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  }
}

/** Runs a call that must not fail. */
export const runRight = async <A, E>(
  shop: Pick<Shop, "run">,
  effect: Effect.Effect<A, E, Services>,
): Promise<A> => Result.getOrThrow(await shop.run(effect))
