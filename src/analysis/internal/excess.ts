import * as exact from "../../money/internal/exact.js"
import { whole } from "../../money/Percent.js"
import type { Product } from "../../orders/Product.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { Steps } from "../Options.js"
import type { Claimant, Claims } from "./Claims.js"
import { type Candidate, groupsOf, groupsOfAll } from "./candidates.js"
import type { Figures } from "./OrderShape.js"
import * as sales from "./OrderShape.js"
import type { ResolvedOptions } from "./ResolvedOptions.js"
import type { Terms } from "./terms.js"

/** A kind of over-allocation, with the figures of the sales on which it is searched. */
export interface Excess {
  readonly limit: number
  readonly claimants: ReadonlyArray<Claimant>
  readonly figures: () => ReadonlyArray<Figures>
  readonly isHopeless?: ((claims: Claims) => Steps<boolean>) | undefined
  /** Whether groups on these terms are known not to claim too much, if they don't on any of the figures and counters. */
  readonly isSound: (counting: ReadonlyArray<Terms>) => boolean
}

const weighed = (
  candidates: ReadonlyArray<Candidate>,
  weigh: (terms: Terms) => number,
): ReadonlyArray<Claimant> =>
  candidates.map(({ predicate, terms, collaborator, members }) => ({
    predicate,
    terms,
    collaborator,
    members,
    claimed: weigh(terms),
  }))

const always = (): boolean => true

const sumOf = (list: ReadonlyArray<Terms>, weigh: (terms: Terms) => number): number =>
  list.reduce((sum, terms) => sum + weigh(terms), 0)

const deductedPoints = ({ isDeducting, basisPoints }: Terms): number =>
  isDeducting ? basisPoints : 0

const sharedPoints = ({ isDeducting, basisPoints }: Terms): number =>
  isDeducting ? 0 : basisPoints

/** The sums of percentages in two stages, as fractions of the base, and the number of claims in each. */
interface Stages {
  readonly deducted: number
  readonly shared: number
  readonly isOneEach: boolean
}

const stagesOf = (counting: ReadonlyArray<Terms>): Stages => {
  const count = (weigh: (terms: Terms) => number) =>
    counting.filter((terms) => weigh(terms) > 0).length
  return {
    deducted: sumOf(counting, deductedPoints) / whole,
    shared: sumOf(counting, sharedPoints) / whole,
    isOneEach: count(deductedPoints) <= 1 && count(sharedPoints) <= 1,
  }
}

/**
 * Whether percentages that are paid on a discount never exceed what is left of it, to the cent. In one stage they are
 * rounded up by less than a cent, and so is what is left. With a deduction two stages are rounded: an excess of a cent
 * then needs a base of a few cents, and a discount that leaves out a cent of it.
 */
const isWithin = (
  left: number,
  { deducted, shared, isOneEach }: Stages,
  { rounding }: SplitPolicy,
): boolean => {
  if (deducted === 0 || shared === 0) return deducted + shared <= left + tiny
  const sum = deducted + shared * (1 - deducted)
  if (rounding === "floor" || isOneEach) return sum <= left - tiny
  return (1 - shared) * (left - deducted) >= 1 - left + tiny
}

/** Far less than such products differ by, and more than their floating-point error. */
const tiny = 1e-10

/** The largest amounts that all candidates can claim together, as if all of them applied. */
const largestStages = (candidates: ReadonlyArray<Candidate>): Stages => {
  const largest = (weigh: (terms: Terms) => number) => {
    const ofCollaborator = new Map<number, { readonly points: number; readonly count: number }>()
    for (const each of candidates) {
      const points = each.predicate.isNever ? 0 : weigh(each.terms)
      const known = ofCollaborator.get(each.collaborator)?.points ?? 0
      if (points > known) ofCollaborator.set(each.collaborator, { points, count: groupsOf(each) })
    }
    const all = [...ofCollaborator.values()]
    return {
      sum: all.reduce((sum, { points, count }) => sum + points * count, 0) / whole,
      count: all.reduce((sum, { count }) => sum + count, 0),
    }
  }
  const [deducted, shared] = [largest(deductedPoints), largest(sharedPoints)]
  return {
    deducted: deducted.sum,
    shared: shared.sum,
    isOneEach: deducted.count <= 1 && shared.count <= 1,
  }
}

/** The question: the groups that may claim, the product, and the policy. */
interface ExcessQuestion {
  readonly candidates: ReadonlyArray<Candidate>
  readonly setting: ResolvedOptions
}

/** Whether a percentage depends on a counter. */
const isTiered = ({ basisPoints, counted }: Terms): boolean =>
  counted !== undefined && counted.lowest < basisPoints

/** The percentages of one stage, or those of the shipping, exceed 100 %. */
const ofStages = (
  { candidates, setting: { policy } }: ExcessQuestion,
  figures: () => ReadonlyArray<Figures>,
  isEarning = true,
): ReadonlyArray<Excess> => {
  const of = (weigh: (terms: Terms) => number): Omit<Excess, "figures" | "isSound"> => ({
    limit: whole,
    claimants: weighed(candidates, weigh),
  })
  // On a large enough amount, percentages above 100 % are too much, unless their base is always 0. Those of tiers may be
  // earned at other counters than those that were tried.
  const isSound = (counting: ReadonlyArray<Terms>) => !isEarning || !counting.some(isTiered)
  const shipped = () =>
    [10_000, 1_000_000_000].map((shippingAmount) => ({ amount: 0, shippingAmount }))
  return [
    { ...of(deductedPoints), figures, isSound },
    { ...of(sharedPoints), figures, isSound },
    ...(policy.shipping === "share"
      ? [
          {
            ...of(({ shippingBasisPoints }) => shippingBasisPoints),
            figures: shipped,
            isSound: always,
          },
        ]
      : []),
  ]
}

/** Percentages paid on discounts exceed what the discount leaves of the price. */
const ofDiscounts = ({ candidates, setting }: ExcessQuestion): ReadonlyArray<Excess> => {
  if (!sales.isPaidOnDiscount(setting)) return []
  const { policy } = setting
  const left = sales.leftOf(setting)
  const terms = candidates.map((candidate) => candidate.terms)
  return [
    {
      limit: left,
      claimants: weighed(candidates, ({ basisPoints, most }) => (most === 0 ? 0 : basisPoints)),
      figures: () => sales.discounted(terms, setting),
      isSound: (counting) => isWithin(left / whole, stagesOf(counting), policy),
    },
  ]
}

/**
 * A unit of a product when it brings in its minimum, in ten-thousandths of a cent: a part of a cent that rounding hides
 * on one unit shows on many.
 */
interface Unit {
  /** The base of percentages. */
  readonly base: number
  readonly distributable: number
  /** Whether the base can be above 0 at all: then a minimum is paid. */
  readonly isEarning: boolean
  /** Whether it always brings in the same amount, and the base of percentages is always the same. */
  readonly isFixed: boolean
  /** Whether the base is never more than what it brings in. */
  readonly isOfItsOwn: boolean
}

const unitOf = (product: sales.Priced, most: sales.Most, policy: SplitPolicy): Unit => {
  const price = product.price * whole
  const { discount, tax } = sales.largestOff(price, most, policy)
  const cost = policy.cost === "deduct" ? (product.cost ?? 0) * whole : 0
  const ofDiscount = policy.discount === "deduct" ? discount : 0
  // The tax of a unit is rounded down here; that of many units may be a little more.
  const ofTax = Math.min(price - discount, tax + Number(tax > 0))
  return {
    base: Math.max(0, price - ofDiscount - tax - cost),
    distributable: price - discount - ofTax,
    isEarning: price > cost,
    isFixed: discount === 0 && tax === 0 && policy.gatewayFee === "ignore",
    isOfItsOwn: policy.discount === "deduct" && cost >= 0,
  }
}

const isLimited = ({ least, most }: Terms): boolean =>
  least > 0 || most !== Number.POSITIVE_INFINITY

/** Whether a group claims an amount that does not depend on the price. */
const isFixedSum = ({ flat, shippingFlat, least, basisPoints }: Terms): boolean =>
  flat > 0 || shippingFlat > 0 || (least > 0 && basisPoints > 0)

/** The part of a base, in its own unit, rounded up. */
const partOf = (base: number, basisPoints: number): number => {
  const { quotient, remainder } = exact.multiplyDivide(base, basisPoints, whole)
  return quotient + Math.sign(remainder)
}

/** What a group earns, within its maximum and its minimum, which applies only to groups that earn something. */
const limited = (
  { basisPoints, flat, least, most }: Terms,
  earned: number,
  isEarning: boolean,
): number => {
  const raised =
    flat > 0 || (basisPoints > 0 && isEarning) ? Math.max(earned, least * whole) : earned
  return Math.min(raised, most * whole)
}

/** The largest claim of a group, as if no other share were deducted, and nothing rounded to cents. */
const mostOf = (terms: Terms, { base, isEarning }: Unit, quantity = 1): number => {
  const { basisPoints, flat, shippingFlat } = terms
  const earned = (partOf(base, basisPoints) + flat * whole) * quantity
  return limited(terms, earned, isEarning) + shippingFlat * whole * quantity
}

/** In cents, more than the error of large numbers; rounding adds less than one for each claim. */
const inexactness = 16

/**
 * Shares of what is left after a deduction are smaller than shares of the whole: this bound includes that, unlike the
 * sum of the largest claims.
 */
const afterDeduction = (
  unit: Unit,
  claimantCount: number,
  counted: (terms: Terms) => Terms,
): ((claims: Claims) => Steps<boolean>) => {
  const { base, distributable } = unit
  const doubt = (inexactness + claimantCount) * whole
  const isShared = (terms: Terms) => !terms.isDeducting && !isLimited(terms)
  const deductedBy = (terms: Terms) => (terms.isDeducting ? mostOf(terms, unit) : 0)
  const sharedBy = (terms: Terms) => (isShared(terms) ? terms.basisPoints : 0)
  const fixedFor = (terms: Terms) => {
    if (terms.isDeducting) return 0
    return isShared(terms) ? (terms.flat + terms.shippingFlat) * whole : mostOf(terms, unit)
  }
  return function* (claims) {
    const outlook = (weigh: (terms: Terms) => number) =>
      claims.outlook(({ terms }) => weigh(counted(terms)))
    const deducted = (yield* outlook(deductedBy)).most
    const shared = Math.min((yield* outlook(sharedBy)).most, whole) / whole
    const rest = Math.max(0, base - deducted) * shared
    return deducted + rest + (yield* outlook(fixedFor)).most + doubt <= distributable
  }
}

/** An upper bound of the claims on a number of units, including rounding. */
const mostInAll = (counting: ReadonlyArray<Terms>, unit: Unit, quantity: number): number => {
  const base = unit.base * quantity
  const deducted = sumOf(counting, (terms) =>
    terms.isDeducting ? mostOf({ ...terms, shippingFlat: 0 }, unit, quantity) : 0,
  )
  const rest = Math.max(0, base - deducted)
  const shared = sumOf(counting, (terms) => {
    const earned = (rest * terms.basisPoints) / whole + terms.flat * whole * quantity
    return terms.isDeducting ? 0 : limited(terms, earned, unit.isEarning)
  })
  const ofShipping = sumOf(counting, ({ shippingFlat }) => shippingFlat) * whole * quantity
  const rounding = counting.length + (Number.isSafeInteger(base) ? 1 : inexactness)
  return deducted + shared + ofShipping + rounding * whole
}

/** Whether groups claim only percentages and sums: then they do so for any quantity. */
const isPlain = (terms: ReadonlyArray<Terms>): boolean =>
  !terms.some(isLimited) &&
  !(terms.some((each) => deductedPoints(each) > 0) && terms.some((each) => sharedPoints(each) > 0))

/** Whether percentages and flat amounts add up to no more than a unit brings in, without rounding. */
const isExactlyWithin = (
  counting: ReadonlyArray<Terms>,
  { base, distributable }: Unit,
): boolean => {
  const points = sumOf(counting, ({ basisPoints }) => basisPoints)
  const sums = exact.sum(counting.flatMap(({ flat, shippingFlat }) => [flat, shippingFlat]))
  const claimed = BigInt(points) * BigInt(base) + BigInt(sums) * BigInt(whole) ** 2n
  return claimed <= BigInt(distributable) * BigInt(whole)
}

/** Whether groups are known not to claim too much of any number of units, if they don't for those that were checked. */
const isSoundAt = (unit: Unit, counting: ReadonlyArray<Terms>): boolean => {
  // Percentages leave something of what is left; those above 100 % are searched for separately.
  if (unit.isOfItsOwn && !counting.some(isFixedSum)) return true
  if (isPlain(counting)) return isExactlyWithin(counting, unit)
  // One unit at its price was split, but not at every counter.
  const isSplit = unit.isFixed && counting.every(({ counted }) => counted === undefined)
  const quantities = isSplit ? [2] : [1, 2]
  return quantities.every(
    (quantity) => mostInAll(counting, unit, quantity) <= unit.distributable * quantity,
  )
}

/** The claims on units of a product, of all groups with some of their terms, exceed what they bring in. */
const ofUnits = (
  { candidates }: ExcessQuestion,
  unit: Unit,
  figures: () => ReadonlyArray<Figures>,
  counted: (terms: Terms) => Terms,
): ReadonlyArray<Excess> => {
  const all = candidates.map(({ terms }) => counted(terms))
  if (unit.isOfItsOwn && !all.some(isFixedSum)) return []
  // With limits and deductions each claim is rounded on its own.
  const rounding = isPlain(all) ? 0 : 1
  const weigh = (own: Terms): number => {
    const terms = counted(own)
    const isRounded = unit.base > 0 && terms.basisPoints > 0
    return mostOf({ ...terms, flat: terms.flat + (isRounded ? rounding : 0) }, unit)
  }
  const { distributable } = unit
  return [
    {
      limit: Number.isSafeInteger(distributable) ? distributable : distributable * (1 - tiny),
      claimants: weighed(candidates, weigh),
      figures,
      isHopeless: afterDeduction(unit, groupsOfAll(candidates), counted),
      isSound: (counting) => isSoundAt(unit, counting.map(counted)),
    },
  ]
}

const percentages = (terms: Terms): Terms => ({ ...terms, flat: 0, shippingFlat: 0, least: 0 })

/** Every way in which claims on units of a product at its price can be too large. */
const ofProduct = (asked: ExcessQuestion, product: sales.Priced): ReadonlyArray<Excess> => {
  const { setting } = asked
  const { policy } = setting
  const most = sales.mostOfAmounts(setting)
  const unit = unitOf(product, most, policy)
  const any = unitOf(product, sales.mostOfPercents(setting), policy)
  const charged = policy.shipping === "charge"
  return [
    ...ofStages(asked, () => sales.inUnits(product.price), any.isEarning),
    ...(sales.isPaidOnDiscount(setting)
      ? ofUnits(asked, any, () => sales.discountedUnits(product.price, setting), percentages)
      : []),
    ...ofUnits(
      asked,
      unit,
      () => sales.ofProduct(product, most, policy),
      (terms) => (charged ? { ...terms, shippingFlat: 0 } : terms),
    ),
  ]
}

const hasPrice = (product: Product | undefined): product is sales.Priced =>
  (product?.price ?? -1) >= 0

/** Every way in which claims on any item, or on units of a product at its price, can be too large. */
export const excessesOf = (
  candidates: ReadonlyArray<Candidate>,
  product: Product | undefined,
  setting: ResolvedOptions,
): ReadonlyArray<Excess> => {
  const asked = { candidates, setting }
  if (hasPrice(product)) return ofProduct(asked, product)
  return [...ofStages(asked, () => sales.ofAnything), ...ofDiscounts(asked)]
}

/** Whether shares of a discount may be a cent too much because of a deduction, which is not searched for. */
export const isInDoubt = (
  candidates: ReadonlyArray<Candidate>,
  product: Product | undefined,
  setting: ResolvedOptions,
): boolean => {
  if (hasPrice(product) || !sales.isPaidOnDiscount(setting)) return false
  const stages = largestStages(candidates)
  const isInTwo = stages.deducted > 0 && stages.shared > 0
  return isInTwo && !isWithin(sales.leftOf(setting) / whole, stages, setting.policy)
}
