import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Product } from "../orders/Product.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { ProductFilter } from "../ports/ProductStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { makeProducts } from "./internal/products.js"
import { makeRulesCache } from "./internal/rules.js"
import { makeTransactor } from "./internal/transactions.js"
import type { InvalidProducts } from "./ServiceError.js"

/**
 * A product in a list, with the collaborators whose groups it is linked to.
 *
 * @since 0.2.0
 * @category models
 */
export interface ListedProduct {
  readonly product: Product
  /** By id; empty when they were not asked for. */
  readonly collaborators: ReadonlyArray<Collaborator>
}

/**
 * Which products are asked for.
 *
 * @since 0.2.0
 * @category models
 */
export interface ProductQuery extends ProductFilter {
  /** Whether each product comes with its collaborators; not when absent. */
  readonly includeCollaborators?: boolean | undefined
}

/**
 * The product catalogue of an account.
 *
 * @since 0.2.0
 * @category services
 */
export interface ProductsService {
  /**
   * Adds products or changes them, and links just those anew. One entry for each variant; entries are told
   * apart by `productKeyOf`. When one can't be used, none is taken.
   */
  readonly put: (
    accountId: string,
    products: ReadonlyArray<Product>,
  ) => Effect.Effect<void, InvalidProducts | StorageError>
  /** Removes entries by their keys, with their links. Keys of no product have no effect. */
  readonly remove: (
    accountId: string,
    keys: ReadonlyArray<string>,
  ) => Effect.Effect<void, StorageError>
  /** A page of the catalogue, by name. */
  readonly list: (
    accountId: string,
    query: ProductQuery,
    page: PageRequest,
  ) => Effect.Effect<Sliced<ListedProduct>, StorageError>
}

/**
 * The product catalogue of an account, as a service of Effect.
 *
 * @since 0.2.0
 * @category services
 */
export class Products extends Context.Service<Products, ProductsService>()(
  "apportion/service/Products",
) {
  /**
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<Products, never, Storage> = Layer.effect(
    Products,
    Effect.map(makeTransactor, (transactor) =>
      makeProducts({ transactor, rules: makeRulesCache() }),
    ),
  )
}
