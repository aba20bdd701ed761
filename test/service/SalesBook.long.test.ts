import { Effect } from "effect"
import fc from "fast-check"
import { expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { type Feature, history, live } from "./SalesHistories.js"
import { inShop, payouts, type Shop, within } from "./SalesShop.js"

test("the services come to the same payouts as the core's payout book, whatever happens", () =>
  fc.assert(
    fc.asyncProperty(history, async (each) => {
      const { seen } = await inShop((shop) => live(shop, each))
      for (const { services, core } of seen) expect(services).toEqual(core)
    }),
    runs(200),
  ))

/** The shares by the ledger, and by the payouts. */
const sharesOf = (shop: Shop) =>
  Effect.gen(function* () {
    const { entries } = yield* within(shop, ({ sales }) =>
      sales.list({}, { offset: 0, limit: 1_000 }),
    )
    const postings = entries.flatMap((sale) => sale.postings)
    return {
      named: postings.map(({ payoutId, payoutItemId }) => `${payoutId} ${payoutItemId}`),
      held: (yield* payouts(shop)).flatMap(({ id, items }) =>
        items.filter(({ kind }) => kind === "sale").map((item) => `${id} ${item.id}`),
      ),
    }
  })

test("each share that was recorded is in the payout that the ledger names", () =>
  fc.assert(
    fc.asyncProperty(history, async (each) => {
      const { named, held } = await inShop((shop) =>
        Effect.andThen(live(shop, { ...each, maturityDays: 14 }), sharesOf(shop)),
      )
      expect(named.toSorted()).toEqual(held.toSorted())
    }),
    runs(60),
  ))

/** In how many of 200 histories each is reached at the least. */
const least: Readonly<Record<Feature, number>> = {
  "a sale": 150,
  "a second part": 20,
  "a known item": 20,
  "a changed figure": 20,
  "a conversion": 50,
  "a missing rate": 3,
  "a refused order": 3,
  "a refund before payment": 50,
  "a refund after payment": 20,
  "a refused refund": 50,
  "the same refund": 3,
  "a rolled payout": 20,
  "a closed payout": 50,
  "a moved share": 4,
  "a payout below zero": 1,
  "a paid payout": 50,
  "a refused event": 20,
  "an entry": 20,
  "a return": 20,
  "a re-split": 30,
  "a second re-split": 10,
  "a refund after a re-split": 10,
}

test("these histories reach all that matters", async () => {
  const reached = new Map<string, number>()
  for (const each of fc.sample(history, { numRuns: 200, seed: 1 })) {
    const { features } = await inShop((shop) => live(shop, each))
    for (const feature of features) reached.set(feature, (reached.get(feature) ?? 0) + 1)
  }
  const missed = Object.entries(least).filter(([name, most]) => (reached.get(name) ?? 0) < most)
  expect({ missed, reached: missed.length === 0 ? "" : [...reached] }).toEqual({
    missed: [],
    reached: "",
  })
})
