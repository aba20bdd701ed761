/**
 * All products of a catalogue linked to all groups of a rule set, at once and by index. A linking is kept
 * up to date at the cost of what changes, and each of its states goes on to answer as before.
 *
 * What is linked is what the groups' links select; conditions and dates are about orders and are not asked.
 *
 * @since 0.4.0
 */

import type { Product } from "../orders/Product.js"
import * as states from "./linking/State.js"
import type { ProductGroup } from "./ProductGroup.js"
import * as RuleSet from "./RuleSet.js"

/**
 * Which products each group is linked to. Made by {@link make}; it never changes. It holds on to the
 * products and groups that it was given and takes them to stay as they are. What it knows is kept beside it:
 * a copy of it is no linking.
 *
 * @since 0.4.0
 * @category models
 */
export interface Linking {
  readonly rules: RuleSet.RuleSet
  /** How many products are there; of those with the same `Product.keyOf` only the last one is. */
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
 * How many products a group is linked to, without looking at any of them. A group that is not in the rule
 * set is linked to none.
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
 * How many links there are in all: the sum of what {@link countOf} says of each group.
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
 * The groups that a product is linked to, most specific first, as `RuleSet.linkedGroups` says of it. The
 * product is named by its `Product.keyOf`; one that is not there has none.
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
 * Puts products in: new ones, and changed ones for those with the same `Product.keyOf`. They come last,
 * also those that were there before. It costs what linking these products costs, not what the catalogue
 * costs; the linking that was given stays as it is.
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
 * Takes products out, named by their `Product.keyOf`; keys of products that are not there change nothing.
 * It costs what linking these products costs, not what the catalogue costs; the linking that was given
 * stays as it is.
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
 * The same products under other rules. It costs what the links cost that are in these rules alone: groups
 * that were there before, the very same or with the same link, cost next to nothing. The linking that was
 * given stays as it is.
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
