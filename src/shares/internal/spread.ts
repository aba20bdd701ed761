import { at } from "../../internal/at.js"
import { compareIds } from "../../matching/internal/specificity.js"
import type { OrderItem } from "../../matching/Order.js"
import { allocateExactly } from "../../money/internal/allocating.js"

/** What the buyer paid for an item: its amount less its discount. */
export const netOf = (item: OrderItem): number => item.amount - (item.discount ?? 0)

/** What an item's part is in proportion to; of some of these items there is something. */
const weighing = (items: ReadonlyArray<OrderItem>): ((item: OrderItem) => number) => {
  if (items.some((item) => netOf(item) !== 0)) return (item) => Math.abs(netOf(item))
  return items.some((item) => item.quantity > 0) ? (item) => item.quantity : () => 1
}

const nothing: ReadonlyArray<number> = []

/**
 * Divides a sum of the whole order over its items in proportion to what was paid for them, exactly.
 * Equal remainders go to the smaller item id; when nothing was paid, quantities decide.
 */
export const spread = (sum: number, items: ReadonlyArray<OrderItem>): ReadonlyArray<number> => {
  // Whoever asks takes what is missing for 0.
  if (sum === 0) return nothing
  if (items.length === 1) return [sum]
  const inOrder = items
    .map((item, place) => ({ item, place }))
    .sort((left, right) => compareIds(left.item.id, right.item.id))
  const weight = weighing(items)
  const allocated = allocateExactly(
    sum,
    inOrder.map(({ item }) => weight(item)),
  )
  const parts = allocated.slice()
  inOrder.forEach(({ place }, index) => {
    parts[place] = at(allocated, index)
  })
  return parts
}
