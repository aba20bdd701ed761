/** Carrying out what a platform tells of products: the newest counts, and what is removed stays removed. */
import * as Effect from "effect/Effect"
import type { Product } from "../../orders/Product.js"
import type { Occurrence } from "../../ports/Platform.js"
import { productKeyOf } from "../../ports/ProductStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import {
  done,
  type InboxCall,
  type InboxTools,
  isOlder,
  keyOf,
  newest,
  nothing,
  type ProductNote,
} from "./inboxSteps.js"
import { now } from "./transactions.js"

type Told<Kind extends Occurrence["kind"]> = Extract<Occurrence, { readonly kind: Kind }>

const knownProduct = Effect.fnUntraced(function* (
  stores: Stores,
  key: string,
): Effect.fn.Return<ProductNote, StorageError> {
  const [found] = yield* stores.inbox.notes([key])
  const empty = { updatedAt: null, isRemoved: false, products: [] }
  return found?.kind === "product" ? found : { key, at: yield* now, kind: "product", ...empty }
})

/** The entries of a product in the catalogue. */
const entriesOf = (
  stores: Stores,
  productId: string,
): Effect.Effect<ReadonlyArray<Product>, StorageError> =>
  Effect.map(stores.products.find([productId]), (found) =>
    found.filter(({ id }) => id === productId),
  )

/** Puts a product with all its variants into the catalogue, and removes those that it no longer has. */
export const productStep = Effect.fnUntraced(function* (
  { products: catalogue }: InboxTools,
  { accountId, platform }: InboxCall,
  stores: Stores,
  { productId, products, updatedAt, isRestored = false }: Told<"product put">,
) {
  const key = keyOf(platform, "product", productId)
  const known = yield* knownProduct(stores, key)
  if (isOlder(updatedAt, known.updatedAt)) return nothing("something newer of the product is known")
  const changed = { ...known, at: yield* now, updatedAt: newest(updatedAt, known.updatedAt) }
  if (known.isRemoved && !isRestored) {
    yield* stores.inbox.putNotes([{ ...changed, products }])
    return nothing("the product was removed", key)
  }
  const keys = new Set(products.map(productKeyOf))
  const before = (yield* entriesOf(stores, productId)).map(productKeyOf)
  const gone = before.filter((one) => !keys.has(one))
  if (gone.length > 0) yield* catalogue.remove(accountId, gone)
  yield* catalogue.put(accountId, products)
  yield* stores.inbox.putNotes([{ ...changed, isRemoved: false, products: [] }])
  return done([key])
})

/** Takes a product out of the catalogue; orders that come later still know what it was. */
export const productRemovalStep = Effect.fnUntraced(function* (
  { products: catalogue }: InboxTools,
  { accountId, platform }: InboxCall,
  stores: Stores,
  { productId }: Told<"product removed">,
) {
  const key = keyOf(platform, "product", productId)
  const known = yield* knownProduct(stores, key)
  if (known.isRemoved) return nothing("the product was removed before")
  const products = yield* entriesOf(stores, productId)
  yield* catalogue.remove(accountId, products.map(productKeyOf))
  yield* stores.inbox.putNotes([{ ...known, at: yield* now, isRemoved: true, products }])
  return done(products.length === 0 ? [] : [key])
})
