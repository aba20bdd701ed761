import * as Context from "effect/Context"
import type { Slice } from "../ports/Slice.js"

/**
 * Which part of a payout's items is read, of so many that it has; `undefined`: all of them.
 *
 * @since 0.6.0
 * @category models
 */
export type ItemsChoice = (itemsCount: number) => Slice | undefined

/**
 * The choice that holds where this runs: whatever gives a payout with its items reads that part of them alone,
 * in the order in which they were added. All of them, when nothing is said.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ChosenItems, Payouts } from "apportion/service"
 * import { Effect, Layer } from "effect"
 * import { SecureRandom } from "effect/crypto"
 *
 * const newest = (itemsCount: number) => ({ offset: Math.max(0, itemsCount - 100), limit: 100 })
 * const viewed = Effect.gen(function* () {
 *   const payouts = yield* Payouts
 *   return yield* Effect.provideService(payouts.get("shop", "p1"), ChosenItems, newest)
 * })
 * const layer = Payouts.layer.pipe(
 *   Layer.provide(MemoryStorage.layer),
 *   Layer.provide(SecureRandom.layerWebCrypto),
 * )
 * const { _tag } = await Effect.runPromise(Effect.flip(Effect.provide(viewed, layer)))
 * _tag // => "NotFound"
 * ```
 */
export const ChosenItems: Context.Reference<ItemsChoice> = Context.Reference<ItemsChoice>(
  "apportion/service/ChosenItems",
  { defaultValue: () => () => undefined },
)
