/**
 * The division of a sale: who gets what of each item, to the cent.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { at } from "../internal/at.js"
import { sameData } from "../internal/sameData.js"
import { attempt, TaggedError } from "../internal/TaggedError.js"
import { AmountOutOfRange } from "../money/Cents.js"
import * as Percent from "../money/Percent.js"
import { InvalidOrder, make as makeOrder, type Order } from "../orders/Order.js"
import { InvalidRuleSet, type RuleSet } from "../rules/RuleSet.js"
import { isSplittable } from "./internal/checkOrder.js"
import { before060, current, type Edition } from "./internal/claims.js"
import { type RejectedItem, splitItems } from "./internal/itemSplit.js"
import type { ItemBreakdown, Outranked, Share, StoreShare } from "./Share.js"
import * as SplitPolicy from "./SplitPolicy.js"

/**
 * A split order. It is plain data and contains its own explanation, so that it can be stored, and explained and
 * refunded later without the rules it was made with.
 *
 * @since 0.1.0
 * @category models
 */
export interface Split {
  readonly orderId: string
  /** ISO 4217 code. Every amount is in its lowest unit. */
  readonly currency: string
  /** The order's time, in Unix seconds. */
  readonly createdAt: number | null
  readonly policy: SplitPolicy.SplitPolicy
  /** By item as in the order, then by group id. */
  readonly shares: ReadonlyArray<Share>
  /** One entry per item. */
  readonly store: ReadonlyArray<StoreShare>
  /** One entry per item: how its money was computed. */
  readonly items: ReadonlyArray<ItemBreakdown>
  readonly outranked: ReadonlyArray<Outranked>
}

export { InvalidOrder }

/**
 * The groups of an item claim more than it brought in, and the policy refuses that; `exceeded` says which check failed.
 *
 * @since 0.1.0
 * @category errors
 */
export class OverAllocated extends TaggedError("OverAllocated")<{
  readonly orderId: string
  readonly itemId: string
  /**
   * `sum`: all claims together exceed what the item brought in. `percentages`: they would fit, but the percentages of
   * one stage add up to more than 100 %.
   */
  readonly exceeded: "sum" | "percentages"
  /** What the item brought in, in cents. */
  readonly distributable: number
  readonly claims: ReadonlyArray<{
    readonly groupId: string
    readonly collaboratorId: string
    readonly amount: number
  }>
  readonly message: string
}> {}

/**
 * Why an order could not be split.
 *
 * @since 0.1.0
 * @category errors
 */
export type SplitError =
  | InvalidOrder
  | OverAllocated
  | AmountOutOfRange
  | SplitPolicy.InvalidPolicy
  | InvalidRuleSet

const checkedPolicies = /* @__PURE__ */ new WeakMap<object, SplitPolicy.SplitPolicy>()

/** Checks a policy on first use and after a change, so that a valid one costs next to nothing. */
const checkedPolicy = (policy: SplitPolicy.SplitPolicy): SplitPolicy.SplitPolicy => {
  if (policy === SplitPolicy.defaults) return policy
  const known = checkedPolicies.get(policy)
  if (known !== undefined && SplitPolicy.isSame(known, policy)) return known
  const checked = SplitPolicy.make(policy)
  checkedPolicies.set(policy, checked)
  return checked
}

const overAllocated = (order: Order, { item, over }: RejectedItem): OverAllocated => {
  const { exceeded, basisPoints, distributable, claims } = over
  const what =
    exceeded === "sum"
      ? `the groups of item ${item.id} of order ${order.id} claim more than it brought in, ${distributable}`
      : `the percentages of the groups of item ${item.id} of order ${order.id} come to ${Percent.format(basisPoints)} %, more than 100 % of their base: it brought in ${distributable}`
  const listed = claims.map(({ groupId, amount }) => `${groupId} ${amount}`).join(", ")
  const message = `${what}; claimed: ${listed} (in the lowest unit of ${order.currency})`
  return new OverAllocated({
    ...{ orderId: order.id, itemId: item.id, exceeded },
    ...{ distributable, claims, message },
  })
}

const splitErrors = () => [
  InvalidOrder,
  OverAllocated,
  AmountOutOfRange,
  SplitPolicy.InvalidPolicy,
  InvalidRuleSet,
]

const isSplitError = (error: unknown): boolean =>
  splitErrors().some((Expected) => error instanceof Expected)

/** Joins the lists of all items; the list of a single item is used as it is. */
const joined = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> =>
  lists.length === 1 ? at(lists, 0) : lists.flat()

const splitOrder = (
  rules: RuleSet,
  order: Order,
  policy: SplitPolicy.SplitPolicy,
  edition: Edition,
): Split => {
  const items = splitItems(rules, order, policy, edition)
  if ("over" in items) throw overAllocated(order, items)
  return {
    orderId: order.id,
    currency: order.currency,
    createdAt: order.createdAt ?? null,
    policy,
    shares: joined(items.map((item) => item.shares)),
    store: items.map((item) => item.store),
    items: items.map((item) => item.breakdown),
    outranked: joined(items.map((item) => item.outranked)),
  }
}

const splitBy = (
  edition: Edition,
  rules: RuleSet,
  order: Order,
  policy: SplitPolicy.SplitPolicy,
): Split => {
  const checked = checkedPolicy(policy)
  try {
    const known = isSplittable(order) ? order : makeOrder(order)
    return splitOrder(rules, known, checked, edition)
  } catch (error) {
    if (isSplitError(error)) throw error
    // A value in the order does not have its declared type; if it is not the order, it is a defect here.
    makeOrder(order)
    throw error
  }
}

const resultBy = (
  edition: Edition,
  rules: RuleSet,
  order: Order,
  policy: SplitPolicy.SplitPolicy,
): Result.Result<Split, SplitError> =>
  attempt<Split, SplitError>(splitErrors(), () => splitBy(edition, rules, order, policy))

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
