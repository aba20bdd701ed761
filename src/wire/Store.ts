/**
 * Everything of one account as one JSON document, to begin with.
 *
 * @since 0.2.0
 */
import type * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import type { Product } from "../orders/Product.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { Payout } from "../payouts/Payout.js"
import type { ProductGroup } from "../rules/ProductGroup.js"
import type { Unreadable } from "../Unreadable.js"
import { readStore } from "./internal/storeDocument.js"

/**
 * A product group of a store.
 *
 * @since 0.2.0
 * @category models
 */
export interface StoreGroup {
  readonly group: ProductGroup
  /** Unix seconds; `null`: the JSON does not say. */
  readonly updatedAt: number | null
}

/**
 * What an account has to begin with. Every collaborator that a group or a payout names is among the
 * collaborators.
 *
 * @since 0.2.0
 * @category models
 */
export interface Store {
  readonly collaborators: ReadonlyArray<Collaborator>
  readonly products: ReadonlyArray<Product>
  readonly groups: ReadonlyArray<StoreGroup>
  readonly payouts: ReadonlyArray<Payout>
}

/**
 * Every field that a store's JSON can have. Unlike elsewhere others are refused: under a misspelt name a
 * whole list would be lost.
 *
 * @since 0.2.0
 * @category constants
 */
export const fields: ReadonlyArray<string> = ["collaborators", "products", "groups", "payouts"]

/**
 * Reads a store: `collaborators`, `products`, `groups` and `payouts`, each a list that may be absent, each
 * entry as its own reader reads it. Links and conditions of groups need values.
 *
 * The collaborator of a group or a payout is one of the list, or an object with everything that is needed;
 * where both are there, the list counts, and of several objects the first, groups before payouts. Ids must not repeat (products: id and variant together), and a
 * collaborator has at most one active payout of a currency. Fails with `Unreadable`, which lists every
 * problem with its path, as `groups[3].percentage`.
 *
 * @since 0.2.0
 * @category decoding
 * @example
 * ```ts
 * import { Store } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const store = Store.read({
 *   collaborators: [{ id: "ada", currency: "EUR" }],
 *   products: [{ id: "p1", tags: ["art"] }],
 *   groups: [
 *     {
 *       id: "g1",
 *       collaborator_id: "ada",
 *       itemType: "products.tag",
 *       items: ["art"],
 *       type: "percentage",
 *       percentage: 12.5,
 *     },
 *   ],
 * })
 * Result.getOrThrow(store).groups[0]?.group.percent // => "12.50"
 * Result.getOrThrow(store).payouts // => []
 * Result.getOrThrow(Result.flip(Store.read({ payout: [] }))).problems[0]?.path // => "payout"
 * ```
 */
export const read = (input: unknown): Result.Result<Store, Unreadable> =>
  reader.read(input, { what: "store", read: (node) => readStore(node, fields) })
