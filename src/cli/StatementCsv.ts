/** A statement as CSV: a line for each payout item. */
import type { PayoutItem } from "../payouts/PayoutItem.js"
import * as Csv from "./Csv.js"
import type { Statement } from "./Statement.js"
import type { StatementPayout } from "./StatementPayout.js"

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

const head = (payout: StatementPayout): ReadonlyArray<Csv.Cell> => [
  payout.collaboratorId,
  payout.id,
  payout.status,
  payout.currency,
  payout.toBePaidAt,
  payout.paidAt,
  payout.total,
]

const row = (payout: StatementPayout, item: PayoutItem): ReadonlyArray<Csv.Cell> => [
  ...head(payout),
  ...about(item),
  item.originalAmount,
  item.originalCurrency,
  item.currencyExchangeRate,
  item.amount,
]

/** What a payout came to when the period began: with it the rows of a payout come to its total. */
const openingRow = (payout: StatementPayout, opening: number, from: number | undefined) => [
  ...head(payout),
  ...["brought forward", null, null, null, null, null, from ?? null, null],
  ...[opening, payout.currency, null, opening],
]

/** Amounts are in the lowest unit of their currency, times are Unix seconds. */
export function* texts({ sections, period }: Statement): Generator<string> {
  yield Csv.line(header)
  for (const payout of sections.flatMap(({ payouts }) => payouts)) {
    const { broughtForward } = payout
    if (broughtForward !== undefined) {
      yield Csv.line(openingRow(payout, broughtForward, period.from))
    }
    for (const items of payout.ofPeriod()) yield Csv.lines(items.map((item) => row(payout, item)))
  }
}
