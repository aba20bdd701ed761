import { numberAt } from "../../internal/at.js"
import { TaggedError } from "../../internal/TaggedError.js"
import type * as Split from "../../shares/Split.js"
import type { ColumnData } from "./ColumnData.js"
import { wholeNumbers } from "./Columns.js"

/**
 * The rows of an order say different things of it: its currency, its shipping, its tags, or another of its columns.
 *
 * @since 0.6.0
 * @category errors
 */
export class DifferingRows extends TaggedError("DifferingRows")<{
  readonly orderId: string
  readonly message: string
}> {}

/**
 * Some lines with their shares, in columns. An array of amounts has cents; a share's group is its place in the rule set's
 * `groups`.
 *
 * @since 0.6.0
 * @category models
 */
export interface SplitLines {
  /** How many lines. */
  readonly count: number
  /** The ids of each line's order and item, as columns of texts. */
  readonly orderIds: ColumnData
  readonly itemIds: ColumnData
  /** What stays with the store of each line; 0 where the order was refused. */
  readonly store: BigInt64Array
  /** Where the shares of each line begin, and behind the last line where they end. */
  readonly shareOffsets: Int32Array
  readonly shareGroups: Int32Array
  /** All of each share, shipping included. */
  readonly shareAmounts: BigInt64Array
  /** The part of each share that comes from shipping. */
  readonly shareShippingAmounts: BigInt64Array
  /** What the percentage of each share is taken of. */
  readonly shareBases: BigInt64Array
  /** Why the order of a line was refused, by line. Such a line has no shares. */
  readonly refusals: ReadonlyMap<number, Split.SplitError | DifferingRows>
}

/** The shares and rests of lines while they are worked out, in arrays that are used again for the next ones. */
export class SplitOutput {
  lineCount = 0
  shareCount = 0
  shareOffsets = new Int32Array(1)
  shareGroups = new Int32Array(1 << 10)
  shareAmounts = new Float64Array(1 << 10)
  shareShipping = new Float64Array(1 << 10)
  shareBases = new Float64Array(1 << 10)
  store = new Float64Array(0)
  private refusals = new Map<number, Split.SplitError | DifferingRows>()

  begin(lines: number): void {
    if (this.store.length < lines) {
      this.store = new Float64Array(lines)
      this.shareOffsets = new Int32Array(lines + 1)
    }
    this.lineCount = 0
    this.shareCount = 0
    this.refusals = new Map()
  }

  makeRoom(shares: number): void {
    if (this.shareCount + shares <= this.shareGroups.length) return
    const room = (this.shareCount + shares) * 2
    const groups = new Int32Array(room)
    groups.set(this.shareGroups)
    this.shareGroups = groups
    const amounts = new Float64Array(room)
    amounts.set(this.shareAmounts)
    this.shareAmounts = amounts
    const shipping = new Float64Array(room)
    shipping.set(this.shareShipping)
    this.shareShipping = shipping
    const bases = new Float64Array(room)
    bases.set(this.shareBases)
    this.shareBases = bases
  }

  /** Adds a share of the current line; there must be room. */
  addShare(group: number, amount: number, shipping: number, base: number): void {
    this.shareGroups[this.shareCount] = group
    this.shareAmounts[this.shareCount] = amount
    this.shareShipping[this.shareCount] = shipping
    this.shareBases[this.shareCount] = base
    this.shareCount += 1
  }

  /** The current line has all its shares. */
  endLine(store: number): void {
    this.store[this.lineCount] = store
    this.lineCount += 1
    this.shareOffsets[this.lineCount] = this.shareCount
  }

  /** The order of the current line can't be split. */
  refuseLine(reason: Split.SplitError | DifferingRows): void {
    this.refusals.set(this.lineCount, reason)
    this.endLine(0)
  }

  /** Takes lines back. */
  goBackTo(lines: number): void {
    this.lineCount = lines
    this.shareCount = numberAt(this.shareOffsets, lines)
  }

  /** All lines, which are those of some ids. */
  lines(ids: Pick<SplitLines, "orderIds" | "itemIds">): SplitLines {
    const { lineCount: count, shareCount } = this
    return {
      count,
      ...ids,
      store: wholeNumbers(this.store.subarray(0, count)),
      shareOffsets: this.shareOffsets.slice(0, count + 1),
      shareGroups: this.shareGroups.slice(0, shareCount),
      shareAmounts: wholeNumbers(this.shareAmounts.subarray(0, shareCount)),
      shareShippingAmounts: wholeNumbers(this.shareShipping.subarray(0, shareCount)),
      shareBases: wholeNumbers(this.shareBases.subarray(0, shareCount)),
      refusals: this.refusals,
    }
  }
}
