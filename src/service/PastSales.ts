/**
 * Sales of the past, which were paid before they are recorded here.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { refusal } from "../internal/problems.js"
import type { Order } from "../orders/Order.js"
import * as Schedule from "../payouts/Schedule.js"
import { ExchangeRates, type ExchangeRatesService } from "../ports/ExchangeRates.js"
import type { RecordedRefund } from "../ports/SaleStore.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { InvalidRefund, type Refund, type RefundError } from "../shares/Refund.js"
import { InvalidOrder } from "../shares/Split.js"
import { Batch } from "./internal/batch/Batch.js"
import { inForce } from "./internal/chosenSettings.js"
import { refundRequests } from "./internal/inbox/refundRequests.js"
import {
  importRefund,
  importSale,
  type PastRefundRequest,
  type PastSession,
  pastSession,
} from "./internal/past/pastWork.js"
import { SaleRates } from "./internal/rates.js"
import { makeRulesCache, type RulesCache, rulesOnce } from "./internal/rules/rules.js"
import { type DatedOrder, productIdsOf } from "./internal/sales/completeOrder.js"
import type { PostingError } from "./internal/sales/postings.js"
import { checkRequest, type RefundRequest } from "./internal/sales/refundRequest.js"
import { isStorageError, mostTogether, type SaleError } from "./internal/sales/saleAttempts.js"
import { parseOrder } from "./internal/sales/storableOrder.js"
import { die, makeTransactor, now, type Transactor } from "./internal/transactions.js"
import { type Recording, Sales, type SalesService } from "./Sales.js"
import type { RefundChanged } from "./ServiceError.js"
import { Settings, type SettingsService, type SettingsValue } from "./Settings.js"

/**
 * The time up to which everything was paid.
 *
 * @since 0.6.0
 * @category models
 */
export interface PaidOptions {
  /** Unix seconds, in the past: what was sold or refunded before this time was paid. */
  readonly paidUntil: number
}

/**
 * A sale of the past.
 *
 * @since 0.6.0
 * @category models
 */
export interface SaleEntry {
  readonly sale: Order
  readonly refund?: undefined
}

/**
 * A refund of the past.
 *
 * @since 0.6.0
 * @category models
 */
export interface RefundEntry {
  readonly sale?: undefined
  readonly refund: RefundRequest
}

/**
 * A sale or a refund of the past.
 *
 * @since 0.6.0
 * @category models
 */
export type PastEntry = SaleEntry | RefundEntry

/**
 * Why a sale of the past was refused.
 *
 * @since 0.6.0
 * @category errors
 */
export type PastSaleError = SaleError

/**
 * Why a refund of the past was refused.
 *
 * @since 0.6.0
 * @category errors
 */
export type PastRefundError = RefundError | PostingError | RefundChanged

/**
 * The outcome of a sale or a refund. `imported`: it is stored as paid. `recorded`: it is recorded as usual, because it
 * is later, or refunds shares that were not paid in the past. `known`: all of it was stored before, in whatever way.
 * `refused`: nothing of it was kept.
 *
 * @since 0.6.0
 * @category models
 */
export type PastOutcome =
  | { readonly type: "imported" | "recorded" | "known" }
  | { readonly type: "refused"; readonly error: PastSaleError | PastRefundError }

/**
 * Imports sales and refunds of the past. Those before `paidUntil` count for statements and refunds, and are not paid
 * again: their shares go into payouts of the past, one for each collaborator and period of their schedule, which are
 * `manually paid` from the beginning (see `PastPayout`). Later ones are recorded as usual. An order or a refund that is
 * stored already stays as it is, so importing twice has one effect.
 *
 * @since 0.6.0
 * @category services
 */
export interface PastSalesService {
  /**
   * Imports a sale, which must have a time. It is recorded as of that time, split by today's groups as far as they were
   * in force then. `InvalidTime`: `paidUntil` is not in the past.
   */
  readonly record: (
    accountId: string,
    order: Order,
    options: PaidOptions,
  ) => Effect.Effect<Recording, PastSaleError | StorageError>
  /**
   * Imports a refund, which must have a time. Amounts reversed of shares that were paid in the past are deducted from
   * what was paid then. A refund of other shares is recorded as usual, whatever its time.
   */
  readonly refund: (
    accountId: string,
    refund: RefundRequest,
    options: PaidOptions,
  ) => Effect.Effect<RecordedRefund, PastRefundError | StorageError>
  /**
   * Imports many entries in their order, up to a thousand in each transaction, which is several times as fast. A
   * refused entry leaves the others as they are. The outcomes are in the order of the entries. Within a unit of work, a
   * refund that is recorded as usual and is refused breaks the unit, as such a call of `sales` does.
   */
  readonly recordAll: (
    accountId: string,
    entries: ReadonlyArray<PastEntry>,
    options: PaidOptions,
  ) => Effect.Effect<ReadonlyArray<PastOutcome>, Schedule.InvalidTime | StorageError>
}

/** All that the methods share. */
interface Dependencies {
  readonly transactor: Transactor
  readonly settings: SettingsService
  readonly sales: SalesService
  readonly exchangeRates: ExchangeRatesService
  readonly newId: Effect.Effect<string>
  readonly cache: RulesCache
}

const withoutTime =
  "must be there, in Unix seconds: a sale or a refund of the past counts at its own time"

/**
 * The refunds inside one refund of a platform, each with an id: the platform's id and that of its line, as deliveries
 * name them. So an imported refund has no effect again when the platform sends it.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { platformRefunds } from "apportion/service"
 *
 * const refund = { orderId: "1001", itemId: "7", quantity: 1, refundedAt: 1_700_000_000 }
 * platformRefunds("509", [refund]).map(({ id }) => id) // => ["509/7"]
 * ```
 */
export const platformRefunds = (
  refundId: string,
  refunds: ReadonlyArray<Refund>,
): ReadonlyArray<RefundRequest> => refundRequests(refundId, { refunds, notRead: [] }, [])

// Entries are checked before a transaction begins.

type Checked =
  | { readonly type: "sale"; readonly order: DatedOrder }
  | { readonly type: "refund"; readonly request: PastRefundRequest }
  | { readonly type: "later"; readonly entry: PastEntry }
  | { readonly type: "refused"; readonly result: RefusedEntry }

type RefusedEntry = Extract<PastResult, { readonly type: "refused" }>

const refusedSale = (error: PastSaleError): Checked => ({
  type: "refused",
  result: { kind: "sale", type: "refused", error },
})

const refusedRefund = (error: PastRefundError): Checked => ({
  type: "refused",
  result: { kind: "refund", type: "refused", error },
})

const orderWithoutTime = ({ id: orderId }: Order): InvalidOrder => {
  const problems = [{ path: "createdAt", value: undefined, message: withoutTime }]
  const message = `order ${orderId}: createdAt: ${withoutTime}`
  return new InvalidOrder({ orderId, problems, message })
}

const checkSale = (sale: Order, paidUntil: number): Checked => {
  const parsed = parseOrder(sale)
  if (Result.isFailure(parsed)) return refusedSale(parsed.failure)
  const order = parsed.success
  const { createdAt } = order
  if (createdAt == null) return refusedSale(orderWithoutTime(order))
  if (createdAt >= paidUntil) return { type: "later", entry: { sale: order } }
  return { type: "sale", order: { ...order, createdAt } }
}

const checkRefund = (refund: RefundRequest, paidUntil: number): Checked => {
  const checked = checkRequest(refund)
  if (Result.isFailure(checked)) return refusedRefund(checked.failure)
  const request = checked.success
  const { refundedAt } = request
  if (refundedAt === undefined) {
    const problem = { path: "refundedAt", value: undefined, message: withoutTime }
    return refusedRefund(refusal(InvalidRefund)([problem]))
  }
  if (refundedAt >= paidUntil) return { type: "later", entry: { refund: request } }
  return { type: "refund", request: { ...request, refundedAt } }
}

const check = (entry: PastEntry, { paidUntil }: PaidOptions): Checked =>
  entry.sale === undefined ? checkRefund(entry.refund, paidUntil) : checkSale(entry.sale, paidUntil)

const checkPaidUntil = Effect.fnUntraced(function* ({ paidUntil }: PaidOptions) {
  const value = yield* Effect.fromResult(Schedule.checkTime(paidUntil, "paidUntil"))
  const at = yield* now
  if (value < at) return at
  const message = `paidUntil: must be in the past, got ${Schedule.showTime(value)} at ${Schedule.showTime(at)}`
  return yield* Effect.fail(new Schedule.InvalidTime({ field: "paidUntil", value, message }))
})

// The import itself: as many as possible in one transaction.

/** The outcome of a sale, with the result of its own method. */
type SaleResult =
  | {
      readonly kind: "sale"
      readonly type: "imported" | "recorded" | "known"
      readonly recording: Recording
    }
  | { readonly kind: "sale"; readonly type: "refused"; readonly error: PastSaleError }

type RefundResult =
  | {
      readonly kind: "refund"
      readonly type: "imported" | "recorded" | "known"
      readonly recorded: RecordedRefund
    }
  | { readonly kind: "refund"; readonly type: "refused"; readonly error: PastRefundError }

type PastResult = SaleResult | RefundResult

/** Why a transaction ends early: an entry is recorded as usual, or an order needs a rate. */
type Stop =
  | { readonly type: "as usual"; readonly entry: PastEntry }
  | { readonly type: "rates"; readonly order: DatedOrder; readonly missing: ReadonlyArray<string> }

interface ImportCall {
  readonly accountId: string
  readonly paidUntil: number
  readonly at: number
  /** The host's. */
  readonly settings: SettingsValue
  readonly rates: SaleRates
}

/** A failure of the storage concerns all entries; any other failure only this one. */
const refusing =
  <E>(refused: (error: E) => PastResult) =>
  <A>(work: Effect.Effect<A, E | StorageError>): Effect.Effect<A | PastResult, StorageError> =>
    Effect.catch(work, (error) =>
      isStorageError(error) ? Effect.fail(error) : Effect.succeed(refused(error)),
    )

const refusingSale = refusing(
  (error: PastSaleError): PastResult => ({ kind: "sale", type: "refused", error }),
)

const refusingRefund = refusing(
  (error: PastRefundError): PastResult => ({ kind: "refund", type: "refused", error }),
)

const saleOf = Effect.fnUntraced(function* (
  session: PastSession,
  order: DatedOrder,
): Effect.fn.Return<PastResult | Stop, PastSaleError | StorageError> {
  const result = yield* importSale(session, order)
  return result.type === "rates" ? { ...result, order } : { kind: "sale", ...result }
})

const refundOf = Effect.fnUntraced(function* (
  session: PastSession,
  request: PastRefundRequest,
): Effect.fn.Return<PastResult | Stop, PastRefundError | StorageError> {
  const result = yield* importRefund(session, request)
  return result.type === "as usual"
    ? { type: "as usual", entry: { refund: request } }
    : { kind: "refund", ...result }
})

const importOne = (
  session: PastSession,
  checked: Checked,
): Effect.Effect<PastResult | Stop, StorageError> => {
  switch (checked.type) {
    case "sale":
      return refusingSale(saleOf(session, checked.order))
    case "refund":
      return refusingRefund(refundOf(session, checked.request))
    case "later":
      return Effect.succeed({ type: "as usual", entry: checked.entry })
    case "refused":
      return Effect.succeed(checked.result)
  }
}

/** Looks up the recorded parts of all orders, the refunds, and the items that refunds will change. */
const lookUp = Effect.fnUntraced(function* (
  batch: Batch,
  checked: ReadonlyArray<Checked>,
): Effect.fn.Return<void, StorageError> {
  const orders = checked.flatMap((one) => (one.type === "sale" ? [one.order] : []))
  const requests = checked.flatMap((one) => (one.type === "refund" ? [one.request] : []))
  const orderIds = [...orders.map(({ id }) => id), ...requests.map(({ orderId }) => orderId)]
  yield* batch.lookUpOrders(orderIds, productIdsOf(orders))
  yield* batch.lookUpRefunds(requests.map(({ id }) => id))
  const { sales } = batch.stores
  const news: Array<PastRefundRequest> = []
  for (const one of requests) if ((yield* sales.refund(one.id)) === undefined) news.push(one)
  const refunded = new Set(news.map(({ orderId, itemId }) => JSON.stringify([orderId, itemId])))
  const parts = yield* sales.ofOrders(news.map(({ orderId }) => orderId))
  const postings = parts.flatMap(({ orderId, postings }) =>
    postings.filter(({ itemId }) => refunded.has(JSON.stringify([orderId, itemId]))),
  )
  yield* batch.lookUpPlaces(
    postings.map(({ payoutId, payoutItemId: itemId }) => ({ payoutId, itemId })),
  )
})

/** Imports entries in one transaction, up to the first that is recorded as usual or needs a rate. */
const importSome = (
  { cache, newId }: Dependencies,
  { accountId, settings: host, rates, paidUntil, at }: ImportCall,
  checked: ReadonlyArray<Checked>,
) =>
  Effect.fnUntraced(function* (stores: Stores) {
    const { policy, timeZone } = yield* inForce(stores, host)
    const terms = { paidUntil, timeZone, at, newId }
    const rules = rulesOnce(cache, accountId, stores)
    const batch = new Batch(stores)
    const session = pastSession({ batch, rules, rates, policy }, terms)
    yield* lookUp(batch, checked)
    const results: Array<PastResult> = []
    let stop: Stop | undefined
    for (const one of checked) {
      const result = yield* importOne(session, one)
      if (result.type === "as usual" || result.type === "rates") {
        stop = result
        break
      }
      results.push(result)
    }
    // Each sum was in range when it was noted.
    yield* Effect.catchTag(session.ledger.write(), "AmountOutOfRange", Effect.die)
    yield* batch.write
    return { results, stop }
  })

const recordUsual = Effect.fnUntraced(function* (
  { sales }: Dependencies,
  accountId: string,
  order: Order,
): Effect.fn.Return<PastResult, PastSaleError | StorageError> {
  const recording = yield* sales.record(accountId, order)
  const type = recording.newItemIds.length === 0 ? "known" : "recorded"
  return { kind: "sale", type, recording }
})

const refundUsual = Effect.fnUntraced(function* (
  { sales, transactor }: Dependencies,
  accountId: string,
  refund: RefundRequest,
): Effect.fn.Return<PastResult, PastRefundError | StorageError> {
  const known = yield* transactor.read(accountId, (stores) => stores.sales.refund(refund.id))
  const recorded = yield* sales.refund(accountId, refund)
  const type = known === undefined ? "recorded" : "known"
  return { kind: "refund", type, recorded }
})

/** Records an entry that is not of the past, in a transaction of its own. */
const asUsual = (
  world: Dependencies,
  accountId: string,
  entry: PastEntry,
): Effect.Effect<PastResult, StorageError> =>
  entry.sale === undefined
    ? refusingRefund(refundUsual(world, accountId, entry.refund))
    : refusingSale(recordUsual(world, accountId, entry.sale))

/** The entries at the beginning that are sales, and not of the past. */
const laterSales = (checked: ReadonlyArray<Checked>): ReadonlyArray<Order> => {
  const sales: Array<Order> = []
  for (const one of checked) {
    const sale = one.type === "later" ? one.entry.sale : undefined
    if (sale === undefined) break
    sales.push(sale)
  }
  return sales
}

const recordLater = Effect.fnUntraced(function* (
  { sales }: Dependencies,
  accountId: string,
  orders: ReadonlyArray<Order>,
): Effect.fn.Return<ReadonlyArray<PastResult>, StorageError> {
  const outcomes = yield* sales.recordAll(accountId, orders)
  return yield* Effect.forEach(outcomes, (outcome): Effect.Effect<PastResult, StorageError> => {
    if (outcome.type !== "refused") return Effect.succeed({ kind: "sale", ...outcome })
    const { type, error } = outcome
    return isStorageError(error)
      ? Effect.fail(error)
      : Effect.succeed({ kind: "sale", type, error })
  })
})

const importAll = Effect.fnUntraced(function* (
  world: Dependencies,
  accountId: string,
  entries: ReadonlyArray<PastEntry>,
  options: PaidOptions,
): Effect.fn.Return<ReadonlyArray<PastResult>, Schedule.InvalidTime | StorageError> {
  const at = yield* checkPaidUntil(options)
  const { paidUntil } = options
  const settings = yield* world.settings.of(accountId)
  const rates = new SaleRates(world.exchangeRates, accountId)
  const call: ImportCall = { accountId, paidUntil, at, settings, rates }
  const all = entries.map((entry) => check(entry, options))
  const results: Array<PastResult> = []
  while (results.length < all.length) {
    const next = all.slice(results.length, results.length + mostTogether)
    const later = laterSales(next)
    if (later.length > 0) {
      for (const result of yield* recordLater(world, accountId, later)) results.push(result)
      continue
    }
    const [first] = next
    if (first?.type === "later") {
      results.push(yield* asUsual(world, accountId, first.entry))
      continue
    }
    yield* rates.ask(
      next.flatMap((one) =>
        one.type === "sale" ? [{ currency: one.order.currency, at: one.order.createdAt }] : [],
      ),
    )
    const work = importSome(world, call, next)
    const { results: done, stop }: Effect.Success<ReturnType<typeof work>> =
      yield* world.transactor.write(accountId, work)
    for (const result of done) results.push(result)
    if (stop?.type === "rates") rates.want(stop.order.currency, stop.missing)
    if (stop?.type === "as usual") results.push(yield* asUsual(world, accountId, stop.entry))
  }
  return results
})

const outcomeOf = (result: PastResult): PastOutcome =>
  result.type === "refused" ? { type: result.type, error: result.error } : { type: result.type }

const record = (world: Dependencies): PastSalesService["record"] =>
  Effect.fn("PastSales.record")(function* (accountId, order, options) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const [result] = yield* importAll(world, accountId, [{ sale: order }], options)
    if (result?.kind !== "sale") return yield* die("the import of a sale has no result")
    return result.type === "refused" ? yield* Effect.fail(result.error) : result.recording
  })

const refund = (world: Dependencies): PastSalesService["refund"] =>
  Effect.fn("PastSales.refund")(function* (accountId, request, options) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const [result] = yield* importAll(world, accountId, [{ refund: request }], options)
    if (result?.kind !== "refund") return yield* die("the import of a refund has no result")
    return result.type === "refused" ? yield* Effect.fail(result.error) : result.recorded
  })

const recordAll = (world: Dependencies): PastSalesService["recordAll"] =>
  Effect.fn("PastSales.recordAll")(function* (accountId, entries, options) {
    yield* Effect.annotateCurrentSpan({ accountId, entries: entries.length })
    return (yield* importAll(world, accountId, entries, options)).map(outcomeOf)
  })

const make: Effect.Effect<PastSalesService, never, Storage | ExchangeRates | SecureRandom | Sales> =
  Effect.gen(function* () {
    const world: Dependencies = {
      ...{ transactor: yield* makeTransactor, settings: yield* Settings, sales: yield* Sales },
      ...{ exchangeRates: yield* ExchangeRates, newId: (yield* SecureRandom).uuidV7() },
      cache: makeRulesCache(),
    }
    return { record: record(world), refund: refund(world), recordAll: recordAll(world) }
  })

/**
 * Imports sales and refunds of the past, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Collaborators, PastSales, Payouts, ProductGroups, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }]
 * const createdAt = Date.UTC(2024, 4, 20) / 1000
 * const program = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const link = { type: "products.all" } as const
 *   yield* (yield* ProductGroups).create("shop", "ada", { link, percent: "10" })
 *   const order = { id: "1001", currency: "EUR", createdAt, items }
 *   const paidUntil = Date.UTC(2025, 0, 1) / 1000
 *   yield* (yield* PastSales).record("shop", order, { paidUntil })
 *   return yield* (yield* Payouts).list("shop", {}, { page: 1, perPage: 15 })
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const { entries } = await Effect.runPromise(Effect.provide(program, layer))
 * entries.map(({ payout: { status, total } }) => [status, total]) // => [["manually paid", 1000]]
 * new Date((entries[0]?.payout.paidAt ?? 0) * 1000).toISOString() // => "2024-06-01T00:00:00.000Z"
 * ```
 */
export class PastSales extends Context.Service<PastSales, PastSalesService>()(
  "apportion/service/PastSales",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<
    PastSales,
    never,
    Storage | ExchangeRates | SecureRandom | Sales
  > = Layer.effect(PastSales, make)
}
