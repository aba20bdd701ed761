import { compareIds } from "../../matching/internal/specificity.js"
import type { OrderItem } from "../../matching/Order.js"
import { allocate } from "../../money/Allocation.js"

/** What the buyer paid for an item: its amount less its discount. */
export const netOf = (item: OrderItem): number => item.amount - (item.discount ?? 0)

const weightsOf = (items: ReadonlyArray<OrderItem>): ReadonlyArray<number> => {
  const nets = items.map((item) => Math.abs(netOf(item)))
  if (nets.some((net) => net > 0)) return nets
  const quantities = items.map((item) => item.quantity)
  return quantities.some((quantity) => quantity > 0) ? quantities : items.map(() => 1)
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
  const order = items
    .map((_, index) => index)
    .sort((left, right) => compareIds(items[left]?.id ?? "", items[right]?.id ?? ""))
  const weights = weightsOf(items)
  const inOrder = allocate(
    sum,
    order.map((index) => weights[index] ?? 0),
  )
  const parts = items.map(() => 0)
  order.forEach((index, place) => {
    parts[index] = inOrder[place] ?? 0
  })
  return parts
}
