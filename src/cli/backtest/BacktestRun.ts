/** Splits each order by two rule sets, and keeps what came of it: sums, the biggest differences, refusals. */

import type { Orders, Side, SplitOrder } from "../input/Orders.js"
import type { InputEntry } from "../input/Records.js"
import type { Refunds } from "../input/Refunds.js"
import { ExactSum } from "../output/ExactSum.js"
import type { OrderFailure } from "../output/OrderFailure.js"
import type { Backtest, RefusedOrder } from "./Backtest.js"
import * as BacktestAmounts from "./Backtest.js"
import { BacktestBiggest, BacktestMonths, BacktestSums } from "./Backtest.js"

type OrderOutcome = SplitOrder | OrderFailure

/** How many refused orders are kept; the others are told and counted. */
const mostListed = 100

const flagOf = { before: "--groups", after: "--against" } as const

/** What one side gives to the collaborators, and to the store. */
const paidBy = (sold: BacktestAmounts.SplitSale): Pick<RefusedOrder, "shares" | "store"> => {
  const sums = { shares: new ExactSum(), store: new ExactSum() }
  for (const [who, { before }] of BacktestAmounts.ofOrder({ before: sold, after: sold })) {
    sums[who === null ? "store" : "shares"].addSum(before)
  }
  return { shares: sums.shares.value, store: sums.store.value }
}

export class BacktestRun {
  private readonly orders: Orders
  private readonly sides: { readonly before: Side; readonly after: Side }
  private readonly timeZone: string
  private readonly refunds: Refunds
  private readonly note: (line: string) => void
  private readonly months: BacktestMonths
  private readonly sums = new BacktestSums()
  private readonly biggest: BacktestBiggest
  private readonly refused: Array<RefusedOrder> = []
  private orderCount = 0
  private compared = 0
  private changed = 0
  private unreadable = 0
  private refusals = { before: 0, after: 0, both: 0 }
  private failedRefundCount = 0

  constructor(options: {
    readonly orders: Orders
    readonly before: Side
    readonly after: Side
    /** Of the months. */
    readonly timeZone: string
    readonly refunds: Refunds
    /** How many of the biggest differences of each currency are explained. */
    readonly explain: number
    readonly note: (line: string) => void
  }) {
    this.orders = options.orders
    this.sides = { before: options.before, after: options.after }
    this.refunds = options.refunds
    this.note = options.note
    this.timeZone = options.timeZone
    this.months = new BacktestMonths(options.timeZone)
    this.biggest = new BacktestBiggest(options.explain)
  }

  /** How many refunds could not be made. */
  get failedRefunds(): number {
    return this.failedRefundCount
  }

  get counts(): Backtest["counts"] {
    return {
      orders: this.orderCount,
      compared: this.compared,
      changed: this.changed,
      refusedByBefore: this.refusals.before,
      refusedByAfter: this.refusals.after,
      refusedByBoth: this.refusals.both,
      unreadable: this.unreadable,
    }
  }

  /** What was found so far. */
  get result(): Pick<Backtest, "timeZone" | "counts" | "rows" | "totals" | "biggest" | "refused"> {
    return {
      timeZone: this.timeZone,
      counts: this.counts,
      rows: this.sums.rows(),
      totals: this.sums.totals(),
      biggest: this.biggest.orders(),
      refused: this.refused,
    }
  }

  /** Splits an order by both. */
  take(entry: InputEntry): void {
    this.orderCount += 1
    const read = this.orders.read(entry)
    if (read._tag === "NotSold") {
      this.orderCount -= 1
      this.refunds.markUsed(read.orderId)
      return
    }
    if (read._tag === "OrderFailure") {
      this.unreadable += 1
      this.tellFailures([read])
      return
    }
    const before = this.orders.splitBy(read, this.sides.before)
    const after = this.orders.splitBy(read, this.sides.after)
    this.takeBoth(before, after)
  }

  private takeBoth(before: OrderOutcome, after: OrderOutcome): void {
    if (before._tag === "SplitOrder") {
      if (after._tag === "SplitOrder") this.compare(before, after)
      else this.refuse("after", after, before)
    } else if (after._tag === "SplitOrder") this.refuse("before", before, after)
    else {
      this.refusals.both += 1
      this.tellFailures([before, after])
    }
  }

  private compare(before: SplitOrder, after: SplitOrder): void {
    this.compared += 1
    const { orderId, currency, createdAt } = before.split
    const sold = { before: this.soldOf(before), after: this.soldAgain(after) }
    const month = this.months.of(createdAt)
    const amounts = BacktestAmounts.ofOrder(sold)
    this.sums.add({ currency, month }, amounts)
    const candidate = { orderId, line: before.record.line, currency, month, sold }
    if (this.biggest.consider(candidate, amounts)) this.changed += 1
  }

  /** What remains of a split after its refunds; those that can't be made are told. */
  private soldOf(sale: SplitOrder): BacktestAmounts.SplitSale {
    const { reversals, failures, notes, isUntold } = this.refunds.reversals(sale)
    this.failedRefundCount += failures.length
    for (const line of [...failures, ...notes]) this.note(line)
    if (isUntold) this.orders.remarks.addUntoldRefund(sale.order.id)
    return { split: sale.split, reversals }
  }

  /** The other split of the same order. What a refund is of does not depend on the rules, so nothing is new to tell. */
  private soldAgain(sale: SplitOrder): BacktestAmounts.SplitSale {
    return { split: sale.split, reversals: this.refunds.reversals(sale).reversals }
  }

  private refuse(by: "before" | "after", failure: OrderFailure, outcome: SplitOrder): void {
    this.refusals[by] += 1
    for (const line of failure.lines) this.note(`${line} (with ${flagOf[by]} only)`)
    const sold = this.soldOf(outcome)
    if (this.refused.length >= mostListed) return
    const { orderId, currency } = sold.split
    const order = { orderId, line: failure.line, currency, by, error: failure.error }
    this.refused.push({ ...order, ...paidBy(sold) })
  }

  private tellFailures(failures: ReadonlyArray<OrderFailure>): void {
    for (const { orderId } of failures) if (orderId !== undefined) this.refunds.markUsed(orderId)
    for (const line of new Set(failures.flatMap(({ lines }) => lines))) this.note(line)
  }
}
