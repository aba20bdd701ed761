import { Allocation } from "apportion"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const weight = fc.oneof(
  fc.constant(0),
  fc.nat(10),
  fc.nat(10_000),
  fc.maxSafeNat(),
  fc.constant(Number.MAX_SAFE_INTEGER),
)
const amount = fc.oneof(fc.integer({ min: -100, max: 100 }), fc.maxSafeInteger())

/** The exact floor of a part, worked out without any of the shortcuts. */
const floorOf = (whole: number, part: number, weights: ReadonlyArray<number>): bigint => {
  const total = weights.reduce((sum, each) => sum + BigInt(each), 0n)
  return (BigInt(Math.abs(whole)) * BigInt(part)) / total
}

describe("dividing an amount by largest remainder", () => {
  it("adds up to the amount, whatever the size of amount and weights", () => {
    fc.assert(
      fc.property(amount, fc.array(weight, { minLength: 1, maxLength: 8 }), (whole, weights) => {
        fc.pre(weights.some((each) => each > 0))
        const parts = Allocation.allocate(whole, weights)
        const total = parts.reduce((sum, part) => sum + BigInt(part), 0n)
        expect(total).toBe(BigInt(whole))
      }),
    )
  })

  it("gives each part the floor or the ceiling of its exact value", () => {
    fc.assert(
      fc.property(amount, fc.array(weight, { minLength: 1, maxLength: 8 }), (whole, weights) => {
        fc.pre(weights.some((each) => each > 0))
        Allocation.allocate(whole, weights).forEach((part, index) => {
          const floor = floorOf(whole, weights[index] ?? 0, weights)
          expect([floor, floor + 1n]).toContain(BigInt(Math.abs(part)))
        })
      }),
    )
  })

  it("gives the odd cents to the largest remainders, the earlier one first, few weights or many", () => {
    const weights = fc.array(fc.oneof(fc.nat(9), fc.maxSafeNat()), {
      minLength: 1,
      maxLength: 90,
      size: "max",
    })
    fc.assert(
      fc.property(amount, weights, (whole, each) => {
        const total = each.reduce((sum, one) => sum + BigInt(one), 0n)
        fc.pre(total > 0n)
        const size = BigInt(Math.abs(whole))
        const exact = each.map((one, index) => {
          const product = size * BigInt(one)
          return { index, floor: product / total, rest: product % total }
        })
        const leftOver = size - exact.reduce((sum, { floor }) => sum + floor, 0n)
        const served = exact
          .toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest < b.rest ? 1 : -1))
          .slice(0, Number(leftOver))
        const wanted = exact.map((part) => Number(part.floor) + (served.includes(part) ? 1 : 0))
        const parts = Allocation.allocate(whole, each).map((part) => Math.abs(part))
        expect(parts).toEqual(wanted)
      }),
      { numRuns: 300 },
    )
  })

  it("mirrors negative amounts", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.array(weight, { maxLength: 8 }), (whole, weights) => {
        const mirrored = Allocation.allocate(-whole, weights).map((part) =>
          part === 0 ? 0 : -part,
        )
        expect(mirrored).toEqual(Allocation.allocate(whole, weights))
      }),
    )
  })

  it("gives a weight of zero nothing", () => {
    fc.assert(
      fc.property(amount, fc.array(weight, { minLength: 1, maxLength: 8 }), (whole, weights) => {
        const parts = Allocation.allocate(whole, [...weights, 0])
        expect(parts.at(-1)).toBe(0)
      }),
    )
  })

  it("serves equal remainders in the order of the weights", () => {
    expect(Allocation.allocate(100, [1, 1, 1])).toEqual([34, 33, 33])
    expect(Allocation.allocate(2, [1, 1, 1])).toEqual([1, 1, 0])
  })

  it("divides nothing into nothings, also when it is a negative nothing", () => {
    expect(Allocation.allocate(0, [1, 2])).toEqual([0, 0])
    expect(Allocation.allocate(-0, [1, 2])).toEqual([0, 0])
    expect(Allocation.allocate(-1, [1, 2])).toEqual([0, -1])
  })

  it("divides nothing when there is no weight", () => {
    expect(Allocation.allocate(100, [])).toEqual([])
    expect(Allocation.allocate(100, [0, 0])).toEqual([0, 0])
  })

  it("is exact when the weights add up beyond the safe integers", () => {
    const huge = Number.MAX_SAFE_INTEGER
    expect(Allocation.allocate(huge, [huge, huge, huge - 1])).toEqual([
      3002399751580331, 3002399751580330, 3002399751580330,
    ])
  })
})

describe("what can't be divided exactly", () => {
  const pathsOf = (amount: number, weights: ReadonlyArray<number>) => {
    const result = Allocation.allocateResult(amount, weights)
    return Result.isFailure(result) ? result.failure.problems.map(({ path }) => path) : []
  }

  it("is refused: half a cent, no number, what is beyond the safe integers, weights below 0", () => {
    for (const amount of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(pathsOf(amount, [1])).toEqual(["amount"])
    }
    expect(pathsOf(100, [1, -1, 0.5])).toEqual(["weights[1]", "weights[2]"])
    expect(() => Allocation.allocate(1.5, [1])).toThrow(Allocation.InvalidAllocation)
    expect(() => Allocation.allocate(1.5, [1])).toThrow(
      "amount: must be a whole number of cents within ±9007199254740991, got 1.5",
    )
  })

  it("is told of a hundred weights at most, and of a list of four thousand million places at once", () => {
    expect(pathsOf(1, new Array(2 ** 32 - 1))).toHaveLength(100)
    expect(Result.isFailure(Reflect.apply(Allocation.allocateResult, undefined, [1, null]))).toBe(
      true,
    )
  })

  it("is not a zero below zero: its part is 0", () => {
    expect(Allocation.allocate(100, [-0, 1])).toEqual([0, 100])
    expect(Allocation.allocate(-0, [1])).toEqual([0])
    expect(Allocation.allocate(-100, [-0, 1])).toEqual([0, -100])
  })
})
