/**
 * Quick comparison of what the library and the oracle say to one order.
 */
import { type Order, Percent, type ProductGroup, type Split, type SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import { commonAnswer, oracleAnswer } from "../Answer.js"
import { agree } from "../Difference.js"
import { type OracleOutcome, type OracleSplit, oracleSplit } from "../Oracle.js"
import type { Answered } from "./Engine.js"

type Group = ProductGroup.GroupInput
type OracleShare = OracleSplit["shares"][number]
type OracleItem = OracleSplit["items"][number]

/** A sale as both are told it. */
export interface Asked {
  readonly groups: ReadonlyArray<Group>
  readonly order: Order.Order
  readonly policy: SplitPolicy.SplitPolicy
}

/** The same whole number; no zero is negative. */
const isSame = (seen: number, wanted: bigint): boolean => Object.is(seen, Number(wanted))

const isSameShare = (seen: Split.Split["shares"][number], wanted: OracleShare): boolean =>
  seen.itemId === wanted.itemId &&
  seen.groupId === wanted.groupId &&
  seen.collaboratorId === wanted.collaboratorId &&
  seen.deducting === wanted.deducting &&
  isSame(seen.amount, wanted.amount) &&
  isSame(seen.shippingAmount, wanted.shippingAmount) &&
  isSame(seen.base, wanted.base) &&
  isSame(seen.percentTotal, wanted.percentTotal) &&
  isSame(seen.flatTotal, wanted.flatTotal) &&
  isSame(seen.claim, wanted.claim) &&
  (seen.claim !== seen.amount || seen.beforeShipping === seen.claim - seen.shippingAmount)

const isSameItem = (seen: Split.Split["items"][number], wanted: OracleItem): boolean =>
  seen.itemId === wanted.itemId &&
  seen.overAllocated === wanted.overAllocated &&
  isSame(seen.amount, wanted.amount) &&
  isSame(seen.discount, wanted.discount) &&
  isSame(seen.tax, wanted.tax) &&
  isSame(seen.cost, wanted.cost) &&
  isSame(seen.gatewayFee, wanted.gatewayFee) &&
  isSame(seen.shipping, wanted.shipping) &&
  isSame(seen.base, wanted.base) &&
  isSame(seen.deducted, wanted.deducted) &&
  isSame(seen.distributable, wanted.distributable)

type Lost = Split.Split["outranked"][number]

const lossKey = ({ itemId, groupId }: Lost): string => `${itemId.length} ${itemId} ${groupId}`

const isSameLosses = (seen: ReadonlyArray<Lost>, wanted: ReadonlyArray<Lost>): boolean => {
  if (seen.length !== wanted.length) return false
  if (seen.length === 0) return true
  const byKey = new Map(wanted.map((lost) => [lossKey(lost), lost]))
  return (
    byKey.size === seen.length &&
    seen.every((lost) => {
      const same = byKey.get(lossKey(lost))
      return same?.byGroupId === lost.byGroupId && same.collaboratorId === lost.collaboratorId
    })
  )
}

const groupsById = (groups: ReadonlyArray<Group>): ReadonlyMap<string, Group> =>
  new Map(groups.map((group) => [group.id, group]))

const percentText = (percent: Group["percent"]): string | null =>
  percent == null ? null : Percent.format(Result.getOrThrow(Percent.parse(percent)))

/** What a share says of its group, beside the reckoning. */
const tellsItsGroup = (split: Split.Split, groups: ReadonlyArray<Group>): boolean => {
  if (split.shares.length === 0) return true
  const byId = groupsById(groups)
  return split.shares.every(({ groupId, percent, flatAmount }) => {
    const group = byId.get(groupId)
    return percent === percentText(group?.percent) && flatAmount === (group?.amount ?? null)
  })
}

const isOfOrder = (split: Split.Split, { order, policy }: Asked): boolean =>
  split.orderId === order.id &&
  split.currency === order.currency &&
  split.createdAt === (order.createdAt ?? null) &&
  Object.keys(policy).every((key) => Reflect.get(split.policy, key) === Reflect.get(policy, key)) &&
  order.items.every((item, index) => split.items[index]?.quantity === item.quantity)

/** By item as in the order, then by group id: what the library promises of its lists. */
const inOrderOf = <A extends { readonly itemId: string }>(
  order: Order.Order,
  parts: ReadonlyArray<A>,
): ReadonlyArray<A> => {
  if (order.items.length < 2) return parts
  const byItem = Map.groupBy(parts, (part) => part.itemId)
  return order.items.flatMap((item) => byItem.get(item.id) ?? [])
}

const isSameSplit = (seen: Split.Split, wanted: OracleSplit, asked: Asked): boolean => {
  const shares = inOrderOf(asked.order, wanted.shares)
  const items = inOrderOf(asked.order, wanted.items)
  const store = inOrderOf(asked.order, wanted.store)
  return (
    seen.shares.length === shares.length &&
    seen.items.length === items.length &&
    seen.store.length === store.length &&
    shares.every((share, index) => {
      const other = seen.shares[index]
      return other !== undefined && isSameShare(other, share)
    }) &&
    items.every((item, index) => {
      const other = seen.items[index]
      return other !== undefined && isSameItem(other, item)
    }) &&
    store.every((rest, index) => {
      const other = seen.store[index]
      return other?.itemId === rest.itemId && isSame(other.amount, rest.amount)
    }) &&
    isSameLosses(seen.outranked, wanted.outranked) &&
    tellsItsGroup(seen, asked.groups) &&
    isOfOrder(seen, asked)
  )
}

export interface Difference {
  readonly what: string
  readonly library: unknown
  readonly oracle: unknown
}

const slowly = (
  answered: Answered,
  asked: Asked,
  outcome: OracleOutcome,
): Difference | undefined => {
  const seen = commonAnswer(answered)
  const wanted = oracleAnswer(asked, outcome)
  if (!agree(seen, wanted)) return { what: "the split", library: seen, oracle: wanted }
  if (Result.isFailure(answered)) return undefined
  return {
    what: "the order of lists, or what stands beside the money",
    library: answered.success,
    oracle: wanted,
  }
}

/** What the oracle says to a sale. */
export const wantedOf = (asked: Asked): OracleOutcome =>
  oracleSplit(asked.groups, asked.order, asked.policy)

/** `undefined` when the library's answer is right. */
export const differenceOf = (
  answered: Answered,
  asked: Asked,
  outcome: OracleOutcome,
): Difference | undefined => {
  const { split } = outcome
  const isRight =
    split !== undefined && Result.isSuccess(answered) && isSameSplit(answered.success, split, asked)
  return isRight ? undefined : slowly(answered, asked, outcome)
}
