import { byName, type Entry } from "./Catalogue.js"
import type { Journal } from "./Journal.js"
import { SortedList } from "./SortedList.js"

const none: ReadonlySet<string> = new Set()

/** Which products are linked to which groups, from both sides. */
export class Links {
  readonly #products = new Map<string, SortedList<Entry>>()
  readonly #groups = new Map<string, Set<string>>()
  #changes = 0

  /** How many products are linked to anything. */
  get size(): number {
    return this.#groups.size
  }

  /** How often anything was changed or taken back so far. */
  get changes(): number {
    return this.#changes
  }

  /** The products of a group, in the order of the catalogue's list. */
  productsOf(groupId: string): SortedList<Entry> | undefined {
    return this.#products.get(groupId)
  }

  groupsOf(productKey: string): ReadonlySet<string> {
    return this.#groups.get(productKey) ?? none
  }

  add(journal: Journal, groupId: string, entry: Entry): void {
    if (this.groupsOf(entry.key).has(groupId)) return
    journal.note(() => this.#unlink(groupId, entry))
    this.#link(groupId, entry)
  }

  remove(journal: Journal, groupId: string, entry: Entry): void {
    if (!this.groupsOf(entry.key).has(groupId)) return
    journal.note(() => this.#link(groupId, entry))
    this.#unlink(groupId, entry)
  }

  /** Lets a product that changed take the place of what it was. */
  exchange(from?: Entry, to?: Entry): void {
    if (from === undefined || to === undefined) return
    for (const groupId of this.groupsOf(from.key)) this.#products.get(groupId)?.replace(from, to)
  }

  #link(groupId: string, entry: Entry): void {
    this.#changes += 1
    const products = this.#products.get(groupId) ?? new SortedList(byName)
    const groups = this.#groups.get(entry.key) ?? new Set()
    if (products.size === 0) this.#products.set(groupId, products)
    if (groups.size === 0) this.#groups.set(entry.key, groups)
    products.add(entry)
    groups.add(groupId)
  }

  #unlink(groupId: string, entry: Entry): void {
    this.#changes += 1
    const products = this.#products.get(groupId)
    const groups = this.#groups.get(entry.key)
    products?.remove(entry)
    groups?.delete(groupId)
    if (products?.size === 0) this.#products.delete(groupId)
    if (groups?.size === 0) this.#groups.delete(entry.key)
  }
}
