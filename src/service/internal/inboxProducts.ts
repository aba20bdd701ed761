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
  NotYet,
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

// Variants of which the product says only that they are there, and which tell the rest by themselves.

type Texts = ReadonlyArray<string> | undefined

/** What a product says, then what its variant says for itself, each once; `undefined`: nothing is said. */
const both = (first: Texts, second: Texts): Texts =>
  first === undefined && second === undefined
    ? undefined
    : [...new Set([...(first ?? []), ...(second ?? [])])]

/** What a variant said for itself. */
const ownOf = (all: Texts, old: Texts): Texts => all?.filter((one) => old?.includes(one) !== true)

const isBase = ({ externalVariantId }: Product): boolean => externalVariantId === undefined

/** A variant with what it has from its product. */
const completed = (own: Product, base: Product | undefined): Product => ({
  ...own,
  name: own.name ?? base?.name,
  vendor: own.vendor ?? base?.vendor,
  tags: both(base?.tags, own.tags) ?? [],
  otherIds: both(base?.otherIds, own.otherIds),
})

/** The variants that a product names, each with what it told of itself. */
const withKnown = (
  products: ReadonlyArray<Product>,
  before: ReadonlyArray<Product>,
): ReadonlyArray<Product> => {
  const old = before.find(isBase)
  const known = new Map(before.map((one) => [productKeyOf(one), one]))
  return products.map((named) => {
    const one = isBase(named) ? undefined : known.get(productKeyOf(named))
    if (one === undefined) return named
    return {
      ...{ ...one, vendor: named.vendor },
      tags: both(named.tags, ownOf(one.tags, old?.tags)) ?? [],
      otherIds: both(named.otherIds, ownOf(one.otherIds, old?.otherIds)),
    }
  })
}

/** The variants that a product does not name, but those that told of themselves later than it. */
const goneVariants = Effect.fnUntraced(function* (
  { platform }: InboxCall,
  stores: Stores,
  keys: ReadonlyArray<string>,
  updatedAt: number | null,
) {
  const notes = keys.length === 0 ? [] : yield* stores.inbox.notes(keys.map(variantKeyOf(platform)))
  const later = new Set(
    notes.flatMap((note) =>
      note.kind === "product" && isOlder(updatedAt, note.updatedAt) ? [note.key] : [],
    ),
  )
  return keys.filter((one) => !later.has(variantKeyOf(platform)(one)))
})

const variantKeyOf = (platform: InboxCall["platform"]) => (productKey: string) =>
  keyOf(platform, "product", productKey)

/** Puts what a variant tells of itself, with what it has from its product. */
export const variantStep = Effect.fnUntraced(function* (
  { products: catalogue }: InboxTools,
  { accountId, platform, isForced }: InboxCall,
  stores: Stores,
  { productId, product, updatedAt }: Told<"variant put">,
) {
  const key = keyOf(platform, "product", productId)
  const own = yield* knownProduct(stores, variantKeyOf(platform)(productKeyOf(product)))
  if (isOlder(updatedAt, own.updatedAt)) return nothing("something newer of the variant is known")
  if ((yield* knownProduct(stores, key)).isRemoved) return nothing("the product was removed")
  const base = (yield* entriesOf(stores, productId)).find(isBase)
  if (base === undefined && !isForced) {
    const message = `variant ${product.externalVariantId ?? ""} is of product ${productId}, which the catalogue does not know yet`
    return yield* new NotYet({ waitsFor: key, message })
  }
  yield* catalogue.put(accountId, [completed(product, base)])
  const newer = newest(updatedAt, own.updatedAt)
  yield* stores.inbox.putNotes([{ ...own, at: yield* now, updatedAt: newer }])
  return done([key])
})

/** Puts a product with all its variants into the catalogue, and removes those that it no longer has. */
export const productStep = Effect.fnUntraced(function* (
  { products: catalogue }: InboxTools,
  call: InboxCall,
  stores: Stores,
  {
    productId,
    products,
    updatedAt,
    isRestored = false,
    namesVariants = false,
  }: Told<"product put">,
) {
  const { accountId } = call
  const key = keyOf(call.platform, "product", productId)
  const known = yield* knownProduct(stores, key)
  if (isOlder(updatedAt, known.updatedAt)) return nothing("something newer of the product is known")
  const changed = { ...known, at: yield* now, updatedAt: newest(updatedAt, known.updatedAt) }
  if (known.isRemoved && !isRestored) {
    yield* stores.inbox.putNotes([{ ...changed, products }])
    return nothing("the product was removed", key)
  }
  const keys = new Set(products.map(productKeyOf))
  const before = yield* entriesOf(stores, productId)
  const others = before.map(productKeyOf).filter((one) => !keys.has(one))
  const gone = namesVariants ? yield* goneVariants(call, stores, others, updatedAt) : others
  if (gone.length > 0) yield* catalogue.remove(accountId, gone)
  yield* catalogue.put(accountId, namesVariants ? withKnown(products, before) : products)
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
