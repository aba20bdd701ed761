import { SplitPolicy } from "apportion"
import { expect, test } from "vitest"
import { tellingSales } from "../../../src/analysis/internal/Comparison.js"
import type { Terms } from "../../../src/analysis/internal/terms.js"
import { terms } from "./Claimants.js"

const sales = (given: ReadonlyArray<Terms>, policy: Partial<SplitPolicy.SplitPolicy> = {}) =>
  tellingSales(given, SplitPolicy.make(policy))
const amountsOf = (given: ReadonlyArray<Terms>) => sales(given).map(({ amount }) => amount)

test("the plainest sale comes first, and none comes twice", () => {
  expect(sales([])[0]).toEqual({ amount: 10_000 })
  const all = sales(
    [
      { ...terms, least: 100 },
      { ...terms, most: 100 },
    ],
    { shipping: "share" },
  )
  expect(new Set(all.map((sale) => JSON.stringify(sale))).size).toBe(all.length)
})

test("small amounts are tried, odd ones, and the largest", () => {
  expect(amountsOf([])).toEqual(expect.arrayContaining([1, 99, 123_457, 90_000_000_000_000]))
})

test("limits are tried where they begin to count", () => {
  const around = amountsOf([{ ...terms, basisPoints: 2_500, least: 777 }])
  for (const amount of [776, 777, 778, 7_770, 3_107, 3_108, 3_109, 31_080]) {
    expect(around).toContain(amount)
  }
  expect(amountsOf([{ ...terms, most: 777 }])).toEqual(expect.arrayContaining([776, 777, 778]))
  expect(amountsOf([terms])).toEqual(amountsOf([]))
})

test("all sales are possible ones", () => {
  const odd = { ...terms, basisPoints: 1, least: 1, most: Number.MAX_SAFE_INTEGER }
  for (const { amount } of sales([odd], { shipping: "all" })) {
    expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true)
  }
  expect(amountsOf([{ ...terms, least: 1 }])).toContain(0)
})

test("several units are sold too, and shipping where somebody is paid of it", () => {
  expect(sales([]).map(({ quantity }) => quantity)).toEqual(expect.arrayContaining([2, 3, 10]))
  expect(sales([]).some(({ shippingAmount }) => shippingAmount !== undefined)).toBe(false)
  const shipped = sales([], { shipping: "share" })
  expect(shipped).toContainEqual({ amount: 0, shippingAmount: 101 })
  expect(shipped).toContainEqual({ amount: 10_000, shippingAmount: 1_000 })
  expect(shipped).toContainEqual({ amount: 10_000, shippingAmount: 999_999 })
})
