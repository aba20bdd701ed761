/**
 * The split of many sales in columns.
 *
 * @since 0.6.0
 */

import * as Result from "effect/Result"
import type { RuleSet } from "../rules/RuleSet.js"
import * as Split from "../shares/Split.js"
import * as SplitPolicy from "../shares/SplitPolicy.js"
import type { ColumnBatch } from "./ColumnBatch.js"
import { textColumn } from "./internal/ColumnData.js"
import { GroupColumns } from "./internal/GroupColumns.js"
import { WordNumbers } from "./internal/KeyNumbers.js"
import { LineClaims, type LineFigures } from "./internal/LineClaims.js"
import { OrderRows, type RowObject } from "./internal/OrderRows.js"
import { mostItems, PlainOrders } from "./internal/PlainOrders.js"
import { DifferingRows, type SplitLines, SplitOutput } from "./internal/SplitOutput.js"
import { SplitPlans } from "./internal/SplitPlans.js"

export { DifferingRows, type SplitLines } from "./internal/SplitOutput.js"

/**
 * Splits sales that are columns into shares that are columns: what `Split.order` answers for each order, without
 * texts, objects and explanations. What products and orders have is looked up once and
 * remembered, shares are worked out in arrays of numbers, and an order that is in any way unusual (amounts beyond what
 * ordinary numbers hold exactly, items without a price, claims beyond what an item brought in) is split by `Split.order`
 * itself.
 *
 * @since 0.6.0
 * @category models
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { BulkSplit, ColumnBatch } from "apportion/bulk"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "12.50" },
 * ])
 * const item = { id: "1", product: { id: "mug" }, quantity: 1, amount: 9_999 }
 * const batch = ColumnBatch.ofOrders([{ id: "1001", currency: "USD", items: [item] }])
 * const bulk = new BulkSplit(rules)
 * const lines = [...bulk.split(batch), ...bulk.end()]
 * lines.map(({ shareAmounts }) => [...shareAmounts]) // => [[1250n]]
 * lines.map(({ store }) => [...store]) // => [[8749n]]
 * ```
 */
export class BulkSplit {
  private readonly rules: RuleSet
  private readonly policy: SplitPolicy.SplitPolicy
  private readonly columns: GroupColumns
  private readonly output = new SplitOutput()
  private readonly shippingParts = new Float64Array(mostItems)
  private readonly feeParts = new Float64Array(mostItems)
  private readonly figures: LineFigures = {
    ...{ sign: 1, quantity: 1 },
    ...{ base: 0, distributable: 0, shipping: 0 },
  }
  private memory: Memory
  /** The rows of the last order, which may go on in the next batch. */
  private held: Array<RowObject> = []

  /**
   * Throws `InvalidRuleSet` and `InvalidPolicy` as `Split.order` does.
   *
   * @since 0.6.0
   */
  constructor(rules: RuleSet, policy: Partial<SplitPolicy.SplitPolicy> = {}) {
    this.policy = SplitPolicy.make(policy)
    this.rules = rules
    this.columns = new GroupColumns(rules)
    this.memory = this.makeMemory()
  }

  /**
   * Splits the rows of a batch. The rows of its last order wait for the next batch, in which there may be more of them.
   * Throws {@link UnusableColumn}.
   *
   * @since 0.6.0
   */
  split(batch: ColumnBatch): ReadonlyArray<SplitLines> {
    if (this.memory.plans.isFull) this.memory = this.makeMemory()
    this.memory.rows.read(batch)
    const { count, orderIds } = this.memory.rows
    let row = 0
    const [first] = this.held
    while (row < count && first !== undefined && orderIds.text(row) === first.order.id) {
      this.held.push(this.memory.rows.rowAt(row))
      row += 1
    }
    if (row === count) return []
    const before = this.end()
    this.output.begin(count - row)
    const from = row
    for (let end = this.memory.rows.endOf(row); end < count; ) {
      this.splitOrder(row, end)
      row = end
      if (this.memory.plans.isFull) this.startOver(batch)
      end = this.memory.rows.endOf(row)
    }
    const { rows } = this.memory
    for (let last = row; last < count; last += 1) this.held.push(rows.rowAt(last))
    if (row === from) return before
    const ids = { orderIds: rows.orderIds.slice(from, row), itemIds: rows.itemIds.slice(from, row) }
    return [...before, this.output.lines(ids)]
  }

  /**
   * Splits the last order, when no batch follows any more.
   *
   * @since 0.6.0
   */
  end(): ReadonlyArray<SplitLines> {
    const { held } = this
    if (held.length === 0) return []
    this.held = []
    this.output.begin(held.length)
    this.splitByCore(held)
    const orderIds = textColumn(held.map(({ order }) => order.id))
    return [this.output.lines({ orderIds, itemIds: textColumn(held.map(({ item }) => item.id)) })]
  }

  private makeMemory(): Memory {
    const { columns, policy, output } = this
    const words = new WordNumbers()
    const rows = new OrderRows(words)
    const plans = new SplitPlans(columns, policy, words)
    const orders = new PlainOrders(rows, policy, words)
    return { rows, plans, orders, claims: new LineClaims(plans.plans, policy, output) }
  }

  /** Forgets what was remembered, so that memory stays bounded. */
  private startOver(batch: ColumnBatch): void {
    this.memory = this.makeMemory()
    this.memory.rows.read(batch)
  }

  private splitOrder(from: number, to: number): void {
    const { output } = this
    const before = output.lineCount
    if (this.memory.orders.isPlain(from, to) && this.splitPlain(from, to)) return
    output.goBackTo(before)
    const { rows } = this.memory
    this.splitByCore(Array.from({ length: to - from }, (_, at) => rows.rowAt(from + at)))
  }

  /** Splits a plain order; false where it turns out to be unusual. */
  private splitPlain(from: number, to: number): boolean {
    const { policy, shippingParts, feeParts } = this
    const { rows, plans, orders, claims } = this.memory
    const tax = orders.taxEffect(from, rows.shippingTax.at(from))
    const shipping = rows.shippingAmount.at(from) + tax
    if (shipping !== 0 && policy.shipping === "all") return false
    if (!orders.spread(shipping, from, to, shippingParts)) return false
    const fee = policy.gatewayFee === "deduct" ? rows.gatewayFee.at(from) : 0
    if (!orders.spread(fee, from, to, feeParts)) return false
    plans.values.look(rows, from)
    const createdAt = rows.createdAt.at(from)
    for (let row = from; row < to; row += 1) {
      this.setFigures(row, shippingParts[row - from] ?? 0, feeParts[row - from] ?? 0)
      if (!claims.split(plans.planOf(rows, row, createdAt), this.figures)) return false
    }
    return true
  }

  /** As `shares/internal/base` computes them. */
  private setFigures(row: number, shippingPart: number, feePart: number): void {
    const { figures, policy } = this
    const { rows, orders } = this.memory
    const sign = rows.amount.at(row) < 0 ? -1 : 1
    const quantity = rows.quantity.at(row)
    const amount = sign * rows.amount.at(row)
    const discount = sign * rows.discount.at(row)
    const tax = sign * orders.taxEffect(row, rows.taxTotal.at(row))
    const cost = policy.cost === "deduct" ? rows.cost.at(row) * quantity : 0
    const net = policy.discount === "deduct" ? amount - discount : amount
    figures.sign = sign
    figures.quantity = quantity
    figures.shipping = sign * shippingPart
    const base = Math.max(0, net + tax - cost - sign * feePart)
    // A cost beyond the safe integers is refused, which is left to the core.
    figures.base = Number.isSafeInteger(cost) ? base : Number.POSITIVE_INFINITY
    figures.distributable = amount - discount + tax + figures.shipping
  }

  /** Splits an order as `Split.order` does, by the same function. */
  private splitByCore(held: ReadonlyArray<RowObject>): void {
    const { output, columns } = this
    const result = this.splitOf(held)
    if (Result.isFailure(result)) {
      for (const _ of held) {
        output.refuseLine(result.failure)
      }
      return
    }
    const { shares, store } = result.success
    output.makeRoom(shares.length)
    let next = 0
    for (const { itemId, amount } of store) {
      for (let share = shares[next]; share?.itemId === itemId; share = shares[next]) {
        const group = columns.placeOf.get(share.groupId) ?? -1
        output.addShare(group, share.amount, share.shippingAmount, share.base)
        next += 1
      }
      output.endLine(amount)
    }
  }

  private splitOf(
    held: ReadonlyArray<RowObject>,
  ): Result.Result<Split.Split, Split.SplitError | DifferingRows> {
    const [first, ...others] = held.map(({ order }) => order)
    const isOne = others.every((order) => JSON.stringify(order) === JSON.stringify(first))
    if (first !== undefined && isOne) {
      const order = { ...first, items: held.map(({ item }) => item) }
      return Split.orderResult(this.rules, order, this.policy)
    }
    const orderId = String(first?.id)
    const message = `the rows of order ${orderId} say different things of it`
    return Result.fail(new DifferingRows({ orderId, message }))
  }
}

/** What is remembered of products and orders, and what works with it. */
interface Memory {
  readonly rows: OrderRows
  readonly plans: SplitPlans
  readonly orders: PlainOrders
  readonly claims: LineClaims
}
