/** How much of an item its refunds cover, and what that is of an amount. */
import type { ItemBreakdown, Share } from "../Share.js"

/** An exact part of an item, as a fraction with a denominator above 0. */
export interface Proportion {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** A refund, as far as it says how much went back. */
export interface Refunded {
  readonly amount?: number | undefined
  readonly quantity?: number | undefined
  readonly remaining?: true | undefined
  readonly shippingAmount?: number | undefined
  readonly shippingTotal?: number | undefined
}

const whole: Proportion = { numerator: 1n, denominator: 1n }

export const total = (values: ReadonlyArray<number | undefined>): bigint =>
  values.reduce<bigint>((sum, value) => sum + BigInt(value ?? 0), 0n)

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

/**
 * The fraction of an item that its refunds cover: refunded money divided by what was paid, plus refunded units divided
 * by the quantity. Where a divisor is 0, any refund of that kind exceeds the whole. A refund of what remained completes
 * it, whatever the others were.
 */
const refunded = (item: ItemBreakdown, refunds: ReadonlyArray<Refunded>): Proportion => {
  if (refunds.some((refund) => refund.remaining === true)) return whole
  const paid = absolute(BigInt(item.amount) - BigInt(item.discount))
  const quantity = BigInt(item.quantity)
  const money = absolute(total(refunds.map((refund) => refund.amount)))
  const units = total(refunds.map((refund) => refund.quantity))
  if ((paid === 0n && money > 0n) || (quantity === 0n && units > 0n)) {
    return { numerator: 2n, denominator: 1n }
  }
  const [paidOrOne, quantityOrOne] = [paid === 0n ? 1n : paid, quantity === 0n ? 1n : quantity]
  return {
    numerator: money * quantityOrOne + units * paidOrOne,
    denominator: paidOrOne * quantityOrOne,
  }
}

/** The fraction of an order's shipping that its refunds cover; those without shipping cover none of it. */
const shippingRefunded = (refunds: ReadonlyArray<Refunded>): Proportion =>
  refunds.reduce<Proportion>(
    (sum, { shippingAmount = 0, shippingTotal = 1 }) => {
      const denominator = absolute(BigInt(shippingTotal))
      return {
        numerator: sum.numerator * denominator + absolute(BigInt(shippingAmount)) * sum.denominator,
        denominator: sum.denominator * denominator,
      }
    },
    { numerator: 0n, denominator: 1n },
  )

/** The greater of two fractions. */
export const greater = (one: Proportion, other: Proportion): Proportion =>
  one.numerator * other.denominator < other.numerator * one.denominator ? other : one

export const isWhole = ({ numerator, denominator }: Proportion): boolean =>
  numerator === denominator

export const isBeyondWhole = ({ numerator, denominator }: Proportion): boolean =>
  numerator > denominator

/** An amount of goods and shipping, and how much of either is refunded. */
export interface Parts {
  readonly amount: number | bigint
  /** The part of the amount that is for shipping. */
  readonly shipping: number | bigint
}

/** The parts of goods and of shipping together, half-up on the absolute value. */
const ofBoth = (
  { amount, shipping }: Parts,
  goodsPart: Proportion,
  shippingPart: Proportion,
): bigint => {
  const goods = BigInt(amount) - BigInt(shipping)
  const exact =
    goods * goodsPart.numerator * shippingPart.denominator +
    BigInt(shipping) * shippingPart.numerator * goodsPart.denominator
  const denominator = goodsPart.denominator * shippingPart.denominator
  const rounded = (2n * absolute(exact) + denominator) / (2n * denominator)
  return exact < 0n ? -rounded : rounded
}

/** What is left of an amount, rounded towards zero. */
export const remaining = (amount: number, { numerator, denominator }: Proportion): number => {
  const left = Number((BigInt(Math.abs(amount)) * (denominator - numerator)) / denominator)
  return Math.sign(amount) * left
}

export const isOfShipping = ({ shippingAmount }: Refunded): boolean => shippingAmount !== undefined

/** How much of an item is refunded. */
export interface RefundedParts {
  readonly goods: Proportion
  readonly shipping: Proportion
}

export const progressOf = (
  item: ItemBreakdown,
  refunds: ReadonlyArray<Refunded>,
): RefundedParts => ({
  goods: refunded(
    item,
    refunds.filter((refund) => !isOfShipping(refund)),
  ),
  shipping: shippingRefunded(refunds.filter(isOfShipping)),
})

/** Shipping with the opposite sign of its share's goods, because it was charged, follows the goods only. */
export const goesWithGoods = ({
  amount,
  shippingAmount,
}: Pick<Share, "amount" | "shippingAmount">): boolean =>
  Math.sign(shippingAmount) * Math.sign(amount - shippingAmount) < 0

/**
 * What is reversed of an amount in all, when so much of its item is refunded.
 *
 * @param ofGoods - the part of the amount's goods that goes with that, where it is another one
 */
export const reversedBy = (
  { goods, shipping }: RefundedParts,
  parts: Parts,
  withGoods = false,
  ofGoods: Proportion = goods,
): bigint => ofBoth(parts, ofGoods, withGoods ? goods : greater(goods, shipping))

/** What part of what was left before is refunded by now. */
const partOfRest = (before: Proportion, now: Proportion): Proportion => ({
  numerator: now.numerator * before.denominator - before.numerator * now.denominator,
  denominator: (before.denominator - before.numerator) * now.denominator,
})

/** The same as {@link reversedBy} of an amount that came when a part of its item was refunded already. */
export const reversedSince = (
  { start, now }: { readonly start: RefundedParts; readonly now: RefundedParts },
  parts: Parts,
  withGoods = false,
): bigint => {
  // Of an item that was refunded as a whole before, no refund can take anything back.
  if (isWhole(start.goods)) return 0n
  const ofGoods = partOfRest(start.goods, now.goods)
  const shippingBefore = greater(start.goods, start.shipping)
  // Where all shipping went back before, what still comes of shipping is a matter of the goods.
  const follows = withGoods || isWhole(shippingBefore)
  const ofShipping = follows
    ? ofGoods
    : partOfRest(shippingBefore, greater(now.goods, now.shipping))
  return ofBoth(parts, ofGoods, ofShipping)
}
