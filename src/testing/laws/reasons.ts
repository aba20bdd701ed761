import * as Result from "effect/Result"
import * as Currency from "../../money/Currency.js"
import type { Order } from "../../orders/Order.js"
import type { ItemBreakdown, Share } from "../../shares/Share.js"
import type { Split } from "../../shares/Split.js"
import type { JudgedSale } from "./Law.js"

// Sums of money as laws look at them: exact, and in the sign of the item.

/** The exact sum of the parts' amounts. */
export const total = (parts: ReadonlyArray<{ readonly amount: number }>): bigint =>
  parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)

const signOfFirst = (figures: ReadonlyArray<number | bigint | null | undefined>): bigint => {
  const first = figures.find((figure) => figure != null && Number(figure) !== 0)
  return first != null && first < 0 ? -1n : 1n
}

/**
 * 1, or -1 for an item that takes a sale back: all its money is the other way round. An item that has no money
 * goes the way of its order.
 */
export const signOf = ({ itemId, amount, discount }: ItemBreakdown, order: Order): bigint => {
  const { items, shippingAmount, shippingTax, gatewayFee } = order
  const tax = items.find(({ id }) => id === itemId)?.taxTotal
  const sorted = [...items].sort((one, other) => (one.id < other.id ? -1 : 1))
  const sums = [total(items), shippingAmount, shippingTax, gatewayFee]
  return signOfFirst([amount, discount, tax, ...sums, ...sorted.map((item) => item.amount)])
}

export const ofItem = <A extends { readonly itemId: string }>(
  parts: ReadonlyArray<A>,
  itemId: string,
): ReadonlyArray<A> => parts.filter((part) => part.itemId === itemId)

/** An amount in words, with its currency. */
export const money = (amount: number | bigint, { currency }: Pick<Split, "currency">): string => {
  const number = Number(amount)
  const isExact = Number.isSafeInteger(number)
  const text = isExact ? Result.getOrUndefined(Currency.formatAmount(number, currency)) : undefined
  return `${text ?? amount} ${currency}`
}

/** Fewer cents than these can come from rounding: one for each share, one more for its shipping. */
export const roundings = (shares: ReadonlyArray<Share>): bigint =>
  BigInt(shares.length + shares.filter(({ shippingAmount }) => shippingAmount !== 0).length)

// Looking for the first thing that breaks a law.

export type Reason = string | undefined

/** The first reason that there is. */
export const first = <A>(list: Iterable<A>, reasonOf: (one: A) => Reason): Reason => {
  for (const one of list) {
    const reason = reasonOf(one)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** A check that looks at each item of a split. */
export const forItems =
  (reasonOf: (item: ItemBreakdown, split: Split, sale: JudgedSale) => Reason) =>
  (sale: JudgedSale): Reason => {
    const { split } = sale
    return split && first(split.items, (item) => reasonOf(item, split, sale))
  }
