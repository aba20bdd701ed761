/** A database to try calls in, with a storage whose client can break. */
import { ExchangeRates, Storage, type StorageService } from "apportion/ports"
import {
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
import { SqlStorage } from "apportion/sql"
import { type Context, Effect, Layer, Queue, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Pause } from "../../../src/service/internal/rules/linker.js"
import { secureRandom } from "../../generators/Chance.js"
import * as Copies from "./Copies.js"
import { FaultyClient, type FaultyOptions } from "./FaultyClient.js"
import type { World } from "./UseCase.js"

/** A client that can break, and the storage on it. */
export interface Place {
  readonly faulty: FaultyClient
  readonly storage: StorageService
}

/** A database in which calls are tried, one at a time in each of its places. */
export interface Bench {
  /** A client that never breaks. */
  readonly sql: SqlClient.SqlClient
  readonly places: Queue.Queue<Place>
}

/** What a bench is made of. */
export interface BenchOptions extends FaultyOptions {
  readonly storage?: SqlStorage.SqlStorageOptions | undefined
  /** How many calls are tried at the same time. */
  readonly places: number
  /** Makes the storage another one, for the test of the tests. */
  readonly change?: ((storage: StorageService) => StorageService) | undefined
}

/** Makes a bench in a database that may be empty. */
export const make = (sql: SqlClient.SqlClient, options: BenchOptions) =>
  Effect.gen(function* () {
    const { storage: settings, places, change = (storage) => storage } = options
    const queue = yield* Queue.unbounded<Place>()
    for (let count = 0; count < places; count += 1) {
      const faulty = new FaultyClient(sql, options)
      const client = yield* faulty.client
      const made = SqlStorage.make({ migrate: true, ...settings })
      const storage = yield* Effect.provideService(made, SqlClient.SqlClient, client)
      yield* Queue.offer(queue, { faulty, storage: change(storage) })
    }
    yield* Copies.prepare(sql)
    return { sql, places: queue } satisfies Bench
  })

/** Runs something in a place of a bench, when one is free. */
export const inPlace = <A, E, R>(
  { places }: Bench,
  use: (place: Place) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(Queue.take(places), use, (place) => Queue.offer(places, place))

const settings: SettingsInput = { linkBatchSize: 2 }

const services = Layer.mergeAll(
  Collaborators.layer,
  ProductGroups.layer,
  Products.layer,
  Sales.layer,
  Payouts.layer,
  Idempotency.layer,
  UnitOfWork.layer,
)

/**
 * The services of one process, with the same ids in each of the same seed. It takes up the linking of the
 * accounts that it is told of, and nothing else.
 */
export const startProcess = (
  { storage }: Pick<Place, "storage">,
  { accounts, seed }: { readonly accounts: ReadonlyArray<string>; readonly seed: number },
): Effect.Effect<Context.Context<World>, never, Scope.Scope> =>
  Layer.build(
    Layer.fresh(
      services.pipe(
        Layer.provide(settingsLayer(settings)),
        Layer.provide(ExchangeRates.fixed({ "USD/EUR": "0.9" })),
        Layer.provide(Layer.sync(SecureRandom.SecureRandom)(() => secureRandom(seed))),
        Layer.provideMerge(
          Layer.succeed(Storage)({
            ...storage,
            accounts: Effect.succeed(accounts),
            accountsLinking: Effect.succeed(accounts),
          }),
        ),
        Layer.orDie,
      ),
    ),
  ).pipe(Effect.provideService(Pause, (duration) => Effect.sleep(duration)))
