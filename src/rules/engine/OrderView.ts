import type { Order } from "../../orders/Order.js"
import type { ProductGroup } from "../ProductGroup.js"

let ordersViewed = 0

/** One order while it is looked at. */
export class OrderView {
  readonly order: Order
  /** No two views have the same; at a million orders a second the safe integers last for centuries. */
  readonly number: number
  /** The groups that apply to the order and that no value of a product leads to. */
  wide: ReadonlyArray<number> | undefined = undefined

  constructor(order: Order) {
    ordersViewed += 1
    this.order = order
    this.number = ordersViewed
  }
}

/** Whether a group with dates is in force at the order's time; without a time it is not. */
export const inForce = ({ createdAt: at }: Order, { startsAt, endsAt }: ProductGroup): boolean => {
  if (startsAt === null && endsAt === null) return true
  if (at == null) return false
  return (startsAt === null || startsAt <= at) && (endsAt === null || at < endsAt)
}
