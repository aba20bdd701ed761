import { describe, expect, test } from "vitest"
import { Budget, finish } from "../../../src/analysis/internal/Budget.js"
import { Claims, sumOfGains } from "../../../src/analysis/internal/Claims.js"
import {
  allValues,
  claimant,
  claimantsOf,
  claimedOf,
  clause,
  ids,
  possibleSets,
  referers,
  tags,
  values,
  vendors,
} from "./Claimants.js"

const [tag = 0, otherTag = 0] = tags
const [vendor = 0, otherVendor = 0] = vendors
const [referer = 0] = referers

describe("the largest gains that can come together", () => {
  const gains = [
    { value: vendor, most: 50, count: 1 },
    { value: otherVendor, most: 40, count: 1 },
    { value: tag, most: 30, count: 1 },
    { value: otherTag, most: 20, count: 1 },
  ]
  const sum = (from: number, most: number) => sumOfGains(gains, values, { from, most })

  test("are of one vendor, and of as many tags as there are", () => {
    expect(sum(0, 4)).toBe(100)
    expect(sum(1, 4)).toBe(90)
    expect(sum(2, 4)).toBe(50)
    expect(sum(4, 4)).toBe(0)
  })

  test("are no more than are asked for", () => {
    expect([0, 1, 2, 3, 4].map((most) => sum(0, most))).toEqual([0, 50, 80, 100, 100])
  })
})

describe("an order in outline", () => {
  const claims = (...list: ReadonlyArray<ReturnType<typeof claimant>>) =>
    new Claims(list, { at: null, values, budget: Budget.of(1_000_000) })

  test("tells what is claimed, what can be, and by what", () => {
    const made = claims(
      claimant(60, 0, [clause(true, tag)]),
      claimant(10, 0),
      claimant(30, 1, [clause(true, otherTag), clause(true, referer)]),
    )
    expect(finish(made.outlook())).toEqual({
      claimed: 10,
      most: 90,
      gains: [
        { value: tag, most: 50, count: 1 },
        { value: otherTag, most: 15, count: 1 },
        { value: referer, most: 15, count: 1 },
      ],
    })
    made.put(tag)
    expect(finish(made.outlook())).toMatchObject({ claimed: 60, most: 90 })
    made.put(referer)
    expect(finish(made.outlook()).gains).toEqual([{ value: otherTag, most: 30, count: 1 }])
    made.take(tag)
    made.take(referer)
    expect(made.valuesThere()).toEqual([])
    expect(finish(made.outlook())).toMatchObject({ claimed: 10, most: 90 })
  })

  test("knows that a product has one vendor", () => {
    const made = claims(
      claimant(60, 0, [clause(true, vendor)]),
      claimant(50, 1, [clause(true, otherVendor)]),
    )
    expect(finish(made.outlook())).toMatchObject({ claimed: 0, most: 60 })
    made.put(otherVendor)
    expect(finish(made.outlook())).toEqual({ claimed: 50, most: 50, gains: [] })
    expect(made.canCome(vendor)).toBe(false)
    expect(made.all()).toEqual([])
    made.take(otherVendor)
    expect(made.all()).toEqual([vendor, otherVendor])
    expect(finish(made.outlook())).toMatchObject({ claimed: 0, most: 60 })
    expect(finish(made.outlook()).gains).toHaveLength(2)
  })

  test("expects nothing of those who need another vendor as well", () => {
    const made = claims(
      claimant(60, 0, [clause(true, vendor), clause(true, tag)]),
      claimant(10, 1, [clause(true, otherVendor)]),
    )
    expect(finish(made.outlook()).gains).toHaveLength(3)
    made.put(otherVendor)
    expect(finish(made.outlook())).toEqual({ claimed: 10, most: 10, gains: [] })
  })

  test("loses nothing of an odd sum for which two values are needed", () => {
    const made = claims(claimant(61, 0, [clause(true, vendor), clause(true, ids[0] ?? 0)]))
    const { most, gains } = finish(made.outlook())
    expect(most).toBe(62)
    expect(gains.map((gain) => gain.most)).toEqual([31, 31])
  })

  test("expects of a vendor only what is claimed beyond what all can claim", () => {
    const made = claims(claimant(60, 0, [clause(true, vendor)]), claimant(10, 0))
    expect(finish(made.outlook())).toMatchObject({ claimed: 10, most: 60 })
  })

  test("does not expect two vendors where something else is needed as well", () => {
    const made = claims(
      claimant(60, 0, [clause(true, vendor), clause(true, tag)]),
      claimant(60, 1, [clause(true, otherVendor), clause(true, referer)]),
    )
    expect(finish(made.outlook())).toMatchObject({ claimed: 0, most: 60 })
  })

  test("gains nothing by keeping a group away that does not apply", () => {
    const made = claims(
      claimant(10, 0, [clause(true, tag), clause(false, otherTag)]),
      claimant(60, 0, [clause(true, referer)]),
    )
    expect(finish(made.outlook()).gains).toEqual([
      { value: referer, most: 60, count: 1 },
      { value: tag, most: 10, count: 1 },
    ])
  })

  test("is not changed by a second value where one is enough", () => {
    const made = claims(claimant(10, 0, [clause(true, tag, otherTag)]), claimant(60, 0))
    made.put(tag)
    expect(finish(made.outlook())).toEqual({ claimed: 10, most: 10, gains: [] })
  })

  test("keeps a group in its place when what would take it away is left out", () => {
    const made = claims(claimant(10, 0, [clause(false, tag)]), claimant(60, 0))
    expect(finish(made.outlook()).most).toBe(60)
    made.leaveOut(tag)
    expect(finish(made.outlook())).toEqual({ claimed: 10, most: 10, gains: [] })
    made.allow(tag)
    expect(finish(made.outlook()).most).toBe(60)
  })

  test("does not wait for what is left out", () => {
    const made = claims(
      claimant(60, 0, [clause(true, tag, otherTag)]),
      claimant(20, 1, [clause(true, referer)]),
    )
    expect(finish(made.outlook())).toMatchObject({ claimed: 0, most: 80 })
    made.leaveOut(tag)
    expect(made.all()).toEqual([otherTag, referer])
    made.leaveOut(otherTag)
    expect(finish(made.outlook())).toMatchObject({ claimed: 0, most: 20 })
    made.allow(tag)
    expect(finish(made.outlook())).toMatchObject({ claimed: 0, most: 80 })
    expect(made.canCome(tag)).toBe(true)
  })

  test("gains by what keeps a group away that outranks a larger claim", () => {
    const made = claims(claimant(10, 0, [clause(false, tag)]), claimant(60, 0))
    expect(finish(made.outlook())).toEqual({
      claimed: 10,
      most: 60,
      gains: [{ value: tag, most: 50, count: 1 }],
    })
    made.put(tag)
    expect(finish(made.outlook())).toEqual({ claimed: 60, most: 60, gains: [] })
  })

  test("tells of equal gains that of the value first that was named first", () => {
    const made = claims(claimant(30, 1, [clause(true, referer), clause(true, tag)]))
    expect(finish(made.outlook()).gains.map(({ value }) => value)).toEqual([tag, referer])
  })

  test("has its values in order", () => {
    const made = claims(claimant(10, 0, [clause(true, ...allValues.slice(0, 3))]))
    for (const value of [2, 0, 1]) made.put(allValues[value] ?? 0)
    expect(made.valuesThere()).toEqual(allValues.slice(0, 3))
  })

  test("can weigh claims otherwise, and remembers its own", () => {
    const made = claims(claimant(60, 0, [clause(true, tag)]), claimant(10, 1))
    expect(finish(made.outlook(() => 1))).toMatchObject({ claimed: 1, most: 2 })
    expect(finish(made.outlook())).toMatchObject({ claimed: 10, most: 70 })
    expect(finish(made.outlook(() => 2))).toMatchObject({ claimed: 2, most: 4 })
  })
})

test("no order that has more claims above what is said to be the most", () => {
  for (let seed = 0; seed < 150; seed += 1) {
    const claimants = claimantsOf(seed)
    const at = [null, 5, 12, 30][seed % 4] ?? null
    const claims = new Claims(claimants, { at, values, budget: Budget.of(1_000_000) })
    const first = possibleSets[(seed * 7_919) % possibleSets.length]?.slice(0, 2) ?? []
    for (const value of first) claims.put(value)
    const { claimed, most, gains } = finish(claims.outlook())
    expect(claimed).toBe(claimedOf(claimants, first, at))
    const larger = possibleSets.filter((list) => first.every((value) => list.includes(value)))
    const reached = larger.map((list) => claimedOf(claimants, list, at))
    expect(most).toBeGreaterThanOrEqual(Math.max(...reached))
    for (const [place, list] of larger.entries()) {
      const more = list.filter((value) => !first.includes(value))
      const own = gains.filter(({ value }) => more.includes(value))
      const gained = own.reduce((sum, gain) => sum + gain.most, 0)
      expect(claimed + gained).toBeGreaterThanOrEqual(reached[place] ?? 0)
    }
  }
})
