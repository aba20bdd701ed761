/** Posting the shares of a sale into the payouts of their collaborators, and reversing them for refunds. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type EventData, mostIds } from "../../../events/EventType.js"
import * as list from "../../../internal/at.js"
import type { Order } from "../../../orders/Order.js"
import type { Collaborator } from "../../../payouts/Collaborator.js"
import * as Lifecycle from "../../../payouts/Lifecycle.js"
import * as PayoutItem from "../../../payouts/PayoutItem.js"
import type { ScheduleError } from "../../../payouts/Schedule.js"
import type { ItemPlace, PayoutChange, StoredPayout } from "../../../ports/PayoutStore.js"
import type { Posting, RecordedRefund, RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import * as Refund from "../../../shares/Refund.js"
import type { Share } from "../../../shares/Share.js"
import { NotFound } from "../../ServiceError.js"
import { refundAgreements, type TakenPosting } from "../agreements/agreementEntries.js"
import type { PayoutOf } from "../counters/countedOrder.js"
import { countRefund } from "../counters/saleCounts.js"
import { needCollaborator, unusedId, unusedIds } from "../lookups.js"
import { settleDebt } from "../payouts/debts.js"
import {
  addItems,
  addition,
  closeOrRoll,
  collects,
  type Moved,
  openNext,
  openOrActive,
  type Passing,
  replaceItem,
} from "../payouts/payoutCycle.js"
import type { KnownRates } from "../rates.js"
import { die } from "../transactions.js"
import { type RefundRequest, toRefund, unknownItem } from "./refundRequest.js"
import { amountOf, reverseAdjustments, type WholeReversal } from "./refundReversal.js"

// Posting shares into the active payouts of their collaborators.

/** What posting needs to know beside the shares. */
export type PostingTerms = Omit<Passing, "collaborator">

/** The collaborators of shares by id; fails with the first that the account does not have. */
export const collaboratorsOf = (
  stores: Stores,
  shares: ReadonlyArray<Pick<Share, "collaboratorId">>,
): Effect.Effect<ReadonlyMap<string, Collaborator>, NotFound | StorageError> => {
  const ids = [...new Set(shares.map((share) => share.collaboratorId))]
  const asked = ids.length === 0 ? Effect.succeed([]) : stores.collaborators.find(ids)
  return Effect.flatMapEager(asked, (found) => {
    const people = new Map(found.map(({ collaborator }) => [collaborator.id, collaborator]))
    const unknown = ids.find((id) => !people.has(id))
    return unknown === undefined
      ? Effect.succeed(people)
      : Effect.fail(NotFound.of("collaborator", unknown))
  })
}

/** The payouts that collect the shares of collaborators, opened where there is none. */
export const openPayoutOf =
  (stores: Stores, terms: PostingTerms): PayoutOf<NotFound | ScheduleError | StorageError> =>
  (collaboratorId) =>
    Effect.gen(function* () {
      const { collaborator } = yield* needCollaborator(stores, collaboratorId)
      const { currency } = collaborator
      return (yield* openOrActive(stores, { ...terms, collaborator, currency })).id
    })

/** The shares of each collaborator. */
export const groupByCollaborator = (
  shares: ReadonlyArray<Share>,
): ReadonlyMap<string, ReadonlyArray<Share>> => {
  const groups = new Map<string, Array<Share>>()
  for (const share of shares) {
    const group = groups.get(share.collaboratorId)
    if (group === undefined) groups.set(share.collaboratorId, [share])
    else group.push(share)
  }
  return groups
}

/** What the items of payouts are made from, beside the shares. */
export interface SoldOrder<Sold extends Order = Order> {
  readonly order: Sold
  /** A long order with each of its items alone, by the item's id, so that it is not searched for each share. */
  readonly byItem: ReadonlyMap<string, Order>
  readonly rates: KnownRates
}

/** From how many items on an order takes longer to search than to take apart. */
const manyItems = 16

/** What items of payouts are made from. */
export const soldOrder = <Sold extends Order>(order: Sold, rates: KnownRates): SoldOrder<Sold> => {
  const items = order.items.length < manyItems ? [] : order.items
  const byItem = new Map(items.map((item) => [item.id, { ...order, items: [item] }]))
  return { order, byItem, rates }
}

type ItemFailure = PayoutItem.MissingExchangeRate | PayoutItem.ConversionError

/** The payout item of a share. */
export const itemOf = (
  share: Share,
  { order, byItem, rates }: SoldOrder,
  options: { readonly id: string; readonly currency: string; readonly at: number },
): Result.Result<PayoutItem.Sale, ItemFailure> => {
  const { id, currency, at } = options
  const ofItem = byItem.get(share.itemId) ?? order
  const rate = rates.get(currency) ?? null
  const made = PayoutItem.fromShare(share, { id, order: ofItem, currency, rate, at })
  return Result.mapError(made, (failure) => {
    if (failure._tag === "UnknownOrderItem") throw failure
    return failure
  })
}

/** The posting of a share of which nothing is reversed. */
export const postingOf = (
  share: Share,
  item: PayoutItem.Sale,
  payout: { readonly id: string; readonly currency: string },
): Posting => ({
  itemId: share.itemId,
  groupId: share.groupId,
  collaboratorId: share.collaboratorId,
  payoutId: payout.id,
  payoutItemId: item.id,
  currency: payout.currency,
  rate: item.currencyExchangeRate,
  reversed: 0,
  refunds: 0,
})

/** Where shares were posted, and which payouts changed. */
export interface Posted {
  readonly postings: ReadonlyArray<Posting>
  readonly moved: ReadonlyArray<Moved>
}

/**
 * The payouts whose items changed, for an event: each once, or more often where what changed it is beyond the safe
 * integers together.
 */
export const movedData = (
  moved: ReadonlyArray<Moved>,
): Pick<EventData<"sale.recorded">, "payoutIds" | "payoutAmounts"> => {
  const payoutIds: Array<string> = []
  const payoutAmounts: Array<number> = []
  const places = new Map<string, number>()
  for (const { payoutId, amount } of moved) {
    const place = places.get(payoutId) ?? payoutIds.length
    const sum = (payoutAmounts[place] ?? 0) + amount
    if (place < payoutIds.length && Number.isSafeInteger(sum)) {
      payoutAmounts[place] = sum
      continue
    }
    places.set(payoutId, payoutIds.length)
    payoutIds.push(payoutId)
    payoutAmounts.push(amount)
  }
  return { payoutIds: payoutIds.slice(0, mostIds), payoutAmounts: payoutAmounts.slice(0, mostIds) }
}

const lost = (collaboratorId: string): Effect.Effect<never> =>
  die(`the shares of collaborator ${collaboratorId} have nobody to go to`)

/** Shares, and the payout that collects them. */
interface Collected {
  readonly payout: StoredPayout
  readonly shares: ReadonlyArray<Share>
}

/** What shares are to payouts: their items, and where they are then. Nothing is stored. */
const postCollected = (
  sold: SoldOrder,
  collected: ReadonlyArray<Collected>,
  { ids, at }: { readonly ids: ReadonlyArray<string>; readonly at: number },
): Result.Result<Posted & { readonly changes: ReadonlyArray<PayoutChange> }, ItemFailure> => {
  const postings: Array<Posting> = []
  const moved: Array<Moved> = []
  const changes: Array<PayoutChange> = []
  for (const { payout, shares } of collected) {
    const { id: payoutId, currency } = payout
    const items: Array<PayoutItem.Sale> = []
    for (const share of shares) {
      const item = itemOf(share, sold, { id: list.at(ids, postings.length), currency, at })
      if (Result.isFailure(item)) return Result.fail(item.failure)
      items.push(item.success)
      postings.push(postingOf(share, item.success, payout))
      moved.push({ payoutId, amount: item.success.amount })
    }
    const change = addition(payout, items)
    if (Result.isFailure(change)) return Result.fail(change.failure)
    changes.push(change.success)
  }
  return Result.succeed({ postings, moved, changes })
}

/**
 * Puts shares into payouts, and returns their postings. Shares of nothing are put there too. Whatever is asked and stored
 * is so for all of them together, and between that nothing is.
 */
export const postShares = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PostingTerms,
  people: ReadonlyMap<string, Collaborator>,
  { sold, shares }: { readonly sold: SoldOrder; readonly shares: ReadonlyArray<Share> },
): Effect.fn.Return<Posted, ItemFailure | ScheduleError | StorageError> {
  if (shares.length === 0) return { postings: [], moved: [] }
  const collected: Array<Collected> = []
  const places: Array<ItemPlace> = []
  for (const [collaboratorId, own] of groupByCollaborator(shares)) {
    const collaborator = people.get(collaboratorId)
    if (collaborator === undefined) return yield* lost(collaboratorId)
    const { currency } = collaborator
    const active = yield* stores.payouts.active({ collaboratorId, currency })
    const payout = collects(active, terms.at)
      ? active
      : yield* openNext(stores, { ...terms, collaborator, currency }, active)
    collected.push({ payout, shares: own })
    const orderId = sold.order.id
    for (const { itemId, groupId } of own) {
      const key = PayoutItem.keyOf({ orderId, itemId, groupId })
      places.push({ payoutId: payout.id, itemId: key })
    }
  }
  const ids = yield* unusedIds(stores, places)
  const posted = postCollected(sold, collected, { ids, at: terms.at })
  const { postings, moved, changes } = yield* Effect.fromResult(posted)
  yield* stores.payouts.storeAll(changes)
  return { postings, moved }
})

// Reversing shares.

/**
 * Why a split could not be put into payouts.
 *
 * @since 0.2.0
 * @category errors
 */
export type PostingError =
  | PayoutItem.ConversionError
  | PayoutItem.MissingExchangeRate
  | PayoutItem.RefundBeyondShare
  | ScheduleError
  | NotFound

/** Whether a part of an order has an item. */
export const hasItem = (part: RecordedSale, itemId: string): boolean =>
  part.split.items.some((item) => item.itemId === itemId)

/** A share that is to be reduced. */
interface Taking {
  readonly posting: Posting
  /** What is taken back of it, in cents of the order's currency. */
  readonly amount: number
  /** Unix seconds. */
  readonly refundedAt: number
}

/** The item and the payout of a recorded share; if either is missing, what is stored contradicts itself. */
const findShare = Effect.fnUntraced(function* (
  stores: Stores,
  { payoutId, payoutItemId }: Posting,
) {
  const payout = yield* stores.payouts.get(payoutId)
  const item = yield* stores.payouts.item(payoutId, payoutItemId)
  if (payout !== undefined && item?.kind === "sale") return { payout, item }
  return yield* die(`payout ${payoutId} has no sale ${payoutItemId}`)
})

/** Reverses an amount of one share, and returns its posting afterwards, and the changed payout. */
const takeBack = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PostingTerms,
  taking: Taking,
): Effect.fn.Return<
  { readonly posting: Posting; readonly moved: Moved | undefined },
  PostingError | StorageError
> {
  const { posting, amount, refundedAt } = taking
  const { payout: found, item: sale } = yield* findShare(stores, posting)
  const { collaborator } = yield* needCollaborator(stores, posting.collaboratorId)
  const { payout } = yield* closeOrRoll(stores, { ...terms, payout: found, collaborator })
  const refund = Lifecycle.refund(payout, { ...posting, sale }, { amount, at: refundedAt })
  const { item, reversed, refunds } = yield* Effect.fromResult(refund)
  let moved: Moved | undefined
  if (item?.kind === "sale") {
    const reduced = yield* replaceItem(stores, payout, { before: sale, after: item })
    const { currency } = payout
    const active = openOrActive(stores, { ...terms, collaborator, currency })
    yield* settleDebt(stores, reduced, { active, at: terms.at })
    moved = { payoutId: payout.id, amount: item.amount - sale.amount }
  }
  if (item?.kind === "refund") {
    const { currency } = payout
    const active = yield* openOrActive(stores, { ...terms, collaborator, currency })
    const id = yield* unusedId(stores, active.id, item.id)
    yield* addItems(stores, active, [{ ...item, id, createdAt: terms.at }])
    moved = { payoutId: active.id, amount: item.amount }
  }
  return { posting: { ...posting, reversed, refunds }, moved }
})

/** Reverses a refund share by share; returns the postings of the whole part, and the changed payouts. */
const takeAllBack = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PostingTerms,
  part: RecordedSale,
  whole: WholeReversal,
) {
  const postings: Array<Posting> = []
  const moved: Array<Moved> = []
  const changes: Array<TakenPosting> = []
  for (const posting of part.postings) {
    const amount = amountOf(posting, whole)
    if (amount === undefined) {
      postings.push(posting)
      continue
    }
    const taking = { posting, amount, refundedAt: whole.reversal.refundedAt }
    const taken = yield* takeBack(stores, terms, taking)
    postings.push(taken.posting)
    if (taken.moved === undefined) continue
    moved.push(taken.moved)
    changes.push({ posting, change: taken.moved.amount })
  }
  const agreed = yield* refundAgreements(stores, terms, part, { whole, taken: changes })
  return { postings, moved: [...moved, ...agreed] }
})

/**
 * The parts of an order. Where shares have to mature, due payouts of the item are closed first, because its share may
 * move then.
 */
const partsUpToDate = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PostingTerms,
  { orderId, itemId }: RefundRequest,
): Effect.fn.Return<ReadonlyArray<RecordedSale>, PostingError | StorageError> {
  const parts = yield* stores.sales.ofOrder(orderId)
  if (terms.maturityDays === 0) return parts
  const postings = parts.flatMap((part) => part.postings.filter((one) => one.itemId === itemId))
  const closed: Array<string> = []
  for (const payoutId of new Set(postings.map((posting) => posting.payoutId))) {
    const payout = yield* stores.payouts.get(payoutId)
    if (payout === undefined || !Lifecycle.isDue(payout, terms.at)) continue
    const { collaborator } = yield* needCollaborator(stores, payout.collaboratorId)
    closed.push(...(yield* closeOrRoll(stores, { ...terms, payout, collaborator })).closed)
  }
  return closed.length === 0 ? parts : yield* stores.sales.ofOrder(orderId)
})

/** Records a new refund, and returns the payouts that it changed. */
export const recordRefund = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PostingTerms,
  request: RefundRequest,
): Effect.fn.Return<
  {
    readonly recorded: RecordedRefund
    readonly moved: ReadonlyArray<Moved>
    /** The order's. */
    readonly currency: string
  },
  Refund.RefundError | PostingError | StorageError
> {
  const parts = yield* partsUpToDate(stores, terms, request)
  const part = parts.find((one) => hasItem(one, request.itemId))
  if (part === undefined) return yield* Effect.fail(unknownItem(request, parts))
  const refund = toRefund(request, terms.at)
  const others = part.refunds.map((recorded) => recorded.refund)
  const earlier = others.filter(({ itemId }) => itemId === request.itemId)
  const reversal = yield* Effect.fromResult(Refund.reverse(part.split, refund, { earlier }))
  const adjusted = yield* Effect.fromResult(reverseAdjustments(part, refund))
  const whole = { reversal, ...(adjusted.length === 0 ? {} : { adjusted }) }
  const { postings, moved } = yield* takeAllBack(stores, terms, part, whole)
  const recorded: RecordedRefund = { id: request.id, refund, ...whole, recordedAt: terms.at }
  const { orderId, part: number, version } = part
  yield* stores.sales.addRefund({ orderId, part: number, version, refund: recorded, postings })
  yield* countRefund(stores, part, refund)
  return { recorded, moved, currency: part.split.currency }
})
