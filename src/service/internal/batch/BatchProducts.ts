/** The products of a batch, each looked up once by any of its ids. */
import * as Effect from "effect/Effect"
import type { Product } from "../../../orders/Product.js"
import { productKeyOf } from "../../../ports/ProductStore.js"
import type { StorageError } from "../../../ports/StorageError.js"

type Find = (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Product>, StorageError>

/** Products by their ids. */
export class BatchProducts {
  /** None under an id: there is no such product. */
  readonly #products = new Map<string, ReadonlyArray<Product>>()

  /** Looks up those that are not known; `ask` asks the storage. */
  find(ids: ReadonlyArray<string>, ask: Find): ReturnType<Find> {
    const known = new Map<string, Product>()
    const unknown: Array<string> = []
    for (const id of new Set(ids)) {
      const products = this.#products.get(id)
      if (products === undefined) unknown.push(id)
      else for (const product of products) known.set(productKeyOf(product), product)
    }
    if (unknown.length === 0) return Effect.succeed([...known.values()])
    return Effect.flatMap(ask(unknown), (found) => {
      const byId = new Map<string, Array<Product>>(unknown.map((id) => [id, []]))
      for (const product of found) {
        const { id, externalId, externalVariantId } = product
        for (const one of new Set([id, externalId, externalVariantId])) {
          if (one !== undefined) byId.get(one)?.push(product)
        }
      }
      for (const [id, products] of byId) this.#products.set(id, products)
      return this.find(ids, ask)
    })
  }
}
