/** Random histories of sales and refunds under terms: what the library and the oracle have to agree on. */
import type { CountedRules, Order, SplitPolicy, Terms } from "apportion"
import type { Chance } from "../generators/Chance.js"
import type { OracleRefund } from "../oracle/Oracle.js"

export type SoldRefund = OracleRefund & { readonly orderId: string; readonly refundedAt: number }

export type Step =
  | { readonly sale: Order.Order; readonly payout: string }
  | { readonly refund: SoldRefund }

export interface History {
  readonly groups: ReadonlyArray<CountedRules.CountedGroupInput>
  readonly policy: SplitPolicy.SplitPolicy
  readonly timeZone: string
  readonly before: Readonly<Record<string, number>>
  readonly steps: ReadonlyArray<Step>
}

const one = <A>(chance: Chance, ...values: readonly [A, ...ReadonlyArray<A>]): A =>
  values[chance.below(values.length)] ?? values[0]

const range = (chance: Chance, low: number, high: number): number =>
  low + chance.below(high - low + 1)

/** How large the figures are: most histories have small ones, in which bounds are met often. */
type Size = "small" | "huge"

const amount = (chance: Chance, size: Size): number => {
  if (size === "huge" && chance.onceIn(2)) {
    return Math.floor(Number.MAX_SAFE_INTEGER / range(chance, 1, 50))
  }
  return chance.onceIn(4) ? one(chance, 0, 1, 2, 3, 99, 100, 101) : range(chance, 1, 4_000)
}

const percent = (chance: Chance): string =>
  chance.onceIn(3)
    ? one(chance, "0.00", "0.01", "100.00", "50.00", "33.33", "10.00")
    : (range(chance, 0, 4_000) / 100).toFixed(2)

const per = (chance: Chance): Terms.Per => one(chance, "group", "group", "collaborator")

const period = (chance: Chance): Terms.CountPeriod =>
  one(chance, "lifetime", "lifetime", "year", "month", "payout")

const tiers = (chance: Chance, size: Size): NonNullable<Terms.TermsInput["tiers"]> => {
  const counted = one(chance, "units", "units", "base", "share")
  const widest = counted === "units" ? 25 : counted === "base" ? 5_000 : 800
  const bounds = [0]
  for (let count = chance.below(4); count > 0; count -= 1) {
    const step = size === "huge" && chance.onceIn(3) ? 2 ** 51 : range(chance, 1, widest)
    const next = (bounds.at(-1) ?? 0) + step
    if (Number.isSafeInteger(next)) bounds.push(next)
  }
  const bands = bounds.map((from) => ({ from, percent: percent(chance) }))
  return { counted, per: per(chance), period: period(chance), bands }
}

const terms = (chance: Chance, size: Size): Terms.TermsInput | null => {
  const kind = chance.below(8)
  if (kind === 0) return null
  const cap = { amount: amount(chance, size), per: per(chance), period: period(chance) }
  return {
    ...(kind === 1 ? {} : { tiers: tiers(chance, size) }),
    ...(kind < 4 ? { cap } : {}),
  }
}

const limits = (
  chance: Chance,
): Pick<CountedRules.CountedGroupInput, "minAmount" | "maxAmount"> => {
  if (!chance.onceIn(8)) return {}
  const minAmount = chance.below(300)
  return chance.onceIn(2) ? { minAmount } : { minAmount, maxAmount: minAmount + chance.below(500) }
}

const group = (chance: Chance, id: string, size: Size): CountedRules.CountedGroupInput => {
  const own = terms(chance, size)
  const isDeducting = chance.onceIn(6)
  const hasFlat = chance.onceIn(6)
  return {
    id,
    collaboratorId: one(chance, "ada", "ben"),
    link: chance.onceIn(4)
      ? { type: "products", values: [one(chance, "p1", "p2")] }
      : { type: "products.all" },
    ...(own?.tiers == null ? { percent: percent(chance) } : {}),
    ...(hasFlat ? { amount: chance.below(200) } : {}),
    ...(chance.onceIn(5) ? { shippingPercent: percent(chance) } : {}),
    ...(hasFlat && chance.onceIn(3) ? { shippingAmount: chance.below(50) } : {}),
    ...(isDeducting
      ? { condition: { type: "referer", values: ["blog"] }, deductForOtherSplits: true }
      : {}),
    ...limits(chance),
    ...(own === null && chance.onceIn(2) ? {} : { terms: own }),
  }
}

const policy = (chance: Chance): SplitPolicy.SplitPolicy => ({
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

const item = (chance: Chance, id: string, size: Size): Order.OrderItem => {
  const worth = amount(chance, size)
  const isReturn = chance.onceIn(7)
  const money = isReturn ? 0 - worth : worth
  return {
    id,
    product: { id: one(chance, "p1", "p2") },
    quantity: chance.onceIn(12) ? 0 : range(chance, 1, chance.onceIn(4) ? 60 : 9),
    amount: money,
    ...(chance.onceIn(5) ? { discount: Math.trunc(money / range(chance, 2, 9)) } : {}),
    ...(chance.onceIn(6) ? { taxTotal: Math.trunc(money / range(chance, 5, 9)) } : {}),
  }
}

const order = (chance: Chance, id: string, size: Size): Order.Order => {
  const ids = one(chance, ["1"], ["1"], ["1", "2"], ["2", "1"], ["9", "10", "8"])
  return {
    id,
    currency: one(chance, "USD", "USD", "JPY"),
    ...(chance.onceIn(25) ? {} : { createdAt: moment(chance) }),
    referers: chance.onceIn(2) ? ["blog"] : [],
    taxesIncluded: chance.onceIn(2),
    shippingAmount: chance.onceIn(3) ? range(chance, 1, 900) : 0,
    gatewayFee: chance.onceIn(4) ? chance.below(90) : 0,
    items: ids.map((each) => item(chance, each, size)),
  }
}

/** A refund of something that was sold, in one of the ways there are; some are of more than there is. */
const refund = (chance: Chance, sold: ReadonlyArray<Order.Order>): SoldRefund => {
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

/** A history of a few sales and refunds. */
export const history = (chance: Chance): History => {
  const size: Size = chance.onceIn(12) ? "huge" : "small"
  const ids = ["a", "b", "C", "d"].slice(0, range(chance, 1, 4))
  const groups = ids.map((id) => group(chance, id, size))
  const steps: Array<Step> = []
  const sold: Array<Order.Order> = []
  for (let count = range(chance, 1, 6); count > 0; count -= 1) {
    if (sold.length > 0 && chance.onceIn(3)) {
      steps.push({ refund: refund(chance, sold) })
      continue
    }
    const sale = order(chance, `${sold.length + 1}`, size)
    sold.push(sale)
    steps.push({ sale, payout: one(chance, "first", "second") })
  }
  const before = chance.onceIn(6)
    ? { "units/USD/lifetime/group/a": one(chance, -5, 3, 19, Number.MAX_SAFE_INTEGER - 20) }
    : {}
  const timeZone = one(chance, "UTC", "UTC", "America/New_York", "Asia/Tokyo")
  return { groups, policy: policy(chance), timeZone, before, steps }
}
