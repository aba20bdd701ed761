/** A statement as CSV: a line for each payout item. */
import type { Payout } from "../payouts/Payout.js"
import type { PayoutItem } from "../payouts/PayoutItem.js"
import * as Csv from "./Csv.js"
import * as PayoutTotal from "./PayoutTotal.js"
import type { Statement } from "./Statement.js"

const header = [
  "collaborator_id",
  "payout_id",
  "status",
  "currency",
  "to_be_paid_at",
  "paid_at",
  "payout_total",
  "kind",
  "name",
  "order_id",
  "item_id",
  "group_id",
  "quantity",
  "at",
  "refunded_at",
  "original_amount",
  "original_currency",
  "currency_exchange_rate",
  "amount",
]

const about = (item: PayoutItem): ReadonlyArray<Csv.Cell> => {
  if ("name" in item) {
    return [item.kind, item.name, null, null, null, null, item.createdAt, null]
  }
  const { product, orderId, itemId, groupId, quantity, refundedAt } = item.orderItem
  return [item.kind, product.name, orderId, itemId, groupId, quantity, item.createdAt, refundedAt]
}

const row = (payout: Payout, item: PayoutItem, total: number): ReadonlyArray<Csv.Cell> => [
  payout.collaboratorId,
  payout.id,
  payout.status,
  payout.currency,
  payout.toBePaidAt,
  payout.paidAt,
  total,
  ...about(item),
  item.originalAmount,
  item.originalCurrency,
  item.currencyExchangeRate,
  item.amount,
]

/** Amounts are in the lowest unit of their currency, times are Unix seconds. */
export function* texts({ sections }: Statement): Generator<string> {
  yield Csv.line(header)
  for (const { payouts } of sections) {
    for (const payout of payouts) {
      const total = PayoutTotal.of(payout)
      yield Csv.lines(payout.items.map((item) => row(payout, item, total)))
    }
  }
}
