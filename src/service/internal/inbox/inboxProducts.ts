/** Carrying out the occurrences of products: the newest state counts, and a removed product stays removed. */
import * as Effect from "effect/Effect"
import type { Product } from "../../../orders/Product.js"
import type { Occurrence } from "../../../ports/Platform.js"
import { productKeyOf } from "../../../ports/ProductStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { now } from "../transactions.js"
import {
  done,
  type InboxCall,
  type InboxDelivery,
  type InboxTools,
  isOlder,
  keyOf,
  NotYet,
  newest,
  nothing,
  type ProductNote,
} from "./inboxSteps.js"
import { correctAfter } from "./orderCorrections.js"
import { completedVariant, isBase, withKnown, withProductState } from "./productPast.js"

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

/** The variants that a product does not name, except those that were reported later than it. */
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

/** Stores a reported variant, completed with the values of its product. */
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
  yield* catalogue.put(accountId, [completedVariant(product, base)])
  const newer = newest(updatedAt, own.updatedAt)
  yield* stores.inbox.putNotes([{ ...own, at: yield* now, updatedAt: newer }])
  return done([key])
})

/** The clock here may be behind that of a platform, by so many seconds. */
const mostBehind = 600

const salesAtATime = 100

/** The orders that may have been split with another state of a product than that of their time. */
const splitSince = Effect.fnUntraced(function* (
  { sales }: Stores,
  productId: string,
  since: number,
) {
  const filter = { productId, recorded: { from: since - mostBehind } }
  const orderIds = new Set<string>()
  for (let offset = 0; ; offset += salesAtATime) {
    const { entries } = yield* sales.list(filter, { offset, limit: salesAtATime })
    for (const { orderId } of entries) orderIds.add(orderId)
    if (entries.length < salesAtATime) return orderIds
  }
})

interface ProductChange {
  readonly productId: string
  readonly since: number
  /** Whether no earlier state is known, so that this one counts for the time before it too. */
  readonly isFirst: boolean
  readonly delivery: InboxDelivery
}

/** Books how a state of a product changes the orders that arrived before it and happened after it. */
const correctOrders = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  stores: Stores,
  { productId, since, isFirst, delivery }: ProductChange,
) {
  const messages: Array<string> = []
  for (const orderId of yield* splitSince(stores, productId, since)) {
    const [note] = yield* stores.inbox.notes([keyOf(call.platform, "order", orderId)])
    if (note?.kind !== "order" || note.state !== "recorded") continue
    const isSince = note.states?.some((at) => at !== null && at >= since) === true
    if (!isSince && !isFirst) continue
    const parts = yield* stores.sales.ofOrder(orderId)
    const runId = yield* correctAfter(tools, call, stores, { known: { note, parts }, delivery })
    if (runId !== undefined)
      messages.push(`what it changes of order ${orderId} was booked as ${runId}`)
  }
  return messages
})

/** The states of a product with a reported one, and whether orders may have been split with something else. */
const pastWith = (
  known: ProductNote,
  before: ReadonlyArray<Product>,
  { products, updatedAt, namesVariants }: Told<"product put">,
) => {
  const states = known.states ?? []
  if (updatedAt === null) return { states, isOther: false }
  const isFirst = states.length === 0 && known.updatedAt !== null && before.length > 0
  const first = { updatedAt: known.updatedAt ?? updatedAt, products: before, namesVariants }
  return withProductState(isFirst ? [first] : states, { updatedAt, products, namesVariants })
}

/** Puts a product with all its variants into the catalogue, and removes those that it no longer has. */
const putProduct = Effect.fnUntraced(function* (
  { products: catalogue }: InboxTools,
  call: InboxCall,
  stores: Stores,
  { products, updatedAt, namesVariants = false }: Told<"product put">,
  before: ReadonlyArray<Product>,
) {
  const keys = new Set(products.map(productKeyOf))
  const others = before.map(productKeyOf).filter((one) => !keys.has(one))
  const gone = namesVariants ? yield* goneVariants(call, stores, others, updatedAt) : others
  if (gone.length > 0) yield* catalogue.remove(call.accountId, gone)
  yield* catalogue.put(call.accountId, namesVariants ? withKnown(products, before) : products)
})

/** Carries out a state of a product: the newest counts from now on, and each for the orders of its time. */
export const productStep = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  stores: Stores,
  { told, delivery }: { readonly told: Told<"product put">; readonly delivery: InboxDelivery },
) {
  const { productId, products, updatedAt, isRestored = false } = told
  const key = keyOf(call.platform, "product", productId)
  const known = yield* knownProduct(stores, key)
  const before = known.isRemoved ? known.products : yield* entriesOf(stores, productId)
  const { states, isOther } = pastWith(known, before, told)
  const changed = {
    ...known,
    at: yield* now,
    states,
    updatedAt: newest(updatedAt, known.updatedAt),
  }
  const isLate = isOlder(updatedAt, known.updatedAt)
  const isGone = known.isRemoved && !isRestored
  if (!isLate && !isGone) yield* putProduct(tools, call, stores, told, before)
  const ofCatalogue = isGone ? { products } : { isRemoved: false, products: [] }
  yield* stores.inbox.putNotes([isLate ? changed : { ...changed, ...ofCatalogue }])
  const isFirst = states[0]?.updatedAt === updatedAt
  const change = { productId, since: updatedAt ?? 0, isFirst, delivery }
  const booked = isOther ? yield* correctOrders(tools, call, stores, change) : []
  if (booked.length > 0) return done([key], booked)
  if (isLate) return nothing("something newer of the product is known")
  return isGone ? nothing("the product was removed", key) : done([key])
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
