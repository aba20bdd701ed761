import * as fc from "fast-check"
import { expect, it } from "vitest"
import { ExactSum } from "../../../src/cli/output/ExactSum.js"

const amounts = fc.array(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -9, max: 9 })))

const sumOf = (values: ReadonlyArray<number>): ExactSum => {
  const sum = new ExactSum()
  for (const value of values) sum.add(value)
  return sum
}

const exact = (values: ReadonlyArray<number>): bigint =>
  values.reduce((total, value) => total + BigInt(value), 0n)

it("a sum of any amounts is exact, and so are sums of sums and their differences", () => {
  fc.assert(
    fc.property(amounts, amounts, (some, others) => {
      const [sum, other] = [sumOf(some), sumOf(others)]
      expect(sum.differenceTo(other)).toBe(exact(others) - exact(some))
      sum.addSum(other)
      expect(sum.value).toBe(exact([...some, ...others]))
    }),
  )
})
