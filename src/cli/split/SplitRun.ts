import * as Csv from "../../documents/Csv.js"
import { oneLine, printable } from "../../orders/Words.js"
import type { Reversal } from "../../shares/Refund.js"
import type { Split } from "../../shares/Split.js"
import { type CurrencySums, RunningTotals, type Sum } from "../../shares/Totals.js"
import * as WireRefund from "../../wire/Refund.js"
import * as WireSplit from "../../wire/Split.js"
import * as ExitCode from "../ExitCode.js"
import * as OrderReader from "../input/Orders.js"
import { type OrderFailure, Orders } from "../input/Orders.js"
import * as Products from "../input/Products.js"
import type { InputEntry, Note } from "../input/Records.js"
import * as Refunds from "../input/Refunds.js"
import { Remarks, type RemarksData } from "../input/Remarks.js"
import * as Rules from "../input/Rules.js"
import { type Earlier, type RunSplitter, splitterOf } from "../input/RunSplitter.js"
import type { OrderInputs, Source } from "../input/Sources.js"
import * as Table from "../output/Table.js"

// The totals of a run in words, and the form in which threads pass them on.

const columns: ReadonlyArray<Table.TableColumn> = [
  { title: "who" },
  { title: "currency" },
  { title: "shares", isNumber: true },
  { title: "refunded", isNumber: true },
  { title: "total", isNumber: true },
]

/** Totals as plain data, which can be passed to another thread. */
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

/** Turns results into text, which the caller writes at once. */
export interface SplitWriter {
  /** Whether failures are part of the output; otherwise they go to standard error. */
  readonly writesFailures: boolean
  readonly begin: () => string
  readonly split: (split: Split, reversals: ReadonlyArray<Reversal>) => string
  readonly failure: (failure: OrderFailure) => string
  readonly end: () => string
}

const reversalJson = (reversal: Reversal) => ({
  item_id: reversal.itemId,
  refunded_at: reversal.refundedAt,
  ...WireRefund.writeReversal(reversal),
})

/** A line of JSON for each order. With refunds, an order also has the list of reversed amounts. */
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

/** Reversed amounts are negative, so that a column adds up to the remaining amount. */
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

/** The writer of a format; `totals` are printed below tables. */
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

// Splits the orders of one input in sequence: in a run with one job, and in each of several jobs.

/** The inputs that decide how the orders are split. */
export interface Inputs extends Omit<OrderInputs, "orders">, Earlier {
  readonly refunds: Source | undefined
}

/** The same inputs, read and checked. */
export interface Prepared {
  readonly run: RunSplitter
  readonly readOrder: OrderReader.OrderReader
  readonly refunds: Refunds.Refunds
}

/** Reads the inputs in sequence. */
export const prepare = async (inputs: Inputs, note: Note): Promise<Prepared> => {
  const groups = await Rules.readTermedGroups(inputs.groups, note)
  const file = await Rules.readPolicy(inputs.policy, note, { carries: true })
  const { remainders, counters } = inputs
  const run = await splitterOf(groups, file, { remainders, counters, note })
  const catalogues = await Products.read(inputs.products, inputs.sales, note)
  const refunds = await Refunds.read(inputs.refunds, note)
  const readOrder = OrderReader.of({
    catalogues,
    deductsCosts: file.policy.cost === "deduct",
    sales: inputs.sales,
  })
  return { run, readOrder, refunds }
}

/** The number of orders, of failed orders and of failed refunds. */
export interface Counts {
  readonly orders: number
  readonly failures: number
  readonly failedRefunds: number
  /** Notes on orders and lines that were left out. */
  readonly remarks: RemarksData
}

/** Splits the orders of an input and writes their results. */
export class SplitRun {
  private orderCount = 0
  private failureCount = 0
  private failedRefunds = 0
  readonly orders: Orders
  private readonly refunds: Refunds.Refunds
  private readonly writer: SplitWriter
  private readonly note: Note
  private readonly splitter: RunSplitter["splitter"]

  constructor(
    { run, readOrder, refunds }: Prepared,
    options: {
      /** The name of the orders' input in messages. */
      readonly name: string
      readonly writer: SplitWriter
      readonly note: Note
      /** Whether an earlier order had this id; when absent, all ids are remembered. */
      readonly isRepeated?: (id: string) => boolean
    },
  ) {
    const { name, note, isRepeated } = options
    const { splitter } = run
    this.orders = new Orders({ name, splitter, readOrder, isRepeated })
    this.splitter = splitter
    this.refunds = refunds
    this.writer = options.writer
    this.note = note
  }

  get counts(): Counts {
    const { orderCount: orders, failureCount: failures, failedRefunds } = this
    return { orders, failures, failedRefunds, remarks: this.orders.remarks.data }
  }

  /** Counts an order that was split by another way. */
  countSplit(): void {
    this.orderCount += 1
  }

  /** The text of one order's result; `isRepeated`: whether an earlier order had its id, where that is known. */
  result(entry: InputEntry, isRepeated?: boolean): string {
    this.orderCount += 1
    const outcome = this.orders.split(entry, isRepeated)
    if (outcome._tag === "OrderFailure") return this.failure(outcome)
    if (outcome._tag === "NotSold") {
      this.refunds.markUsed(outcome.orderId)
      return ""
    }
    const { made, reversals, failures, notes, isUntold } = this.refunds.reversals(outcome)
    this.splitter.takeBack(outcome.split, made)
    if (isUntold) this.orders.remarks.addUntoldRefund(outcome.order.id)
    this.failedRefunds += failures.length
    for (const line of failures) this.note(`apportion: ${line}`)
    for (const line of notes) this.note(line)
    return this.writer.split(outcome.split, reversals)
  }

  private failure(failure: OrderFailure): string {
    this.failureCount += 1
    if (failure.orderId !== undefined) this.refunds.markUsed(failure.orderId)
    if (!this.writer.writesFailures) {
      for (const line of failure.lines) this.note(`apportion: ${line}`)
    }
    return this.writer.failure(failure)
  }
}

/** Reports how many failed, and returns the exit code. */
export const conclude = (note: Note, counts: Counts): number => {
  const { orders, failures, failedRefunds } = counts
  const remarks = new Remarks()
  remarks.addAll(counts.remarks)
  for (const text of remarks.texts()) note(text)
  if (failures > 0) note(`apportion: ${failures} of ${orders} orders failed`)
  if (failedRefunds > 0) note(`apportion: ${Refunds.failed(failedRefunds)}`)
  return failures + failedRefunds > 0 ? ExitCode.someFailed : ExitCode.success
}
