import * as Order from "effect/Order"
import { type Product, searchTexts } from "../../matching/Product.js"
import * as ListOrder from "../../pagination/ListOrder.js"
import { productKeyOf } from "../../ports/ProductStore.js"
import { Index, indexOfAll, Table } from "./Table.js"

const separator = "\n"

/** A product as it lies in the catalogue. */
export class Entry {
  readonly key: string
  readonly product: Product
  /** All texts that searches look in; one text is looked through quicker than many. */
  #texts: string | undefined

  constructor(product: Product) {
    this.key = productKeyOf(product)
    this.product = product
  }

  /** Whether a text that is folded already stands in one of the product's. */
  has(text: string): boolean {
    this.#texts ??= searchTexts(this.product).join(separator)
    if (!this.#texts.includes(text)) return false
    return !text.includes(separator) || searchTexts(this.product).some((one) => one.includes(text))
  }
}

/** The order of a catalogue's list. */
export const byName: Order.Order<Entry> = Order.mapInput(
  ListOrder.products,
  ({ product }: Entry) => product,
)

const byKey: Order.Order<Entry> = Order.mapInput(Order.String, ({ key }: Entry) => key)

/** The products of an account, with the ways in which they are looked for. */
export class Catalogue extends Table<Entry> {
  readonly inOrder: Index<Entry>
  readonly inOrderOfKeys: Index<Entry>
  readonly #byAnyId: ReadonlyArray<Index<Entry>>

  /** @param linked - what has to know when a product is another than before */
  constructor(linked: { readonly exchange: (from?: Entry, to?: Entry) => void }) {
    const inOrder = indexOfAll(byName)
    const inOrderOfKeys = indexOfAll(byKey)
    const byAnyId = [
      new Index(byKey, ({ product }) => product.id),
      new Index(byKey, ({ product }) => product.externalId),
      new Index(byKey, ({ product }) => product.externalVariantId),
    ]
    super(({ key }) => key, [inOrder, inOrderOfKeys, ...byAnyId, linked])
    this.inOrder = inOrder
    this.inOrderOfKeys = inOrderOfKeys
    this.#byAnyId = byAnyId
  }

  /** The products of which one of the ids is one of these, each once. */
  byIds(ids: ReadonlyArray<string>): Array<Product> {
    const found = new Set<Entry>()
    for (const id of new Set(ids)) {
      for (const index of this.#byAnyId) for (const entry of index.list(id) ?? []) found.add(entry)
    }
    return [...found].map(({ product }) => product)
  }
}
