import * as Result from "effect/Result"
import { payoutOfWitness } from "../../analysis/Options.js"
import { compareTexts } from "../../internal/compare.js"
import * as Percent from "../../money/Percent.js"
import type { Order } from "../../orders/Order.js"
import type { Share, ShareTiers } from "../../shares/Share.js"
import * as CountedSplit from "../../terms/CountedSplit.js"
import type { Counters } from "../../terms/Counters.js"
import { conserved, everyItemOnce, neverMoreThanCameIn, wholeCents } from "./EngineLaws.js"
import type { CountedSale, JudgedSale, Law } from "./Law.js"
import { first, type Reason } from "./reasons.js"

const options = { payout: payoutOfWitness }

/** A law about sales whose rules have terms. */
const law = (
  { name, description }: Pick<Law, "name" | "description">,
  check: (sale: JudgedSale, counted: CountedSale) => Reason,
): Law => ({
  name,
  description,
  applies: ({ counted, split }) => counted !== undefined && split !== undefined,
  check: (sale) => (sale.counted === undefined ? undefined : check(sale, sale.counted)),
})

/**
 * No share brings what a cap counts beyond the cap.
 *
 * @since 0.6.0
 * @category laws of the engine
 */
export const noCapIsPassed: Law = law(
  {
    name: "no cap is passed",
    description: "No share brings what a cap counts beyond the cap.",
  },
  ({ split }) =>
    first(split?.shares ?? [], ({ groupId, itemId, terms }) => {
      const cap = terms?.cap
      if (cap == null || cap.after <= Math.max(cap.amount, cap.before)) return undefined
      return `group ${groupId} has ${cap.after} of its cap of ${cap.amount} after item ${itemId}, and had ${cap.before}`
    }),
)

const pointsOf = (percent: string): bigint =>
  BigInt(Result.getOrElse(Percent.parse(percent), () => 0))

/** Whether the percent share is within a cent of what its bands earn. */
const isMarginal = ({ base, percentTotal }: Share, { bands }: ShareTiers): boolean => {
  const length = bands.reduce((sum, { counted }) => sum + BigInt(counted), 0n)
  const earned = bands.reduce(
    (sum, { counted, percent }) => sum + BigInt(counted) * pointsOf(percent),
    0n,
  )
  // Nothing was counted: the only band earns it all.
  const [weight, whole] =
    length === 0n ? [pointsOf(bands[0]?.percent ?? "0"), 1n] : [earned, length]
  const away = BigInt(percentTotal) * whole * BigInt(Percent.whole) - BigInt(base) * weight
  const cent = (whole < 0n ? -whole : whole) * BigInt(Percent.whole)
  return away > -cent && away < cent
}

/**
 * Tiers of units and bases are marginal: each band's part of the base earns that band's percentage, and the sum is
 * rounded once, by less than a cent.
 *
 * @since 0.6.0
 * @category laws of the engine
 */
export const tiersAreMarginal: Law = law(
  {
    name: "each band earns its own percentage",
    description: "What tiers come to is within a cent of the sum of what each band earns.",
  },
  ({ split }) =>
    first(split?.shares ?? [], (share) => {
      const tiers = share.terms?.tiers
      if (tiers == null || tiers.counted === "share" || isMarginal(share, tiers)) return undefined
      return `the bands of group ${share.groupId} do not earn the ${share.percentTotal} that are paid of item ${share.itemId}`
    }),
)

/** Whether the items of an order can be sold one after another with the same result. */
const isDivisible = ({ order, policy }: JudgedSale): boolean =>
  policy.flatScope !== "order" &&
  (order.shippingAmount ?? 0) === 0 &&
  (order.shippingTax ?? 0) === 0 &&
  (order.gatewayFee ?? 0) === 0 &&
  order.items.length > 1 &&
  order.items.every(({ amount }) => amount !== 0)

const sold = ({ policy }: JudgedSale, { rules }: CountedSale, order: Order, counters: Counters) =>
  CountedSplit.orderResult(rules, order, policy, counters, options)

const paidOf = (shares: ReadonlyArray<Share>): string =>
  JSON.stringify(
    shares
      .map(({ itemId, groupId, amount }): readonly [string, number] => [
        JSON.stringify([itemId, groupId]),
        amount,
      ])
      .sort(([one], [other]) => compareTexts(one, other)),
  )

const sameCounts = (one: Counters, other: Counters): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (key) => (one[key] ?? 0) === (other[key] ?? 0),
  )

/**
 * It makes no difference into which orders items are cut that are sold one after another: each gets the same shares, and
 * the counters end where they do in one order.
 *
 * @since 0.6.0
 * @category laws of the engine
 */
export const ordersCutAnywhere: Law = law(
  {
    name: "items sold one after another are shared as in one order",
    description: "Each item of an order, sold in an order of its own, has the same shares.",
  },
  (sale, counted) => {
    if (!isDivisible(sale)) return undefined
    const items = sale.order.items.toSorted((one, other) => compareTexts(one.id, other.id))
    let counters = counted.before
    const shares: Array<Share> = []
    for (const item of items) {
      const next = sold(sale, counted, { ...sale.order, items: [item] }, counters)
      if (Result.isFailure(next)) return `item ${item.id} alone is refused: ${next.failure.message}`
      shares.push(...next.success.split.shares)
      counters = next.success.counters
    }
    if (paidOf(shares) !== paidOf(sale.split?.shares ?? [])) {
      return `one after another they are paid ${paidOf(shares)}, and in one order ${paidOf(sale.split?.shares ?? [])}`
    }
    return sameCounts(counters, counted.after) ? undefined : "the counters end elsewhere"
  },
)

/**
 * Refunding everything leaves the counters as if the order had never been sold.
 *
 * @since 0.6.0
 * @category laws of the engine
 */
export const refundsRestoreCounters: Law = law(
  {
    name: "a refund of everything restores the counters",
    description:
      "After a refund of every item the counters stand where they stood before the sale.",
  },
  ({ split, order }, { before, after }) => {
    if (split === undefined || order.items.some(({ quantity }) => quantity === 0)) return undefined
    let counters = after
    const earlier: Array<Parameters<typeof CountedSplit.refund>[1]> = []
    for (const { itemId, quantity } of split.items) {
      const refund = { orderId: split.orderId, itemId, quantity, refundedAt: 0 }
      const back = CountedSplit.refund(split, refund, { earlier, counters })
      if (Result.isFailure(back)) return `item ${itemId} can't be refunded: ${back.failure.message}`
      counters = back.success.counters
      earlier.push(refund)
    }
    return sameCounts(counters, before) ? undefined : "the counters stand elsewhere"
  },
)

/**
 * The laws of apportion about rules with tiers and caps. Those of {@link engine} that split an order again are about
 * rules without terms.
 *
 * @since 0.6.0
 * @category laws of the engine
 */
export const terms: ReadonlyArray<Law> = [
  ...[conserved, everyItemOnce, wholeCents, neverMoreThanCameIn],
  ...[noCapIsPassed, tiersAreMarginal, ordersCutAnywhere, refundsRestoreCounters],
]
