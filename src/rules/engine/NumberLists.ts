import { numberAt } from "../../internal/at.js"

/** A copy of an array of whole numbers with room for more. */
export const enlarged = (numbers: Int32Array, length: number): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(Math.max(length, numbers.length + (numbers.length >> 1)))
  larger.set(numbers)
  return larger
}

/**
 * Many short lists of whole numbers in one array, because a separate list costs a hundred bytes before its first entry.
 * A list that outgrows its room moves to the end; the room left behind is reclaimed when it is half of the array.
 */
export class NumberLists {
  /** The entries of all lists; those of one begin at its entry in `starts`, and their number is in `lengths`. */
  numbers: Int32Array = new Int32Array(16)
  starts: Int32Array = new Int32Array(4)
  lengths: Int32Array = new Int32Array(4)
  private rooms = new Int32Array(4)
  private used = 0
  private wasted = 0
  private count = 0
  private readonly free: Array<number> = []
  /** Long lists as bits, which are made when they are first asked for. */
  private readonly sets = new Map<number, Int32Array>()

  /** A new, empty list. */
  add(): number {
    const reused = this.free.pop()
    if (reused !== undefined) return reused
    if (this.count === this.starts.length) {
      this.starts = enlarged(this.starts, this.count + 4)
      this.lengths = enlarged(this.lengths, this.count + 4)
      this.rooms = enlarged(this.rooms, this.count + 4)
    }
    this.count += 1
    return this.count - 1
  }

  /** Releases a list; its number will be reused. */
  drop(list: number): void {
    this.wasted += numberAt(this.rooms, list)
    this.lengths[list] = 0
    this.rooms[list] = 0
    this.forgetSet(list)
    this.free.push(list)
  }

  lengthOf(list: number): number {
    return numberAt(this.lengths, list)
  }

  at(list: number, index: number): number {
    return numberAt(this.numbers, numberAt(this.starts, list) + index)
  }

  /** Adds the entries of a list to others; -1 is no list. */
  addTo(found: Array<number>, list: number): void {
    if (list === -1) return
    const { numbers } = this
    const start = numberAt(this.starts, list)
    const end = start + numberAt(this.lengths, list)
    for (let at = start; at < end; at += 1) found.push(numberAt(numbers, at))
  }

  /**
   * The numbers of a long list as bits in so many words, which can be added to others 32 at a time; none for a list that
   * is gone through as quickly. They take at most twice the memory of the list.
   */
  setOf(list: number, words: number): Int32Array | undefined {
    if (this.lengthOf(list) * 2 < words) return undefined
    const known = this.sets.get(list)
    if (known?.length === words) return known
    const set = new Int32Array(words)
    const start = numberAt(this.starts, list)
    const end = start + numberAt(this.lengths, list)
    for (let at = start; at < end; at += 1) {
      const number = numberAt(this.numbers, at)
      set[number >>> 5] = numberAt(set, number >>> 5) | (1 << (number & 31))
    }
    this.sets.set(list, set)
    return set
  }

  push(list: number, number: number): void {
    this.insert(list, this.lengthOf(list), number)
  }

  insert(list: number, place: number, number: number): void {
    const length = this.lengthOf(list)
    if (length === this.rooms[list]) this.makeRoom(list, length < 4 ? length + 1 : length * 2)
    const start = numberAt(this.starts, list)
    this.numbers.copyWithin(start + place + 1, start + place, start + length)
    this.numbers[start + place] = number
    this.lengths[list] = length + 1
    this.forgetSet(list)
  }

  removeAt(list: number, place: number): void {
    const start = numberAt(this.starts, list)
    const length = this.lengthOf(list)
    this.numbers.copyWithin(start + place, start + place + 1, start + length)
    this.lengths[list] = length - 1
    this.forgetSet(list)
  }

  /** Compacts the lists, so that none has more room than it needs, and keeps no room for more lists. */
  compact(): void {
    this.starts = this.starts.slice(0, this.count)
    this.lengths = this.lengths.slice(0, this.count)
    this.rooms = this.rooms.slice(0, this.count)
    this.moveTogether()
  }

  private forgetSet(list: number): void {
    if (this.sets.size > 0) this.sets.delete(list)
  }

  private moveTogether(): void {
    const total = this.lengths.reduce((sum, length) => sum + length, 0)
    const numbers = new Int32Array(total)
    let used = 0
    for (let list = 0; list < this.count; list += 1) {
      const [start = 0, length = 0] = [this.starts[list], this.lengths[list]]
      numbers.set(this.numbers.subarray(start, start + length), used)
      this.starts[list] = used
      this.rooms[list] = length
      used += length
    }
    this.numbers = numbers
    this.used = used
    this.wasted = 0
  }

  private makeRoom(list: number, room: number): void {
    if (this.wasted > 1_024 && this.wasted * 2 > this.used) this.moveTogether()
    const [start = 0, length = 0, old = 0] = [
      this.starts[list],
      this.lengths[list],
      this.rooms[list],
    ]
    // The last list of all grows where it is.
    const place = start + old === this.used ? start : this.used
    if (place + room > this.numbers.length) this.numbers = enlarged(this.numbers, place + room)
    if (place !== start) {
      this.numbers.copyWithin(place, start, start + length)
      this.wasted += old
    }
    this.starts[list] = place
    this.rooms[list] = room
    this.used = place + room
  }
}

// Lists of groups in the order of their ranks.

/** A group, and the ranks by slot. */
interface Ranked {
  readonly slot: number
  readonly ranks: Int32Array
}

/** The index of the first group whose rank is not below the group's. */
const placeOf = (lists: NumberLists, list: number, { slot, ranks }: Ranked): number => {
  const rank = numberAt(ranks, slot)
  let [low, high] = [0, lists.lengthOf(list)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numberAt(ranks, lists.at(list, middle)) < rank) low = middle + 1
    else high = middle
  }
  return low
}

/** Inserts a group by rank; the most specific one comes first, which is where most new groups belong. */
export const insert = (lists: NumberLists, list: number, group: Ranked): void =>
  lists.insert(list, placeOf(lists, list, group), group.slot)

/** Removes a group, which must be in the list. */
export const remove = (lists: NumberLists, list: number, group: Ranked): void => {
  lists.removeAt(list, placeOf(lists, list, group))
}
