/**
 * A store's product groups, indexed once and then matched against millions of sales.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { numberAt } from "../internal/at.js"
import { attempt } from "../internal/TaggedError.js"
import type { Order, OrderItem } from "../orders/Order.js"
import type { Product } from "../orders/Product.js"
import { OrderView } from "./engine/Conditions.js"
import type { RuleIndex } from "./engine/RuleIndex.js"
import * as versions from "./engine/versions.js"
import { InvalidRuleSet } from "./engine/versions.js"
import * as ProductGroup from "./ProductGroup.js"

/**
 * Valid product groups with distinct ids. It is plain data; the index for matching is kept beside it and rebuilt for a
 * rule set read from a storage. Such a set, or one put together by hand, is checked on first use: the call throws
 * {@link InvalidRuleSet}, and `Split.orderResult` returns it. Later changes of the object have no effect.
 *
 * @since 0.1.0
 * @category models
 */
export interface RuleSet {
  readonly groups: ReadonlyArray<ProductGroup.ProductGroup>
}

export { InvalidRuleSet }

const made = (groups: unknown): RuleSet =>
  Object.freeze({ groups: Object.freeze(versions.listGroups(groups)) })

/**
 * Checks groups and makes a rule set of them. All problems of all groups are reported at once.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Result } from "effect"
 *
 * const result = RuleSet.parse([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "120" },
 * ])
 * Result.isFailure(result) // => true
 * ```
 */
export const parse = (groups: ReadonlyArray<unknown>): Result.Result<RuleSet, InvalidRuleSet> =>
  attempt([InvalidRuleSet], () => made(groups))

/**
 * Makes a rule set, and throws {@link InvalidRuleSet} when the groups are invalid. For groups from outside the program,
 * {@link parse} returns the error as a value.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: "12.50" },
 * ])
 * rules.groups.length // => 1
 * ```
 */
export const make = (groups: ReadonlyArray<ProductGroup.GroupInput>): RuleSet => made(groups)

/**
 * The group with an id, without going through the others.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 * ])
 * RuleSet.get(rules, "g1")?.percent // => "10.00"
 * RuleSet.get(rules, "g2") // => undefined
 * ```
 */
export const get = (rules: RuleSet, groupId: string): ProductGroup.ProductGroup | undefined =>
  versions.indexOf(rules).get(groupId)

const withGroup = (rules: RuleSet, group: ProductGroup.ProductGroup): RuleSet =>
  versions.change(rules, { id: group.id, before: get(rules, group.id), after: group })

/**
 * A rule set with a group added, or replacing the one with its id. The cost depends on the group, not on the size of
 * the set; the given rule set is unchanged.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Result } from "effect"
 *
 * const link = { type: "products.all" }
 * const rules = RuleSet.parsePut(RuleSet.make([]), { id: "g1", collaboratorId: "ada", link, percent: 120 })
 * Result.isFailure(rules) && rules.failure.problems.map((problem) => problem.path) // => ["percent"]
 * ```
 */
export const parsePut = (
  rules: RuleSet,
  input: unknown,
): Result.Result<RuleSet, ProductGroup.InvalidProductGroup> =>
  Result.map(ProductGroup.parse(input), (group) => withGroup(rules, group))

/**
 * A rule set with a group added, or replacing the one with its id; throws `InvalidProductGroup` when the group is
 * invalid. The cost depends on the group, not on the size of the set; the given rule set is unchanged.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 * ])
 * const link = { type: "products.tag", values: ["art"] } as const
 * const more = RuleSet.put(rules, { id: "g2", collaboratorId: "sam", link, percent: 5 })
 * more.groups.map((group) => group.id) // => ["g1", "g2"]
 * rules.groups.length // => 1
 * ```
 */
export const put = (rules: RuleSet, input: ProductGroup.GroupInput): RuleSet =>
  withGroup(rules, ProductGroup.make(input))

/**
 * A rule set without the group with an id; the same rule set when it has none. The cost depends on the group, not on
 * the size of the set; the given rule set is unchanged.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 * ])
 * RuleSet.remove(rules, "g1").groups // => []
 * ```
 */
export const remove = (rules: RuleSet, groupId: string): RuleSet => {
  const before = get(rules, groupId)
  return before === undefined
    ? rules
    : versions.change(rules, { id: groupId, before, after: undefined })
}

const matchingIn = (
  index: RuleIndex,
  view: OrderView,
  product: Product,
): ReadonlyArray<ProductGroup.ProductGroup> => {
  const count = index.match(view, product)
  const { matches, table } = index
  const groups = new Array<ProductGroup.ProductGroup>(count)
  for (let place = 0; place < count; place += 1) {
    groups[place] = table.groupAt(numberAt(matches, place))
  }
  return groups
}

/**
 * The groups that match an item of an order, most specific first, before each collaborator's most specific group is
 * chosen.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: 5 },
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["Art"] }, percent: 10 },
 * ])
 * const item = { id: "1", product: { id: "p1", tags: ["art"] }, quantity: 1, amount: 1_000 }
 * const order = { id: "1001", currency: "USD", items: [item] }
 * RuleSet.matchingGroups(rules, order, item).map((group) => group.id) // => ["art", "all"]
 * ```
 */
export const matchingGroups = (
  rules: RuleSet,
  order: Order,
  item: OrderItem,
): ReadonlyArray<ProductGroup.ProductGroup> =>
  matchingIn(versions.indexOf(rules), new OrderView(order), item.product)

/**
 * The groups that match each item of an order: a list for each item, as from {@link matchingGroups}. The order is
 * evaluated once, so this is faster than calling that for each item.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * const items = [
 *   { id: "1", product: { id: "p1", tags: ["art"] }, quantity: 1, amount: 1_000 },
 *   { id: "2", product: { id: "p2" }, quantity: 1, amount: 1_000 },
 * ]
 * const lists = RuleSet.matchingByItem(rules, { id: "1001", currency: "USD", items })
 * lists.map((groups) => groups.length) // => [1, 0]
 * ```
 */
export const matchingByItem = (
  rules: RuleSet,
  order: Order,
): ReadonlyArray<ReadonlyArray<ProductGroup.ProductGroup>> => {
  const index = versions.indexOf(rules)
  const view = new OrderView(order)
  return order.items.map((item) => matchingIn(index, view, item.product))
}

/**
 * The groups whose link selects a product, most specific first. Conditions and dates concern orders and are ignored:
 * this is what a store's pages show as the products of a group.
 *
 * @since 0.2.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: 5 },
 *   { id: "art", collaboratorId: "sam", link: { type: "products.tag", values: ["Art"] }, percent: 10 },
 *   { id: "mug", collaboratorId: "sam", link: { type: "products", values: ["p2"] }, percent: 10 },
 * ])
 * const groups = RuleSet.linkedGroups(rules, { id: "p1", tags: ["art"] })
 * groups.map((group) => group.id) // => ["art", "all"]
 * ```
 */
export const linkedGroups = (
  rules: RuleSet,
  product: Product,
): ReadonlyArray<ProductGroup.ProductGroup> => {
  const index = versions.indexOf(rules)
  return index.linked(product).map((slot) => index.table.groupAt(slot))
}
