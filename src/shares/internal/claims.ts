import { at, numberAt } from "../../internal/at.js"
import * as exact from "../../money/internal/exact.js"
import { allocateExactly, giveLeftOver } from "../../money/internal/largestRemainder.js"
import * as Percent from "../../money/Percent.js"
import type { GroupTable } from "../../rules/engine/GroupTable.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { SplitPolicy } from "../SplitPolicy.js"
import { inRange, notBelowZero, type Reckoned } from "./base.js"

/**
 * What each percentage of one base comes to. Rounded together with the store's rest by largest
 * remainder, so that all of them add up to the base; or each rounded down.
 *
 * @param base - cents, 0 or more
 * @param claims - basis points, in the order in which equal remainders are served
 * @returns one part for each claim; behind them may stand the odd cent of the store
 */
export const percentParts = (
  base: number,
  claims: ReadonlyArray<number>,
  rounding: SplitPolicy["rounding"],
): ReadonlyArray<number> => {
  const parts: Array<number> = []
  const remainders: Array<number> = []
  let left = 0
  for (const claim of claims) {
    const { quotient, remainder } = exact.multiplyDivide(base, claim, Percent.whole)
    parts.push(quotient)
    remainders.push(remainder)
    left += remainder
  }
  if (rounding === "floor") return parts
  // What all of them leave is whole cents, so the store's remainder is what theirs lack of that.
  const cents = Math.ceil(left / Percent.whole)
  parts.push(0)
  remainders.push(cents * Percent.whole - left)
  return giveLeftOver(parts, remainders, cents)
}

/** What one group asks of one item, while it is being worked out; in the item's own sign. */
export interface Claim {
  readonly group: ProductGroup
  /** The most specific group of the rule set has the lowest. */
  readonly rank: number
  readonly basisPoints: number
  readonly shippingBasisPoints: number
  readonly deducting: boolean
  readonly flatTotal: number
  base: number
  percentTotal: number
  /** Percent and flat, within the group's minimum and maximum. */
  beforeShipping: number
  /** Beyond every number it may be as long as what is paid is not. */
  shipping: number | bigint
  /** What was asked for in all. */
  claimed: number
  /** What is paid: goods and shipping, or less after an over-allocation was settled. */
  amount: number
  /** The part of `amount` that comes from shipping. */
  paidShipping: number | bigint
}

/** An open claim of the group in a slot. */
export const claimOf = (
  table: GroupTable,
  slot: number,
  { group, flatTotal }: Pick<Claim, "group" | "flatTotal">,
): Claim => ({
  group,
  rank: numberAt(table.ranks, slot),
  basisPoints: table.basisPointsOf(slot),
  shippingBasisPoints: table.shippingBasisPointsOf(slot),
  deducting: table.isDeducting(slot),
  flatTotal,
  base: 0,
  percentTotal: 0,
  beforeShipping: 0,
  shipping: 0,
  claimed: 0,
  amount: 0,
  paidShipping: 0,
})

/** Flat amount of a group for shipping, which only flat groups earn. */
const shippingFlatOf = (group: ProductGroup): number =>
  group.amount === null ? 0 : (group.shippingAmount ?? 0)

/** A claim of exactly nothing stays nothing: the minimum is for those who earn something. */
const isOfNothing = ({ flatTotal, base, basisPoints }: Claim): boolean =>
  flatTotal === 0 && (base === 0 || basisPoints === 0)

/** What was earned may be beyond the safe integers as long as the maximum brings it back. */
const withinLimits = (claim: Claim, earned: number | bigint): number => {
  const { id, minAmount, maxAmount } = claim.group
  const earnsNothing = isOfNothing(claim)
  const raised = minAmount !== null && !earnsNothing && earned < minAmount ? minAmount : earned
  if (maxAmount !== null && raised > maxAmount) return maxAmount
  return inRange(raised, () => `the share of group ${id}`)
}

/** Computes the percentages of one stage on its base, and adds the flat amounts. */
export const claimStage = (
  claims: ReadonlyArray<Claim>,
  base: number,
  rounding: SplitPolicy["rounding"],
): void => {
  if (claims.length === 0) return
  const parts = percentParts(
    base,
    claims.map((claim) => claim.basisPoints),
    rounding,
  )
  claims.forEach((claim, index) => {
    claim.base = base
    claim.percentTotal = at(parts, index)
    claim.beforeShipping = withinLimits(claim, exact.add(claim.percentTotal, claim.flatTotal))
  })
}

/** What the percentages of a stage come to; of no base, nothing. */
export const basisPointsOf = (claims: ReadonlyArray<Claim>, base: number): number => {
  let total = 0
  if (base > 0) for (const claim of claims) total += claim.basisPoints
  return total
}

/** What is left for the second stage once the deducting groups are served; more, if they are charged. */
export const baseAfter = (base: number, deducted: number | bigint): number | bigint =>
  notBelowZero(exact.add(base, -deducted))

/** Of each collaborator the claim of the most specific group: it receives where all get equal parts. */
const receiversOf = (claims: ReadonlyArray<Claim>): ReadonlyArray<Claim> => {
  const served = new Map<string, Claim>()
  for (const claim of claims) {
    const { collaboratorId } = claim.group
    const known = served.get(collaboratorId)
    if (known === undefined || claim.rank < known.rank) served.set(collaboratorId, claim)
  }
  return claims.filter((claim) => served.get(claim.group.collaboratorId) === claim)
}

const equalParts = (claims: ReadonlyArray<Claim>, reckoned: Reckoned): void => {
  const receivers = receiversOf(claims)
  const parts = allocateExactly(
    reckoned.shipping,
    receivers.map(() => 1),
  )
  receivers.forEach((claim, index) => {
    claim.shipping = at(parts, index)
  })
}

const shippingOf = (claims: ReadonlyArray<Claim>, reckoned: Reckoned, policy: SplitPolicy) => {
  const sign = Math.sign(reckoned.shipping)
  const shares = claims.map((claim) => claim.shippingBasisPoints)
  return percentParts(Math.abs(reckoned.shipping), shares, policy.rounding).map(
    (part) => sign * part,
  )
}

/** Adds what each claim gets of the item's shipping, or is charged for it. */
export const claimShipping = (
  claims: ReadonlyArray<Claim>,
  reckoned: Reckoned,
  policy: SplitPolicy,
  ofQuantity: (flat: number) => number | bigint,
): void => {
  if (policy.shipping === "store") return
  if (policy.shipping === "all") {
    equalParts(claims, reckoned)
    return
  }
  const sign = policy.shipping === "charge" ? -1 : 1
  const parts = shippingOf(claims, reckoned, policy)
  claims.forEach((claim, index) => {
    const shipping = exact.add(at(parts, index), ofQuantity(shippingFlatOf(claim.group)))
    claim.shipping = exact.times(sign, shipping)
  })
}

/** A claim before any rounding, in parts of a cent of which a `unit` makes one. */
export interface ExactClaim {
  readonly claim: Claim
  /** Goods and shipping together. */
  readonly whole: bigint
  readonly shipping: bigint
}

export interface ExactClaims {
  readonly unit: bigint
  readonly claims: ReadonlyArray<ExactClaim>
}

const exactGoods = (claim: Claim, unit: bigint): bigint => {
  const { minAmount, maxAmount } = claim.group
  const percent = (BigInt(claim.base) * BigInt(claim.basisPoints) * unit) / BigInt(Percent.whole)
  const earned = percent + BigInt(claim.flatTotal) * unit
  const least = minAmount === null || isOfNothing(claim) ? earned : BigInt(minAmount) * unit
  const raised = earned < least ? least : earned
  const most = maxAmount === null ? raised : BigInt(maxAmount) * unit
  return raised > most ? most : raised
}

/** The claims of an item as they are before they are rounded, once its stages are computed. */
export const exactClaims = (
  claims: ReadonlyArray<Claim>,
  reckoned: Reckoned,
  policy: SplitPolicy,
  quantity: number,
): ExactClaims => {
  const receivers = new Set(policy.shipping === "all" ? receiversOf(claims) : [])
  const whole = BigInt(Percent.whole)
  const unit = whole * BigInt(receivers.size || 1)
  const shipping = BigInt(reckoned.shipping) * unit
  const shippingOf = (claim: Claim): bigint => {
    if (policy.shipping === "store") return 0n
    if (policy.shipping === "all")
      return receivers.has(claim) ? shipping / BigInt(receivers.size) : 0n
    const flat = BigInt(shippingFlatOf(claim.group)) * BigInt(quantity) * unit
    const earned = (shipping * BigInt(claim.shippingBasisPoints)) / whole + flat
    return policy.shipping === "charge" ? -earned : earned
  }
  return {
    unit,
    claims: claims.map((claim) => {
      const part = shippingOf(claim)
      return { claim, whole: exactGoods(claim, unit) + part, shipping: part }
    }),
  }
}
