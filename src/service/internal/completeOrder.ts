import * as Effect from "effect/Effect"
import * as Catalogue from "../../orders/Catalogue.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import { productKeyOf } from "../../ports/ProductStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"

const idsOf = ({ id, externalId, externalVariantId }: Product): ReadonlyArray<string> =>
  [id, externalId, externalVariantId].filter((one) => one !== undefined)

/** Fills in from the catalogue what an order leaves out; an order without a time was made now. */
export const completeOrder = Effect.fnUntraced(function* (
  stores: Stores,
  order: Order,
  at: number,
): Effect.fn.Return<Order, StorageError> {
  const ids = [...new Set(order.items.flatMap((item) => idsOf(item.product)))]
  const found = ids.length === 0 ? [] : yield* stores.products.find(ids)
  const keyed = found.map((product) => ({ key: productKeyOf(product), product }))
  const products = keyed
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ product }) => product)
  const dated = { ...order, createdAt: order.createdAt ?? at }
  return Catalogue.complete(Catalogue.make(products), dated)
})
