import type { Reversal } from "../../shares/Refund.js"
import type { Split } from "../../shares/Split.js"
import { type CurrencySums, RunningTotals, type Sum } from "../../shares/Totals.js"
import * as WireSplit from "../../wire/Split.js"
import * as Csv from "../output/Csv.js"
import type { OrderFailure } from "../output/OrderFailure.js"
import { oneLine, printable } from "../output/Printable.js"
import * as Table from "../output/Table.js"

// The totals of a run in words, and the form in which threads pass them on.

const columns: ReadonlyArray<Table.TableColumn> = [
  { title: "who" },
  { title: "currency" },
  { title: "shares", isNumber: true },
  { title: "refunded", isNumber: true },
  { title: "total", isNumber: true },
]

/** Totals as plain data, which another thread can be given. */
export type TotalsData = RunningTotals["sums"]

const sorted = <A>(map: ReadonlyMap<string, A>): ReadonlyArray<readonly [string, A]> =>
  [...map].sort(([one], [other]) => (one < other ? -1 : 1))

const row = (who: string, currency: string, { given, reversed }: Sum): ReadonlyArray<string> => [
  who,
  currency,
  Table.figure(given, currency),
  reversed === 0n ? "" : Table.figure(-reversed, currency),
  Table.figure(given - reversed, currency),
]

const rowsOf = ([currency, { collaborators, store }]: readonly [string, CurrencySums]) => [
  ...sorted(collaborators).map(([id, sum]) => row(id, currency, sum)),
  row("the store", currency, store),
]

/** The totals as a table, collaborators by their id and the store last. */
export const toText = ({ sums }: RunningTotals): string => {
  const currencies = sorted(sums)
  const orders = currencies.reduce((sum, [, { splits }]) => sum + splits, 0)
  const count = `${orders.toLocaleString("en-US")} ${orders === 1 ? "order" : "orders"}`
  const rows = currencies.flatMap(rowsOf)
  return rows.length === 0 ? `${count}\n` : `Total of ${count}\n${Table.table(columns, rows)}`
}

// The three forms in which split orders are written.

/** Turns results into text. What it answers is to be written at once. */
export interface SplitWriter {
  /** Whether failures are part of the output; otherwise they are told on standard error. */
  readonly writesFailures: boolean
  readonly begin: () => string
  readonly split: (split: Split, reversals: ReadonlyArray<Reversal>) => string
  readonly failure: (failure: OrderFailure) => string
  readonly end: () => string
}

const reversalJson = (reversal: Reversal) => ({
  item_id: reversal.itemId,
  refunded_at: reversal.refundedAt,
  fully_refunded: reversal.fullyRefunded,
  shares: reversal.shares.map((share) => ({
    group_id: share.groupId,
    collaborator_id: share.collaboratorId,
    amount: share.amount,
    shipping_amount: share.shippingAmount,
  })),
  store: reversal.store,
})

/** A line of JSON for each order. With refunds, an order also has the list of what they took back. */
const ndjson = (withRefunds: boolean): SplitWriter => ({
  writesFailures: true,
  begin: () => "",
  split: (split, reversals) => {
    const line = WireSplit.write(split)
    const whole =
      withRefunds || reversals.length > 0 ? { ...line, refunds: reversals.map(reversalJson) } : line
    return `${JSON.stringify(whole)}\n`
  },
  failure: ({ orderId, line, error }) => {
    const { order_id, error: failure } = WireSplit.writeError(error, { orderId })
    return `${JSON.stringify({ order_id, line, error: failure })}\n`
  },
  end: () => "",
})

const csvHeader = [
  "order_id",
  "currency",
  "item_id",
  "kind",
  "group_id",
  "collaborator_id",
  "amount",
  "shipping_amount",
  "base",
  "percent",
  "flat_amount",
  "refunded_at",
]

const shareRows = (split: Split): ReadonlyArray<ReadonlyArray<Csv.Cell>> => [
  ...split.shares.map((share) => [
    split.orderId,
    split.currency,
    share.itemId,
    "share",
    share.groupId,
    share.collaboratorId,
    share.amount,
    share.shippingAmount,
    share.base,
    share.percent,
    share.flatAmount,
    null,
  ]),
  ...split.store.map((rest) => [
    ...[split.orderId, split.currency, rest.itemId, "store", null, null, rest.amount],
    ...[null, null, null, null, null],
  ]),
]

/** What was taken back is negative here, so that a column adds up to what remains. */
const reversalRows = (split: Split, reversal: Reversal): ReadonlyArray<ReadonlyArray<Csv.Cell>> => [
  ...reversal.shares.map((share) => [
    split.orderId,
    split.currency,
    reversal.itemId,
    "refund of share",
    share.groupId,
    share.collaboratorId,
    -share.amount || 0,
    -share.shippingAmount || 0,
    ...[null, null, null],
    reversal.refundedAt,
  ]),
  [
    ...[split.orderId, split.currency, reversal.itemId, "refund of store", null, null],
    -reversal.store || 0,
    ...[null, null, null, null],
    reversal.refundedAt,
  ],
]

const csv: SplitWriter = {
  writesFailures: false,
  begin: () => Csv.line(csvHeader),
  split: (split, reversals) =>
    Csv.lines([
      ...shareRows(split),
      ...reversals.flatMap((reversal) => reversalRows(split, reversal)),
    ]),
  failure: () => "",
  end: () => "",
}

const tableColumns: ReadonlyArray<Table.TableColumn> = [
  { title: "item" },
  { title: "who" },
  { title: "group" },
  { title: "percent", isNumber: true },
  { title: "amount", isNumber: true },
  { title: "of it shipping", isNumber: true },
]

const tableRows = (
  split: Split,
  reversals: ReadonlyArray<Reversal>,
): ReadonlyArray<ReadonlyArray<string>> => {
  const figure = (amount: number) => Table.figure(amount, split.currency)
  const shipping = (amount: number) => (amount === 0 ? "" : figure(amount))
  const shares = Map.groupBy(split.shares, ({ itemId }) => itemId)
  const reversed = Map.groupBy(reversals, ({ itemId }) => itemId)
  return split.items.flatMap(({ itemId }, index) => [
    ...(shares.get(itemId) ?? []).map((share) => [
      itemId,
      share.collaboratorId,
      share.groupId,
      share.percent === null ? "" : `${share.percent}%`,
      figure(share.amount),
      shipping(share.shippingAmount),
    ]),
    [itemId, "the store", "", "", figure(split.store[index]?.amount ?? 0), ""],
    ...(reversed.get(itemId) ?? []).flatMap((reversal) => [
      ...reversal.shares.map((share) => [
        itemId,
        `${share.collaboratorId} (refund)`,
        share.groupId,
        "",
        figure(-share.amount || 0),
        shipping(-share.shippingAmount || 0),
      ]),
      [itemId, "the store (refund)", "", "", figure(-reversal.store || 0), ""],
    ]),
  ])
}

const table = (totals: RunningTotals): SplitWriter => {
  return {
    writesFailures: false,
    begin: () => "",
    split: (split, reversals) => {
      totals.add(split, reversals)
      const rows = tableRows(split, reversals)
      const title = `Order ${oneLine(split.orderId)}, ${split.currency}\n`
      const items = rows.length === 0 ? "no items\n" : Table.table(tableColumns, rows)
      return printable(`${title}${items}\n`)
    },
    failure: () => "",
    end: () => printable(toText(totals)),
  }
}

/** The writer of a form. The totals are those at the end of the tables. */
export const of = (
  format: "table" | "ndjson" | "csv",
  {
    withRefunds,
    totals = new RunningTotals(),
  }: { readonly withRefunds: boolean; totals?: RunningTotals },
): SplitWriter => {
  if (format === "ndjson") return ndjson(withRefunds)
  return format === "csv" ? csv : table(totals)
}
