/** The contents of a book: persistent maps, so that recording a fact costs only what it changes. */
import type { Order } from "../../orders/Order.js"
import type { EarnedShare } from "../BookFact.js"
import type { Collaborator } from "../Collaborator.js"
import type * as Lifecycle from "../Lifecycle.js"
import * as PayoutItem from "../PayoutItem.js"
import type { BookItems } from "./bookItems.js"
import * as PersistentMap from "./PersistentMap.js"

/** A payout of a book. */
export interface BookedPayout {
  readonly head: Lifecycle.PayoutHead
  readonly items: BookItems
}

/** The place of an item, and for a sale what was taken back of it in other payouts. */
export interface RecordedItem extends Omit<Lifecycle.PostedSale, "sale"> {
  readonly payoutId: string
}

/** A collaborator's share of an item of an order, or the change of one by a re-split. */
interface BookedShare {
  /** The item's id in its payout. */
  readonly id: string
  readonly groupId: string
  readonly collaboratorId: string
  /** The currency of the payout. */
  readonly currency: string
  readonly rate: string | null
}

/** The contents of a book. */
export interface BookContents {
  readonly collaborators: PersistentMap.PersistentMap<Collaborator>
  /** By collaborator and currency. No one depends on another, so each advances only when something happens to it. */
  readonly heads: PersistentMap.PersistentMap<Lifecycle.Head>
  readonly payouts: PersistentMap.PersistentMap<BookedPayout>
  /** By the ids of items. */
  readonly recorded: PersistentMap.PersistentMap<RecordedItem>
  /** By the items of orders, in the order in which they came. */
  readonly shares: PersistentMap.PersistentMap<ReadonlyArray<BookedShare>>
  readonly refundIds: PersistentMap.PersistentMap<true>
}

/** The contents of a book without facts. */
export const nothing: BookContents = {
  collaborators: PersistentMap.empty,
  heads: PersistentMap.empty,
  payouts: PersistentMap.empty,
  recorded: PersistentMap.empty,
  shares: PersistentMap.empty,
  refundIds: PersistentMap.empty,
}

type ItemKey = Pick<PayoutItem.ShareKey, "orderId" | "itemId">

const keyOf = ({ orderId, itemId }: ItemKey): string =>
  PayoutItem.keyOf({ orderId, itemId, groupId: "" })

/** The shares of an item of an order. */
export const sharesOf = (
  { shares }: Pick<BookContents, "shares">,
  item: ItemKey,
): ReadonlyArray<BookedShare> => PersistentMap.get(shares, keyOf(item)) ?? []

/** The contents with one more share. */
export const withShare = (
  contents: BookContents,
  item: ItemKey,
  share: BookedShare,
): BookContents => ({
  ...contents,
  shares: PersistentMap.set(contents.shares, keyOf(item), [...sharesOf(contents, item), share]),
})

/** The id of a collaborator's adjustment in a run, where another one may have one through the same group. */
export const adjustmentId = (
  contents: BookContents,
  key: PayoutItem.ShareKey,
  collaboratorId: string,
): string => {
  const first = PayoutItem.keyOf(key)
  const known = sharesOf(contents, key)
  let id = first
  for (let number = 2; ; number += 1) {
    const taken = known.find((share) => share.id === id)
    if (taken === undefined || taken.collaboratorId === collaboratorId) return id
    id = `${first}/${number}`
  }
}

/** The currency in which a share is booked, and its rate; absent: no rate is known. */
type ShareCurrency = Pick<BookedShare, "currency"> & { readonly rate?: string | null | undefined }

/**
 * The currency and rate of an adjusted share: those of the share itself, or of another share that the collaborator has
 * of the same items, or those of a sale of today.
 */
export const bookedLike = (
  contents: BookContents,
  {
    order,
    share: { itemId, groupId, collaboratorId },
  }: { readonly order: Order; readonly share: EarnedShare },
  today: ShareCurrency,
): ShareCurrency => {
  const ofItem = (id: string) =>
    sharesOf(contents, { orderId: order.id, itemId: id }).filter(
      (share) => share.collaboratorId === collaboratorId,
    )
  const same = ofItem(itemId).find((share) => share.groupId === groupId)
  const own = order.items.flatMap(({ id }) => ofItem(id))
  return same ?? own.find(({ currency }) => currency === today.currency) ?? today
}
