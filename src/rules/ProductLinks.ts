/**
 * The links between all products of a catalogue and all groups of a rule set, through an index. An update costs only as
 * much as the change, and earlier values still answer as before.
 *
 * Only the groups' links matter; conditions and dates concern orders and are ignored.
 *
 * @since 0.4.0
 */

import type { Product } from "../orders/Product.js"
import * as states from "./linking/State.js"
import type { ProductGroup } from "./ProductGroup.js"
import * as RuleSet from "./RuleSet.js"

/**
 * Which products each group is linked to. Made by {@link make}; it is immutable. It keeps references to the given
 * products and groups, which must not change. Its data is kept beside the object, so a copy of it is refused.
 *
 * @since 0.4.0
 * @category models
 */
export interface ProductLinks {
  readonly rules: RuleSet.RuleSet
  /** How many products it has; of several with the same `Product.keyOf` only the last one. */
  readonly productCount: number
}

const of = (rules: RuleSet.RuleSet, state: states.State): ProductLinks =>
  states.keep({ rules, productCount: state.productCount }, state)

/**
 * Links products to groups. Of two products with the same `Product.keyOf` the later one counts.
 *
 * @since 0.4.0
 * @category constructors
 * @example
 * ```ts
 * import { ProductLinks, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["Art"] }, percent: 10 },
 *   { id: "all", collaboratorId: "sam", link: { type: "products.all" }, percent: 5 },
 * ])
 * const links = ProductLinks.make(rules, [{ id: "print", tags: ["art"] }, { id: "mug" }])
 * ProductLinks.countOf(links, "art") // => 1
 * ProductLinks.countOf(links, "all") // => 2
 * ProductLinks.count(links) // => 3
 * ```
 */
export const make = (rules: RuleSet.RuleSet, products: ReadonlyArray<Product>): ProductLinks =>
  of(rules, states.makeState(rules.groups, products))

/**
 * The products that a group is linked to, in the order in which they were put. A group that is not in the
 * rule set has none.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { ProductLinks, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * const links = ProductLinks.make(rules, [{ id: "print", tags: ["Art"] }, { id: "mug" }])
 * ProductLinks.productsOf(links, "art") // => [{ id: "print", tags: ["Art"] }]
 * ```
 */
export const productsOf = (links: ProductLinks, groupId: string): ReadonlyArray<Product> => {
  const group = RuleSet.get(links.rules, groupId)
  return group === undefined ? [] : states.productsOf(states.stateOf(links), group)
}

/**
 * How many products a group is linked to, without reading any of them. A group that is not in the rule set is linked to
 * none.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { ProductLinks, RuleSet } from "apportion"
 *
 * const link = { type: "products.vendor", modifier: "NOT", values: ["North"] } as const
 * const rules = RuleSet.make([{ id: "others", collaboratorId: "ada", link, percent: 10 }])
 * const links = ProductLinks.make(rules, [{ id: "mug", vendor: "North" }, { id: "cap" }])
 * ProductLinks.countOf(links, "others") // => 1
 * ```
 */
export const countOf = (links: ProductLinks, groupId: string): number => {
  const group: ProductGroup | undefined = RuleSet.get(links.rules, groupId)
  return group === undefined ? 0 : states.countOf(states.stateOf(links), group)
}

/**
 * The total number of links: the sum of {@link countOf} over all groups.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { ProductLinks, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 *   { id: "g2", collaboratorId: "sam", link: { type: "products", values: ["mug"] }, percent: 5 },
 * ])
 * ProductLinks.count(ProductLinks.make(rules, [{ id: "print" }, { id: "mug" }])) // => 3
 * ```
 */
export const count = (links: ProductLinks): number => states.count(states.stateOf(links))

/**
 * The groups that a product is linked to, most specific first, as in `RuleSet.linkedGroups`. The product is named by
 * its `Product.keyOf`; an unknown one has none.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { ProductLinks, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "all", collaboratorId: "sam", link: { type: "products.all" }, percent: 5 },
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * const links = ProductLinks.make(rules, [{ id: "print", tags: ["art"] }])
 * ProductLinks.groupsOf(links, "print").map((group) => group.id) // => ["art", "all"]
 * ```
 */
export const groupsOf = (links: ProductLinks, productKey: string): ReadonlyArray<ProductGroup> => {
  const product = states.find(states.stateOf(links), productKey)
  return product === undefined ? [] : RuleSet.linkedGroups(links.rules, product)
}

/**
 * Adds products, or replaces those with the same `Product.keyOf`. They all move to the end. The cost depends on these
 * products, not on the size of the catalogue; the given links are unchanged.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { ProductLinks, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * const links = ProductLinks.make(rules, [{ id: "print", tags: ["art"] }, { id: "mug" }])
 * const changed = ProductLinks.putProducts(links, [{ id: "mug", tags: ["art"] }, { id: "cap" }])
 * changed.productCount // => 3
 * ProductLinks.countOf(changed, "art") // => 2
 * ProductLinks.countOf(links, "art") // => 1
 * ```
 */
export const putProducts = (links: ProductLinks, products: ReadonlyArray<Product>): ProductLinks =>
  products.length === 0
    ? links
    : of(links.rules, states.putProducts(states.stateOf(links), products))

/**
 * Removes products, named by their `Product.keyOf`; unknown keys change nothing. The cost depends on these products,
 * not on the size of the catalogue; the given links are unchanged.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { ProductLinks, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 * ])
 * const links = ProductLinks.make(rules, [{ id: "mug", externalVariantId: "red" }, { id: "cap" }])
 * ProductLinks.productsOf(ProductLinks.removeProducts(links, ["mug/red"]), "all") // => [{ id: "cap" }]
 * ```
 */
export const removeProducts = (links: ProductLinks, keys: Iterable<string>): ProductLinks => {
  const state = states.removeProducts(states.stateOf(links), keys)
  return state === states.stateOf(links) ? links : of(links.rules, state)
}

/**
 * The same products under other rules. The cost depends on the links that are new in these rules: groups that were
 * there before, or have the same link as one that was, cost next to nothing. The given links are unchanged.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { ProductLinks, RuleSet } from "apportion"
 *
 * const link = { type: "products.tag", values: ["art"] } as const
 * const links = ProductLinks.make(RuleSet.make([]), [{ id: "print", tags: ["art"] }])
 * const rules = RuleSet.put(links.rules, { id: "art", collaboratorId: "ada", link, percent: 10 })
 * ProductLinks.count(ProductLinks.withRules(links, rules)) // => 1
 * ```
 */
export const withRules = (links: ProductLinks, rules: RuleSet.RuleSet): ProductLinks =>
  rules === links.rules ? links : of(rules, states.withGroups(states.stateOf(links), rules.groups))
