import * as Result from "effect/Result"
import fc from "fast-check"
import type { Order } from "../../orders/Order.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import * as Refund from "../../shares/Refund.js"
import type { ItemBreakdown } from "../../shares/Share.js"
import * as Split from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { most } from "./internal/Choice.js"
import { moment } from "./internal/pools.js"
import { type OrderOptions, order, orderFor } from "./Orders.js"
import { ruleSet } from "./ProductGroups.js"
import { cents, id, time, timeZone } from "./Scalars.js"

/**
 * Split policies: every value of every option, in any combination.
 *
 * @since 0.2.0
 * @category settings
 * @example
 * ```ts
 * import { SplitPolicy } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const policies = fc.sample(Arbitraries.splitPolicy(), 50)
 * policies.every((policy) => Result.isSuccess(SplitPolicy.parse(policy))) // => true
 * ```
 */
export const splitPolicy = (): fc.Arbitrary<SplitPolicy> =>
  fc.record({
    discount: fc.constantFrom("deduct", "ignore"),
    tax: fc.constantFrom("remove", "keep", "share"),
    cost: fc.constantFrom("ignore", "deduct"),
    gatewayFee: fc.constantFrom("ignore", "deduct"),
    flatScope: fc.constantFrom("unit", "item", "order"),
    shipping: fc.constantFrom("store", "share", "charge", "all"),
    stacking: fc.constantFrom("most-specific", "all"),
    rounding: fc.constantFrom("largest-remainder", "floor"),
    overAllocation: fc.constantFrom("reject", "scale", "rank", "allow"),
  })

/**
 * The settings of an account, every field present: what `makeSettings` of `apportion/service` takes and returns.
 *
 * @since 0.2.0
 * @category settings
 * @example
 * ```ts
 * import { makeSettings } from "apportion/service"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const settings = fc.sample(Arbitraries.settings(), 50)
 * settings.every((each) => Result.isSuccess(makeSettings(each))) // => true
 * ```
 */
export const settings = (): fc.Arbitrary<{
  readonly policy: SplitPolicy
  readonly timeZone: string
  readonly linkBatchSize: number
  readonly linkSweepSeconds: number
  readonly conflictRetries: number
}> =>
  fc.record({
    policy: splitPolicy(),
    timeZone: timeZone(),
    linkBatchSize: fc.oneof(fc.constantFrom(1, 2, 500, 100_000), fc.integer({ min: 1, max: 50 })),
    linkSweepSeconds: fc.constantFrom(1, 30, 86_400),
    conflictRetries: fc.oneof(fc.constantFrom(0, 20, 1_000), fc.integer({ min: 0, max: 50 })),
  })

/**
 * Everything that decides a split.
 *
 * @since 0.2.0
 * @category models
 */
export interface DrawnSale {
  readonly rules: RuleSet
  readonly order: Order
  readonly policy: SplitPolicy
}

/**
 * Rules, an order that matches them, and a policy. It may be refused: for over-allocation if the policy says so, and
 * for sums beyond the exact range unless amounts are `usual`.
 *
 * @since 0.2.0
 * @category sales
 * @example
 * ```ts
 * import { Split } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const sales = fc.sample(Arbitraries.sale({ amounts: "usual" }), 100)
 * const splits = sales.map(({ rules, order, policy }) => Split.orderResult(rules, order, policy))
 * splits.filter(Result.isSuccess).length > 20 // => true
 * ```
 */
export const sale = (options: OrderOptions = {}): fc.Arbitrary<DrawnSale> =>
  fc
    .tuple(ruleSet({ amounts: options.amounts }), splitPolicy())
    .chain(([rules, policy]) =>
      fc
        .oneof(
          { weight: 4, arbitrary: orderFor(rules, options) },
          { weight: 1, arbitrary: order(options) },
        )
        .map((made) => ({ rules, order: made, policy })),
    )

/** A policy that refuses no order for over-allocation. */
const lenient = (policy: SplitPolicy): SplitPolicy =>
  policy.overAllocation === "reject" ? { ...policy, overAllocation: "scale" } : policy

/**
 * Sales with their split: with usual amounts, and policies that refuse nothing.
 *
 * @since 0.2.0
 * @category sales
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const sales = fc.sample(Arbitraries.splitSale(), 100)
 * sales.some(({ split }) => split.shares.length > 1) // => true
 * ```
 */
export const splitSale = (
  options: Omit<OrderOptions, "amounts"> = {},
): fc.Arbitrary<DrawnSale & { readonly split: Split.Split }> =>
  sale({ ...options, amounts: "usual" }).map((one) => {
    const policy = lenient(one.policy)
    return { ...one, policy, split: Split.order(one.rules, one.order, policy) }
  })

/**
 * Single refunds: by amount, by quantity, of what is remaining or of some of the shipping, with either sign, up to the
 * exact range.
 *
 * @since 0.2.0
 * @category sales
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const refunds = fc.sample(Arbitraries.refund(), 50)
 * refunds.every(({ amount }) => amount !== 0) // => true
 * ```
 */
export const refund = (
  options: {
    readonly orderId?: fc.Arbitrary<string> | undefined
    readonly itemId?: fc.Arbitrary<string> | undefined
  } = {},
): fc.Arbitrary<Refund.Refund> => {
  const common = {
    orderId: options.orderId ?? id(),
    itemId: options.itemId ?? id(),
    refundedAt: time(),
  }
  const amount = cents().map((n) => (n === 0 ? 1 : n))
  const quantity = fc.oneof(fc.constantFrom(1, 2, most), fc.integer({ min: 1, max: 100 }))
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ ...common, amount }) },
    { weight: 3, arbitrary: fc.record({ ...common, quantity }) },
    { weight: 1, arbitrary: fc.record({ ...common, remaining: fc.constant<true>(true) }) },
    { weight: 1, arbitrary: ofShipping(common) },
  )
}

/** A refund of an order's shipping: some of it, or all. */
const ofShipping = (common: {
  readonly orderId: fc.Arbitrary<string>
  readonly itemId: fc.Arbitrary<string>
  readonly refundedAt: fc.Arbitrary<number>
}): fc.Arbitrary<Refund.Refund> =>
  fc
    .tuple(fc.record(common), fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 1_000 }))
    .map(([of, shippingAmount, more]) => ({
      ...of,
      shippingAmount,
      shippingTotal: shippingAmount + more,
    }))

/** A part of an item's money or units; sometimes too much, after earlier refunds. */
const refundOf = (split: Split.Split, item: ItemBreakdown): fc.Arbitrary<Refund.Refund> => {
  const net = item.amount - item.discount
  const part = fc.integer({ min: 1, max: 5 })
  const common = {
    orderId: fc.constant(split.orderId),
    itemId: fc.constant(item.itemId),
    refundedAt: moment(),
  }
  const amount = fc.oneof(
    part.map((n) => Math.trunc(net / n) || Math.sign(net)),
    fc.constantFrom(Math.sign(net), net),
  )
  const quantity = fc.integer({ min: 1, max: Math.max(1, item.quantity) })
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ ...common, amount }) },
    { weight: 3, arbitrary: fc.record({ ...common, quantity }) },
    { weight: 1, arbitrary: fc.record({ ...common, remaining: fc.constant<true>(true) }) },
    { weight: 1, arbitrary: ofShipping(common) },
  )
}

/**
 * Refunds of the items of a split, in an order in which all of them can be made: partial or full, by amount, by
 * quantity and of what is remaining.
 *
 * @param options.maxLength - how many are tried at most; 6 when absent
 * @since 0.2.0
 * @category sales
 * @example
 * ```ts
 * import { RuleSet, Split } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const split = Split.order(RuleSet.make([]), {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 4, amount: 10_000 }],
 * })
 * const lists = fc.sample(Arbitraries.refundsOf(split), 50)
 * lists.some((refunds) => refunds.length > 1) // => true
 * ```
 */
export const refundsOf = (
  split: Split.Split,
  options: { readonly maxLength?: number | undefined } = {},
): fc.Arbitrary<ReadonlyArray<Refund.Refund>> => {
  const { items } = split
  if (items.length === 0) return fc.constant([])
  const { maxLength = 6 } = options
  return fc
    .array(fc.oneof(...items.map((item) => refundOf(split, item))), { maxLength })
    .map((tried) => {
      const made: Array<Refund.Refund> = []
      for (const one of tried) {
        if (Result.isSuccess(Refund.reverse(split, one, { earlier: made }))) made.push(one)
      }
      return made
    })
}
