/**
 * The connected shops of accounts. The services find the shop of a delivery by the address that it was sent to.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Platform } from "./Platform.js"
import type { StorageFailure } from "./StorageError.js"

/**
 * A shop on a platform, and the account that its deliveries are for.
 *
 * @since 0.6.0
 * @category models
 */
export interface ConnectedShop {
  /** Its part of the address to which its platform sends: letters, digits, `.`, `_` and `-`. */
  readonly key: string
  readonly accountId: string
  readonly platform: Platform
}

/**
 * The port for connected shops.
 *
 * @since 0.6.0
 * @category ports
 */
export interface ConnectedShopsService {
  /** The shop with a key; `undefined` if it does not exist. */
  readonly find: (key: string) => Effect.Effect<ConnectedShop | undefined, StorageFailure>
  /** All shops, of all accounts. */
  readonly all: Effect.Effect<ReadonlyArray<ConnectedShop>, StorageFailure>
}

const fixed = (shops: ReadonlyArray<ConnectedShop>): ConnectedShopsService => ({
  find: (key) => Effect.succeed(shops.find((shop) => shop.key === key)),
  all: Effect.succeed(shops),
})

/**
 * The connected shops, as an Effect reference; none by default.
 *
 * @since 0.6.0
 * @category ports
 */
export const ConnectedShops: Context.Reference<ConnectedShopsService> =
  Context.Reference<ConnectedShopsService>("apportion/ports/ConnectedShops", {
    defaultValue: () => fixed([]),
  })

/**
 * A fixed list of connected shops, as a layer; of two with the same key the first one counts.
 *
 * @since 0.6.0
 * @category layers
 * @example
 * ```ts
 * import { ConnectedShops, connectedShops } from "apportion/ports"
 * import { Webhook } from "apportion/shopify"
 * import { Effect } from "effect"
 *
 * const platform = Webhook.platform({ secrets: ["hush-hush"], shop: "north.myshopify.com", currency: "EUR" })
 * const accountOf = (key: string) =>
 *   Effect.gen(function* () {
 *     const shop = yield* (yield* ConnectedShops).find(key)
 *     return shop?.accountId
 *   })
 * const layer = connectedShops([{ key: "north", accountId: "my-store", platform }])
 * await Effect.runPromise(Effect.provide(accountOf("north"), layer)) // => "my-store"
 * ```
 */
export const connectedShops = (shops: ReadonlyArray<ConnectedShop>): Layer.Layer<never> =>
  Layer.succeed(ConnectedShops, fixed([...shops]))
