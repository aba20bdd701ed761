/**
 * What the parts of an order would be if a platform's deliveries had arrived in the order of events. Nothing here reads
 * or writes anything.
 */
import * as Result from "effect/Result"
import type { AmountOutOfRange } from "../../../money/Cents.js"
import type { Order } from "../../../orders/Order.js"
import type { Platform, PlatformRefund, SoldOrder } from "../../../ports/Platform.js"
import type { RecordedRefund, RecordedSale } from "../../../ports/SaleStore.js"
import type { ProductGroup } from "../../../rules/ProductGroup.js"
import type { RecordedSplit } from "../../../shares/Adjustment.js"
import * as Refund from "../../../shares/Refund.js"
import * as Split from "../../../shares/Split.js"
import type { SplitPolicy } from "../../../shares/SplitPolicy.js"
import type { Unreadable } from "../../../Unreadable.js"
import type { SaleChanged } from "../../ServiceError.js"
import { groupsWithSay, rulesForPart } from "../rules/saleRules.js"
import { newPart } from "../sales/orderParts.js"
import { asSold, linesOf, toRecord } from "../sales/orderStates.js"
import { toRefund, unknownItem } from "../sales/refundRequest.js"
import { refundRequests, unknownLine } from "./refundRequests.js"

/** A state of an order, and the rules and the policy that split it. */
export interface PastState {
  /** When the platform changed it to this, in Unix seconds. */
  readonly updatedAt: number
  readonly order: Order
  readonly groups: ReadonlyArray<ProductGroup>
  readonly policy: SplitPolicy
  /** The recorded part that has the items of this state. */
  readonly part: number
  /** When that part was recorded, in Unix seconds. */
  readonly recordedAt: number
  /** Whether nothing was recorded from it, so that it counts only as far as it can. */
  readonly isLate: boolean
}

/** A refund that was carried out. */
export interface PastRefund {
  readonly refundId: string
  /** Unix seconds. */
  readonly refundedAt: number
  /** The platform's document; `undefined`: it is no longer known. */
  readonly document: unknown
  /** What was refunded, line by line, for when the document is not known. */
  readonly refunds: PlatformRefund["refunds"]
}

/** All that is known of an order. */
export interface OrderPast {
  readonly platform: Platform
  readonly leftOut: SoldOrder["leftOut"]
  readonly status: string | null
  readonly states: ReadonlyArray<PastState>
  readonly refunds: ReadonlyArray<PastRefund>
}

/** A part as it would be. */
export interface PastPart {
  /** The state that it comes from. */
  readonly state: PastState
  readonly sale: RecordedSale
}

/** Why the parts can't be computed: then the recorded ones stay as they are. */
export type PastError =
  | SaleChanged
  | AmountOutOfRange
  | Split.SplitError
  | Refund.RefundError
  | Unreadable

interface PastParts {
  readonly parts: ReadonlyArray<PastPart>
  readonly moneyBack: number
  /** Refunds of units that no state has yet. */
  readonly open: ReadonlyArray<PastRefund>
}

const salesOf = ({ parts }: PastParts): ReadonlyArray<RecordedSale> => parts.map(({ sale }) => sale)

const withState = (
  progress: PastParts,
  state: PastState,
): Result.Result<PastParts, SaleChanged | AmountOutOfRange | Split.SplitError> =>
  Result.gen(function* () {
    const earlier = salesOf(progress)
    const { order, newItemIds } = yield* newPart(yield* toRecord(state.order, earlier), earlier)
    if (newItemIds.length === 0) return progress
    const { policy, groups, updatedAt: recordedAt } = state
    const rules = rulesForPart({ rules: { groups } }, policy, { order, earlier })
    const split = yield* Split.orderResult(rules.rules, order, policy)
    const sale: RecordedSale = {
      ...{ orderId: order.id, part: earlier.length + 1, order, policy, split, recordedAt },
      ...{ groups: groupsWithSay(rules, split), postings: [], refunds: [], version: 1 },
    }
    return { ...progress, parts: [...progress.parts, { state, sale }] }
  })

const withRefunds = (
  parts: ReadonlyArray<PastPart>,
  refunds: ReadonlyArray<RecordedRefund>,
): ReadonlyArray<PastPart> =>
  parts.map(({ state, sale }) => {
    const ids = new Set(sale.order.items.map(({ id }) => id))
    const own = refunds.filter(({ refund }) => ids.has(refund.itemId))
    return { state, sale: { ...sale, refunds: [...sale.refunds, ...own] } }
  })

const readingOf = (
  { platform, leftOut, status }: OrderPast,
  progress: PastParts,
  { document, refunds }: PastRefund,
): Result.Result<PlatformRefund | undefined, Unreadable> => {
  const sold = asSold(salesOf(progress), { leftOut, status })
  if (sold === undefined) return Result.succeed(undefined)
  const reading =
    document === undefined
      ? Result.succeed<PlatformRefund>({ refunds, notRead: [] })
      : platform.readRefund(document, sold, progress.moneyBack)
  return Result.map(reading, (read) =>
    unknownLine(read, sold.order) === undefined ? read : undefined,
  )
}

const withRefund = (
  past: OrderPast,
  progress: PastParts,
  refund: PastRefund,
): Result.Result<PastParts, Unreadable | Refund.RefundError> =>
  Result.gen(function* () {
    const reading = yield* readingOf(past, progress, refund)
    if (reading === undefined) return { ...progress, open: [...progress.open, refund] }
    let { parts } = progress
    for (const { id, ...request } of refundRequests(refund.refundId, reading, salesOf(progress))) {
      const own = parts.find(({ sale }) => sale.order.items.some((it) => it.id === request.itemId))
      const split = own?.sale.split ?? parts[0]?.sale.split
      if (split === undefined) continue
      const one = toRefund({ id, ...request }, refund.refundedAt)
      const others = own?.sale.refunds.map((known) => known.refund) ?? []
      const earlier = others.filter(({ itemId }) => itemId === one.itemId)
      const result = Refund.reverse(split, one, { earlier })
      // A cancellation reverses all that remains: nothing of an item that was refunded before it, though it came after it.
      const isNothing = one.remaining && Result.isFailure(result)
      if (isNothing && result.failure._tag === "RefundExceedsItem") continue
      const reversal = yield* result
      parts = withRefunds(parts, [{ id, refund: one, reversal, recordedAt: refund.refundedAt }])
    }
    return { ...progress, parts, moneyBack: progress.moneyBack + (reading.moneyBack ?? 0) }
  })

/** Units in all: of two states of the same second, the one with more is the later. */
const unitsOf = ({ order }: PastState): number =>
  order.items.reduce((sum, { quantity }) => sum + quantity, 0)

/** The parts of an order, each with its refunds, in the order in which everything happened. */
export const partsOf = (past: OrderPast): Result.Result<ReadonlyArray<PastPart>, PastError> =>
  Result.gen(function* () {
    const states = [...past.states].sort(
      (one, other) => one.updatedAt - other.updatedAt || unitsOf(one) - unitsOf(other),
    )
    const refunds = [...past.refunds].sort((one, other) => one.refundedAt - other.refundedAt)
    let progress: PastParts = { parts: [], moneyBack: 0, open: [] }
    const take = function* (all: ReadonlyArray<PastRefund>) {
      for (const refund of all) progress = yield* withRefund(past, progress, refund)
    }
    for (const [index, state] of states.entries()) {
      const next = withState(progress, state)
      // A state that contradicts what was recorded would be refused, and dropped when a newer one is carried out.
      const isRefused =
        state.isLate && Result.isFailure(next) && next.failure._tag === "SaleChanged"
      progress = isRefused ? progress : yield* next
      const { open } = progress
      progress = { ...progress, open: [] }
      const until = states[index + 1]?.updatedAt ?? Number.POSITIVE_INFINITY
      const isNow = ({ refundedAt }: PastRefund) =>
        refundedAt < until && (index === 0 || refundedAt >= state.updatedAt)
      yield* take([...open, ...refunds.filter(isNow)])
    }
    const { open, parts } = progress
    const [left] = open.flatMap(({ refunds: all }) => all)
    return left === undefined || parts.length === 0
      ? parts
      : yield* Result.fail(unknownItem({ id: "", ...left }, salesOf(progress)))
  })

/** An order as it was when the last of some parts was recorded. */
export const stateOf = (parts: ReadonlyArray<RecordedSale>): Order | undefined => {
  const last = parts.at(-1)
  const sold = asSold(parts, { leftOut: [], status: null })
  if (last === undefined || sold === undefined) return undefined
  const { items, shippingAmount, shippingTax } = sold.order
  const gatewayFee = parts.reduce((sum, { order }) => sum + (order.gatewayFee ?? 0), 0)
  return { ...last.order, items, shippingAmount, shippingTax, gatewayFee }
}

/** The lines of items by the items' ids. */
const lineNames = (sales: ReadonlyArray<RecordedSale>): ReadonlyMap<string, string> =>
  new Map([...linesOf(sales)].flatMap(([line, items]) => items.map(({ id }) => [id, line])))

/** The refunds of a recorded order line by line, for refunds without a known document. */
export const refundsOfLines = (
  sales: ReadonlyArray<RecordedSale>,
  recorded: ReadonlyArray<RecordedRefund>,
): PlatformRefund["refunds"] => {
  const lines = lineNames(sales)
  const all = new Map<string, Refund.Refund>()
  for (const { refund } of recorded) {
    const { quantity, amount: _, shippingAmount, remaining, itemId, ...rest } = refund
    const line = lines.get(itemId) ?? itemId
    const key = JSON.stringify([line, shippingAmount !== undefined, quantity !== undefined])
    const known = all.get(key)
    const sum = (name: "quantity" | "amount") =>
      refund[name] === undefined ? {} : { [name]: refund[name] + (known?.[name] ?? 0) }
    // Each item's refund has the shipping of the whole order, so it is not added up.
    const shipping = shippingAmount === undefined ? {} : { shippingAmount }
    const isRest = remaining === undefined ? {} : { remaining }
    all.set(key, {
      ...rest,
      itemId: line,
      ...sum("quantity"),
      ...sum("amount"),
      ...shipping,
      ...isRest,
    })
  }
  return [...all.values()]
}

/**
 * The parts as they would be that have the items of a recorded part; `pasts` and `sales` are all parts of the order, as
 * they would be and as they were recorded.
 */
export const asRecorded = (
  recorded: RecordedSale,
  pasts: ReadonlyArray<PastPart>,
  sales: ReadonlyArray<RecordedSale>,
): ReadonlyArray<RecordedSplit> => {
  const recordedLines = lineNames(sales)
  const own = new Map(
    recorded.order.items.map(({ id }) => [recordedLines.get(id) ?? id, id] as const),
  )
  const lines = lineNames(pasts.map(({ sale }) => sale))
  const named = <A extends { readonly itemId: string }>(row: A): A => {
    const line = lines.get(row.itemId) ?? row.itemId
    return { ...row, itemId: own.get(line) ?? row.itemId }
  }
  const inside = pasts.filter(({ state }) => state.part === recorded.part)
  return inside.map(({ sale: { split, refunds } }) => ({
    split: {
      ...split,
      shares: split.shares.map(named),
      store: split.store.map(named),
      items: split.items.map(named),
      outranked: split.outranked.map(named),
    },
    refunds: refunds.map(({ refund }) => named(refund)),
    adjustments: [],
  }))
}
