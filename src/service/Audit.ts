/**
 * Holding payouts against their histories.
 *
 * @since 0.3.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { auditPayout, auditPayouts } from "./internal/audit.js"
import { makeTransactor } from "./internal/transactions.js"
import type { NotFound } from "./ServiceError.js"

/**
 * What a difference is about. `payout`: the payout as it is stored. `item`: one of its items, or one that is
 * missing or too many. `order`: the order of its items. `missing entry`: its history lacks a version.
 * `broken chain`: an entry begins with something else than the one before it ended with. `wrong entry`: an
 * entry says that something came of a change which can't have.
 *
 * @since 0.3.0
 * @category models
 */
export type DifferenceKind =
  | "payout"
  | "item"
  | "order"
  | "missing entry"
  | "broken chain"
  | "wrong entry"

/**
 * Something about a payout that is not as its history makes it.
 *
 * @since 0.3.0
 * @category models
 */
export interface PayoutDifference {
  readonly payoutId: string
  readonly kind: DifferenceKind
  /** The version of the entry in which it is; `null`: in the payout or its items as they are stored. */
  readonly version: number | null
  /** What differs, as `total`, `items[1001/1/ada].amount` or `after.status`. */
  readonly field: string
  /** What stands there; `null`: nothing. */
  readonly stored: unknown
  /** What the history makes of it; `null`: nothing. */
  readonly rebuilt: unknown
  /** All of it in words. It names amounts, so it is not for every log. */
  readonly message: string
}

/**
 * What an audit found.
 *
 * @since 0.3.0
 * @category models
 */
export interface PayoutAudit {
  /** How many payouts were looked at. */
  readonly checked: number
  /** Everything that is not as it must be, payout by payout; empty: all is well. */
  readonly differences: ReadonlyArray<PayoutDifference>
}

/**
 * Holding payouts against their histories: from its history alone, each payout's items, total, count,
 * status and times are worked out again and compared with what is stored.
 *
 * @since 0.3.0
 * @category services
 */
export interface AuditService {
  /**
   * Audits every payout of an account, by id. They are gone through some at a time, each transaction seeing
   * its own as they are at one moment, so that the account goes on working and one payout at a time is in
   * memory, however many there are.
   */
  readonly payouts: (accountId: string) => Effect.Effect<PayoutAudit, StorageError>
  /** Audits one payout. */
  readonly payout: (
    accountId: string,
    payoutId: string,
  ) => Effect.Effect<PayoutAudit, NotFound | StorageError>
}

/**
 * Holding payouts against their histories, as a service of Effect.
 *
 * @since 0.3.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Audit, Collaborators, ProductGroups, Sales, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }
 * const audited = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const group = { link: { type: "products.all" }, percent: "10" } as const
 *   yield* (yield* ProductGroups).create("shop", "ada", group)
 *   yield* (yield* Sales).record("shop", { id: "o1", currency: "EUR", items: [item] })
 *   return yield* (yield* Audit).payouts("shop")
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * await Effect.runPromise(Effect.provide(audited, layer)) // => { checked: 1, differences: [] }
 * ```
 */
export class Audit extends Context.Service<Audit, AuditService>()("apportion/service/Audit") {
  /**
   * @since 0.3.0
   */
  static readonly layer: Layer.Layer<Audit, never, Storage> = Layer.effect(
    Audit,
    Effect.map(makeTransactor, (transactor) => ({
      payouts: auditPayouts(transactor),
      payout: auditPayout(transactor),
    })),
  )
}
