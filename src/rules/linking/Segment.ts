import { at, numberAt } from "../../internal/at.js"
import { keyOf, type Product } from "../../orders/Product.js"
import { countBits, eachBit, hasBit, setBit, wordsFor } from "./bits.js"
import { type Links, valuesOf } from "./Links.js"
import {
  makePostings,
  type Postings,
  pickPostings,
  positionsOf,
  positionsOfId,
} from "./Postings.js"
import type { Vocabulary } from "./Vocabulary.js"

// A part of the catalogue: products that came in one after another, with their index.

/** Products that have gone are only marked; the rest of a segment never changes. */
export interface Segment {
  readonly postings: Postings
  /** Position of each key. */
  readonly keys: ReadonlyMap<string, number>
  /** One bit for each product that has gone or was replaced. */
  readonly gone: Int32Array | undefined
  /** How many have not gone. */
  readonly live: number
}

/** Products by key; of two with the same key the later one counts, in the later one's place. */
export interface Keyed {
  readonly products: ReadonlyArray<Product>
  readonly keys: ReadonlyMap<string, number>
}

const special = /[/%]/

/** The product's `keyOf`, without the work where there is none. */
const keyFor = (product: Product): string =>
  product.externalVariantId === undefined && !special.test(product.id) ? product.id : keyOf(product)

export const keyed = (given: ReadonlyArray<Product>): Keyed => {
  const keys = new Map<string, number>()
  let position = 0
  for (const product of given) keys.set(keyFor(product), position++)
  if (keys.size === given.length) return { products: given, keys }
  return keyed(given.filter((product, place) => keys.get(keyFor(product)) === place))
}

export const makeSegment = (vocabulary: Vocabulary, { products, keys }: Keyed): Segment => ({
  postings: makePostings(vocabulary, products),
  keys,
  gone: undefined,
  live: products.length,
})

/** Where a product is, if it is there and has not gone. */
export const positionOf = ({ keys, gone }: Segment, key: string): number | undefined => {
  const position = keys.get(key)
  if (position === undefined || gone === undefined) return position
  return hasBit(gone, position) ? undefined : position
}

/** The segment without the products at some positions, all of which are there. */
export const without = (segment: Segment, positions: ReadonlyArray<number>): Segment => {
  if (positions.length === 0) return segment
  const { postings, gone, live } = segment
  const row = gone?.slice() ?? new Int32Array(wordsFor(postings.products.length))
  for (const position of positions) setBit(row, position)
  return { ...segment, gone: row, live: live - positions.length }
}

const livePositions = ({ postings, gone }: Segment): ArrayLike<number> => {
  const positions: Array<number> = []
  for (let position = 0; position < postings.products.length; position += 1) {
    if (gone === undefined || !hasBit(gone, position)) positions.push(position)
  }
  return positions
}

/** The products that have not gone, in their order. */
export const liveProducts = ({ postings, gone }: Segment): ReadonlyArray<Product> =>
  postings.products.filter((_, position) => gone === undefined || !hasBit(gone, position))

/** One segment of several that follow each other. */
export const merge = (vocabulary: Vocabulary, segments: ReadonlyArray<Segment>): Segment => {
  const picked = segments.map((segment) => ({
    postings: segment.postings,
    positions: livePositions(segment),
  }))
  const postings = pickPostings(vocabulary, picked)
  const { keys } = keyed(postings.products)
  return { postings, keys, gone: undefined, live: postings.products.length }
}

/** Leaves only the bits of what is there and, with `not`, turns the others round before. */
const settle = ({ postings, gone }: Segment, row: Int32Array, not: boolean): Int32Array => {
  if (not) for (const [word, bits] of row.entries()) row[word] = ~bits
  if (gone !== undefined)
    for (const [word, bits] of gone.entries()) row[word] = numberAt(row, word) & ~bits
  const rest = postings.products.length & 31
  const last = row.length - 1
  if (rest !== 0) row[last] = numberAt(row, last) & ((1 << rest) - 1)
  return row
}

const setAll = (row: Int32Array, positions: ArrayLike<number>): void => {
  for (let next = 0; next < positions.length; next += 1) setBit(row, at(positions, next))
}

/** The products of a segment that a selection takes, or with `not` those that it leaves, as bits. */
const select = (
  links: Links,
  segment: Segment,
  { index, not }: { readonly index: number; readonly not: boolean },
): Int32Array => {
  const { postings } = segment
  const row = new Int32Array(wordsFor(postings.products.length))
  const { link } = at(links.selections, index)
  if (link.type === "products.all") row.fill(-1)
  else if (link.type === "products") {
    for (const id of link.values) setAll(row, positionsOfId(postings, links.vocabulary, id))
  } else for (const number of valuesOf(links, index)) setAll(row, positionsOf(postings, number))
  return settle(segment, row, not)
}

/** How many products of a segment a selection takes. */
export const countSelected = (links: Links, segment: Segment, index: number): number => {
  const row = select(links, segment, { index, not: false })
  return countBits(row, row.length)
}

/** Adds the products of a segment that a selection takes to a list, or with `not` those that it leaves. */
export const collectSelected = (
  links: Links,
  segment: Segment,
  asked: {
    readonly index: number
    readonly not: boolean
    readonly found: Array<Product>
  },
): void =>
  eachBit(select(links, segment, asked), (position) => {
    asked.found.push(at(segment.postings.products, position))
  })

// Keeps the segments of a catalogue few: small ones are merged, and ones in which much has gone made anew.

/** So many segments of about one size may follow each other. */
const width = 8

/** Segments of one tier are of about one size. */
const tierOf = ({ live }: Segment): number => Math.floor(Math.log2(live) / 3)

/** How many of the last segments are to become one; 1: none. */
const lastOfATier = (segments: ReadonlyArray<Segment>): number => {
  const last = segments.at(-1)
  if (last === undefined) return 1
  const tier = tierOf(last)
  const before = segments.findLastIndex((segment) => tierOf(segment) > tier)
  const run = segments.length - 1 - before
  return run < width ? 1 : run
}

const isMostlyGone = ({ live, postings }: Segment): boolean => live * 2 < postings.products.length

/**
 * The same products in the same order, in few segments. Each product is moved a number of times that grows
 * with the logarithm of the catalogue, so that changes cost in proportion to themselves in the long run.
 */
export const tidy = (
  vocabulary: Vocabulary,
  segments: ReadonlyArray<Segment>,
): ReadonlyArray<Segment> => {
  const tidied = segments
    .filter(({ live }) => live > 0)
    .map((segment) => (isMostlyGone(segment) ? merge(vocabulary, [segment]) : segment))
  for (let run = lastOfATier(tidied); run > 1; run = lastOfATier(tidied)) {
    tidied.push(merge(vocabulary, tidied.splice(-run)))
  }
  return tidied
}
