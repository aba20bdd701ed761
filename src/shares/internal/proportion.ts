import type { ItemBreakdown } from "../Share.js"

/** An exact part of an item, as a fraction with a denominator above 0. */
export interface Proportion {
  readonly numerator: bigint
  readonly denominator: bigint
}

interface Refunded {
  readonly amount?: number | undefined
  readonly quantity?: number | undefined
  readonly remaining?: true | undefined
  readonly shippingAmount?: number | undefined
  readonly shippingTotal?: number | undefined
}

const whole: Proportion = { numerator: 1n, denominator: 1n }

const total = (values: ReadonlyArray<number | undefined>): bigint =>
  values.reduce<bigint>((sum, value) => sum + BigInt(value ?? 0), 0n)

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

/**
 * How much of an item its refunds cover: refunded money in proportion to what was paid, and refunded
 * units in proportion to the quantity. Where one of the two is 0 it can't be a proportion of anything:
 * any refund by it is beyond the whole. A refund of what remained made it whole, whatever the others were.
 */
export const refunded = (item: ItemBreakdown, refunds: ReadonlyArray<Refunded>): Proportion => {
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

/** How much of an order's shipping its refunds cover; those without shipping are none of it. */
export const shippingRefunded = (refunds: ReadonlyArray<Refunded>): Proportion =>
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

/** The greater of two parts. */
export const greater = (one: Proportion, other: Proportion): Proportion =>
  one.numerator * other.denominator < other.numerator * one.denominator ? other : one

export const isWhole = ({ numerator, denominator }: Proportion): boolean =>
  numerator === denominator

export const isBeyondWhole = ({ numerator, denominator }: Proportion): boolean =>
  numerator > denominator

/** An amount of goods and shipping, and how much of either is refunded. */
export interface Parts {
  readonly amount: number
  /** What of the amount is for shipping. */
  readonly shipping: number
}

/** The parts of goods and of shipping together, half-up on the absolute value. */
export const ofBoth = (
  { amount, shipping }: Parts,
  goodsPart: Proportion,
  shippingPart: Proportion,
): number => {
  const goods = BigInt(amount) - BigInt(shipping)
  const exact =
    goods * goodsPart.numerator * shippingPart.denominator +
    BigInt(shipping) * shippingPart.numerator * goodsPart.denominator
  const denominator = goodsPart.denominator * shippingPart.denominator
  const rounded = Number((2n * absolute(exact) + denominator) / (2n * denominator))
  return exact < 0n ? -rounded : rounded
}

/** What is left of an amount, towards zero. */
export const remaining = (amount: number, { numerator, denominator }: Proportion): number => {
  const left = Number((BigInt(Math.abs(amount)) * (denominator - numerator)) / denominator)
  return Math.sign(amount) * left
}
