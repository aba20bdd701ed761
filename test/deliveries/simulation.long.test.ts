import { expect, test } from "vitest"
import { simulate } from "./Simulation.js"

const seed = Number(process.env.APPORTION_SEED ?? Math.floor(Math.random() * 1_000_000))

/** `DELIVERIES_SEEDS=10` tries ten shops. */
const seeds = Number(process.env.DELIVERIES_SEEDS ?? 1)

test("two thousand deliveries in any order end as the tidy order does, to the cent", {
  timeout: 600_000,
}, async () => {
  for (let each = seed; each < seed + seeds; each += 1) {
    const { count, tidy, shuffled } = await simulate(each, 450)
    expect({ seed: each, ...shuffled }).toEqual({ seed: each, ...tidy })
    expect(count).toBeGreaterThan(2_000)
    expect(tidy.shares.length).toBeGreaterThan(200)
  }
})
