import fc from "fast-check"
import { expect, it } from "vitest"
import * as bits from "../../../src/rules/linking/counts.js"

const position = fc.nat(1_023)
const positions = fc.oneof(
  fc.uniqueArray(position, { maxLength: 40, size: "max" }),
  fc.subarray([...Array(1_024).keys()], { minLength: 300 }),
)

const rowOf = (chosen: ReadonlyArray<number>): Int32Array => {
  const row = new Int32Array(32)
  for (const one of chosen) bits.setBit(row, one)
  return row
}

const found = (row: Int32Array): ReadonlyArray<number> => {
  const seen: Array<number> = []
  bits.eachBit(row, (one) => seen.push(one))
  return seen
}

const ascending = (chosen: Iterable<number>) => [...new Set(chosen)].sort((a, b) => a - b)

it("bits that are set are there, from the first on, and no others", () => {
  fc.assert(
    fc.property(positions, position, (chosen, asked) => {
      const row = rowOf(chosen)
      expect(found(row)).toEqual(ascending(chosen))
      expect(bits.hasBit(row, asked)).toBe(chosen.includes(asked))
    }),
  )
})

it("bits are counted as if one by one, however many words they fill", () => {
  fc.assert(
    fc.property(positions, fc.nat(32), (chosen, words) => {
      const within = chosen.filter((one) => one < words * 32)
      expect(bits.countBits(rowOf(chosen), words)).toBe(within.length)
    }),
  )
  const full = new Int32Array(32).fill(-1)
  expect([0, 1, 7, 8, 9, 16, 31, 32].map((words) => bits.countBits(full, words))).toEqual(
    [0, 1, 7, 8, 9, 16, 31, 32].map((words) => words * 32),
  )
})

it("rows are united word by word, in a row of their own or in one of them", () => {
  fc.assert(
    fc.property(positions, positions, positions, (one, two, three) => {
      const [a, b, c] = [rowOf(one), rowOf(two), rowOf(three)]
      const into = new Int32Array(32)
      bits.uniteTwo(a, b, into, 32)
      expect(found(into)).toEqual(ascending([...one, ...two]))
      bits.uniteThree({ a, b, c }, into, 32)
      expect(found(into)).toEqual(ascending([...one, ...two, ...three]))
      bits.uniteTwo(a, b, a, 31)
      const within = [...one, ...two.filter((each) => each < 31 * 32)]
      expect(found(a)).toEqual(ascending(within))
    }),
  )
})

it("so many words hold so many bits", () => {
  expect([0, 1, 31, 32, 33, 64, 65].map(bits.wordsFor)).toEqual([0, 1, 1, 1, 2, 2, 3])
})
