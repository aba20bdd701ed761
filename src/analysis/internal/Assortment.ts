import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import type { Steps } from "../Steps.js"
import type { Budget } from "./Budget.js"

/** Groups with the same of these are linked to the same products. */
const linkKeyOf = ({ link }: ProductGroup): string =>
  JSON.stringify([link.type, link.modifier, ...(link.type === "products.all" ? [] : link.values)])

/** Products to which the same groups are linked. */
export interface ProductClass {
  readonly products: Array<Product>
  /** The links that select them, but those for all products, by their numbers. */
  readonly links: ReadonlyArray<number>
}

/** The number of a link, or that it is for all products, or for none whatever they are. */
export type Link = number | "all" | "none"

/** Something about a group: its place, where the most specific one is the first, and the products that it is for. */
interface Ranked {
  readonly rank: number
  readonly link: Link
}

export const byRank = (one: Ranked, other: Ranked): number => one.rank - other.rank

/** What is known of groups, by their links. */
export class ByLink<Entry extends Ranked> {
  private readonly lists = new Map<Link, Array<Entry>>()

  constructor(all: Iterable<Entry>) {
    for (const each of all) {
      const known = this.lists.get(each.link)
      if (known === undefined) this.lists.set(each.link, [each])
      else known.push(each)
    }
  }

  /** What is known of the groups that are linked to a kind of product, or of those for all products: the most specific first. */
  of(kind: ProductClass | undefined): ReadonlyArray<Entry> {
    const links: ReadonlyArray<Link> = ["all", ...(kind?.links ?? [])]
    return links.flatMap((link) => this.lists.get(link) ?? []).sort(byRank)
  }
}

/** For a link the kinds of product that it selects. */
export type Selected = "all" | ReadonlyArray<number>

const nothing: ReadonlyArray<number> = []

/** The products of a catalogue, gathered by which links of rule sets select them. */
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

  /** The link of a group, as the kinds name those that select them. */
  linkOf(group: ProductGroup): Link {
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

/** A group for each link, called by its number. It is a valid one: only a condition on referers can be deducted for. */
const withNumber = (group: ProductGroup, number: number): ProductGroup => ({
  ...group,
  id: String(number),
  condition: null,
  // Nobody is deducted without a condition.
  deductForOtherSplits: false,
})

/**
 * Gathers the products of a catalogue by the groups that are linked to them; `undefined`: the budget was spent. Each
 * link is looked at once, however many groups have it.
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
    // The first one has the index of the links made, which is one piece of work.
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
