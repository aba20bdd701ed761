import type { ProductGroup } from "../../groups/ProductGroup.js"
import type { Product } from "../Product.js"
import type { CompiledGroup } from "./CompiledGroup.js"
import { applies, type OrderView } from "./OrderView.js"
import type { Linked } from "./ProductMemory.js"
import { linkValuesOf, type RuleIndex, valuesOf } from "./RuleIndex.js"
import * as rankedLists from "./rankedLists.js"

/** Whether the group's link selects the product. */
export const linkSelects = (product: Product, group: ProductGroup): boolean => {
  const { type, modifier } = group.link
  const isWith = modifier === "WITH"
  if (type === "products.all") return isWith
  const values = new Set(linkValuesOf(group))
  return valuesOf(product)[type].some((value) => values.has(value)) === isWith
}

/** The groups that apply to an item and are found by its product, the most specific one first. */
const ownGroups = (view: OrderView, { groups, indexes }: Linked): rankedLists.Ranked => {
  const own: Array<CompiledGroup> = []
  for (const group of groups) if (applies(view, group)) own.push(group)
  if (indexes.length === 0) return own
  const found: Array<rankedLists.Ranked> = [own]
  for (const index of indexes) index.collect(view, found)
  return rankedLists.mergeAll(found)
}

/** The groups that match an item of an order, most specific first. */
export const matchingGroups = (
  rules: RuleIndex,
  view: OrderView,
  product: Product,
): rankedLists.Ranked => {
  const linked = rules.linksOf(product)
  const own = ownGroups(view, linked)
  const wide = rules.wideOf(view)
  if (wide.length === 0) return own
  const { excluded } = linked
  const left = excluded === null ? wide : wide.filter((group) => !excluded.has(group))
  return own.length === 0 ? left : rankedLists.merge(own, left)
}

/** The groups that count for an item, and those that lost to a more specific one of their collaborator. */
export interface Standing {
  readonly counting: rankedLists.Ranked
  readonly outranked: rankedLists.Ranked
  /** Which group each of the outranked ones lost to. */
  readonly winners: rankedLists.Ranked
}

const noGroups: rankedLists.Ranked = []

let linesRanked = 0

/** Leaves each collaborator their most specific group. */
const rankByCollaborator = (matching: rankedLists.Ranked): Standing => {
  linesRanked += 1
  const counting: Array<CompiledGroup> = []
  const outranked: Array<CompiledGroup> = []
  const winners: Array<CompiledGroup> = []
  for (const group of matching) {
    const { collaborator } = group
    if (collaborator.line === linesRanked && collaborator.best !== null) {
      outranked.push(group)
      winners.push(collaborator.best)
    } else {
      collaborator.line = linesRanked
      collaborator.best = group
      counting.push(group)
    }
  }
  return { counting, outranked, winners }
}

/** What counts for an item under a store's choice of stacking. */
export const standing = (
  matching: rankedLists.Ranked,
  stacking: "most-specific" | "all",
): Standing =>
  stacking === "all"
    ? { counting: matching, outranked: noGroups, winners: noGroups }
    : rankByCollaborator(matching)
