/** What is seen of payouts, as the model tells of them. */
import type { Payout, PayoutItem } from "apportion"
import type { ModelItem, ModelPayout } from "./PayoutModel.js"

const itemSeen = (item: PayoutItem.PayoutItem): ModelItem => ({
  id: item.id,
  kind: item.kind,
  name: "name" in item ? item.name : null,
  createdAt: item.createdAt,
  amount: item.amount,
  originalAmount: item.originalAmount,
  originalCurrency: item.originalCurrency,
  rate: item.currencyExchangeRate,
  refundedAt: "orderItem" in item ? item.orderItem.refundedAt : null,
  isOfPair: item.about?.why === "debt",
})

/** A payout with its items as the model has them. */
export const payoutSeen = (
  payout: Omit<Payout.Payout, "items">,
  items: ReadonlyArray<PayoutItem.PayoutItem>,
): ModelPayout => ({
  id: payout.id,
  collaboratorId: payout.collaboratorId,
  currency: payout.currency,
  status: payout.status,
  openedAt: payout.openedAt,
  toBePaidAt: payout.toBePaidAt,
  closedAt: payout.closedAt,
  payableAt: payout.payableAt,
  paidAt: payout.paidAt,
  failureReason: payout.failureReason,
  items: items.map(itemSeen),
})
