import { at, numberAt } from "../../internal/at.js"
import { compareTexts } from "../../internal/compare.js"
import * as exact from "../../money/internal/exact.js"
import { allocateExactly, giveLeftOver } from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import type { GroupTable } from "../../rules/engine/GroupTable.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { ShareTerms } from "../Share.js"
import type { SplitPolicy } from "../SplitPolicy.js"
import { type ItemFigures, inRange, notBelowZero } from "./base.js"

/**
 * The result of each percentage of one base: rounded together with the store's rest by largest remainder, so that all
 * of them add up to the base, or each rounded down.
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
  // The store's rest and the percentages add up to whole cents, so the store's remainder follows from theirs.
  const cents = Math.ceil(left / Percent.whole)
  parts.push(0)
  remainders.push(cents * Percent.whole - left)
  return giveLeftOver(parts, remainders, cents)
}

/**
 * What one group claims from one item, while it is computed; in the item's own sign.
 *
 * A class, and not a literal: when a field meets a larger number for the first time, V8 gives up the form of a literal,
 * and may go on making claims of it, each of which is brought into its new form when it is read. Then all splits take
 * three times as long until the process ends.
 */
export class Claim {
  readonly group: ProductGroup
  /** The most specific group of the rule set has the lowest. */
  readonly rank: number
  /** What the group's percentage is on this item. */
  basisPoints: number
  readonly shippingBasisPoints: number
  readonly deducting: boolean
  readonly flatTotal: number
  base = 0
  percentTotal = 0
  /** Percent and flat, within the group's minimum and maximum. */
  beforeShipping = 0
  /** It may be beyond the safe integers as long as the amount paid is not. */
  shipping: number | bigint = 0
  /** The total claim. */
  claimed = 0
  /** The amount paid: goods and shipping, or less after an over-allocation was settled. */
  amount = 0
  /** The part of `amount` that comes from shipping. */
  paidShipping: number | bigint = 0
  /** The percent share before rounding, where it is of several percentages. */
  exactly: Fraction | undefined = undefined
  /** The most that the claim may be, where that depends on what was paid before. */
  maxAmount: number | undefined = undefined
  /** What counts it, where its group has terms. */
  terms: ClaimTerms | undefined = undefined

  /** An open claim of the group in a slot. */
  constructor(table: GroupTable, slot: number, flatTotal: number) {
    this.group = table.groupAt(slot)
    this.rank = numberAt(table.ranks, slot)
    this.basisPoints = table.basisPointsOf(slot)
    this.shippingBasisPoints = table.shippingBasisPointsOf(slot)
    this.deducting = table.isDeducting(slot)
    this.flatTotal = flatTotal
  }
}

/** Counts a claim on an item. */
export interface ClaimTerms {
  /** Cuts it to what is left for it. */
  readonly limit: (claim: Claim) => void
  /** Counts what is paid of it in the end, and tells what the terms did. Claims are counted in the order of their groups' ids. */
  readonly settle: (claim: Claim) => ShareTerms
}

/** An amount in fractions of a cent; `unit` of them make a cent. */
export interface Fraction {
  readonly amount: bigint
  readonly unit: bigint
}

/** Flat amount of a group for shipping, which only flat groups earn. */
export const shippingFlatOf = (group: ProductGroup): number =>
  group.amount === null ? 0 : (group.shippingAmount ?? 0)

/** A claim of exactly 0 stays 0: the minimum is only for groups that earn something. */
const isOfNothing = ({ flatTotal, base, basisPoints }: Claim): boolean =>
  flatTotal === 0 && (base === 0 || basisPoints === 0)

/** Earnings may be beyond the safe integers as long as the maximum brings them back. */
const withinLimits = (claim: Claim, earned: number | bigint): number => {
  const { id, minAmount, maxAmount } = claim.group
  const earnsNothing = isOfNothing(claim)
  const raised = minAmount !== null && !earnsNothing && earned < minAmount ? minAmount : earned
  if (maxAmount !== null && raised > maxAmount) return maxAmount
  return inRange(raised, () => `the share of group ${id}`)
}

/** Sets what each claim of a stage gets of the base, and adds the flat amounts. */
export const earn = (
  claims: ReadonlyArray<Claim>,
  base: number,
  parts: ReadonlyArray<number>,
): void => {
  claims.forEach((claim, index) => {
    claim.base = base
    claim.percentTotal = at(parts, index)
    claim.beforeShipping = withinLimits(claim, exact.add(claim.percentTotal, claim.flatTotal))
  })
}

/** Computes the claims of one stage on its base, and returns the sum of their percentages; 0 if the base is 0. */
export type ClaimStage = (
  claims: ReadonlyArray<Claim>,
  base: number,
  rounding: SplitPolicy["rounding"],
  on: { readonly item: OrderItem; readonly sign: Sign },
) => number

/** The claims of groups that have one percentage. */
export const claimStage = (
  claims: ReadonlyArray<Claim>,
  base: number,
  rounding: SplitPolicy["rounding"],
): number => {
  if (claims.length === 0) return 0
  const points = claims.map((claim) => claim.basisPoints)
  earn(claims, base, percentParts(base, points, rounding))
  return base && points.reduce((total, each) => total + each)
}

/** The base left for the second stage after the deducting groups' shares; larger if they are charged. */
export const baseAfter = (base: number, deducted: number | bigint): number | bigint =>
  notBelowZero(exact.add(base, -deducted))

/** The claim of each collaborator's most specific group, which receives the part where all get equal parts. */
const receiversOf = (claims: ReadonlyArray<Claim>): ReadonlyArray<Claim> => {
  const served = new Map<string, Claim>()
  for (const claim of claims) {
    const { collaboratorId } = claim.group
    const known = served.get(collaboratorId)
    if (known === undefined || claim.rank < known.rank) served.set(collaboratorId, claim)
  }
  return claims.filter((claim) => served.get(claim.group.collaboratorId) === claim)
}

const equalParts = (claims: ReadonlyArray<Claim>, figures: ItemFigures): void => {
  const receivers = receiversOf(claims)
  const parts = allocateExactly(
    figures.shipping,
    receivers.map(() => 1),
  )
  receivers.forEach((claim, index) => {
    claim.shipping = at(parts, index)
  })
}

const shippingOf = (claims: ReadonlyArray<Claim>, figures: ItemFigures, policy: SplitPolicy) => {
  const sign = Math.sign(figures.shipping)
  const shares = claims.map((claim) => claim.shippingBasisPoints)
  return percentParts(Math.abs(figures.shipping), shares, policy.rounding).map(
    (part) => sign * part,
  )
}

/** Adds to each claim its part of the item's shipping, or the charge for it. */
export const claimShipping = (
  claims: ReadonlyArray<Claim>,
  figures: ItemFigures,
  policy: SplitPolicy,
  ofQuantity: (flat: number) => number | bigint,
): void => {
  if (policy.shipping === "store") return
  if (policy.shipping === "all") {
    equalParts(claims, figures)
    return
  }
  const sign = policy.shipping === "charge" ? -1 : 1
  const parts = shippingOf(claims, figures, policy)
  claims.forEach((claim, index) => {
    const shipping = exact.add(at(parts, index), ofQuantity(shippingFlatOf(claim.group)))
    claim.shipping = exact.times(sign, shipping)
  })
}

/** A claim before any rounding, in fractions of a cent; `unit` of them make a cent. */
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
  const { exactly } = claim
  const percent = exactly
    ? (exactly.amount * unit) / exactly.unit
    : (BigInt(claim.base) * BigInt(claim.basisPoints) * unit) / BigInt(Percent.whole)
  const earned = percent + BigInt(claim.flatTotal) * unit
  const least = minAmount === null || isOfNothing(claim) ? earned : BigInt(minAmount) * unit
  const raised = earned < least ? least : earned
  const limit = claim.maxAmount ?? maxAmount
  const most = limit === null ? raised : BigInt(limit) * unit
  return raised > most ? most : raised
}

/** The unrounded claims of an item, once its stages are computed. */
export const exactClaims = (
  claims: ReadonlyArray<Claim>,
  figures: ItemFigures,
  policy: SplitPolicy,
  quantity: number,
): ExactClaims => {
  const receivers = new Set(policy.shipping === "all" ? receiversOf(claims) : [])
  const whole = BigInt(Percent.whole)
  let unit = whole * BigInt(receivers.size || 1)
  for (const { exactly } of claims) if (exactly) unit *= exactly.unit
  const shipping = BigInt(figures.shipping) * unit
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

/** The claims on an item, and the amount to pay them from. */
export interface Claimed {
  readonly claims: ReadonlyArray<Claim>
  readonly figures: ItemFigures
  readonly quantity: number
  readonly policy: SplitPolicy
}

/** Cuts excessive claims in proportion, and returns whether it did. */
export type Scale = (claimed: Claimed) => boolean

/** The sum of the claims; a bigint where it is not a safe integer. */
export const claimed = (claims: ReadonlyArray<Claim>): number | bigint => {
  let total = 0
  for (const claim of claims) {
    total += claim.amount
    if (!exact.isSafe(total)) return exact.sum(claims.map(({ amount }) => amount))
  }
  return total
}

/** The payable amount of an item; 0 when it is negative. */
export const payable = ({ distributable }: ItemFigures): number => Math.max(0, distributable)

/** Negative claims are payments to the item: they increase the amount to share. */
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

/** Each claim after the cut, in fractions of a cent; `divisor` of them make a cent. */
interface Cut {
  readonly divisor: bigint
  readonly partOf: (claim: ExactClaim, value: bigint) => bigint
}

/** Claims above 0 share the payable amount plus what negative claims pay in; negative claims stay as they are. */
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

/** The shipping in a claim that was cut is cut with it; in an uncut claim it stays as it was. */
const shippingIn = (asked: ExactClaim, amount: number, cut: Cut): number | bigint => {
  const { claim, whole, shipping } = asked
  if (amount === claim.amount) return claim.shipping
  const part = halfUp(cut.partOf(asked, shipping), cut.divisor)
  // However the two are rounded, goods that earned something must not become negative.
  const isWithin = shipping <= 0n || whole < shipping || part <= BigInt(amount)
  return isWithin ? part : amount
}

/**
 * Cuts the unrounded claims, all in the same proportion, down to the payable amount; then rounds each to the cent below
 * or above. Claims that fit stay as they are.
 */
export const scale: Scale = ({ claims, figures, quantity, policy }) => {
  const there = payable(figures)
  const total = claimed(claims)
  // Goods and shipping were each rounded by less than a cent.
  if (exact.add(Number(total), 2 * claims.length) <= there) return false
  const { unit, claims: asked } = exactClaims(claims, figures, policy, quantity)
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

/** The cut as it was before version 0.6.0: rounded first. It reproduces splits recorded then. */
export const scaleRounded: Scale = ({ claims, figures }) => {
  const there = payable(figures)
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
export const payByRank = ({ claims, figures }: Claimed): void => {
  let left = available(claims, payable(figures))
  const byRank = [...claims].sort((a, b) => a.rank - b.rank)
  for (const claim of byRank) {
    if (claim.amount <= 0) continue
    const paid = left < claim.amount ? Number(left) : claim.amount
    left = typeof left === "bigint" ? left - BigInt(paid) : left - paid
    claim.paidShipping = Math.max(Math.min(0, Number(claim.shipping)), paid - claim.beforeShipping)
    claim.amount = paid
  }
}

// Rules of arithmetic that have changed since an earlier version. They are kept next to the current ones, because a
// split recorded then must be reproducible.

export type Sign = 1 | -1

/** The arithmetic that changed between versions. */
export interface Edition {
  /** Whether an order as a whole is a sale, or reverses one. */
  readonly signOfOrder: (order: Order) => Sign
  /** Whether an item is computed as it is or as its mirror. */
  readonly signOf: (item: OrderItem, orderSign: Sign, shipping: number) => Sign
  readonly claimStage: ClaimStage
  readonly scale: Scale
}

/** The sign of the first figure that is not 0. */
const signOfFirst = (figures: ReadonlyArray<number | bigint>): Sign =>
  (figures.find((figure) => Number(figure) !== 0) ?? 1) < 0 ? -1 : 1

/** The amount of the first item by id that has one: it decides the sign of an exchange where nothing else does. */
const firstAmount = (items: ReadonlyArray<OrderItem>): number =>
  items
    .filter(({ amount }) => amount !== 0)
    .reduce<OrderItem | undefined>(
      (first, item) => (first === undefined || compareTexts(item.id, first.id) < 0 ? item : first),
      undefined,
    )?.amount ?? 0

/** An item without any money of its own takes the sign of its order. */
export const current: Edition = {
  signOfOrder: ({ items, shippingAmount = 0, shippingTax = 0, gatewayFee = 0 }) => {
    const sum = exact.sum(items.map(({ amount }) => amount))
    return signOfFirst([sum, shippingAmount, shippingTax, gatewayFee, firstAmount(items)])
  },
  signOf: ({ amount, discount = 0, taxTotal }, orderSign) => {
    if (amount !== 0) return amount < 0 ? -1 : 1
    return signOfFirst([discount, taxTotal ?? 0, orderSign])
  },
  claimStage,
  scale,
}

/** As it was before version 0.6.0. */
export const before060: Edition = {
  signOfOrder: () => 1,
  signOf: ({ amount }, _orderSign, shipping) =>
    amount < 0 || (amount === 0 && shipping < 0) ? -1 : 1,
  claimStage,
  scale: scaleRounded,
}
