/** The items of one payout in a book: found by their ids, and kept in the order in which they came. */
import * as HashMap from "effect/HashMap"
import type { PayoutItem } from "../PayoutItem.js"

interface BookItem {
  /** The items' order: that in which they came. */
  readonly position: number
  readonly item: PayoutItem
}

/** Items by their ids. */
export type BookItems = HashMap.HashMap<string, BookItem>

export const none: BookItems = /* @__PURE__ */ HashMap.empty()

/** The items, as they came. */
export const inOrder = (items: BookItems): ReadonlyArray<PayoutItem> =>
  HashMap.toValues(items)
    .sort((one, other) => one.position - other.position)
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
    const { item } = HashMap.getUnsafe(items, id)
    left = HashMap.remove(left, id)
    waiting = HashMap.set(waiting, id, { position, item: { ...item, about } })
  }
  return { left, waiting }
}
