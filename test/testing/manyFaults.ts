import type { PayoutChange, PayoutStore, SaleStore } from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores } from "./Fault.js"

const inSales = (name: string, change: (sales: SaleStore) => Partial<SaleStore>): Fault =>
  inStores(name, ({ stores: { sales } }) => ({ sales: { ...sales, ...change(sales) } }))

const inPayouts = (name: string, change: (payouts: PayoutStore) => Partial<PayoutStore>): Fault =>
  inStores(name, ({ stores: { payouts } }) => ({ payouts: { ...payouts, ...change(payouts) } }))

const ofSales: ReadonlyArray<Fault> = [
  inSales("of many sales the last is forgotten", (sales) => ({
    insertAll: (all) => sales.insertAll(all.slice(0, -1)),
  })),
  inSales("of many sales, those that are there are passed over", (sales) => ({
    insertAll: (all) =>
      Effect.gen(function* () {
        const known = yield* sales.ofOrders(all.map(({ orderId }) => orderId))
        const isThere = new Set(known.map(({ orderId, part }) => `${part}/${orderId}`))
        return yield* sales.insertAll(
          all.filter(({ orderId, part }) => !isThere.has(`${part}/${orderId}`)),
        )
      }),
  })),
  inSales("many sales are given in another order", (sales) => ({
    insertAll: (all) => Effect.map(sales.insertAll(all), (stored) => stored.toReversed()),
  })),
  inSales("many sales are stored without their refunds", (sales) => ({
    insertAll: (all) => sales.insertAll(all.map((one) => ({ ...one, refunds: [] }))),
  })),
  inSales("of many orders only the first part is read", (sales) => ({
    ofOrders: (ids) =>
      Effect.map(sales.ofOrders(ids), (all) => all.filter((one) => one.part === 1)),
  })),
  inSales("the parts of many orders come by their numbers as texts", (sales) => ({
    ofOrders: (ids) =>
      Effect.map(sales.ofOrders(ids), (all) =>
        all.toSorted((one, other) => (String(one.part) < String(other.part) ? -1 : 1)),
      ),
  })),
  inSales("an order that is asked for twice is read twice", (sales) => ({
    ofOrders: (ids) => Effect.map(Effect.forEach(ids, sales.ofOrder), (all) => all.flat()),
  })),
  inSales("of many refunds one is read", (sales) => ({
    refunds: (ids) => Effect.map(sales.refunds(ids), (all) => all.slice(0, 1)),
  })),
]

/** The last change of each payout, with all that it was given. */
const summedUp = (changes: ReadonlyArray<PayoutChange>): ReadonlyArray<PayoutChange> =>
  [...Map.groupBy(changes, ({ payout }) => payout.id).values()].flatMap((ofOne) => {
    const [first, last] = [ofOne[0], ofOne.at(-1)]
    if (first === undefined || last === undefined) return []
    const { version } = first.payout
    return [{ payout: { ...last.payout, version }, put: ofOne.flatMap(({ put = [] }) => put) }]
  })

const ofPayouts: ReadonlyArray<Fault> = [
  inPayouts("several changes of a payout are stored as one", (payouts) => ({
    storeAll: (changes) =>
      Effect.map(payouts.storeAll(summedUp(changes)), () =>
        changes.map(({ payout }) => ({ ...payout, version: payout.version + 1 })),
      ),
  })),
  inPayouts("of many changes those that come too late are passed over", (payouts) => ({
    storeAll: (changes) =>
      Effect.map(
        Effect.forEach(changes, (change) =>
          Effect.gen(function* () {
            const known = yield* payouts.get(change.payout.id)
            if ((known?.version ?? 0) !== change.payout.version) return []
            return yield* payouts.storeAll([change])
          }),
        ),
        (stored) => stored.flat(),
      ),
  })),
  inPayouts("of many changes the items are forgotten", (payouts) => ({
    storeAll: (changes) => payouts.storeAll(changes.map(({ payout }) => ({ payout }))),
  })),
  inPayouts("what owners have comes in another order", (payouts) => ({
    ofOwners: (owners) => Effect.map(payouts.ofOwners(owners), (all) => all.toReversed()),
  })),
  inPayouts("owners have what they have in any currency", (payouts) => ({
    ofOwners: (owners) => payouts.ofOwners(owners.map((owner) => ({ ...owner, currency: "USD" }))),
  })),
  inPayouts("the first payout of an owner is the active one", (payouts) => ({
    ofOwners: (owners) =>
      Effect.map(payouts.ofOwners(owners), (all) =>
        all.map(({ active, firstOpenedAt }) => ({
          active,
          firstOpenedAt: active?.openedAt ?? firstOpenedAt,
        })),
      ),
  })),
  inPayouts("many items are found in whatever payout they are", (payouts) => ({
    itemsAt: (places) =>
      payouts.itemsAt(
        places.flatMap(({ itemId }) => ["o1", "o2"].map((payoutId) => ({ payoutId, itemId }))),
      ),
  })),
  inPayouts("an item that was looked for in vain stays away", (payouts) => {
    const inVain = new Set<string>()
    const keyOf = (payoutId: string, itemId: string) => JSON.stringify([payoutId, itemId])
    return {
      itemsAt: (places) =>
        Effect.map(payouts.itemsAt(places), (all) => {
          const found = new Set(all.map(({ payoutId, item }) => keyOf(payoutId, item.id)))
          for (const { payoutId, itemId } of places) {
            const key = keyOf(payoutId, itemId)
            if (!found.has(key)) inVain.add(key)
          }
          return all.filter(({ payoutId, item }) => !inVain.has(keyOf(payoutId, item.id)))
        }),
    }
  }),
  inPayouts("of many items one is found", (payouts) => ({
    itemsAt: (places) => Effect.map(payouts.itemsAt(places), (all) => all.slice(0, 1)),
  })),
]

/** What can go wrong with many sales, payouts and items at once. */
export const manyFaults: ReadonlyArray<Fault> = [...ofSales, ...ofPayouts]
