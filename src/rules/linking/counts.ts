import { numberAt } from "../../internal/at.js"
import { type Links, roomFor, scratchOf } from "./Links.js"
import { type Postings, positionsAt } from "./Postings.js"

// Sets of positions as bits, 32 to a word.

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

// How many products each selection takes, worked out for all selections at once.

/** What is added to: the counts of the selections in use, `times` 1 or -1. */
export interface Tally {
  readonly uses: Int32Array
  readonly counts: Int32Array
  readonly times: 1 | -1
}

const lengthAt = ({ starts }: Postings, at: number): number =>
  numberAt(starts, at + 1) - numberAt(starts, at)

const add = ({ counts, times }: Tally, index: number, count: number): void => {
  counts[index] = numberAt(counts, index) + times * count
}

/**
 * Room for one number a selection, kept from one count to the next, so that a small change does not begin with
 * clearing what is large. All but `lasts` is 0 between counts.
 */
export interface Room {
  /** The selections in use of which a value is there at all, each once: so many of them. */
  readonly met: Int32Array
  size: number
  /** How many values of a selection are there. */
  readonly present: Int32Array
  /** How many positions these have in all. */
  readonly sums: Int32Array
  readonly ways: Uint8Array
  /** The last product that was counted for a selection, by a mark that no other product has. */
  readonly lasts: Int32Array
  mark: number
}

const rooms = /* @__PURE__ */ new WeakMap<Links, Room>()

/** The room of a table of links, made anew when it has become too small or its marks have run out. */
export const roomOf = (links: Links, products: number): Room => {
  const known = rooms.get(links)
  const size = links.selections.length
  if (known !== undefined && known.met.length >= size && known.mark + products < 2 ** 31) {
    return known
  }
  const length = size + (size >> 2) + 16
  const ways = new Uint8Array(length)
  const [met, present] = [new Int32Array(length), new Int32Array(length)]
  const [sums, lasts] = [new Int32Array(length), new Int32Array(length)]
  const made = { met, size: 0, present, sums, ways, lasts, mark: 1 }
  rooms.set(links, made)
  return made
}

const findAll = (room: Room, links: Links, postings: Postings, { uses }: Tally): void => {
  const { met, present, sums } = room
  const { heads, nexts, owners } = links
  const { numbers } = postings
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numberAt(numbers, at)
    const length = lengthAt(postings, at)
    let next = number < heads.length ? numberAt(heads, number) : 0
    for (; next > 0; next = numberAt(nexts, next - 1)) {
      const index = numberAt(owners, next - 1)
      if (index >= uses.length || uses[index] === 0) continue
      const before = numberAt(present, index)
      if (before === 0) met[room.size++] = index
      present[index] = before + 1
      sums[index] = numberAt(sums, index) + length
    }
  }
}

/** Which way a selection is counted. */
const [byValue, byProduct, byBits] = [0, 1, 2]

/**
 * A selection with one value that is there needs no more than its length, which is added here. Those with
 * few positions are counted product by product, those with many by uniting bits; are there any of these?
 */
const sortOut = (room: Room, words: number, { counts, times }: Tally): boolean => {
  const { met, size, present, sums, ways } = room
  let isWide = false
  const most = words / 2 + 32
  for (let at = 0; at < size; at += 1) {
    const index = numberAt(met, at)
    const sum = numberAt(sums, index)
    if (numberAt(present, index) < 2) {
      ways[index] = byValue
      counts[index] = numberAt(counts, index) + times * sum
    } else if (sum <= most) ways[index] = byProduct
    else {
      ways[index] = byBits
      isWide = true
    }
  }
  return isWide
}

const clear = (room: Room, products: number): void => {
  const { met, present, sums, ways } = room
  for (let at = 0; at < room.size; at += 1) {
    const index = numberAt(met, at)
    present[index] = 0
    sums[index] = 0
    ways[index] = byValue
  }
  room.size = 0
  room.mark += products
}

/** For each value that is there, the selections with it that are counted product by product. */
const askersByPlace = ({ ways }: Room, { heads, nexts, owners }: Links, { numbers }: Postings) => {
  const starts = new Int32Array(numbers.length + 1)
  let found: Int32Array = new Int32Array(numbers.length)
  let size = 0
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numberAt(numbers, at)
    let next = number < heads.length ? numberAt(heads, number) : 0
    for (; next > 0; next = numberAt(nexts, next - 1)) {
      const index = numberAt(owners, next - 1)
      if (ways[index] !== byProduct) continue
      found = roomFor(found, size + 1)
      found[size++] = index
    }
    starts[at + 1] = size
  }
  return { starts, found, size }
}

/** Goes through the products and adds 1 for each selection that takes one, at the first of its values. */
const countByProduct = (room: Room, links: Links, postings: Postings, tally: Tally): void => {
  const { starts, found, size } = askersByPlace(room, links, postings)
  if (size === 0) return
  const { counts, times } = tally
  const { lasts, mark } = room
  const { slots, ends } = postings
  let at = 0
  for (let position = 0; position < ends.length; position += 1) {
    for (const end = numberAt(ends, position); at < end; at += 1) {
      const slot = numberAt(slots, at)
      if (slot < 0) continue
      for (
        let next = numberAt(starts, slot), last = numberAt(starts, slot + 1);
        next < last;
        next += 1
      ) {
        const index = numberAt(found, next)
        if (lasts[index] === mark + position) continue
        lasts[index] = mark + position
        counts[index] = numberAt(counts, index) + times
      }
    }
  }
}

/** What is at hand while bits are united. */
interface Uniting {
  readonly links: Links
  readonly postings: Postings
  readonly words: number
  /** For each value of the vocabulary its place in the index, or -1. */
  readonly placeOf: Int32Array
  /** The positions of values that many products have, as bits, by place. */
  readonly rows: Array<Int32Array | undefined>
  readonly united: Int32Array
  /** For each position the last selection that has met it, counted from 1. */
  readonly met: Int32Array
}

const rowAt = ({ rows, postings, words }: Uniting, at: number): Int32Array => {
  const known = rows[at]
  if (known !== undefined) return known
  const row = new Int32Array(words)
  const positions = positionsAt(postings, at)
  for (let next = 0; next < positions.length; next += 1) setBit(row, numberAt(positions, next))
  rows[at] = row
  return row
}

/** The union of the values that many products have. */
const uniteLong = (uniting: Uniting, index: number): Int32Array | undefined => {
  const { links, placeOf, postings, words, united } = uniting
  const { starts, values } = links
  let a: Int32Array | undefined
  let b: Int32Array | undefined
  for (
    let next = numberAt(starts, index), end = numberAt(starts, index + 1);
    next < end;
    next += 1
  ) {
    const at = numberAt(placeOf, numberAt(values, next))
    if (at < 0 || lengthAt(postings, at) <= words) continue
    const row = rowAt(uniting, at)
    if (a === undefined) a = row
    else if (b === undefined) b = row
    else {
      uniteThree({ a, b, c: row }, united, words)
      a = united
      b = undefined
    }
  }
  if (a === undefined || b === undefined) return a
  uniteTwo(a, b, united, words)
  return united
}

/** How many of the positions at a place neither the row nor the selection has met before. */
const countNew = (
  { postings: { starts, positions }, met }: Uniting,
  at: number,
  { row, mark }: { readonly row: Int32Array | undefined; readonly mark: number },
): number => {
  let count = 0
  for (let next = numberAt(starts, at), end = numberAt(starts, at + 1); next < end; next += 1) {
    const position = numberAt(positions, next)
    if (met[position] === mark || (row !== undefined && hasBit(row, position))) continue
    met[position] = mark
    count += 1
  }
  return count
}

/** The size of the union of values: bits for those with many positions, lists for the others. */
const countUnion = (uniting: Uniting, index: number): number => {
  const { links, placeOf, postings, words } = uniting
  const { starts, values } = links
  const row = uniteLong(uniting, index)
  let count = row === undefined ? 0 : countBits(row, words)
  for (
    let next = numberAt(starts, index), end = numberAt(starts, index + 1);
    next < end;
    next += 1
  ) {
    const at = numberAt(placeOf, numberAt(values, next))
    if (at < 0 || lengthAt(postings, at) > words) continue
    count += countNew(uniting, at, { row, mark: index + 1 })
  }
  return count
}

/** Counts the selections with many positions, in their order, as their values stand one after another. */
const countByBits = ({ ways }: Room, links: Links, postings: Postings, tally: Tally): void => {
  const { numbers, products } = postings
  const words = wordsFor(products.length)
  const placeOf = scratchOf(links.vocabulary)
  const [united, met] = [new Int32Array(words), new Int32Array(products.length)]
  const uniting: Uniting = { links, postings, words, placeOf, rows: [], united, met }
  for (let at = 0; at < numbers.length; at += 1) placeOf[numberAt(numbers, at)] = at
  for (let index = 0; index < links.selections.length; index += 1) {
    if (ways[index] === byBits) add(tally, index, countUnion(uniting, index))
  }
  for (let at = 0; at < numbers.length; at += 1) placeOf[numberAt(numbers, at)] = -1
}

/** Adds to the counts how many products of an index each selection takes. */
export const addCounts = (links: Links, postings: Postings, tally: Tally): void => {
  const size = postings.products.length
  const room = roomOf(links, size)
  findAll(room, links, postings, tally)
  const isWide = sortOut(room, wordsFor(size), tally)
  for (const index of links.takers) add(tally, index, size)
  countByProduct(room, links, postings, tally)
  if (isWide) countByBits(room, links, postings, tally)
  clear(room, size)
}
