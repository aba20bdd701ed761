import type { Product } from "../../orders/Product.js"
import type { ProductFilter, ProductStore, SelectedProducts } from "../../ports/ProductStore.js"
import type { Slice, Sliced } from "../../ports/Slice.js"
import type { MemoryAccount } from "./Account.js"
import { CatalogueEntry } from "./Catalogue.js"
import type { Journal } from "./Journal.js"
import { sealed } from "./seal.js"
import { everything, firstPlace, slicedArray, slicedList } from "./Table.js"

const remove = (account: MemoryAccount, journal: Journal, key: string): void => {
  const { catalogue, links } = account
  const entry = catalogue.get(key)
  if (entry === undefined) return
  for (const groupId of [...links.groupsOf(key)]) links.remove(journal, groupId, entry)
  catalogue.remove(journal, key)
}

const list = (
  account: MemoryAccount,
  filter: ProductFilter,
  slice: Slice,
): Sliced<CatalogueEntry> =>
  (filter.search ?? "").trim() === "" && filter.collaboratorId === undefined
    ? slicedList(account.catalogue.inOrder.list(everything), slice)
    : slicedArray(account.searches.find(filter), slice)

/** A slice of products, of a slice of entries. */
export const productsOf = ({ entries, total }: Sliced<CatalogueEntry>): Sliced<Product> => ({
  entries: entries.map(({ product }) => product),
  total,
})

const select = (
  { catalogue }: MemoryAccount,
  { link, after = "", limit }: Parameters<NonNullable<ProductStore["selected"]>>[0],
): SelectedProducts => {
  const all = catalogue.selections.keysOf(link)
  const start = firstPlace(all, (key) => key > after)
  const keys = all.slice(start, start + limit)
  const isLast = start + limit >= all.length
  const last = keys.at(-1) ?? after
  const inOrder = catalogue.inOrderOfKeys.list(everything)
  const placeAfter = (place: string) => inOrder?.countBefore(({ key }) => key > place) ?? 0
  const end = isLast ? catalogue.size : placeAfter(last)
  return { keys, scanned: end - placeAfter(after), isLast }
}

/** The store of products within one transaction. */
export const make = (account: MemoryAccount, journal: Journal): ProductStore => {
  const { catalogue } = account
  const inOrderOfKeys = () => catalogue.inOrderOfKeys.list(everything)
  return {
    put: (products) =>
      journal.write("put products", () => {
        for (const product of products) catalogue.put(journal, new CatalogueEntry(sealed(product)))
      }),
    remove: (keys) =>
      journal.write("remove products", () => {
        for (const key of keys) remove(account, journal, key)
      }),
    get: (keys) =>
      journal.read("read products", () => catalogue.find(keys).map(({ product }) => product)),
    find: (ids) => journal.read("find products", () => catalogue.byIds(ids)),
    list: (filter, slice) =>
      journal.read("list products", () => productsOf(list(account, filter, slice))),
    selected: (options) =>
      journal.read("find the products of a link", () => select(account, options)),
    batch: ({ after, limit }) =>
      journal.read("read a batch of products", () =>
        (inOrderOfKeys()?.from(({ key }) => after === undefined || key > after, limit) ?? []).map(
          ({ product }) => product,
        ),
      ),
  }
}
