/** Holding a recorded part of an order against what it was computed from, and against the payouts that have its shares. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { sameData } from "../../../internal/sameData.js"
import type { Posting, RecordedAdjustment, RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import * as Adjustment from "../../../shares/Adjustment.js"
import * as Refund from "../../../shares/Refund.js"
import type * as Split from "../../../shares/Split.js"
import { doesCount } from "../counters/saleCounts.js"
import { isCorrection } from "../inbox/inboxSteps.js"
import { comesOutAgain } from "../rules/saleRules.js"
import { amountOf, reverseAdjustments } from "./refundReversal.js"

/**
 * Something recorded of a part of an order that does not come out again, or is not what a payout has.
 *
 * @since 0.6.0
 * @category models
 */
export interface SaleDifference {
  readonly orderId: string
  readonly part: number
  /** What differs: `split`, `refunds[r1]`, `adjustments[raise]` or `postings[0]`. */
  readonly field: string
  readonly message: string
}

interface SaleFault {
  readonly field: string
  readonly what: string
}

/** How many refunds an adjustment came after. */
const refundsBefore = ({ adjustment }: RecordedAdjustment): number => adjustment.refunds

/** What was there when so many refunds and adjustments were. */
const earlier = (
  sale: RecordedSale,
  refunds: number,
  adjustments: ReadonlyArray<RecordedAdjustment>,
): RecordedSale => ({ ...sale, refunds: sale.refunds.slice(0, refunds), adjustments })

const recordedSplit = ({ split, refunds, adjustments = [] }: RecordedSale) => ({
  ...{ split, refunds: refunds.map(({ refund }) => refund) },
  adjustments: adjustments.map(({ adjustment }) => adjustment),
})

const splitFindings = ({ split, policy, groups, order }: RecordedSale): ReadonlyArray<SaleFault> =>
  sameData(policy, split.policy) && comesOutAgain(split, { groups, order })
    ? []
    : [{ field: "split", what: "does not come out again of its order, groups and policy" }]

/** Whether what an adjustment gives and takes of each item is what changes of the item, and what was there before. */
const addsUp = (
  { split, adjustments }: Adjustment.RecordedSplit,
  { shares, items, split: next }: Adjustment.Adjustment,
): boolean => {
  const current = Adjustment.inForce({ split, adjustments })
  const amountIn = (
    of: Split.Split,
    { itemId, groupId, collaboratorId }: Adjustment.AdjustedShare,
  ) =>
    of.shares.find(
      (share) =>
        share.itemId === itemId &&
        share.groupId === groupId &&
        share.collaboratorId === collaboratorId,
    )?.amount ?? 0
  const isConserved = items.every(({ itemId, store, distributable }) => {
    const own = shares.filter((share) => share.itemId === itemId)
    const given = own.reduce((sum, { amount }) => sum + BigInt(amount), BigInt(store))
    return given === BigInt(distributable)
  })
  const known = new Set(items.map(({ itemId }) => itemId))
  const isOfSplits = shares.every(
    (share) =>
      known.has(share.itemId) &&
      share.before === amountIn(current, share) &&
      share.after === amountIn(next, share),
  )
  return isConserved && isOfSplits
}

/** Whether an adjustment that gives and takes nothing is one of what was counted. */
const changesCounts = (
  before: Adjustment.RecordedSplit,
  { shares, items, split, refunds }: Adjustment.Adjustment,
): boolean =>
  shares.length + items.length === 0 &&
  refunds === before.refunds.length &&
  (doesCount(split) || doesCount(Adjustment.inForce(before)))

/**
 * Whether an adjustment is right. One that corrects an order whose deliveries overtook each other rests on the states and
 * refunds of the platform, which are not looked at here: it has to add up.
 */
const isRight = (
  before: RecordedSale,
  { runId, adjustment, groups, order }: RecordedAdjustment,
) => {
  const recorded = recordedSplit(before)
  if (isCorrection(runId, before.orderId)) {
    return adjustment.refunds === before.refunds.length && addsUp(recorded, adjustment)
  }
  const again = Adjustment.between(recorded, adjustment.split)
  return (
    comesOutAgain(adjustment.split, { groups, order }) &&
    Result.isSuccess(again) &&
    (again.success === null
      ? changesCounts(recorded, adjustment)
      : sameData(again.success, adjustment))
  )
}

const adjustmentFindings = (sale: RecordedSale): ReadonlyArray<SaleFault> => {
  const { adjustments = [] } = sale
  return adjustments.flatMap((known, index) => {
    const before = earlier(sale, refundsBefore(known), adjustments.slice(0, index))
    const what = "is not the difference between the splits before and after it"
    return isRight(before, known) ? [] : [{ field: `adjustments[${known.runId}]`, what }]
  })
}

const refundFindings = (sale: RecordedSale): ReadonlyArray<SaleFault> =>
  sale.refunds.flatMap(({ id, refund, reversal, adjusted = [] }, index) => {
    const { adjustments = [] } = sale
    const before = earlier(
      sale,
      index,
      adjustments.filter((known) => refundsBefore(known) <= index),
    )
    const others = before.refunds.map((known) => known.refund)
    const ofItem = others.filter(({ itemId }) => itemId === refund.itemId)
    const again = Refund.reverse(sale.split, refund, { earlier: ofItem })
    const ofAdjustments = reverseAdjustments(before, refund)
    const isSame =
      Result.isSuccess(again) &&
      Result.isSuccess(ofAdjustments) &&
      sameData(again.success, reversal) &&
      sameData(ofAdjustments.success, adjusted)
    const what = "is not what it takes back of the split and its adjustments"
    return isSame ? [] : [{ field: `refunds[${id}]`, what }]
  })

/** Something that a collaborator got: a share as it was recorded, or an adjustment. */
interface Given {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  readonly runId: string | undefined
  readonly amount: number
  readonly change:
    | { readonly runId: string; readonly before: number; readonly after: number }
    | undefined
}

const givenOf = ({ split, adjustments = [] }: RecordedSale): ReadonlyArray<Given> => [
  ...split.shares.map((share) => ({ ...share, runId: undefined, change: undefined })),
  ...adjustments.flatMap(({ runId, adjustment }) =>
    adjustment.shares.map((share) => {
      const { before, after } = share
      return { ...share, runId, change: { runId, before, after } }
    }),
  ),
]

const isPostingOf =
  ({ itemId, groupId, collaboratorId, runId }: Given) =>
  (posting: Posting): boolean =>
    posting.itemId === itemId &&
    posting.groupId === groupId &&
    posting.collaboratorId === collaboratorId &&
    posting.runId === runId

/** What a posting and its payout should have of what somebody got. */
const postingFinding = Effect.fnUntraced(function* (
  { payouts }: Stores,
  { split, refunds }: RecordedSale,
  given: Given,
  posting: Posting | undefined,
): Effect.fn.Return<string | undefined, StorageError> {
  if (posting === undefined) return "is in no payout"
  const item = yield* payouts.item(posting.payoutId, posting.payoutItemId)
  const payout = yield* payouts.get(posting.payoutId)
  if (payout === undefined || item?.kind !== "sale") return "is not in the payout that is named"
  const isThere =
    payout.collaboratorId === posting.collaboratorId &&
    payout.currency === posting.currency &&
    item.originalCurrency === split.currency &&
    item.currencyExchangeRate === posting.rate &&
    sameData(item.adjustment, given.change)
  if (!isThere) return "is another one in its payout"
  const taken = refunds.reduce((sum, whole) => sum + BigInt(amountOf(posting, whole) ?? 0), 0n)
  const left = BigInt(item.originalAmount) - BigInt(posting.reversed)
  return left === BigInt(given.amount) - taken
    ? undefined
    : `is ${left} in its payouts, and ${BigInt(given.amount) - taken} is left of it`
})

const postingFindings = Effect.fnUntraced(function* (stores: Stores, sale: RecordedSale) {
  const all = givenOf(sale)
  const findings: Array<SaleFault> = []
  const known = new Set<Posting>()
  for (const given of all) {
    const posting = sale.postings.find(isPostingOf(given))
    if (posting !== undefined) known.add(posting)
    const what = yield* postingFinding(stores, sale, given, posting)
    const { itemId, groupId, runId } = given
    const of = [itemId, groupId, ...(runId === undefined ? [] : [runId])].join("/")
    if (what !== undefined) findings.push({ field: `postings[${of}]`, what })
  }
  const isMore = sale.postings.length !== known.size
  return isMore
    ? [...findings, { field: "postings", what: "are more than there are shares" }]
    : findings
})

/** All that is wrong with a part. */
export const differencesOfSale = Effect.fnUntraced(function* (
  stores: Stores,
  sale: RecordedSale,
): Effect.fn.Return<ReadonlyArray<SaleDifference>, StorageError> {
  const { orderId, part } = sale
  const findings = [
    ...splitFindings(sale),
    ...adjustmentFindings(sale),
    ...refundFindings(sale),
    ...(yield* postingFindings(stores, sale)),
  ]
  return findings.map(({ field, what }) => {
    const message = `order ${orderId}, part ${part}: ${field} ${what}`
    return { orderId, part, field, message }
  })
})
