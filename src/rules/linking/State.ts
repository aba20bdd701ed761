/** What a linking knows. A state never changes; the table of links, which they share, only grows. */

import { numberAt } from "../../internal/at.js"
import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../ProductGroup.js"
import { addCounts } from "./counts.js"
import { codeOf, keptCodeOf, type Links, makeLinks } from "./Links.js"
import { type Picked, pickPostings } from "./Postings.js"
import {
  collectSelected,
  countSelected,
  type Keyed,
  keyed,
  liveProducts,
  makeSegment,
  positionOf,
  type Segment,
  tidy,
  without,
} from "./Segment.js"

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
  /** How large the tables may become before all is made anew. */
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

/** All anew when most of what the tables have may be about what is no longer there. */
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

/** Puts products in, for those with the same keys that are there, and takes others away. */
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

/** Keeps the state of a linking beside it, where hosts don't see it. */
export const keep = <A extends object>(linking: A, state: State): A => {
  kept.set(linking, state)
  return linking
}

export const stateOf = (linking: object): State => {
  const state = kept.get(linking)
  if (state !== undefined) return state
  throw new TypeError("must be a linking as Linking makes it, got a copy or something else")
}
