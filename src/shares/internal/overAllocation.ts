import { at } from "../../internal/at.js"
import * as exact from "../../money/internal/exact.js"
import { allocateExactly, giveLeftOver } from "../../money/internal/largestRemainder.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import { compareIds } from "../../rules/engine/Precedence.js"
import type { SplitPolicy } from "../SplitPolicy.js"
import { inRange, type Reckoned } from "./base.js"
import { type Claim, type ExactClaim, exactClaims } from "./claims.js"

/** The claims on an item, and what they are to be paid from. */
export interface Claimed {
  readonly claims: ReadonlyArray<Claim>
  readonly reckoned: Reckoned
  readonly quantity: number
  readonly policy: SplitPolicy
}

/** Cuts claims that are too much in proportion, and says whether they were. */
export type Scale = (claimed: Claimed) => boolean

/** What the claims come to together; a bigint where no number is exact. */
export const claimed = (claims: ReadonlyArray<Claim>): number | bigint => {
  let total = 0
  for (const claim of claims) {
    total += claim.amount
    if (!exact.isSafe(total)) return exact.sum(claims.map(({ amount }) => amount))
  }
  return total
}

/** What can be paid of an item: of less than nothing, nothing. */
export const payable = ({ distributable }: Reckoned): number => Math.max(0, distributable)

/** Those who are charged more than they earn pay it in: what there is to share grows by it. */
const available = (claims: ReadonlyArray<Claim>, there: number): number | bigint =>
  exact.sum([there, ...claims.map((claim) => Math.max(0, -claim.amount))])

const floorOf = (dividend: bigint, divisor: bigint): bigint => {
  const quotient = dividend / divisor
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient
}

const halfUp = (dividend: bigint, divisor: bigint): bigint => {
  const size = dividend < 0n ? -dividend : dividend
  const rounded = (2n * size + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}

const sumOf = (parts: ReadonlyArray<bigint>): bigint => parts.reduce((sum, part) => sum + part, 0n)

/** What each claim comes to after the cut: so many parts, of which the divisor makes a cent. */
interface Cut {
  readonly divisor: bigint
  readonly partOf: (claim: ExactClaim, value: bigint) => bigint
}

/** Claims above 0 share what there is, and what the others pay in; those keep what they are. */
const cutTo = (there: bigint, claims: ReadonlyArray<ExactClaim>, unit: bigint): Cut => {
  const wanted = sumOf(claims.map(({ whole }) => (whole > 0n ? whole : 0n)))
  const paidIn = sumOf(claims.map(({ whole }) => (whole < 0n ? -whole : 0n)))
  if (wanted <= there + paidIn) return { divisor: unit, partOf: (_claim, value) => value }
  return {
    divisor: unit * wanted,
    partOf: ({ whole }, value) => value * (whole > 0n ? there + paidIn : wanted),
  }
}

/** Every part and the store's rest, rounded together by largest remainder. */
const rounded = (
  there: bigint,
  parts: ReadonlyArray<bigint>,
  divisor: bigint,
): ReadonlyArray<number> => {
  const all = [...parts, there * divisor - sumOf(parts)]
  const floors = all.map((part) => floorOf(part, divisor))
  const remainders = all.map((part, place) => part - at(floors, place) * divisor)
  return giveLeftOver(floors.map(Number), remainders, Number(sumOf(remainders) / divisor))
}

/** The shipping in a claim that was cut is cut with it; in one that comes to what it was, it is what it was. */
const shippingIn = (asked: ExactClaim, amount: number, cut: Cut): number | bigint => {
  const { claim, whole, shipping } = asked
  if (amount === claim.amount) return claim.shipping
  const part = halfUp(cut.partOf(asked, shipping), cut.divisor)
  // Whichever way the two are rounded, goods that earned something don't come to less than nothing.
  const isWithin = shipping <= 0n || whole < shipping || part <= BigInt(amount)
  return isWithin ? part : amount
}

/**
 * Cuts the claims as they are before any rounding, all of them in the same proportion, down to what there is;
 * then each is rounded to the cent below or above. What fits stays as it is.
 */
export const scale: Scale = ({ claims, reckoned, quantity, policy }) => {
  const there = payable(reckoned)
  const total = claimed(claims)
  // Goods and shipping were each rounded by less than a cent.
  if (exact.add(Number(total), 2 * claims.length) <= there) return false
  const { unit, claims: asked } = exactClaims(claims, reckoned, policy, quantity)
  const isTooMuch = sumOf(asked.map(({ whole }) => whole)) > BigInt(there) * unit
  if (!isTooMuch && total <= there) return false
  const cut = cutTo(BigInt(there) * unit, asked, unit)
  const parts = asked.map((claim) => cut.partOf(claim, claim.whole))
  const paid = rounded(BigInt(there), parts, cut.divisor)
  for (const [place, each] of asked.entries()) {
    const { claim } = each
    const amount = inRange(at(paid, place), () => `the cut claim of group ${claim.group.id}`)
    claim.paidShipping = shippingIn(each, amount, cut)
    claim.amount = amount
  }
  return true
}

/** As claims were cut before version 0.6.0: rounded first. Splits that were recorded then come out so again. */
export const scaleRounded: Scale = ({ claims, reckoned }) => {
  const there = payable(reckoned)
  if (claimed(claims) <= there) return false
  const positive = claims.filter((claim) => claim.amount > 0)
  const weights = positive.map((claim) => claim.amount)
  const parts = allocateExactly(available(claims, there), weights)
  positive.forEach((claim, index) => {
    const paid = at(parts, index)
    claim.paidShipping = exact.multiplyDivideHalfUp(claim.shipping, paid, claim.amount)
    claim.amount = paid
  })
  return true
}

/** Pays the most specific groups first, until nothing is left. */
export const payByRank = ({ claims, reckoned }: Claimed): void => {
  let left = available(claims, payable(reckoned))
  const byRank = [...claims].sort((a, b) => a.rank - b.rank)
  for (const claim of byRank) {
    if (claim.amount <= 0) continue
    const paid = left < claim.amount ? Number(left) : claim.amount
    left = typeof left === "bigint" ? left - BigInt(paid) : left - paid
    claim.paidShipping = Math.max(Math.min(0, Number(claim.shipping)), paid - claim.beforeShipping)
    claim.amount = paid
  }
}

// Rules of reckoning that were another one in an earlier version. A split that was recorded then must come out
// again as it was recorded, so they are kept beside those of today.

export type Sign = 1 | -1

/** What of the reckoning has changed between versions. */
export interface Edition {
  /** Whether an order as a whole gives, or takes a sale back. */
  readonly signOfOrder: (order: Order) => Sign
  /** Whether an item is computed as it is or as its mirror. */
  readonly signOf: (item: OrderItem, orderSign: Sign, shipping: number) => Sign
  readonly scale: Scale
}

/** The sign of the first figure that is not 0. */
const signOfFirst = (figures: ReadonlyArray<number | bigint>): Sign =>
  (figures.find((figure) => Number(figure) !== 0) ?? 1) < 0 ? -1 : 1

/** The amount of the first item by id that has one: where nothing else says which way an exchange goes. */
const firstAmount = (items: ReadonlyArray<OrderItem>): number =>
  items
    .filter(({ amount }) => amount !== 0)
    .reduce<OrderItem | undefined>(
      (first, item) => (first === undefined || compareIds(item.id, first.id) < 0 ? item : first),
      undefined,
    )?.amount ?? 0

/** An item without any money of its own goes the way of its order. */
export const current: Edition = {
  signOfOrder: ({ items, shippingAmount = 0, shippingTax = 0, gatewayFee = 0 }) => {
    const sum = exact.sum(items.map(({ amount }) => amount))
    return signOfFirst([sum, shippingAmount, shippingTax, gatewayFee, firstAmount(items)])
  },
  signOf: ({ amount, discount = 0, taxTotal }, orderSign) => {
    if (amount !== 0) return amount < 0 ? -1 : 1
    return signOfFirst([discount, taxTotal ?? 0, orderSign])
  },
  scale: scale,
}

/** As it was before version 0.6.0. */
export const before060: Edition = {
  signOfOrder: () => 1,
  signOf: ({ amount }, _orderSign, shipping) =>
    amount < 0 || (amount === 0 && shipping < 0) ? -1 : 1,
  scale: scaleRounded,
}
