import type * as Result from "effect/Result"
import { at } from "../../internal/at.js"
import { attempt, TaggedError } from "../../internal/TaggedError.js"
import { AmountOutOfRange } from "../../money/Cents.js"
import * as Percent from "../../money/Percent.js"
import { InvalidOrder, make as makeOrder, type Order } from "../../orders/Order.js"
import { InvalidRuleSet, type RuleSet } from "../../rules/RuleSet.js"
import type { ItemBreakdown, Outranked, Share, StoreShare } from "../Share.js"
import * as SplitPolicy from "../SplitPolicy.js"
import { isSplittable } from "./checkOrder.js"
import type { Edition } from "./claims.js"
import { type RejectedItem, splitItems } from "./itemSplit.js"

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

/** The classes of everything that an order may be refused with. */
export const splitErrors = () => [
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

const asItIs = (order: Order): Order => order

/**
 * Splits an order by the rules of an edition, or throws why it can't be split.
 *
 * @param arranged - puts the items of the valid order into the order in which they are split
 */
export const splitBy = (
  edition: Edition,
  rules: RuleSet,
  order: Order,
  policy: SplitPolicy.SplitPolicy,
  arranged = asItIs,
): Split => {
  const checked = checkedPolicy(policy)
  try {
    const known = isSplittable(order) ? order : makeOrder(order)
    return splitOrder(rules, arranged(known), checked, edition)
  } catch (error) {
    if (isSplitError(error)) throw error
    // A value in the order does not have its declared type; if it is not the order, it is a defect here.
    makeOrder(order)
    throw error
  }
}

/** The same, with the error as a value. */
export const resultBy = (
  edition: Edition,
  rules: RuleSet,
  order: Order,
  policy: SplitPolicy.SplitPolicy,
): Result.Result<Split, SplitError> =>
  attempt<Split, SplitError>(splitErrors(), () => splitBy(edition, rules, order, policy))
