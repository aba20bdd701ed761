/**
 * What a re-split changes of a recorded split: for each party the difference between what it has of the sale and what it
 * would have under other rules.
 *
 * @since 0.6.0
 */

import * as Result from "effect/Result"
import { refusal, show } from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import { AmountOutOfRange } from "../money/Cents.js"
import { toSafe, withoutNegativeZero } from "../money/internal/exact.js"
import { type GivenAdjustment, lookAt } from "./internal/givenAdjustment.js"
import {
  goesWithGoods,
  type Parts,
  progressOf,
  type RefundedParts,
  reversedBy,
  reversedSince,
} from "./internal/progress.js"
import { ofRecorded } from "./internal/recordedSplit.js"
import { sumOfSplits } from "./internal/splitSum.js"
import { undone } from "./internal/undone.js"
import { InvalidRefund, type Refund, type ReversedShare } from "./Refund.js"
import type { ItemBreakdown, Share } from "./Share.js"
import type { Split } from "./Split.js"

/**
 * By how much a re-split changes what a collaborator has of an item through a group. All amounts are cents of the order's
 * currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface AdjustedShare {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  /** What they get in addition; below 0: less. */
  readonly amount: number
  /** The part of `amount` that comes from shipping. */
  readonly shippingAmount: number
  /** The share in the split that was in force, refunds left aside; 0: it had none. */
  readonly before: number
  /** The share in the new split, refunds left aside; 0: it has none. */
  readonly after: number
}

/**
 * By how much a re-split changes what the store has of an item. All amounts are cents of the order's currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface AdjustedItem {
  readonly itemId: string
  /** What the store gets in addition; below 0: less. With the item's shares it adds up to `distributable`. */
  readonly store: number
  /** By how much more the item brought in: 0, unless the new policy treats tax in another way. */
  readonly distributable: number
  /** The part of `distributable` that is shipping. */
  readonly shipping: number
}

/**
 * The differences that a re-split makes to a recorded split, without what refunds had taken back by then.
 *
 * @since 0.6.0
 * @category models
 */
export interface Adjustment {
  readonly orderId: string
  /** ISO 4217 code. Every amount is in its lowest unit. */
  readonly currency: string
  /** The new split, which is in force from then on. */
  readonly split: Split
  /** How many refunds of the sale came before it. */
  readonly refunds: number
  /** Those that differ, by item as in the order, then by group and collaborator. */
  readonly shares: ReadonlyArray<AdjustedShare>
  /** The items with a difference for anybody, as in the order. */
  readonly items: ReadonlyArray<AdjustedItem>
}

/**
 * A recorded split with all that came after it, in its order: never changed, only added to.
 *
 * @since 0.6.0
 * @category models
 */
export interface RecordedSplit {
  /** As it was recorded. */
  readonly split: Split
  readonly refunds: ReadonlyArray<Refund>
  readonly adjustments: ReadonlyArray<Adjustment>
}

/**
 * What a refund takes back of an adjustment of an item.
 *
 * @since 0.6.0
 * @category models
 */
export interface AdjustmentReversal {
  /** With the sign of the adjustment. */
  readonly shares: ReadonlyArray<ReversedShare>
  readonly store: number
}

/**
 * What a party has of an item, through a group and without what was refunded, in cents of the order's currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface KeptShare {
  readonly itemId: string
  /** `null`: the store's rest. */
  readonly groupId: string | null
  /** `null`: the store. */
  readonly collaboratorId: string | null
  readonly amount: number
}

/**
 * The new split is not one of the same sale: its order, its currency or the figures of its items are others.
 *
 * @since 0.6.0
 * @category errors
 */
export class SplitOfOtherSale extends TaggedError("SplitOfOtherSale")<{
  readonly orderId: string
  readonly message: string
}> {}

type ShareRow = Pick<Share, "itemId" | "groupId" | "collaboratorId" | "amount" | "shippingAmount">

/** An amount and the part of it that is shipping, of any size. */
interface ExactParts {
  readonly amount: bigint
  readonly shipping: bigint
}

const nothing: ExactParts = { amount: 0n, shipping: 0n }

const plus = (one: ExactParts, other: ExactParts): ExactParts => ({
  amount: one.amount + other.amount,
  shipping: one.shipping + other.shipping,
})

const minus = (one: ExactParts, other: ExactParts): ExactParts => ({
  amount: one.amount - other.amount,
  shipping: one.shipping - other.shipping,
})

const isNothing = ({ amount, shipping }: ExactParts): boolean => amount === 0n && shipping === 0n

const exactly = ({ amount, shipping }: Parts): ExactParts => ({
  amount: BigInt(amount),
  shipping: BigInt(shipping),
})

const partsOf = ({ amount, shippingAmount }: ShareRow): Parts => ({
  amount,
  shipping: shippingAmount,
})

type Reversing = (parts: Parts, withGoods: boolean) => bigint

/** What was reversed of an amount, and of the shipping in it. */
const reversedParts = (reversed: Reversing, parts: Parts, withGoods: boolean): ExactParts => ({
  amount: reversed(parts, withGoods),
  shipping: reversed({ amount: parts.shipping, shipping: parts.shipping }, withGoods),
})

const leftOf = (reversed: Reversing, parts: Parts, withGoods = false): ExactParts =>
  minus(exactly(parts), reversedParts(reversed, parts, withGoods))

const reversing =
  (progress: RefundedParts): Reversing =>
  (parts, withGoods) =>
    reversedBy(progress, parts, withGoods)

/** The same of a share, of which what tiers earned last goes back first. */
const reversingShare =
  (progress: RefundedParts, share: Share): Reversing =>
  (parts, withGoods) =>
    reversedBy(progress, parts, withGoods, undone(share, progress.goods))

const reversingSince =
  (start: RefundedParts, now: RefundedParts): Reversing =>
  (parts, withGoods) =>
    reversedSince({ start, now }, parts, withGoods)

const keyOf = ({ itemId, groupId, collaboratorId }: ShareRow): string =>
  JSON.stringify([itemId, groupId, collaboratorId])

const ofItem = <A extends { readonly itemId: string }>(
  all: ReadonlyArray<A>,
  itemId: string,
): ReadonlyArray<A> => all.filter((one) => one.itemId === itemId)

/** How much of an item the first so many of a sale's refunds cover. */
const progressAfter = (
  item: ItemBreakdown,
  refunds: ReadonlyArray<Refund>,
  count = refunds.length,
): RefundedParts => progressOf(item, ofItem(refunds.slice(0, count), item.itemId))

const withShare = (all: Map<string, ExactParts>, share: ShareRow, parts: ExactParts): void => {
  const key = keyOf(share)
  all.set(key, plus(all.get(key) ?? nothing, parts))
}

/** What everybody has of an item: the recorded shares and their adjustments, each less its own refunds. */
const keptShares = (
  { split, refunds, adjustments }: RecordedSplit,
  item: ItemBreakdown,
): ReadonlyMap<string, ExactParts> => {
  const now = progressAfter(item, refunds)
  const kept = new Map<string, ExactParts>()
  for (const share of ofItem(split.shares, item.itemId)) {
    const reversed = reversingShare(now, share)
    withShare(kept, share, leftOf(reversed, partsOf(share), goesWithGoods(share)))
  }
  for (const adjustment of adjustments) {
    const start = progressAfter(item, refunds, adjustment.refunds)
    for (const share of ofItem(adjustment.shares, item.itemId)) {
      const reversed = reversingSince(start, now)
      withShare(kept, share, leftOf(reversed, partsOf(share), goesWithGoods(share)))
    }
  }
  return kept
}

type BroughtIn = Pick<ItemBreakdown, "distributable" | "shipping">

const broughtParts = ({ distributable, shipping }: BroughtIn): Parts => ({
  amount: distributable,
  shipping,
})

/** What is left of what an item brought in. */
const keptOfItem = ({ refunds, adjustments }: RecordedSplit, item: ItemBreakdown): ExactParts => {
  const now = progressAfter(item, refunds)
  let kept = leftOf(reversing(now), broughtParts(item))
  for (const adjustment of adjustments) {
    const start = progressAfter(item, refunds, adjustment.refunds)
    for (const adjusted of ofItem(adjustment.items, item.itemId)) {
      kept = plus(kept, leftOf(reversingSince(start, now), broughtParts(adjusted)))
    }
  }
  return kept
}

/**
 * The split that is in force of a recorded sale: that of its last adjustment, or the one it was recorded with.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Adjustment, RuleSet, Split } from "apportion"
 *
 * const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }
 * const split = Split.order(RuleSet.make([]), { id: "1001", currency: "USD", items: [item] })
 * Adjustment.inForce({ split, adjustments: [] }) === split // => true
 * ```
 */
export const inForce = ({
  split,
  adjustments,
}: Pick<RecordedSplit, "split" | "adjustments">): Split => adjustments.at(-1)?.split ?? split

const figures = ["itemId", "amount", "quantity", "discount"] as const

const isOfSameSale = (split: Split, next: Split): boolean =>
  split.orderId === next.orderId &&
  split.currency === next.currency &&
  split.items.length === next.items.length &&
  split.items.every((item, index) =>
    figures.every((name) => item[name] === next.items[index]?.[name]),
  )

const safe = (amount: bigint, what: string): number => {
  const number = toSafe(amount)
  if (number === undefined) throw AmountOutOfRange.of(what, amount)
  return withoutNegativeZero(number)
}

/** What differs of an item. */
interface ItemDifference {
  readonly shares: ReadonlyArray<AdjustedShare>
  readonly item: AdjustedItem
}

const byKey = (split: Split, itemId: string): ReadonlyMap<string, Share> =>
  new Map(ofItem(split.shares, itemId).map((share) => [keyOf(share), share]))

const whoFirst = (one: ShareRow, other: ShareRow): number => {
  if (one.groupId !== other.groupId) return one.groupId < other.groupId ? -1 : 1
  return one.collaboratorId < other.collaboratorId ? -1 : 1
}

/** What a split is compared with, item by item. */
interface Comparison {
  readonly item: ItemBreakdown
  readonly current: Split
  readonly next: Split
  /** The parts that the sale is to be as if it had been recorded in; none: as the new split. */
  readonly parts: ReadonlyArray<RecordedSplit>
}

/** What everybody is to have of an item that was recorded in several parts. */
const wantedOfParts = (
  parts: ReadonlyArray<RecordedSplit>,
  itemId: string,
): ReadonlyMap<string, ExactParts> => {
  const wanted = new Map<string, ExactParts>()
  for (const part of parts) {
    for (const item of ofItem(part.split.items, itemId)) {
      for (const [key, parts] of keptShares(part, item)) {
        wanted.set(key, plus(wanted.get(key) ?? nothing, parts))
      }
    }
  }
  return wanted
}

const rowsOf = (
  { adjustments }: RecordedSplit,
  { item, current, next }: Comparison,
): ReadonlyMap<string, ShareRow> =>
  new Map(
    [...adjustments.map(({ shares }) => shares), current.shares, next.shares].flatMap((shares) =>
      ofItem<ShareRow>(shares, item.itemId).map((share) => [keyOf(share), share] as const),
    ),
  )

const isSameShare = (one: Share | undefined, other: Share | undefined): boolean =>
  (one?.amount ?? 0) === (other?.amount ?? 0) &&
  (one?.shippingAmount ?? 0) === (other?.shippingAmount ?? 0)

const differingShares = (
  recorded: RecordedSplit,
  comparison: Comparison,
): ReadonlyArray<AdjustedShare> => {
  const { item, current, next, parts } = comparison
  const kept = keptShares(recorded, item)
  const now = progressAfter(item, recorded.refunds)
  const [before, after] = [byKey(current, item.itemId), byKey(next, item.itemId)]
  const ofParts = parts.length === 0 ? undefined : wantedOfParts(parts, item.itemId)
  const wantedOf = (key: string): ExactParts => {
    const fresh = after.get(key)
    if (ofParts !== undefined) return ofParts.get(key) ?? nothing
    return fresh === undefined
      ? nothing
      : leftOf(reversingShare(now, fresh), partsOf(fresh), goesWithGoods(fresh))
  }
  return [...rowsOf(recorded, comparison)]
    .flatMap(([key, { itemId, groupId, collaboratorId }]) => {
      const [old, fresh] = [before.get(key), after.get(key)]
      if (ofParts === undefined && isSameShare(old, fresh)) return []
      const difference = minus(wantedOf(key), kept.get(key) ?? nothing)
      if (isNothing(difference)) return []
      const what = `the adjustment of the share of ${collaboratorId} in item ${itemId}`
      return [
        {
          ...{ itemId, groupId, collaboratorId },
          amount: safe(difference.amount, what),
          shippingAmount: safe(difference.shipping, what),
          before: old?.amount ?? 0,
          after: fresh?.amount ?? 0,
        },
      ]
    })
    .sort(whoFirst)
}

const isSameBrought = (one: BroughtIn, other: BroughtIn): boolean =>
  one.distributable === other.distributable && one.shipping === other.shipping

/** By how much more is left of what an item brought in. */
const broughtDifference = (
  recorded: RecordedSplit,
  { item, current, next, parts }: Comparison,
): ExactParts => {
  const { itemId } = item
  if (parts.length > 0) {
    const wanted = parts.flatMap((part) =>
      ofItem(part.split.items, itemId).map((own) => keptOfItem(part, own)),
    )
    return minus(wanted.reduce(plus, nothing), keptOfItem(recorded, item))
  }
  const [old = item] = ofItem(current.items, itemId)
  const [fresh = item] = ofItem(next.items, itemId)
  if (isSameBrought(old, fresh)) return nothing
  const now = progressAfter(item, recorded.refunds)
  return minus(leftOf(reversing(now), broughtParts(fresh)), keptOfItem(recorded, item))
}

const differenceOfItem = (
  recorded: RecordedSplit,
  comparison: Comparison,
): ItemDifference | undefined => {
  const { itemId } = comparison.item
  const shares = differingShares(recorded, comparison)
  const brought = broughtDifference(recorded, comparison)
  if (shares.length === 0 && isNothing(brought)) return undefined
  const given = shares.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const what = `the adjustment of the store's rest of item ${itemId}`
  return {
    shares,
    item: {
      itemId,
      store: safe(brought.amount - given, what),
      distributable: safe(brought.amount, what),
      shipping: safe(brought.shipping, what),
    },
  }
}

const orOutOfRange = <A>(make: () => A): Result.Result<A, AmountOutOfRange> => {
  try {
    return Result.succeed(make())
  } catch (error) {
    if (error instanceof AmountOutOfRange) return Result.fail(error)
    throw error
  }
}

const compared = (
  recorded: RecordedSplit,
  next: Split,
  parts: ReadonlyArray<RecordedSplit>,
): Result.Result<Adjustment | null, SplitOfOtherSale | AmountOutOfRange> => {
  const { orderId, currency, items } = recorded.split
  if (!isOfSameSale(recorded.split, next)) {
    const message = `the new split, of order ${show(next.orderId)}, is not one of order ${show(orderId)} with the same items`
    return Result.fail(new SplitOfOtherSale({ orderId, message }))
  }
  return orOutOfRange(() => {
    const current = inForce(recorded)
    const differences = items.flatMap(
      (item) => differenceOfItem(recorded, { item, current, next, parts }) ?? [],
    )
    if (differences.length === 0) return null
    return {
      ...{ orderId, currency, split: next, refunds: recorded.refunds.length },
      shares: differences.flatMap(({ shares }) => shares),
      items: differences.map(({ item }) => item),
    }
  })
}

/**
 * What has to be added to everybody's part of a recorded sale so that they have what a new split gives them, both
 * without what was refunded; `null`: nothing. A share that is the same in the split in force and in the new one is not
 * adjusted. The differences of an item's shares and that of the store add up to the difference in what it brought in,
 * which is 0 unless the policy treats tax in another way.
 *
 * @param next - of the same order with the same items, under other rules or another policy
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Adjustment, RuleSet, Split } from "apportion"
 * import { Result } from "effect"
 *
 * const at = (percent: number) =>
 *   RuleSet.make([{ id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent }])
 * const item = { id: "1", product: { id: "p1" }, quantity: 2, amount: 10_000 }
 * const order = { id: "1001", currency: "USD", items: [item] }
 * const refund = { orderId: "1001", itemId: "1", quantity: 1, refundedAt: 1_735_689_600 }
 * const recorded = { split: Split.order(at(10), order), refunds: [refund], adjustments: [] }
 *
 * const adjustment = Result.getOrThrow(Adjustment.between(recorded, Split.order(at(25), order)))
 * adjustment?.shares.map(({ before, after, amount }) => [before, after, amount])
 * // => [[1000, 2500, 750]]
 * adjustment?.items[0]?.store // => -750
 * ```
 */
export const between = (
  recorded: RecordedSplit,
  next: Split,
): Result.Result<Adjustment | null, SplitOfOtherSale | AmountOutOfRange> =>
  compared(recorded, next, [])

/**
 * What has to be added to everybody's part of a recorded sale so that they have what they would if it had been recorded
 * in several parts, each with refunds of its own; `null`: nothing. Fails with `AmountOutOfRange` where a difference, or a
 * figure of all parts together, is no safe integer.
 *
 * @param parts - what each of them has of the items of the recorded sale, by its item ids; together they have all of it
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Adjustment, RuleSet, Split } from "apportion"
 * import { Result } from "effect"
 *
 * const link = { type: "products.all" } as const
 * const rules = RuleSet.make([{ id: "g1", collaboratorId: "ada", link, percent: 10 }])
 * const recordedAs = (quantity: number) => {
 *   const item = { id: "1", product: { id: "p1" }, quantity, amount: 5 * quantity }
 *   const split = Split.order(rules, { id: "1001", currency: "USD", items: [item] })
 *   return { split, refunds: [], adjustments: [] }
 * }
 * const adjustment = Adjustment.betweenParts(recordedAs(2), [recordedAs(1), recordedAs(1)])
 * Result.getOrThrow(adjustment)?.shares.map(({ before, after }) => [before, after])
 * // => [[1, 2]]
 * ```
 */
export const betweenParts = (
  recorded: RecordedSplit,
  parts: ReadonlyArray<RecordedSplit>,
): Result.Result<Adjustment | null, SplitOfOtherSale | AmountOutOfRange> => {
  const splits = parts.map(({ split }) => split)
  const whole = orOutOfRange(() => sumOfSplits(recorded.split, splits))
  return Result.flatMap(whole, (next) => compared(recorded, next, parts))
}

/**
 * What a refund takes back of an adjustment, beside what it takes back of the recorded split: of everything that the
 * adjustment gave or took, the part that the refund is of what was not refunded yet when it was made, rounded half-up,
 * and all of it once the item is fully refunded. Nothing of an adjustment that was made after the refund. What is no
 * adjustment, or no recorded split, is refused with `InvalidRefund`.
 *
 * @param recorded - with the refunds before this one
 * @param refund - one that the recorded split can have
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Adjustment, RuleSet, Split } from "apportion"
 * import { Result } from "effect"
 *
 * const at = (percent: number) =>
 *   RuleSet.make([{ id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent }])
 * const item = { id: "1", product: { id: "p1" }, quantity: 2, amount: 10_000 }
 * const order = { id: "1001", currency: "USD", items: [item] }
 * const recorded = { split: Split.order(at(10), order), refunds: [], adjustments: [] }
 * const refund = { orderId: "1001", itemId: "1", quantity: 1, refundedAt: 1_735_689_600 }
 *
 * const reversed = Result.map(
 *   Adjustment.between(recorded, Split.order(at(25), order)),
 *   (adjustment) => adjustment && Adjustment.reverse(recorded, adjustment, refund),
 * )
 * Result.getOrThrow(reversed)?.pipe(Result.getOrThrow).shares[0]?.amount // => 750
 * ```
 */
export const reverse = (
  recorded: Pick<RecordedSplit, "split" | "refunds">,
  adjustment: Adjustment,
  refund: Refund,
): Result.Result<AdjustmentReversal, AmountOutOfRange | InvalidRefund> => {
  const { made, problems } = lookAt(adjustment)
  if (made === undefined) return Result.fail(refusal(InvalidRefund)(problems))
  const invalid = refusal(InvalidRefund)
  const make = () => orOutOfRange(() => reversedOf(recorded, made, refund))
  return ofRecorded(recorded, () => ofRecorded(recorded.split, make, invalid), invalid)
}

const reversedOf = (
  { split, refunds }: Pick<RecordedSplit, "split" | "refunds">,
  adjustment: GivenAdjustment,
  refund: Refund,
): AdjustmentReversal => {
  const { itemId } = refund
  const [item] = ofItem(split.items, itemId)
  const [adjusted] = ofItem(adjustment.items, itemId)
  if (item === undefined || adjusted === undefined) return { shares: [], store: 0 }
  const start = progressAfter(item, refunds, adjustment.refunds)
  const before = reversingSince(start, progressAfter(item, refunds))
  const after = reversingSince(start, progressAfter(item, [...refunds, refund]))
  const taken = (parts: Parts, withGoods = false): ExactParts =>
    minus(reversedParts(after, parts, withGoods), reversedParts(before, parts, withGoods))
  const shares = ofItem(adjustment.shares, itemId).map((share) => {
    const { groupId, collaboratorId } = share
    const parts = taken(partsOf(share), goesWithGoods(share))
    const what = `what is taken back of the adjustment of ${collaboratorId}`
    const [amount, shippingAmount] = [safe(parts.amount, what), safe(parts.shipping, what)]
    return { groupId, collaboratorId, amount, shippingAmount }
  })
  const sum = shares.reduce((all, { amount }) => all + BigInt(amount), 0n)
  const rest = taken(broughtParts(adjusted)).amount - sum
  return { shares, store: safe(rest, `what the store gives back of item ${itemId}`) }
}

/**
 * What everybody has of a recorded sale: the recorded shares and their adjustments, less what was refunded of each; and
 * what the store has of each item. They add up to what is left of what the items brought in.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Adjustment, RuleSet, Split } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 * ])
 * const item = { id: "1", product: { id: "p1" }, quantity: 2, amount: 10_000 }
 * const split = Split.order(rules, { id: "1001", currency: "USD", items: [item] })
 * const refund = { orderId: "1001", itemId: "1", quantity: 1, refundedAt: 1_735_689_600 }
 * const kept = Adjustment.kept({ split, refunds: [refund], adjustments: [] })
 * Result.getOrThrow(kept).map(({ collaboratorId, amount }) => [collaboratorId, amount])
 * // => [["ada", 500], [null, 4500]]
 * ```
 */
export const kept = (
  recorded: RecordedSplit,
): Result.Result<ReadonlyArray<KeptShare>, AmountOutOfRange> =>
  orOutOfRange(() =>
    recorded.split.items.flatMap((item) => {
      const { itemId } = item
      const everyone = [recorded.split.shares, ...recorded.adjustments.map(({ shares }) => shares)]
      const rows = new Map(
        everyone.flatMap((shares) =>
          ofItem<ShareRow>(shares, itemId).map((share) => [keyOf(share), share] as const),
        ),
      )
      let rest = keptOfItem(recorded, item).amount
      const shares = Array.from(keptShares(recorded, item), ([key, { amount }]): KeptShare => {
        rest -= amount
        const { groupId = null, collaboratorId = null } = rows.get(key) ?? {}
        const what = `what ${collaboratorId} has of item ${itemId}`
        return { itemId, groupId, collaboratorId, amount: safe(amount, what) }
      })
      const store = safe(rest, `what the store has of item ${itemId}`)
      return [...shares, { itemId, groupId: null, collaboratorId: null, amount: store }]
    }),
  )
