/**
 * The counters of an account: how far the terms of its product groups have counted, and what rounding carries on.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PageRequest } from "../pagination/PageRequest.js"
import type { StoredCounter } from "../ports/CounterStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { sliceOf } from "./internal/lookups.js"
import { makeTransactor, type Transactor } from "./internal/transactions.js"

/**
 * Shows the counters of an account. They change with its sales and refunds, in the same transactions, and in no other way.
 *
 * @since 0.6.0
 * @category services
 */
export interface AccountCountersService {
  /**
   * A page of the counters, by key. `Counters.read` says what the key of one of terms means; a remainder that is carried
   * is under `remainder/`, the currency, and `store` or `group/` with the group's id.
   */
  readonly list: (
    accountId: string,
    page: PageRequest,
  ) => Effect.Effect<Sliced<StoredCounter>, StorageError>
}

const list = ({ read }: Transactor): AccountCountersService["list"] =>
  Effect.fn("AccountCounters.list")(function* (accountId: string, page: PageRequest) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* read(accountId, ({ counters }) => counters.list(sliceOf(page)))
  })

/**
 * Shows the counters of an account, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { AccountCounters, Collaborators, ProductGroups, Sales, servicesLayer } from "apportion/service"
 * import { PageRequest } from "apportion"
 * import { Effect, Layer } from "effect"
 *
 * const bands = [{ from: 0, percent: 10 }, { from: 1_000, percent: 15 }]
 * const item = { id: "1", product: { id: "p1" }, quantity: 1_200, amount: 1_200_000 }
 * const program = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "USD" })
 *   const terms = { tiers: { counted: "units", bands } } as const
 *   const group = { id: "g1", link: { type: "products.all" }, terms } as const
 *   yield* (yield* ProductGroups).create("shop", "ada", group)
 *   const { parts } = yield* (yield* Sales).record("shop", { id: "1001", currency: "USD", items: [item] })
 *   const { entries } = yield* (yield* AccountCounters).list("shop", PageRequest.first)
 *   return [parts[0]?.split.shares[0]?.amount, entries]
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * await Effect.runPromise(Effect.provide(program, layer))
 * // => [130000, [{ key: "units/USD/lifetime/group/g1", count: 1200 }]]
 * ```
 */
export class AccountCounters extends Context.Service<AccountCounters, AccountCountersService>()(
  "apportion/service/AccountCounters",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<AccountCounters, never, Storage> = Layer.effect(
    AccountCounters,
    Effect.map(makeTransactor, (transactor) => ({ list: list(transactor) })),
  )
}
