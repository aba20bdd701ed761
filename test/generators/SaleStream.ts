/** Parts of random streams of sales: what several comparisons with an oracle draw their histories from. */
import type { Order, ProductGroup, SplitPolicy } from "apportion"
import type { OracleRefund } from "../oracle/Oracle.js"
import type { Chance } from "./Chance.js"

export type SoldRefund = OracleRefund & { readonly orderId: string; readonly refundedAt: number }

export const one = <A>(chance: Chance, ...values: readonly [A, ...ReadonlyArray<A>]): A =>
  values[chance.below(values.length)] ?? values[0]

export const range = (chance: Chance, low: number, high: number): number =>
  low + chance.below(high - low + 1)

/** How large the figures are: most histories have small ones, in which bounds are met often. */
export type Size = "small" | "huge"

export const most = Number.MAX_SAFE_INTEGER

/** Round figures, which sales, bounds and caps share, so that they meet exactly. */
export const round = (chance: Chance): number => one(chance, 100, 200, 250, 500, 1_000, 2_500)

export const amount = (chance: Chance, size: Size): number => {
  if (size === "huge" && chance.onceIn(2)) {
    return chance.onceIn(3)
      ? one(chance, most, most - 1, most / 2 + 0.5, 2 ** 52)
      : Math.floor(most / range(chance, 1, 50))
  }
  if (chance.onceIn(3)) return round(chance)
  return chance.onceIn(4) ? one(chance, 0, 1, 2, 3, 99, 101) : range(chance, 1, 4_000)
}

export const percent = (chance: Chance): string =>
  chance.onceIn(3)
    ? one(chance, "0.00", "0.01", "100.00", "50.00", "33.33", "10.00")
    : (range(chance, 0, 4_000) / 100).toFixed(2)

export const limits = (
  chance: Chance,
): Pick<ProductGroup.GroupInput, "minAmount" | "maxAmount"> => {
  if (!chance.onceIn(8)) return {}
  const minAmount = chance.below(300)
  return chance.onceIn(2) ? { minAmount } : { minAmount, maxAmount: minAmount + chance.below(500) }
}

export const policy = (chance: Chance): SplitPolicy.SplitPolicy => ({
  discount: one(chance, "deduct", "ignore"),
  tax: one(chance, "remove", "keep", "share"),
  cost: "ignore",
  gatewayFee: one(chance, "ignore", "deduct"),
  flatScope: one(chance, "unit", "item", "order"),
  shipping: one(chance, "store", "share", "charge", "all"),
  stacking: one(chance, "most-specific", "all"),
  rounding: one(chance, "largest-remainder", "largest-remainder", "floor"),
  overAllocation: one(chance, "scale", "rank", "allow", "reject"),
})

/** Seconds at both ends of a month and of a year, in several zones, and some between. */
const moment = (chance: Chance): number =>
  one(
    chance,
    1_767_225_599,
    1_767_225_600,
    1_767_243_600,
    1_772_323_200,
    1_772_319_600,
    1_780_000_000,
  )

const quantity = (chance: Chance, size: Size): number => {
  if (size === "huge" && chance.onceIn(6)) return one(chance, most, most - 1, 2 ** 52)
  return chance.onceIn(12) ? 0 : range(chance, 1, chance.onceIn(4) ? 60 : 9)
}

const item = (chance: Chance, id: string, size: Size): Order.OrderItem => {
  const worth = amount(chance, size)
  const isReturn = chance.onceIn(7)
  const money = isReturn ? 0 - worth : worth
  return {
    id,
    product: { id: one(chance, "p1", "p2") },
    quantity: quantity(chance, size),
    amount: money,
    ...(chance.onceIn(5) ? { discount: Math.trunc(money / range(chance, 2, 9)) } : {}),
    ...(chance.onceIn(6) ? { taxTotal: Math.trunc(money / range(chance, 5, 9)) } : {}),
  }
}

export const order = (chance: Chance, id: string, size: Size): Order.Order => {
  const ids = one(chance, ["1"], ["1"], ["1", "2"], ["2", "1"], ["9", "10", "8"])
  return {
    id,
    currency: one(chance, "USD", "USD", "USD", "JPY", "KWD"),
    ...(chance.onceIn(25) ? {} : { createdAt: moment(chance) }),
    referers: chance.onceIn(2) ? ["blog"] : [],
    taxesIncluded: chance.onceIn(2),
    shippingAmount: chance.onceIn(3) ? range(chance, 1, 900) : 0,
    gatewayFee: chance.onceIn(4) ? chance.below(90) : 0,
    items: ids.map((each) => item(chance, each, size)),
  }
}

/** A refund of something that was sold, in one of the ways there are; some are of more than there is. */
export const refund = (chance: Chance, sold: ReadonlyArray<Order.Order>): SoldRefund => {
  const sale = chance.pick(sold)
  const of = chance.pick(sale?.items ?? [])
  const place = { orderId: sale?.id ?? "", itemId: of?.id ?? "", refundedAt: 1_780_000_000 }
  const net = (of?.amount ?? 0) - (of?.discount ?? 0)
  const way = chance.below(10)
  if (way === 0 && (sale?.shippingAmount ?? 0) > 0) {
    const shippingTotal = sale?.shippingAmount ?? 0
    return { ...place, shippingAmount: range(chance, 1, shippingTotal), shippingTotal }
  }
  if (way < 3) return { ...place, remaining: true }
  if (way < 7) return { ...place, quantity: range(chance, 1, Math.max(1, of?.quantity ?? 1)) }
  const part = Math.trunc(net / range(chance, 1, 5))
  return { ...place, amount: part === 0 ? net : part }
}
