import { at, entryAt, numberAt } from "../../internal/at.js"
import { compareTexts } from "../../internal/compare.js"
import { linkTypes, type ProductGroup } from "../ProductGroup.js"
import type { GroupTable } from "./GroupTable.js"

/** A group with the first two criteria of specificity as one number: link, then condition. */
export interface RankedGroup {
  readonly group: ProductGroup
  readonly place: number
}

export const placed = (group: ProductGroup): RankedGroup => ({
  group,
  place: linkTypes.indexOf(group.link.type) * 2 + Number(group.condition === null),
})

/** Before all times: a group without a creation time is older than any with one. */
const never = Number.NEGATIVE_INFINITY

/** More specific first: link, then condition, then the newer group, then the smaller id. */
export const bySpecificity = (left: RankedGroup, right: RankedGroup): number => {
  if (left.place !== right.place) return left.place - right.place
  const [one, other] = [left.group, right.group]
  if (one.createdAt !== other.createdAt) {
    return (one.createdAt ?? never) > (other.createdAt ?? never) ? -1 : 1
  }
  return compareTexts(one.id, other.id)
}

/** The groups that count for an item, and those that lost to a more specific one of their collaborator. */
export interface Precedence {
  readonly counting: ReadonlyArray<number>
  readonly outranked: ReadonlyArray<number>
  /** Which group each of the outranked ones lost to. */
  readonly winners: ReadonlyArray<number>
}

const noGroups: ReadonlyArray<number> = []

/** Everyone's groups count. */
export const all = (matching: ReadonlyArray<number>): Precedence => ({
  counting: matching,
  outranked: noGroups,
  winners: noGroups,
})

/** Leaves each collaborator their most specific group. */
export class Contest {
  private readonly table: GroupTable
  /** For each collaborator the slot of their best group plus one, while an item is looked at; else 0. */
  private best = new Int32Array(0)

  constructor(table: GroupTable) {
    this.table = table
  }

  /** Of the first groups of a list, most specific first. */
  of(matching: Int32Array, count: number): Precedence {
    const { collaborators } = this.table
    if (this.best.length < collaborators.length) this.best = new Int32Array(collaborators.length)
    const { best } = this
    const counting: Array<number> = []
    const outranked: Array<number> = []
    const winners: Array<number> = []
    for (let at = 0; at < count; at += 1) {
      const slot = numberAt(matching, at)
      const collaborator = numberAt(collaborators, slot)
      const winner = numberAt(best, collaborator)
      if (winner === 0) {
        best[collaborator] = slot + 1
        counting.push(slot)
      } else {
        outranked.push(slot)
        winners.push(winner - 1)
      }
    }
    for (const slot of counting) best[numberAt(collaborators, slot)] = 0
    return { counting, outranked, winners }
  }
}

/** A rank is the number of a part and the place in it, which has so many bits. */
const placeBits = 10
const placesInPart = 1 << placeBits

/**
 * All groups of a rule set in the order of specificity, in parts, so that one more moves few others. A
 * group's rank is its part and its place in it; only the groups of one part get new ranks when one comes, and
 * those of all later parts in the rare case that a part is cut in two.
 */
export class RankedGroups {
  private readonly parts: Array<Array<number>> = []
  private readonly table: GroupTable

  constructor(table: GroupTable) {
    this.table = table
  }

  /** Above all ranks. */
  get limit(): number {
    return this.parts.length << placeBits
  }

  /** The group with a rank; there must be one. */
  at(rank: number): number {
    return entryAt(at(this.parts, rank >>> placeBits), rank & (placesInPart - 1))
  }

  /** Takes groups that are in order. */
  fill(slots: ReadonlyArray<number>): void {
    const half = placesInPart / 2
    for (let from = 0; from < slots.length; from += half) {
      this.parts.push(slots.slice(from, from + half))
    }
    this.rankFrom(0)
  }

  insert(slot: number, group: ProductGroup): void {
    const place = placed(group)
    if (this.parts.length === 0) this.parts.push([])
    const index = this.partOf(place)
    const part = at(this.parts, index)
    part.splice(this.firstNotBefore(part, place), 0, slot)
    if (part.length < placesInPart) this.rank(part, index)
    else {
      this.parts.splice(index + 1, 0, part.splice(placesInPart / 2))
      this.rankFrom(index)
    }
  }

  remove(slot: number): void {
    const rank = numberAt(this.table.ranks, slot)
    const index = rank >>> placeBits
    const part = at(this.parts, index)
    part.splice(rank & (placesInPart - 1), 1)
    if (part.length > 0) this.rank(part, index)
    else {
      this.parts.splice(index, 1)
      this.rankFrom(index)
    }
  }

  /** All groups, the most specific one first. */
  toArray(): ReadonlyArray<number> {
    return this.parts.flat()
  }

  /** Whether a group comes before a place. */
  private isBefore(slot: number, place: RankedGroup): boolean {
    return bySpecificity(placed(this.table.groupAt(slot)), place) < 0
  }

  /** The last part that begins before a group's place. */
  private partOf(place: RankedGroup): number {
    let [low, high] = [0, this.parts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.isBefore(entryAt(at(this.parts, middle), 0), place)) low = middle
      else high = middle - 1
    }
    return low
  }

  private firstNotBefore(part: ReadonlyArray<number>, place: RankedGroup): number {
    let [low, high] = [0, part.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.isBefore(entryAt(part, middle), place)) low = middle + 1
      else high = middle
    }
    return low
  }

  private rankFrom(index: number): void {
    for (let next = index; next < this.parts.length; next += 1) {
      this.rank(at(this.parts, next), next)
    }
  }

  private rank(part: ReadonlyArray<number>, index: number): void {
    const { ranks } = this.table
    let rank = index << placeBits
    for (const slot of part) {
      ranks[slot] = rank
      rank += 1
    }
  }
}

/** Up to this many groups, insertion sort is fastest. */
const few = 48

/** Beyond this the ranks are so sparse that scanning bits costs more than sorting. */
const wordsForOne = 8

/** Sorts groups, the most specific one first and each one once. It scrambles its input. */
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

  /** Merges two sorted lists without common entries, and returns the length of the result. */
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
