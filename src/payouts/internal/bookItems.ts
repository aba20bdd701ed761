/** The items of one payout in a book: found by their ids, and kept in the order in which they were added. */
import type { PayoutItem } from "../PayoutItem.js"
import * as PersistentMap from "./PersistentMap.js"

interface BookItem {
  /** The position of the item: in the order in which items were added. */
  readonly position: number
  readonly item: PayoutItem
}

/** Items by their ids. */
export type BookItems = PersistentMap.PersistentMap<BookItem>

export const none: BookItems = PersistentMap.empty

/** The items, in the order in which they were added. */
export const inOrder = (items: BookItems): ReadonlyArray<PayoutItem> =>
  PersistentMap.values(items)
    .toSorted((one, other) => one.position - other.position)
    .map(({ item }) => item)

/** Items in a new order; an added one is last. */
const numbered = (items: ReadonlyArray<PayoutItem>): BookItems =>
  items.reduce(
    (numbers, item, position) => PersistentMap.set(numbers, item.id, { position, item }),
    none,
  )

/** Removes items from a payout, and returns them as items of the payout that they move into. */
export const divide = (
  items: BookItems,
  payoutId: string,
  itemIds: ReadonlyArray<string> = [],
): { readonly left: BookItems; readonly waiting: BookItems } => {
  if (itemIds.length === 0) return { left: items, waiting: none }
  const about = { payoutId, why: "immature" } as const
  const moved = new Set(itemIds)
  const waiting = itemIds.map((id) => ({ ...PersistentMap.at(items, id).item, about }))
  return {
    left: numbered(inOrder(items).filter(({ id }) => !moved.has(id))),
    waiting: numbered(waiting),
  }
}
