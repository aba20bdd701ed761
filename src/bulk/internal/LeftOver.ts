import { doubleAt } from "../../internal/at.js"
import * as Percent from "../../money/Percent.js"

/** Up to this many parts get their cents one by one. */
const few = 6

/**
 * The cents that rounding percentages down leaves over: they go to the largest remainders, of equal ones to the first. The
 * store's rest has a remainder too, and is the last.
 */
export class LeftOver {
  /** Of the percentages, in ten thousandths of a cent. */
  remainders: Float64Array = new Float64Array(64)

  makeRoom(parts: number): void {
    if (parts < this.remainders.length) return
    this.remainders = new Float64Array(parts * 2 + 1)
  }

  /** Adds the cents to the first parts, whose remainders come to a sum. */
  give(parts: Float64Array, count: number, sum: number): void {
    const cents = Math.ceil(sum / Percent.whole)
    const ofStore = cents * Percent.whole - sum
    if (count === 1) {
      if (doubleAt(this.remainders, 0) >= ofStore) parts[0] = doubleAt(parts, 0) + 1
    } else if (count <= few) this.giveOneByOne(parts, count, { ofStore, cents })
    else this.giveAbove(parts, count, { ofStore, cents })
  }

  private giveOneByOne(
    parts: Float64Array,
    count: number,
    { ofStore, cents }: { readonly ofStore: number; readonly cents: number },
  ): void {
    const { remainders } = this
    let rest = ofStore
    for (let left = cents; left > 0; left -= 1) {
      let best = -1
      let most = rest
      for (let at = 0; at < count; at += 1) {
        const remainder = doubleAt(remainders, at)
        if (remainder > most || (remainder === most && best === -1)) {
          most = remainder
          best = at
        }
      }
      if (best === -1) rest = -1
      else {
        parts[best] = doubleAt(parts, best) + 1
        remainders[best] = -2
      }
    }
  }

  /** Finds the remainder above which there are so many, by guesses from how many are above those that were tried. */
  private giveAbove(
    parts: Float64Array,
    count: number,
    { ofStore, cents }: { readonly ofStore: number; readonly cents: number },
  ): void {
    const { remainders } = this
    remainders[count] = ofStore
    let [low, atLow, high, atHigh] = [-1, count + 1, Percent.whole - 1, 0]
    while (high - low > 1 && atHigh < cents) {
      const guess = high - Math.floor(((high - low) * (cents - atHigh)) / (atLow - atHigh))
      const tried = Math.min(high - 1, Math.max(low + 1, guess))
      let above = 0
      for (let at = 0; at <= count; at += 1) above += doubleAt(remainders, at) > tried ? 1 : 0
      if (above > cents) {
        low = tried
        atLow = above
      } else {
        high = tried
        atHigh = above
      }
    }
    let ties = cents - atHigh
    for (let at = 0; at < count; at += 1) {
      const remainder = doubleAt(remainders, at)
      if (remainder < high || (remainder === high && ties === 0)) continue
      if (remainder === high) ties -= 1
      parts[at] = doubleAt(parts, at) + 1
    }
  }
}
