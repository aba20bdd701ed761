import { at, entryAt, numberAt } from "../../internal/at.js"
import { compareTexts } from "../../internal/compare.js"
import { linkTypes, type ProductGroup } from "../ProductGroup.js"
import type { GroupTable } from "./GroupTable.js"
import { enlarged, type NumberLists } from "./NumberLists.js"

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

/** An order of all groups, and the column of their ranks in it. */
interface Ranking {
  readonly column: "ranks" | "idRanks"
  readonly compare: (one: ProductGroup, other: ProductGroup) => number
}

const specificity: Ranking = {
  column: "ranks",
  compare: (one, other) => bySpecificity(placed(one), placed(other)),
}

export const byId: Ranking = {
  column: "idRanks",
  compare: (one, other) => compareTexts(one.id, other.id),
}

/**
 * All groups of a rule set in an order, in parts, so that one more moves few others. A group's rank is its part and its
 * place in it; only the groups of one part get new ranks when one comes, and those of all later parts in the rare case
 * that a part is cut in two.
 */
export class RankedGroups {
  private readonly parts: Array<Array<number>> = []
  private readonly table: GroupTable
  private readonly ranking: Ranking
  /** The group of each rank; what stands at a rank that no group has is of no meaning. */
  byRank: Int32Array = new Int32Array(0)
  /** Whether the slots of the groups are in this order too, as they are until a group comes. */
  isOfSlots = false

  constructor(table: GroupTable, ranking: Ranking = specificity) {
    this.table = table
    this.ranking = ranking
  }

  /** Above all ranks. */
  get limit(): number {
    return this.parts.length << placeBits
  }

  /** The ranks by slot. */
  get ranks(): Int32Array {
    return this.table[this.ranking.column]
  }

  /** Takes groups that are in order. */
  fill(slots: ReadonlyArray<number>): void {
    const half = placesInPart / 2
    for (let from = 0; from < slots.length; from += half) {
      this.parts.push(slots.slice(from, from + half))
    }
    this.isOfSlots = slots.every((slot, place) => place === 0 || entryAt(slots, place - 1) < slot)
    this.rankFrom(0)
  }

  insert(slot: number, group: ProductGroup): void {
    this.isOfSlots = false
    if (this.parts.length === 0) this.parts.push([])
    const index = this.partOf(group)
    const part = at(this.parts, index)
    part.splice(this.firstNotBefore(part, group), 0, slot)
    if (part.length === placesInPart) {
      this.parts.splice(index + 1, 0, part.splice(placesInPart / 2))
      this.rankFrom(index)
    } else this.rank(part, index)
  }

  remove(slot: number): void {
    const rank = numberAt(this.ranks, slot)
    const index = rank >>> placeBits
    const part = at(this.parts, index)
    part.splice(rank & (placesInPart - 1), 1)
    if (part.length > 0) this.rank(part, index)
    else {
      this.parts.splice(index, 1)
      this.rankFrom(index)
    }
  }

  /** All groups in order. */
  toArray(): ReadonlyArray<number> {
    return this.parts.flat()
  }

  private isBefore(slot: number, group: ProductGroup): boolean {
    return this.ranking.compare(this.table.groupAt(slot), group) < 0
  }

  /** The last part that begins before a group. */
  private partOf(group: ProductGroup): number {
    let [low, high] = [0, this.parts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.isBefore(entryAt(at(this.parts, middle), 0), group)) low = middle
      else high = middle - 1
    }
    return low
  }

  private firstNotBefore(part: ReadonlyArray<number>, group: ProductGroup): number {
    let [low, high] = [0, part.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.isBefore(entryAt(part, middle), group)) low = middle + 1
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
    if (this.byRank.length < this.limit) this.byRank = enlarged(this.byRank, this.limit)
    const { ranks, byRank } = this
    let rank = index << placeBits
    for (const slot of part) {
      ranks[slot] = rank
      byRank[rank] = slot
      rank += 1
    }
  }
}

/** Up to this many groups, insertion is fastest. */
const few = 48

/**
 * Puts groups in the order of their ranks, each one once: they are added, one by one or as lists, and then taken.
 *
 * A few ranks are put in their places as they come. Many are marked as bits and read in order; a second row of bits says
 * which words of the first one have any, so that few groups among very many are found as quickly. As long as the slots are
 * in the order of the ranks, they stand for these, and long lists are added as bits.
 */
export class RankOrder {
  private readonly ranked: RankedGroups
  /** The groups that were taken last. While a few are added, their ranks stand here in order. */
  slots: Int32Array = new Int32Array(64)
  private count = 0
  private isMarking = false
  private bits = new Int32Array(0)
  private words = new Int32Array(0)

  constructor(ranked: RankedGroups) {
    this.ranked = ranked
  }

  /** Forgets what was added and not taken, because a text of a product could not be read. */
  begin(): void {
    if (this.isMarking) this.takeMarked()
    this.count = 0
  }

  /** Adds a group. */
  add(slot: number): void {
    const rank = this.rankOf(slot)
    if (this.isMarking) this.mark(rank)
    else if (this.count < few) this.insert(rank)
    else {
      this.markAll()
      this.mark(rank)
    }
  }

  /** Adds the groups of a list; -1 is no list. */
  addList(lists: NumberLists, list: number): void {
    if (list === -1) return
    const { ranks, isOfSlots } = this.ranked
    const { numbers } = lists
    const start = numberAt(lists.starts, list)
    const end = start + numberAt(lists.lengths, list)
    if (!this.isMarking && this.count + end - start > few) this.markAll()
    if (this.isMarking) {
      if (isOfSlots) this.markSlots(lists, list)
      else for (let at = start; at < end; at += 1) this.mark(numberAt(ranks, numberAt(numbers, at)))
    } else {
      for (let at = start; at < end; at += 1) {
        const slot = numberAt(numbers, at)
        this.insert(isOfSlots ? slot : numberAt(ranks, slot))
      }
    }
  }

  /** Takes a group away again, if it was added. */
  remove(slot: number): void {
    const rank = this.rankOf(slot)
    if (this.isMarking) {
      this.bits[rank >>> 5] = numberAt(this.bits, rank >>> 5) & ~(1 << (rank & 31))
      return
    }
    const place = this.slots.subarray(0, this.count).indexOf(rank)
    if (place === -1) return
    this.slots.copyWithin(place, place + 1, this.count)
    this.count -= 1
  }

  /** Whether more than a few were added. */
  get isMany(): boolean {
    return this.isMarking
  }

  /** Puts what was added into {@link slots}, the first one first, and returns how many they are. */
  take(): number {
    const { count } = this
    this.count = 0
    if (this.isMarking) return this.takeMarked()
    const { slots } = this
    const { byRank, isOfSlots } = this.ranked
    if (isOfSlots) return count
    for (let at = 0; at < count; at += 1) slots[at] = numberAt(byRank, numberAt(slots, at))
    return count
  }

  /** The same as a list. */
  toArray(): ReadonlyArray<number> {
    const count = this.take()
    return listOf(this.slots, count)
  }

  /** Makes room for so many groups. */
  makeRoom(count: number): Int32Array {
    if (count > this.slots.length) this.slots = enlarged(this.slots, count + 4)
    return this.slots
  }

  private rankOf(slot: number): number {
    const { ranked } = this
    return ranked.isOfSlots ? slot : numberAt(ranked.ranks, slot)
  }

  private insert(rank: number): void {
    const { slots, count } = this
    let place = count
    while (place > 0 && numberAt(slots, place - 1) > rank) place -= 1
    if (place > 0 && slots[place - 1] === rank) return
    for (let moved = count; moved > place; moved -= 1) slots[moved] = numberAt(slots, moved - 1)
    slots[place] = rank
    this.count = count + 1
  }

  /** From now on ranks are marked. */
  private markAll(): void {
    const { ranked } = this
    const limit = ranked.isOfSlots ? ranked.ranks.length : ranked.limit
    const parts = (limit >>> placeBits) + 1
    if (this.words.length < parts) {
      this.words = new Int32Array(parts)
      this.bits = new Int32Array(parts << 5)
    }
    this.isMarking = true
    for (let at = 0; at < this.count; at += 1) this.mark(numberAt(this.slots, at))
  }

  private mark(rank: number): void {
    const { bits, words } = this
    const word = rank >>> 5
    const before = numberAt(bits, word)
    if (before === 0) words[word >>> 5] = numberAt(words, word >>> 5) | (1 << (word & 31))
    bits[word] = before | (1 << (rank & 31))
  }

  private markSlots(lists: NumberLists, list: number): void {
    const { bits, words } = this
    const set = lists.setOf(list, bits.length)
    if (set === undefined) {
      const start = numberAt(lists.starts, list)
      const end = start + numberAt(lists.lengths, list)
      for (let at = start; at < end; at += 1) this.mark(numberAt(lists.numbers, at))
      return
    }
    for (let word = 0; word < set.length; word += 1) {
      bits[word] = numberAt(bits, word) | numberAt(set, word)
    }
    words.fill(-1)
  }

  private takeMarked(): number {
    const { bits, words } = this
    const { byRank, isOfSlots } = this.ranked
    let { slots } = this
    let count = 0
    for (let part = 0; part < words.length; part += 1) {
      let full = numberAt(words, part)
      words[part] = 0
      while (full !== 0) {
        const lowest = full & -full
        full ^= lowest
        const word = (part << 5) + 31 - Math.clz32(lowest)
        let left = numberAt(bits, word)
        bits[word] = 0
        if (count + 32 > slots.length) slots = this.makeRoom(count + 32)
        while (left !== 0) {
          const bit = left & -left
          left ^= bit
          const rank = (word << 5) + 31 - Math.clz32(bit)
          slots[count] = isOfSlots ? rank : numberAt(byRank, rank)
          count += 1
        }
      }
    }
    this.isMarking = false
    return count
  }
}

/** The first numbers of an array, which `Array.from` takes several times as long for. */
export const listOf = (numbers: Int32Array, count: number): Array<number> => {
  const list = new Array<number>(count)
  for (let at = 0; at < count; at += 1) list[at] = numberAt(numbers, at)
  return list
}
