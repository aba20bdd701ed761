import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as exact from "../../../src/money/internal/exact.js"
import { allocateExactly, basisPointsOf } from "../../../src/money/internal/exact.js"

const most = Number.MAX_SAFE_INTEGER

describe("a sum", () => {
  it("is a number where numbers are exact, else whole beyond them", () => {
    expect(exact.add(1, 2)).toBe(3)
    expect(exact.add(most, 1)).toBe(9_007_199_254_740_992n)
    expect(exact.add(1n, 2)).toBe(3n)
    expect(exact.add(1, 2n)).toBe(3n)
    expect(exact.sum([])).toBe(0)
    expect(exact.sum([1, -3])).toBe(-2)
    expect(exact.sum([most, 2, -5])).toBe(9_007_199_254_740_988n)
  })
})

describe("a product", () => {
  it("is a number where numbers are exact, else whole beyond them", () => {
    expect(exact.multiply(-3, 7)).toBe(-21)
    expect(exact.multiply(most, -3)).toBe(-27_021_597_764_222_973n)
  })

  it("divided is the floor and what is left of it, whatever its size", () => {
    const natural = fc.oneof(fc.nat(1_000), fc.maxSafeNat(), fc.constantFrom(0, 1, most))
    fc.assert(
      fc.property(natural, natural, natural, (value, factor, divisor) => {
        fc.pre(divisor > 0)
        const product = BigInt(value) * BigInt(factor)
        fc.pre(product / BigInt(divisor) <= BigInt(most))
        expect(exact.multiplyDivide(value, factor, divisor)).toEqual({
          quotient: Number(product / BigInt(divisor)),
          remainder: Number(product % BigInt(divisor)),
        })
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    [1, 1, 2, 1],
    [-1, 1, 2, -1],
    [1, -1, 2, -1],
    [-1, -1, 2, 1],
    [1, 1, 3, 0],
    [-1, 1, 3, 0],
    [2, 1, 3, 1],
    [0, -1, 3, 0],
    [-7, 10, 4, -18],
  ])("%i times %i by %i is %i, half away from zero", (value, factor, divisor, rounded) => {
    expect(exact.multiplyDivideHalfUp(value, factor, divisor)).toBe(rounded)
  })
})

describe("what is beyond every number", () => {
  const huge = 2n ** 60n + 1n

  it.each([
    [huge, 1, 2 ** 20, 1_099_511_627_776],
    [huge, 3, 2 ** 30, 3_221_225_472],
    [2n ** 53n, 1, 2, 4_503_599_627_370_496],
    [2n ** 53n + 1n, 1, 2, 4_503_599_627_370_497],
    [2n ** 53n + 1n, 1, 3, 3_002_399_751_580_331],
    [2n ** 53n + 3n, 1, 3, 3_002_399_751_580_332],
    [5n, 1, 2, 3],
    [5n, 1, 4, 1],
    [0n, 7, 3, 0],
  ])("%d times %i by %i is %i, half up", (value, factor, divisor, rounded) => {
    expect(exact.multiplyDivideHalfUp(value, factor, divisor)).toBe(rounded)
  })

  it("is turned round as numbers are", () => {
    expect([exact.times(-1, huge), exact.times(1, huge)]).toEqual([-huge, huge])
    expect([exact.times(-1, 7), exact.times(1, 7), exact.times(-1, -7)]).toEqual([-7, 7, 7])
    expect(exact.times(-1, 0)).toBe(0)
  })
})

it("a whole number is a safe one, or none", () => {
  expect(exact.toSafe(5n)).toBe(5)
  expect(exact.toSafe(BigInt(most) + 1n)).toBeUndefined()
  expect(exact.toSafe(most)).toBe(most)
})

it("a percentage is hundredths of a percent, and none is nothing", () => {
  expect(["12.50", "0.07", "100.00", "0.00", null].map(basisPointsOf)).toEqual([
    1250, 7, 10_000, 0, 0,
  ])
})

it("an amount beyond the safe integers is divided to the cent when no part of it is beyond them", () => {
  const amount = 2n ** 53n + 1n
  expect(allocateExactly(amount, [1, 1])).toEqual([4_503_599_627_370_497, 4_503_599_627_370_496])
  expect(allocateExactly(-amount, [1, 1])).toEqual([-4_503_599_627_370_497, -4_503_599_627_370_496])
  expect(allocateExactly(0n, [1, 1])).toEqual([0, 0])
  expect(allocateExactly(-amount, [1, 0, 1])[1]).toBe(0)
})

describe("the cents that are left over", () => {
  /** Sorted as the rule says it: by remainder, the largest first, and by place where two are equal. */
  const simply = (remainders: ReadonlyArray<number | bigint>, leftOver: number) => {
    const turns = remainders
      .map((remainder, place) => ({ remainder, place }))
      .sort((a, b) =>
        a.remainder === b.remainder ? a.place - b.place : a.remainder < b.remainder ? 1 : -1,
      )
    const served = new Set(turns.slice(0, leftOver).map(({ place }) => place))
    return remainders.map((_, place) => (served.has(place) ? 1 : 0))
  }

  it("go to the largest remainders, of equal ones to the first, however many there are", () => {
    const sizes = fc.oneof(fc.nat(12), fc.integer({ min: 38, max: 43 }), fc.nat(300))
    const cases = fc
      .tuple(sizes, fc.boolean(), fc.constantFrom(1, 3, 10_000, most))
      .chain(([length, isHuge, top]) =>
        fc.record({
          remainders: fc.array(fc.maxSafeNat(), { minLength: length, maxLength: length }),
          isHuge: fc.constant(isHuge),
          top: fc.constant(top),
          leftOver: fc.nat(length),
        }),
      )
    const told = { few: 0, many: 0, ties: 0 }
    fc.assert(
      fc.property(cases, ({ remainders, isHuge, top, leftOver }) => {
        const given: ReadonlyArray<number | bigint> = remainders.map((value) =>
          isHuge ? BigInt(value % top) * 2n ** 70n : value % top,
        )
        const parts = given.map(() => 0)
        expect(exact.giveLeftOver(parts, given, leftOver)).toEqual(simply(given, leftOver))
        told[given.length > 40 ? "many" : "few"] += 1
        if (new Set(given).size < given.length) told.ties += 1
      }),
      { numRuns: 400 },
    )
    expect(Math.min(told.few, told.many, told.ties)).toBeGreaterThan(50)
  })
})
