/** Statements as CSV: the columns that all have, and those of stored statements. */
import type { PayoutItem } from "../payouts/PayoutItem.js"
import type { Period } from "../payouts/Statement.js"
import type { CurrencyStatement, PayoutLine } from "../service/Statements.js"
import * as Csv from "./Csv.js"
import type { StatementForm, StatementFrame } from "./StatementForm.js"

/** The columns of a statement as CSV. */
export const header = [
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

/** The columns of an item, from its kind to the time of its refund. */
export const about = (item: PayoutItem): ReadonlyArray<Csv.Cell> => {
  if ("name" in item) {
    return [item.kind, item.name, null, null, null, null, item.createdAt, null]
  }
  const { product, orderId, itemId, groupId, quantity, refundedAt } = item.orderItem
  return [item.kind, product.name, orderId, itemId, groupId, quantity, item.createdAt, refundedAt]
}

interface PlacedAmount {
  readonly collaboratorId: string
  readonly payoutId: string | null
  readonly currency: string
}

/** Columns that describe a payout stay empty: it may change after the period. */
const leading = ({ collaboratorId, payoutId, currency }: PlacedAmount) => [
  ...[collaboratorId, payoutId, null, currency],
  ...[null, null, null],
]

const rowOf = (collaboratorId: string, line: PayoutLine): ReadonlyArray<Csv.Cell> => {
  const { payoutId, currency, kind, at, amount, item } = line
  const start = leading({ collaboratorId, payoutId, currency })
  if (item === undefined) {
    return [...start, kind, null, null, null, null, null, at, null, amount, currency, null, amount]
  }
  const [, name, orderId, itemId, groupId, quantity, , refundedAt] = about(item)
  const { originalCurrency, currencyExchangeRate, originalAmount } = item
  // Of an amount taken back of a share, only that amount is known.
  const original = kind === item.kind || kind === "adjustment" ? originalAmount : null
  return [
    ...[...start, kind, name ?? null, orderId ?? null, itemId ?? null, groupId ?? null],
    ...[quantity ?? null, at, refundedAt ?? null],
    ...[original, originalCurrency, currencyExchangeRate, amount],
  ]
}

const openingRow = (
  collaboratorId: string,
  { currency, opening }: CurrencyStatement,
  { from }: Period,
): ReadonlyArray<Csv.Cell> => [
  ...leading({ collaboratorId, payoutId: null, currency }),
  ...["brought forward", null, null, null, null, null, from ?? null, null],
  ...[opening, currency, null, opening],
]

/** A line for each entry. Amounts are in the lowest unit of their currency, times are Unix seconds. */
export const csvForm = ({ period }: StatementFrame): StatementForm => ({
  head: Csv.line(header),
  before: (_accountId, { collaborator, statements }) =>
    Csv.lines(
      statements
        .filter(({ opening }) => opening !== 0)
        .map((one) => openingRow(collaborator.id, one, period)),
    ),
  hasLines: true,
  lines: (_accountId, { collaborator }, lines) =>
    Csv.lines(lines.map((line) => rowOf(collaborator.id, line))),
  ...{ after: () => "", tail: () => "" },
})
