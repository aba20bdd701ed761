/** Where terms stand is what the next sale earns. */
import { CountedRules, CountedSplit, Counters, TermStand, Terms } from "apportion"
import { Arbitraries } from "apportion/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { runs } from "../generators/Runs.js"

const most = Number.MAX_SAFE_INTEGER

/** What one unit at 10.00 makes of the terms, where a counter stands at a number. */
const soldAt = (terms: Terms.TermsInput, count: number) => {
  const id = "g1"
  const percent = terms.tiers == null ? { percent: "100.00" } : {}
  const rules = CountedRules.make([
    { id, collaboratorId: "ada", link: { type: "products.all" }, terms, ...percent },
  ])
  const keys = (["units", "base", "share"] as const).map((counted) =>
    Counters.keyOf({ counted, currency: "USD", period: "lifetime", per: "group", id }),
  )
  const counters = Object.fromEntries(keys.map((key) => [key, count]))
  const item = {
    id: "i1",
    product: { id: "p1" },
    quantity: 1,
    amount: 1_000,
  }
  const order = { id: "o1", currency: "USD", items: [item] }
  return CountedSplit.order(rules, order, undefined, counters).split
}

const anyTiers = Arbitraries.terms()
  .map(({ tiers }) => Terms.make({ tiers: tiers ?? tiersOf("units") }).tiers)
  .filter((tiers): tiers is Terms.Tiers => tiers !== null)
  .map((tiers): Terms.Tiers => ({ ...tiers, per: "group", period: "lifetime" }))

const tiersOf = (counted: Terms.Counted) => ({ counted, bands: [{ from: 0, percent: 1 }] }) as const

test("the next unit is sold in the band that is reached", () => {
  const seen = { first: 0, last: 0, exact: 0 }
  const counts = fc.oneof(fc.nat(100), fc.nat(60_000), fc.integer({ min: -most + 2_000, max: -1 }))
  fc.assert(
    fc.property(anyTiers, counts, fc.nat(3), (tiers, any, place) => {
      const count = place === 0 ? (tiers.bands.at(-1)?.from ?? any) : any
      const reached = TermStand.bandAt(tiers, count)
      const [share] = soldAt({ tiers }, count).shares
      // Nobody gets a share of nothing.
      if (share === undefined) {
        expect(reached.percent).toBe("0.00")
        return
      }
      const [band] = share.terms?.tiers?.bands ?? []
      expect(band?.percent).toBe(reached.percent)
      const index = tiers.bands.findIndex(({ from }) => from === band?.from)
      expect(reached.next).toEqual(tiers.bands[index + 1] ?? null)
      if (index === 0) seen.first += 1
      if (reached.next === null) seen.last += 1
      if (band?.from === count) seen.exact += 1
    }),
    runs(1_000),
  )
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(runs(1_000).numRuns / 20)
})

test("what is left under a cap is what a share says that is left", () => {
  const seen = { nothing: 0, most: 0 }
  const amounts = fc.oneof(fc.nat(100_000), fc.constantFrom(0, most - 1, most))
  const counts = fc.oneof(fc.nat(120_000), fc.integer({ min: -most + 2_000, max: most - 2_000 }))
  fc.assert(
    fc.property(amounts, counts, (amount, count) => {
      const { cap } = Terms.make({ cap: { amount } })
      if (cap === null) throw new TypeError("a cap was made")
      const after = soldAt({ cap }, count).shares[0]?.terms?.cap
      const left = TermStand.leftUnder(cap, after?.after ?? count)
      expect(left).toBe(after?.left)
      if (left === 0) seen.nothing += 1
      if (left === most) seen.most += 1
    }),
    runs(1_000),
  )
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0)
})

test("a count below 0 is in the first band", () => {
  const bands = [
    { from: 0, percent: "10.00" },
    { from: 1, percent: "20.00" },
  ]
  const tiers = { counted: "units", per: "group", period: "lifetime", bands } as const
  expect(TermStand.bandAt(tiers, -1)).toEqual({ percent: "10.00", next: bands[1] })
})
