import * as Order from "effect/Order"
import { foldText, type Product, searchTexts } from "../../orders/Product.js"
import * as ListOrder from "../../pagination/ListOrder.js"
import type { StoredGroup } from "../../ports/ProductGroupStore.js"
import { type ProductFilter, productKeyOf } from "../../ports/ProductStore.js"
import type { Link } from "../../rules/ProductGroup.js"
import * as ProductLinks from "../../rules/ProductLinks.js"
import * as RuleSet from "../../rules/RuleSet.js"
import type { Journal } from "./Table.js"
import { everything, Index, indexOfAll, SortedList, Table } from "./Table.js"

const separator = "\n"

/** A product in the catalogue. */
export class CatalogueEntry {
  readonly key: string
  readonly product: Product
  /** All searchable texts as one, which is searched faster than many. */
  #texts: string | undefined

  constructor(product: Product) {
    this.key = productKeyOf(product)
    this.product = product
  }

  /** Whether one of the product's texts contains a folded text. */
  has(text: string): boolean {
    this.#texts ??= searchTexts(this.product).join(separator)
    if (!this.#texts.includes(text)) return false
    return !text.includes(separator) || searchTexts(this.product).some((one) => one.includes(text))
  }
}

/** The order of a catalogue's list. */
export const byName: Order.Order<CatalogueEntry> = Order.mapInput(
  ListOrder.products,
  ({ product }: CatalogueEntry) => product,
)

const byKey: Order.Order<CatalogueEntry> = Order.mapInput(
  Order.String,
  ({ key }: CatalogueEntry) => key,
)

/** The products of an account, with their indexes. */
export class Catalogue extends Table<CatalogueEntry> {
  readonly inOrder: Index<CatalogueEntry>
  readonly inOrderOfKeys: Index<CatalogueEntry>
  readonly selections: Selections
  readonly #byAnyId: ReadonlyArray<Index<CatalogueEntry>>

  /** @param linked - is notified of each changed product */
  constructor(linked: { readonly exchange: (from?: CatalogueEntry, to?: CatalogueEntry) => void }) {
    const inOrder = indexOfAll(byName)
    const inOrderOfKeys = indexOfAll(byKey)
    const byAnyId = [
      new Index(byKey, ({ product }) => product.id),
      new Index(byKey, ({ product }) => product.externalId),
      new Index(byKey, ({ product }) => product.externalVariantId),
    ]
    const selections = new Selections(() => inOrderOfKeys.list(everything)?.all() ?? [])
    super(({ key }) => key, [inOrder, inOrderOfKeys, ...byAnyId, linked, selections])
    this.selections = selections
    this.inOrder = inOrder
    this.inOrderOfKeys = inOrderOfKeys
    this.#byAnyId = byAnyId
  }

  /** The products with one of these ids, each once. */
  byIds(ids: ReadonlyArray<string>): Array<Product> {
    const found = new Set<CatalogueEntry>()
    for (const id of new Set(ids)) {
      for (const index of this.#byAnyId) for (const entry of index.list(id) ?? []) found.add(entry)
    }
    return [...found].map(({ product }) => product)
  }
}

const none: ReadonlySet<string> = new Set()

/** Which products are linked to which groups, from both sides. */
export class Links {
  readonly #products = new Map<string, SortedList<CatalogueEntry>>()
  readonly #groups = new Map<string, Set<string>>()
  #changes = 0

  /** The number of products with links. */
  get size(): number {
    return this.#groups.size
  }

  /** The number of changes and rollbacks so far. */
  get changes(): number {
    return this.#changes
  }

  /** The products of a group, in the order of the catalogue's list. */
  productsOf(groupId: string): SortedList<CatalogueEntry> | undefined {
    return this.#products.get(groupId)
  }

  groupsOf(productKey: string): ReadonlySet<string> {
    return this.#groups.get(productKey) ?? none
  }

  add(journal: Journal, groupId: string, entry: CatalogueEntry): void {
    if (this.groupsOf(entry.key).has(groupId)) return
    journal.note(() => this.#unlink(groupId, entry))
    this.#link(groupId, entry)
  }

  remove(journal: Journal, groupId: string, entry: CatalogueEntry): void {
    if (!this.groupsOf(entry.key).has(groupId)) return
    journal.note(() => this.#link(groupId, entry))
    this.#unlink(groupId, entry)
  }

  /** Replaces a changed product. */
  exchange(from?: CatalogueEntry, to?: CatalogueEntry): void {
    if (from === undefined || to === undefined) return
    for (const groupId of this.groupsOf(from.key)) this.#products.get(groupId)?.replace(from, to)
  }

  #link(groupId: string, entry: CatalogueEntry): void {
    this.#changes += 1
    const products = this.#products.get(groupId) ?? new SortedList(byName)
    const groups = this.#groups.get(entry.key) ?? new Set()
    if (products.size === 0) this.#products.set(groupId, products)
    if (groups.size === 0) this.#groups.set(entry.key, groups)
    products.add(entry)
    groups.add(groupId)
  }

  #unlink(groupId: string, entry: CatalogueEntry): void {
    this.#changes += 1
    const products = this.#products.get(groupId)
    const groups = this.#groups.get(entry.key)
    products?.remove(entry)
    groups?.delete(groupId)
    if (products?.size === 0) this.#products.delete(groupId)
    if (groups?.size === 0) this.#groups.delete(entry.key)
  }
}

const askedId = "asked"

/** The keys of a link's products in order, at a number of changes of the catalogue. */
interface SelectedKeys {
  readonly changes: number
  readonly keys: ReadonlyArray<string>
}

/**
 * The products that links select, by the core's `ProductLinks` of the catalogue. It is made on first use, and updated
 * with the changed products on later uses.
 */
export class Selections {
  readonly #products: () => ReadonlyArray<CatalogueEntry>
  #links: ProductLinks.ProductLinks | undefined
  /** The products that have changed since the last use, by key; `undefined` for a removed one. */
  readonly #changed = new Map<string, Product | undefined>()
  #changes = 0
  readonly #known = new WeakMap<Link, SelectedKeys>()

  constructor(products: () => ReadonlyArray<CatalogueEntry>) {
    this.#products = products
  }

  exchange(from?: CatalogueEntry, to?: CatalogueEntry): void {
    this.#changes += 1
    if (this.#links === undefined) return
    if (from !== undefined) this.#changed.set(from.key, undefined)
    if (to !== undefined) this.#changed.set(to.key, to.product)
  }

  /** The keys of all products that a link selects, in order. */
  keysOf(link: Link): ReadonlyArray<string> {
    const known = this.#known.get(link)
    if (known?.changes === this.#changes) return known.keys
    const group = { id: askedId, collaboratorId: askedId, link, percent: 0 }
    const linked = ProductLinks.withRules(this.#upToDate(), RuleSet.make([group]))
    const keys = ProductLinks.productsOf(linked, askedId).map(productKeyOf).sort()
    this.#known.set(link, { changes: this.#changes, keys })
    return keys
  }

  #upToDate(): ProductLinks.ProductLinks {
    const before =
      this.#links ??
      ProductLinks.make(
        RuleSet.make([]),
        this.#products().map(({ product }) => product),
      )
    const put = [...this.#changed.values()].filter((product) => product !== undefined)
    const gone = [...this.#changed].flatMap(([key, product]) =>
      product === undefined ? [key] : [],
    )
    this.#changed.clear()
    this.#links = ProductLinks.removeProducts(ProductLinks.putProducts(before, put), gone)
    return this.#links
  }
}

/** How many searches are remembered. */
const remembered = 8

/** The state of the data at a search. */
interface Searched {
  readonly catalogue: Catalogue
  readonly links: Links
  readonly groups: Table<StoredGroup>
  readonly groupsOf: Index<StoredGroup>
}

/** The results of recent searches, so that the next page does not search again. */
export class Searches {
  readonly #searched: Searched
  readonly #found = new Map<string, ReadonlyArray<CatalogueEntry>>()
  #changes = -1

  constructor(searched: Searched) {
    this.#searched = searched
  }

  /** All products that match a filter, in the order of the catalogue's list. */
  find({ search = "", collaboratorId }: ProductFilter): ReadonlyArray<CatalogueEntry> {
    this.#forgetWhatChanged()
    const text = foldText(search)
    const name = JSON.stringify([text, collaboratorId])
    const known = this.#found.get(name)
    const found = known ?? this.#search(text, collaboratorId)
    this.#found.delete(name)
    this.#found.set(name, found)
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= remembered) break
      this.#found.delete(oldest)
    }
    return found
  }

  #forgetWhatChanged(): void {
    const { catalogue, links, groups } = this.#searched
    const changes = catalogue.changes + links.changes + groups.changes
    if (changes !== this.#changes) this.#found.clear()
    this.#changes = changes
  }

  #search(text: string, collaboratorId: string | undefined): ReadonlyArray<CatalogueEntry> {
    const { catalogue } = this.#searched
    const isLinked = collaboratorId === undefined ? () => true : this.#linkedTo(collaboratorId)
    const all = catalogue.inOrder.list(everything)?.all() ?? []
    return all.filter((entry) => isLinked(entry) && (text === "" || entry.has(text)))
  }

  #linkedTo(collaboratorId: string): (entry: CatalogueEntry) => boolean {
    const { groupsOf, links } = this.#searched
    const ids = new Set<string>()
    for (const { group } of groupsOf.list(collaboratorId) ?? []) ids.add(group.id)
    return ({ key }) => {
      for (const groupId of links.groupsOf(key)) if (ids.has(groupId)) return true
      return false
    }
  }
}
