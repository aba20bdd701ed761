/**
 * The services at work on one account, with nothing left to chance: in each attempt a step meets the same
 * time and makes up the same ids, so that what is left at the end can be compared to the letter.
 */
import { ExchangeRates, Storage, type StorageService } from "apportion/ports"
import {
  Collaborators,
  Idempotency,
  Payouts,
  ProductGroups,
  Products,
  Sales,
  settingsLayer,
  UnitOfWork,
} from "apportion/service"
import { Clock, Context, Duration, Effect, Layer, Logger, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { secureRandom } from "../../generators/Chance.js"
import { rates } from "../../service/model/Goods.js"
import { stillClock } from "./Shop.js"
import { type Outcome, type Step, type StepServices, take } from "./Step.js"

type Random = SecureRandom.SecureRandom["Service"]

/** The step that is being taken; 0: none. */
const CurrentStep = Context.Reference<number>("apportion/test/CurrentStep", {
  defaultValue: () => 0,
})

const anyRandom = SecureRandom.make((size) => crypto.getRandomValues(new Uint8Array(size)))

/** Where ids come from: for steps, a beginning of its own for each transaction. */
const CurrentRandom = Context.Reference<Random>("apportion/test/CurrentRandom", {
  defaultValue: () => anyRandom,
})

function uuidV7(options?: { readonly format?: "string" | undefined }): Effect.Effect<string>
function uuidV7<Format extends "string" | "bytes">(options: {
  readonly format: Format
}): Effect.Effect<Format extends "bytes" ? Uint8Array : string>
function uuidV7(
  options: { readonly format?: "string" | "bytes" | undefined } = {},
): Effect.Effect<string | Uint8Array> {
  return Effect.flatMap(CurrentRandom, (random) =>
    random.uuidV7({ format: options.format ?? "string" }),
  )
}

const foretold: Random = { ...anyRandom, uuidV7 }

const seedOf = (accountId: string, step: number): number =>
  [...accountId].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), step * 7_919)

const withIdsPerTransaction = (storage: StorageService): StorageService => ({
  ...storage,
  transaction: (accountId, work, options) =>
    Effect.flatMap(CurrentStep, (step) =>
      storage.transaction(
        accountId,
        (stores) => {
          const begun = Effect.suspend(() => work(stores))
          return step === 0
            ? begun
            : Effect.provideService(begun, CurrentRandom, secureRandom(seedOf(accountId, step)))
        },
        options,
      ),
    ),
})

const haste = 20

/** For what is done in the background, a second is over soon. */
const hastened = (live: Clock.Clock): Clock.Clock => {
  const millis = () => live.currentTimeMillisUnsafe() * haste
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: live.monotonicTimeNanos,
    sleep: (duration) => live.sleep(Duration.divideUnsafe(duration, haste)),
  }
}

const layerOver = (storage: StorageService): Layer.Layer<StepServices> =>
  Layer.mergeAll(
    Collaborators.layer,
    Idempotency.layer,
    Payouts.layer,
    ProductGroups.layer,
    Products.layer,
    Sales.layer,
    UnitOfWork.layer,
  ).pipe(
    Layer.provide(settingsLayer({ linkBatchSize: 4, linkSweepSeconds: 1 })),
    Layer.provide(Layer.succeed(Storage)(withIdsPerTransaction(storage))),
    Layer.provide(ExchangeRates.fixed(rates)),
    Layer.provide(Layer.succeed(SecureRandom.SecureRandom)(foretold)),
    Layer.provideMerge(Logger.layer([])),
    Layer.orDie,
  )

export interface Lane {
  readonly accountId: string
  readonly storage: StorageService
  /** Takes a step, for the first time or again. */
  readonly take: (step: Step) => Effect.Effect<Outcome>
  /** Runs something else with the services. */
  readonly use: <A, E>(effect: Effect.Effect<A, E, StepServices>) => Effect.Effect<A, E>
}

/** Opens a lane; it ends with the scope. */
export const openLane = (
  storage: StorageService,
  accountId: string,
): Effect.Effect<Lane, never, Scope.Scope> =>
  Effect.gen(function* () {
    const live = yield* Clock.Clock
    const services = yield* Effect.provideService(
      Layer.build(Layer.fresh(layerOver(storage))),
      Clock.Clock,
      hastened(live),
    )
    return {
      accountId,
      storage,
      use: (effect) => Effect.provideContext(effect, services),
      take: (step) =>
        take(accountId, step).pipe(
          Effect.provideContext(services),
          Effect.provideService(CurrentStep, step.number),
          Effect.provideService(CurrentRandom, secureRandom(seedOf(accountId, step.number))),
          Effect.provideService(Clock.Clock, stillClock(step.at, live)),
          Effect.provide(Logger.layer([])),
        ),
    }
  })
