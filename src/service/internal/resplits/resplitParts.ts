/** The parts of orders that a re-split concerns, their new splits, and the changes. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Order } from "../../../orders/Order.js"
import type { TimeRange } from "../../../ports/PayoutStore.js"
import type { AccountGroup } from "../../../ports/ProductGroupStore.js"
import type { ResplitRequest, SalePlace } from "../../../ports/ResplitStore.js"
import { isSaleOf, type RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import * as Adjustment from "../../../shares/Adjustment.js"
import type * as Split from "../../../shares/Split.js"
import type { Counters } from "../../../terms/Counters.js"
import type { Counting } from "../counters/countedOrder.js"
import type { Recount } from "../counters/Recount.js"
import { countsOfChange } from "../counters/saleCounts.js"
import { digestOf } from "../inbox/deliverySignature.js"
import { groupsWithSay, rulesForPart, type SaleRules } from "../rules/saleRules.js"
import { completeOrder } from "../sales/completeOrder.js"

const isWithin = ({ from = -Infinity, to = Infinity }: TimeRange, at: number): boolean =>
  at >= from && at <= to

/** When the items of a part were sold. */
export const soldAt = ({ order, recordedAt }: Pick<RecordedSale, "order" | "recordedAt">): number =>
  order.createdAt ?? recordedAt

/** Whether a part of an order is among the requested ones. */
export const isAskedFor = ({
  sales = {},
  sold = {},
  orderIds,
}: ResplitRequest): ((sale: RecordedSale) => boolean) => {
  const ids = orderIds && new Set(orderIds)
  return (sale) =>
    isSaleOf(sales, sale) &&
    isWithin(sold, soldAt(sale)) &&
    (ids === undefined || ids.has(sale.orderId))
}

/** A recorded sale as the core reads it. */
export const recordedSplit = ({
  split,
  refunds,
  adjustments = [],
}: RecordedSale): Adjustment.RecordedSplit => ({
  split,
  refunds: refunds.map(({ refund }) => refund),
  adjustments: adjustments.map(({ adjustment }) => adjustment),
})

/** The rules by which the parts of orders are split again. */
export interface ResplitRules extends Counting {
  readonly rules: SaleRules
  /** Whether orders are completed from the catalogue as it is now. */
  readonly completes: boolean
  readonly isAsked: (sale: RecordedSale) => boolean
}

/** A part of an order with its new split. */
export interface NewSplit {
  readonly order: Order
  readonly groups: ReadonlyArray<AccountGroup>
  readonly split: Split.Split
  /** The counters that it needs as it found them; absent: it is not counted. */
  readonly counters?: Counters | undefined
}

type Splitting = Effect.Effect<NewSplit, Split.SplitError | StorageError>

/** The parts of an order, one of which is split again. */
interface PartAt {
  readonly parts: ReadonlyArray<RecordedSale>
  readonly place: number
  /** The counters of what was split again before it. */
  readonly recount: Recount
}

/** The new split of a part. A sum that is paid once for the order is paid in the first part that has it. */
export const splitAgain = (
  stores: Stores,
  by: ResplitRules,
  { parts, place, recount }: PartAt,
): Splitting =>
  Effect.gen(function* () {
    const { rules: all, policy, completes, isAsked } = by
    const [sale] = parts.slice(place, place + 1)
    if (sale === undefined) return yield* Effect.die(new RangeError(`there is no part ${place}`))
    const { order } = completes ? yield* completeOrder(stores, sale.order, sale.recordedAt) : sale
    const earlier: Array<Pick<NewSplit, "order" | "split">> = []
    // Only a sum that is paid once for an order depends on the other parts.
    for (const [index, part] of policy.flatScope === "order"
      ? parts.slice(0, place).entries()
      : []) {
      const split = isAsked(part)
        ? (yield* splitAgain(stores, by, { parts, place: index, recount: recount.aside })).split
        : Adjustment.inForce(recordedSplit(part))
      earlier.push({ order: part.order, split })
    }
    const rules = rulesForPart(all, policy, { order, earlier })
    const counted = recount.split(sale, { rules, order }, by)
    const split = yield* Effect.fromResult(counted.split)
    const next = { order, groups: groupsWithSay(rules, split), split }
    return counted.found === undefined ? next : { ...next, counters: counted.found }
  })

/** The effect of a re-split on a part: `same` is no change, and a part that the new rules refuse stays as it is. */
export type ResplitOutcome =
  | { readonly type: "same" }
  | { readonly type: "refused"; readonly error: Split.SplitError }
  | {
      readonly type: "changed"
      readonly next: NewSplit
      readonly adjustment: Adjustment.Adjustment
    }

const isRefusal = (error: Split.SplitError | StorageError): error is Split.SplitError =>
  error._tag !== "Conflict" && error._tag !== "StorageFailure"

/**
 * The difference that a new split makes to a recorded one. One of nobody's money may still be one of what was counted: the
 * new split is in force then too, so that later sales are counted on from it.
 */
const differenceOf = (
  sale: RecordedSale,
  next: Split.Split,
): Result.Result<Adjustment.Adjustment | null, Adjustment.SplitOfOtherSale | Split.SplitError> =>
  Result.gen(function* () {
    const between = yield* Adjustment.between(recordedSplit(sale), next)
    if (between !== null) return between
    const counts = yield* Result.mapError(countsOfChange(sale, next), (error) => {
      // What was refunded can be refunded of the same items again.
      if (error._tag !== "AmountOutOfRange") throw new TypeError(error.message)
      return error
    })
    if (![...counts.values()].some((count) => count !== 0n)) return null
    const { orderId, currency } = next
    return { orderId, currency, split: next, refunds: sale.refunds.length, shares: [], items: [] }
  })

/** Looks at one of the parts of an order. */
export const lookAt = (
  stores: Stores,
  by: ResplitRules,
  at: PartAt,
): Effect.Effect<ResplitOutcome, StorageError> =>
  splitAgain(stores, by, at).pipe(
    Effect.flatMap((next) => {
      const [sale] = at.parts.slice(at.place, at.place + 1)
      const between: ReturnType<typeof differenceOf> = sale
        ? differenceOf(sale, next.split)
        : Result.succeed(null)
      // The items are those of the recorded order.
      return Effect.map(
        Effect.catchTag(Effect.fromResult(between), "SplitOfOtherSale", Effect.die),
        (adjustment): ResplitOutcome =>
          adjustment === null ? { type: "same" } : { type: "changed", next, adjustment },
      )
    }),
    Effect.catchIf(isRefusal, (error) =>
      Effect.succeed<ResplitOutcome>({ type: "refused", error }),
    ),
  )

/** The parts of an order, and where among them a part is. */
export const placeOf = Effect.fnUntraced(function* (stores: Stores, { orderId, part }: SalePlace) {
  const parts = yield* stores.sales.ofOrder(orderId)
  return { parts, place: parts.findIndex((sale) => sale.part === part) }
})

/** A hash of the changes of a part, and of how many refunds and adjustments it has. */
export const fingerprintOf = (
  { part, refunds, adjustments = [] }: RecordedSale,
  { orderId, currency, shares, items }: Adjustment.Adjustment,
) => {
  const past = [orderId, part, currency, refunds.length, adjustments.length]
  const given = shares.map((share) => [
    ...[share.itemId, share.groupId, share.collaboratorId],
    ...[share.amount, share.shippingAmount, share.before, share.after],
  ])
  const left = items.map(({ itemId, store, distributable }) => [itemId, store, distributable])
  return digestOf(JSON.stringify([past, given, left]))
}
