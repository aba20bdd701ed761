/**
 * Tables in memory: frozen rows, found by key and in order, changed in place, and rolled back when a transaction fails.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Order } from "effect/Order"
import type { Slice, Sliced } from "../../ports/Slice.js"
import type { TransactionMode } from "../../ports/Storage.js"
import { Conflict, type StorageError, StorageFailure } from "../../ports/StorageError.js"

/**
 * The undo log of one transaction; every access to a store goes through it. Persistent maps and lists would need no
 * log, but take four to nine times as long for each row and each index.
 */
export class Journal {
  /** Who makes the changes. */
  readonly actor: string
  readonly #mode: TransactionMode
  readonly #undo: Array<() => void> = []
  #isOver = false
  #conflict: Conflict | undefined

  constructor({ mode, actor }: { readonly mode: TransactionMode; readonly actor: string }) {
    this.#mode = mode
    this.actor = actor
  }

  /** The first conflict. With one, nothing is committed, even if the work handled it. */
  get conflict(): Conflict | undefined {
    return this.#conflict
  }

  /** Adds the undoing of a change to the log. */
  note(undo: () => void): void {
    this.#undo.push(undo)
  }

  /** Reads from a store. */
  read<A>(doing: string, work: () => A): Effect.Effect<A, StorageError> {
    return Effect.suspend(() => this.#refusal(doing, "read") ?? Effect.succeed(work()))
  }

  /** Writes to a store. The work must find a conflict before it changes anything. */
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

  /** Like `write`, for rows that contain the time, in Unix seconds. */
  writeAt<A>(doing: string, work: (at: number) => A | Conflict): Effect.Effect<A, StorageError> {
    return Effect.flatMap(Clock.currentTimeMillis, (millis) =>
      this.write(doing, () => work(Math.floor(millis / 1_000))),
    )
  }

  /** Commits. */
  commit(): void {
    this.#isOver = true
  }

  /** Rolls back, the last change first. */
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

/** Handles entries in sequence up to the first conflict, with which the transaction is rolled back. */
export const eachOf = <A, B>(
  all: ReadonlyArray<A>,
  work: (one: A) => B | Conflict,
): ReadonlyArray<B> | Conflict => {
  const done: Array<B> = []
  for (const one of all) {
    const result = work(one)
    if (result instanceof Conflict) return result
    done.push(result)
  }
  return done
}

/**
 * A deeply frozen copy of plain data: later changes of the caller's object don't affect what is stored, and stored rows
 * can be returned without copying.
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

/** A chunk that grows beyond this is halved; the list stays fast up to millions of entries. */
const longestChunk = 512

/** The first index of a sorted list from which on a condition holds. */
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
 * A list that is always sorted by a total order. It consists of short chunks, so that neither a change nor a page in
 * the middle of a long list goes through all of it.
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

  /** Removes the entry that is equal to this one in the order. */
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

  /** Replaces an entry by another, which moves to where the order puts it. */
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

  /** At most `limit` entries from the first for which a condition holds; it must hold for all later ones too. */
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

  /** The number of entries before the first for which a condition holds; it must hold for all later ones too. */
  countBefore(holds: (entry: A) => boolean): number {
    let count = 0
    for (const chunk of this.#chunks) {
      const place = firstPlace(chunk, holds)
      count += place
      if (place < chunk.length) break
    }
    return count
  }

  /** At most `limit` entries from the beginning, up to the first for which a condition no longer holds. */
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

  /** The first chunk whose last entry is not before this one. */
  #chunkFor(entry: A): number {
    return firstPlace(this.#chunks, (chunk) => {
      const last = chunk[chunk.length - 1]
      return last !== undefined && this.#order(last, entry) >= 0
    })
  }
}

/** An index: rows of a table in sorted lists, one for each value of a partition key. */
export class Index<Row extends object> {
  readonly #partitionOf: (row: Row) => string | undefined
  readonly #order: Order<Row>
  readonly #lists = new Map<string, SortedList<Row>>()

  /** @param partitionOf - the list that a row belongs to; `undefined`: none */
  constructor(order: Order<Row>, partitionOf: (row: Row) => string | undefined) {
    this.#order = order
    this.#partitionOf = partitionOf
  }

  list(partition: string): SortedList<Row> | undefined {
    return this.#lists.get(partition)
  }

  /** Replaces a row by another; `undefined` in place of one for an added or removed row. */
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

/** The partition key of an index that has one list for all rows. */
export const everything = ""

/** An index with one list of all rows. */
export const indexOfAll = <Row extends object>(order: Order<Row>): Index<Row> =>
  new Index(order, () => everything)

/** An index or other data that follows the rows of a table. */
export interface Follower<Row> {
  readonly exchange: (from: Row | undefined, to: Row | undefined) => void
}

/** Rows by their key, with the indexes kept up to date. */
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

  /** The number of changes and rollbacks so far; while it is the same, so are the rows. */
  get changes(): number {
    return this.#changes
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  /** The rows of those keys that exist, each once. */
  find(keys: ReadonlyArray<string>): Array<Row> {
    return [...new Set(keys)].flatMap((key) => this.#rows.get(key) ?? [])
  }

  all(): Array<Row> {
    return [...this.#rows.values()]
  }

  /** Adds a row, or replaces the one with its key. */
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

/** A slice of a list that may not exist. */
export const slicedList = <A extends object>(
  list: SortedList<A> | undefined,
  { offset, limit }: Slice,
): Sliced<A> => ({ entries: list?.slice(offset, limit) ?? [], total: list?.size ?? 0 })

/** A slice of entries that are already sorted. */
export const slicedArray = <A>(all: ReadonlyArray<A>, { offset, limit }: Slice): Sliced<A> => ({
  entries: offset >= all.length ? [] : all.slice(offset, offset + limit),
  total: all.length,
})
