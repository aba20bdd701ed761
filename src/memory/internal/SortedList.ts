import type { Order } from "effect/Order"

/** A piece that grows beyond this is halved; the list stays quick up to millions of entries. */
const longestChunk = 512

/** The first place in a sorted list from which on something holds. */
const firstPlace = <A>(entries: ReadonlyArray<A>, holds: (entry: A) => boolean): number => {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const entry = entries[middle]
    if (entry === undefined || holds(entry)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Entries that are always in order, under a total order. They lie in short pieces, so that neither a
 * change nor a page in the middle of a long list goes through all of it.
 */
export class SortedList<A extends object> {
  readonly #order: Order<A>
  readonly #chunks: Array<Array<A>> = []
  #size = 0

  constructor(order: Order<A>) {
    this.#order = order
  }

  get size(): number {
    return this.#size
  }

  all(): Array<A> {
    return this.#chunks.flat()
  }

  *[Symbol.iterator](): IterableIterator<A> {
    for (const chunk of this.#chunks) yield* chunk
  }

  add(entry: A): void {
    const index = Math.min(this.#chunkFor(entry), Math.max(0, this.#chunks.length - 1))
    const chunk = this.#chunks[index]
    this.#size += 1
    if (chunk === undefined) {
      this.#chunks.push([entry])
      return
    }
    chunk.splice(this.#placeIn(chunk, entry), 0, entry)
    if (chunk.length > longestChunk) {
      this.#chunks.splice(index + 1, 0, chunk.splice(chunk.length >>> 1))
    }
  }

  /** Takes out the entry that stands where this one does. */
  remove(entry: A): void {
    const index = this.#chunkFor(entry)
    const chunk = this.#chunks[index]
    if (chunk === undefined) return
    const place = this.#placeIn(chunk, entry)
    const found = chunk[place]
    if (found === undefined || this.#order(found, entry) !== 0) return
    chunk.splice(place, 1)
    if (chunk.length === 0) this.#chunks.splice(index, 1)
    this.#size -= 1
  }

  /** Puts an entry in the place of another, which it may leave when the order says so. */
  replace(from: A, to: A): void {
    if (this.#order(from, to) !== 0) {
      this.remove(from)
      this.add(to)
      return
    }
    const chunk = this.#chunks[this.#chunkFor(from)]
    if (chunk !== undefined) chunk[this.#placeIn(chunk, from)] = to
  }

  /** At most `limit` entries, after the first `offset` ones. */
  slice(offset: number, limit: number): Array<A> {
    const found: Array<A> = []
    if (offset >= this.#size) return found
    let before = offset
    for (const chunk of this.#chunks) {
      if (found.length >= limit) break
      if (before < chunk.length) {
        for (const entry of chunk.slice(before, before + limit - found.length)) found.push(entry)
      }
      before = Math.max(0, before - chunk.length)
    }
    return found
  }

  /** At most `limit` entries from the first on for which something holds, that holds for all after it. */
  from(holds: (entry: A) => boolean, limit: number): Array<A> {
    const start = firstPlace(this.#chunks, (chunk) => {
      const last = chunk[chunk.length - 1]
      return last !== undefined && holds(last)
    })
    const found: Array<A> = []
    for (const chunk of this.#chunks.slice(start)) {
      if (found.length >= limit) break
      const place = found.length === 0 ? firstPlace(chunk, holds) : 0
      for (const entry of chunk.slice(place, place + limit - found.length)) found.push(entry)
    }
    return found
  }

  /** At most `limit` entries from the beginning, up to the first for which something no longer holds. */
  firstWhile(holds: (entry: A) => boolean, limit: number): Array<A> {
    const found: Array<A> = []
    for (const entry of this) {
      if (found.length >= limit || !holds(entry)) break
      found.push(entry)
    }
    return found
  }

  #placeIn(chunk: ReadonlyArray<A>, entry: A): number {
    return firstPlace(chunk, (other) => this.#order(other, entry) >= 0)
  }

  /** The first chunk whose last entry does not stand before this one. */
  #chunkFor(entry: A): number {
    return firstPlace(this.#chunks, (chunk) => {
      const last = chunk[chunk.length - 1]
      return last !== undefined && this.#order(last, entry) >= 0
    })
  }
}
