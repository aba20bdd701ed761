import { BulkSplit, type SplitLines } from "../../bulk/BulkSplit.js"
import { at } from "../../internal/at.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import { type LinePlace, type LineTaker, parseLine } from "../input/JsonElements.js"
import { OrderColumns } from "../input/OrderColumns.js"
import { OrderLine } from "../input/OrderLine.js"
import type { InputEntry } from "../input/Records.js"
import type { PlainSplitting } from "../input/RunSplitter.js"
import type { Utf8 } from "../output/Utf8.js"
import type { OutputFormat } from "./Job.js"
import type { Prepared, SplitRun } from "./SplitRun.js"

// Lines of orders about which nothing is unusual, from bytes to columns to the text of their splits, without an object for
// an order or a share. The text is that of `wire/Split`, to the byte. Every other order goes the way of `SplitRun`, and its
// result takes its place among the others.

/** An order in the columns: its line, and how many rows it has. */
interface ColumnOrder {
  readonly bytes: Buffer
  readonly place: LinePlace
  readonly items: number
}

/** The parts of a share's JSON that its group decides: between the item and the amount, and behind the base. */
interface GroupText {
  readonly before: Uint8Array
  readonly after: Uint8Array
}

const encoder = new TextEncoder()
const bytesOf = (text: string): Uint8Array => encoder.encode(text)

const textOf = ({ id, collaboratorId, percent, amount }: ProductGroup): GroupText => ({
  before: bytesOf(
    `","group_id":${JSON.stringify(id)},"collaborator_id":${JSON.stringify(collaboratorId)},"amount":`,
  ),
  after: bytesOf(`,"percent":${JSON.stringify(percent)},"flat_amount":${JSON.stringify(amount)}}`),
})

/** What stands between the values of a line. */
const json = {
  order: bytesOf('{"order_id":"'),
  currency: bytesOf('","currency":"'),
  shares: bytesOf('","shares":['),
  store: bytesOf('],"store":['),
  end: bytesOf("]}\n"),
  comma: bytesOf(","),
  item: bytesOf('{"item_id":"'),
  shipping: bytesOf(',"shipping_amount":'),
  base: bytesOf(',"base":'),
  rest: bytesOf('","amount":'),
  restEnd: bytesOf("}"),
}

/** Some lines that were split, and how far they were used. */
interface Rows {
  readonly lines: SplitLines
  readonly amounts: Int32Array
  readonly shipping: Int32Array
  readonly bases: Int32Array
  readonly store: Int32Array
  next: number
}

const halvesOf = ({ buffer, byteOffset, length }: BigInt64Array): Int32Array =>
  new Int32Array(buffer, byteOffset, length * 2)

/** A number of 64 bits, from its halves. */
const wholeAt = (halves: Int32Array, place: number): number => {
  const low = halves[place * 2] ?? 0
  const high = halves[place * 2 + 1] ?? 0
  return high === low >> 31 ? low : high * 0x1_0000_0000 + (low >>> 0)
}

const rowsOf = (lines: SplitLines): Rows => ({
  lines,
  amounts: halvesOf(lines.shareAmounts),
  shipping: halvesOf(lines.shareShippingAmounts),
  bases: halvesOf(lines.shareBases),
  store: halvesOf(lines.store),
  next: 0,
})

/** What else may decide how orders are split has to be asked for in {@link ColumnRun.of} before it is named here. */
type Undecided = Readonly<Record<Exclude<keyof Prepared, "run" | "readOrder" | "refunds">, never>>

export class ColumnRun {
  private run: SplitRun | undefined
  private readonly bulk: BulkSplit
  private readonly groups: ReadonlyArray<GroupText>
  private readonly line = new OrderLine()
  private readonly columns = new OrderColumns()
  private orders: Array<ColumnOrder> = []
  /** The results of other orders, and how many orders of the columns come before each. */
  private others: Array<{ readonly before: number; readonly text: string }> = []

  constructor({ rules, policy }: PlainSplitting) {
    this.bulk = new BulkSplit(rules, policy)
    this.groups = rules.groups.map(textOf)
  }

  /** A run by columns, where the inputs and the output are of the kind that it can do. */
  static of(
    prepared: Prepared & Undecided,
    { format, refunds, products }: { format: OutputFormat; refunds: unknown; products: unknown },
  ): ColumnRun | undefined {
    const isPlain = format === "ndjson" && refunds === undefined && products === undefined
    const { plain } = prepared.run
    return isPlain && plain !== undefined ? new ColumnRun(plain) : undefined
  }

  /** Takes a line into the columns, if it is of an order about which nothing is unusual. */
  readonly take: LineTaker = (bytes, place) => {
    const { line, orders, others, run } = this
    line.take(bytes)
    if (run === undefined || !line.read(place.from, place.to)) return false
    if (run.orders.isRepeated(line.orderId)) {
      others.push({ before: orders.length, text: resultOf(run, { bytes, place }, true) })
    } else {
      orders.push({ bytes, place, items: line.itemCount })
      line.addTo(this.columns)
    }
    return true
  }

  /** Writes the results of entries, and of the lines that were taken while these were read, in their order. */
  write(entries: Iterable<InputEntry>, run: SplitRun, output: Utf8): void {
    this.clear()
    this.run = run
    const { orders, others } = this
    for (const entry of entries) others.push({ before: orders.length, text: run.result(entry) })
    const parts = orders.length === 0 ? [] : this.split()
    let [part, row, other] = [0, 0, 0]
    for (const [place, order] of orders.entries()) {
      for (; others[other]?.before === place; other += 1) output.add(at(others, other).text)
      if (at(parts, part).next === at(parts, part).lines.count) part += 1
      this.writeOrder(order, { rows: at(parts, part), row, run, output })
      row += order.items
    }
    for (; other < others.length; other += 1) output.add(at(others, other).text)
  }

  private clear(): void {
    this.orders = []
    this.others = []
    this.columns.clear()
  }

  private split(): ReadonlyArray<Rows> {
    return [...this.bulk.split(this.columns.batch), ...this.bulk.end()].map(rowsOf)
  }

  /** Writes an order whose first row in the columns is given. */
  private writeOrder(
    order: ColumnOrder,
    { rows, row, run, output }: { rows: Rows; row: number; run: SplitRun; output: Utf8 },
  ): void {
    const { columns } = this
    const first = rows.next
    rows.next += order.items
    if (rows.lines.refusals.has(first)) {
      output.add(resultOf(run, order, false))
      return
    }
    run.countSplit()
    output.addBytes(json.order)
    columns.orderId.writeTo(output, row)
    output.addBytes(json.currency)
    columns.currency.writeTo(output, row)
    output.addBytes(json.shares)
    this.writeShares(order, { rows, row, output })
    output.addBytes(json.store)
    for (let item = 0; item < order.items; item += 1) {
      if (item > 0) output.addBytes(json.comma)
      output.addBytes(json.item)
      columns.itemId.writeTo(output, row + item)
      output.addBytes(json.rest)
      output.addWhole(wholeAt(rows.store, first + item))
      output.addBytes(json.restEnd)
    }
    output.addBytes(json.end)
  }

  private writeShares(
    { items }: ColumnOrder,
    { rows, row, output }: { rows: Rows; row: number; output: Utf8 },
  ): void {
    const { amounts, shipping, bases } = rows
    const { shareOffsets, shareGroups } = rows.lines
    const first = rows.next - items
    const start = shareOffsets[first] ?? 0
    for (let item = 0; item < items; item += 1) {
      const end = shareOffsets[first + item + 1] ?? 0
      for (let share = shareOffsets[first + item] ?? 0; share < end; share += 1) {
        const { before, after } = at(this.groups, shareGroups[share] ?? 0)
        if (share > start) output.addBytes(json.comma)
        output.addBytes(json.item)
        this.columns.itemId.writeTo(output, row + item)
        output.addBytes(before)
        output.addWhole(wholeAt(amounts, share))
        output.addBytes(json.shipping)
        output.addWhole(wholeAt(shipping, share))
        output.addBytes(json.base)
        output.addWhole(wholeAt(bases, share))
        output.addBytes(after)
      }
    }
  }
}

/** The result of an order by the other way. */
const resultOf = (
  run: SplitRun,
  { bytes, place }: Pick<ColumnOrder, "bytes" | "place">,
  isRepeated: boolean,
): string => {
  const entry = parseLine(bytes, place)
  return entry === undefined ? "" : run.result(entry, isRepeated)
}
