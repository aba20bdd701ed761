/** Sets of positions as bits, 32 to a word. */

export const wordsFor = (size: number): number => (size + 31) >>> 5

export const hasBit = (row: Int32Array, position: number): boolean =>
  (((row[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1

export const setBit = (row: Int32Array, position: number): void => {
  const word = position >>> 5
  row[word] = (row[word] ?? 0) | (1 << (position & 31))
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
  let [one, two, four, count, at] = [0, 0, 0, 0, 0]
  for (const whole = words - 7; at < whole; at += 8) {
    const [a, b] = [row[at] ?? 0, row[at + 1] ?? 0]
    const twoA = carry(one, a, b)
    one ^= a ^ b
    const [c, d] = [row[at + 2] ?? 0, row[at + 3] ?? 0]
    const twoB = carry(one, c, d)
    one ^= c ^ d
    const fourA = carry(two, twoA, twoB)
    two ^= twoA ^ twoB
    const [e, f] = [row[at + 4] ?? 0, row[at + 5] ?? 0]
    const twoC = carry(one, e, f)
    one ^= e ^ f
    const [g, h] = [row[at + 6] ?? 0, row[at + 7] ?? 0]
    const twoD = carry(one, g, h)
    one ^= g ^ h
    const fourB = carry(two, twoC, twoD)
    two ^= twoC ^ twoD
    count += ones(carry(four, fourA, fourB))
    four ^= fourA ^ fourB
  }
  count = count * 8 + ones(four) * 4 + ones(two) * 2 + ones(one)
  for (; at < words; at += 1) count += ones(row[at] ?? 0)
  return count
}

/** Puts the union of rows into another one, four at a time. */
export const unite = (
  rows: ReadonlyArray<Int32Array>,
  words: number,
  into: Int32Array,
): Int32Array => {
  const [a = into, b = a, c = b, d = c] = rows
  for (let at = 0; at < words; at += 1) {
    into[at] = (a[at] ?? 0) | (b[at] ?? 0) | (c[at] ?? 0) | (d[at] ?? 0)
  }
  for (let next = 4; next < rows.length; next += 1) {
    const row = rows[next] ?? into
    for (let at = 0; at < words; at += 1) into[at] = (into[at] ?? 0) | (row[at] ?? 0)
  }
  return into
}

/** The positions of the bits that are set, from the first on. */
export const eachBit = (row: Int32Array, visit: (position: number) => void): void => {
  for (let at = 0; at < row.length; at += 1) {
    let word = row[at] ?? 0
    while (word !== 0) {
      visit(at * 32 + 31 - Math.clz32(word & -word))
      word &= word - 1
    }
  }
}
