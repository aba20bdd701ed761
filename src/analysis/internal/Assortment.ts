import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import type { Steps } from "../Options.js"
import type { Budget } from "./Budget.js"

/** The number of kinds in one bit set word. */
const bits = 32

/** A set of kinds of product, which are numbers from 0 on. */
export class KindSet {
  private readonly words: Uint32Array

  private constructor(words: Uint32Array) {
    this.words = words
  }

  /** `count`: how many kinds there are. */
  static of(kinds: Iterable<number>, count: number): KindSet {
    const words = new Uint32Array(Math.ceil(count / bits))
    for (const kind of kinds) {
      const place = kind >>> 5
      words[place] = (words[place] ?? 0) | (1 << (kind & 31))
    }
    return new KindSet(words)
  }

  static all(count: number): KindSet {
    const words = new Uint32Array(Math.ceil(count / bits)).fill(-1)
    const last = words.length - 1
    if (count % bits > 0) words[last] = 2 ** (count % bits) - 1
    return new KindSet(words)
  }

  /** The number of steps to compare two sets. */
  get steps(): number {
    return this.words.length / 64
  }

  has(kind: number): boolean {
    return ((this.words[kind >>> 5] ?? 0) & (1 << (kind & 31))) !== 0
  }

  get size(): number {
    let size = 0
    for (const _ of this) size += 1
    return size
  }

  get isEmpty(): boolean {
    return this.words.every((word) => word === 0)
  }

  /** The kinds of this set that are in another one too. */
  and(other: KindSet): KindSet {
    return new KindSet(this.words.map((word, place) => word & (other.words[place] ?? 0)))
  }

  /** The kinds of this set that are not in another one. */
  without(other: KindSet): KindSet {
    return new KindSet(this.words.map((word, place) => word & ~(other.words[place] ?? 0)))
  }

  /** The kinds in order. */
  *[Symbol.iterator](): Generator<number, void> {
    for (const [place, word] of this.words.entries()) {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        yield place * bits + 31 - Math.clz32(rest & -rest)
      }
    }
  }

  /** The first kind; `undefined`: there is none. */
  get first(): number | undefined {
    const place = this.words.findIndex((word) => word !== 0)
    const word = this.words[place] ?? 0
    return word === 0 ? undefined : place * bits + 31 - Math.clz32(word & -word)
  }
}

/** The key of a group's link: groups with the same key are linked to the same products. */
const linkKeyOf = ({ link }: ProductGroup): string =>
  JSON.stringify([link.type, link.modifier, ...(link.type === "products.all" ? [] : link.values)])

/** Products to which the same groups are linked. */
export interface ProductClass {
  readonly products: Array<Product>
  /** The numbers of the links that select them, except links to all products. */
  readonly links: ReadonlyArray<number>
}

/** The number of a group's link, or that it selects all products, or none. */
export type LinkedKinds = number | "all" | "none"

/** An entry about a group: its rank, where the most specific group is first, and its link. */
interface RankedLink {
  readonly rank: number
  readonly link: LinkedKinds
}

export const byRank = (one: RankedLink, other: RankedLink): number => one.rank - other.rank

/** Two lists in the order of ranks as one: many groups are for all products, and few others are linked to a kind. */
const merged = <Entry extends RankedLink>(
  some: ReadonlyArray<Entry>,
  others: ReadonlyArray<Entry>,
): ReadonlyArray<Entry> => {
  if (others.length === 0) return some
  const all: Array<Entry> = []
  let place = 0
  for (const other of others) {
    for (let one = some[place]; one !== undefined && one.rank < other.rank; one = some[place]) {
      all.push(one)
      place += 1
    }
    all.push(other)
  }
  return all.concat(some.slice(place))
}

/** Data about groups, by their links. */
export class ByLink<Entry extends RankedLink> {
  private readonly lists = new Map<LinkedKinds, Array<Entry>>()

  /** `all`: the most specific first. */
  constructor(all: Iterable<Entry>) {
    for (const each of all) {
      const known = this.lists.get(each.link)
      if (known === undefined) this.lists.set(each.link, [each])
      else known.push(each)
    }
  }

  /**
   * The data of the groups that are linked to a kind of product, or of those for all products: the most specific first.
   */
  of(kind: ProductClass | undefined): ReadonlyArray<Entry> {
    const linked = (kind?.links ?? []).flatMap((link) => this.lists.get(link) ?? [])
    return merged(this.lists.get("all") ?? [], linked.sort(byRank))
  }
}

/** The kinds of product that a link selects. */
export type Selected = "all" | ReadonlyArray<number>

const nothing: ReadonlyArray<number> = []

/** The products of a catalogue, grouped by the links that select them. */
export class Assortment {
  readonly kinds: ReadonlyArray<ProductClass>
  private readonly numbers: ReadonlyMap<string, number>
  /** For each link the numbers of the kinds that it selects, in order. */
  private readonly selected: ReadonlyArray<ReadonlyArray<number>>

  constructor(kinds: ReadonlyArray<ProductClass>, numbers: ReadonlyMap<string, number>) {
    this.kinds = kinds
    this.numbers = numbers
    const selected: ReadonlyArray<Array<number>> = [...numbers].map(() => [])
    for (const [kind, { links }] of kinds.entries()) {
      for (const link of links) selected[link]?.push(kind)
    }
    this.selected = selected
  }

  /** The link of a group, as the kinds of product refer to it. */
  linkOf(group: ProductGroup): LinkedKinds {
    if (group.link.type === "products.all") return group.link.modifier === "WITH" ? "all" : "none"
    return this.numbers.get(linkKeyOf(group)) ?? "none"
  }

  /** The kinds to which a group is linked. */
  selectedBy(group: ProductGroup): Selected {
    const isForAll = group.link.type === "products.all" && group.link.modifier === "WITH"
    if (isForAll && this.kinds.length > 0) return "all"
    const number = this.numbers.get(linkKeyOf(group))
    return (number === undefined ? undefined : this.selected[number]) ?? nothing
  }
}

/**
 * A group for each link, with its number as its id. It must be valid: only a condition on referers can be deducted for.
 */
const withNumber = (group: ProductGroup, number: number): ProductGroup => ({
  ...group,
  id: String(number),
  condition: null,
  // Without a condition, nothing can be deducted for others.
  deductForOtherSplits: false,
})

/**
 * Groups the products of a catalogue by their linked groups; `undefined`: the budget was spent. Each link is processed
 * once, however many groups have it.
 */
export function* assortmentOf(
  groups: ReadonlyArray<ProductGroup>,
  products: ReadonlyArray<Product>,
  budget: Budget,
): Steps<Assortment | undefined> {
  const numbers = new Map<string, number>()
  const links: Array<ProductGroup> = []
  for (const group of groups) {
    const key = linkKeyOf(group)
    if (group.link.type === "products.all" || numbers.has(key)) continue
    numbers.set(key, links.length)
    links.push(withNumber(group, links.length))
  }
  const rules: RuleSet.RuleSet = { groups: links }
  const kinds = new Map<string, ProductClass>()
  for (const [place, product] of products.entries()) {
    // The first product makes the index of the links, which can't be divided.
    if (budget.work.isDue || place < 2) yield budget.work.turn()
    const linked = RuleSet.linkedGroups(rules, product).map(({ id }) => Number(id))
    if (!budget.take(1 + linked.length)) return undefined
    const key = linked.join(" ")
    const known = kinds.get(key)
    if (known === undefined) kinds.set(key, { products: [product], links: linked })
    else known.products.push(product)
  }
  return new Assortment([...kinds.values()], numbers)
}
