/**
 * The division of a sale: who gets what of each item, to the cent.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { sameData } from "../internal/sameData.js"
import { InvalidOrder, type Order } from "../orders/Order.js"
import type { RuleSet } from "../rules/RuleSet.js"
import { before060, current } from "./internal/claims.js"
import {
  OverAllocated,
  resultBy,
  type Split,
  type SplitError,
  splitBy,
} from "./internal/splitOrder.js"
import * as SplitPolicy from "./SplitPolicy.js"

export { InvalidOrder, OverAllocated, type Split, type SplitError }

/**
 * Splits an order, and throws the {@link SplitError} when it can't be split. For orders from outside the program,
 * {@link orderResult} returns the error as a value.
 *
 * For each item, the shares and the store's rest add up to exactly what the item brought in. The result does not depend
 * on the order of the groups or of the items.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet, Split } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "12.50" },
 * ])
 * const split = Split.order(rules, {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 9_999 }],
 * })
 * split.shares.map((share) => share.amount) // => [1250]
 * split.store // => [{ itemId: "1", amount: 8749 }]
 * ```
 */
export const order = (
  rules: RuleSet,
  order: Order,
  policy: SplitPolicy.SplitPolicy = SplitPolicy.defaults,
): Split => splitBy(current, rules, order, policy)

/**
 * Splits an order, and returns the typed error when it can't be split.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet, Split } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 60 },
 *   { id: "g2", collaboratorId: "sam", link: { type: "products.all" }, percent: 60 },
 * ])
 * const result = Split.orderResult(rules, {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
 * })
 * Result.isFailure(result) && result.failure._tag // => "OverAllocated"
 * ```
 */
export const orderResult = (
  rules: RuleSet,
  input: Order,
  policy: SplitPolicy.SplitPolicy = SplitPolicy.defaults,
): Result.Result<Split, SplitError> => resultBy(current, rules, input, policy)

/**
 * Whether a recorded split can be reproduced: whether splitting the order by the rules, under the policy in the split,
 * gives the same split. The rules must be those of the time; the groups that counted or were outranked are enough.
 *
 * Where the computation differs from earlier versions (a cut by `scale`, an item of amount 0 in an order that reverses
 * a sale, both since 0.6.0) the earlier way is accepted too, so that older records don't count as damaged.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet, Split } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 * ])
 * const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }
 * const order = { id: "1001", currency: "USD", items: [item] }
 * const recorded = JSON.parse(JSON.stringify(Split.order(rules, order)))
 * Split.comesOutAgain(recorded, rules, order) // => true
 * Split.comesOutAgain({ ...recorded, shares: [] }, rules, order) // => false
 * ```
 */
export const comesOutAgain = (recorded: Split, rules: RuleSet, order: Order): boolean =>
  [current, before060].some((edition) =>
    Result.match(resultBy(edition, rules, order, recorded.policy), {
      onSuccess: (split) => sameData(split, recorded),
      onFailure: () => false,
    }),
  )

/**
 * Splits orders lazily, one after another, from a list or any other iterable. Each has its own result, so an order that
 * can't be split does not affect the others.
 *
 * @since 0.4.0
 * @category operations
 * @example
 * ```ts
 * import { RuleSet, Split } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 * ])
 * const order = (id: string, amount: number) => ({
 *   id,
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount }],
 * })
 * const answers = [...Split.orders(rules, [order("1001", 1_000), order("1002", 0.5)])]
 * answers.map((answer) => Result.isSuccess(answer)) // => [true, false]
 * ```
 */
export function* orders(
  rules: RuleSet,
  orders: Iterable<Order>,
  policy: SplitPolicy.SplitPolicy = SplitPolicy.defaults,
): Generator<Result.Result<Split, SplitError>, void> {
  for (const each of orders) yield orderResult(rules, each, policy)
}
