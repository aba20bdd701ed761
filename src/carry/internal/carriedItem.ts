/** An item that was split without remainders, split again with them. */
import { at } from "../../internal/at.js"
import * as exact from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import { inRange, notBelowZero } from "../../shares/internal/base.js"
import { shippingFlatOf } from "../../shares/internal/claims.js"
import type { Carried, ItemBreakdown, Share, StoreShare } from "../../shares/Share.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { carriedParts } from "./carriedParts.js"

/** One item of a split, with the groups of its shares. */
export interface PlainItem {
  readonly item: ItemBreakdown
  readonly shares: ReadonlyArray<Share>
  readonly groups: ReadonlyArray<ProductGroup>
  readonly store: StoreShare
}

/** The remainders before an item: of the groups of its shares, and of the store. */
export interface ItemRemainders {
  readonly groups: ReadonlyArray<number>
  readonly store: number
}

/** An item with what was carried to and from it in each share. */
export interface CarriedItem {
  readonly item: ItemBreakdown
  readonly shares: ReadonlyArray<Share & { readonly carried: Carried }>
  readonly store: StoreShare & { readonly carried: Carried }
}

type Sign = 1 | -1

const signOf = (value: number): Sign => (value < 0 ? -1 : 1)

/** A share while it is computed, in the sign of an item that was sold; only the remainder is as it is kept. */
interface Open {
  readonly share: Share
  readonly group: ProductGroup
  readonly basisPoints: number
  readonly flatTotal: number
  remainder: number
  base: number
  percentTotal: number
  beforeShipping: number
  shipping: number
}

interface Work {
  readonly sign: Sign
  readonly all: ReadonlyArray<Open>
  /** What the item can pay; `undefined` where more is claimed, and allowed. */
  readonly payable: number | undefined
  storeRemainder: number
}

/** What an item can pay beyond what it pays so far. */
const spareOf = (all: Work["all"], payable: number): number | bigint => {
  const paid = exact.sum(all.flatMap(({ beforeShipping, shipping }) => [beforeShipping, shipping]))
  return payable < paid ? 0 : exact.add(payable, -paid)
}

const shareText = ({ group }: Open) => `the share of group ${group.id}`

interface Limits {
  readonly least: number
  readonly most: number
}

/** A claim on one base, and what becomes of its part. */
interface Part extends Limits {
  readonly open: Open
  readonly basisPoints: number
  /** What the share has for this part so far: what it is without remainders. */
  readonly plain: number
  readonly keep: (part: number, isBound: boolean) => void
}

/** The limit that the exact part of a base is at, or beyond. */
const boundBy = ({ quotient, remainder }: exact.Division, limits: Limits): number | undefined => {
  if (quotient >= limits.most) return limits.most
  const isAtLeast = quotient > limits.least || (quotient === limits.least && remainder > 0)
  return isAtLeast ? undefined : limits.least
}

/**
 * Rounds the parts of a base, and carries what is left.
 *
 * @param sign - 1 where a part above 0 is a gain for a group in the sign in which remainders are kept
 */
const round = (
  work: Work,
  parts: ReadonlyArray<Part>,
  { base, sign }: { readonly base: number; readonly sign: Sign },
): void => {
  const bound: Array<number> = []
  const taking: Array<Part & { readonly exactly: exact.Division }> = []
  let storeBasisPoints: number = Percent.whole
  for (const part of parts) {
    storeBasisPoints -= part.basisPoints
    const exactly = exact.multiplyDivide(base, part.basisPoints, Percent.whole)
    const limit = boundBy(exactly, part)
    if (limit === undefined) {
      taking.push({ ...part, exactly })
      continue
    }
    bound.push(limit)
    part.keep(limit, true)
  }
  if (taking.length === 0) return
  const isPaid = sign === work.sign
  const plain = exact.sum(taking.map((part) => part.plain))
  const cents = carriedParts(
    taking.map((part) => ({ ...part, remainder: sign * part.open.remainder })),
    {
      ...{ base, bound, storeBasisPoints, storeRemainder: sign * work.storeRemainder },
      // What is charged is no expense of the item.
      room:
        isPaid && work.payable !== undefined
          ? exact.add(plain, spareOf(work.all, work.payable))
          : undefined,
    },
  )
  let carried = 0
  for (const [place, { open, exactly, keep }] of taking.entries()) {
    const part = inRange(at(cents, place), () => shareText(open))
    const change = exactly.remainder + (exactly.quotient - part) * Percent.whole
    open.remainder = exact.withoutNegativeZero(open.remainder + sign * change)
    carried += change
    keep(part, false)
  }
  work.storeRemainder = exact.withoutNegativeZero(work.storeRemainder - sign * carried)
}

/** None: the largest amount there is would bind a part of just that amount, which then carried nothing. */
const noLimits: Limits = { least: 0, most: Number.POSITIVE_INFINITY }

/** The limits of a group's percentage, which is paid beside its flat amount. */
const limitsOf = ({ group, flatTotal }: Open): Limits => {
  const { minAmount, maxAmount } = group
  if (minAmount === null && maxAmount === null) return noLimits
  return {
    least: minAmount === null ? noLimits.least : minAmount - flatTotal,
    most: maxAmount === null ? noLimits.most : maxAmount - flatTotal,
  }
}

/** A flat amount within the group's limits; without any there is no minimum either. */
const flatAlone = ({ group, flatTotal }: Open): number =>
  flatTotal === 0
    ? 0
    : Math.min(Math.max(flatTotal, group.minAmount ?? flatTotal), group.maxAmount ?? noLimits.most)

/** One stage: the percentages of a base, and the flat amounts beside them. */
const claimStage = (work: Work, stage: ReadonlyArray<Open>, base: number): void => {
  for (const open of stage) {
    const isSame = open.base === base
    open.base = base
    if (open.basisPoints === 0 || isSame) continue
    // The part that a limit binds is shown rounded down.
    open.percentTotal = exact.multiplyDivide(base, open.basisPoints, Percent.whole).quotient
    if (base === 0) open.beforeShipping = flatAlone(open)
  }
  if (base === 0) return
  const parts = stage
    .filter(({ basisPoints }) => basisPoints > 0)
    .map((open) => ({
      ...{ open, basisPoints: open.basisPoints },
      plain: open.beforeShipping - open.flatTotal,
      ...limitsOf(open),
      keep: (part: number, isBound: boolean) => {
        if (!isBound) open.percentTotal = part
        const earned = exact.add(part, open.flatTotal)
        open.beforeShipping = inRange(earned, () => shareText(open))
      },
    }))
  round(work, parts, { base, sign: work.sign })
}

/** The percentages of the item's part of the shipping, or the charge for it. */
const claimShipping = (work: Work, { shipping, quantity }: ItemBreakdown, charged: boolean) => {
  const base = Math.abs(shipping)
  if (base === 0) return
  const towards = charged ? -1 : 1
  const sign: Sign = signOf(shipping * towards)
  const inSale: Sign = sign === work.sign ? 1 : -1
  const parts = work.all
    .map((open) => {
      const { shippingPercent, percent } = open.group
      const flat = exact.multiply(shippingFlatOf(open.group), quantity)
      const plain = exact.add(open.shipping, exact.times(towards === 1 ? -1 : 1, flat))
      return {
        ...{ open, basisPoints: exact.basisPointsOf(shippingPercent ?? percent), ...noLimits },
        plain: Number(exact.times(inSale, plain)),
      }
    })
    .filter(({ basisPoints }) => basisPoints > 0)
    .map((part) => ({
      ...part,
      keep: (cents: number) => {
        part.open.shipping += inSale * (cents - part.plain)
      },
    }))
  round(work, parts, { base, sign })
}

const opened = (
  { shares, groups }: PlainItem,
  sign: Sign,
  remainders: ItemRemainders,
): ReadonlyArray<Open> =>
  shares.map((share, place) => ({
    ...{ share, group: at(groups, place), remainder: at(remainders.groups, place) },
    basisPoints: exact.basisPointsOf(share.percent),
    flatTotal: sign * share.flatTotal,
    base: sign * share.base,
    percentTotal: sign * share.percentTotal,
    beforeShipping: sign * share.beforeShipping,
    shipping: sign * (share.claim - share.beforeShipping),
  }))

/** The item with the remainders before it, which stay as they are. */
const untouched = (plain: PlainItem, { groups, store }: ItemRemainders): CarriedItem => ({
  item: plain.item,
  shares: plain.shares.map((share, place) => {
    const remainder = at(groups, place)
    return { ...share, carried: { before: remainder, after: remainder } }
  }),
  store: { ...plain.store, carried: { before: store, after: store } },
})

/** Computes both stages and the shipping, and returns what the deducting groups get. */
const claimAll = (work: Work, item: ItemBreakdown, policy: SplitPolicy): number => {
  const { all, sign } = work
  const deducting = all.filter(({ share }) => share.deducting)
  const sharing = deducting.length === 0 ? all : all.filter(({ share }) => !share.deducting)
  const base = sign * item.base
  claimStage(work, deducting, base)
  const deducted = exact.sum(deducting.map(({ beforeShipping }) => beforeShipping))
  if (sharing.length > 0) {
    const left = notBelowZero(exact.add(base, -deducted))
    claimStage(
      work,
      sharing,
      inRange(left, () => `the base of item ${item.itemId} for the others`),
    )
  }
  const { shipping } = policy
  if (shipping === "share" || shipping === "charge") {
    claimShipping(work, item, shipping === "charge")
  }
  return inRange(deducted, () => `what is deducted on item ${item.itemId}`)
}

const signedBy =
  (sign: Sign) =>
  (value: number): number =>
    exact.withoutNegativeZero(sign * value)

const closed = (open: Open, sign: Sign, before: number): CarriedItem["shares"][number] => {
  const signed = signedBy(sign)
  const sum = exact.add(open.beforeShipping, open.shipping)
  const amount = signed(inRange(sum, () => shareText(open)))
  const after = inRange(open.remainder, () => `the remainder of group ${open.group.id}`)
  return {
    ...open.share,
    amount,
    shippingAmount: signed(open.shipping),
    base: signed(open.base),
    percentTotal: signed(open.percentTotal),
    beforeShipping: signed(open.beforeShipping),
    claim: amount,
    carried: { before, after },
  }
}

/**
 * Splits an item with the remainders of earlier ones. An item whose claims are cut, because they are more than it
 * brought in, is left as it was split without them: what is paid of such claims is not an exact percentage of anything.
 */
export const carriedItem = (
  plain: PlainItem,
  policy: SplitPolicy,
  remainders: ItemRemainders,
): CarriedItem => {
  const { item } = plain
  const { itemId, distributable } = item
  if (item.overAllocated && policy.overAllocation !== "allow") return untouched(plain, remainders)
  const sign = signOf(item.amount || item.base || item.discount || distributable)
  const all = opened(plain, sign, remainders)
  const payable = item.overAllocated ? undefined : Math.max(0, sign * distributable)
  const work: Work = { sign, all, payable, storeRemainder: remainders.store }
  const deducted = claimAll(work, item, policy)
  const shares = all.map((open, place) => closed(open, sign, at(remainders.groups, place)))
  const rest = exact.difference(
    distributable,
    shares.map(({ amount }) => amount),
  )
  const amount = inRange(rest, () => `the store's rest of item ${itemId}`)
  const after = inRange(work.storeRemainder, () => "the remainder of the store")
  return {
    item: { ...item, deducted: signedBy(sign)(deducted) },
    shares,
    store: {
      ...{ itemId, amount: exact.withoutNegativeZero(amount) },
      carried: { before: remainders.store, after },
    },
  }
}
