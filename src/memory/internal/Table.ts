/** Rows in memory: found by key and in order, sealed, changed in place, and taken back when a transaction fails. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Order } from "effect/Order"
import type { Slice, Sliced } from "../../ports/Slice.js"
import type { TransactionMode } from "../../ports/Storage.js"
import { Conflict, type StorageError, StorageFailure } from "../../ports/StorageError.js"

/**
 * What one transaction did, so that it can be taken back; every access to a store goes through it. Persistent maps and
 * lists would need no such notes, but take four to nine times as long for each row and each index.
 */
export class Journal {
  /** Who changes something. */
  readonly actor: string
  readonly #mode: TransactionMode
  readonly #undo: Array<() => void> = []
  #isOver = false
  #conflict: Conflict | undefined

  constructor({ mode, actor }: { readonly mode: TransactionMode; readonly actor: string }) {
    this.#mode = mode
    this.actor = actor
  }

  /** The first conflict there was: whatever the work makes of it, nothing may be kept. */
  get conflict(): Conflict | undefined {
    return this.#conflict
  }

  /** Notes how a change is taken back. */
  note(undo: () => void): void {
    this.#undo.push(undo)
  }

  /** Looks something up. */
  read<A>(doing: string, work: () => A): Effect.Effect<A, StorageError> {
    return Effect.suspend(() => this.#refusal(doing, "read") ?? Effect.succeed(work()))
  }

  /** Changes something; a conflict must be found before anything is changed. */
  write<A>(doing: string, work: () => A | Conflict): Effect.Effect<A, StorageError> {
    return Effect.suspend((): Effect.Effect<A, StorageError> => {
      const refusal = this.#refusal(doing, "write")
      if (refusal !== undefined) return refusal
      const result = work()
      if (!(result instanceof Conflict)) return Effect.succeed(result)
      this.#conflict ??= result
      return Effect.fail(result)
    })
  }

  /** The same for what is noted with the time, in Unix seconds. */
  writeAt<A>(doing: string, work: (at: number) => A | Conflict): Effect.Effect<A, StorageError> {
    return Effect.flatMap(Clock.currentTimeMillis, (millis) =>
      this.write(doing, () => work(Math.floor(millis / 1_000))),
    )
  }

  /** Keeps what was done. */
  commit(): void {
    this.#isOver = true
  }

  /** Takes back what was done, the last change first. */
  rollback(): void {
    this.#isOver = true
    for (let undo = this.#undo.pop(); undo !== undefined; undo = this.#undo.pop()) undo()
  }

  #refusal(doing: string, mode: TransactionMode): Effect.Effect<never, StorageFailure> | undefined {
    if (this.#isOver) return Effect.fail(StorageFailure.of(doing, "the transaction is over"))
    if (mode === "read" || this.#mode === "write") return undefined
    return Effect.fail(StorageFailure.of(doing, "the transaction only reads"))
  }
}

/**
 * A copy of plain data that nobody can change: what is stored is no longer the caller's, and what is
 * given out can be given out as it is.
 */
export const sealed = <A>(value: A): A => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(sealed)) as A
  const copy: A & object = { ...value }
  for (const name of Object.keys(copy)) {
    const field: unknown = Reflect.get(copy, name)
    if (typeof field === "object" && field !== null) Reflect.set(copy, name, sealed(field))
  }
  return Object.freeze(copy)
}

/** A piece that grows beyond this is halved; the list stays quick up to millions of entries. */
const longestChunk = 512

/** The first place in a sorted list from which on something holds. */
export const firstPlace = <A>(entries: ReadonlyArray<A>, holds: (entry: A) => boolean): number => {
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

  /** How many entries stand before the first for which something holds, that holds for all after it. */
  countBefore(holds: (entry: A) => boolean): number {
    let count = 0
    for (const chunk of this.#chunks) {
      const place = firstPlace(chunk, holds)
      count += place
      if (place < chunk.length) break
    }
    return count
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

/** Rows of a table that belong together, in an order. */
export class Index<Row extends object> {
  readonly #partitionOf: (row: Row) => string | undefined
  readonly #order: Order<Row>
  readonly #lists = new Map<string, SortedList<Row>>()

  /** @param partitionOf - which list a row is in; `undefined`: in none */
  constructor(order: Order<Row>, partitionOf: (row: Row) => string | undefined) {
    this.#order = order
    this.#partitionOf = partitionOf
  }

  list(partition: string): SortedList<Row> | undefined {
    return this.#lists.get(partition)
  }

  /** Puts a row in the place of another one; `undefined`: there was none, or there is to be none. */
  exchange(from: Row | undefined, to: Row | undefined): void {
    const before = from && this.#partitionOf(from)
    const after = to && this.#partitionOf(to)
    if (from !== undefined && to !== undefined && before !== undefined && before === after) {
      this.#lists.get(before)?.replace(from, to)
      return
    }
    if (from !== undefined && before !== undefined) this.#remove(before, from)
    if (to !== undefined && after !== undefined) this.#add(after, to)
  }

  #add(partition: string, row: Row): void {
    const known = this.#lists.get(partition)
    const list = known ?? new SortedList(this.#order)
    if (known === undefined) this.#lists.set(partition, list)
    list.add(row)
  }

  #remove(partition: string, row: Row): void {
    const list = this.#lists.get(partition)
    list?.remove(row)
    if (list?.size === 0) this.#lists.delete(partition)
  }
}

/** The name of the only list of an index that has one for all rows. */
export const everything = ""

/** An index with one list of all rows. */
export const indexOfAll = <Row extends object>(order: Order<Row>): Index<Row> =>
  new Index(order, () => everything)

/** Whatever has rows put in each other's place. */
export interface Follower<Row> {
  readonly exchange: (from: Row | undefined, to: Row | undefined) => void
}

/** Rows by their key, with all that follows them. */
export class Table<Row extends object> {
  readonly #keyOf: (row: Row) => string
  readonly #followers: ReadonlyArray<Follower<Row>>
  readonly #rows = new Map<string, Row>()
  #changes = 0

  constructor(keyOf: (row: Row) => string, followers: ReadonlyArray<Follower<Row>>) {
    this.#keyOf = keyOf
    this.#followers = followers
  }

  get size(): number {
    return this.#rows.size
  }

  /** How often anything was changed or taken back so far: a larger number, perhaps other rows. */
  get changes(): number {
    return this.#changes
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  /** Those of the keys that exist, each once. */
  find(keys: ReadonlyArray<string>): Array<Row> {
    return [...new Set(keys)].flatMap((key) => this.#rows.get(key) ?? [])
  }

  all(): Array<Row> {
    return [...this.#rows.values()]
  }

  /** Adds a row, or puts it in the place of the one with its key. */
  put(journal: Journal, row: Row): void {
    this.#change(journal, this.#keyOf(row), row)
  }

  remove(journal: Journal, key: string): void {
    if (this.#rows.has(key)) this.#change(journal, key, undefined)
  }

  #change(journal: Journal, key: string, to: Row | undefined): void {
    const from = this.#rows.get(key)
    journal.note(() => this.#exchange(key, to, from))
    this.#exchange(key, from, to)
  }

  #exchange(key: string, from: Row | undefined, to: Row | undefined): void {
    this.#changes += 1
    for (const follower of this.#followers) follower.exchange(from, to)
    if (to === undefined) this.#rows.delete(key)
    else this.#rows.set(key, to)
  }
}

/** A slice of a list that may not be there. */
export const slicedList = <A extends object>(
  list: SortedList<A> | undefined,
  { offset, limit }: Slice,
): Sliced<A> => ({ entries: list?.slice(offset, limit) ?? [], total: list?.size ?? 0 })

/** A slice of entries that are in order already. */
export const slicedArray = <A>(all: ReadonlyArray<A>, { offset, limit }: Slice): Sliced<A> => ({
  entries: offset >= all.length ? [] : all.slice(offset, offset + limit),
  total: all.length,
})
