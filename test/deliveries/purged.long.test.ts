import { Audit, Deliveries, Retention, Statements } from "apportion/service"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"
import { isAll } from "../generators/Runs.js"
import { asDelivered, randomOf } from "./History.js"
import { account, open, run, type Sent } from "./Shop.js"
import { books, type Scene, settle, shopify, take } from "./Simulation.js"
import { stripeScene } from "./StripeHistory.js"
import { woocommerce } from "./WooHistory.js"

const seed = Number(process.env.APPORTION_SEED ?? Math.floor(Math.random() * 1_000_000))

/** What nobody may see a difference in, whatever was forgotten. */
const all = Effect.gen(function* () {
  const [audit, statements] = [yield* Audit, yield* Statements]
  const told = yield* Effect.forEach(["ada", "sam"], (id) => statements.of(account, id))
  const found = [yield* audit.payouts(account), yield* audit.sales(account)]
  const differences = found.flatMap((one): ReadonlyArray<object> => one.differences)
  return { ...(yield* books), figures: told.map((one) => one.statements), differences }
})

const purge = Effect.gen(function* () {
  const { deliveries, refundDocuments } = yield* (yield* Retention).purge(account, { months: 12 })
  return { deliveries, refundDocuments }
})

/** One part of a history, two years of silence, and then another part. */
const live = (
  scene: Scene,
  { early, late }: { readonly early: ReadonlyArray<Sent>; readonly late: ReadonlyArray<Sent> },
  isPurged: boolean,
) =>
  run(
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2024, 11))
      yield* open
      for (const sent of early) yield* take(scene, sent)
      yield* settle(scene)
      yield* TestClock.adjust("800 days")
      // What waited for so long is dropped, as a process that runs all the time does.
      yield* (yield* Deliveries).sweep(account, scene.shop)
      const before = yield* all
      const gone = isPurged ? yield* purge : { deliveries: 0, refundDocuments: 0 }
      if (isPurged) expect(yield* all).toEqual(before)
      for (const sent of late) yield* take(scene, sent)
      yield* settle(scene)
      return { gone, before, after: yield* all }
    }),
  )

/** The same deliveries, sent anew: the platform gives them other ids. */
const anew = (sent: ReadonlyArray<Sent>, name: string): ReadonlyArray<Sent> =>
  sent.map((one) => ({ ...one, ...(one.id === undefined ? {} : { id: `${one.id} ${name}` }) }))

const scenes = [
  ["Shopify", shopify],
  ["WooCommerce", woocommerce],
  ["Stripe", stripeScene],
] as const

const seeds = Array.from({ length: isAll ? 12 : 3 }, (_, index) => seed + index)

test.each(scenes)(
  "deliveries of %s that come again after a purge, under the same ids and others and in any order, pay nobody twice",
  {
    timeout: 600_000,
  },
  async (_, scene) => {
    let forgotten = 0
    for (const each of seeds) {
      const history = scene.historyOf(each, 12)
      const again = asDelivered(each, [...history, ...anew(history, "again")])
      const { gone, before, after } = await live(scene, { early: history, late: again }, true)
      forgotten += gone.refundDocuments
      const { waiting: _, ...others } = before
      expect({ each, ...after }).toMatchObject({ each, ...others, differences: [] })
    }
    expect(forgotten).toBeGreaterThan(3)
  },
)

test.each(scenes)(
  "deliveries of %s that come only after a purge end as if nothing had been removed",
  {
    timeout: 600_000,
  },
  async (_, scene) => {
    for (const each of seeds) {
      const random = randomOf(each + 5)
      const history = scene.historyOf(each, 12)
      const early = history.filter(() => random() < 0.7)
      const late = asDelivered(each, [
        ...history.filter((one) => !early.includes(one)),
        ...anew(history, "again"),
      ])
      const kept = await live(scene, { early, late }, false)
      const purged = await live(scene, { early, late }, true)
      expect({ each, ...purged.after }).toEqual({ each, ...kept.after })
    }
  },
)
