import type fc from "fast-check"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { ConditionType, LinkType } from "../../rules/ProductGroup.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import { moneyOf, orderPlan } from "../rules/plan.js"
import { makerOf } from "../rules/samples.js"
import type { AmountRange } from "./internal/Choice.js"

/**
 * Values for the places that groups look at, by the type of link or condition that looks there.
 *
 * @since 0.5.0
 * @category models
 * @example
 * ```ts
 * import type { Arbitraries } from "apportion/testing"
 *
 * const values: Arbitraries.RuleOrderValues = { "customer.tag": ["wholesale"], products: ["p1"] }
 * ```
 */
export type RuleOrderValues = Readonly<
  Partial<Record<Exclude<LinkType, "products.all"> | ConditionType, ReadonlyArray<string>>>
>

/**
 * Something that orders can have, and that a shop may not know. Free items are those for which nothing, or next
 * to nothing, is paid after a discount. Odd sums are valid and hardly ever written: discounts and taxes of more
 * than the amount or against it, shipping and fees below 0, sales and returns in one order.
 *
 * @since 0.5.0
 * @category models
 */
export type RuleOrderFeature =
  | "returns"
  | "discounts"
  | "taxes"
  | "costs"
  | "shipping"
  | "fees"
  | "free items"
  | "odd sums"

/**
 * What orders at the bounds of a rule set are made with.
 *
 * @since 0.5.0
 * @category models
 */
export interface RuleOrderOptions extends AmountRange {
  /** Every product comes from here as it is, and is sold at its price where it has one. */
  readonly catalogue?: ReadonlyArray<Product> | undefined
  /** Values that no rule names, and that orders have nevertheless: what a law of yours is about. */
  readonly values?: RuleOrderValues | undefined
  /** What no order has. */
  readonly without?: ReadonlyArray<RuleOrderFeature> | undefined
  /** ISO 4217 code; `USD` when absent. */
  readonly currency?: string | undefined
  /** 3 when absent. */
  readonly maxItems?: number | undefined
}

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
