import type { ItemReckoning } from "../Share.js"

/** An exact part of an item, as a fraction with a denominator above 0. */
export interface Proportion {
  readonly numerator: bigint
  readonly denominator: bigint
}

interface Refunded {
  readonly amount?: number | undefined
  readonly quantity?: number | undefined
  readonly remaining?: true | undefined
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
export const refunded = (item: ItemReckoning, refunds: ReadonlyArray<Refunded>): Proportion => {
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

export const isWhole = ({ numerator, denominator }: Proportion): boolean =>
  numerator === denominator

export const isBeyondWhole = ({ numerator, denominator }: Proportion): boolean =>
  numerator > denominator

/** The part of an amount, half-up on the absolute value. */
export const of = (amount: number, { numerator, denominator }: Proportion): number => {
  const part = Number(
    (2n * BigInt(Math.abs(amount)) * numerator + denominator) / (2n * denominator),
  )
  return Math.sign(amount) * part
}

/** What is left of an amount, towards zero. */
export const remaining = (amount: number, { numerator, denominator }: Proportion): number => {
  const left = Number((BigInt(Math.abs(amount)) * (denominator - numerator)) / denominator)
  return Math.sign(amount) * left
}
