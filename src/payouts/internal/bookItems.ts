/** The items of one payout in a book: found by their ids, and kept in the order in which they came. */
import type { PayoutItem } from "../PayoutItem.js"
import * as PersistentMap from "./PersistentMap.js"

interface BookItem {
  /** The items' order: that in which they came. */
  readonly position: number
  readonly item: PayoutItem
}

/** Items by their ids. */
export type BookItems = PersistentMap.PersistentMap<BookItem>

export const none: BookItems = PersistentMap.empty

/** The items, as they came. */
export const inOrder = (items: BookItems): ReadonlyArray<PayoutItem> =>
  PersistentMap.values(items)
    .toSorted((one, other) => one.position - other.position)
    .map(({ item }) => item)

/** Takes items out of a payout, and gives them as the payout has them that they move into. */
export const divide = (
  items: BookItems,
  payoutId: string,
  itemIds: ReadonlyArray<string> = [],
): { readonly left: BookItems; readonly waiting: BookItems } => {
  const about = { payoutId, why: "immature" } as const
  let [left, waiting] = [items, none]
  for (const [position, id] of itemIds.entries()) {
    const { item } = PersistentMap.at(items, id)
    left = PersistentMap.remove(left, id)
    waiting = PersistentMap.set(waiting, id, { position, item: { ...item, about } })
  }
  return { left, waiting }
}
