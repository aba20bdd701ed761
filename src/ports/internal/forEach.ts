/** The store methods for many entries, made from the methods for a single one. */
import * as Effect from "effect/Effect"
import type { PayoutStore } from "../PayoutStore.js"
import type { SaleStore } from "../SaleStore.js"
import { soldOneByOne } from "../SoldSales.js"

/** A store of payouts with methods for single entries only. */
export type OnePayout = Omit<PayoutStore, "ofOwners" | "itemsAt" | "storeAll">

/** A store of sales with methods for single entries only. */
export type OneSale = Omit<SaleStore, "ofOrders" | "insertAll" | "refunds" | "sold">

/** The methods for many payouts, which handle them in sequence. */
export const eachPayout = (store: OnePayout): Omit<PayoutStore, keyof OnePayout> => ({
  ofOwners: (owners) =>
    Effect.forEach(owners, (owner) =>
      Effect.all({ active: store.active(owner), firstOpenedAt: store.firstOpenedAt(owner) }),
    ),
  itemsAt: (places) =>
    Effect.map(
      Effect.forEach(distinct(places), ({ payoutId, itemId }) =>
        Effect.map(store.item(payoutId, itemId), (item) =>
          item === undefined ? [] : [{ payoutId, item }],
        ),
      ),
      (found) => found.flat(),
    ),
  storeAll: (changes) =>
    Effect.forEach(changes, (change) =>
      change.payout.version === 0 ? store.insert(change) : store.update(change),
    ),
})

/** The methods for many sales, which handle them in sequence. */
export const eachSale = (store: OneSale): Omit<SaleStore, keyof OneSale> => ({
  ofOrders: (orderIds) =>
    Effect.map(Effect.forEach(new Set(orderIds), store.ofOrder), (found) => found.flat()),
  insertAll: (sales) => Effect.forEach(sales, store.insert),
  refunds: (refundIds) =>
    Effect.map(Effect.forEach(new Set(refundIds), store.refund), (found) =>
      found.flatMap((refund) => refund ?? []),
    ),
  sold: (times) => soldOneByOne(store, times),
})

const distinct = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
]
