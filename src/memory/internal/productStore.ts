import type { Product } from "../../matching/Product.js"
import type { ProductFilter, ProductStore } from "../../ports/ProductStore.js"
import type { Slice, Sliced } from "../../ports/Slice.js"
import type { Account } from "./Account.js"
import { Entry } from "./Catalogue.js"
import type { Journal } from "./Journal.js"
import { sealed } from "./sealed.js"
import { everything, slicedArray, slicedList } from "./Table.js"

const remove = (account: Account, journal: Journal, key: string): void => {
  const { catalogue, links } = account
  const entry = catalogue.get(key)
  if (entry === undefined) return
  for (const groupId of [...links.groupsOf(key)]) links.remove(journal, groupId, entry)
  catalogue.remove(journal, key)
}

const list = (account: Account, filter: ProductFilter, slice: Slice): Sliced<Entry> =>
  (filter.search ?? "").trim() === "" && filter.collaboratorId === undefined
    ? slicedList(account.catalogue.inOrder.list(everything), slice)
    : slicedArray(account.searches.find(filter), slice)

/** A slice of products, of a slice of entries. */
export const productsOf = ({ entries, total }: Sliced<Entry>): Sliced<Product> => ({
  entries: entries.map(({ product }) => product),
  total,
})

/** The store of products within one transaction. */
export const make = (account: Account, journal: Journal): ProductStore => {
  const { catalogue } = account
  const inOrderOfKeys = () => catalogue.inOrderOfKeys.list(everything)
  return {
    put: (products) =>
      journal.write("put products", () => {
        for (const product of products) catalogue.put(journal, new Entry(sealed(product)))
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
    batch: ({ after, limit }) =>
      journal.read("read a batch of products", () =>
        (inOrderOfKeys()?.from(({ key }) => after === undefined || key > after, limit) ?? []).map(
          ({ product }) => product,
        ),
      ),
  }
}
