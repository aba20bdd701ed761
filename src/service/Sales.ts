import * as Context from "effect/Context"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Order } from "../orders/Order.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import type {
  ConversionError,
  MissingExchangeRate,
  RefundBeyondShare,
} from "../payouts/PayoutItem.js"
import type { ScheduleError } from "../payouts/Schedule.js"
import type { ExchangeRates } from "../ports/ExchangeRates.js"
import type { RecordedRefund, RecordedSale } from "../ports/SaleStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import type { InvalidRuleSet } from "../rules/RuleSet.js"
import type { Refund, RefundError } from "../shares/Refund.js"
import type { Split, SplitError } from "../shares/Split.js"
import { makeSales } from "./internal/sales.js"
import type { NotFound, RefundChanged, SaleChanged } from "./ServiceError.js"

/**
 * What became of an order that was recorded.
 *
 * @since 0.2.0
 * @category models
 */
export interface Recording {
  /** Every part of the order, the first one first; each holds its split and where the shares went. */
  readonly parts: ReadonlyArray<RecordedSale>
  /** The items that were recorded just now. */
  readonly newItemIds: ReadonlyArray<string>
  /** The items that had been recorded before; nothing about them changed. */
  readonly knownItemIds: ReadonlyArray<string>
}

/**
 * What recording an order would do now.
 *
 * @since 0.2.0
 * @category models
 */
export interface Preview {
  /** The order, completed from the catalogue. */
  readonly order: Order
  readonly split: Split
}

/**
 * A refund with the host's own id, by which it is known when it comes again.
 *
 * @since 0.2.0
 * @category models
 */
export interface RefundRequest extends Omit<Refund, "refundedAt"> {
  readonly id: string
  /** Unix seconds; now when absent. */
  readonly refundedAt?: number | undefined
}

/**
 * Why a split could not be put into payouts.
 *
 * @since 0.2.0
 * @category errors
 */
export type PostingError =
  | ConversionError
  | MissingExchangeRate
  | RefundBeyondShare
  | ScheduleError
  | NotFound

/**
 * Recording what was sold and what was refunded.
 *
 * @since 0.2.0
 * @category services
 */
export interface SalesService {
  /**
   * Splits an order by the rules of this moment and puts the shares into the collaborators' active payouts,
   * converted to their currencies; a payout is opened where there is none. Items that were recorded before
   * are left alone, so the same order asked twice has one effect. Items that are new are a part of their
   * own. An order without a time was made now.
   *
   * Rates are asked for before anything is written, with no transaction open but that of a unit of work.
   */
  readonly record: (
    accountId: string,
    order: Order,
  ) => Effect.Effect<
    Recording,
    SplitError | InvalidRuleSet | PostingError | SaleChanged | StorageError
  >
  /** What recording an order would do now; nothing is stored. Items that were recorded are split too. */
  readonly preview: (
    accountId: string,
    order: Order,
  ) => Effect.Effect<Preview, SplitError | InvalidRuleSet | StorageError>
  /**
   * Takes back what was shared of an item. Where the payout is not settled the item is reduced; where it
   * is, a negative item goes into the collaborator's active payout. The same refund asked twice has one
   * effect.
   */
  readonly refund: (
    accountId: string,
    refund: RefundRequest,
  ) => Effect.Effect<RecordedRefund, RefundError | PostingError | RefundChanged | StorageError>
  /** The parts of a recorded order. */
  readonly get: (
    accountId: string,
    orderId: string,
  ) => Effect.Effect<ReadonlyArray<RecordedSale>, NotFound | StorageError>
  /** A page of the ledger, the earliest first. */
  readonly list: (
    accountId: string,
    page: PageRequest,
  ) => Effect.Effect<Sliced<RecordedSale>, StorageError>
  /**
   * Splits a recorded order again, by the rules and the policy it was recorded with: the same cents. A
   * split that comes out otherwise is a bug, and dies.
   */
  readonly replay: (
    accountId: string,
    orderId: string,
  ) => Effect.Effect<ReadonlyArray<Split>, NotFound | StorageError>
}

/**
 * Recording what was sold and what was refunded, as a service of Effect.
 *
 * @since 0.2.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Collaborators, ProductGroups, Sales, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const item = { id: "1", product: { id: "p1" }, quantity: 2, amount: 10_000 }
 * const program = Effect.gen(function* () {
 *   const collaborators = yield* Collaborators
 *   yield* collaborators.create("shop", { id: "ada", currency: "EUR" })
 *   const groups = yield* ProductGroups
 *   yield* groups.create("shop", "ada", { link: { type: "products.all" }, percent: "10.00" })
 *   const sales = yield* Sales
 *   const order = { id: "1001", currency: "USD", items: [item] }
 *   const { parts } = yield* sales.record("shop", order)
 *   const refund = { id: "r1", orderId: "1001", itemId: "1", quantity: 1 }
 *   const { reversal } = yield* sales.refund("shop", refund)
 *   return {
 *     shared: parts.map(({ split }) => split.shares.map(({ amount }) => amount)),
 *     rates: parts.map(({ postings }) => postings.map(({ rate }) => rate)),
 *     reversed: reversal.shares.map(({ amount }) => amount),
 *   }
 * })
 * const rates = ExchangeRates.fixed({ "USD/EUR": "0.92" })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, rates])
 * const { shared, rates: kept, reversed } = await Effect.runPromise(Effect.provide(program, layer))
 * shared // => [[1000]]
 * kept // => [["0.92"]]
 * reversed // => [500]
 * ```
 */
export class Sales extends Context.Service<Sales, SalesService>()("apportion/service/Sales") {
  /**
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<Sales, never, Storage | ExchangeRates | SecureRandom> =
    Layer.effect(Sales, makeSales)
}
