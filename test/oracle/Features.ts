/**
 * What a random sale exercises, so that a test can see that the generators reach everything.
 */
import type { ProductGroup } from "apportion"
import type { Sale } from "../generators/Sales.js"
import { type Answer, oracleAnswer, type Refusal } from "./Answer.js"

type Group = ProductGroup.GroupInput

const has = (on: boolean, label: string): ReadonlyArray<string> => (on ? [label] : [])

const ofPolicy = ({ policy }: Sale): ReadonlyArray<string> =>
  Object.entries(policy).map(([option, value]) => `policy ${option} ${value}`)

const ofOrder = ({ order }: Sale): ReadonlyArray<string> => {
  const { items } = order
  const [above, below] = [items.some((i) => i.amount > 0), items.some((i) => i.amount < 0)]
  return [
    ...has(items.length > 1, "order with several items"),
    ...has(items.length === 0, "order without items"),
    ...has(below, "order with a negative item"),
    ...has(above && below, "order with both signs"),
    ...has(
      items.some((i) => i.amount === 0),
      "order with a free item",
    ),
    ...has(
      items.some((i) => Math.abs(i.amount) > 2 ** 52),
      "order with a huge amount",
    ),
    ...has(
      items.some((i) => Math.abs(i.discount ?? 0) > Math.abs(i.amount)),
      "discount beyond the amount",
    ),
    ...has(
      items.some((i) => i.quantity === 0),
      "order with no units of an item",
    ),
    ...has((order.shippingAmount ?? 0) < 0, "negative shipping"),
  ]
}

const ofGroup = (group: Group, { order }: Sale): ReadonlyArray<string> => [
  `paid by link ${group.link.type} ${group.link.modifier ?? "WITH"}`,
  ...has(
    group.condition != null,
    `paid under condition ${group.condition?.type} ${group.condition?.modifier ?? "WITH"}`,
  ),
  ...has(group.startsAt != null || group.endsAt != null, "paid by a group with dates"),
  ...has(group.startsAt != null && group.startsAt === order.createdAt, "paid in the first second"),
  ...has(group.percent != null && group.amount != null, "paid percent and flat amount"),
]

const ofSplit = (split: Answer, sale: Sale): ReadonlyArray<string> => {
  const { shares, items, outranked } = split
  const paid = sale.groups.filter((group) => shares.some((share) => share.groupId === group.id))
  const sharesOf = (itemId: string) => shares.filter((share) => share.itemId === itemId)
  const limited = shares.some(
    (share) => share.claim - share.shippingAmount !== share.percentTotal + share.flatTotal,
  )
  return [
    ...paid.flatMap((group) => ofGroup(group, sale)),
    ...has(shares.length > 0, "split with a share"),
    ...has(
      items.some((item) => sharesOf(item.itemId).length === 0),
      "item without a share",
    ),
    ...has(
      items.some((item) => sharesOf(item.itemId).length > 1),
      "item with several shares",
    ),
    ...has(
      items.some((item) => new Set(sharesOf(item.itemId).map((s) => s.deducting)).size === 2),
      "item with a deducting and another share",
    ),
    ...has(
      shares.some((share) => share.base % 100 !== 0),
      "base with odd cents",
    ),
    ...has(
      shares.some((share) => share.shippingAmount > 0),
      "shipping earned",
    ),
    ...has(
      shares.some((share) => share.shippingAmount < 0),
      "shipping charged or taken back",
    ),
    ...has(
      shares.some((share) => share.claim !== share.amount),
      `claim cut by ${sale.policy.overAllocation}`,
    ),
    ...has(
      items.some((item) => item.overAllocated),
      `over-allocated under ${sale.policy.overAllocation}`,
    ),
    ...has(limited && sale.policy.overAllocation === "allow", "minimum or maximum applied"),
    ...has(outranked.length > 0, "group outranked"),
    ...has(
      outranked.some(({ itemId, byGroupId }) =>
        sharesOf(itemId).every((share) => share.groupId !== byGroupId),
      ),
      "group outranked by one that pays nothing",
    ),
    ...has(
      split.store.some((rest) => rest.amount < 0),
      "store rest below zero",
    ),
  ]
}

const ofRefusals = (refusals: ReadonlyArray<Refusal>): ReadonlyArray<string> =>
  refusals.map((refusal) => `refused ${refusal.error}`)

/** Labels of everything that the sale exercises, each once. */
export const features = (sale: Sale): ReadonlySet<string> => {
  const answer = oracleAnswer(sale)
  return new Set([
    ...ofPolicy(sale),
    ...ofOrder(sale),
    ...("shares" in answer ? ofSplit(answer, sale) : ofRefusals(answer)),
  ])
}
