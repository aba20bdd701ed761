import { numberAt } from "../../internal/at.js"

/** The shares and rests of lines while they are worked out, in arrays that are used again for the next ones. */
export class SplitOutput {
  lineCount = 0
  shareCount = 0
  shareOffsets = new Int32Array(1)
  shareGroups = new Int32Array(1 << 10)
  shareAmounts = new Float64Array(1 << 10)
  shareShipping = new Float64Array(1 << 10)
  store = new Float64Array(0)

  begin(lines: number): void {
    if (this.store.length < lines) {
      this.store = new Float64Array(lines)
      this.shareOffsets = new Int32Array(lines + 1)
    }
    this.lineCount = 0
    this.shareCount = 0
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
  }

  /** Adds a share of the current line; there must be room. */
  addShare(group: number, amount: number, shipping: number): void {
    this.shareGroups[this.shareCount] = group
    this.shareAmounts[this.shareCount] = amount
    this.shareShipping[this.shareCount] = shipping
    this.shareCount += 1
  }

  /** The current line has all its shares. */
  endLine(store: number): void {
    this.store[this.lineCount] = store
    this.lineCount += 1
    this.shareOffsets[this.lineCount] = this.shareCount
  }

  /** Takes lines back. */
  goBackTo(lines: number): void {
    this.lineCount = lines
    this.shareCount = numberAt(this.shareOffsets, lines)
  }
}
