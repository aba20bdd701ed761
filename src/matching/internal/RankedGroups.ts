import type { ProductGroup } from "../../groups/ProductGroup.js"
import { at, entryAt, numberAt } from "../../internal/at.js"
import type { GroupTable } from "./GroupTable.js"
import { bySpecificity, type Placed, placed } from "./specificity.js"

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
  private isBefore(slot: number, place: Placed): boolean {
    return bySpecificity(placed(this.table.groupAt(slot)), place) < 0
  }

  /** The last part that begins before a group's place. */
  private partOf(place: Placed): number {
    let [low, high] = [0, this.parts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.isBefore(entryAt(at(this.parts, middle), 0), place)) low = middle
      else high = middle - 1
    }
    return low
  }

  private firstNotBefore(part: ReadonlyArray<number>, place: Placed): number {
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
