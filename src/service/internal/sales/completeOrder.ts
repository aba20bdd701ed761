import * as Effect from "effect/Effect"
import { show } from "../../../internal/problems.js"
import * as Catalogue from "../../../orders/Catalogue.js"
import type { Order } from "../../../orders/Order.js"
import type { Product } from "../../../orders/Product.js"
import type { Problem } from "../../../Problem.js"
import { productKeyOf } from "../../../ports/ProductStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"

const idsOf = ({ id, externalId, externalVariantId }: Product): ReadonlyArray<string> =>
  [id, externalId, externalVariantId].filter((one) => one !== undefined)

/** The ids by which the products of an order are looked up. */
export const productIdsOf = ({ items }: Order): ReadonlyArray<string> =>
  items.flatMap((item) => idsOf(item.product))

/** The products of an order, as far as the catalogue knows them. */
const catalogueOf = Effect.fnUntraced(function* (
  stores: Stores,
  order: Order,
): Effect.fn.Return<Catalogue.Catalogue, StorageError> {
  const ids = [...new Set(productIdsOf(order))]
  const found = ids.length === 0 ? [] : yield* stores.products.find(ids)
  const keyed = found.map((product) => ({ key: productKeyOf(product), product }))
  const products = keyed
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ product }) => product)
  return Catalogue.make(products)
})

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
  Effect.map(catalogueOf(stores, order), (catalogue) => {
    const unknown = new Map<string, Product>()
    for (const { product } of order.items) {
      if (Catalogue.find(catalogue, product) === undefined) unknown.set(product.id, product)
    }
    const createdAt = order.createdAt ?? at
    const completed = Catalogue.complete(catalogue, { ...order, createdAt })
    return { order: { ...completed, createdAt }, unknown: [...unknown.values()] }
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
