/** The library, the oracle and the reckoning agree on streams of sales that carry, which reach every extreme. */
import { describe, expect, test } from "vitest"
import { Chance } from "../generators/Chance.js"
import { seldomMet } from "../generators/Extremes.js"
import { extremes, played } from "./Extremes.js"
import { difference, history } from "./Histories.js"

describe("random streams of sales that carry", () => {
  const all = Array.from({ length: 400 }, (_, number) =>
    played(history(new Chance(20_261_128 + number))),
  )

  test("come out as the oracle and the reckoning say, refunds and changed groups among them", () => {
    expect(all.flatMap(({ difference }) => difference ?? [])).toEqual([])
  })

  test("reach every extreme", () => {
    expect(seldomMet(extremes, all, 2)).toEqual([])
  })

  test("that are made too narrow don't, which is noticed", () => {
    const small = all.filter(({ history }) => history.steps.length < 3)
    expect(seldomMet(extremes, small, 1)).toContain("a refund in parts: 0")
  })

  test("are reckoned anew from the page of the decision, which leaves few items open", () => {
    let [items, open] = [0, 0]
    const count = (isOpen: boolean) => {
      items += 1
      if (isOpen) open += 1
    }
    for (const each of all.slice(0, 150)) difference(each.history, undefined, { open: count })
    expect(items).toBeGreaterThan(300)
    expect(open / items).toBeLessThan(0.1)
  })
})
