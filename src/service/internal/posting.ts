import * as Effect from "effect/Effect"
import type { Order, OrderItem } from "../../orders/Order.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import * as PayoutItem from "../../payouts/PayoutItem.js"
import { MissingExchangeRate } from "../../payouts/PayoutItem.js"
import type { ScheduleError } from "../../payouts/Schedule.js"
import type { ExchangeRatesService } from "../../ports/ExchangeRates.js"
import type { Posting } from "../../ports/SaleStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError, StorageFailure } from "../../ports/StorageError.js"
import type { Share } from "../../shares/Share.js"
import { NotFound } from "../ServiceError.js"
import { addNewItems, openOrActive } from "./payoutCycle.js"
import { die } from "./transactions.js"

// Exchange rates while a sale is recorded. A transaction must not wait for them: it works with the rates
// known so far, and tells which it lacks before it has written anything.

/** Rates from the order's currency, by the currency they are to. */
export type KnownRates = ReadonlyMap<string, string>

/** The currencies to which no rate is known, each once. */
export const missingRates = (
  from: string,
  collaborators: Iterable<Collaborator>,
  known: KnownRates,
): ReadonlyArray<string> => {
  const needed = new Set(Array.from(collaborators, ({ currency }) => currency))
  return [...needed].filter((currency) => currency !== from && !known.has(currency))
}

/** Asks for rates, one after another; fails with the first that nobody knows. */
export const askRates = Effect.fnUntraced(function* (
  rates: ExchangeRatesService,
  request: { readonly accountId: string; readonly from: string; readonly at: number },
  currencies: ReadonlyArray<string>,
): Effect.fn.Return<KnownRates, MissingExchangeRate | StorageFailure> {
  const asked = new Map<string, string>()
  for (const to of currencies) {
    const rate = yield* rates.rate({ ...request, to })
    if (rate == null) return yield* MissingExchangeRate.of(request.from, to, request.at)
    asked.set(to, rate)
  }
  return asked
})

// Putting the shares of a split into the active payouts of their collaborators.

/** What placing needs to know beside the shares. */
export interface PlacingTerms {
  /** Unix seconds. */
  readonly at: number
  readonly timeZone: string
  /** Names a payout that is opened. */
  readonly newId: Effect.Effect<string>
}

/** The collaborators of shares by id; fails with the first that the account does not have. */
export const collaboratorsOf = Effect.fnUntraced(function* (
  stores: Stores,
  shares: ReadonlyArray<Pick<Share, "collaboratorId">>,
): Effect.fn.Return<ReadonlyMap<string, Collaborator>, NotFound | StorageError> {
  const ids = [...new Set(shares.map((share) => share.collaboratorId))]
  const found = ids.length === 0 ? [] : yield* stores.collaborators.find(ids)
  const people = new Map(found.map(({ collaborator }) => [collaborator.id, collaborator]))
  const unknown = ids.find((id) => !people.has(id))
  return unknown === undefined ? people : yield* NotFound.of("collaborator", unknown)
})

/**
 * An id that no item of a payout has: the one that says what the item is, unless somebody gave it to an
 * expense or income.
 */
export const unusedId = Effect.fnUntraced(function* (
  stores: Stores,
  payoutId: string,
  id: string,
): Effect.fn.Return<string, StorageError> {
  let candidate = id
  for (let count = 2; ; count += 1) {
    if ((yield* stores.payouts.item(payoutId, candidate)) === undefined) return candidate
    candidate = `${id}/${count}`
  }
})

const groupByCollaborator = (
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

interface SoldOrder {
  readonly order: Order
  readonly items: ReadonlyMap<string, OrderItem>
  readonly rates: KnownRates
}

/** The payout item of a share. Only the one order item is passed on, so that long orders stay quick. */
const itemOf = (
  share: Share,
  { order, items, rates }: SoldOrder,
  options: { readonly id: string; readonly currency: string; readonly at: number },
): Effect.Effect<PayoutItem.Sale, PayoutItem.MissingExchangeRate | PayoutItem.ConversionError> => {
  const item = items.get(share.itemId)
  const ofItem = { ...order, items: item === undefined ? [] : [item] }
  const rate = rates.get(options.currency) ?? null
  return Effect.fromResult(PayoutItem.fromShare(share, { ...options, order: ofItem, rate })).pipe(
    Effect.catchTag("UnknownOrderItem", Effect.die),
  )
}

const placeOf = (
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

const placeOfCollaborator = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PlacingTerms,
  collaborator: Collaborator,
  { sold, shares }: { readonly sold: SoldOrder; readonly shares: ReadonlyArray<Share> },
) {
  const { currency } = collaborator
  const payout = yield* openOrActive(stores, { ...terms, collaborator, currency })
  const items: Array<PayoutItem.Sale> = []
  const postings: Array<Posting> = []
  for (const share of shares) {
    const key = PayoutItem.keyOf({ ...share, orderId: sold.order.id })
    const id = yield* unusedId(stores, payout.id, key)
    const item = yield* itemOf(share, sold, { id, currency, at: terms.at })
    items.push(item)
    postings.push(placeOf(share, item, payout))
  }
  yield* addNewItems(stores, payout, items)
  return postings
})

const lost = (collaboratorId: string): Effect.Effect<never> =>
  die(`the shares of collaborator ${collaboratorId} have nobody to go to`)

/** Puts shares into payouts, and tells where each went. Shares of nothing are put there too. */
export const placeShares = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PlacingTerms,
  people: ReadonlyMap<string, Collaborator>,
  sold: {
    readonly order: Order
    readonly shares: ReadonlyArray<Share>
    readonly rates: KnownRates
  },
): Effect.fn.Return<
  ReadonlyArray<Posting>,
  PayoutItem.MissingExchangeRate | PayoutItem.ConversionError | ScheduleError | StorageError
> {
  const { order, rates } = sold
  const items = new Map(order.items.map((item) => [item.id, item]))
  const postings: Array<Posting> = []
  for (const [collaboratorId, shares] of groupByCollaborator(sold.shares)) {
    const collaborator = people.get(collaboratorId)
    if (collaborator === undefined) return yield* lost(collaboratorId)
    const own = { sold: { order, items, rates }, shares }
    postings.push(...(yield* placeOfCollaborator(stores, terms, collaborator, own)))
  }
  return postings
})
