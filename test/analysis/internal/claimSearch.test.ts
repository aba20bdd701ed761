import { describe, expect, test } from "vitest"
import type { Claimant } from "../../../src/analysis/internal/Claims.js"
import { claimSearch } from "../../../src/analysis/internal/claimSearch.js"
import { Budget, sizeOf } from "../../../src/analysis/internal/Sketch.js"
import {
  claimant,
  claimantsOf,
  claimedOf,
  clause,
  possibleSets,
  referers,
  tags,
  values,
  vendors,
} from "./Claimants.js"

const world = { values, kinds: undefined, from: undefined }
const times = [null, 9, 10, 12, 15, 20]

const searched = (
  claimants: ReadonlyArray<Claimant>,
  limit: number,
  { steps = 1_000_000, fewerThan = Number.POSITIVE_INFINITY, isMet = (): boolean => true } = {},
) => claimSearch({ claimants, limit, isMet }, world, { budget: new Budget(steps), fewerThan })

/** The size of the smallest order on which more than the limit is claimed. */
const fewestOf = (claimants: ReadonlyArray<Claimant>, limit: number): number | undefined => {
  const sizes = times.flatMap((at) =>
    possibleSets
      .filter((list) => claimedOf(claimants, list, at) > limit)
      .map((list) => list.length + Number(at !== null)),
  )
  return sizes.length === 0 ? undefined : sizes.reduce((one, other) => Math.min(one, other))
}

test("what is found is the smallest order, as a look at every order says", () => {
  const found = new Map<string, number>()
  for (let seed = 0; seed < 120; seed += 1) {
    const claimants = claimantsOf(seed)
    const limit = 60 + 20 * (seed % 5)
    const answer = searched(claimants, limit)
    const fewest = fewestOf(claimants, limit)
    const size = typeof answer === "object" ? sizeOf(answer.sketch) : undefined
    expect(size, `${seed}`).toBe(fewest)
    found.set(`${size}`, (found.get(`${size}`) ?? 0) + 1)
    if (typeof answer !== "object") {
      expect(answer).toBe("none")
      continue
    }
    expect(answer.isSmallest).toBe(true)
    expect(claimedOf(claimants, answer.sketch.values, answer.sketch.at)).toBeGreaterThan(limit)
  }
  for (const size of ["undefined", "0", "1", "2", "3"]) expect(found.get(size), size).toBeTruthy()
})

test("with few steps nothing is said that isn't so", () => {
  const said = new Set<string>()
  for (let seed = 0; seed < 120; seed += 1) {
    const claimants = claimantsOf(seed)
    const limit = 60 + 20 * (seed % 5)
    const answer = searched(claimants, limit, { steps: (seed * 7) % 60 })
    const fewest = fewestOf(claimants, limit)
    said.add(typeof answer === "object" ? `found ${answer.isSmallest}` : answer)
    if (answer === "none") expect(fewest).toBe(undefined)
    if (typeof answer !== "object") continue
    expect(claimedOf(claimants, answer.sketch.values, answer.sketch.at)).toBeGreaterThan(limit)
    if (answer.isSmallest) expect(sizeOf(answer.sketch)).toBe(fewest)
  }
  expect([...said].sort()).toEqual(["found false", "found true", "none", "undecided"])
})

describe("too much is looked for", () => {
  const [first = 0, second = 0, third = 0] = tags
  const [referer = 0] = referers
  const three = [first, second, third].map((value, index) =>
    claimant(40, index, [clause(true, value)]),
  )

  test("beyond the limit, not at it", () => {
    expect(searched([claimant(60, 0), claimant(40, 1)], 100)).toBe("none")
    expect(searched([claimant(60, 0), claimant(40, 1)], 99)).toMatchObject({
      sketch: { values: [], at: null },
    })
  })

  test("in orders smaller than one that is known", () => {
    const dated = claimant(120, 0, [], { startsAt: 10 })
    expect(searched([dated], 100, { fewerThan: 1 })).toBe("none")
    expect(searched([dated], 100, { fewerThan: 2 })).toMatchObject({ sketch: { at: 10 } })
    expect(searched(three, 100, { fewerThan: 3 })).toBe("none")
    expect(searched(three, 100, { fewerThan: 4 })).toMatchObject({
      sketch: { values: [first, second, third] },
      isSmallest: true,
    })
  })

  test("and a large order is told where the steps are few, unless one is known", () => {
    expect(searched(three, 100, { steps: 1 })).toMatchObject({
      sketch: { values: [first, second, third] },
      isSmallest: false,
    })
    expect(searched(three, 100, { steps: 1, fewerThan: 5 })).toBe("undecided")
  })

  test("on where the claims seem enough and are not", () => {
    const isMet = (list: ReadonlyArray<number>) => list.includes(referer)
    const claimants = [claimant(120, 0), claimant(0, 1, [clause(true, referer)])]
    const met = (given: ReadonlyArray<Claimant>, steps = 1_000) =>
      claimSearch({ claimants: given, limit: 100, isMet }, world, {
        budget: new Budget(steps),
        fewerThan: Number.POSITIVE_INFINITY,
      })
    expect(met(claimants)).toMatchObject({ sketch: { values: [referer] }, isSmallest: true })
    expect(met(claimants.slice(0, 1))).toBe("none")
  })

  test("no longer where a closer look shows that nothing comes of it", () => {
    const question = { claimants: three, limit: 100, isMet: () => true, isHopeless: () => true }
    const limits = { budget: new Budget(1_000), fewerThan: Number.POSITIVE_INFINITY }
    expect(claimSearch(question, world, limits)).toBe("none")
  })

  test("at no other times than those in which a dated group is paid", () => {
    const claimants = [
      claimant(60, 0, [], { startsAt: 10, endsAt: 20 }),
      claimant(60, 1, [], { startsAt: 15, endsAt: 30 }),
    ]
    expect(searched(claimants, 100)).toMatchObject({ sketch: { values: [], at: 15 } })
    expect(searched(claimants, 50)).toMatchObject({ sketch: { values: [], at: 10 } })
  })

  test("in a number of steps that does not grow with values that nothing tells apart", () => {
    const many = Array.from({ length: 60 }, (_, index) => values.numberOf("order.tag", `t${index}`))
    const claimants = [
      claimant(60, 0, [clause(true, ...many)]),
      claimant(60, 1, [clause(true, ...many)]),
      claimant(60, 2, [clause(false, ...many)]),
    ]
    expect(searched(claimants, 121, { steps: 60 })).toBe("none")
    expect(searched(claimants, 100, { steps: 60 })).toMatchObject({ isSmallest: true })
  })
})

describe("an order that seems enough and is not", () => {
  const [tag = 0, otherTag = 0] = tags
  const [referer = 0] = referers

  test("is not made larger before all others of its size are looked at", () => {
    const claimants = [
      claimant(120, 0),
      ...[tag, otherTag, referer].map((value, index) =>
        claimant(0, index + 1, [clause(true, value)]),
      ),
    ]
    const isMet = (list: ReadonlyArray<number>) =>
      list.includes(otherTag) || (list.includes(tag) && list.includes(referer))
    const question = { claimants, limit: 100, isMet }
    const limits = { budget: new Budget(10_000), fewerThan: Number.POSITIVE_INFINITY }
    expect(claimSearch(question, world, limits)).toMatchObject({
      sketch: { values: [otherTag] },
      isSmallest: true,
    })
  })
})

/** A search that finds nothing takes so many steps, and no fewer. */
describe("steps are taken", () => {
  const [tag = 0] = tags
  const [vendor = 0, otherVendor = 0] = vendors
  const [referer = 0] = referers
  const tagged = (count: number, claimed: number) =>
    Array.from({ length: count }, (_, index) =>
      claimant(claimed, index, [clause(true, values.numberOf("customer.tag", `c${index}`))]),
    )
  const expectSteps = (claimants: ReadonlyArray<Claimant>, limit: number, steps: number) => {
    const isMet = () => false
    expect(searched(claimants, limit, { steps, isMet })).toBe("none")
    if (steps > 0) expect(searched(claimants, limit, { steps: steps - 1, isMet })).toBe("undecided")
  }

  test("none where everyone's largest claims are not enough", () => {
    expectSteps([claimant(60, 0), claimant(40, 1), claimant(30, 1)], 100, 0)
  })

  test("one for each claimant and order where nothing can be added", () => {
    expectSteps([claimant(60, 0), claimant(50, 1)], 100, 2)
  })

  test("for orders with as many values as are needed, once those without any were looked at", () => {
    // No value; how many are needed; and then the four, put in one by one.
    expectSteps(tagged(4, 30), 100, 4 + 4 + 4 + 4 * 4)
    expectSteps(tagged(5, 25), 100, 5 + 5 + 5 + 5 * 5)
  })

  test("for each choice of values once", () => {
    // Four of five: with what they begin with, and can still become enough, that are 14 sets of values. The first
    // four seem enough, so they are looked at again together with the fifth.
    expectSteps(tagged(5, 30), 100, 5 + 5 + (5 + 14 * 5) + (5 + 15 * 5))
  })

  test("for no more orders when a product can't be of two vendors", () => {
    const claimants = [
      claimant(60, 0, [clause(true, tag)]),
      claimant(60, 0, [clause(true, referer)]),
      claimant(60, 1, [clause(true, vendor)]),
      claimant(60, 2, [clause(true, otherVendor)]),
    ]
    expectSteps(claimants, 125, 4)
    expectSteps(claimants, 120, 4)
  })

  test("for values that add to what is claimed only", () => {
    const claimants = [
      claimant(60, 0),
      claimant(50, 1, [clause(true, tag)]),
      claimant(0, 2, [clause(true, referer)]),
    ]
    // The tag alone; and what seems enough with it is not, so the referer is put in beside it.
    expectSteps(claimants, 100, 3 + (3 + 3) + (3 + 3 + 3))
  })

  test("for values that add to what is claimed, where it is as much as there is", () => {
    const claimants = [
      claimant(60, 0),
      claimant(40, 1),
      claimant(10, 2, [clause(true, tag)]),
      claimant(0, 3, [clause(true, referer)]),
    ]
    expectSteps(claimants, 100, 4 + (4 + 4) + (4 + 4 + 4))
  })

  test("at no time at which no dated group is paid", () => {
    const dated = claimant(60, 0, [], { startsAt: 10, endsAt: 20 })
    expectSteps([dated, claimant(50, 1)], 100, 4)
  })
})
