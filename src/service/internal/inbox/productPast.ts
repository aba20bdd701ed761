/** What a product was at a time, so that orders that come late are split as they would have been then. */
import * as Effect from "effect/Effect"
import { sameData } from "../../../internal/sameData.js"
import * as Catalogue from "../../../orders/Catalogue.js"
import type { Order } from "../../../orders/Order.js"
import type { Product } from "../../../orders/Product.js"
import type { ProductState } from "../../../ports/InboxStore.js"
import type { Platform } from "../../../ports/Platform.js"
import { productKeyOf } from "../../../ports/ProductStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { type InboxCall, keyOf } from "./inboxSteps.js"

// Variants that the product only names, and that are reported on their own.

type Texts = ReadonlyArray<string> | undefined

/** The product's values, then the variant's own, each once; `undefined`: neither has any. */
const both = (first: Texts, second: Texts): Texts =>
  first === undefined && second === undefined
    ? undefined
    : [...new Set([...(first ?? []), ...(second ?? [])])]

/** The values that a variant reported itself. */
const ownOf = (all: Texts, old: Texts): Texts => all?.filter((one) => old?.includes(one) !== true)

export const isBase = ({ externalVariantId }: Product): boolean => externalVariantId === undefined

/** A variant completed with the values of its product. */
export const completedVariant = (own: Product, base: Product | undefined): Product => ({
  ...own,
  name: own.name ?? base?.name,
  vendor: own.vendor ?? base?.vendor,
  tags: both(base?.tags, own.tags) ?? [],
  otherIds: both(base?.otherIds, own.otherIds),
})

/** The variants that a product names, each with its own reported values. */
export const withKnown = (
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

// The states of a product.

/** How many states of a product are kept. */
const mostStates = 20

/** What rules and the policy look at; stock and names change all the time. */
const seenOf = ({ products }: ProductState) =>
  products.map(({ name: _, price: __, inventoryQuantity: ___, ...seen }) => seen)

const isSame = (one: ProductState, other: ProductState): boolean =>
  sameData(seenOf(one), seenOf(other))

/** How many times are kept at which a state was reported again. */
const mostTimes = 100

/** Each state at each of the times at which it was reported. */
const statesByTime = (states: ReadonlyArray<ProductState>): ReadonlyArray<ProductState> =>
  states.flatMap(({ again = [], ...state }) => [
    state,
    ...again.map((updatedAt) => ({ ...state, updatedAt })),
  ])

/** Combines equal states that follow one another, with all their times: another state may still come in between. */
const together = (states: ReadonlyArray<ProductState>): ReadonlyArray<ProductState> => {
  const all: Array<ProductState> = []
  for (const state of states) {
    const last = all.at(-1)
    if (last === undefined || !isSame(last, state)) all.push(state)
    else {
      const again = [...(last.again ?? []), state.updatedAt].slice(-mostTimes)
      all[all.length - 1] = { ...last, again }
    }
  }
  return all
}

/** The state of a product at a time; before the first known state, that one. */
const stateAt = (states: ReadonlyArray<ProductState>, at: number): ProductState | undefined =>
  states.findLast(({ updatedAt }) => updatedAt <= at) ?? states[0]

/** The states with one more, and whether it differs from the known state of its time. */
export const withProductState = (
  states: ReadonlyArray<ProductState>,
  added: ProductState,
): { readonly states: ReadonlyArray<ProductState>; readonly isOther: boolean } => {
  const others = statesByTime(states).filter(({ updatedAt }) => updatedAt !== added.updatedAt)
  const before = others.filter(({ updatedAt }) => updatedAt < added.updatedAt)
  const after = others.filter(({ updatedAt }) => updatedAt > added.updatedAt)
  const known = stateAt(states, added.updatedAt)
  const isOther = known !== undefined && !isSame(known, added)
  return { states: together([...before, added, ...after]).slice(-mostStates), isOther }
}

/** The products of a state at a time; before the first known state, those of that one. */
export const productsAt = (
  states: ReadonlyArray<ProductState>,
  at: number,
  current: ReadonlyArray<Product>,
): ReadonlyArray<Product> => {
  const state = stateAt(states, at)
  if (state === undefined) return current
  return state.namesVariants === true ? withKnown(state.products, current) : state.products
}

/** The states of a product, and its entries in the catalogue now. */
export interface ProductHistory {
  readonly states: ReadonlyArray<ProductState>
  readonly current: ReadonlyArray<Product>
  /** What orders themselves say of it. */
  readonly linesSay: Platform["linesSay"]
}

/** The histories of products that have changed, by the platform's ids. */
export type ProductHistories = ReadonlyMap<string, ProductHistory>

/** The histories of the products of an order that have changed. */
export const productHistories = Effect.fnUntraced(function* (
  { platform }: InboxCall,
  stores: Stores,
  { items }: Order,
): Effect.fn.Return<ProductHistories, StorageError> {
  const ids = [...new Set(items.flatMap(({ product }) => product.externalId ?? []))]
  const keys = new Map(ids.map((id) => [keyOf(platform, "product", id), id]))
  const notes = ids.length === 0 ? [] : yield* stores.inbox.notes([...keys.keys()])
  const histories = new Map<string, ProductHistory>()
  for (const note of notes) {
    const states = note.kind === "product" ? (note.states ?? []) : []
    const id = keys.get(note.key)
    if (note.kind !== "product" || id === undefined || states.length < 2) continue
    const found = yield* stores.products.find([id])
    const current = found.filter((one) => one.id === id)
    const products = current.length === 0 ? note.products : current
    histories.set(id, { states, current: products, linesSay: platform.linesSay })
  }
  return histories
})

/** Whether any product has changed since a time. */
export const isOfPast = (histories: ProductHistories, at: number): boolean =>
  [...histories.values()].some(({ states }) => (states.at(-1)?.updatedAt ?? at) > at)

/** A platform's order, completed with its products as they were at a time. */
export const completedAt = (order: Order, histories: ProductHistories, at: number): Order => {
  const products = [...histories.values()].flatMap(({ states, current }) =>
    productsAt(states, at, current),
  )
  return products.length === 0 ? order : Catalogue.complete(Catalogue.make(products), order)
}

const fields = ["tags", "vendor", "cost"] as const

/** Whether an id names the variant, as a line of an order itself may do. */
const isOfItself = ({ externalVariantId, sku }: Product, id: string): boolean =>
  id === `variant:${externalVariantId}` || id === `sku:${sku}`

/** A recorded product as it was at a time. What the order itself said of it stays. */
const productAt = (
  product: Product,
  { states, current, linesSay = [] }: ProductHistory,
  at: number,
): Product => {
  const find = (when: number) =>
    Catalogue.find(Catalogue.make(productsAt(states, when, current)), product)
  const was = find(at)
  if (was === undefined) return product
  const ever = states.flatMap(({ updatedAt }) => find(updatedAt) ?? [])
  const isFromCatalogue = (name: (typeof fields)[number]) =>
    !linesSay.some((said) => said === name) &&
    ever.some((one) => sameData(one[name], product[name]))
  const fromCatalogue = fields.filter(isFromCatalogue)
  const catalogued = Object.fromEntries(fromCatalogue.map((name) => [name, was[name]]))
  const ids = new Set(ever.flatMap(({ otherIds = [] }) => otherIds))
  const own = product.otherIds?.filter((id) => !ids.has(id) || isOfItself(product, id))
  return { ...product, ...catalogued, otherIds: both(own, was.otherIds) }
}

/** A recorded order with its products as they were at a time. */
export const recordedAt = (order: Order, histories: ProductHistories, at: number): Order => ({
  ...order,
  items: order.items.map((item) => {
    const history = histories.get(item.product.externalId ?? "")
    return history === undefined ? item : { ...item, product: productAt(item.product, history, at) }
  }),
})
