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

/** Some groups, as those of one collaborator, and what an order can be as far as they can tell. */
export interface Part {
  /** The collaborator whose groups they are; empty for the groups of all. */
  readonly collaboratorId: string
  /** For each rule set that is looked at, the most specific group first. */
  readonly sides: ReadonlyArray<ReadonlyArray<Asking>>
  readonly world: World
  /** A product of each kind that the groups tell apart; empty where the products are not known. */
  readonly products: ReadonlyArray<Product>
}

/** The products of a catalogue by which of some groups are linked to them. */
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

/** By whom the groups are told apart. */
type Owner = (group: ProductGroup) => string

const byOwner = (
  groups: ReadonlyArray<ProductGroup>,
  ownerOf: Owner,
): ReadonlyMap<string, ReadonlyArray<ProductGroup>> => {
  const lists = new Map<string, Array<ProductGroup>>()
  for (const group of groups) {
    const owner = ownerOf(group)
    const list = lists.get(owner)
    if (list === undefined) lists.set(owner, [group])
    else list.push(group)
  }
  return lists
}

const kindsOf = (
  ruleSets: ReadonlyArray<RuleSet.RuleSet>,
  products: ReadonlyArray<Product>,
  ownerOf: Owner,
): ReadonlyMap<string, Kinds> => {
  const all = byOwner(
    ruleSets.flatMap((rules) => rules.groups),
    ownerOf,
  )
  const kinds = new Map([...all].map(([id, groups]) => [id, new Kinds(groups)]))
  products.forEach((product, place) => {
    const linked = ruleSets.flatMap((rules) => RuleSet.linkedGroups(rules, product))
    for (const [id, groups] of byOwner(linked, ownerOf)) kinds.get(id)?.add(place, groups, products)
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

/** Makes the part of an owner. */
const partMaker = (
  ruleSets: ReadonlyArray<RuleSet.RuleSet>,
  { catalogue, from, limits }: Setting,
  ownerOf: Owner,
): ((owner: string) => Part) => {
  const kinds = catalogue === undefined ? undefined : kindsOf(ruleSets, catalogue.products, ownerOf)
  const sides = ruleSets.map((rules) => byOwner(ranked(rules.groups), ownerOf))
  return (owner) => {
    const own = kinds?.get(owner)
    const values = new Values(limits)
    const asking = (group: ProductGroup): Asking => ({
      group,
      predicate: predicates.ofGroup(group, values, own?.ofGroup.get(group)),
    })
    return {
      collaboratorId: owner,
      sides: sides.map((side) => (side.get(owner) ?? []).map(asking)),
      world: { values, kinds: own?.products.length, from },
      products: own?.products ?? [],
    }
  }
}

/** Takes rule sets apart by collaborators, who have nothing to do with each other as far as matching goes. */
export const partsOf = (
  ruleSets: ReadonlyArray<RuleSet.RuleSet>,
  setting: Setting,
): ReadonlyArray<Part> => {
  const ownerOf: Owner = ({ collaboratorId }) => collaboratorId
  const owners = new Set(ruleSets.flatMap((rules) => rules.groups.map(ownerOf)))
  return [...owners].map(partMaker(ruleSets, setting, ownerOf))
}

/** All groups of rule sets in one part. */
export const wholeOf = (ruleSets: ReadonlyArray<RuleSet.RuleSet>, setting: Setting): Part =>
  partMaker(ruleSets, setting, () => "")("")
