/** A store to test services in: time, chance and storage in the test's hands, and the log kept. */

import { MemoryStorage } from "apportion/memory"
import { Storage, StorageFailure, type StorageService, type Stores } from "apportion/ports"
import {
  Collaborators,
  ProductGroups,
  Products,
  type SettingsInput,
  settingsLayer,
  UnitOfWork,
} from "apportion/service"
import { Deferred, Effect, Exit, Layer, Logger, Queue, References, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { Pause } from "../../src/service/internal/rules/linker.js"
import { secureRandom } from "../generators/Chance.js"

export interface Logged {
  readonly level: string
  readonly message: string
  readonly about: Readonly<Record<string, unknown>>
}

/** The services under test. */
export type Services = Collaborators | ProductGroups | Products | UnitOfWork

/** How many processes were started: each draws other numbers, as processes do. */
let processes = 0

const servicesOver = (storage: StorageService, settings: SettingsInput): Layer.Layer<Services> =>
  Layer.mergeAll(Collaborators.layer, ProductGroups.layer, Products.layer, UnitOfWork.layer).pipe(
    Layer.provide(settingsLayer(settings)),
    Layer.provide(Layer.succeed(Storage)(storage)),
    Layer.provide(
      Layer.sync(SecureRandom.SecureRandom)(() => {
        processes += 1
        return secureRandom(6 + processes)
      }),
    ),
    Layer.orDie,
  )

/** A storage in memory that does not know what a link selects, so that the catalogue is gone through. */
export const unindexedStorage: Effect.Effect<StorageService> = Effect.map(
  MemoryStorage.make,
  (storage) => ({
    ...storage,
    transaction: (accountId, work, options) =>
      storage.transaction(
        accountId,
        (stores) => {
          const { selected: _none, ...products } = stores.products
          return work({ ...stores, products })
        },
        options,
      ),
  }),
)

/** One process with the services, which can be stopped while others go on with the same storage. */
export const startProcess = Effect.fnUntraced(function* (
  storage: StorageService,
  settings: SettingsInput = {},
) {
  const scope = yield* Scope.make()
  const byTheClock = Layer.succeed(Pause)(Effect.sleep)
  const shared = { accountsLinking: storage.accounts, ...storage }
  const layer = Layer.provide(Layer.fresh(servicesOver(shared, settings)), byTheClock)
  const context = yield* Layer.buildWithScope(layer, scope)
  return {
    run: <A, E>(effect: Effect.Effect<A, E, Services>): Effect.Effect<A, E> =>
      Effect.provideContext(effect, context),
    stop: Scope.close(scope, Exit.void),
  }
})

/** Runs a test with a clock that stands at 1,700,000,000 Unix seconds until the test moves it. */
export const runTest = <A, E>(
  effect: Effect.Effect<A, E, Scope.Scope>,
  log: Array<Logged> = [],
): Promise<A> => {
  const logger = Logger.make<unknown, void>(({ logLevel, message, fiber }) => {
    const [text] = Array.isArray(message) ? message : [message]
    const about = fiber.getRef(References.CurrentLogAnnotations)
    log.push({ level: logLevel, message: String(text), about })
  })
  return Effect.runPromise(
    Effect.andThen(TestClock.setTime(1_700_000_000_000), effect).pipe(
      Effect.scoped,
      Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([logger]))),
    ),
  )
}

/** Runs a test against one process over a storage in memory. */
export const inStorefront = <A, E>(
  effect: Effect.Effect<A, E, Services | Storage | Scope.Scope>,
  options: { readonly settings?: SettingsInput; readonly log?: Array<Logged> } = {},
): Promise<A> =>
  runTest(
    Effect.gen(function* () {
      const storage = yield* MemoryStorage.make
      const process = yield* startProcess(storage, options.settings)
      const withStorage = Effect.provideService(effect, Storage, storage)
      const services = yield* process.run(Effect.context<Services>())
      const exit = yield* Effect.exit(Effect.provideContext(withStorage, services))
      yield* process.stop
      return yield* exit
    }),
    options.log,
  )

/** A storage that does something around each batch of products that is read. */
export const aroundBatches = (
  storage: StorageService,
  around: {
    readonly before?: Effect.Effect<void, StorageFailure>
    readonly committed?: Effect.Effect<void>
  },
): StorageService => ({
  ...storage,
  transaction: (accountId, work, options) =>
    Effect.suspend(() => {
      let isBatch = false
      const watched = (stores: Stores): Stores => ({
        ...stores,
        products: {
          ...stores.products,
          batch: (slice) => {
            isBatch = true
            const batch = stores.products.batch(slice)
            return around.before === undefined ? batch : Effect.andThen(around.before, batch)
          },
        },
      })
      const committed = Effect.suspend(() => (isBatch && around.committed) || Effect.void)
      const transaction = storage.transaction(accountId, (stores) => work(watched(stores)), options)
      return Effect.tap(transaction, () => committed)
    }),
})

/** A storage that stops whoever links after each batch is kept, until the test lets it go on. */
export const pausing = Effect.fnUntraced(function* (storage: StorageService) {
  const reached = yield* Queue.unbounded<void>()
  const permits = yield* Queue.unbounded<void>()
  const free = yield* Deferred.make<void>()
  const pause = Effect.andThen(
    Queue.offer(reached, undefined),
    Effect.raceFirst(Queue.take(permits), Deferred.await(free)),
  )
  return {
    storage: aroundBatches(storage, { committed: pause }),
    /** Waits until a batch is kept. */
    batch: Queue.take(reached),
    /** Lets the next batch begin. */
    goOn: Queue.offer(permits, undefined),
    /** Pauses no more. */
    release: Deferred.succeed(free, undefined),
  }
})

/** A storage whose next batches fail, as many as are said. */
export const failing = (storage: StorageService, times: number) => {
  let left = times
  const before = Effect.suspend(() => {
    if (left === 0) return Effect.void
    left -= 1
    return Effect.fail(StorageFailure.of("read products", new Error("the disk is full")))
  })
  return { storage: aroundBatches(storage, { before }), left: () => left }
}

/** Looks again and again until something is as it should be, without time going by. */
export const eventually = Effect.fnUntraced(function* <A, E>(
  look: Effect.Effect<A, E>,
  isRight: (seen: A) => boolean,
) {
  for (let looks = 0; looks < 1_000_000; looks += 1) {
    const seen = yield* look
    if (isRight(seen)) return seen
    yield* Effect.yieldNow
  }
  return yield* Effect.die(new Error("it never comes to be as it should"))
})

/** Waits until no job of an account runs. */
export const linked = (storage: StorageService, accountId: string) =>
  eventually(
    storage.transaction(accountId, ({ links }) => links.runningJobs(1), { mode: "read" }),
    (jobs) => jobs.length === 0,
  )

/** The keys of the products that are linked to a group, sorted. */
export const linkedKeys = (
  storage: StorageService,
  accountId: string,
  groupId: string,
): Effect.Effect<ReadonlyArray<string>, unknown> =>
  storage.transaction(accountId, ({ links }) =>
    Effect.map(links.products(groupId, { offset: 0, limit: 1_000 }), ({ entries }) =>
      entries.map(({ id }) => id).sort(),
    ),
  )
