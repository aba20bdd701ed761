import * as Result from "effect/Result"
import * as Percent from "../../money/Percent.js"
import * as Attribute from "../../orders/Attribute.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import { quoted } from "../../orders/Words.js"
import * as ProductGroup from "../../rules/ProductGroup.js"
import type { ItemBreakdown, Share } from "../../shares/Share.js"
import type { Split } from "../../shares/Split.js"
import type { RuleOrderValues } from "../arbitraries/RuleOrders.js"
import { isConditionMet, isSelected } from "../rules/asks.js"
import type { Law } from "./Law.js"
import { first, forItems, money, ofItem, type Reason, roundings, signOf, total } from "./reasons.js"

// The orders, items and groups that a law applies to, as data or as a function, and in words.

type LawSubject = Pick<ProductGroup.GroupInput, "link" | "condition">

const asked = ({ type, modifier, values }: ProductGroup.Condition | ProductGroup.Link): string => {
  const having = modifier === "NOT" ? "without" : "with"
  const noun = type === "products.all" ? "product" : Attribute.nounOf(type)
  const list = quoted(values, " or ")
  return `${having} the ${noun} ${list === "" ? "of none" : list}`
}

/** `products with the tag "art" in orders without the referer "sam-blog"`. */
const itemWords = ({ link, condition }: ProductGroup.ProductGroup): string => {
  const products = link.type === "products.all" ? "every item" : `items ${asked(link)}`
  return condition === null ? products : `${products} of orders ${asked(condition)}`
}

/** `orders with the customer tag "wholesale"`. */
const orderWords = ({ condition }: ProductGroup.ProductGroup): string =>
  condition === null ? "all orders" : `orders ${asked(condition)}`

/** A group with the same link and condition, checked and matched like any group. */
const groupOf = (input: Partial<LawSubject>): ProductGroup.ProductGroup =>
  ProductGroup.make({
    id: "law",
    collaboratorId: "law",
    link: input.link ?? { type: "products.all" },
    condition: input.condition,
    percent: 0,
  })

/** Values that some orders must have for a law to apply. */
const valuesOf = ({ link, condition }: ProductGroup.ProductGroup): RuleOrderValues => ({
  ...(link.type === "products.all" ? {} : { [link.type]: link.values }),
  ...(condition === null ? {} : { [condition.type]: condition.values }),
})

/** Whether a group matches this item. */
const applies = (group: ProductGroup.ProductGroup, order: Order, item: OrderItem): boolean =>
  isSelected(group, item.product) && isConditionMet(group, order)

/**
 * The groups that a law applies to: those that match every given field.
 *
 * @since 0.5.0
 * @category models
 */
export interface GroupsWhere {
  readonly groupId?: string | undefined
  readonly collaboratorId?: string | undefined
  readonly linkType?: ProductGroup.LinkType | undefined
  /** `null`: groups without a condition. */
  readonly conditionType?: ProductGroup.ConditionType | null | undefined
}

/**
 * The orders that a law applies to: those that satisfy a condition, or for which a function is true.
 *
 * @since 0.5.0
 * @category models
 */
export type OrdersWhere =
  | NonNullable<ProductGroup.GroupInput["condition"]>
  | ((order: Order) => boolean)

/**
 * The items that a law applies to: those that a group with this link and condition would match, or for which a function
 * is true. All items when nothing is given.
 *
 * @since 0.5.0
 * @category models
 */
export type ItemsWhere =
  | Partial<Pick<ProductGroup.GroupInput, "link" | "condition">>
  | ((item: OrderItem, order: Order) => boolean)

/**
 * Options for laws that are partly functions.
 *
 * @since 0.5.0
 * @category models
 */
export interface LawOptions {
  /** The law's name, instead of the generated one. */
  readonly name?: string | undefined
  /** Values that some orders must have for the law to apply. */
  readonly values?: RuleOrderValues | undefined
}

const pointsOf = (percent: string | number): bigint =>
  BigInt(Result.getOrThrow(Percent.parse(percent)))

const percentText = (points: bigint): string => `${Percent.format(Number(points))}%`

const whole = BigInt(Percent.whole)

const atMost = (
  item: ItemBreakdown,
  split: Split,
  { points, sign }: Readonly<Record<"points" | "sign", bigint>>,
  shares: ReadonlyArray<Share>,
): Reason => {
  const distributable = sign * BigInt(item.distributable)
  const paid = sign * total(shares)
  // Rounding may add less than a cent to each share.
  const limit = distributable > 0n ? distributable * points + roundings(shares) * whole : 1n
  if (paid <= 0n || paid * whole < limit) return undefined
  const [share] = shares
  return `${share?.collaboratorId} gets ${money(sign * paid, split)} of item ${item.itemId}, which is more than ${percentText(points)} of the ${money(item.distributable, split)} that it brought in`
}

/**
 * No collaborator gets more than this percentage of what an item brought in, by all their groups together and with
 * their part of the shipping. Less than a cent of rounding is tolerated for each share. A minimum or a flat amount can
 * break it on a cheap item.
 *
 * @param percent - as `"30.00"`
 * @since 0.5.0
 * @category laws of hosts
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Laws } from "apportion/testing"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 40 },
 * ])
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }]
 * const sale = Laws.saleOf(rules, { id: "1001", currency: "USD", items })
 * Laws.atMostOfItem("40.00").check(sale) // => undefined
 * Laws.atMostOfItem("30.00").check(sale)
 * // => "ada gets 4.00 USD of item 1, which is more than 30.00% of the 10.00 USD that it brought in"
 * ```
 */
export const atMostOfItem = (percent: string | number): Law => {
  const points = pointsOf(percent)
  const name = `no collaborator gets more than ${percentText(points)} of an item`
  return {
    name,
    description: `${name}, by all of their groups together.`,
    check: forItems((item, split, { order }) => {
      const shares = ofItem(split.shares, item.itemId)
      const sign = signOf(item, order)
      return first(Map.groupBy(shares, (share) => share.collaboratorId).values(), (own) =>
        atMost(item, split, { points, sign }, own),
      )
    }),
  }
}

/**
 * The store keeps at least this percentage of what an item brought in. Less than a cent of rounding is tolerated for
 * each share. If an item brought in nothing, no share may be paid for it.
 *
 * @param percent - as `"40.00"`
 * @since 0.5.0
 * @category laws of hosts
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Laws } from "apportion/testing"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 40 },
 *   { id: "g2", collaboratorId: "ben", link: { type: "products.all" }, percent: 30 },
 * ])
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }]
 * const sale = Laws.saleOf(rules, { id: "1001", currency: "USD", items })
 * Laws.storeKeepsAtLeast("30.00").check(sale) // => undefined
 * Laws.storeKeepsAtLeast("40.00").check(sale)
 * // => "the store keeps 3.00 USD of item 1, which is less than 40.00% of the 10.00 USD that it brought in"
 * ```
 */
export const storeKeepsAtLeast = (percent: string | number): Law => {
  const points = pointsOf(percent)
  const name = `the store keeps at least ${percentText(points)} of an item`
  return {
    name,
    description: `${name}, regardless of who else is paid.`,
    check: forItems((item, split, { order }) => {
      const sign = signOf(item, order)
      const distributable = sign * BigInt(item.distributable)
      const rest = total(ofItem(split.store, item.itemId))
      const granted = roundings(ofItem(split.shares, item.itemId)) * whole
      const isKept =
        distributable > 0n
          ? sign * rest * whole > distributable * points - granted || sign * rest === distributable
          : sign * rest >= distributable
      return isKept
        ? undefined
        : `the store keeps ${money(rest, split)} of item ${item.itemId}, which is less than ${percentText(points)} of the ${money(item.distributable, split)} that it brought in`
    }),
  }
}

/**
 * No order is refused for over-allocation, and under other policies no claim has to be cut. Flat amounts and minimums
 * exceed what a cheap enough item brings in: pass `verifyRules` the catalogue and the option `without`, to try only
 * orders that you can have.
 *
 * @since 0.5.0
 * @category laws of hosts
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Laws } from "apportion/testing"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 60 },
 *   { id: "g2", collaboratorId: "ben", link: { type: "products.all" }, percent: 50 },
 * ])
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }]
 * const sale = Laws.saleOf(rules, { id: "1001", currency: "USD", items })
 * Laws.neverOverAllocated().check(sale)
 * // => "of item 1, which brought in 10.00 USD, g1 claims 6.00 USD and g2 claims 5.00 USD"
 * ```
 */
export const neverOverAllocated = (): Law => ({
  name: "no item is over-allocated",
  description: "The groups of an item never claim more than it brings in.",
  applies: () => true,
  check: ({ order, split, result }) => {
    const reason = (itemId: string, distributable: number, claims: ReadonlyArray<string>) =>
      `of item ${itemId}, which brought in ${money(distributable, order)}, ${claims.join(" and ")}`
    const claim = (groupId: string, amount: number) => `${groupId} claims ${money(amount, order)}`
    if (Result.isFailure(result)) {
      const error = result.failure
      if (error._tag !== "OverAllocated") return undefined
      const claims = error.claims.map(({ groupId, amount }) => claim(groupId, amount))
      return reason(error.itemId, error.distributable, claims)
    }
    const item = split?.items.find(({ overAllocated }) => overAllocated)
    if (split === undefined || item === undefined) return undefined
    const shares = ofItem(split.shares, item.itemId)
    const claims = shares.map((share) => claim(share.groupId, share.claim))
    return reason(item.itemId, item.distributable, claims)
  },
})

const groupTest = (groups: GroupsWhere | ((group: ProductGroup.ProductGroup) => boolean)) => {
  if (typeof groups === "function") return groups
  const { groupId, collaboratorId, linkType, conditionType } = groups
  return ({ id, collaboratorId: owner, link, condition }: ProductGroup.ProductGroup): boolean =>
    (groupId === undefined || groupId === id) &&
    (collaboratorId === undefined || collaboratorId === owner) &&
    (linkType === undefined || linkType === link.type) &&
    (conditionType === undefined || conditionType === (condition?.type ?? null))
}

const groupWords = (groups: Parameters<typeof groupTest>[0]): string => {
  if (typeof groups === "function") return "no share of certain groups"
  const { groupId, collaboratorId, linkType, conditionType } = groups
  const words = [
    ...(groupId === undefined ? [] : [`of group ${groupId}`]),
    ...(collaboratorId === undefined ? [] : [`of ${collaboratorId}`]),
    ...(linkType === undefined ? [] : [`by a group for ${linkType}`]),
    ...(conditionType === undefined ? [] : [`by a group with the condition ${conditionType}`]),
  ]
  return ["no share", ...words].join(" ")
}

const ordersOf = (orders: OrdersWhere) => {
  if (typeof orders === "function") return { is: orders, words: "certain orders", values: {} }
  const group = groupOf({ condition: orders })
  return {
    is: (order: Order) => isConditionMet(group, order),
    words: orderWords(group),
    values: valuesOf(group),
  }
}

/**
 * Some groups pay nothing on some orders, such as "no referer share on wholesale orders".
 *
 * @param groups - which groups, by their fields or by a function
 * @param orders - which orders, as a condition or as a function
 * @param options - with functions: the law's `name`, and the `values` that make an order such an order
 * @since 0.5.0
 * @category laws of hosts
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Laws } from "apportion/testing"
 *
 * const law = Laws.nothingWhen(
 *   { conditionType: "referer" },
 *   { type: "customer.tag", values: ["wholesale"] },
 * )
 * law.name
 * // => 'no share by a group with the condition referer on orders with the customer tag "wholesale"'
 *
 * const rules = RuleSet.make([
 *   {
 *     id: "blog",
 *     collaboratorId: "sam",
 *     link: { type: "products.all" },
 *     condition: { type: "referer", values: ["sam-blog"] },
 *     percent: 10,
 *   },
 * ])
 * const sale = Laws.saleOf(rules, {
 *   id: "1001",
 *   currency: "USD",
 *   customerTags: ["Wholesale"],
 *   referers: ["sam-blog"],
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }],
 * })
 * law.check(sale) // => "sam gets 1.00 USD of item 1 by group blog"
 * ```
 */
export const nothingWhen = (
  groups: GroupsWhere | ((group: ProductGroup.ProductGroup) => boolean),
  orders: OrdersWhere,
  options: LawOptions = {},
): Law => {
  const isAbout = groupTest(groups)
  const { is, words, values } = ordersOf(orders)
  const name = options.name ?? `${groupWords(groups)} on ${words}`
  return {
    name,
    description: `There is ${groupWords(groups)} on ${words}.`,
    values: options.values ?? values,
    applies: ({ order, split }) => split !== undefined && is(order),
    check: ({ rules, order, split }) => {
      if (split === undefined || !is(order)) return undefined
      const ids = new Set(rules.groups.filter(isAbout).map(({ id }) => id))
      const paid = split.shares.find(({ groupId, amount }) => ids.has(groupId) && amount !== 0)
      return (
        paid &&
        `${paid.collaboratorId} gets ${money(paid.amount, split)} of item ${paid.itemId} by group ${paid.groupId}`
      )
    },
  }
}

const itemsOf = (items: ItemsWhere) => {
  if (typeof items === "function") return { is: items, words: "certain items", values: {} }
  const group = groupOf(items)
  return {
    is: (item: OrderItem, order: Order) => applies(group, order, item),
    words: itemWords(group),
    values: valuesOf(group),
  }
}

/**
 * A collaborator has a share of some items, whatever else is in the order. A share of 0 because there was no money, or
 * less than a cent, counts; a share of 0 because others left nothing does not.
 *
 * @param collaboratorId - who
 * @param items - of which items: as the link and condition of a group, or as a function; all when absent
 * @param options - with a function: the law's `name`, and the `values` that make an item such an item
 * @since 0.5.0
 * @category laws of hosts
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Laws } from "apportion/testing"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 40 },
 * ])
 * const items = [{ id: "1", product: { id: "p1", vendor: "North" }, quantity: 1, amount: 1_000 }]
 * const sale = Laws.saleOf(rules, { id: "1001", currency: "USD", items })
 * const law = Laws.paid("ada", { link: { type: "products.vendor", values: ["North"] } })
 * law.name // => 'ada is paid for items with the vendor "North"'
 * law.check(sale) // => "ada is not paid for item 1"
 * ```
 */
export const paid = (
  collaboratorId: string,
  items: ItemsWhere = {},
  options: LawOptions = {},
): Law => {
  const { is, words, values } = itemsOf(items)
  const name = options.name ?? `${collaboratorId} is paid for ${words}`
  return {
    name,
    description: `${collaboratorId} has a share of ${words}.`,
    values: options.values ?? values,
    applies: ({ order, split }) =>
      split !== undefined && order.items.some((item) => is(item, order)),
    check: ({ order, split }) =>
      split &&
      first(order.items, (item) => {
        if (!is(item, order)) return undefined
        const isPaid = ofItem(split.shares, item.id).some(
          (share) =>
            share.collaboratorId === collaboratorId && (share.amount !== 0 || share.claim === 0),
        )
        return isPaid ? undefined : `${collaboratorId} is not paid for item ${item.id}`
      }),
  }
}
