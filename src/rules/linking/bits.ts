/** Sets of positions as bits, 32 to a word. */

import { numberAt } from "../../internal/at.js"

export const wordsFor = (size: number): number => (size + 31) >>> 5

export const hasBit = (row: Int32Array, position: number): boolean =>
  ((numberAt(row, position >>> 5) >>> (position & 31)) & 1) === 1

export const setBit = (row: Int32Array, position: number): void => {
  const word = position >>> 5
  row[word] = numberAt(row, word) | (1 << (position & 31))
}

const ones = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Of three words, the bits that are in two of them or all; the rest of the sum is their exclusive or. */
const carry = (a: number, b: number, c: number): number => (a & b) | ((a ^ b) & c)

/**
 * How many bits are set. Eight words at a time are added up by full adders on whole words, so that only
 * one word of eight is counted by itself.
 */
export const countBits = (row: Int32Array, words: number): number => {
  let one = 0
  let two = 0
  let four = 0
  let count = 0
  let at = 0
  for (const whole = words - 7; at < whole; at += 8) {
    const a = numberAt(row, at)
    const b = numberAt(row, at + 1)
    const twoA = carry(one, a, b)
    one ^= a ^ b
    const c = numberAt(row, at + 2)
    const d = numberAt(row, at + 3)
    const twoB = carry(one, c, d)
    one ^= c ^ d
    const fourA = carry(two, twoA, twoB)
    two ^= twoA ^ twoB
    const e = numberAt(row, at + 4)
    const f = numberAt(row, at + 5)
    const twoC = carry(one, e, f)
    one ^= e ^ f
    const g = numberAt(row, at + 6)
    const h = numberAt(row, at + 7)
    const twoD = carry(one, g, h)
    one ^= g ^ h
    const fourB = carry(two, twoC, twoD)
    two ^= twoC ^ twoD
    count += ones(carry(four, fourA, fourB))
    four ^= fourA ^ fourB
  }
  count = count * 8 + ones(four) * 4 + ones(two) * 2 + ones(one)
  for (; at < words; at += 1) count += ones(numberAt(row, at))
  return count
}

/** Puts the union of two rows into a row, which may be one of them. */
export const uniteTwo = (a: Int32Array, b: Int32Array, into: Int32Array, words: number): void => {
  for (let at = 0; at < words; at += 1) into[at] = numberAt(a, at) | numberAt(b, at)
}

/** Puts the union of three rows into a row, which may be one of them. */
export const uniteThree = (
  rows: { readonly a: Int32Array; readonly b: Int32Array; readonly c: Int32Array },
  into: Int32Array,
  words: number,
): void => {
  const { a, b, c } = rows
  for (let at = 0; at < words; at += 1) {
    into[at] = numberAt(a, at) | numberAt(b, at) | numberAt(c, at)
  }
}

/** The positions of the bits that are set, from the first on. */
export const eachBit = (row: Int32Array, visit: (position: number) => void): void => {
  for (let at = 0; at < row.length; at += 1) {
    let word = numberAt(row, at)
    while (word !== 0) {
      visit(at * 32 + 31 - Math.clz32(word & -word))
      word &= word - 1
    }
  }
}
