/** What each one would get of an item under `scale` if cents could be divided. */
import * as Result from "effect/Result"
import * as Percent from "../../money/Percent.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import type { ItemBreakdown, Share } from "../../shares/Share.js"
import type { Split } from "../../shares/Split.js"
import type { JudgedSale } from "./Law.js"
import { first, money, ofItem, type Reason, signOf } from "./reasons.js"

const whole = BigInt(Percent.whole)

const pointsOf = (percent: string | null): bigint =>
  percent === null ? 0n : BigInt(Result.getOrElse(Percent.parse(percent), () => 0))

/** What one share is, what it is of, and what it claims in parts of a cent. */
interface ShareClaim {
  readonly share: Share
  readonly asked: bigint
}

interface Case {
  readonly item: ItemBreakdown
  readonly shares: ReadonlyArray<Share>
  readonly sale: JudgedSale
  readonly sign: bigint
  /** A cent in parts. */
  readonly cent: bigint
}

const goodsOf = (share: Share, group: ProductGroup, { sign, cent }: Case): bigint => {
  const percent = (sign * BigInt(share.base) * pointsOf(group.percent) * cent) / whole
  const earned = percent + sign * BigInt(share.flatTotal) * cent
  const least = BigInt(group.minAmount ?? 0) * cent
  const isNothing = percent === 0n && share.flatTotal === 0
  const raised = group.minAmount !== null && !isNothing && earned < least ? least : earned
  const most = BigInt(group.maxAmount ?? 0) * cent
  return group.maxAmount !== null && raised > most ? most : raised
}

/** The most specific group of each collaborator. */
const receivers = ({ item, shares, sale }: Case): ReadonlySet<string> => {
  const sold = sale.order.items.find(({ id }) => id === item.itemId)
  const groups = sold === undefined ? [] : RuleSet.matchingGroups(sale.rules, sale.order, sold)
  const paid = new Set(shares.map(({ groupId }) => groupId))
  const found = new Map<string, string>()
  for (const { id, collaboratorId } of groups) {
    if (paid.has(id) && !found.has(collaboratorId)) found.set(collaboratorId, id)
  }
  return new Set(found.values())
}

const shippingOf = (share: Share, group: ProductGroup, one: Case): bigint => {
  const { item, sale, sign, cent } = one
  const { shipping } = sale.policy
  if (shipping === "store") return 0n
  const sum = sign * BigInt(item.shipping) * cent
  if (shipping === "all") {
    const served = receivers(one)
    return served.has(share.groupId) ? sum / BigInt(served.size) : 0n
  }
  const percent = (sum * pointsOf(group.shippingPercent ?? group.percent)) / whole
  const units = BigInt(group.shippingAmount ?? 0) * BigInt(item.quantity)
  const earned = percent + (group.amount === null ? 0n : units * cent)
  return shipping === "charge" ? -earned : earned
}

/** As many parts as any number of equal parts up to that of the shares, and any percentage, can be written in. */
const centOf = (shares: ReadonlyArray<Share>): bigint =>
  shares.reduce((product, _, place) => product * BigInt(place + 1), whole)

/**
 * Why a share is not within a cent of its exact proportion of what an item brought in, where the claims on the
 * item are cut.
 */
export const proportionReason = (item: ItemBreakdown, split: Split, sale: JudgedSale): Reason => {
  const shares = ofItem(split.shares, item.itemId)
  const one = { item, shares, sale, sign: signOf(item, sale.order), cent: centOf(shares) }
  const { cent, sign } = one
  const claims = shares.flatMap((share): ReadonlyArray<ShareClaim> => {
    const group = RuleSet.get(sale.rules, share.groupId)
    if (group === undefined) return []
    return [{ share, asked: goodsOf(share, group, one) + shippingOf(share, group, one) }]
  })
  const distributable = sign * BigInt(item.distributable)
  const there = (distributable > 0n ? distributable : 0n) * cent
  const sum = (parts: ReadonlyArray<bigint>) => parts.reduce((total, part) => total + part, 0n)
  const wanted = sum(claims.map(({ asked }) => (asked > 0n ? asked : 0n)))
  const paidIn = sum(claims.map(({ asked }) => (asked < 0n ? -asked : 0n)))
  if (wanted <= there + paidIn) return undefined
  return first(claims, ({ share, asked }) => {
    // Both sides are multiplied by what was wanted, so that nothing is divided.
    const exact = asked > 0n ? asked * (there + paidIn) : asked * wanted
    const away = sign * BigInt(share.amount) * cent * wanted - exact
    const oneCent = cent * wanted
    if (away < oneCent && away > -oneCent) return undefined
    return `${money(share.amount, split)} (group ${share.groupId}, item ${item.itemId}) are a cent or more from the exact proportion of the claim`
  })
}
