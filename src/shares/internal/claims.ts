import type { ProductGroup } from "../../groups/ProductGroup.js"
import { at, numberAt } from "../../internal/at.js"
import type { GroupTable } from "../../matching/internal/GroupTable.js"
import { allocate } from "../../money/Allocation.js"
import * as exact from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { SplitPolicy } from "../SplitPolicy.js"
import { percentParts } from "./percentParts.js"
import { inRange, notBelowZero, type Reckoned } from "./reckoning.js"

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
  goods: number
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
  goods: 0,
  shipping: 0,
  claimed: 0,
  amount: 0,
  paidShipping: 0,
})

/** Flat amount of a group for shipping, which only flat groups earn. */
const shippingFlatOf = (group: ProductGroup): number =>
  group.amount === null ? 0 : (group.shippingAmount ?? 0)

/**
 * A claim of exactly nothing stays nothing: the minimum is for those who earn something. What was
 * earned may be beyond the safe integers as long as the maximum brings it back.
 */
const withinLimits = (claim: Claim, earned: number | bigint): number => {
  const { id, minAmount, maxAmount } = claim.group
  const earnsNothing = claim.flatTotal === 0 && (claim.base === 0 || claim.basisPoints === 0)
  const raised = minAmount !== null && !earnsNothing && earned < minAmount ? minAmount : earned
  if (maxAmount !== null && raised > maxAmount) return maxAmount
  return inRange(raised, () => `the share of group ${id}`)
}

/** Reckons the percentages of one stage on its base, and adds the flat amounts. */
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
    claim.goods = withinLimits(claim, exact.add(claim.percentTotal, claim.flatTotal))
  })
}

/** Whether a stage claims more than all of its base. */
export const exceedsBase = (claims: ReadonlyArray<Claim>, base: number): boolean => {
  if (base <= 0) return false
  let total = 0
  for (const claim of claims) total += claim.basisPoints
  return total > Percent.whole
}

/** What is left for the second stage once the deducting groups are served; more, if they are charged. */
export const baseAfter = (base: number, deducted: number | bigint): number | bigint =>
  notBelowZero(exact.add(base, -deducted))

const equalParts = (claims: ReadonlyArray<Claim>, reckoned: Reckoned): void => {
  const served = new Map<string, Claim>()
  for (const claim of claims) {
    const { collaboratorId } = claim.group
    const known = served.get(collaboratorId)
    if (known === undefined || claim.rank < known.rank) served.set(collaboratorId, claim)
  }
  const receivers = claims.filter((claim) => served.get(claim.group.collaboratorId) === claim)
  const parts = allocate(
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
