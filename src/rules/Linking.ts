/**
 * Links all products of a catalogue to all groups of a rule set, through an index. Updating a linking costs only as
 * much as the change, and earlier linkings still answer as before.
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
 * products and groups, which must not change. Its data is kept beside the object, so a copy of it is not a linking.
 *
 * @since 0.4.0
 * @category models
 */
export interface Linking {
  readonly rules: RuleSet.RuleSet
  /** How many products it has; of several with the same `Product.keyOf` only the last one. */
  readonly productCount: number
}

const of = (rules: RuleSet.RuleSet, state: states.State): Linking =>
  states.keep({ rules, productCount: state.productCount }, state)

/**
 * Links products to groups. Of two products with the same `Product.keyOf` the later one counts.
 *
 * @since 0.4.0
 * @category constructors
 * @example
 * ```ts
 * import { Linking, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["Art"] }, percent: 10 },
 *   { id: "all", collaboratorId: "sam", link: { type: "products.all" }, percent: 5 },
 * ])
 * const linking = Linking.make(rules, [{ id: "print", tags: ["art"] }, { id: "mug" }])
 * Linking.countOf(linking, "art") // => 1
 * Linking.countOf(linking, "all") // => 2
 * Linking.count(linking) // => 3
 * ```
 */
export const make = (rules: RuleSet.RuleSet, products: ReadonlyArray<Product>): Linking =>
  of(rules, states.makeState(rules.groups, products))

/**
 * The products that a group is linked to, in the order in which they were put. A group that is not in the
 * rule set has none.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { Linking, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * const linking = Linking.make(rules, [{ id: "print", tags: ["Art"] }, { id: "mug" }])
 * Linking.productsOf(linking, "art") // => [{ id: "print", tags: ["Art"] }]
 * ```
 */
export const productsOf = (linking: Linking, groupId: string): ReadonlyArray<Product> => {
  const group = RuleSet.get(linking.rules, groupId)
  return group === undefined ? [] : states.productsOf(states.stateOf(linking), group)
}

/**
 * How many products a group is linked to, without reading any of them. A group that is not in the rule set is linked to
 * none.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { Linking, RuleSet } from "apportion"
 *
 * const link = { type: "products.vendor", modifier: "NOT", values: ["North"] } as const
 * const rules = RuleSet.make([{ id: "others", collaboratorId: "ada", link, percent: 10 }])
 * const linking = Linking.make(rules, [{ id: "mug", vendor: "North" }, { id: "cap" }])
 * Linking.countOf(linking, "others") // => 1
 * ```
 */
export const countOf = (linking: Linking, groupId: string): number => {
  const group: ProductGroup | undefined = RuleSet.get(linking.rules, groupId)
  return group === undefined ? 0 : states.countOf(states.stateOf(linking), group)
}

/**
 * The total number of links: the sum of {@link countOf} over all groups.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { Linking, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 *   { id: "g2", collaboratorId: "sam", link: { type: "products", values: ["mug"] }, percent: 5 },
 * ])
 * Linking.count(Linking.make(rules, [{ id: "print" }, { id: "mug" }])) // => 3
 * ```
 */
export const count = (linking: Linking): number => states.count(states.stateOf(linking))

/**
 * The groups that a product is linked to, most specific first, as in `RuleSet.linkedGroups`. The product is named by
 * its `Product.keyOf`; an unknown one has none.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { Linking, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "all", collaboratorId: "sam", link: { type: "products.all" }, percent: 5 },
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * const linking = Linking.make(rules, [{ id: "print", tags: ["art"] }])
 * Linking.groupsOf(linking, "print").map((group) => group.id) // => ["art", "all"]
 * ```
 */
export const groupsOf = (linking: Linking, productKey: string): ReadonlyArray<ProductGroup> => {
  const product = states.find(states.stateOf(linking), productKey)
  return product === undefined ? [] : RuleSet.linkedGroups(linking.rules, product)
}

/**
 * Adds products, or replaces those with the same `Product.keyOf`. They all move to the end. The cost depends on these
 * products, not on the size of the catalogue; the given linking is unchanged.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { Linking, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * const linking = Linking.make(rules, [{ id: "print", tags: ["art"] }, { id: "mug" }])
 * const changed = Linking.putProducts(linking, [{ id: "mug", tags: ["art"] }, { id: "cap" }])
 * changed.productCount // => 3
 * Linking.countOf(changed, "art") // => 2
 * Linking.countOf(linking, "art") // => 1
 * ```
 */
export const putProducts = (linking: Linking, products: ReadonlyArray<Product>): Linking =>
  products.length === 0
    ? linking
    : of(linking.rules, states.putProducts(states.stateOf(linking), products))

/**
 * Removes products, named by their `Product.keyOf`; unknown keys change nothing. The cost depends on these products,
 * not on the size of the catalogue; the given linking is unchanged.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { Linking, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 * ])
 * const linking = Linking.make(rules, [{ id: "mug", externalVariantId: "red" }, { id: "cap" }])
 * Linking.productsOf(Linking.removeProducts(linking, ["mug/red"]), "all") // => [{ id: "cap" }]
 * ```
 */
export const removeProducts = (linking: Linking, keys: Iterable<string>): Linking => {
  const state = states.removeProducts(states.stateOf(linking), keys)
  return state === states.stateOf(linking) ? linking : of(linking.rules, state)
}

/**
 * The same products under other rules. The cost depends on the links that are new in these rules: groups that were
 * there before, or have the same link as one that was, cost next to nothing. The given linking is unchanged.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { Linking, RuleSet } from "apportion"
 *
 * const link = { type: "products.tag", values: ["art"] } as const
 * const linking = Linking.make(RuleSet.make([]), [{ id: "print", tags: ["art"] }])
 * const rules = RuleSet.put(linking.rules, { id: "art", collaboratorId: "ada", link, percent: 10 })
 * Linking.count(Linking.withRules(linking, rules)) // => 1
 * ```
 */
export const withRules = (linking: Linking, rules: RuleSet.RuleSet): Linking =>
  rules === linking.rules
    ? linking
    : of(rules, states.withGroups(states.stateOf(linking), rules.groups))
