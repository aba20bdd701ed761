/**
 * The storage port in memory: complete and transactional, for tests, demonstrations and hosts that need
 * nothing to outlive the process.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Storage, type StorageService } from "../ports/Storage.js"
import * as transactions from "./internal/transactions.js"

/**
 * Makes a storage with nothing in it. Transactions of one account run one after the other, in the order
 * in which they were asked for; those of different accounts run side by side.
 *
 * A transaction must not be run within another of the same account: it would wait for itself.
 *
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { Effect } from "effect"
 *
 * const products = await Effect.runPromise(
 *   Effect.gen(function* () {
 *     const storage = yield* MemoryStorage.make
 *     yield* storage.transaction("shop", ({ products }) => products.put([{ id: "p1", name: "Mug" }]))
 *     return yield* storage.transaction("shop", ({ products }) => products.get(["p1", "p2"]))
 *   }),
 * )
 * products // => [{ id: "p1", name: "Mug" }]
 * ```
 */
export const make: Effect.Effect<StorageService> = Effect.sync(transactions.makeStorage)

/**
 * The storage port, kept in memory; empty each time the layer is built.
 *
 * @since 0.2.0
 * @category layers
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { Storage } from "apportion/ports"
 * import { Effect } from "effect"
 *
 * const accounts = Effect.flatMap(Storage, (storage) => storage.accounts)
 * await Effect.runPromise(Effect.provide(accounts, MemoryStorage.layer)) // => []
 * ```
 */
export const layer: Layer.Layer<Storage> = Layer.effect(Storage, make)
