import type { ProductGroup } from "../../groups/ProductGroup.js"
import { bySpecificity, placed } from "../../matching/internal/specificity.js"
import type { Product } from "../../matching/Product.js"
import * as RuleSet from "../../matching/RuleSet.js"
import * as predicates from "./Predicate.js"
import type { Setting } from "./Setting.js"
import type { World } from "./smallest.js"
import { Values } from "./Values.js"

/** A group with what it asks for. */
export interface Asking {
  readonly group: ProductGroup
  readonly predicate: predicates.Predicate
}

/** One collaborator's groups, and what an order can be as far as they can tell. */
export interface Part {
  readonly collaboratorId: string
  /** For each rule set that is looked at, the most specific group first. */
  readonly sides: ReadonlyArray<ReadonlyArray<Asking>>
  readonly world: World
  /** A product of each kind that the groups tell apart; empty where the products are not known. */
  readonly products: ReadonlyArray<Product>
}

/** The products of a catalogue by which of one collaborator's groups are linked to them. */
class Kinds {
  readonly products: Array<Product> = []
  readonly ofGroup = new Map<ProductGroup, Set<number>>()
  private readonly known = new Map<string, number>()
  private readonly groups: ReadonlyMap<ProductGroup, number>
  private expected = 0
  private isAnyOther = false

  constructor(groups: ReadonlyArray<ProductGroup>) {
    this.groups = new Map(groups.map((group, index) => [group, index]))
    for (const group of groups) this.ofGroup.set(group, new Set())
  }

  /** Products come in the catalogue's order, without those that none of the groups is linked to. */
  add(place: number, linked: ReadonlyArray<ProductGroup>, products: ReadonlyArray<Product>): void {
    this.skipTo(place, products)
    this.expected = place + 1
    const key = linked.map((group) => this.groups.get(group)).join(" ")
    if (this.known.has(key)) return
    const kind = this.begin(place, products)
    this.known.set(key, kind)
    for (const group of linked) this.ofGroup.get(group)?.add(kind)
  }

  /** All between the last product and this one are linked to none of the groups. */
  skipTo(place: number, products: ReadonlyArray<Product>): void {
    if (this.isAnyOther || this.expected >= place) return
    this.isAnyOther = true
    this.begin(this.expected, products)
  }

  private begin(place: number, products: ReadonlyArray<Product>): number {
    this.products.push(...products.slice(place, place + 1))
    return this.products.length - 1
  }
}

const byCollaborator = (
  groups: ReadonlyArray<ProductGroup>,
): ReadonlyMap<string, ReadonlyArray<ProductGroup>> => {
  const lists = new Map<string, Array<ProductGroup>>()
  for (const group of groups) {
    const list = lists.get(group.collaboratorId)
    if (list === undefined) lists.set(group.collaboratorId, [group])
    else list.push(group)
  }
  return lists
}

const kindsOf = (
  ruleSets: ReadonlyArray<RuleSet.RuleSet>,
  products: ReadonlyArray<Product>,
): ReadonlyMap<string, Kinds> => {
  const all = byCollaborator(ruleSets.flatMap((rules) => rules.groups))
  const kinds = new Map([...all].map(([id, groups]) => [id, new Kinds(groups)]))
  products.forEach((product, place) => {
    const linked = ruleSets.flatMap((rules) => RuleSet.linkedGroups(rules, product))
    for (const [id, groups] of byCollaborator(linked)) kinds.get(id)?.add(place, groups, products)
  })
  for (const each of kinds.values()) each.skipTo(products.length, products)
  return kinds
}

/** A rule set's groups, the most specific one first. */
export const ranked = (groups: ReadonlyArray<ProductGroup>): ReadonlyArray<ProductGroup> =>
  groups
    .map(placed)
    .sort(bySpecificity)
    .map(({ group }) => group)

/** Takes rule sets apart by collaborators, who have nothing to do with each other as far as matching goes. */
export const partsOf = (
  ruleSets: ReadonlyArray<RuleSet.RuleSet>,
  { catalogue, from }: Setting,
): ReadonlyArray<Part> => {
  const kinds = catalogue === undefined ? undefined : kindsOf(ruleSets, catalogue.products)
  const sides = ruleSets.map((rules) => byCollaborator(ranked(rules.groups)))
  const ids = new Set(
    ruleSets.flatMap((rules) => rules.groups.map((group) => group.collaboratorId)),
  )
  return [...ids].map((collaboratorId) => {
    const own = kinds?.get(collaboratorId)
    const values = new Values()
    const asking = (group: ProductGroup): Asking => ({
      group,
      predicate: predicates.ofGroup(group, values, own?.ofGroup.get(group)),
    })
    return {
      collaboratorId,
      sides: sides.map((side) => (side.get(collaboratorId) ?? []).map(asking)),
      world: { values, kinds: own?.products.length, from },
      products: own?.products ?? [],
    }
  })
}
