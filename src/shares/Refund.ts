/**
 * A refund reverses the recorded split of an item, in any number of parts.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { isFields, reading, refusal, show, within } from "../internal/problems.js"
import { expected, isSeconds } from "../internal/seconds.js"
import { TaggedError } from "../internal/TaggedError.js"
import { AmountOutOfRange } from "../money/Cents.js"
import { toSafe } from "../money/internal/exact.js"
import type { Problem } from "../Problem.js"
import {
  goesWithGoods,
  isBeyondWhole,
  isOfShipping,
  isWhole,
  type Parts,
  progressOf,
  type RefundedParts,
  remaining,
  reversedBy,
  total,
} from "./internal/progress.js"
import { ofRecorded } from "./internal/recordedSplit.js"
import { undone } from "./internal/undone.js"
import type { ItemBreakdown } from "./Share.js"
import type { Split } from "./Split.js"

/**
 * What a buyer got back for an item: an amount of money, a number of units, everything that is left of it, or part of
 * the order's shipping. Exactly one of the four is given.
 *
 * @since 0.1.0
 * @category models
 */
export interface Refund {
  readonly orderId: string
  readonly itemId: string
  /** Cents of the item's price after its discount; with the sign of the item's amount. */
  readonly amount?: number | undefined
  /** Units, 1 or more. */
  readonly quantity?: number | undefined
  /**
   * Whatever earlier refunds left of the item: when goods are returned after part of their price was refunded, neither
   * an amount nor a number of units expresses that.
   *
   * @since 0.6.0
   */
  readonly remaining?: true | undefined
  /**
   * Cents of the order's shipping that went back, out of `shippingTotal`: the same fraction of the item's part of the
   * shipping is reversed, and nothing of its goods. If a larger fraction of the goods was refunded, their shipping was
   * reversed with them and is not reversed again.
   *
   * @since 0.6.0
   */
  readonly shippingAmount?: number | undefined
  /**
   * What was paid for the order's shipping, in cents; given with `shippingAmount`, with the same sign.
   *
   * @since 0.6.0
   */
  readonly shippingTotal?: number | undefined
  /** Unix seconds. */
  readonly refundedAt: number
}

/**
 * What is reversed of one share; with the sign of the share.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReversedShare {
  readonly groupId: string
  readonly collaboratorId: string
  readonly amount: number
  /** The part of `amount` that came from shipping. */
  readonly shippingAmount: number
}

/**
 * What one refund reverses of an item's split.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reversal {
  readonly orderId: string
  readonly itemId: string
  readonly refundedAt: number
  /** Whether nothing of the item remains. */
  readonly fullyRefunded: boolean
  readonly shares: ReadonlyArray<ReversedShare>
  /** What the store gives back of its rest. */
  readonly store: number
}

/**
 * An invalid refund: not exactly one of amount, quantity, remaining and shipping; of nothing, of a fraction, or with
 * the wrong sign.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidRefund extends TaggedError("InvalidRefund")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

/**
 * A refund for an order or an item that is not in the split; `unknown` says which of the two.
 *
 * @since 0.1.0
 * @category errors
 */
export class RefundOfUnknownItem extends TaggedError("RefundOfUnknownItem")<{
  /** `order`: the split is of another order. `item`: the order is right, but has no such item. */
  readonly unknown: "order" | "item"
  readonly orderId: string
  readonly itemId: string
  readonly message: string
}> {}

/**
 * A refund of more than remains of the item. A refund with `remaining` reverses exactly what remains.
 *
 * @since 0.1.0
 * @category errors
 */
export class RefundExceedsItem extends TaggedError("RefundExceedsItem")<{
  readonly orderId: string
  readonly itemId: string
  /** Cents that could still be refunded. */
  readonly remainingAmount: number
  /** Whole units that could still be refunded. */
  readonly remainingQuantity: number
  readonly message: string
}> {}

/**
 * Why a refund could not be made.
 *
 * @since 0.1.0
 * @category errors
 */
export type RefundError = InvalidRefund | RefundOfUnknownItem | RefundExceedsItem | AmountOutOfRange

/** For an item that nothing was paid for, any amount exceeds what remains, and is not invalid. */
const isRefundOf = (net: number, amount: number): boolean =>
  Number.isSafeInteger(amount) && (net === 0 ? amount !== 0 : Math.sign(amount) === Math.sign(net))

const problemsOfAmount = (amount: number, item: ItemBreakdown): ReadonlyArray<Problem> => {
  const net = item.amount - item.discount
  if (isRefundOf(net, amount)) return []
  const message = `must be a whole number of cents ${net < 0 ? "below" : "above"} 0, as the item's amount after discount (${net}), got ${show(amount)}`
  return [{ path: "amount", value: amount, message }]
}

const problemsOfQuantity = (quantity: number): ReadonlyArray<Problem> => {
  if (Number.isSafeInteger(quantity) && quantity > 0) return []
  const message = `must be a whole number of 1 or more, got ${show(quantity)}`
  return [{ path: "quantity", value: quantity, message }]
}

const problemsOfShipping = ({ shippingAmount, shippingTotal }: Refund): ReadonlyArray<Problem> => {
  const isAmount = (value: unknown) => Number.isSafeInteger(value) && value !== 0
  const total = `must be what was paid for the order's shipping, a whole number of cents other than 0, got ${show(shippingTotal)}`
  if (!isAmount(shippingTotal)) {
    return [{ path: "shippingTotal", value: shippingTotal, message: total }]
  }
  const isSameSign = Math.sign(shippingAmount ?? 0) === Math.sign(shippingTotal ?? 0)
  if (isAmount(shippingAmount) && isSameSign) return []
  const message = `must be a whole number of cents other than 0, in the sign of shippingTotal (${shippingTotal}), got ${show(shippingAmount)}`
  return [{ path: "shippingAmount", value: shippingAmount, message }]
}

const ways = ["amount", "quantity", "remaining", "shippingAmount"] as const

const problemsOf = (refund: Refund, item: ItemBreakdown): ReadonlyArray<Problem> => {
  const { amount, quantity, remaining } = refund
  const given = ways.filter((way) => refund[way] !== undefined)
  if (given.length !== 1) {
    const got = given.map((way) => `${way} ${show(refund[way])}`).join(" and ")
    const message = `a refund has either an amount or a quantity, takes back all that is remaining, or is of shipping, got ${got || "none of them"}`
    return [{ path: given[0] ?? "amount", value: refund[given[0] ?? "amount"], message }]
  }
  if (isOfShipping(refund)) return problemsOfShipping(refund)
  const { shippingTotal } = refund
  if (shippingTotal !== undefined) {
    const message = `must be left out without shippingAmount, got ${show(shippingTotal)}`
    return [{ path: "shippingTotal", value: shippingTotal, message }]
  }
  if (amount !== undefined) return problemsOfAmount(amount, item)
  if (quantity !== undefined) return problemsOfQuantity(quantity)
  const message = `must be true, or absent, got ${show(remaining)}`
  return remaining === true ? [] : [{ path: "remaining", value: remaining, message }]
}

/** What a refund must be before its item can be looked up. */
const problemsOfShape = (refund: unknown): ReadonlyArray<Problem> => {
  if (typeof refund !== "object" || refund === null) {
    return [{ path: "", value: refund, message: `must be a refund, got ${show(refund)}` }]
  }
  const text = (path: "orderId" | "itemId") => {
    const value: unknown = Reflect.get(refund, path)
    const message = `must be a text, got ${show(value)}`
    return typeof value === "string" ? [] : [{ path, value, message }]
  }
  const value: unknown = Reflect.get(refund, "refundedAt")
  const message = `must be ${expected}, got ${show(value)}`
  const time = isSeconds(value) ? [] : [{ path: "refundedAt", value, message }]
  return [...text("orderId"), ...text("itemId"), ...time]
}

interface RefundOptions {
  readonly earlier?: ReadonlyArray<Refund>
}

const problemsOfOptions = (options: unknown): ReadonlyArray<Problem> => {
  if (!isFields(options)) {
    const message = `must be an object, got ${show(options)}`
    return [{ path: "options", value: options, message }]
  }
  const { earlier } = options
  const message = `must be a list of refunds, got ${show(earlier)}`
  const isList = earlier === undefined || Array.isArray(earlier)
  return isList ? [] : [{ path: "earlier", value: earlier, message }]
}

const findItem = (split: Split, refund: Refund): ItemBreakdown | undefined =>
  split.orderId === refund.orderId
    ? split.items.find((item) => item.itemId === refund.itemId)
    : undefined

/** The earlier refunds of an item; or the problems of one that can't have been made. */
const earlierOf = (
  split: Split,
  item: ItemBreakdown,
  refunds: ReadonlyArray<Refund>,
): Result.Result<ReadonlyArray<Refund>, InvalidRefund> => {
  const ofItem: Array<Refund> = []
  for (const [place, refund] of refunds.entries()) {
    const misshapen = reading(refund, problemsOfShape)
    const isOfItem = misshapen.length === 0 && findItem(split, refund) === item
    const found = isOfItem ? problemsOf(refund, item) : misshapen
    if (found.length > 0) {
      return Result.fail(invalid(found.map((problem) => within(`earlier[${place}]`, problem))))
    }
    if (isOfItem) ofItem.push(refund)
  }
  return Result.succeed(ofItem)
}

const invalid = refusal(InvalidRefund)

const unknownItem = (split: Split, { orderId, itemId }: Refund): RefundOfUnknownItem => {
  const unknown = split.orderId === orderId ? "item" : "order"
  const message =
    unknown === "order"
      ? `the split is of order ${show(split.orderId)}, and the refund of order ${show(orderId)} (item ${show(itemId)})`
      : `order ${show(orderId)} has no item ${show(itemId)}`
  return new RefundOfUnknownItem({ unknown, orderId, itemId, message })
}

const unitsText = (units: number): string => `${units} ${units === 1 ? "unit" : "units"}`

const askedOf = ({ amount, quantity, shippingAmount, shippingTotal }: Refund): string => {
  if (shippingAmount !== undefined) return `${shippingAmount} of ${shippingTotal} cents of shipping`
  return quantity === undefined ? `${amount} cents` : unitsText(quantity)
}

const exceeds = (refund: Refund, item: ItemBreakdown, before: RefundedParts): RefundExceedsItem => {
  const net = item.amount - item.discount
  const remainingAmount = remaining(net, before.goods)
  const remainingQuantity = remaining(item.quantity, before.goods)
  const left =
    refund.shippingTotal === undefined
      ? `${remainingAmount} cents or ${unitsText(remainingQuantity)}`
      : `${remaining(refund.shippingTotal, before.shipping)} cents of shipping`
  const of = `of item ${item.itemId} of order ${refund.orderId}`
  const message =
    refund.remaining === true
      ? `nothing remains ${of}`
      : `a refund of ${askedOf(refund)} is more than what remains ${of}: ${left}`
  const { orderId, itemId } = refund
  return new RefundExceedsItem({ orderId, itemId, remainingAmount, remainingQuantity, message })
}

const isPossible = (refund: Refund, before: RefundedParts, after: RefundedParts): boolean =>
  isOfShipping(refund)
    ? !isBeyondWhole(after.shipping)
    : !isWhole(before.goods) && !isBeyondWhole(after.goods)

const reverseItem = (
  split: Split,
  refund: Refund,
  of: {
    readonly item: ItemBreakdown
    readonly before: RefundedParts
    readonly after: RefundedParts
  },
): Result.Result<Reversal, AmountOutOfRange> => {
  const { item, before, after } = of
  const reversed = (parts: Parts, withGoods = false) =>
    reversedBy(after, parts, withGoods) - reversedBy(before, parts, withGoods)
  const shares = split.shares
    .filter((share) => share.itemId === item.itemId)
    .filter(
      (share) => !isOfShipping(refund) || (share.shippingAmount !== 0 && !goesWithGoods(share)),
    )
    .map((share) => {
      const { groupId, collaboratorId, amount, shippingAmount } = share
      const withGoods = goesWithGoods(share)
      const takenBy = (refunded: RefundedParts) =>
        reversedBy(
          refunded,
          { amount, shipping: shippingAmount },
          withGoods,
          undone(share, refunded.goods),
        )
      return {
        groupId,
        collaboratorId,
        amount: Number(takenBy(after) - takenBy(before)),
        shippingAmount: Number(
          reversed({ amount: shippingAmount, shipping: shippingAmount }, withGoods),
        ),
      }
    })
  const distributable = reversed({ amount: item.distributable, shipping: item.shipping })
  const rest = distributable - total(shares.map(({ amount }) => amount))
  const store = toSafe(rest)
  if (store === undefined) {
    const what = `what the store gives back of item ${item.itemId}`
    return Result.fail(AmountOutOfRange.of(what, rest))
  }
  const { orderId, itemId, refundedAt } = refund
  return Result.succeed({
    ...{ orderId, itemId, refundedAt },
    fullyRefunded: isWhole(after.goods),
    shares,
    store,
  })
}

const reversed = (
  split: Split,
  refund: Refund,
  options: RefundOptions,
): Result.Result<Reversal, RefundError> => {
  const misshapen = [...reading(refund, problemsOfShape), ...reading(options, problemsOfOptions)]
  if (misshapen.length > 0) return Result.fail(invalid(misshapen))
  const item = findItem(split, refund)
  if (item === undefined) return Result.fail(unknownItem(split, refund))
  const problems = problemsOf(refund, item)
  if (problems.length > 0) return Result.fail(invalid(problems))
  const earlier = earlierOf(split, item, options.earlier ?? [])
  if (Result.isFailure(earlier)) return Result.fail(earlier.failure)
  const before = progressOf(item, earlier.success)
  const after = progressOf(item, [...earlier.success, refund])
  return isPossible(refund, before, after)
    ? reverseItem(split, refund, { item, before, after })
    : Result.fail(exceeds(refund, item, before))
}

/**
 * Computes what a refund reverses of a recorded split. Only the split counts, never today's rules. After each refund,
 * the total reversed of a share is the share times the refunded fraction of the item, rounded half-up; the last refund
 * brings it to exactly the share, and one with `remaining` is the last. For the part of a share that comes from
 * shipping, the refunded fraction of the shipping counts where it is greater.
 *
 * @param options - `earlier`: the refunds of the order that were made before this one
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Refund, RuleSet, Split } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 25 },
 * ])
 * const split = Split.order(rules, {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 4, amount: 10_000 }],
 * })
 * const refund = { orderId: "1001", itemId: "1", quantity: 1, refundedAt: 1_735_689_600 }
 * const reversal = Result.getOrThrow(Refund.reverse(split, refund))
 * reversal.shares[0]?.amount // => 625
 * reversal.store // => 1875
 * ```
 */
export const reverse = (
  split: Split,
  refund: Refund,
  options: { readonly earlier?: ReadonlyArray<Refund> } = {},
): Result.Result<Reversal, RefundError> =>
  ofRecorded(split, () => reversed(split, refund, options), invalid)
