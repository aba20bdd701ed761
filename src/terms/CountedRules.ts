/**
 * A rule set some of whose groups have terms: tiers or a cap.
 *
 * @since 0.6.0
 */

import type * as Result from "effect/Result"
import { attempt } from "../internal/TaggedError.js"
import { InvalidRuleSet, type RuleSet } from "../rules/RuleSet.js"
import {
  type CountedGroup,
  type CountedGroupInput,
  type CountedRules,
  compiledOf,
  made,
} from "./internal/termRules.js"

export { type CountedGroup, type CountedGroupInput, type CountedRules, InvalidRuleSet }

/**
 * Checks groups with terms and makes a rule set of them. All problems are reported at once, each with the path and the
 * value of its field.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { CountedRules } from "apportion"
 * import { Result } from "effect"
 *
 * const link = { type: "products.all" }
 * const terms = { cap: { amount: -1 } }
 * const result = CountedRules.parse([{ id: "g1", collaboratorId: "ada", link, percent: 10, terms }])
 * Result.isFailure(result) && result.failure.problems.map((problem) => problem.path) // => ["[0].terms.cap.amount"]
 * ```
 */
export const parse = (input: unknown): Result.Result<CountedRules, InvalidRuleSet> =>
  attempt([InvalidRuleSet], () => made(input))

/**
 * Makes a rule set of groups, some of which have terms; throws {@link InvalidRuleSet} when one is invalid.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { CountedRules } from "apportion"
 *
 * const bands = [{ from: 0, percent: 10 }, { from: 1_000, percent: 15 }]
 * const rules = CountedRules.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, terms: { tiers: { counted: "units", bands } } },
 * ])
 * rules.counted[0]?.terms?.tiers?.period // => "lifetime"
 * ```
 */
export const make = (groups: ReadonlyArray<CountedGroupInput>): CountedRules => made(groups)

/**
 * The same groups without their terms, for matching products and orders: one with tiers has its highest percentage, and
 * earns shipping only where it has a `shippingPercent`. Splitting by them would pay that percentage.
 *
 * @since 0.6.0
 * @category getters
 * @example
 * ```ts
 * import { CountedRules } from "apportion"
 *
 * const bands = [{ from: 0, percent: 10 }, { from: 1_000, percent: 15 }]
 * const rules = CountedRules.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, terms: { tiers: { counted: "units", bands } } },
 * ])
 * CountedRules.highest(rules).groups[0]?.percent // => "15.00"
 * ```
 */
export const highest = (rules: CountedRules): RuleSet => compiledOf(rules).rules
