import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { refusal, show } from "../internal/problems.js"
import { sameData } from "../internal/sameData.js"
import type { Language } from "../languages/Language.js"
import type { Order } from "../orders/Order.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import * as SeenExplanation from "../payouts/SeenExplanation.js"
import { ExchangeRates } from "../ports/ExchangeRates.js"
import type { LedgerOrder, RecordedRefund, RecordedSale, SaleFilter } from "../ports/SaleStore.js"
import type { Sliced } from "../ports/Slice.js"
import { Storage } from "../ports/Storage.js"
import { Conflict, type StorageError, type StorageFailure } from "../ports/StorageError.js"
import type { InvalidRuleSet } from "../rules/RuleSet.js"
import * as Explanation from "../shares/Explanation.js"
import type { RefundError } from "../shares/Refund.js"
import * as Split from "../shares/Split.js"
import { Batch } from "./internal/batch/Batch.js"
import { inForce } from "./internal/chosenSettings.js"
import { collectingPayoutOf, isCounted, splitCounted } from "./internal/counters/countedOrder.js"
import { needCollaborator, sliceOf } from "./internal/lookups.js"
import { rangeProblems } from "./internal/payouts/payoutViews.js"
import { makeRulesCache, rulesOf } from "./internal/rules/rules.js"
import { comesOutAgain } from "./internal/rules/saleRules.js"
import { completeOrder } from "./internal/sales/completeOrder.js"
import type { Recording } from "./internal/sales/newSale.js"
import { movedData, type PostingError, recordRefund } from "./internal/sales/postings.js"
import { type RefundPreview, takenBack } from "./internal/sales/refundPreview.js"
import { checkRequest, type RefundRequest, recordedAgain } from "./internal/sales/refundRequest.js"
import { SaleQueue } from "./internal/sales/SaleQueue.js"
import {
  type AttemptExit,
  attemptTogether,
  callOf,
  type RecordingTools,
  type SaleError,
} from "./internal/sales/saleAttempts.js"
import * as saleTotals from "./internal/sales/saleTotals.js"
import { parseOrder } from "./internal/sales/storableOrder.js"
import { die, emit, makeTransactor, now } from "./internal/transactions.js"
import { InvalidSaleFilter, NotFound, type RefundChanged } from "./ServiceError.js"
import { Settings } from "./Settings.js"

export type { Recording } from "./internal/sales/newSale.js"
export type { PostingError } from "./internal/sales/postings.js"
export type { RefundPreview, TakenBack } from "./internal/sales/refundPreview.js"
export type { RefundRequest } from "./internal/sales/refundRequest.js"
export type { SaleError } from "./internal/sales/saleAttempts.js"

/**
 * The outcome of an order. `recorded`: something of it is new. `known`: all of it was recorded before. `refused`:
 * nothing of it was kept.
 *
 * @since 0.6.0
 * @category models
 */
export type SaleOutcome =
  | { readonly type: "recorded" | "known"; readonly recording: Recording }
  | { readonly type: "refused"; readonly error: SaleError | StorageFailure }

/**
 * Why a re-split changed the shares of a collaborator in one part of an order, as they may see it: the split that is in
 * force since then.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenAdjustment {
  readonly runId: string
  readonly explanation: SeenExplanation.SeenExplanation
  /** The same in words, with the products' names. */
  readonly text: string
}

/**
 * Why a collaborator got what they got of one part of an order, as they may see it.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenPart {
  readonly explanation: SeenExplanation.SeenExplanation
  /** The same in words, with the products' names. */
  readonly text: string
  /** What later re-splits changed, in their order; absent: none gave the collaborator a share. */
  readonly adjustments?: ReadonlyArray<SeenAdjustment> | undefined
}

/**
 * Which recorded sales are listed, and in which order.
 *
 * @since 0.6.0
 * @category models
 */
export interface SaleQuery extends SaleFilter {
  /** By the time of their recording, the earliest first when absent. */
  readonly order?: LedgerOrder | undefined
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
  readonly split: Split.Split
}

/**
 * Records sales and refunds.
 *
 * @since 0.2.0
 * @category services
 */
export interface SalesService {
  /**
   * Splits an order by the current rules and adds the shares to the collaborators' active payouts, converted to their
   * currencies; a payout is opened where there is none. Items recorded before stay as they are, so recording the same
   * order twice has one effect. New items form a new part of the order, and so do units added to a recorded item, as an
   * item of their own that is named after it (`1+1`). Fewer units are a refund and are refused. An order without a time
   * gets the current time.
   *
   * Exchange rates are requested before anything is written, with no transaction open except that of a unit of work.
   *
   * Calls of one account that arrive while another one is being written are written together after it. A call that is
   * interrupted before its turn is not recorded; after that, the interruption waits until the sale is recorded.
   */
  readonly record: (
    accountId: string,
    order: Order,
  ) => Effect.Effect<Recording, SaleError | StorageError>
  /**
   * Records many orders in sequence, each as {@link record} would, up to a thousand in one transaction, which is many
   * times as fast. Returns the outcome of each, in their order; a refused order leaves the others as they are. When the
   * storage fails, the orders recorded until then stay, and recording all again has one effect.
   *
   * @since 0.6.0
   */
  readonly recordAll: (
    accountId: string,
    orders: ReadonlyArray<Order>,
  ) => Effect.Effect<ReadonlyArray<SaleOutcome>, StorageError>
  /** What recording an order would do now; nothing is stored. Items recorded before are split too. */
  readonly preview: (
    accountId: string,
    order: Order,
  ) => Effect.Effect<Preview, Split.SplitError | InvalidRuleSet | StorageError>
  /**
   * Reverses the shares of an item. In a payout that is not settled the item is reduced; otherwise a negative item
   * goes into the collaborator's active payout. Recording the same refund twice has one effect.
   */
  readonly refund: (
    accountId: string,
    refund: RefundRequest,
  ) => Effect.Effect<RecordedRefund, RefundError | PostingError | RefundChanged | StorageError>
  /**
   * What {@link refund} would take back of whom now, or why it would be refused; nothing is stored.
   *
   * @since 0.6.0
   */
  readonly previewRefund: (
    accountId: string,
    refund: RefundRequest,
  ) => Effect.Effect<RefundPreview, RefundError | PostingError | RefundChanged | StorageError>
  /** The parts of a recorded order. */
  readonly get: (
    accountId: string,
    orderId: string,
  ) => Effect.Effect<ReadonlyArray<RecordedSale>, NotFound | StorageError>
  /** A page of the recorded sales that match the whole filter, the earliest recorded first unless it says otherwise. */
  readonly list: (
    accountId: string,
    query: SaleQuery,
    page: PageRequest,
  ) => Effect.Effect<Sliced<RecordedSale>, InvalidSaleFilter | StorageError>
  /**
   * Why a collaborator got what they got of a recorded order, part by part, as they may see it: only their shares, and
   * only what their permissions show. An order in which they have no share is not found, as if it did not exist. The
   * words are in English, or in the language of the options.
   *
   * @since 0.6.0
   */
  readonly explain: (
    accountId: string,
    orderId: string,
    collaboratorId: string,
    options?: { readonly language?: Language | undefined },
  ) => Effect.Effect<ReadonlyArray<SeenPart>, NotFound | StorageError>
  /**
   * Splits a recorded order again, by the rules and the policy it was recorded with, to the same cents. A different
   * result is a bug, and dies.
   */
  readonly replay: (
    accountId: string,
    orderId: string,
  ) => Effect.Effect<ReadonlyArray<Split.Split>, NotFound | StorageError>
}

/** All that the methods share. */
interface Dependencies extends RecordingTools {
  readonly queue: SaleQueue
}

const record = (world: Dependencies): SalesService["record"] =>
  Effect.fn("Sales.record")(function* (accountId: string, input: Order) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const order = yield* Effect.fromResult(parseOrder(input))
    yield* Effect.annotateCurrentSpan({ orderId: order.id })
    return yield* world.queue.record(accountId, order)
  })

/** The outcome of an order; a conflict, or a failure of all orders, fails the whole call. */
const outcomeOf = (exit: AttemptExit): Effect.Effect<SaleOutcome, StorageError> => {
  const outcome = Effect.flatMapEager(exit, (done): Effect.Effect<SaleOutcome> => {
    if ("missing" in done) return die("rates that are missing were not asked for")
    const { recording } = done
    const type = recording.newItemIds.length === 0 ? "known" : "recorded"
    return Effect.succeed({ type, recording })
  })
  return Effect.catchEager(outcome, (error) =>
    error instanceof Conflict
      ? Effect.fail(error)
      : Effect.succeed<SaleOutcome>({ type: "refused", error }),
  )
}

const recordAll = (world: Dependencies): SalesService["recordAll"] =>
  Effect.fn("Sales.recordAll")(function* (accountId: string, orders: ReadonlyArray<Order>) {
    yield* Effect.annotateCurrentSpan({ accountId, orders: orders.length })
    const call = yield* callOf(world, accountId)
    const all = orders.map((order) => parseOrder(order))
    const given = all.flatMap((order) =>
      Result.isSuccess(order) ? [{ order: order.success, call }] : [],
    )
    const exits = yield* attemptTogether(world, accountId, given, { isInOrder: true })
    let next = 0
    return yield* Effect.forEach(all, (order) => {
      if (Result.isFailure(order)) return outcomeOf(Exit.fail(order.failure))
      next += 1
      return outcomeOf(exits[next - 1] ?? Exit.die(`order ${order.success.id} has no outcome`))
    })
  })

const preview = (world: Dependencies): SalesService["preview"] =>
  Effect.fn("Sales.preview")(function* (accountId: string, input: Order) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const order = yield* Effect.fromResult(parseOrder(input))
    const host = yield* world.settings.of(accountId)
    return yield* world.transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const at = yield* now
        const { order: completed } = yield* completeOrder(stores, order, at)
        const rules = yield* rulesOf(world.cache, accountId, stores)
        const { policy, timeZone, maturityDays } = yield* inForce(stores, host)
        if (!isCounted(rules, policy)) {
          const plain = Split.orderResult(rules.rules, completed, policy)
          return { order: completed, split: yield* Effect.fromResult(plain) }
        }
        const payoutOf = collectingPayoutOf(stores, { at, timeZone, maturityDays })
        const counting = { policy, timeZone, payoutOf }
        const { split } = yield* splitCounted(stores, { rules, order: completed }, counting)
        return { order: completed, split }
      }),
    )
  })

const refund = (world: Dependencies): SalesService["refund"] =>
  Effect.fn("Sales.refund")(function* (accountId: string, input: RefundRequest) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const request = yield* Effect.fromResult(checkRequest(input))
    const { id: refundId, orderId, itemId } = request
    yield* Effect.annotateCurrentSpan({ refundId, orderId, itemId })
    const host = yield* world.settings.of(accountId)
    return yield* world.transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const known = yield* stores.sales.refund(refundId)
        if (known !== undefined) return yield* Effect.fromResult(recordedAgain(known, request))
        const { timeZone, maturityDays } = yield* inForce(stores, host)
        const terms = { at: yield* now, timeZone, maturityDays, newId: world.newId }
        const { recorded, moved, currency } = yield* recordRefund(stores, terms, request)
        const { reversal } = recorded
        const about = { refundId, orderId, itemId, currency, shares: reversal.shares.length }
        const data = { ...about, ...saleTotals.ofRefund(recorded), ...movedData(moved) }
        yield* emit({ type: "refund.recorded", data })
        return recorded
      }),
    )
  })

/** Ends an attempt of which nothing is to be kept. */
class Previewed extends Data.TaggedError("Previewed")<{
  readonly recorded: RecordedRefund
  readonly currency: string
}> {}

/** Attempted as a refund is, on stores that keep changes to themselves, and never written. */
const previewRefund = (world: Dependencies): SalesService["previewRefund"] =>
  Effect.fn("Sales.previewRefund")(function* (accountId: string, input: RefundRequest) {
    const request = yield* Effect.fromResult(checkRequest(input))
    const { id: refundId, orderId, itemId } = request
    yield* Effect.annotateCurrentSpan({ accountId, refundId, orderId, itemId })
    const host = yield* world.settings.of(accountId)
    return yield* world.transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const known = yield* stores.sales.refund(refundId)
        if (known !== undefined) {
          const refund = yield* Effect.fromResult(recordedAgain(known, request))
          const [part] = yield* stores.sales.ofOrder(orderId)
          const currency = part?.split.currency ?? (yield* die(`order ${orderId} has no parts`))
          const about = { refund, isRecorded: true, currency }
          return { ...about, ...(yield* takenBack(stores, refund, about)) }
        }
        const { timeZone, maturityDays } = yield* inForce(stores, host)
        const terms = { at: yield* now, timeZone, maturityDays, newId: world.newId }
        const batch = new Batch(stores, { writes: false })
        const attempt = Effect.flatMap(
          recordRefund(batch.stores, terms, request),
          (done): Effect.Effect<Previewed, Previewed> => Effect.fail(new Previewed(done)),
        )
        const { recorded: refund, currency } = yield* Effect.catchTag(
          Effect.flatten(batch.attempt(attempt)),
          "Previewed",
          Effect.succeed,
        )
        const about = { refund, isRecorded: false, currency }
        return { ...about, ...(yield* takenBack(stores, refund, about)) }
      }),
    )
  })

const partsOf = Effect.fnUntraced(function* (
  { transactor }: Dependencies,
  accountId: string,
  orderId: string,
) {
  const recorded = yield* transactor.read(accountId, ({ sales }) => sales.ofOrder(orderId))
  const name = typeof orderId === "string" ? orderId : show(orderId)
  return recorded.length === 0 ? yield* NotFound.of("order", name) : recorded
})

const get = (world: Dependencies): SalesService["get"] =>
  Effect.fn("Sales.get")(function* (accountId: string, orderId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, orderId })
    return yield* partsOf(world, accountId, orderId)
  })

const list = (world: Dependencies): SalesService["list"] =>
  Effect.fn("Sales.list")(function* (
    accountId: string,
    { order, ...filter }: SaleQuery,
    page: PageRequest,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const problems = rangeProblems("recorded", filter.recorded)
    if (problems.length > 0) return yield* refusal(InvalidSaleFilter)(problems)
    return yield* world.transactor.read(accountId, ({ sales }) =>
      sales.list(filter, sliceOf(page), order),
    )
  })

/** What a collaborator may see of a part; `undefined`: they have no share of it, by any of its splits. */
const seenPart = (
  { order, split, adjustments = [] }: RecordedSale,
  collaborator: Collaborator,
  language: Language | undefined,
): SeenPart | undefined => {
  const called = new Map(order.items.map(({ id, product }) => [id, product.name]))
  const names = { item: (itemId: string) => called.get(itemId) }
  const seenOf = (of: Split.Split) => {
    const explanation = SeenExplanation.of(Explanation.ofSplit(of), collaborator)
    return { explanation, text: SeenExplanation.toText(explanation, { names, language }) }
  }
  const own = seenOf(split)
  const since = adjustments
    .map(({ runId, adjustment }) => ({ runId, ...seenOf(adjustment.split) }))
    .filter(({ explanation }) => explanation.items.length > 0)
  if (since.length > 0) return { ...own, adjustments: since }
  return own.explanation.items.length === 0 ? undefined : own
}

/** A collaborator does not learn of an order in which they have no share. */
const explain = (world: Dependencies): SalesService["explain"] =>
  Effect.fn("Sales.explain")(function* (
    accountId: string,
    orderId: string,
    collaboratorId: string,
    { language }: { readonly language?: Language | undefined } = {},
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, orderId, collaboratorId })
    return yield* world.transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const { collaborator } = yield* needCollaborator(stores, collaboratorId)
        const recorded = yield* stores.sales.ofOrder(orderId)
        const seen = recorded.flatMap((part) => seenPart(part, collaborator, language) ?? [])
        return seen.length === 0 ? yield* NotFound.of("order", orderId) : seen
      }),
    )
  })

const splitAgain = (sale: RecordedSale): Effect.Effect<Split.Split> => {
  const { orderId, part, policy, split } = sale
  if (sameData(policy, split.policy) && comesOutAgain(split, sale)) return Effect.succeed(split)
  const message = `part ${part} of order ${orderId} does not split again as it was recorded`
  return die(message)
}

const replay = (world: Dependencies): SalesService["replay"] =>
  Effect.fn("Sales.replay")(function* (accountId: string, orderId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, orderId })
    return yield* Effect.forEach(yield* partsOf(world, accountId, orderId), splitAgain)
  })

/** The service of a layer that is being built. */
const makeSales: Effect.Effect<SalesService, never, Storage | ExchangeRates | SecureRandom> =
  Effect.gen(function* () {
    const tools: RecordingTools = {
      transactor: yield* makeTransactor,
      settings: yield* Settings,
      exchangeRates: yield* ExchangeRates,
      newId: (yield* SecureRandom).uuidV7(),
      cache: makeRulesCache(),
    }
    const world = { ...tools, queue: new SaleQueue(tools, yield* Storage) }
    return {
      record: record(world),
      recordAll: recordAll(world),
      preview: preview(world),
      refund: refund(world),
      previewRefund: previewRefund(world),
      get: get(world),
      list: list(world),
      explain: explain(world),
      replay: replay(world),
    }
  })

/**
 * Records sales and refunds, as an Effect service.
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
