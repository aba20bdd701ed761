/** How many products each selection takes, worked out for all selections at once. */
import { countBits, hasBit, setBit, unite, wordsFor } from "./bits.js"
import type { Links } from "./Links.js"
import { type Postings, positionsAt } from "./Postings.js"
import { scratchOf } from "./Vocabulary.js"

/** What is added to: the counts of the selections in use, `times` 1 or -1. */
export interface Tally {
  readonly uses: Int32Array
  readonly counts: Int32Array
  readonly times: 1 | -1
}

const lengthAt = ({ starts }: Postings, at: number): number =>
  (starts[at + 1] ?? 0) - (starts[at] ?? 0)

const add = ({ counts, times }: Tally, index: number, count: number): void => {
  counts[index] = (counts[index] ?? 0) + times * count
}

/** What the selections find in an index. */
interface Finds {
  /** The selections in use of which a value is there at all, each once. */
  readonly met: ReadonlyArray<number>
  /** For each selection how many of its values are there. */
  readonly present: Int32Array
  /** For each selection how many positions these have in all. */
  readonly sums: Int32Array
}

const findsOf = ({ askers, selections }: Links, postings: Postings, { uses }: Tally): Finds => {
  const present = new Int32Array(selections.length)
  const sums = new Int32Array(selections.length)
  const met: Array<number> = []
  const { numbers } = postings
  for (let at = 0; at < numbers.length; at += 1) {
    const asking = askers[numbers[at] ?? 0]
    if (asking === undefined) continue
    const length = lengthAt(postings, at)
    for (let next = 0; next < asking.length; next += 1) {
      const index = asking[next] ?? 0
      if (index >= uses.length || uses[index] === 0) continue
      const before = present[index] ?? 0
      if (before === 0) met.push(index)
      present[index] = before + 1
      sums[index] = (sums[index] ?? 0) + length
    }
  }
  return { met, present, sums }
}

/** Which way a selection is counted. */
const [byValue, byProduct, byBits] = [0, 1, 2]

/**
 * A selection with one value that is there needs no more than its length. Those with few positions are
 * counted product by product, those with many by uniting bits.
 */
const waysOf = ({ met, present, sums }: Finds, words: number): Uint8Array => {
  const ways = new Uint8Array(present.length)
  for (const index of met) {
    if ((present[index] ?? 0) < 2) continue
    ways[index] = (sums[index] ?? 0) <= words / 2 + 32 ? byProduct : byBits
  }
  return ways
}

/** For each value that is there, the selections with it that are counted product by product. */
const askersByPlace = ({ askers }: Links, { numbers }: Postings, ways: Uint8Array) => {
  const starts = new Int32Array(numbers.length + 1)
  const found: Array<number> = []
  for (let at = 0; at < numbers.length; at += 1) {
    const asking = askers[numbers[at] ?? 0]
    if (asking !== undefined) {
      for (let next = 0; next < asking.length; next += 1) {
        const index = asking[next] ?? 0
        if (ways[index] === byProduct) found.push(index)
      }
    }
    starts[at + 1] = found.length
  }
  return { starts, found: Int32Array.from(found) }
}

/** Goes through the products and adds 1 for each selection that takes one, at the first of its values. */
const countByProduct = (links: Links, postings: Postings, ways: Uint8Array, tally: Tally): void => {
  const { starts, found } = askersByPlace(links, postings, ways)
  if (found.length === 0) return
  const { counts, times } = tally
  const lasts = new Int32Array(ways.length).fill(-1)
  const { slots, ends } = postings
  let at = 0
  for (let position = 0; position < ends.length; position += 1) {
    for (const end = ends[position] ?? 0; at < end; at += 1) {
      const slot = slots[at] ?? -1
      if (slot < 0) continue
      for (let next = starts[slot] ?? 0, last = starts[slot + 1] ?? 0; next < last; next += 1) {
        const index = found[next] ?? 0
        if (lasts[index] === position) continue
        lasts[index] = position
        counts[index] = (counts[index] ?? 0) + times
      }
    }
  }
}

/** What is at hand while bits are united. */
interface Uniting {
  readonly postings: Postings
  readonly words: number
  /** For each value of the vocabulary its place in the index, or -1. */
  readonly placeOf: Int32Array
  /** The positions of values that many products have, as bits, by place. */
  readonly rows: Array<Int32Array | undefined>
  readonly long: Array<Int32Array>
  readonly united: Int32Array
  /** For each position the last selection that has met it, counted from 1. */
  readonly met: Int32Array
}

const rowAt = ({ rows, postings, words }: Uniting, at: number): Int32Array => {
  const known = rows[at]
  if (known !== undefined) return known
  const row = new Int32Array(words)
  const positions = positionsAt(postings, at)
  for (let next = 0; next < positions.length; next += 1) setBit(row, positions[next] ?? 0)
  rows[at] = row
  return row
}

/** The union of the values that many products have. */
const uniteLong = (uniting: Uniting, values: Int32Array): Int32Array | undefined => {
  const { placeOf, postings, words, long } = uniting
  long.length = 0
  for (let next = 0; next < values.length; next += 1) {
    const at = placeOf[values[next] ?? 0] ?? -1
    if (at >= 0 && lengthAt(postings, at) > words) long.push(rowAt(uniting, at))
  }
  return long.length > 1 ? unite(long, words, uniting.united) : long[0]
}

/** How many of the positions at a place neither the row nor the selection has met before. */
const countNew = (
  { postings: { starts, positions }, met }: Uniting,
  at: number,
  { row, mark }: { readonly row: Int32Array | undefined; readonly mark: number },
): number => {
  let count = 0
  for (let next = starts[at] ?? 0, end = starts[at + 1] ?? 0; next < end; next += 1) {
    const position = positions[next] ?? 0
    if (met[position] === mark || (row !== undefined && hasBit(row, position))) continue
    met[position] = mark
    count += 1
  }
  return count
}

/** The size of the union of values: bits for those with many positions, lists for the others. */
const countUnion = (uniting: Uniting, values: Int32Array, mark: number): number => {
  const { placeOf, postings, words } = uniting
  const row = uniteLong(uniting, values)
  let count = row === undefined ? 0 : countBits(row, words)
  if (uniting.long.length === values.length) return count
  for (const number of values) {
    const at = placeOf[number] ?? -1
    if (at < 0 || lengthAt(postings, at) > words) continue
    count += countNew(uniting, at, { row, mark })
  }
  return count
}

const countByBits = (
  { vocabulary, selections }: Links,
  postings: Postings,
  indexes: ReadonlyArray<number>,
  tally: Tally,
): void => {
  if (indexes.length === 0) return
  const { numbers, products } = postings
  const words = wordsFor(products.length)
  const placeOf = scratchOf(vocabulary)
  const [united, met] = [new Int32Array(words), new Int32Array(products.length)]
  const uniting: Uniting = { postings, words, placeOf, rows: [], long: [], united, met }
  for (let at = 0; at < numbers.length; at += 1) placeOf[numbers[at] ?? 0] = at
  for (const index of indexes) {
    const values = selections[index]?.values
    if (values !== undefined) add(tally, index, countUnion(uniting, values, index + 1))
  }
  for (let at = 0; at < numbers.length; at += 1) placeOf[numbers[at] ?? 0] = -1
}

/** Adds to the counts how many products of an index each selection takes. */
export const addCounts = (links: Links, postings: Postings, tally: Tally): void => {
  const size = postings.products.length
  if (size === 0) return
  const finds = findsOf(links, postings, tally)
  const ways = waysOf(finds, wordsFor(size))
  const wide: Array<number> = []
  for (const index of finds.met) {
    if (ways[index] === byValue) add(tally, index, finds.sums[index] ?? 0)
    else if (ways[index] === byBits) wide.push(index)
  }
  for (const index of links.takers) add(tally, index, size)
  countByProduct(links, postings, ways, tally)
  countByBits(links, postings, wide, tally)
}
