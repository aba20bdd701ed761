import type { ProductGroup } from "../../groups/ProductGroup.js"
import type { Product } from "../../matching/Product.js"
import * as exact from "../../money/internal/exact.js"
import { whole } from "../../money/Percent.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { Claimant, Claims } from "./Claims.js"
import type { Figures } from "./orders.js"
import type { Predicate } from "./Predicate.js"
import type { Setting } from "./Setting.js"
import { type Terms, termsOf } from "./terms.js"

/** A way in which too much can be claimed, with the figures of the sales on which it is looked for. */
export interface Excess {
  readonly limit: number
  readonly claimants: ReadonlyArray<Claimant>
  readonly figures: ReadonlyArray<Figures>
  readonly isHopeless?: ((claims: Claims) => boolean) | undefined
}

/** A group that may claim something, most specific first. */
export interface Candidate {
  readonly group: ProductGroup
  readonly predicate: Predicate
  /** The same for all groups of which one counts at most. */
  readonly collaborator: number
}

/** Percentages show on large amounts, where flat amounts and limits don't matter any more. */
const largeAmounts = [10_000, 1_000_000, 10_000_000_000, 100_000_000_000_000]

const atMostDiscount = (amount: number, { mostDiscount }: Setting): Figures => ({
  amount,
  discount: exact.multiplyDivide(amount, mostDiscount, whole).quotient,
})

/** For percentages a discount matters only where they are paid on it. */
const discounted = (amount: number, setting: Setting): Figures =>
  setting.policy.discount === "ignore" ? atMostDiscount(amount, setting) : { amount }

/** A product at its price, and with the largest discount: an amount can be too much of what that leaves. */
const salesAt = (price: number, setting: Setting): ReadonlyArray<Figures> =>
  setting.mostDiscount === 0
    ? [{ amount: price }]
    : [{ amount: price }, atMostDiscount(price, setting)]

const weighed = (
  candidates: ReadonlyArray<Candidate>,
  policy: SplitPolicy,
  weigh: (terms: Terms) => number,
): ReadonlyArray<Claimant> =>
  candidates.map(({ group, predicate, collaborator }) => {
    const terms = termsOf(group, policy)
    return { predicate, collaborator, terms, claimed: weigh(terms) }
  })

/** An amount so small that no group is kept from its percentage by its maximum. */
const belowMaximums = (
  candidates: ReadonlyArray<Candidate>,
  setting: Setting,
): ReadonlyArray<number> => {
  const amounts = candidates.map(({ group }) => {
    const { basisPoints, most } = termsOf(group, setting.policy)
    return most === 0 ? Number.POSITIVE_INFINITY : Math.floor((most / basisPoints) * whole)
  })
  const amount = amounts.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
  return Number.isSafeInteger(amount) ? [amount] : []
}

/** The percentages of one stage, or those of the shipping, come to more than all of it. */
const ofPercents = (
  candidates: ReadonlyArray<Candidate>,
  setting: Setting,
  amounts: ReadonlyArray<number>,
): ReadonlyArray<Excess> => {
  const { policy, mostDiscount } = setting
  const figures = amounts.map((amount) => discounted(amount, setting))
  const of = (limit: number, weigh: (terms: Terms) => number, sales = figures): Excess => ({
    limit,
    claimants: weighed(candidates, policy, weigh),
    figures: sales,
  })
  const stages = [
    of(whole, ({ isDeducting, basisPoints }) => (isDeducting ? basisPoints : 0)),
    of(whole, ({ isDeducting, basisPoints }) => (isDeducting ? 0 : basisPoints)),
  ]
  const isPaidOnDiscount = policy.discount === "ignore" && mostDiscount > 0
  const onDiscount = of(
    whole - mostDiscount,
    ({ basisPoints, most }) => (most === 0 ? 0 : basisPoints),
    figures,
  )
  const onShipping = of(whole, ({ shippingBasisPoints }) => shippingBasisPoints, [
    { amount: 0, shippingAmount: 10_000 },
    { amount: 0, shippingAmount: 1_000_000_000 },
  ])
  return [
    ...stages,
    ...(isPaidOnDiscount ? [onDiscount] : []),
    ...(policy.shipping === "share" ? [onShipping] : []),
  ]
}

/** What percentages of an item are of, at most. */
const largestBase = ({ amount, discount = 0 }: Figures, product: Product, policy: SplitPolicy) => {
  const cost = policy.cost === "deduct" ? (product.cost ?? 0) : 0
  return Math.max(0, amount - (policy.discount === "deduct" ? discount : 0) - cost)
}

/** What a group claims of one unit, at most: as if nobody's share were deducted, rounded up. */
const mostOf = (terms: Terms, base: number): number => {
  const { quotient, remainder } = exact.multiplyDivide(base, terms.basisPoints, whole)
  const earned = quotient + Math.sign(remainder) + terms.flat
  const raised = earned > 0 ? Math.max(earned, terms.least) : 0
  return Math.min(raised, terms.most) + terms.shippingFlat
}

const isLimited = ({ least, most }: Terms): boolean =>
  least > 0 || most !== Number.POSITIVE_INFINITY

/** More than the inexactness of large numbers can come to; rounding adds less than a cent for each claim. */
const inexactness = 16

/**
 * Shares of what is left after a deduction are smaller than shares of all: this bound knows it, where the sum
 * of the largest claims does not.
 */
const afterDeduction = (
  base: number,
  broughtIn: number,
  claimantCount: number,
): ((claims: Claims) => boolean) => {
  const doubt = inexactness + claimantCount
  const isShared = (terms: Terms) => !terms.isDeducting && !isLimited(terms)
  const deductedBy = (terms: Terms) => (terms.isDeducting ? mostOf(terms, base) : 0)
  const sharedBy = (terms: Terms) => (isShared(terms) ? terms.basisPoints : 0)
  const fixedFor = (terms: Terms) => {
    if (terms.isDeducting) return 0
    return isShared(terms) ? terms.flat + terms.shippingFlat : mostOf(terms, base)
  }
  return (claims) => {
    const most = (weigh: (terms: Terms) => number) =>
      claims.outlook(({ terms }) => weigh(terms)).most
    const deducted = most(deductedBy)
    const shared = Math.min(most(sharedBy), whole) / whole
    const rest = Math.max(0, base - deducted) * shared
    return deducted + rest + most(fixedFor) + doubt <= broughtIn
  }
}

/** All claims on a unit of a product come to more than it brings in at its price. */
const ofAmounts = (
  candidates: ReadonlyArray<Candidate>,
  product: Product,
  figures: Figures,
  { policy }: Setting,
): Excess => {
  const base = largestBase(figures, product, policy)
  const broughtIn = Math.max(0, figures.amount - (figures.discount ?? 0))
  const charged = policy.shipping === "charge"
  return {
    limit: broughtIn,
    claimants: weighed(candidates, policy, (each) =>
      charged ? mostOf({ ...each, shippingFlat: 0 }, base) : mostOf(each, base),
    ),
    figures: [figures],
    isHopeless: afterDeduction(base, broughtIn, candidates.length),
  }
}

/** Every way in which too much can be claimed of any item, or of one unit of a product at its price. */
export const excessesOf = (
  candidates: ReadonlyArray<Candidate>,
  product: Product | undefined,
  setting: Setting,
): ReadonlyArray<Excess> => {
  if (product?.price === undefined || product.price < 0) {
    const amounts = [...largeAmounts, ...belowMaximums(candidates, setting)]
    return ofPercents(candidates, setting, amounts)
  }
  const { price } = product
  return [
    ...ofPercents(candidates, setting, [price]),
    ...salesAt(price, setting).map((sale) => ofAmounts(candidates, product, sale, setting)),
  ]
}
