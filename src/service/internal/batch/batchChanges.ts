/** Changes that wait to be written together, and stored data with such changes applied. */

import type { PayoutItem } from "../../../payouts/PayoutItem.js"
import type { AgreementChanges } from "../../../ports/AgreementStore.js"
import type { PayoutChange } from "../../../ports/PayoutStore.js"
import type { NewSale, PostingMove, RecordedSale, SaleStore } from "../../../ports/SaleStore.js"

/** A refund that is added to a part of an order. */
export type NewRefund = Parameters<SaleStore["addRefund"]>[0]

/** A change that is not written yet. */
export type BatchedChange =
  | { readonly type: "sale"; readonly sale: NewSale }
  | { readonly type: "refund"; readonly refund: NewRefund }
  | { readonly type: "payout"; readonly change: PayoutChange }
  | { readonly type: "move"; readonly moved: PostingMove }
  | { readonly type: "agreements"; readonly changes: AgreementChanges }

/** Changes up to the next move of postings: the move must find them written, and later refunds must find the move. */
interface Run {
  readonly sales: Array<NewSale>
  readonly refunds: Array<NewRefund>
  readonly changes: Array<PayoutChange>
  readonly agreements: Array<AgreementChanges>
  readonly moved: PostingMove | undefined
}

const emptyRun = (): Run => ({
  ...{ sales: [], refunds: [], changes: [], agreements: [] },
  moved: undefined,
})

/** The changes in the groups that are written together, in order. */
export const runsOf = (waiting: ReadonlyArray<BatchedChange>): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  let run = emptyRun()
  for (const one of waiting) {
    if (one.type === "sale") run.sales.push(one.sale)
    else if (one.type === "refund") run.refunds.push(one.refund)
    else if (one.type === "payout") run.changes.push(one.change)
    else if (one.type === "agreements") run.agreements.push(one.changes)
    else {
      runs.push({ ...run, moved: one.moved })
      run = emptyRun()
    }
  }
  runs.push(run)
  return runs
}

/** A part whose postings of moved items name their new payout. */
export const withMoved = (
  sale: RecordedSale,
  { fromPayoutId, toPayoutId, items }: PostingMove,
): RecordedSale => {
  const ids = new Set(
    items.filter((item) => item.orderId === sale.orderId).map((item) => item.payoutItemId),
  )
  const isMoved = (posting: RecordedSale["postings"][number]) =>
    posting.payoutId === fromPayoutId && ids.has(posting.payoutItemId)
  if (!sale.postings.some(isMoved)) return sale
  const postings = sale.postings.map((posting) =>
    isMoved(posting) ? { ...posting, payoutId: toPayoutId } : posting,
  )
  return { ...sale, postings, version: sale.version + 1 }
}

/** Items with the waiting changes of their payout applied. */
export const withChanges = (
  items: ReadonlyArray<PayoutItem>,
  changes: ReadonlyArray<PayoutChange>,
): ReadonlyArray<PayoutItem> => {
  const byId = new Map(items.map((item) => [item.id, item]))
  for (const { put = [], remove = [] } of changes) {
    for (const itemId of remove) byId.delete(itemId)
    for (const item of put) byId.set(item.id, item)
  }
  return [...byId.values()]
}
