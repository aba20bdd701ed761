/** The library and the oracle agree on histories of agreements, which reach what they are meant to reach. */
import { describe, expect, test } from "vitest"
import { seldomMet } from "../generators/Extremes.js"
import { extremes } from "./Extremes.js"
import { played } from "./Histories.js"

describe("random histories of agreements", () => {
  const all = Array.from({ length: 500 }, (_, number) => played(20_261_128 + number))

  test("come out as the oracle says, line by line", () => {
    expect(all.flatMap(({ found }) => found ?? [])).toEqual([])
  })

  test("reach every extreme", () => {
    expect(seldomMet(extremes, all, 2)).toEqual([])
  })

  test("that are made too narrow don't, which is noticed", () => {
    const short = all.filter(({ items }) => items.length < 5)
    expect(seldomMet(extremes, short, 1).length).toBeGreaterThan(5)
  })
})
