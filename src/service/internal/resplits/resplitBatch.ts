/** Booking the changes of a re-split: a batch of sales in one transaction, each payout changed once. */
import * as Effect from "effect/Effect"
import type { Collaborator } from "../../../payouts/Collaborator.js"
import * as PayoutItem from "../../../payouts/PayoutItem.js"
import type { StoredPayout } from "../../../ports/PayoutStore.js"
import type { ResplitBatch, SalePlace } from "../../../ports/ResplitStore.js"
import type { Posting, RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { AdjustedShare } from "../../../shares/Adjustment.js"
import { postAgreements } from "../agreements/agreementEntries.js"
import { agreementTerms } from "../agreements/agreementTerms.js"
import { Recount } from "../counters/Recount.js"
import { countAdjustment } from "../counters/saleCounts.js"
import { unusedIds } from "../lookups.js"
import { addNewItems, type Moved, openOrActive } from "../payouts/payoutCycle.js"
import {
  collaboratorsOf,
  movedData,
  type PostingError,
  type PostingTerms,
} from "../sales/postings.js"
import * as saleTotals from "../sales/saleTotals.js"
import { die, emit } from "../transactions.js"
import {
  fingerprintOf,
  lookAt,
  placeOf,
  type ResplitOutcome,
  type ResplitRules,
} from "./resplitParts.js"

/** A sale that is to be adjusted. */
export interface Adjusting {
  readonly sale: RecordedSale
  readonly outcome: Extract<ResplitOutcome, { readonly type: "changed" }>
}

/** Where an adjusted share goes, and how it is converted. */
interface Destination {
  readonly collaborator: Collaborator
  /** The currency of the payout. */
  readonly currency: string
  /** `undefined`: today's rate, which may have to be asked for; `null`: it is the same currency. */
  readonly rate: string | null | undefined
}

/** Today's rates, by the currencies that they are from and to. */
export type TodaysRates = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A rate that is needed and was not asked for yet. */
export interface MissingRate {
  readonly from: string
  readonly to: string
}

/**
 * A share is adjusted in the currency and at the rate in which it was booked; a new one, like another share of the
 * collaborator in the same sale and currency, or else like one of a sale of today.
 */
const destinationOf = (
  { sale }: Adjusting,
  { itemId, groupId }: AdjustedShare,
  collaborator: Collaborator,
): Destination => {
  const own = sale.postings.filter((posting) => posting.collaboratorId === collaborator.id)
  const same = own.find((posting) => posting.itemId === itemId && posting.groupId === groupId)
  const booked = same ?? own.find(({ currency }) => currency === collaborator.currency)
  if (booked !== undefined) {
    return { collaborator, currency: booked.currency, rate: booked.rate }
  }
  const { currency } = collaborator
  const rate = currency === sale.split.currency ? null : undefined
  return { collaborator, currency, rate }
}

/** An item of a payout, and its destination. */
interface Going {
  readonly adjusting: Adjusting
  readonly share: AdjustedShare
  readonly to: Destination
}

const payoutKey = ({ collaborator, currency }: Destination): string =>
  JSON.stringify([collaborator.id, currency])

const lost = (collaboratorId: string): Effect.Effect<never> =>
  die(`the adjustment of collaborator ${collaboratorId} has nobody to go to`)

/** The destinations of all adjusted shares. */
const goingOf = Effect.fnUntraced(function* (stores: Stores, all: ReadonlyArray<Adjusting>) {
  const people = yield* collaboratorsOf(
    stores,
    all.flatMap(({ outcome }) => outcome.adjustment.shares),
  )
  const going: Array<Going> = []
  for (const adjusting of all) {
    for (const share of adjusting.outcome.adjustment.shares) {
      const collaborator = people.get(share.collaboratorId)
      if (collaborator === undefined) return yield* lost(share.collaboratorId)
      going.push({ adjusting, share, to: destinationOf(adjusting, share, collaborator) })
    }
  }
  return going
})

const missingOf = (going: ReadonlyArray<Going>, rates: TodaysRates): ReadonlyArray<MissingRate> =>
  going.flatMap(({ adjusting, to: { currency: to, rate } }) => {
    const from = adjusting.sale.split.currency
    return rate !== undefined || rates.get(from)?.has(to) ? [] : [{ from, to }]
  })

const itemOf = (
  { adjusting: { sale, outcome }, share, to }: Going,
  given: {
    readonly runId: string
    readonly at: number
    readonly rates: TodaysRates
  },
) => {
  const { order } = outcome.next
  const items = order.items.filter(({ id }) => id === share.itemId)
  const { runId, at, rates } = given
  const { before, after } = share
  const rate = to.rate ?? rates.get(sale.split.currency)?.get(to.currency) ?? null
  const adjustment = { runId, before, after }
  const options = { order: { ...order, items }, currency: to.currency, rate, at, adjustment }
  const made = PayoutItem.fromShare(share, options)
  return Effect.catchTag(Effect.fromResult(made), "UnknownOrderItem", Effect.die)
}

/** What was booked of one sale. */
interface BookedSale {
  readonly postings: Array<Posting>
  readonly moved: Array<Moved>
}

const bookItems = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PostingTerms,
  going: ReadonlyArray<Going>,
  given: { readonly runId: string; readonly rates: TodaysRates },
) {
  const booked = new Map<RecordedSale, BookedSale>()
  for (const all of Map.groupBy(going, ({ to }) => payoutKey(to)).values()) {
    const [first] = all
    if (first === undefined) continue
    const { collaborator, currency } = first.to
    const payout: StoredPayout = yield* openOrActive(stores, { ...terms, collaborator, currency })
    const made = yield* Effect.forEach(all, (one) =>
      Effect.map(itemOf(one, { ...given, at: terms.at }), (item) => ({ one, item })),
    )
    const places = made.map(({ item }) => ({ payoutId: payout.id, itemId: item.id }))
    const ids = yield* unusedIds(stores, places)
    const items: Array<PayoutItem.Sale> = []
    for (const [index, { one, item: keyed }] of made.entries()) {
      const item = { ...keyed, id: ids[index] ?? keyed.id }
      items.push(item)
      const { sale } = one.adjusting
      const ofSale = booked.get(sale) ?? { postings: [], moved: [] }
      booked.set(sale, ofSale)
      ofSale.postings.push({
        ...{ itemId: one.share.itemId, groupId: one.share.groupId },
        ...{
          collaboratorId: collaborator.id,
          payoutId: payout.id,
          payoutItemId: item.id,
          currency,
        },
        ...{ rate: item.currencyExchangeRate, reversed: 0, refunds: 0, runId: given.runId },
      })
      ofSale.moved.push({ payoutId: payout.id, amount: item.amount })
    }
    yield* addNewItems(stores, payout, items)
  }
  return booked
})

/** Stores the adjustment of a sale, whose postings may have moved while payouts were opened. */
const storeAdjustment = Effect.fnUntraced(function* (
  stores: Stores,
  { sale, outcome }: Adjusting,
  {
    runId,
    at,
    booked,
  }: { readonly runId: string; readonly at: number; readonly booked: BookedSale },
) {
  const { orderId, part } = sale
  const { parts, place } = yield* placeOf(stores, sale)
  const now = parts[place] ?? sale
  const { adjustment, next } = outcome
  const { order, groups } = next
  yield* stores.sales.addAdjustment({
    ...{ orderId, part, version: now.version },
    adjustment: { runId, adjustment, order, groups, recordedAt: at },
    postings: [...now.postings, ...booked.postings],
  })
  // The new split was counted with the same refunds when it was looked at.
  yield* Effect.catchTags(countAdjustment(stores, now, next.split), {
    InvalidRefund: Effect.die,
    RefundExceedsItem: Effect.die,
    RefundOfUnknownItem: Effect.die,
  })
  const { currency, shares } = adjustment
  const about = { orderId, part, runId, currency, shares: shares.length }
  const data = { ...about, ...saleTotals.ofAdjustment(adjustment), ...movedData(booked.moved) }
  yield* emit({ type: "sale.adjusted", data })
})

/** The sales of a batch that would change as approved, and the others. */
export const checkBatch = Effect.fnUntraced(function* (
  stores: Stores,
  by: ResplitRules,
  { sales }: ResplitBatch,
) {
  const adjusting: Array<Adjusting> = []
  const others: Array<SalePlace> = []
  for (const { orderId, part, fingerprint, counters = {} } of sales) {
    const { parts, place } = yield* placeOf(stores, { orderId, part })
    const sale = parts[place]
    const recount = new Recount(new Map(Object.entries(counters)))
    const outcome = sale && (yield* lookAt(stores, by, { parts, place, recount }))
    if (sale !== undefined && outcome?.type === "changed") {
      if ((yield* fingerprintOf(sale, outcome.adjustment)) === fingerprint) {
        adjusting.push({ sale, outcome })
        continue
      }
    }
    others.push({ orderId, part })
  }
  return { adjusting, others }
})

/** The result of a batch: booked, or the missing rates; then nothing was written. */
export type BatchResult =
  | {
      readonly type: "booked"
      readonly adjusted: number
      readonly leftOut: ReadonlyArray<SalePlace>
    }
  | { readonly type: "missing"; readonly rates: ReadonlyArray<MissingRate> }

/** Books adjustments of a run, each payout changed once; when rates are missing, writes nothing and returns them. */
export const bookAdjustments = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PostingTerms,
  adjusting: ReadonlyArray<Adjusting>,
  given: { readonly runId: string; readonly rates: TodaysRates },
): Effect.fn.Return<ReadonlyArray<MissingRate>, PostingError | StorageError> {
  const going = yield* goingOf(stores, adjusting)
  const missing = missingOf(going, given.rates)
  if (missing.length > 0) return missing
  const booked = yield* bookItems(stores, terms, going, given)
  const agreed = yield* agreementTerms(stores)
  for (const one of adjusting) {
    const ofSale = booked.get(one.sale) ?? { postings: [], moved: [] }
    const { order, split } = one.sale
    const moved = yield* postAgreements(stores, agreed, terms, {
      ...{ orderId: one.sale.orderId, currency: split.currency, runId: given.runId, store: [] },
      soldAt: order.createdAt ?? one.sale.recordedAt,
      ...{ shares: one.outcome.adjustment.shares, postings: ofSale.postings },
    })
    ofSale.moved.push(...moved)
    yield* storeAdjustment(stores, one, { runId: given.runId, at: terms.at, booked: ofSale })
  }
  return []
})

/** Books the sales of a batch. */
export const bookBatch = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PostingTerms,
  by: ResplitRules,
  {
    batch,
    ...given
  }: { readonly batch: ResplitBatch; readonly runId: string; readonly rates: TodaysRates },
): Effect.fn.Return<BatchResult, PostingError | StorageError> {
  const { adjusting, others } = yield* checkBatch(stores, by, batch)
  const missing = yield* bookAdjustments(stores, terms, adjusting, given)
  if (missing.length > 0) return { type: "missing", rates: missing }
  return { type: "booked", adjusted: adjusting.length, leftOut: others }
})
