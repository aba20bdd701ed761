import * as Effect from "effect/Effect"
import { show } from "../../../internal/problems.js"
import * as Catalogue from "../../../orders/Catalogue.js"
import type { Order } from "../../../orders/Order.js"
import type { Product } from "../../../orders/Product.js"
import type { Problem } from "../../../Problem.js"
import { productKeyOf } from "../../../ports/ProductStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"

/** The ids by which the products of orders are looked up, each once. */
export const productIdsOf = (orders: Iterable<Order>): ReadonlyArray<string> => {
  const ids = new Set<string>()
  for (const { items } of orders) {
    for (const { product } of items) {
      ids.add(product.id)
      if (product.externalId !== undefined) ids.add(product.externalId)
      if (product.externalVariantId !== undefined) ids.add(product.externalVariantId)
    }
  }
  return [...ids]
}

/** Products in the same order, whatever order a storage gives them in. */
const catalogueOf = (products: ReadonlyArray<Product>): Catalogue.Catalogue => {
  const keyed = products.map((product) => ({ key: productKeyOf(product), product }))
  keyed.sort((one, other) => (one.key < other.key ? -1 : 1))
  return Catalogue.make(keyed.map(({ product }) => product))
}

const nothing = Catalogue.make([])

/** The products of an order, as far as the catalogue knows them. */
const productsOf = (
  stores: Stores,
  order: Order,
): Effect.Effect<ReadonlyArray<Product>, StorageError> => {
  const ids = productIdsOf([order])
  return ids.length === 0 ? Effect.succeed([]) : stores.products.find(ids)
}

/** An order with its time. */
export interface DatedOrder extends Order {
  readonly createdAt: number
}

/** An order as it is split, and its products that are not in the catalogue, each once. */
export interface CompletedOrder {
  readonly order: DatedOrder
  readonly unknown: ReadonlyArray<Product>
}

/** Fills in from the catalogue what an order leaves out; an order without a time gets the current one. */
export const completeOrder = (
  stores: Stores,
  order: Order,
  at: number,
): Effect.Effect<CompletedOrder, StorageError> =>
  Effect.mapEager(productsOf(stores, order), (products) => {
    const isKnown = products.length > 0
    const catalogue = isKnown ? catalogueOf(products) : nothing
    const unknown = new Map<string, Product>()
    for (const { product } of order.items) {
      if (Catalogue.find(catalogue, product) === undefined) unknown.set(product.id, product)
    }
    const { items } = isKnown ? Catalogue.complete(catalogue, order) : order
    const createdAt = order.createdAt ?? at
    return { order: { ...order, createdAt, items }, unknown: [...unknown.values()] }
  })

/** Notes about products that are not in the catalogue: of those, rules see only what the order says. */
export const unknownProducts = (
  { items }: Order,
  unknown: ReadonlyArray<Product>,
): ReadonlyArray<Problem> =>
  unknown.map(({ id: value }) => {
    const path = `items[${items.findIndex(({ product }) => product.id === value)}].product.id`
    const message = `is not in the catalogue, got ${show(value)}: rules saw only what the order says of it`
    return { path, value, message }
  })
