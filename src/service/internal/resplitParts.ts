/** The parts of orders that a re-split concerns, their new splits, and the changes. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { AmountOutOfRange } from "../../money/Cents.js"
import type { Order } from "../../orders/Order.js"
import type { TimeRange } from "../../ports/PayoutStore.js"
import type { ResplitRequest, SalePlace } from "../../ports/ResplitStore.js"
import { isSaleOf, type RecordedSale } from "../../ports/SaleStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import * as Adjustment from "../../shares/Adjustment.js"
import * as Split from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { completeOrder } from "./completeOrder.js"
import { digestOf } from "./deliverySignature.js"
import { groupsWithSay, rulesForPart } from "./orderParts.js"

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
export interface ResplitRules {
  readonly rules: RuleSet
  readonly policy: SplitPolicy
  /** Whether orders are completed from the catalogue as it is now. */
  readonly completes: boolean
  readonly isAsked: (sale: RecordedSale) => boolean
}

/** A part of an order with its new split. */
export interface NewSplit {
  readonly order: Order
  readonly groups: ReadonlyArray<ProductGroup>
  readonly split: Split.Split
}

type Splitting = Effect.Effect<NewSplit, Split.SplitError | StorageError>

/** The new split of a part. A sum that is paid once for the order is paid in the first part that has it. */
export const splitAgain = (
  stores: Stores,
  by: ResplitRules,
  parts: ReadonlyArray<RecordedSale>,
  place: number,
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
        ? (yield* splitAgain(stores, by, parts, index)).split
        : Adjustment.inForce(recordedSplit(part))
      earlier.push({ order: part.order, split })
    }
    const rules = rulesForPart(all, policy, { order, earlier })
    const split = yield* Effect.fromResult(Split.orderResult(rules, order, policy))
    return { order, groups: groupsWithSay(rules, split), split }
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

/** Looks at one of the parts of an order. */
export const lookAt = (
  stores: Stores,
  by: ResplitRules,
  parts: ReadonlyArray<RecordedSale>,
  place: number,
): Effect.Effect<ResplitOutcome, StorageError> =>
  splitAgain(stores, by, parts, place).pipe(
    Effect.flatMap((next) => {
      const [sale] = parts.slice(place, place + 1)
      const between: Result.Result<
        Adjustment.Adjustment | null,
        Adjustment.SplitOfOtherSale | AmountOutOfRange
      > = sale ? Adjustment.between(recordedSplit(sale), next.split) : Result.succeed(null)
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
