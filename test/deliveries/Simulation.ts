/** A shop whose deliveries come as they please, and what its books say in the end. */
import type { Platform, RecordedSale, StorageService } from "apportion/ports"
import { Deliveries, Products, Sales } from "apportion/service"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { asDelivered, historyOf, randomOf } from "./History.js"
import { account, earned, open, run, type Sent, send, shop } from "./Shop.js"

/** A shop on a platform. */
export interface Scene {
  readonly shop: Platform
  readonly send: (sent: Sent) => Effect.Effect<unknown, unknown, Deliveries>
  /** The deliveries of a history with so many orders, in the order of events. */
  readonly historyOf: (seed: number, orders: number) => ReadonlyArray<Sent>
}

export const shopify: Scene = { shop, send, historyOf }

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

/** Tries again all that waits, as a person would. */
const retryAllOf = (platform: Platform) =>
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    for (let turn = 0; turn < 5; turn += 1) {
      const entries = yield* deliveries.list(account)
      for (const { key } of entries) yield* Effect.ignore(deliveries.retry(account, platform, key))
    }
  })

/** The same for Shopify's. */
export const retryAll = retryAllOf(shop)

/** Four connections at once; some deliveries are cut off in the middle, and are sent again later. */
const deliver = (scene: Scene, seed: number, all: ReadonlyArray<Sent>) =>
  Effect.gen(function* () {
    const random = randomOf(seed + 13)
    const queue = [...all]
    const connection = Effect.gen(function* () {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const fiber = yield* Effect.forkChild(scene.send(next))
        if (random() < 0.25) {
          const steps = Math.floor(random() * 60)
          for (let step = 0; step < steps; step += 1) yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
          queue.splice(Math.floor(random() * queue.length), 0, next)
        } else yield* Fiber.join(fiber)
      }
    })
    yield* Effect.all([connection, connection, connection, connection], { concurrency: 4 })
    yield* TestClock.adjust("2 minutes")
    yield* (yield* Deliveries).sweep(account, scene.shop)
    yield* retryAllOf(scene.shop)
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
  const begin = Effect.andThen(open, Effect.forEach(history, scene.send))
  const tidy = await run(Effect.andThen(begin, Effect.all([books, corrected])))
  const others = Effect.andThen(open, deliver(scene, seed, delivered))
  const [shuffled, count] = await run(
    Effect.andThen(others, Effect.all([books, corrected])),
    storage,
  )
  if (tidy[1] > 0) throw new RangeError("in the tidy order there is nothing to correct")
  return { count: delivered.length, corrected: count, tidy: tidy[0], shuffled }
}
