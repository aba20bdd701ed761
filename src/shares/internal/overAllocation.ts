import { at } from "../../internal/at.js"
import { allocateExactly } from "../../money/internal/allocating.js"
import * as exact from "../../money/internal/exact.js"
import { giveLeftOver } from "../../money/internal/leftOver.js"
import type { SplitPolicy } from "../SplitPolicy.js"
import { type Claim, type ExactClaim, exactClaims } from "./claims.js"
import { inRange, type Reckoned } from "./reckoning.js"

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
export const payable = ({ broughtIn }: Reckoned): number => Math.max(0, broughtIn)

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
    claim.paidShipping = Math.max(Math.min(0, Number(claim.shipping)), paid - claim.goods)
    claim.amount = paid
  }
}
