import type { Order } from "effect/Order"
import type { Slice, Sliced } from "../../ports/Slice.js"
import type { Journal } from "./Journal.js"
import { SortedList } from "./SortedList.js"

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
