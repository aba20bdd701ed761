import { doubleAt } from "../../internal/at.js"
import { isSeconds } from "../../internal/seconds.js"
import * as Currency from "../../money/Currency.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { noWord } from "./Columns.js"
import type { WordNumbers } from "./KeyNumbers.js"
import type { OrderRows } from "./OrderRows.js"

/** An order with more items is no plain one. */
export const mostItems = 64

/** Times ten thousand, amounts up to this one are exact in ordinary numbers. */
export const mostCents = 900_000_000_000

const isUsual = (cents: number): boolean =>
  cents >= -mostCents && cents <= mostCents && Math.floor(cents) === cents

/**
 * Tells orders about which everything is as it usually is, so that they are surely valid and small enough to be split in
 * ordinary numbers, and divides their shipping and fees over their items.
 */
export class PlainOrders {
  private readonly rows: OrderRows
  private readonly words: WordNumbers
  private readonly policy: SplitPolicy
  private readonly currencies = new Map<number, boolean>()
  private readonly weights = new Float64Array(mostItems)
  private readonly remainders = new Float64Array(mostItems)

  constructor(rows: OrderRows, policy: SplitPolicy, words: WordNumbers) {
    this.rows = rows
    this.policy = policy
    this.words = words
  }

  /** Whether the order of some rows is a plain one. */
  isPlain(from: number, to: number): boolean {
    const { rows } = this
    const createdAt = rows.createdAt.at(from)
    const isPlainOrder =
      to - from <= mostItems &&
      rows.orderIds.has(from) &&
      this.isCurrency(from) &&
      (Number.isNaN(createdAt) || isSeconds(createdAt)) &&
      isUsual(rows.shippingAmount.at(from)) &&
      isUsual(rows.shippingTax.at(from)) &&
      isUsual(rows.gatewayFee.at(from))
    if (!isPlainOrder) return false
    for (let row = from; row < to; row += 1) {
      if (!this.isPlainItem(row)) return false
      if (row > from && !rows.areOfOneOrder(from, row)) return false
      for (let other = from; other < row; other += 1) {
        if (rows.itemIds.areSame(row, other)) return false
      }
    }
    return true
  }

  /** What tax adds to an amount, as `taxEffect` of the core has it. */
  taxEffect(row: number, tax: number): number {
    if (tax === 0) return 0
    if (this.rows.taxesIncluded.at(row) === 1) return this.policy.tax === "remove" ? -tax : 0
    return this.policy.tax === "share" ? tax : 0
  }

  /** Divides a sum over the items of an order; false where it takes more than ordinary numbers, or quantities decide. */
  spread(sum: number, from: number, to: number, parts: Float64Array): boolean {
    const count = to - from
    if (sum === 0 || count === 1) {
      parts.fill(sum, 0, count)
      return true
    }
    const { rows, weights, remainders } = this
    let total = 0
    for (let at = 0; at < count; at += 1) {
      const weight = Math.abs(rows.amount.at(from + at) - rows.discount.at(from + at))
      weights[at] = weight
      total += weight
    }
    const size = Math.abs(sum)
    if (total === 0 || size * total > Number.MAX_SAFE_INTEGER) return false
    let left = size
    for (let at = 0; at < count; at += 1) {
      const product = size * doubleAt(weights, at)
      const part = Math.floor(product / total)
      parts[at] = part
      remainders[at] = product - part * total
      left -= part
    }
    for (; left > 0; left -= 1) this.giveCent(from, count, parts)
    if (sum < 0) for (let at = 0; at < count; at += 1) parts[at] = -doubleAt(parts, at)
    return true
  }

  /** Gives a cent to the largest remainder, of equal ones to that of the smallest item id. */
  private giveCent(from: number, count: number, parts: Float64Array): void {
    const { remainders } = this
    const { itemIds } = this.rows
    let best = 0
    for (let at = 1; at < count; at += 1) {
      const difference = doubleAt(remainders, at) - doubleAt(remainders, best)
      if (difference < 0) continue
      if (difference > 0 || itemIds.compare(from + at, from + best) < 0) best = at
    }
    parts[best] = doubleAt(parts, best) + 1
    remainders[best] = -1
  }

  private isPlainItem(row: number): boolean {
    const { rows } = this
    const [amount, quantity] = [rows.amount.at(row), rows.quantity.at(row)]
    return (
      isUsual(amount) &&
      // The sign of what cost nothing depends on more than its amount.
      amount !== 0 &&
      isUsual(quantity) &&
      quantity >= 0 &&
      isUsual(rows.discount.at(row)) &&
      isUsual(rows.taxTotal.at(row)) &&
      isUsual(rows.cost.at(row)) &&
      rows.itemIds.has(row) &&
      rows.productIds.has(row) &&
      rows.hasWholeLists(row)
    )
  }

  private isCurrency(row: number): boolean {
    const word = this.rows.currencies.word(row)
    const known = this.currencies.get(word)
    if (known !== undefined) return known
    const is = word !== noWord && Currency.isCurrency(this.words.textOf(word))
    this.currencies.set(word, is)
    return is
  }
}
