import { at } from "../../internal/at.js"
import * as exact from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import type { GroupTable } from "../../rules/engine/GroupTable.js"
import type { Precedence } from "../../rules/engine/Precedence.js"
import { compareIds } from "../../rules/engine/Precedence.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { ItemBreakdown, Outranked, Share, StoreShare } from "../Share.js"
import type { SplitPolicy } from "../SplitPolicy.js"
import { inRange, type Reckoned, reckon, timesQuantity } from "./base.js"
import * as claims from "./claims.js"
import type { Edition, Sign } from "./overAllocation.js"
import * as overAllocation from "./overAllocation.js"

/** An item with everything that was decided about it before it is split. */
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
  /** The item's part of each flat amount, by group id, where they are paid once an order. */
  readonly flatParts: ReadonlyMap<string, number> | undefined
}

/** Which check the claims on an item failed: the percentages of a stage, or all of them together. */
export type Exceeded = "percentages" | "sum"

/** What is claimed from an item that has not got it. */
export interface OverAllocation {
  readonly exceeded: Exceeded
  /** What the percentages of the stage that has most come to, in basis points. */
  readonly basisPoints: number
  readonly distributable: number
  readonly claims: ReadonlyArray<{
    readonly groupId: string
    readonly collaboratorId: string
    readonly amount: number
  }>
}

export interface ItemSplit {
  readonly reckoning: ItemBreakdown
  readonly shares: ReadonlyArray<Share>
  readonly store: StoreShare
  readonly outranked: ReadonlyArray<Outranked>
}

const flatTotal = (
  group: ProductGroup,
  { item, flatParts }: ItemInput,
  sign: number,
  policy: SplitPolicy,
): number => {
  if (flatParts !== undefined) {
    return exact.withoutNegativeZero(sign * (flatParts.get(group.id) ?? 0))
  }
  const flat = group.amount ?? 0
  if (flat === 0 || policy.flatScope === "item") return flat
  return timesQuantity(flat, item, () => `the flat amount of group ${group.id}`)
}

/** So few claims are quicker put in order one by one. */
const fewClaims = 24

const byId = (open: Array<claims.Claim>): void => {
  if (open.length > fewClaims) {
    open.sort((left, right) => compareIds(left.group.id, right.group.id))
    return
  }
  open.forEach((claim, index) => {
    let place = index
    for (; place > 0; place -= 1) {
      const before = at(open, place - 1)
      if (before.group.id <= claim.group.id) break
      open[place] = before
    }
    open[place] = claim
  })
}

/** The claims on an item by group id, which is the order in which equal remainders are served. */
const openClaims = (input: ItemInput, sign: number, policy: SplitPolicy) => {
  const { table, standing } = input
  const open: Array<claims.Claim> = []
  for (const slot of standing.counting) {
    if (table.isZero(slot)) continue
    const group = table.groupAt(slot)
    const flat = flatTotal(group, input, sign, policy)
    open.push(claims.claimOf(table, slot, { group, flatTotal: flat }))
  }
  byId(open)
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

/** Works out what every group asks of the item. */
const claimItem = (input: ItemInput, reckoned: Reckoned, policy: SplitPolicy): Staged => {
  const { all, deducting, sharing } = openClaims(input, input.sign, policy)
  claims.claimStage(deducting, reckoned.base, policy.rounding)
  const deducted = exact.sum(deducting.map((claim) => claim.beforeShipping))
  const after = claims.baseAfter(reckoned.base, deducted)
  // A base that nobody's share is computed on may be beyond every number.
  const base =
    sharing.length === 0
      ? 0
      : inRange(after, () => `the base of item ${input.item.id} for the others`)
  claims.claimStage(sharing, base, policy.rounding)
  claims.claimShipping(all, reckoned, policy, (flat) => exact.multiply(flat, input.item.quantity))
  for (const claim of all) {
    const sum = exact.add(claim.beforeShipping, claim.shipping)
    claim.amount = inRange(sum, () => `the claim of group ${claim.group.id}`)
    claim.paidShipping = claim.shipping
    claim.claimed = claim.amount
  }
  const basisPoints = Math.max(
    claims.basisPointsOf(deducting, reckoned.base),
    claims.basisPointsOf(sharing, base),
  )
  const isMoreThanAll = overAllocation.claimed(all) > overAllocation.payable(reckoned)
  const exceeded = isMoreThanAll ? "sum" : basisPoints > Percent.whole ? "percentages" : undefined
  return { all, deducted, exceeded, basisPoints }
}

const toShare = (input: ItemInput, claim: claims.Claim, sign: number): Share => {
  const { group, deducting } = claim
  // Of an item that was sold, nothing is turned round.
  const signed = (value: number) => (sign === 1 ? value : exact.withoutNegativeZero(-value))
  return {
    itemId: input.item.id,
    groupId: group.id,
    collaboratorId: group.collaboratorId,
    amount: signed(claim.amount),
    shippingAmount: signed(inRange(claim.paidShipping, () => `the shipping of group ${group.id}`)),
    base: signed(claim.base),
    percent: group.percent,
    flatAmount: group.amount,
    deducting,
    percentTotal: signed(claim.percentTotal),
    flatTotal: signed(claim.flatTotal),
    beforeShipping: signed(claim.beforeShipping),
    claim: signed(claim.claimed),
  }
}

const toReckoning = (
  input: ItemInput,
  reckoned: Reckoned,
  deducted: number | bigint,
  overAllocated: boolean,
): ItemBreakdown => {
  const { item } = input
  const signed = (value: number) => exact.withoutNegativeZero(reckoned.sign * value)
  return {
    itemId: item.id,
    amount: exact.withoutNegativeZero(item.amount),
    quantity: item.quantity,
    discount: exact.withoutNegativeZero(item.discount ?? 0),
    tax: signed(reckoned.tax),
    cost: signed(reckoned.cost),
    gatewayFee: signed(reckoned.gatewayFee),
    shipping: signed(reckoned.shipping),
    base: signed(reckoned.base),
    deducted: signed(inRange(deducted, () => `what is deducted on item ${item.id}`)),
    distributable: signed(reckoned.distributable),
    overAllocated,
  }
}

const outrankedOn = ({ item, standing, table }: ItemInput): ReadonlyArray<Outranked> =>
  standing.outranked.map((slot, place) => {
    const { id: groupId, collaboratorId } = table.groupAt(slot)
    const by = table.groupAt(at(standing.winners, place))
    return { itemId: item.id, groupId, collaboratorId, byGroupId: by.id }
  })

/** Settles what is claimed too much, and says whether anything was. */
const settle = (
  { all, exceeded }: Staged,
  { item, edition }: ItemInput,
  reckoned: Reckoned,
  policy: SplitPolicy,
): boolean => {
  const isTooMuch = exceeded !== undefined
  const way = policy.overAllocation
  if (way !== "scale" && (way !== "rank" || !isTooMuch)) return isTooMuch
  const claimed = { claims: all, reckoned, quantity: item.quantity, policy }
  // Claims may fit once they are rounded, and not before.
  if (way === "scale") return edition.scale(claimed) || isTooMuch
  overAllocation.payByRank(claimed)
  return true
}

/** Splits one item. What can't be paid and must not be settled comes back as an {@link OverAllocation}. */
export const splitItem = (input: ItemInput, policy: SplitPolicy): ItemSplit | OverAllocation => {
  const reckoned = reckon(input.order, input.item, input, policy)
  const staged = claimItem(input, reckoned, policy)
  const { all, deducted, exceeded, basisPoints } = staged
  if (exceeded !== undefined && policy.overAllocation === "reject") {
    return {
      exceeded,
      basisPoints,
      distributable: exact.withoutNegativeZero(reckoned.sign * reckoned.distributable),
      claims: all.map(({ group, amount }) => ({
        groupId: group.id,
        collaboratorId: group.collaboratorId,
        amount: exact.withoutNegativeZero(reckoned.sign * amount),
      })),
    }
  }
  const overAllocated = settle(staged, input, reckoned, policy)
  const paid = overAllocation.claimed(all)
  const rest =
    typeof paid === "bigint" ? BigInt(reckoned.distributable) - paid : reckoned.distributable - paid
  const store = inRange(rest, () => `the store's rest of item ${input.item.id}`)
  return {
    reckoning: toReckoning(input, reckoned, deducted, overAllocated),
    shares: all.map((claim) => toShare(input, claim, reckoned.sign)),
    store: { itemId: input.item.id, amount: exact.withoutNegativeZero(reckoned.sign * store) },
    outranked: outrankedOn(input),
  }
}
