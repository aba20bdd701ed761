import { at } from "../../internal/at.js"
import * as exact from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import { make as makeOrder, type Order, type OrderItem } from "../../orders/Order.js"
import { OrderView } from "../../rules/engine/Conditions.js"
import type { GroupTable } from "../../rules/engine/GroupTable.js"
import type { Precedence } from "../../rules/engine/Precedence.js"
import type { RuleIndex } from "../../rules/engine/RuleIndex.js"
import * as versions from "../../rules/engine/versions.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import type { ItemBreakdown, Outranked, Share, StoreShare } from "../Share.js"
import type * as SplitPolicy from "../SplitPolicy.js"
import { figuresOf, type ItemFigures, inRange, shippingOf, spread, timesQuantity } from "./base.js"
import type { Edition, Sign } from "./claims.js"
import * as claims from "./claims.js"

/** An item with everything that is decided before it is split. */
export interface ItemInput {
  readonly table: GroupTable
  readonly order: Order
  readonly item: OrderItem
  readonly edition: Edition
  /** -1 for an item that is computed as its mirror. */
  readonly sign: Sign
  readonly shipping: number
  readonly gatewayFee: number
  readonly standing: Precedence
  /** The groups that count, in the order of their ids: equal remainders are served in this order. */
  readonly counting: ReadonlyArray<number>
  /** The item's part of each flat amount, by group id, if these are paid once per order. */
  readonly flatParts: ReadonlyMap<string, number> | undefined
}

/** Which check the claims on an item failed: the percentages of a stage, or all of them together. */
export type Exceeded = "percentages" | "sum"

/** The excessive claims on an item. */
export interface OverAllocation {
  readonly exceeded: Exceeded
  /** The sum of the percentages of the stage with the highest sum, in basis points. */
  readonly basisPoints: number
  readonly distributable: number
  readonly claims: ReadonlyArray<{
    readonly groupId: string
    readonly collaboratorId: string
    readonly amount: number
  }>
}

export interface ItemSplit {
  readonly breakdown: ItemBreakdown
  readonly shares: ReadonlyArray<Share>
  readonly store: StoreShare
  readonly outranked: ReadonlyArray<Outranked>
}

const flatTotal = (
  group: ProductGroup,
  { item, flatParts }: ItemInput,
  sign: number,
  policy: SplitPolicy.SplitPolicy,
): number => {
  if (flatParts !== undefined) {
    return exact.withoutNegativeZero(sign * (flatParts.get(group.id) ?? 0))
  }
  const flat = group.amount ?? 0
  if (flat === 0 || policy.flatScope === "item") return flat
  return timesQuantity(flat, item, () => `the flat amount of group ${group.id}`)
}

/** The claims on an item, in the order of the ids of their groups. */
const openClaims = (input: ItemInput, sign: number, policy: SplitPolicy.SplitPolicy) => {
  const { table, counting } = input
  const open: Array<claims.Claim> = []
  for (const slot of counting) {
    if (table.isZero(slot)) continue
    const flat = flatTotal(table.groupAt(slot), input, sign, policy)
    open.push(new claims.Claim(table, slot, flat))
  }
  const deducting = open.filter((claim) => claim.deducting)
  const sharing = deducting.length === 0 ? open : open.filter((claim) => !claim.deducting)
  return { all: open, deducting, sharing }
}

interface Staged {
  readonly all: ReadonlyArray<claims.Claim>
  readonly deducted: number | bigint
  readonly exceeded: Exceeded | undefined
  readonly basisPoints: number
}

/** Computes the claim of every group on the item. */
const claimItem = (
  input: ItemInput,
  figures: ItemFigures,
  policy: SplitPolicy.SplitPolicy,
): Staged => {
  const { all, deducting, sharing } = openClaims(input, input.sign, policy)
  const { claimStage } = input.edition
  const deductingPoints = claimStage(deducting, figures.base, policy.rounding, input)
  const deducted = exact.sum(deducting.map((claim) => claim.beforeShipping))
  const after = claims.baseAfter(figures.base, deducted)
  // A base on which no share is computed may be beyond the safe integers.
  const base =
    sharing.length === 0
      ? 0
      : inRange(after, () => `the base of item ${input.item.id} for the others`)
  const sharingPoints = claimStage(sharing, base, policy.rounding, input)
  claims.claimShipping(all, figures, policy, (flat) => exact.multiply(flat, input.item.quantity))
  for (const claim of all) {
    const sum = exact.add(claim.beforeShipping, claim.shipping)
    claim.amount = inRange(sum, () => `the claim of group ${claim.group.id}`)
    claim.paidShipping = claim.shipping
    claim.claimed = claim.amount
  }
  const basisPoints = Math.max(deductingPoints, sharingPoints)
  const isMoreThanAll = claims.claimed(all) > claims.payable(figures)
  const exceeded = isMoreThanAll ? "sum" : basisPoints > Percent.whole ? "percentages" : undefined
  return { all, deducted, exceeded, basisPoints }
}

const toShare = (input: ItemInput, claim: claims.Claim, sign: number): Share => {
  const { group, deducting } = claim
  const { id: groupId, collaboratorId, amount: flatAmount } = group
  const terms = claim.terms?.settle(claim)
  // Nothing is negated for an item that was sold.
  const signed = (value: number) => (sign === 1 ? value : exact.withoutNegativeZero(-value))
  const itemId = input.item.id
  const amount = signed(claim.amount)
  const shippingAmount = signed(
    inRange(claim.paidShipping, () => `the shipping of group ${groupId}`),
  )
  const base = signed(claim.base)
  const percent = terms?.tiers ? null : group.percent
  const percentTotal = signed(claim.percentTotal)
  const flatTotal = signed(claim.flatTotal)
  const beforeShipping = signed(claim.beforeShipping)
  const claimed = signed(claim.claimed)
  // Two literals: to add the field afterwards gives each share a second block of memory, and nearly all have none.
  return terms === undefined
    ? {
        itemId,
        groupId,
        collaboratorId,
        amount,
        shippingAmount,
        base,
        percent,
        flatAmount,
        deducting,
        percentTotal,
        flatTotal,
        beforeShipping,
        claim: claimed,
      }
    : {
        itemId,
        groupId,
        collaboratorId,
        amount,
        shippingAmount,
        base,
        percent,
        flatAmount,
        deducting,
        percentTotal,
        flatTotal,
        beforeShipping,
        claim: claimed,
        terms,
      }
}

const toBreakdown = (
  input: ItemInput,
  figures: ItemFigures,
  deducted: number | bigint,
  overAllocated: boolean,
): ItemBreakdown => {
  const { item } = input
  const signed = (value: number) => exact.withoutNegativeZero(figures.sign * value)
  return {
    itemId: item.id,
    amount: exact.withoutNegativeZero(item.amount),
    quantity: item.quantity,
    discount: exact.withoutNegativeZero(item.discount ?? 0),
    tax: signed(figures.tax),
    cost: signed(figures.cost),
    gatewayFee: signed(figures.gatewayFee),
    shipping: signed(figures.shipping),
    base: signed(figures.base),
    deducted: signed(inRange(deducted, () => `what is deducted on item ${item.id}`)),
    distributable: signed(figures.distributable),
    overAllocated,
  }
}

const outrankedOn = ({ item, standing, table }: ItemInput): ReadonlyArray<Outranked> =>
  standing.outranked.map((slot, place) => {
    const { id: groupId, collaboratorId } = table.groupAt(slot)
    const by = table.groupAt(at(standing.winners, place))
    return { itemId: item.id, groupId, collaboratorId, byGroupId: by.id }
  })

/** Settles an over-allocation, and returns whether there was one. */
const settle = (
  { all, exceeded }: Staged,
  { item, edition }: ItemInput,
  figures: ItemFigures,
  policy: SplitPolicy.SplitPolicy,
): boolean => {
  const isTooMuch = exceeded !== undefined
  const way = policy.overAllocation
  if (way !== "scale" && (way !== "rank" || !isTooMuch)) return isTooMuch
  const claimed = { claims: all, figures, quantity: item.quantity, policy }
  // Claims may fit only after rounding.
  if (way === "scale") return edition.scale(claimed) || isTooMuch
  claims.payByRank(claimed)
  return true
}

/**
 * Splits one item. An over-allocation that the policy refuses is returned as an {@link
 * OverAllocation}.
 */
export const splitItem = (
  input: ItemInput,
  policy: SplitPolicy.SplitPolicy,
): ItemSplit | OverAllocation => {
  const figures = figuresOf(input.order, input.item, input, policy)
  const staged = claimItem(input, figures, policy)
  const { all, deducted, exceeded, basisPoints } = staged
  if (exceeded !== undefined && policy.overAllocation === "reject") {
    return {
      exceeded,
      basisPoints,
      distributable: exact.withoutNegativeZero(figures.sign * figures.distributable),
      claims: all.map(({ group, amount }) => ({
        groupId: group.id,
        collaboratorId: group.collaboratorId,
        amount: exact.withoutNegativeZero(figures.sign * amount),
      })),
    }
  }
  const overAllocated = settle(staged, input, figures, policy)
  const paid = claims.claimed(all)
  const rest =
    typeof paid === "bigint" ? BigInt(figures.distributable) - paid : figures.distributable - paid
  const store = inRange(rest, () => `the store's rest of item ${input.item.id}`)
  return {
    breakdown: toBreakdown(input, figures, deducted, overAllocated),
    shares: all.map((claim) => toShare(input, claim, figures.sign)),
    store: { itemId: input.item.id, amount: exact.withoutNegativeZero(figures.sign * store) },
    outranked: outrankedOn(input),
  }
}

type FlatParts = ReadonlyMap<string, number>

/**
 * Divides each flat amount that is paid once per order over the items on which its group counts.
 */
const spreadFlats = (
  { table }: RuleIndex,
  items: ReadonlyArray<OrderItem>,
  standings: ReadonlyArray<Precedence>,
  orderSign: Sign,
): ReadonlyArray<FlatParts> => {
  const flats = new Map<ProductGroup, { readonly amount: number; readonly places: Array<number> }>()
  standings.forEach(({ counting }, place) => {
    for (const slot of counting) {
      const group = table.groupAt(slot)
      const known = flats.get(group)
      if (known === undefined) flats.set(group, { amount: group.amount ?? 0, places: [place] })
      else known.places.push(place)
    }
  })
  const parts = items.map(() => new Map<string, number>())
  for (const [{ id }, { amount, places }] of flats) {
    const served = places.map((place) => at(items, place))
    const total = exact.sum(served.map((item) => item.amount))
    const sign = total === 0 || total === 0n ? orderSign : total < 0 ? -1 : 1
    spread(sign * amount, served).forEach((part, index) => {
      at(parts, at(places, index)).set(id, part)
    })
  }
  return parts
}

const hasAmount = ({ amount }: OrderItem): boolean => amount !== 0

/** An item whose claims the policy refuses, and why. */
export interface RejectedItem {
  readonly item: OrderItem
  readonly over: OverAllocation
}

/**
 * Splits each item of a valid order under a valid policy, or returns the first one that is
 * over-allocated.
 */
export const splitItems = (
  rules: RuleSet,
  order: Order,
  policy: SplitPolicy.SplitPolicy,
  edition: Edition,
): ReadonlyArray<ItemSplit> | RejectedItem => {
  const { items } = order
  const view = new OrderView(order)
  const index = versions.indexOf(rules)
  const shipping = spread(shippingOf(order, policy), items)
  const fees = policy.gatewayFee === "deduct" ? spread(order.gatewayFee ?? 0, items) : []
  const standings = items.map((item) => index.standing(view, item.product, policy.stacking))
  // A field that splits another order when it is read has left the rules with that one's answers: it is read first.
  if (!view.isLast) return splitItems(rules, makeOrder(order), policy, edition)
  const isOnce = policy.flatScope === "order"
  // No other policy needs it.
  const orderSign = isOnce || !items.every(hasAmount) ? edition.signOfOrder(order) : 1
  const flats = isOnce ? spreadFlats(index, items, standings, orderSign) : []
  const splits: Array<ItemSplit> = []
  for (const [place, item] of items.entries()) {
    const shippingPart = shipping[place] ?? 0
    const standing = at(standings, place)
    const input = {
      table: index.table,
      order,
      item,
      edition,
      sign: edition.signOf(item, orderSign, shippingPart),
      standing,
      counting: index.inOrderOfIds(standing.counting),
      flatParts: flats[place],
      shipping: shippingPart,
      gatewayFee: fees[place] ?? 0,
    }
    const split = splitItem(input, policy)
    if ("claims" in split) return { item, over: split }
    splits.push(split)
  }
  return splits
}
