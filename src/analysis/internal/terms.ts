import { basisPointsOf } from "../../money/internal/exact.js"
import * as Attribute from "../../orders/Attribute.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"

/** What a group pays, without everything that makes no difference under the policy. */
export interface Terms {
  readonly basisPoints: number
  readonly flat: number
  readonly shippingBasisPoints: number
  readonly shippingFlat: number
  readonly isDeducting: boolean
  readonly least: number
  readonly most: number
  /** Whether it gets a part where all shipping goes to the collaborators. */
  readonly isServed: boolean
}

const noGoods = { flat: 0, isDeducting: false, least: 0, most: Number.POSITIVE_INFINITY }

/** Whether the group has a percentage or an amount at all, which is all that equal parts of shipping need. */
const isSomething = (group: ProductGroup): boolean =>
  basisPointsOf(group.percent) > 0 ||
  basisPointsOf(group.shippingPercent) > 0 ||
  (group.amount ?? 0) > 0 ||
  (group.shippingAmount ?? 0) > 0

/** What a group pays under a policy. */
export const termsOf = (group: ProductGroup, policy: SplitPolicy): Terms => {
  const basisPoints = basisPointsOf(group.percent)
  const flat = group.amount ?? 0
  const isShippingPaid = policy.shipping === "share" || policy.shipping === "charge"
  const shippingBasisPoints =
    group.shippingPercent === null ? basisPoints : basisPointsOf(group.shippingPercent)
  const shippingFlat = group.amount === null ? 0 : (group.shippingAmount ?? 0)
  return {
    basisPoints,
    flat,
    shippingBasisPoints: isShippingPaid ? shippingBasisPoints : 0,
    shippingFlat: isShippingPaid ? shippingFlat : 0,
    isDeducting: group.deductForOtherSplits && Attribute.isDeductible(group.condition?.type),
    least: group.minAmount ?? 0,
    most: group.maxAmount ?? Number.POSITIVE_INFINITY,
    isServed: policy.shipping === "all" && isSomething(group),
  }
}

/** A percentage counts against those of others even where a maximum of 0 leaves nothing of it. */
const claimGoods = ({ basisPoints, flat, most }: Terms): boolean =>
  basisPoints > 0 || (flat > 0 && most > 0)

const claimShipping = ({ shippingBasisPoints, shippingFlat, isServed }: Terms): boolean =>
  shippingBasisPoints > 0 || shippingFlat > 0 || isServed

/** The most that is ever paid of goods. */
const mostOfGoods = ({ basisPoints, flat, least, most }: Terms): number => {
  const earned = flat > 0 ? Math.max(flat, least) : 0
  return Math.min(basisPoints > 0 ? Number.POSITIVE_INFINITY : earned, most)
}

/**
 * Whether anything is ever paid on these terms; being charged is not being paid. A charge for the shipping of a unit
 * applies to every sale: for one unit, and more for several.
 */
export const areOfUse = (terms: Terms, { shipping }: SplitPolicy): boolean =>
  shipping === "charge"
    ? mostOfGoods(terms) > terms.shippingFlat
    : (claimGoods(terms) && terms.most > 0) || claimShipping(terms)

/** Whether anything is ever paid, or charged, on these terms. */
export const payAnything = (terms: Terms): boolean =>
  (claimGoods(terms) && terms.most > 0) || claimShipping(terms)

/** The key of terms that claim nothing, and of groups without terms. */
export const nothing = ""

/** Equal for terms that pay the same, whoever else is paid. */
export const keyOf = (terms: Terms): string => {
  if (!claimGoods(terms) && !claimShipping(terms)) return nothing
  const { flat, isDeducting, least, most } = claimGoods(terms) ? terms : noGoods
  return [
    ...[terms.basisPoints, flat, terms.shippingBasisPoints, terms.shippingFlat],
    ...[isDeducting, least, most, terms.isServed],
  ].join(" ")
}
