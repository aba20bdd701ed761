import { at, numberAt } from "../../internal/at.js"
import { keyOf, type Product } from "../../orders/Product.js"
import type { ProductGroup } from "../ProductGroup.js"
import { addCounts, countBits, eachBit, hasBit, setBit, wordsFor } from "./counts.js"
import { codeOf, keptCodeOf, type Links, makeLinks, type Vocabulary, valuesOf } from "./Links.js"
import {
  makePostings,
  type Picked,
  type Postings,
  pickPostings,
  positionsOf,
  positionsOfId,
} from "./Postings.js"

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

/** The position of a product that is present. */
export const positionOf = ({ keys, gone }: Segment, key: string): number | undefined => {
  const position = keys.get(key)
  if (position === undefined || gone === undefined) return position
  return hasBit(gone, position) ? undefined : position
}

/** The segment without the products at some positions, all of which are present. */
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

// Limits the number of segments: small ones are merged, and ones with many removed products are rebuilt.

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

// What product links know. A state never changes; the table of links, which they share, only grows.

type GroupList = ReadonlyArray<ProductGroup>

export interface State {
  readonly links: Links
  readonly groups: GroupList
  /** The code of each group's link. */
  readonly codes: Int32Array
  /** How many groups use each selection. */
  readonly uses: Int32Array
  /** How many products each selection takes; of no meaning for one without uses. */
  readonly counts: Int32Array
  /** From those that came first to those that came last. */
  readonly segments: ReadonlyArray<Segment>
  readonly productCount: number
  /** The size of the tables at which everything is rebuilt. */
  readonly limit: number
}

const usesOf = (links: Links, codes: Int32Array): Int32Array => {
  const uses = new Int32Array(links.selections.length)
  for (const code of codes) uses[code >> 1] = numberAt(uses, code >> 1) + 1
  return uses
}

/** Numbers that are given and selections, whether they are still in use or not. */
const sizeOf = ({ vocabulary, selections }: Links): number => vocabulary.size + selections.length

export const makeState = (groups: GroupList, products: ReadonlyArray<Product>): State => {
  const links = makeLinks()
  const codes = Int32Array.from(groups, ({ link }) => codeOf(links, link))
  const uses = usesOf(links, codes)
  const segment = makeSegment(links.vocabulary, keyed(products))
  const counts = new Int32Array(links.selections.length)
  addCounts(links, segment.postings, { uses, counts, times: 1 })
  return {
    links,
    groups,
    codes,
    uses,
    counts,
    segments: segment.live === 0 ? [] : [segment],
    productCount: segment.live,
    limit: sizeOf(links) * 2 + 10_000,
  }
}

/** Rebuilds everything when most of the tables' data may be about removed entries. */
const renewed = (state: State): State =>
  sizeOf(state.links) <= state.limit
    ? state
    : makeState(state.groups, state.segments.flatMap(liveProducts))

interface Parting {
  readonly segments: ReadonlyArray<Segment>
  /** Those that have gone, by segment. */
  readonly picked: ReadonlyArray<Picked>
  readonly count: number
}

/** Takes away the products with some keys, and says which these were. */
const part = (segments: ReadonlyArray<Segment>, keys: Iterable<string>): Parting => {
  const partings = segments.map((segment) => ({ segment, positions: [] as number[] }))
  let count = 0
  for (const key of keys) {
    // Most are where most products are: in the segments that came first.
    for (const { segment, positions } of partings) {
      const position = positionOf(segment, key)
      if (position === undefined) continue
      positions.push(position)
      count += 1
      break
    }
  }
  return {
    segments: partings.map(({ segment, positions }) => without(segment, positions)),
    picked: partings.map(({ segment: { postings }, positions }) => ({ postings, positions })),
    count,
  }
}

/** Adds products, replacing those with the same keys, and removes others. */
const change = (state: State, fresh: Keyed, goneKeys: Iterable<string>): State => {
  const { links, uses } = state
  const parting = part(state.segments, goneKeys)
  if (fresh.products.length === 0 && parting.count === 0) return state
  const made = makeSegment(links.vocabulary, fresh)
  const gone = pickPostings(links.vocabulary, parting.picked)
  const counts = new Int32Array(links.selections.length)
  counts.set(state.counts)
  addCounts(links, made.postings, { uses, counts, times: 1 })
  addCounts(links, gone, { uses, counts, times: -1 })
  return renewed({
    ...state,
    counts,
    segments: tidy(links.vocabulary, [...parting.segments, made]),
    productCount: state.productCount + made.live - parting.count,
  })
}

export const putProducts = (state: State, products: ReadonlyArray<Product>): State => {
  const fresh = keyed(products)
  return change(state, fresh, fresh.keys.keys())
}

export const removeProducts = (state: State, keys: Iterable<string>): State =>
  change(state, keyed([]), new Set(keys))

/** How many groups at the end of two lists are the very same. */
const sameTail = (before: GroupList, after: GroupList): number => {
  let tail = 0
  while (tail < after.length && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  return tail
}

/** The codes of other groups; those that stand where they stood, from the front or the end, are known. */
const codesOf = ({ links, groups, codes }: State, after: GroupList): Int32Array => {
  const tail = sameTail(groups, after)
  const made = new Int32Array(after.length)
  made.set(codes.subarray(groups.length - tail), after.length - tail)
  for (const [place, group] of after.slice(0, after.length - tail).entries()) {
    made[place] = group === groups[place] ? numberAt(codes, place) : keptCodeOf(links, group.link)
  }
  return made
}

const countOne = ({ links, segments }: State, index: number): number =>
  segments.reduce((sum, segment) => sum + countSelected(links, segment, index), 0)

export const withGroups = (state: State, groups: GroupList): State => {
  const codes = codesOf(state, groups)
  const uses = usesOf(state.links, codes)
  const counts = new Int32Array(uses.length)
  for (let index = 0; index < uses.length; index += 1) {
    if (numberAt(uses, index) === 0) continue
    const isKnown = (state.uses[index] ?? 0) > 0
    counts[index] = isKnown ? numberAt(state.counts, index) : countOne(state, index)
  }
  return renewed({ ...state, groups, codes, uses, counts })
}

export const productsOf = (state: State, group: ProductGroup): ReadonlyArray<Product> => {
  const code = keptCodeOf(state.links, group.link)
  const found: Array<Product> = []
  const asked = { index: code >> 1, not: (code & 1) === 1, found }
  for (const segment of state.segments) collectSelected(state.links, segment, asked)
  return found
}

const countOfCode = ({ counts, productCount }: State, code: number): number => {
  const count = numberAt(counts, code >> 1)
  return (code & 1) === 1 ? productCount - count : count
}

export const countOf = (state: State, group: ProductGroup): number =>
  countOfCode(state, keptCodeOf(state.links, group.link))

export const count = (state: State): number =>
  state.codes.reduce((sum, code) => sum + countOfCode(state, code), 0)

/** The product with a key, if it is there. */
export const find = ({ segments }: State, key: string): Product | undefined => {
  for (const segment of segments) {
    const position = positionOf(segment, key)
    if (position !== undefined) return segment.postings.products[position]
  }
  return undefined
}

const kept = /* @__PURE__ */ new WeakMap<object, State>()

/** Keeps the state of product links beside them, where hosts don't see it. */
export const keep = <A extends object>(links: A, state: State): A => {
  kept.set(links, state)
  return links
}

export const stateOf = (links: object): State => {
  const state = kept.get(links)
  if (state !== undefined) return state
  throw new TypeError(
    "must be product links as ProductLinks makes them, got a copy or something else",
  )
}
