import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { isAll } from "../generators/Runs.js"
import { clientFor, emptyStorage, postgres } from "../sql/databases.js"
import { type Ends, shopify, simulate } from "./Simulation.js"
import { woocommerce } from "./WooHistory.js"

const seed = Number(process.env.APPORTION_SEED ?? Math.floor(Math.random() * 1_000_000))

/** `DELIVERIES_SEEDS=10` tries ten shops. */
const seeds = Array.from(
  { length: Number(process.env.DELIVERIES_SEEDS ?? 1) },
  (_, index) => seed + index,
)

const expectSame = (each: number, { tidy, shuffled }: Ends) => {
  expect({ seed: each, ...shuffled }).toEqual({ seed: each, ...tidy })
}

/** Two thousand deliveries and more, or a part of them. */
const shop = isAll ? { orders: 450, deliveries: 2_000 } : { orders: 150, deliveries: 600 }

test("the deliveries of a shop in any order end as the tidy order does, to the cent", {
  timeout: 600_000,
}, async () => {
  for (const each of seeds) {
    const ends = await simulate(shopify, { seed: each, orders: shop.orders })
    expectSame(each, ends)
    expect(ends.count).toBeGreaterThan(shop.deliveries)
    expect(ends.corrected).toBeGreaterThan(3)
    expect(ends.tidy.shares.length).toBeGreaterThan(60)
  }
})

test("those of WooCommerce too", { timeout: 600_000 }, async () => {
  for (const each of seeds) {
    const orders = Number(process.env.DELIVERIES_ORDERS ?? 120)
    const ends = await simulate(woocommerce, { seed: each, orders })
    expectSame(each, ends)
    expect(ends.tidy.shares.length).toBeGreaterThan(40)
  }
})

describe("in PostgreSQL", () => {
  const client = clientFor(() => postgres("deliveries"))

  test("four connections, cut off again and again, end as the tidy order does in memory", {
    timeout: 600_000,
  }, async () => {
    for (const each of seeds) {
      const storage = await Effect.runPromise(emptyStorage(client()))
      expectSame(each, await simulate(shopify, { seed: each, orders: 60 }, storage))
    }
  })
})
