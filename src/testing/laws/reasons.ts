import * as Result from "effect/Result"
import { sameData } from "../../internal/sameData.js"
import * as Percent from "../../money/Percent.js"
import type { Order } from "../../orders/Order.js"
import * as Words from "../../orders/Words.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import * as Refund from "../../shares/Refund.js"
import type { ItemBreakdown, Share } from "../../shares/Share.js"
import type { Split } from "../../shares/Split.js"
import { tellDifference } from "../contracts/check.js"
import type { JudgedSale } from "./Law.js"

// Sums of money as laws look at them: exact, and in the sign of the item.

/** The exact sum of the parts' amounts. */
export const total = (parts: ReadonlyArray<{ readonly amount: number }>): bigint =>
  parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)

const signOfFirst = (figures: ReadonlyArray<number | bigint | null | undefined>): bigint => {
  const first = figures.find((figure) => figure != null && Number(figure) !== 0)
  return first != null && first < 0 ? -1n : 1n
}

/**
 * 1, or -1 for an item that takes a sale back: all its money is the other way round. An item that has no money
 * goes the way of its order.
 */
export const signOf = ({ itemId, amount, discount }: ItemBreakdown, order: Order): bigint => {
  const { items, shippingAmount, shippingTax, gatewayFee } = order
  const tax = items.find(({ id }) => id === itemId)?.taxTotal
  const sorted = [...items].sort((one, other) => (one.id < other.id ? -1 : 1))
  const sums = [total(items), shippingAmount, shippingTax, gatewayFee]
  return signOfFirst([amount, discount, tax, ...sums, ...sorted.map((item) => item.amount)])
}

export const ofItem = <A extends { readonly itemId: string }>(
  parts: ReadonlyArray<A>,
  itemId: string,
): ReadonlyArray<A> => parts.filter((part) => part.itemId === itemId)

/** An amount in words, with its currency. */
export const money = (amount: number | bigint, { currency }: Pick<Split, "currency">): string =>
  Words.money(amount, currency)

/** Fewer cents than these can come from rounding: one for each share, one more for its shipping. */
export const roundings = (shares: ReadonlyArray<Share>): bigint =>
  BigInt(shares.length + shares.filter(({ shippingAmount }) => shippingAmount !== 0).length)

// Looking for the first thing that breaks a law.

export type Reason = string | undefined

/** The first reason that there is. */
export const first = <A>(list: Iterable<A>, reasonOf: (one: A) => Reason): Reason => {
  for (const one of list) {
    const reason = reasonOf(one)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** A check that looks at each item of a split. */
export const forItems =
  (reasonOf: (item: ItemBreakdown, split: Split, sale: JudgedSale) => Reason) =>
  (sale: JudgedSale): Reason => {
    const { split } = sale
    return split && first(split.items, (item) => reasonOf(item, split, sale))
  }

// Outcomes of a split as laws compare them: whatever the order in which their parts are listed.

type Outcome = JudgedSale["result"]

const keyOf = (part: object): string =>
  JSON.stringify(["itemId", "groupId", "byGroupId"].map((name) => Reflect.get(part, name) ?? ""))

const sorted = <A extends object>(parts: ReadonlyArray<A>): ReadonlyArray<A> =>
  parts
    .map((part) => ({ part, key: keyOf(part) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ part }) => part)

const essenceOfSplit = ({ shares, store, items, outranked, ...rest }: Split): object => ({
  ...rest,
  shares: sorted(shares),
  store: sorted(store),
  items: sorted(items),
  outranked: sorted(outranked),
})

/** The form in which two outcomes are compared: with every figure, but without the order of the lists. */
export const essenceOf = (outcome: Outcome): object => {
  if (Result.isSuccess(outcome)) return essenceOfSplit(outcome.success)
  const error = outcome.failure
  if (error._tag !== "OverAllocated") return { error: error._tag }
  const { itemId, distributable, claims } = error
  return { error: error._tag, itemId, distributable, claims: sorted(claims) }
}

/** In what an outcome is another one than it should be. */
export const differenceOf = (expected: Outcome, actual: Outcome): string | undefined => {
  const [one, other] = [essenceOf(expected), essenceOf(actual)]
  return sameData(one, other) ? undefined : tellDifference(one, other)
}

// What each one would get of an item under `scale` if cents could be divided.

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
    // Both sides are multiplied by the wanted amount, to avoid a division.
    const exact = asked > 0n ? asked * (there + paidIn) : asked * wanted
    const away = sign * BigInt(share.amount) * cent * wanted - exact
    const oneCent = cent * wanted
    if (away < oneCent && away > -oneCent) return undefined
    return `${money(share.amount, split)} (group ${share.groupId}, item ${item.itemId}) are a cent or more from the exact proportion of the claim`
  })
}

// Refunding whole items, to see whether everybody is back at nothing.

/** Refunds that together give back all of an item: at once, and where it can be divided in two parts. */
const wholesOf = (
  item: ItemBreakdown,
  orderId: string,
): ReadonlyArray<ReadonlyArray<Refund.Refund>> => {
  const common = { orderId, itemId: item.itemId, refundedAt: 0 }
  const net = item.amount - item.discount
  const half = Math.trunc(net / 2)
  const amounts = net === 0 ? [] : half === 0 ? [[net]] : [[net], [half, net - half]]
  const { quantity } = item
  const units = quantity === 0 ? [] : quantity === 1 ? [[1]] : [[quantity], [1, quantity - 1]]
  const wholes = [
    ...amounts.map((parts) => parts.map((amount) => ({ ...common, amount }))),
    ...units.map((parts) => parts.map((each) => ({ ...common, quantity: each }))),
  ]
  const shipping = { ...common, shippingAmount: 1, shippingTotal: 2 }
  const withShipping = item.shipping === 0 ? [] : wholes.map((parts) => [shipping, ...parts])
  return [...wholes, ...withShipping]
}

const reversed = (
  split: Split,
  refunds: ReadonlyArray<Refund.Refund>,
): ReadonlyArray<Refund.Reversal> | "out of range" | { readonly refused: string } => {
  const found: Array<Refund.Reversal> = []
  for (const [index, refund] of refunds.entries()) {
    const reversal = Refund.reverse(split, refund, { earlier: refunds.slice(0, index) })
    if (Result.isFailure(reversal)) {
      const { _tag, message } = reversal.failure
      // Shipping of the other sign that goes back before the goods can lead beyond the exact range on the way.
      const isOnTheWay = _tag === "AmountOutOfRange" && refunds.length > 1
      return isOnTheWay ? "out of range" : { refused: `it can't be refunded: ${message}` }
    }
    found.push(reversal.success)
  }
  return found
}

const refundReason = (
  item: ItemBreakdown,
  split: Split,
  refunds: ReadonlyArray<Refund.Refund>,
): Reason => {
  const reversals = reversed(split, refunds)
  if (reversals === "out of range") return undefined
  if ("refused" in reversals) return reversals.refused
  const backOf = (groupId: string) =>
    total(reversals.flatMap(({ shares }) => shares.filter((share) => share.groupId === groupId)))
  const ofShares = first(ofItem(split.shares, item.itemId), ({ groupId, amount }) =>
    backOf(groupId) === BigInt(amount)
      ? undefined
      : `of ${money(amount, split)} (group ${groupId}, item ${item.itemId}) ${money(backOf(groupId), split)} come back`,
  )
  if (ofShares !== undefined) return ofShares
  const rest = total(ofItem(split.store, item.itemId))
  const store = total(reversals.map(({ store: amount }) => ({ amount })))
  if (store !== rest)
    return `of the store's ${money(rest, split)} (item ${item.itemId}) ${money(store, split)} come back`
  return reversals.at(-1)?.fullyRefunded === true
    ? undefined
    : `item ${item.itemId} is not fully refunded after its last part`
}

/** Why the refunds of a whole item don't reverse exactly its shares. */
export const refundReasons = (item: ItemBreakdown, split: Split): Reason =>
  first(wholesOf(item, split.orderId), (refunds) => refundReason(item, split, refunds))
