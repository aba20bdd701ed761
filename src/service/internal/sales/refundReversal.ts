/** What a refund reverses of a part of an order: of its recorded split, and of later adjustments. */
import * as Result from "effect/Result"
import type { AmountOutOfRange } from "../../../money/Cents.js"
import type {
  Posting,
  RecordedRefund,
  RecordedSale,
  ReversedAdjustment,
} from "../../../ports/SaleStore.js"
import * as Adjustment from "../../../shares/Adjustment.js"
import type * as Refund from "../../../shares/Refund.js"

/** What a refund reverses: of the shares as they were recorded, and of each of their adjustments. */
export type WholeReversal = Pick<RecordedRefund, "reversal" | "adjusted">

/** The amount reversed of a posting's share or adjustment; `undefined`: nothing, and it stays as it is. */
export const amountOf = (
  { itemId, groupId, collaboratorId, runId }: Posting,
  { reversal, adjusted = [] }: WholeReversal,
): number | undefined => {
  if (itemId !== reversal.itemId) return undefined
  const of = runId === undefined ? reversal : adjusted.find((one) => one.runId === runId)
  const isOwn = (share: Refund.ReversedShare) =>
    share.groupId === groupId && (runId === undefined || share.collaboratorId === collaboratorId)
  return of?.shares.find(isOwn)?.amount
}

/** What a refund reverses of the adjustments of a part; adjustments of other items are left out. */
export const reverseAdjustments = (
  { split, refunds, adjustments = [] }: RecordedSale,
  refund: Refund.Refund,
): Result.Result<ReadonlyArray<ReversedAdjustment>, AmountOutOfRange | Refund.InvalidRefund> =>
  Result.gen(function* () {
    const reversed: Array<ReversedAdjustment> = []
    const recorded = { split, refunds: refunds.map((known) => known.refund) }
    for (const { runId, adjustment } of adjustments) {
      if (!adjustment.items.some(({ itemId }) => itemId === refund.itemId)) continue
      reversed.push({ runId, ...(yield* Adjustment.reverse(recorded, adjustment, refund)) })
    }
    return reversed
  })
