/** A shop whose deliveries come as they please, and what its books say in the end. */
import type { Platform, RecordedSale, StorageService } from "apportion/ports"
import { Deliveries, Products, type RawDelivery, Sales } from "apportion/service"
import { DateTime, type Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { asDelivered, historyOf, randomOf } from "./History.js"
import { account, deliveryOf, earned, open, run, type Sent, shop } from "./Shop.js"

/** A shop on a platform, and its host. */
export interface Scene {
  readonly shop: Platform
  /** The deliveries of a history with so many orders, in the order of events. */
  readonly historyOf: (seed: number, orders: number) => ReadonlyArray<Sent>
  /** A delivery as the platform sends it, at a time in Unix seconds. */
  readonly deliveryOf: (sent: Sent, at: number) => Promise<RawDelivery>
  /** Whether the platform does not tell, and the host has to fetch it by itself. */
  readonly isFetched?: (sent: Sent) => boolean
  /** How long it takes until nobody waits any more for what never comes. */
  readonly patience?: Duration.Input
}

export const shopify: Scene = { shop, historyOf, deliveryOf }

/** Whether the host has to fetch what a delivery lacks; of one that is known nobody can say if it was fetched. */
export const lacks = ({ fetched }: Sent, outcome: string) =>
  fetched !== undefined && (outcome === "waiting" || outcome === "known")

/** A delivery comes, and the host fetches what it lacks. */
export const take = ({ shop: platform, isFetched, deliveryOf: raw }: Scene, sent: Sent) =>
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    const { topic, body: document, fetched } = sent
    if (isFetched?.(sent) === true) {
      return yield* deliveries.receiveFetched(account, platform, { topic, document })
    }
    const at = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1_000)
    const delivery = yield* Effect.promise(() => raw(sent, at))
    const received = yield* deliveries.receive(account, platform, delivery)
    if (fetched !== undefined && lacks(sent, received.outcome)) {
      yield* deliveries.receiveFetched(account, platform, fetched)
    }
    return received
  })

/** All that is recorded. */
const ledger = Effect.gen(function* () {
  const sales = yield* Sales
  const page = { page: 1, perPage: 100 }
  const all: Array<RecordedSale> = []
  for (let number = 1; ; number += 1) {
    const { entries } = yield* sales.list(account, {}, { ...page, page: number })
    all.push(...entries)
    if (entries.length < page.perPage) return all
  }
})

/** The orders of which deliveries overtook each other, so that a difference was booked. */
export const corrected = Effect.map(ledger, (all) => {
  const adjusted = all.filter(({ adjustments = [] }) => adjustments.length > 0)
  return new Set(adjusted.map(({ orderId }) => orderId)).size
})

/** What nobody may see a difference in. */
export const books = Effect.gen(function* () {
  const [products, deliveries] = [yield* Products, yield* Deliveries]
  const orders = new Set((yield* ledger).map(({ orderId }) => orderId))
  const shares: Array<string> = []
  for (const orderId of [...orders].sort()) {
    for (const [who, amount] of Object.entries(yield* earned(orderId)).sort()) {
      // An order that was cancelled before it came was never recorded.
      if (amount !== 0) shares.push(`${orderId} ${who} ${amount}`)
    }
  }
  const { entries } = yield* products.list(account, {}, { page: 1, perPage: 100 })
  const catalogue = entries.map(({ product }) => JSON.stringify(product))
  const waiting = (yield* deliveries.list(account)).map(({ key, reason }) => `${key}: ${reason}`)
  return { shares, catalogue, waiting }
})

/** Time goes by, and everything that waits is tried again, as a person would. */
export const settle = ({ shop: platform, patience = "2 minutes" }: Scene) =>
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    for (let turn = 0; turn < 4; turn += 1) {
      yield* TestClock.adjust(patience)
      yield* deliveries.sweep(account, platform)
      const entries = yield* deliveries.list(account)
      for (const { key } of entries) yield* Effect.ignore(deliveries.retry(account, platform, key))
    }
  })

/** Four connections at once; some deliveries are cut off in the middle, and are sent again later. */
const deliver = (scene: Scene, seed: number, all: ReadonlyArray<Sent>) =>
  Effect.gen(function* () {
    const random = randomOf(seed + 13)
    const queue = [...all]
    const connection = Effect.gen(function* () {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const fiber = yield* Effect.forkChild(take(scene, next))
        if (random() < 0.25) {
          const steps = Math.floor(random() * 60)
          for (let step = 0; step < steps; step += 1) yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
          queue.splice(Math.floor(random() * queue.length), 0, next)
        } else yield* Fiber.join(fiber)
      }
    })
    yield* Effect.all([connection, connection, connection, connection], { concurrency: 4 })
    yield* settle(scene)
  })

export interface Ends {
  readonly count: number
  /** Of how many orders a difference was booked after the other order of deliveries; none after the tidy one. */
  readonly corrected: number
  readonly tidy: Effect.Success<typeof books>
  readonly shuffled: Effect.Success<typeof books>
}

/** The books after the tidy order of events, and after another order of deliveries. */
export const simulate = async (
  scene: Scene,
  { seed, orders }: { readonly seed: number; readonly orders: number },
  storage?: StorageService,
): Promise<Ends> => {
  const history = scene.historyOf(seed, orders)
  const delivered = asDelivered(seed, history)
  // The clocks of those who take deliveries are not behind those of platforms.
  const start = Effect.andThen(TestClock.setTime(Date.UTC(2024, 11)), open)
  const begin = Effect.andThen(
    start,
    Effect.forEach(history, (sent) => take(scene, sent)),
  )
  const rest = Effect.andThen(settle(scene), Effect.all([books, corrected]))
  const tidy = await run(Effect.andThen(begin, rest))
  const others = Effect.andThen(start, deliver(scene, seed, delivered))
  const [shuffled, count] = await run(
    Effect.andThen(others, Effect.all([books, corrected])),
    storage,
  )
  if (tidy[1] > 0) throw new RangeError("in the tidy order there is nothing to correct")
  return { count: delivered.length, corrected: count, tidy: tidy[0], shuffled }
}
