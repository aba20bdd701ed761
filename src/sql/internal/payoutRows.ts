/** Payouts and their items as they lie in rows. */
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import { type PayoutStatus, statuses } from "../../payouts/PayoutStatus.js"
import type { PayoutHistoryEntry, StoredPayout } from "../../ports/PayoutStore.js"
import {
  documentOf,
  json,
  type Parameter,
  type Row,
  text,
  textOf,
  textOrNull,
  textOrNullOf,
  texts,
  whole,
  wholeOf,
  wholeOrNull,
  wholeOrNullOf,
  wholes,
} from "./rows.js"
import { fromOrdered } from "./texts.js"

const names = [
  ...["payout_id", "collaborator_id", "currency", "status", "opened_at", "to_be_paid_at"],
  ...["closed_at", "payable_at", "paid_at", "failure_reason", "total", "items_count", "version"],
]

/** The columns of payouts, of the table with a name. */
export const columnsOf = (table: string): string =>
  names.map((name) => `${table}.${name}`).join(", ")

const statusOf = (row: Row): PayoutStatus => {
  const found = statuses.find((status) => status === row["status"])
  if (found === undefined) throw new TypeError(`there is no status ${String(row["status"])}`)
  return found
}

/** The payout in a row; or in what PostgreSQL makes of a row as JSON. */
export const payoutOf = (row: Row): StoredPayout => ({
  id: textOf(row, "payout_id"),
  collaboratorId: textOf(row, "collaborator_id"),
  currency: textOf(row, "currency"),
  status: statusOf(row),
  openedAt: wholeOf(row, "opened_at"),
  toBePaidAt: wholeOf(row, "to_be_paid_at"),
  closedAt: wholeOrNullOf(row, "closed_at"),
  payableAt: wholeOrNullOf(row, "payable_at"),
  paidAt: wholeOrNullOf(row, "paid_at"),
  failureReason: textOrNullOf(row, "failure_reason"),
  total: wholeOf(row, "total"),
  itemsCount: wholeOf(row, "items_count"),
  version: wholeOf(row, "version"),
})

/** The columns of a payout but for its version, in their order. */
export const fieldsOf = (payout: Omit<StoredPayout, "version">): ReadonlyArray<Parameter> => [
  ...[text(payout.id), text(payout.collaboratorId), text(payout.currency), payout.status],
  ...[whole(payout.openedAt), whole(payout.toBePaidAt)],
  ...[wholeOrNull(payout.closedAt), wholeOrNull(payout.payableAt), wholeOrNull(payout.paidAt)],
  ...[textOrNull(payout.failureReason), whole(payout.total), whole(payout.itemsCount)],
]

/** An item that another one with its id comes after has no place: of those only the last one stays. */
const noPlace = -1

/** Where each item goes: the last one with an id to where the first one stood. */
const placesOf = (items: ReadonlyArray<PayoutItem>): ReadonlyArray<number> => {
  const [first, last] = [new Map<string, number>(), new Map<string, number>()]
  for (const [index, { id }] of items.entries()) {
    if (!first.has(id)) first.set(id, index)
    last.set(id, index)
  }
  return items.map(({ id }, index) => (last.get(id) === index ? (first.get(id) ?? index) : noPlace))
}

/** Columns of items, each as one parameter. */
export const itemFieldsOf = (items: ReadonlyArray<PayoutItem>): ReadonlyArray<Parameter> => [
  texts(items.map(({ id }) => id)),
  wholes(placesOf(items)),
  items.map(({ kind }) => kind),
  wholes(items.map(({ amount }) => amount)),
  wholes(items.map(({ originalAmount }) => originalAmount)),
  texts(items.map(({ originalCurrency }) => originalCurrency)),
  items.map(({ currencyExchangeRate }) => currencyExchangeRate ?? ""),
  wholes(items.map(({ createdAt }) => createdAt)),
  items.map(json),
]

/** The entry of a payout's history in a row. */
export const entryOf = (row: Row): PayoutHistoryEntry => {
  const before = documentOf<Row | null>(row, "before")
  return {
    payoutId: textOf(row, "payout_id"),
    version: wholeOf(row, "version"),
    at: wholeOf(row, "at"),
    actor: textOf(row, "actor"),
    before: before === null ? null : payoutOf(before),
    after: payoutOf(documentOf(row, "after")),
    put: documentOf(row, "put"),
    removed: documentOf<ReadonlyArray<string>>(row, "removed").map(fromOrdered),
  }
}
