/**
 * Rules of reckoning that were another one in an earlier version. A split that was recorded then must come out
 * again as it was recorded, so they are kept beside those of today.
 */
import { compareIds } from "../../matching/internal/specificity.js"
import type { Order, OrderItem } from "../../matching/Order.js"
import * as exact from "../../money/internal/exact.js"
import * as overAllocation from "./overAllocation.js"

export type Sign = 1 | -1

/** What of the reckoning has changed between versions. */
export interface Edition {
  /** Whether an order as a whole gives, or takes a sale back. */
  readonly signOfOrder: (order: Order) => Sign
  /** Whether an item is computed as it is or as its mirror. */
  readonly signOf: (item: OrderItem, orderSign: Sign, shipping: number) => Sign
  readonly scale: overAllocation.Scale
}

/** The sign of the first figure that is not 0. */
const signOfFirst = (figures: ReadonlyArray<number | bigint>): Sign =>
  (figures.find((figure) => Number(figure) !== 0) ?? 1) < 0 ? -1 : 1

/** The amount of the first item by id that has one: where nothing else says which way an exchange goes. */
const firstAmount = (items: ReadonlyArray<OrderItem>): number =>
  items
    .filter(({ amount }) => amount !== 0)
    .reduce<OrderItem | undefined>(
      (first, item) => (first === undefined || compareIds(item.id, first.id) < 0 ? item : first),
      undefined,
    )?.amount ?? 0

/** An item without any money of its own goes the way of its order. */
export const current: Edition = {
  signOfOrder: ({ items, shippingAmount = 0, shippingTax = 0, gatewayFee = 0 }) => {
    const sum = exact.sum(items.map(({ amount }) => amount))
    return signOfFirst([sum, shippingAmount, shippingTax, gatewayFee, firstAmount(items)])
  },
  signOf: ({ amount, discount = 0, taxTotal }, orderSign) => {
    if (amount !== 0) return amount < 0 ? -1 : 1
    return signOfFirst([discount, taxTotal ?? 0, orderSign])
  },
  scale: overAllocation.scale,
}

/** As it was before version 0.6.0. */
export const before060: Edition = {
  signOfOrder: () => 1,
  signOf: ({ amount }, _orderSign, shipping) =>
    amount < 0 || (amount === 0 && shipping < 0) ? -1 : 1,
  scale: overAllocation.scaleRounded,
}
