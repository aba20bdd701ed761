import type { LinkType, ProductGroup } from "../../groups/ProductGroup.js"
import type { Product } from "../Product.js"
import { type CompiledCollaborator, type CompiledGroup, compileGroup } from "./CompiledGroup.js"
import type { ConditionIndex } from "./ConditionIndex.js"
import { Conditions } from "./Conditions.js"
import { GroupLists } from "./GroupLists.js"
import { LinkIndex } from "./LinkIndex.js"
import { applies, type OrderView } from "./OrderView.js"
import { type Linked, ProductMemory } from "./ProductMemory.js"
import { RankedGroups } from "./RankedGroups.js"
import * as rankedLists from "./rankedLists.js"
import { bySpecificity, placed } from "./specificity.js"
import * as text from "./text.js"

/** The kinds of link that ask for something; a group for all products asks for nothing. */
type AskingLink = Exclude<LinkType, "products.all">

/** In the order of specificity. */
const askingLinks: ReadonlyArray<AskingLink> = ["products", "products.tag", "products.vendor"]

const byLink = <A>(make: () => A): Readonly<Record<AskingLink, A>> => ({
  products: make(),
  "products.tag": make(),
  "products.vendor": make(),
})

/** What a product has of what links ask for, folded. */
export type ProductValues = Readonly<Record<AskingLink, ReadonlyArray<string>>>

/** What a product has of what links ask for. */
export const valuesOf = ({ id, externalId, tags, vendor }: Product): ProductValues => ({
  products: externalId === undefined || externalId === id ? [id] : [id, externalId],
  "products.tag": (tags ?? []).map(text.fold),
  "products.vendor": vendor === undefined ? [] : [text.fold(vendor)],
})

/** What a group's link asks for, as products are asked for it, each once. */
export const linkValuesOf = ({ link }: ProductGroup): ReadonlyArray<string> => {
  const { type, values } = link
  const [first, second] = values
  if (first === undefined) return values
  if (second === undefined) return type === "products" ? values : [text.fold(first)]
  return [...new Set(type === "products" ? values : values.map(text.fold))]
}

/** The groups that no value leads to all stand under this one. */
const anything = ""

const noGroups: rankedLists.Ranked = []
const noIndexes: ReadonlyArray<ConditionIndex> = []

/**
 * A rule set by what its groups look for, so that the work for an item is that of the groups that match
 * it, not of all that there are. Groups come and go at the cost of the group.
 *
 * A group stands under each value of its link. Those that no value leads to (for all products, and links
 * with NOT) are wide: an order is asked about them once, not each of its items; an item then leaves out
 * those whose NOT is about its product.
 */
export class RuleIndex {
  private readonly byId = new Map<string, CompiledGroup>()
  private readonly ranked = new RankedGroups()
  private readonly conditions = new Conditions()
  private readonly collaborators = new Map<string, CompiledCollaborator>()
  private readonly asking = byLink(() => new LinkIndex())
  private readonly excluding = byLink(() => new GroupLists())
  private readonly wide = new LinkIndex()
  private readonly memory: ProductMemory

  constructor(groups: ReadonlyArray<ProductGroup>) {
    this.memory = new ProductMemory(groups.length)
    const sorted = groups.map(placed).sort(bySpecificity)
    const compiled = sorted.map(({ group }) => this.compile(group))
    this.ranked.fill(compiled)
    for (const group of compiled) this.link(group)
    this.wide.trim()
    for (const type of askingLinks) {
      this.asking[type].trim()
      this.excluding[type].trim()
    }
  }

  /** How many groups there are. */
  get size(): number {
    return this.byId.size
  }

  get(id: string): ProductGroup | undefined {
    return this.byId.get(id)?.group
  }

  /** All groups, the most specific one first. */
  all(): rankedLists.Ranked {
    return this.ranked.toArray()
  }

  /** Puts one group in the place of another; either may be missing. */
  change(before: ProductGroup | undefined, after: ProductGroup | undefined): void {
    this.memory.forget()
    const known = before === undefined ? undefined : this.byId.get(before.id)
    if (known !== undefined) this.remove(known)
    if (after === undefined) return
    const group = this.compile(after)
    this.ranked.insert(group)
    this.link(group)
  }

  /** What the links say of a product. */
  linksOf(product: Product): Linked {
    const known = this.memory.recall(product)
    if (known !== undefined) return known
    const linked = this.look(valuesOf(product))
    this.memory.remember(product, linked)
    return linked
  }

  /** The wide groups that apply to an order, the most specific one first. */
  wideOf(view: OrderView): rankedLists.Ranked {
    view.wide ??= this.lookWide(view)
    return view.wide
  }

  /** The groups whose link selects a product, the most specific one first, whatever the order. */
  linkedGroups(product: Product): rankedLists.Ranked {
    const values = valuesOf(product)
    const excluded = this.excludedBy(values)
    const wide = this.wide.groupsOf(anything) ?? noGroups
    return rankedLists.merge(
      askingLinks.flatMap((type) => {
        const lists = values[type].map((value) => this.asking[type].groupsOf(value) ?? noGroups)
        return rankedLists.mergeAll(lists)
      }),
      excluded === null ? wide : wide.filter((group) => !excluded.has(group)),
    )
  }

  private lookWide(view: OrderView): rankedLists.Ranked {
    const index = this.wide.indexOf(anything)
    const groups = index === undefined ? this.wide.groupsOf(anything) : index.unasked
    if (groups === undefined) return noGroups
    const found = [groups.filter((group) => applies(view, group))]
    index?.collect(view, found)
    return rankedLists.mergeAll(found)
  }

  private look(values: ProductValues): Linked {
    const indexes: Array<ConditionIndex> = []
    const groups = askingLinks.flatMap((type) => {
      const lists: Array<rankedLists.Ranked> = []
      for (const value of values[type]) {
        const index = this.asking[type].indexOf(value)
        const list = index === undefined ? this.asking[type].groupsOf(value) : index.unasked
        if (list !== undefined) lists.push(list)
        if (index !== undefined) indexes.push(index)
      }
      return rankedLists.mergeAll(lists)
    })
    return {
      groups,
      indexes: indexes.length === 0 ? noIndexes : indexes,
      excluded: this.excludedBy(values),
    }
  }

  private excludedBy(values: ProductValues): ReadonlySet<CompiledGroup> | null {
    const found = new Set<CompiledGroup>()
    for (const type of askingLinks) {
      if (this.excluding[type].size === 0) continue
      for (const value of values[type]) {
        for (const group of this.excluding[type].get(value) ?? noGroups) found.add(group)
      }
    }
    return found.size === 0 ? null : found
  }

  private compile(group: ProductGroup): CompiledGroup {
    const { collaboratorId, condition } = group
    const known = this.collaborators.get(collaboratorId)
    const collaborator = known ?? { groupCount: 0, line: 0, best: null }
    if (known === undefined) this.collaborators.set(collaboratorId, collaborator)
    collaborator.groupCount += 1
    const compiled = compileGroup(group, this.conditions.share(condition), collaborator)
    this.byId.set(group.id, compiled)
    return compiled
  }

  /** Puts a group under what it asks for. It must have its rank. */
  private link(group: CompiledGroup): void {
    const { type, modifier } = group.group.link
    if (type === "products.all") {
      // NOT of all products is for none.
      if (modifier === "WITH") this.wide.insert(anything, group)
      return
    }
    for (const value of linkValuesOf(group.group)) {
      if (modifier === "WITH") this.asking[type].insert(value, group)
      else this.excluding[type].insert(value, group)
    }
    if (modifier === "NOT") this.wide.insert(anything, group)
  }

  private remove(group: CompiledGroup): void {
    this.unlink(group)
    this.ranked.remove(group)
    this.conditions.release(group.condition)
    this.byId.delete(group.group.id)
    group.collaborator.groupCount -= 1
    group.collaborator.best = null
    if (group.collaborator.groupCount === 0) this.collaborators.delete(group.group.collaboratorId)
  }

  private unlink(group: CompiledGroup): void {
    const { type, modifier } = group.group.link
    if (type === "products.all" || modifier === "NOT") this.wide.remove(anything, group)
    if (type === "products.all") return
    for (const value of linkValuesOf(group.group)) {
      if (modifier === "WITH") this.asking[type].remove(value, group)
      else this.excluding[type].remove(value, group)
    }
  }
}
