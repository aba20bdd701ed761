import type fc from "fast-check"
import type { Order } from "../../orders/Order.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import { makerOf, moneyOf, orderPlan, type RuleOrderOptions } from "../rules/samples.js"

export type { RuleOrderFeature, RuleOrderOptions, RuleOrderValues } from "../rules/samples.js"

/**
 * Orders at the bounds of a rule set, for its groups in turn: orders to which a group only just applies
 * or, because of exactly one difference, does not; to which two groups apply; a second before and after a group begins
 * and ends; with values of the rules in other spellings, with a wrong letter or in the wrong field; with amounts at
 * which a minimum, a maximum or half a cent decides. All of them are valid orders, and they shrink to orders small
 * enough to read. {@link orderFor} makes arbitrary orders that happen to match the rules; these are derived from the
 * rules.
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
