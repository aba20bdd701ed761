/**
 * The parts of an order: which items are new, what is left of the order's sums for them, and which groups
 * have a say. An order is recorded in one part; items that are added later are a part of their own.
 */
import * as Result from "effect/Result"
import { show, summarize } from "../../internal/problems.js"
import * as Cents from "../../money/Cents.js"
import type * as Order from "../../orders/Order.js"
import type { Problem } from "../../Problem.js"
import type { RecordedSale } from "../../ports/SaleStore.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import type * as Split from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { SaleChanged } from "../ServiceError.js"

type OrderPart = Pick<RecordedSale, "order" | "split">

/** A part of an order that was not recorded yet. */
export interface NewPart {
  /** The order with its new items alone, and with what the earlier parts left of its sums. */
  readonly order: Order.Order
  readonly newItemIds: ReadonlyArray<string>
  readonly knownItemIds: ReadonlyArray<string>
}

const figures = {
  amount: (item: Order.OrderItem) => item.amount,
  quantity: (item: Order.OrderItem) => item.quantity,
  discount: (item: Order.OrderItem) => item.discount ?? 0,
  taxTotal: (item: Order.OrderItem) => item.taxTotal ?? 0,
  "product.id": (item: Order.OrderItem) => item.product.id,
}

const changed = (path: string, before: unknown, value: unknown): Problem => ({
  path,
  value,
  message: `was recorded as ${show(before)}, got ${show(value)}`,
})

const itemChanges = (
  index: number,
  before: Order.OrderItem,
  item: Order.OrderItem,
): ReadonlyArray<Problem> =>
  Object.entries(figures).flatMap(([field, figureOf]) => {
    const [recorded, value] = [figureOf(before), figureOf(item)]
    return recorded === value ? [] : [changed(`items[${index}].${field}`, recorded, value)]
  })

const currencyChange = (
  order: Order.Order,
  parts: ReadonlyArray<OrderPart>,
): ReadonlyArray<Problem> => {
  const recorded = parts[0]?.order.currency ?? order.currency
  return recorded === order.currency ? [] : [changed("currency", recorded, order.currency)]
}

/**
 * What is left of a sum of the whole order. Earlier parts divided theirs over their items to the last
 * cent; a sum that is lower by now is used up, for what was recorded stays.
 */
const restOf = (
  total: number,
  used: ReadonlyArray<number>,
  what: string,
): Result.Result<number, Cents.AmountOutOfRange> =>
  Result.map(Cents.sum([total, ...used.map((amount) => 0 - amount)], { what }), (rest) =>
    Math.sign(rest) === Math.sign(total) ? rest : 0,
  )

const reduced = (
  order: Order.Order,
  parts: ReadonlyArray<OrderPart>,
): Result.Result<Order.Order, Cents.AmountOutOfRange> =>
  Result.gen(function* () {
    if (parts.length === 0) return order
    const rest = (sum: "shippingAmount" | "shippingTax" | "gatewayFee") => {
      const used = parts.map((part) => part.order[sum] ?? 0)
      return restOf(order[sum] ?? 0, used, `what is left of ${sum} of order ${order.id}`)
    }
    const shippingAmount = yield* rest("shippingAmount")
    const gatewayFee = yield* rest("gatewayFee")
    if (order.shippingTax === undefined) return { ...order, shippingAmount, gatewayFee }
    return { ...order, shippingAmount, shippingTax: yield* rest("shippingTax"), gatewayFee }
  })

/**
 * What of an order is to be recorded, its recorded parts given. Figures of recorded items that are not as
 * they were recorded are refused, all of them at once.
 */
export const newPart = (
  order: Order.Order,
  parts: ReadonlyArray<OrderPart>,
): Result.Result<NewPart, SaleChanged | Cents.AmountOutOfRange> =>
  Result.gen(function* () {
    const recorded = new Map(parts.flatMap((part) => part.order.items).map((it) => [it.id, it]))
    const problems = [...currencyChange(order, parts)]
    const items: Array<Order.OrderItem> = []
    const knownItemIds: Array<string> = []
    order.items.forEach((item, index) => {
      const before = recorded.get(item.id)
      if (before === undefined) items.push(item)
      else {
        knownItemIds.push(item.id)
        problems.push(...itemChanges(index, before, item))
      }
    })
    if (problems.length > 0) {
      const message = `order ${order.id} was recorded differently: ${summarize(problems)}`
      return yield* Result.fail(new SaleChanged({ orderId: order.id, problems, message }))
    }
    const rest = yield* reduced({ ...order, items }, parts)
    return { order: rest, newItemIds: items.map(({ id }) => id), knownItemIds }
  })

/**
 * A group whose flat amount was paid for the order before. It has its say in everything else: where all
 * of the shipping goes to the collaborators in equal parts, a group that pays nothing would get none, so
 * it keeps a percentage there, which that policy does not look at.
 */
const withoutFlat = (group: ProductGroup, policy: SplitPolicy): ProductGroup => ({
  ...group,
  amount: 0,
  shippingPercent: policy.shipping === "all" ? "100.00" : group.shippingPercent,
})

/**
 * The rules for a new part: a flat amount that is paid once an order is not paid in a second part. Where
 * that changes something, only groups that match an item are looked at, however many the account has.
 */
export const rulesForPart = (
  rules: RuleSet.RuleSet,
  policy: SplitPolicy,
  { order, earlier }: { readonly order: Order.Order; readonly earlier: ReadonlyArray<OrderPart> },
): RuleSet.RuleSet => {
  if (policy.flatScope !== "order" || earlier.length === 0) return rules
  const shares = earlier.flatMap((part) => part.split.shares)
  const paid = new Set(shares.filter((share) => share.flatTotal !== 0).map((it) => it.groupId))
  if (paid.size === 0) return rules
  const matching = order.items.flatMap((item) => RuleSet.matchingGroups(rules, order, item))
  const forPart = (group: ProductGroup) => (paid.has(group.id) ? withoutFlat(group, policy) : group)
  return { groups: [...new Set(matching)].map(forPart) }
}

/** The groups that have a say in a split: it comes out the same without all others. */
export const groupsWithSay = (
  rules: RuleSet.RuleSet,
  split: Split.Split,
): ReadonlyArray<ProductGroup> => {
  const ids = new Set(split.shares.map((share) => share.groupId))
  for (const { groupId, byGroupId } of split.outranked) ids.add(groupId).add(byGroupId)
  return [...ids].flatMap((id) => RuleSet.get(rules, id) ?? [])
}
