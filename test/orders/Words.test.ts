/** How amounts, times and texts stand in sentences. */
import { expect, test } from "vitest"
import * as Words from "../../src/orders/Words.js"

test("money is written in the units of its currency", () => {
  expect(Words.money(12_345, "USD")).toBe("123.45 USD")
  expect(Words.money(12_345, "JPY")).toBe("12345 JPY")
  expect(Words.money(-5, "USD")).toBe("-0.05 USD")
  expect(Words.money(0, "BHD")).toBe("0.000 BHD")
  expect(Words.money(12, "XXQ")).toBe("12 XXQ")
})

test("money keeps every digit, of sums beyond safe integers and of parts of a cent", () => {
  expect(Words.figure(-9_007_199_254_740_993n, "USD")).toBe("-90071992547409.93")
  expect(Words.figure("1250.125", "USD")).toBe("12.50125")
  expect(Words.figure("-0.5", "USD")).toBe("-0.005")
  expect(Words.figure("12.5", "JPY")).toBe("12.5")
})

test("a time that no calendar has is told in seconds", () => {
  expect(Words.date(0)).toBe("1970-01-01T00:00:00.000Z")
  expect(Words.date(1e15)).toBe("second 1000000000000000")
})

test("one thing has a name, several have another", () => {
  expect([1, 0, 2].map((count) => Words.counted(count, "unit"))).toEqual([
    "1 unit",
    "0 units",
    "2 units",
  ])
})
