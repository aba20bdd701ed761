import { entryAt, numberAt } from "../../internal/at.js"
import type { GroupTable } from "./GroupTable.js"
import type { RankedGroups } from "./RankedGroups.js"

/** So many groups are quickest put in order one by one. */
const few = 48

/** The groups between each other are so far apart that looking for them costs more than sorting them. */
const wordsForOne = 8

/** Puts groups in order, the most specific one first and each one once. What it is given it leaves in disorder. */
export class RankOrder {
  private readonly table: GroupTable
  private readonly ranked: RankedGroups
  private bits = new Int32Array(0)

  constructor(table: GroupTable, ranked: RankedGroups) {
    this.table = table
    this.ranked = ranked
  }

  of(slots: Array<number>): ReadonlyArray<number> {
    if (slots.length < 2) return slots
    if (slots.length <= few) return this.inserted(slots)
    return slots.length * wordsForOne * 32 < this.ranked.limit
      ? this.sorted(slots)
      : this.marked(slots)
  }

  /** Writes two lists that are in order and have nothing in common as one, and answers its length. */
  merge(left: ReadonlyArray<number>, right: ReadonlyArray<number>, merged: Int32Array): number {
    const { ranks } = this.table
    let onRight = 0
    let length = 0
    for (const slot of left) {
      const rank = numberAt(ranks, slot)
      while (onRight < right.length && numberAt(ranks, entryAt(right, onRight)) < rank) {
        merged[length++] = entryAt(right, onRight++)
      }
      merged[length++] = slot
    }
    for (; onRight < right.length; onRight += 1) merged[length++] = entryAt(right, onRight)
    return length
  }

  private inserted(slots: Array<number>): ReadonlyArray<number> {
    const { ranks } = this.table
    let length = 0
    for (const slot of slots) {
      const rank = numberAt(ranks, slot)
      let place = length
      while (place > 0 && numberAt(ranks, entryAt(slots, place - 1)) > rank) place -= 1
      if (place > 0 && slots[place - 1] === slot) continue
      for (let moved = length; moved > place; moved -= 1) slots[moved] = entryAt(slots, moved - 1)
      slots[place] = slot
      length += 1
    }
    slots.length = length
    return slots
  }

  private sorted(slots: ReadonlyArray<number>): ReadonlyArray<number> {
    const { ranks } = this.table
    const sorted = Int32Array.from(slots, (slot) => numberAt(ranks, slot)).sort()
    const found: Array<number> = []
    let last = -1
    for (const rank of sorted) {
      if (rank !== last) found.push(this.ranked.at(rank))
      last = rank
    }
    return found
  }

  /** Each rank is a bit, and the bits are read in order. */
  private marked(slots: ReadonlyArray<number>): ReadonlyArray<number> {
    const { ranks } = this.table
    const words = this.ranked.limit >>> 5
    if (this.bits.length < words) this.bits = new Int32Array(words)
    const { bits } = this
    for (const slot of slots) {
      const rank = numberAt(ranks, slot)
      bits[rank >>> 5] = numberAt(bits, rank >>> 5) | (1 << (rank & 31))
    }
    const found: Array<number> = []
    for (let word = 0; word < words; word += 1) {
      let left = numberAt(bits, word)
      if (left === 0) continue
      bits[word] = 0
      while (left !== 0) {
        const bit = left & -left
        found.push(this.ranked.at((word << 5) + 31 - Math.clz32(bit)))
        left ^= bit
      }
    }
    return found
  }
}
