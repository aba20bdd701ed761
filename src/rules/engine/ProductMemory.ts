import { numberAt } from "../../internal/at.js"
import type { Product } from "../../orders/Product.js"
import type { ConditionIndex } from "./LinkIndex.js"
import { enlarged } from "./NumberLists.js"

/** What the links of a rule set say of a product. */
export interface Linked {
  /** The groups that may apply, the most specific one first: as many of these slots as `count` says. */
  readonly slots: Int32Array
  readonly count: number
  /** Indexes in which more groups are found by the order's values. */
  readonly indexes: ReadonlyArray<ConditionIndex>
}

/** A part of an array of slots. */
export interface SlotRange {
  readonly numbers: Int32Array
  readonly first: number
  readonly count: number
}

/** How many products are remembered for the smallest rule set; more groups allow more products. */
const leastProducts = 4_096

/** A product with more characters than this is looked up each time. */
const mostText = 4_096

const noTexts: ReadonlyArray<string> = []
const noIndexes: ReadonlyArray<ConditionIndex> = []

/** A product has so many places in the table, one after another: what stands elsewhere need not be looked through. */
const ways = 16
const fewestPlaces = 64

/** A record begins with where the product's texts stand, and how many tags, other ids and groups it has. */
const headLength = 4

/** Texts that are equal have the same. */
const hashOf = (id: string): number => {
  let hash = 0
  for (let at = 0; at < id.length; at += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  }
  return hash ^ (hash >>> 15)
}

/**
 * Remembers what links say of products, because shops sell the same ones again and again. How many products and groups
 * are remembered is limited; at the limit all are forgotten.
 *
 * A map of objects would be simpler. But filling it with a product that is seen for the first time, and keeping its
 * objects through garbage collections, takes two fifths of the time that finding its groups does, and this one fifth:
 * texts and numbers stand in one array each, and a table of hashes of ids says where. A product that finds all of its
 * places taken takes the first of them.
 */
export class ProductMemory implements SlotRange {
  /** The groups of the product that was recalled, remembered or held last, from `first` on. */
  numbers: Int32Array = new Int32Array(0)
  first = 0
  count = 0
  indexes: ReadonlyArray<ConditionIndex> = noIndexes
  private readonly mostProducts: number
  private readonly mostNumbers: number
  /** For each place the hash of an id and where its record begins in `numbers`, 0 for none. */
  private places = new Int32Array(0)
  private texts: Array<string | undefined> = []
  /** By record; most have none. */
  private readonly indexesOf = new Map<number, ReadonlyArray<ConditionIndex>>()
  private products = 0
  private used = 1

  constructor(groupCount: number) {
    this.mostProducts = leastProducts + 2 * groupCount
    this.mostNumbers = 32 * this.mostProducts
  }

  /** Whether a product is known as it is now. */
  recall(product: Product): boolean {
    const { places } = this
    if (places.length === 0 || product.id.length > mostText) return false
    const hash = hashOf(product.id)
    const last = places.length - 2
    for (let way = 0; way < ways; way += 1) {
      const place = ((hash + way) * 2) & last
      const record = numberAt(places, place + 1)
      if (record === 0) return false
      if (numberAt(places, place) === hash && this.isOf(record, product)) {
        this.open(record)
        return true
      }
    }
    return false
  }

  remember(product: Product, linked: Linked): void {
    const { id, externalId, vendor, tags = noTexts, otherIds = noTexts } = product
    if (this.products >= this.mostProducts || this.used >= this.mostNumbers) this.forget()
    this.hold(linked)
    let length = id.length + (externalId?.length ?? 0) + (vendor?.length ?? 0)
    for (const text of tags) length += text.length + 1
    for (const text of otherIds) length += text.length + 1
    if (length > mostText) return
    const { numbers, texts, used } = this
    numbers[used] = texts.length
    numbers[used + 1] = tags.length
    numbers[used + 2] = otherIds.length
    numbers[used + 3] = this.count
    texts.push(id, externalId, vendor)
    for (const tag of tags) texts.push(tag)
    for (const otherId of otherIds) texts.push(otherId)
    if (linked.indexes.length > 0) this.indexesOf.set(used, linked.indexes)
    this.used += headLength + this.count
    if ((this.products + 1) * 4 > this.places.length) this.enlarge()
    this.put(hashOf(id), used)
    this.products += 1
  }

  /** Holds what links say of a product without remembering it. */
  hold({ slots, count, indexes }: Linked): void {
    const first = this.used + headLength
    const end = first + count
    if (end > this.numbers.length) this.numbers = enlarged(this.numbers, end + 256)
    for (let at = 0; at < count; at += 1) this.numbers[first + at] = numberAt(slots, at)
    this.first = first
    this.count = count
    this.indexes = indexes
  }

  /** The rules have changed, or the memory is full. */
  forget(): void {
    if (this.products === 0) return
    this.numbers = new Int32Array(0)
    this.places = new Int32Array(0)
    this.texts = []
    this.indexesOf.clear()
    this.products = 0
    this.used = 1
  }

  private open(record: number): void {
    const { numbers, indexesOf } = this
    this.first = record + headLength
    this.count = numberAt(numbers, record + 3)
    this.indexes = indexesOf.size === 0 ? noIndexes : (indexesOf.get(record) ?? noIndexes)
  }

  private isOf(record: number, product: Product): boolean {
    const { id, externalId, vendor, tags = noTexts, otherIds = noTexts } = product
    const { numbers, texts } = this
    const start = numberAt(numbers, record)
    const tagCount = numberAt(numbers, record + 1)
    if (texts[start] !== id || texts[start + 1] !== externalId) return false
    if (texts[start + 2] !== vendor || tags.length !== tagCount) return false
    if (otherIds.length !== numberAt(numbers, record + 2)) return false
    return this.areAt(start + 3, tags) && this.areAt(start + 3 + tagCount, otherIds)
  }

  private areAt(start: number, known: ReadonlyArray<string>): boolean {
    if (!Array.isArray(known)) return false
    const { texts } = this
    for (let at = 0; at < known.length; at += 1) if (texts[start + at] !== known[at]) return false
    return true
  }

  private put(hash: number, record: number): void {
    const { places } = this
    const last = places.length - 2
    let way = 0
    while (way < ways && places[(((hash + way) * 2) & last) + 1] !== 0) way += 1
    const place = ((hash + (way === ways ? 0 : way)) * 2) & last
    places[place] = hash
    places[place + 1] = record
  }

  /** At least half of the places are free. */
  private enlarge(): void {
    const { places } = this
    this.places = new Int32Array(Math.max(fewestPlaces, places.length) * 2)
    for (let place = 0; place < places.length; place += 2) {
      const record = numberAt(places, place + 1)
      if (record !== 0) this.put(numberAt(places, place), record)
    }
  }
}
