import { basisPointsOf } from "../../money/internal/exact.js"
import * as Attribute from "../../orders/Attribute.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { Bands } from "../../terms/internal/bands.js"
import type { TermCounters } from "../../terms/internal/termCounters.js"
import { countersOf } from "../../terms/internal/termRules.js"

/** What tiers and a cap make of a group's pay. */
export interface CountedPay {
  /** The lowest of the percentages, in basis points. */
  readonly lowest: number
  /** A cap leaves anything from nothing to the whole claim, and after returns no less than it. */
  readonly isCapped: boolean
  /** Equal for groups that pay the same at every counter, and count the same. */
  readonly key: string
  /** Whether the percentage is the same at every counter, and nothing is cut. */
  readonly isConstant: boolean
}

/** What a group pays, without everything that makes no difference under the policy. */
export interface Terms {
  /** With tiers, the highest of the percentages: no more is claimed at any counter. */
  readonly basisPoints: number
  readonly flat: number
  readonly shippingBasisPoints: number
  readonly shippingFlat: number
  readonly isDeducting: boolean
  readonly least: number
  readonly most: number
  /** Whether it gets a part where all shipping goes to the collaborators. */
  readonly isServed: boolean
  /** Absent in a group whose pay depends on no counter. */
  readonly counted?: CountedPay
}

const noGoods = { flat: 0, isDeducting: false, least: 0, most: Number.POSITIVE_INFINITY }

/** Whether the group has a percentage or an amount at all, which is all that equal parts of shipping need. */
const isSomething = (group: ProductGroup): boolean =>
  basisPointsOf(group.percent) > 0 ||
  basisPointsOf(group.shippingPercent) > 0 ||
  (group.amount ?? 0) > 0 ||
  (group.shippingAmount ?? 0) > 0

/** Bands without the bounds at which the percentage stays the same. */
const differing = ({ from, points }: Bands): ReadonlyArray<string> =>
  points.flatMap((point, place) =>
    place > 0 && point === points[place - 1] ? [] : [`${from[place]}:${point}`],
  )

/** The name of a counter, whatever the order's currency and time. */
const nameOf = (keys: TermCounters["tierKeys"]): string => keys?.name ?? ""

const countedPayOf = ({ terms, bands, tierKeys, capKeys }: TermCounters): CountedPay => {
  const steps = differing(bands)
  return {
    lowest: Math.min(...bands.points),
    isCapped: terms.cap !== null,
    key: JSON.stringify([nameOf(tierKeys), steps, nameOf(capKeys), terms.cap?.amount ?? null]),
    isConstant: terms.cap === null && steps.length === 1,
  }
}

/** A group that has nothing to pay counts nothing either. */
const countedIn = (group: ProductGroup, basisPoints: number): Pick<Terms, "counted"> => {
  const counters = countersOf(group)
  if (counters === undefined || !isSomething(group)) return {}
  const counted = countedPayOf(counters)
  return { counted: counters.terms.tiers === null ? { ...counted, lowest: basisPoints } : counted }
}

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
    ...countedIn(group, basisPoints),
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

/** Equal for terms that pay the same at the highest percentage, whoever else is paid. */
const plainKeyOf = (terms: Terms): string => {
  if (!claimGoods(terms) && !claimShipping(terms)) return nothing
  const { flat, isDeducting, least, most } = claimGoods(terms) ? terms : noGoods
  return [
    ...[terms.basisPoints, flat, terms.shippingBasisPoints, terms.shippingFlat],
    ...[isDeducting, least, most, terms.isServed],
  ].join(" ")
}

/**
 * Equal for terms that pay the same, whoever else is paid. What is counted at a counter is part of it: where the same is
 * paid now, something else may be paid later.
 */
export const keyOf = (terms: Terms): string => {
  const { counted } = terms
  return counted === undefined ? plainKeyOf(terms) : `${plainKeyOf(terms)} ${counted.key}`
}

/** Equal for terms that may pay the same at every counter, though they may not count the same. */
export const payKeyOf = (terms: Terms): string =>
  terms.counted?.isConstant === true ? plainKeyOf(terms) : keyOf(terms)
