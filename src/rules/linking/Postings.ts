/** An index from the values of products to their positions in a list. */
import { at, numberAt } from "../../internal/at.js"
import { ofProduct } from "../../orders/Attribute.js"
import type { Product } from "../../orders/Product.js"
import { roomFor, scratchOf, type Vocabulary, wordNumber } from "./Links.js"

/** For each value that the products have, the positions of those that have it, each once and ascending. */
export interface Postings {
  readonly products: ReadonlyArray<Product>
  /** The numbers of the values that are there, each at its place in this index. */
  readonly numbers: Int32Array
  /** Where the positions of each value start; one more than there are values. */
  readonly starts: Int32Array
  readonly positions: Int32Array
  /** The places of each product's values, one product after another; -1 for one that it has twice. */
  readonly slots: Int32Array
  /** Where the values of each product end. */
  readonly ends: Int32Array
  /** Size of the vocabulary when the index was made: ids that were named later are not in it. */
  readonly vocabularySize: number
  /** Place of each value; made when first asked for. */
  places: ReadonlyMap<number, number> | undefined
  /** Positions of all ids, named or not; made when first asked for. */
  byId: ReadonlyMap<string, ReadonlyArray<number>> | undefined
}

/** The numbers of the values of products, one product after another. */
interface Listed {
  readonly values: Int32Array
  /** Where the values of each product end. */
  readonly ends: Int32Array
}

/** Turns what links ask about into numbers; ids that no rule names are left out. */
const list = (vocabulary: Vocabulary, products: ReadonlyArray<Product>): Listed => {
  const ends = new Int32Array(products.length)
  const kinds = [...vocabulary.words.values()]
  let values: Int32Array = new Int32Array(products.length * 8)
  let size = 0
  for (const [position, product] of products.entries()) {
    for (const words of kinds) {
      const texts = words.read(product)
      values = roomFor(values, size + texts.length)
      for (const text of texts) values[size++] = wordNumber(vocabulary, words, text)
    }
    const ids = ofProduct.products(product)
    values = roomFor(values, size + ids.length)
    for (const id of ids) {
      const number = vocabulary.ids.get(id)
      if (number !== undefined) values[size++] = number
    }
    ends[position] = size
  }
  return { values: values.subarray(0, size), ends }
}

/** The place of each value, -1 for one that its product has twice; and how many there are of each. */
const place = ({ values, ends }: Listed, placeOf: Int32Array) => {
  const numbers: Array<number> = []
  const lengths: Array<number> = []
  const lasts: Array<number> = []
  const slots = new Int32Array(values.length)
  let next = 0
  for (let position = 0; position < ends.length; position += 1) {
    for (const end = numberAt(ends, position); next < end; next += 1) {
      const number = numberAt(values, next)
      let slot = numberAt(placeOf, number)
      if (slot < 0) {
        slot = numbers.length
        placeOf[number] = slot
        numbers.push(number)
        lengths.push(0)
        lasts.push(-1)
      }
      const isTwice = lasts[slot] === position
      slots[next] = isTwice ? -1 : slot
      if (isTwice) continue
      lasts[slot] = position
      lengths[slot] = at(lengths, slot) + 1
    }
  }
  for (const number of numbers) placeOf[number] = -1
  return { numbers: Int32Array.from(numbers), lengths, slots }
}

const startsOf = (lengths: ReadonlyArray<number>): Int32Array => {
  const starts = new Int32Array(lengths.length + 1)
  let end = 0
  for (const [place, length] of lengths.entries()) {
    end += length
    starts[place + 1] = end
  }
  return starts
}

/** Deals the positions out to the places of their values. */
const deal = (slots: Int32Array, ends: Int32Array, starts: Int32Array): Int32Array => {
  const positions = new Int32Array(numberAt(starts, starts.length - 1))
  const next = starts.slice()
  let at = 0
  for (let position = 0; position < ends.length; position += 1) {
    for (const end = numberAt(ends, position); at < end; at += 1) {
      const slot = numberAt(slots, at)
      if (slot < 0) continue
      const to = numberAt(next, slot)
      positions[to] = position
      next[slot] = to + 1
    }
  }
  return positions
}

export const makePostings = (
  vocabulary: Vocabulary,
  products: ReadonlyArray<Product>,
  listed: Listed = list(vocabulary, products),
): Postings => {
  const { numbers, lengths, slots } = place(listed, scratchOf(vocabulary))
  const starts = startsOf(lengths)
  return {
    products,
    numbers,
    starts,
    positions: deal(slots, listed.ends, starts),
    slots,
    ends: listed.ends,
    vocabularySize: vocabulary.size,
    places: undefined,
    byId: undefined,
  }
}

/** Where in an index products are. */
export interface Picked {
  readonly postings: Postings
  readonly positions: ArrayLike<number>
}

/** What was listed for some products, one after another. */
const relist = (picked: ReadonlyArray<Picked>, count: number): Listed => {
  let values: Int32Array = new Int32Array(count)
  const listed = new Int32Array(count)
  let [size, made] = [0, 0]
  for (const { postings, positions } of picked) {
    const { ends, slots, numbers } = postings
    for (let chosen = 0; chosen < positions.length; chosen += 1) {
      const position = at(positions, chosen)
      const end = numberAt(ends, position)
      for (let next = position === 0 ? 0 : numberAt(ends, position - 1); next < end; next += 1) {
        const slot = numberAt(slots, next)
        if (slot < 0) continue
        values = roomFor(values, size + 1)
        values[size++] = numberAt(numbers, slot)
      }
      listed[made++] = size
    }
  }
  return { values: values.subarray(0, size), ends: listed }
}

/**
 * An index of some products of other ones. Their values are known already, unless rules have named other
 * ids since then.
 */
export const pickPostings = (vocabulary: Vocabulary, picked: ReadonlyArray<Picked>): Postings => {
  const products: Array<Product> = []
  for (const { postings, positions } of picked) {
    for (let next = 0; next < positions.length; next += 1) {
      products.push(at(postings.products, at(positions, next)))
    }
  }
  const isKnown = picked.every(({ postings }) => vocabulary.lastId < postings.vocabularySize)
  return makePostings(vocabulary, products, isKnown ? relist(picked, products.length) : undefined)
}

const placesOf = (postings: Postings): ReadonlyMap<number, number> => {
  const known = postings.places
  if (known !== undefined) return known
  const places = new Map<number, number>()
  postings.numbers.forEach((number, at) => {
    places.set(number, at)
  })
  postings.places = places
  return places
}

const byIdOf = (postings: Postings): ReadonlyMap<string, ReadonlyArray<number>> => {
  if (postings.byId !== undefined) return postings.byId
  const byId = new Map<string, Array<number>>()
  const add = (id: string, position: number) => {
    const known = byId.get(id)
    if (known === undefined) byId.set(id, [position])
    else known.push(position)
  }
  postings.products.forEach((product, position) => {
    for (const id of ofProduct.products(product)) add(id, position)
  })
  postings.byId = byId
  return byId
}

/** The positions at a place of the index. */
export const positionsAt = (postings: Postings, at: number): Int32Array =>
  postings.positions.subarray(postings.starts[at], postings.starts[at + 1])

/** The positions of a value. */
export const positionsOf = (postings: Postings, number: number): ArrayLike<number> => {
  const at = placesOf(postings).get(number)
  return at === undefined ? [] : positionsAt(postings, at)
}

/** The positions of an id; the index itself knows only those that had been named when it was made. */
export const positionsOfId = (
  postings: Postings,
  { ids }: Vocabulary,
  id: string,
): ArrayLike<number> => {
  const number = ids.get(id)
  return number === undefined || number >= postings.vocabularySize
    ? (byIdOf(postings).get(id) ?? [])
    : positionsOf(postings, number)
}
