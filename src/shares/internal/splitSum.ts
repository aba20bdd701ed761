/** Several splits as one of the whole: what each item and each share has in all of them. */
import type { ItemBreakdown, Outranked, Share, StoreShare } from "../Share.js"
import type { Split } from "../Split.js"

const summed = <A extends object>(
  rows: ReadonlyArray<A>,
  keyOf: (row: A) => string,
  plus: (one: A, other: A) => A,
): ReadonlyArray<A> => {
  const all = new Map<string, A>()
  for (const row of rows) {
    const known = all.get(keyOf(row))
    all.set(keyOf(row), known === undefined ? row : plus(known, row))
  }
  return [...all.values()]
}

const shareKey = ({ itemId, groupId, collaboratorId }: Share | Outranked): string =>
  JSON.stringify([itemId, groupId, collaboratorId])

const plusShare = (one: Share, other: Share): Share => ({
  ...one,
  amount: one.amount + other.amount,
  shippingAmount: one.shippingAmount + other.shippingAmount,
  base: one.base + other.base,
  percentTotal: one.percentTotal + other.percentTotal,
  flatTotal: one.flatTotal + other.flatTotal,
  beforeShipping: one.beforeShipping + other.beforeShipping,
  claim: one.claim + other.claim,
})

const plusStore = (one: StoreShare, other: StoreShare): StoreShare => ({
  ...one,
  amount: one.amount + other.amount,
})

const plusItem = (one: ItemBreakdown, other: ItemBreakdown): ItemBreakdown => ({
  itemId: one.itemId,
  amount: one.amount + other.amount,
  quantity: one.quantity + other.quantity,
  discount: one.discount + other.discount,
  tax: one.tax + other.tax,
  cost: one.cost + other.cost,
  gatewayFee: one.gatewayFee + other.gatewayFee,
  shipping: one.shipping + other.shipping,
  base: one.base + other.base,
  deducted: one.deducted + other.deducted,
  distributable: one.distributable + other.distributable,
  overAllocated: one.overAllocated || other.overAllocated,
})

const itemKey = ({ itemId }: { readonly itemId: string }): string => itemId

/** The splits as one, with the items in the order of another split that has them all. */
export const sumOfSplits = (
  { items, ...whole }: Pick<Split, "orderId" | "currency" | "createdAt" | "policy" | "items">,
  splits: ReadonlyArray<Split>,
): Split => {
  const place = new Map(items.map(({ itemId }, index) => [itemId, index]))
  const placeOf = ({ itemId }: { readonly itemId: string }) => place.get(itemId) ?? items.length
  /** The rows of all splits, those with the same key as one, in the order of the items. */
  const sumOf = <A extends { readonly itemId: string }>(
    rowsOf: (split: Split) => ReadonlyArray<A>,
    keyOf: (row: A) => string,
    plus: (one: A, other: A) => A,
  ) =>
    [...summed(splits.flatMap(rowsOf), keyOf, plus)].sort(
      (one, other) => placeOf(one) - placeOf(other),
    )
  const { orderId, currency, createdAt, policy } = whole
  return {
    ...{ orderId, currency, createdAt, policy },
    shares: sumOf(({ shares }) => shares, shareKey, plusShare),
    store: sumOf(({ store }) => store, itemKey, plusStore),
    items: sumOf((split) => split.items, itemKey, plusItem),
    outranked: sumOf(
      ({ outranked }) => outranked,
      shareKey,
      (one) => one,
    ),
  }
}
