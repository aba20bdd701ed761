import { describe, expect, test } from "vitest"
import { Budget, finish } from "../../../src/analysis/internal/Budget.js"
import type { Claimant } from "../../../src/analysis/internal/Claims.js"
import { claimSearch } from "../../../src/analysis/internal/claimSearch.js"
import { sizeOf } from "../../../src/analysis/internal/OrderShape.js"
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
  {
    steps = 1_000_000,
    spare = 1_000,
    fewerThan = Number.POSITIVE_INFINITY,
    isMet = () => true,
  }: {
    readonly steps?: number
    readonly spare?: number
    readonly fewerThan?: number
    readonly isMet?: (list: ReadonlyArray<number>) => boolean
  } = {},
) => {
  const limits = { budget: Budget.of(steps), spare: Budget.of(spare), fewerThan }
  return finish(claimSearch({ claimants, limit, isMet }, world, limits))
}

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
    const sketch = { values: [referer] }
    expect(searched(claimants, 100, { isMet })).toMatchObject({ sketch, isSmallest: true })
    expect(searched(claimants.slice(0, 1), 100, { isMet })).toBe("none")
  })

  function* hopeless() {
    yield* []
    return true
  }

  test("no longer where a closer look shows that nothing comes of it", () => {
    const question = {
      claimants: three,
      limit: 100,
      isMet: () => true,
      isHopeless: hopeless,
    }
    const budget = Budget.of(1_000)
    const limits = { budget, spare: budget, fewerThan: Number.POSITIVE_INFINITY }
    expect(finish(claimSearch(question, world, limits))).toBe("none")
  })

  test("at no other times than those in which a dated group is paid", () => {
    const claimants = [
      claimant(60, 0, [], { startsAt: 10, endsAt: 20 }),
      claimant(60, 1, [], { startsAt: 15, endsAt: 30 }),
    ]
    expect(searched(claimants, 100)).toMatchObject({ sketch: { values: [], at: 15 } })
    expect(searched(claimants, 50)).toMatchObject({ sketch: { values: [], at: 10 } })
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
    expect(searched(claimants, 100, { isMet })).toMatchObject({
      sketch: { values: [otherTag] },
      isSmallest: true,
    })
  })
})

describe("a crowd, of whom it makes no difference which ones apply", () => {
  const names = (["referer", "country.code"] as const).map((place) =>
    ["x", "y", "z"].map((name) => values.numberOf(place, name)),
  )
  const single = (claimed: number, value: number) =>
    claimant(claimed, 100 + value, [clause(true, value)])
  const crowd = (claimed: number, members: ReadonlyArray<number>): Claimant => ({
    ...single(claimed, members[0] ?? 0),
    members,
  })
  const sizeFor = (claimants: ReadonlyArray<Claimant>, limit: number) => {
    const found = searched(claimants, limit)
    return typeof found === "object" ? [sizeOf(found.sketch), found.isSmallest] : found
  }

  test.each(names)("needs as many values as its groups one by one", (...members) => {
    for (let seed = 0; seed < 60; seed += 1) {
      const others = claimantsOf(seed)
      for (const limit of [40, 100, 160, 220]) {
        const apart = [...others, ...members.map((value) => single(30, value))]
        expect(sizeFor([...others, crowd(30, members)], limit), `${seed}, ${limit}`).toEqual(
          sizeFor(apart, limit),
        )
      }
    }
  })

  test("is looked at as one: of very many, so many are known to be the fewest", () => {
    const members = Array.from({ length: 200 }, (_, index) =>
      values.numberOf("referer", `r${index}`),
    )
    const found = searched([crowd(3, members)], 100, { steps: 1_000 })
    expect(found).toEqual({
      sketch: { values: members.slice(0, 34), kind: undefined, at: null },
      isSmallest: true,
    })
  })
})

/** The steps that it takes to find nothing. */
describe("steps are taken", () => {
  const [tag = 0] = tags
  const [vendor = 0, otherVendor = 0] = vendors
  const [referer = 0] = referers
  const tagged = (count: number, claimed: number) =>
    Array.from({ length: count }, (_, index) =>
      claimant(claimed, index, [clause(true, values.numberOf("customer.tag", `c${index}`))]),
    )
  const stepsFor = (claimants: ReadonlyArray<Claimant>, limit: number): number => {
    const budget = Budget.of(1_000_000)
    const limits = { budget, spare: budget, fewerThan: Number.POSITIVE_INFINITY }
    const question = { claimants, limit, isMet: () => false }
    expect(finish(claimSearch(question, world, limits))).toBe("none")
    return budget.work.steps
  }

  test("one for each claimant where everyone's largest claims are not enough", () => {
    expect(stepsFor([claimant(60, 0), claimant(40, 1), claimant(30, 1)], 100)).toBe(3)
  })

  test("a few for each claimant where nothing can be added", () => {
    expect(stepsFor([claimant(60, 0), claimant(50, 1)], 100)).toBeLessThan(2 * 15)
  })

  test("for orders with as many values as are needed only", () => {
    // Four of four are one set of values; of eight there are seventy, and those that they begin with.
    expect(stepsFor(tagged(4, 30), 100)).toBeLessThan(stepsFor(tagged(8, 30), 100) / 20)
    expect(stepsFor(tagged(8, 14), 100)).toBeLessThan(stepsFor(tagged(8, 30), 100) / 10)
  })

  test("for no more orders when a product can't be of two vendors", () => {
    const claimants = [
      claimant(60, 0, [clause(true, tag)]),
      claimant(60, 0, [clause(true, referer)]),
      claimant(60, 1, [clause(true, vendor)]),
      claimant(60, 2, [clause(true, otherVendor)]),
    ]
    expect(stepsFor(claimants, 125)).toBeLessThan(4 * 20)
    expect(stepsFor(claimants, 120)).toBe(stepsFor(claimants, 125))
  })

  test("at no time at which no dated group is paid", () => {
    const dated = claimant(60, 0, [], { startsAt: 10, endsAt: 20 })
    const later = claimant(60, 0, [], { startsAt: 20, endsAt: 30 })
    const steps = stepsFor([dated, claimant(50, 1)], 100)
    expect(stepsFor([dated, later, claimant(50, 1)], 100)).toBeLessThan(2 * steps)
  })
})
