import type fc from "fast-check"
import type { Order } from "../../orders/Order.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import { makerOf, moneyOf, orderPlan, type RuleOrderOptions } from "../rules/samples.js"

export type { RuleOrderFeature, RuleOrderOptions, RuleOrderValues } from "../rules/samples.js"

/**
 * Orders at the bounds of a rule set, one of its groups after the other: orders to which a group just
 * applies or, by exactly one thing, just does not; to which two groups apply at once; a second before and
 * after a group begins and ends; with values of the rules in other spellings, with a letter wrong or in the
 * wrong place; with sums at which a minimum, a maximum or half a cent decides. Whatever they make is a valid
 * order, and what they shrink to is small enough to read. {@link orderFor} makes any orders, which happen to
 * meet the rules; these are made from the rules.
 *
 * @since 0.5.0
 * @category orders
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const rules = RuleSet.make([
 *   {
 *     id: "g1",
 *     collaboratorId: "ada",
 *     link: { type: "products.tag", values: ["straße"] },
 *     condition: { type: "country.code", modifier: "NOT", values: ["DE"] },
 *     percent: 10,
 *   },
 * ])
 * const orders = fc.sample(Arbitraries.ordersFor(rules), { numRuns: 500, seed: 1 })
 * const tags = new Set(orders.flatMap(({ items }) => items.flatMap((item) => item.product.tags ?? [])))
 * tags.has("STRASSE") // => true
 * tags.has("straß") // => true
 * const matched = orders.filter((order) => RuleSet.matchingByItem(rules, order).flat().length > 0)
 * matched.length > 150 && matched.length < 350 // => true
 * ```
 */
export const ordersFor = (
  rules: Pick<RuleSet, "groups">,
  options: RuleOrderOptions = {},
): fc.Arbitrary<Order> => {
  const make = makerOf(rules.groups, options)
  return orderPlan(moneyOf(rules.groups, options)).map(make)
}
