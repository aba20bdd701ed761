import type { ProductGroup } from "../../groups/ProductGroup.js"
import type { Product } from "../../matching/Product.js"
import * as RuleSet from "../../matching/RuleSet.js"

/** For each group the places in the catalogue of the products that it is linked to. */
export const linkedPlaces = (
  rules: RuleSet.RuleSet,
  products: ReadonlyArray<Product>,
): ReadonlyMap<ProductGroup, ReadonlySet<number>> => {
  const places = new Map<ProductGroup, Set<number>>()
  for (const group of rules.groups) places.set(group, new Set())
  products.forEach((product, place) => {
    for (const group of RuleSet.linkedGroups(rules, product)) places.get(group)?.add(place)
  })
  return places
}
