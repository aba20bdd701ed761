import * as Result from "effect/Result"
import { sameData } from "../../internal/sameData.js"
import * as Percent from "../../money/Percent.js"
import * as Attribute from "../../orders/Attribute.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import type { Share } from "../../shares/Share.js"
import * as Split from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { spellings } from "../rules/asks.js"
import { isPlain, type JudgedSale, type Law, saleOf } from "./Law.js"
import {
  differenceOf,
  first,
  forItems,
  money,
  ofItem,
  proportionReason,
  type Reason,
  refundReasons,
  signOf,
  total,
} from "./reasons.js"

// The same data written differently: in another order, in other spellings.

/** Other orders of a list: reversed, rotated, every second entry first. */
const reordered = <A>(list: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  if (list.length < 2) return []
  const middle = Math.ceil(list.length / 2)
  const isEven = (_: A, index: number) => index % 2 === 0
  const isOdd = (_: A, index: number) => index % 2 === 1
  return [
    [...list].reverse(),
    [...list.slice(middle), ...list.slice(0, middle)],
    [...list.filter(isOdd), ...list.filter(isEven)],
  ]
}

/** Cached variants of a rule set: indexing many groups takes time. */
const kept = (make: (rules: RuleSet.RuleSet) => ReadonlyArray<RuleSet.RuleSet>): typeof make => {
  const known = new WeakMap<RuleSet.RuleSet, ReadonlyArray<RuleSet.RuleSet>>()
  return (rules) => {
    const made = known.get(rules) ?? make(rules)
    known.set(rules, made)
    return made
  }
}

/** Rule sets of the same groups in other orders. */
const reorderedRules = /* @__PURE__ */ kept((rules) => reordered(rules.groups).map(RuleSet.make))

/** A deep copy of a rule set. */
const copiedRules = /* @__PURE__ */ kept((rules) => [structuredClone(rules)])

type Respell = (attribute: Attribute.Attribute, text: string) => string

/** The round-th spelling of each text; adjacent texts get different ones. */
const respelling = (round: number): Respell => {
  let place = 0
  return (attribute, text) => {
    const all = spellings(attribute, text)
    place += 1
    return all[(round * place) % all.length] ?? text
  }
}

const respeltProduct = (product: Product, respell: Respell): Product => {
  const attributes = Attribute.productAttributes.map((attribute) => {
    const values = Attribute.ofProduct[attribute](product)
    // Ids have one spelling.
    if (values.length === 0 || Attribute.kindOf(attribute) === "id") return {}
    return Attribute.inProduct[attribute](values.map((value) => respell(attribute, value)))
  })
  return Object.assign({}, product, ...attributes)
}

const respeltWith = (order: Order, respell: Respell): Order => {
  const attributes = Attribute.orderAttributes.map((attribute) => {
    const values = Attribute.ofOrder[attribute](order)
    if (values.length === 0) return {}
    return Attribute.inOrder[attribute](values.map((value) => respell(attribute, value)))
  })
  return Object.assign({}, order, ...attributes, {
    items: order.items.map((item) => ({ ...item, product: respeltProduct(item.product, respell) })),
  })
}

const respeltGroup = (group: ProductGroup, respell: Respell): ProductGroup => {
  const { link, condition } = group
  const { type } = link
  const all = (attribute: Attribute.Attribute, values: ReadonlyArray<string>) =>
    values.map((value) => respell(attribute, value))
  return {
    ...group,
    link: type === "products.all" ? link : { ...link, values: all(type, link.values) },
    condition: condition && { ...condition, values: all(condition.type, condition.values) },
  }
}

const rounds = [1, 2, 5]

/** Rule sets whose groups name the same values in other spellings. */
const respeltRules = /* @__PURE__ */ kept(({ groups }) =>
  rounds.map((round) => {
    const respell = respelling(round)
    return RuleSet.make(groups.map((group) => respeltGroup(group, respell)))
  }),
)

/** The order in other spellings, which are equal to every rule. */
const respelt = (order: Order): ReadonlyArray<Order> =>
  rounds.map((round) => respeltWith(order, respelling(round)))

/**
 * For each item, the shares and the store's rest add up to what it brought in.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const conserved: Law = {
  name: "every cent is accounted for",
  description: "For each item, the shares and the store's rest add up to what it brought in.",
  check: forItems(({ itemId, distributable }, split) => {
    const given = total(ofItem(split.shares, itemId)) + total(ofItem(split.store, itemId))
    return given === BigInt(distributable)
      ? undefined
      : `item ${itemId} brought in ${money(distributable, split)}, and ${money(given, split)} are given away`
  }),
}

/**
 * Each item of an order is split exactly once, and nothing else is.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const everyItemOnce: Law = {
  name: "every item is split once",
  description: "Each item of the order is split once and has one rest, and no other item is.",
  check: ({ order, split }) => {
    if (split === undefined) return undefined
    const wanted = order.items.map(({ id }) => id).sort()
    return first([split.items, split.store], (parts) => {
      const found = parts.map(({ itemId }) => itemId).sort()
      return sameData(found, wanted)
        ? undefined
        : `the order has the items ${wanted.join(", ")}, and the split has ${found.join(", ")}`
    })
  },
}

const shippingOf = (order: Order, { tax }: SplitPolicy): number => {
  const { shippingAmount = 0, shippingTax = 0, taxesIncluded = false } = order
  if (taxesIncluded) return tax === "remove" ? shippingAmount - shippingTax : shippingAmount
  return tax === "share" ? shippingAmount + shippingTax : shippingAmount
}

/**
 * The items' parts of the shipping and of the gateway fee add up to those of the order; of the shipping,
 * the policy's `tax` says whether the tax on it counts.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const sumsSpread: Law = {
  name: "shipping and fee are divided without a rest",
  description: "The items' parts of the shipping and of the gateway fee add up to the order's.",
  applies: ({ order, split }) => split !== undefined && order.items.length > 0,
  check: ({ order, split, policy }) => {
    if (split === undefined || order.items.length === 0) return undefined
    const fee = policy.gatewayFee === "deduct" ? order.gatewayFee : 0
    const sums = [
      ["shipping", shippingOf(order, policy)],
      ["gatewayFee", fee ?? 0],
    ] as const
    return first(sums, ([field, whole]) => {
      const parts = total(split.items.map((item) => ({ amount: item[field] })))
      return parts === BigInt(whole)
        ? undefined
        : `the parts of ${field} are ${money(parts, split)}, the whole is ${money(whole, split)}`
    })
  },
}

/**
 * No figure of a split is a fraction, beyond what is exact, or a negative zero.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const wholeCents: Law = {
  name: "every figure is a whole number of cents",
  description: "No figure of a split is a fraction, beyond what is exact, or a negative zero.",
  check: ({ split }) =>
    split &&
    first([...split.shares, ...split.store, ...split.items], (part) =>
      first(Object.entries(part), ([name, value]) =>
        typeof value !== "number" || (Number.isSafeInteger(value) && !Object.is(value, -0))
          ? undefined
          : `${name} of item ${part.itemId} is ${Object.is(value, -0) ? "-0" : value}`,
      ),
    ),
}

/**
 * Unless the policy allows it, the shares of an item never exceed what it brought in.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const neverMoreThanCameIn: Law = {
  name: "no more is paid than came in",
  description:
    'The shares of an item are never more than it brought in, unless the policy says "allow".',
  check: forItems((item, split, { policy, order }) => {
    if (policy.overAllocation === "allow") return undefined
    const sign = signOf(item, order)
    const distributable = sign * BigInt(item.distributable)
    const paid = sign * total(ofItem(split.shares, item.itemId))
    return paid <= (distributable > 0n ? distributable : 0n)
      ? undefined
      : `item ${item.itemId} brought in ${money(item.distributable, split)}, and ${money(sign * paid, split)} are paid of it`
  }),
}

const exactReason = (share: Share, split: Split.Split, percent: string | null): Reason => {
  const points = percent === null ? 0 : Result.getOrElse(Percent.parse(percent), () => 0)
  const exact = BigInt(share.base) * BigInt(points)
  const whole = BigInt(Percent.whole)
  const away = BigInt(share.percentTotal) * whole - exact
  if (away > -whole && away < whole && (exact !== 0n || share.percentTotal === 0)) return undefined
  return `${percent ?? "0.00"}% of ${money(share.base, split)} is taken for ${money(share.percentTotal, split)} (group ${share.groupId}, item ${share.itemId})`
}

/**
 * The result of a percentage is its exact value, rounded to the cent below or above; of 0 it is 0.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const roundedByLessThanOneCent: Law = {
  name: "a percentage is rounded by less than a cent",
  description: "What a percentage comes to is the cent below or above its exact value.",
  applies: (sale) => sale.split !== undefined && isPlain(sale),
  check: ({ rules, split }) => {
    if (split === undefined) return undefined
    const percents = new Map(rules.groups.map(({ id, percent }) => [id, percent]))
    return first(split.shares, (share) =>
      exactReason(share, split, percents.get(share.groupId) ?? null),
    )
  },
}

/**
 * Where claims are cut by `scale`, each share is within a cent of the exact proportion of its claim.
 *
 * @since 0.6.0
 * @category laws of the engine
 */
export const scaledInProportion: Law = {
  name: "a claim that is cut is within a cent of its exact proportion",
  description:
    "Under scale each share is the cent below or above its part of what the item brought in, in proportion to the claim before any rounding.",
  applies: (sale) => sale.split !== undefined && isPlain(sale),
  check: forItems((item, split, sale) =>
    sale.policy.overAllocation === "scale" ? proportionReason(item, split, sale) : undefined,
  ),
}

/**
 * Where only the most specific group counts, a collaborator has at most one share of an item.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const oneShareEach: Law = {
  name: "a collaborator takes one share of an item",
  description:
    'A collaborator takes at most one share of an item, unless the policy stacks "all" groups.',
  check: ({ policy, split }) => {
    if (split === undefined || policy.stacking === "all") return undefined
    const taken = new Map<string, string>()
    return first(split.shares, ({ itemId, collaboratorId, groupId }) => {
      const key = JSON.stringify([itemId, collaboratorId])
      const other = taken.get(key)
      taken.set(key, groupId)
      return other === undefined
        ? undefined
        : `${collaboratorId} takes a share of item ${itemId} by group ${other} and by group ${groupId}`
    })
  },
}

const changed = (what: string, sale: JudgedSale, other: JudgedSale["result"]): Reason => {
  const difference = differenceOf(sale.result, other)
  return difference && `${what}, the answer is another one: ${difference}`
}

/**
 * The order in which groups are listed changes nothing.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const groupsInAnyOrder: Law = {
  name: "the order of the groups changes nothing",
  description: "A rule set with its groups in another order splits each order the same.",
  applies: isPlain,
  check: (sale) =>
    first(reorderedRules(sale.rules), (rules) => {
      const other = Split.orderResult(rules, sale.order, sale.policy)
      const ids = rules.groups.slice(0, 5).map(({ id }) => id)
      return changed(`with the groups in the order ${ids.join(", ")}`, sale, other)
    }),
}

/**
 * The order in which items are listed changes nothing.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const itemsInAnyOrder: Law = {
  name: "the order of the items changes nothing",
  description: "An order with its items in another order is split the same.",
  applies: isPlain,
  check: (sale) =>
    first(reordered(sale.order.items), (items) => {
      const { result } = saleOf(sale.rules, { ...sale.order, items }, sale.policy)
      const what = `with the items in the order ${items.map(({ id }) => id).join(", ")}`
      if (Result.isSuccess(sale.result)) return changed(what, sale, result)
      // It is not specified which of two items that can't be split is named first.
      return Result.isFailure(result) ? undefined : `${what}, the order is not refused`
    }),
}

/**
 * The spelling of a text (case, composition of accents, surrounding spaces) changes nothing.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const anySpelling: Law = {
  name: "spelling changes nothing",
  description:
    "Other case, composed or decomposed accents and spaces around a text change nothing.",
  applies: isPlain,
  check: (sale) => {
    const { rules, order, policy } = sale
    const ofOrder = first(respelt(order), (other) =>
      changed("with the order spelt otherwise", sale, Split.orderResult(rules, other, policy)),
    )
    return (
      ofOrder ??
      first(respeltRules(rules), (other) =>
        changed("with the groups spelt otherwise", sale, Split.orderResult(other, order, policy)),
      )
    )
  },
}

/**
 * Splitting twice gives the same result, list by list, and does not change the input.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const sameAnswerTwice: Law = {
  name: "asking twice gives the same",
  description:
    "The same order is split the same again, and asking changes neither order nor rules.",
  applies: isPlain,
  check: ({ rules, order, policy, result }) => {
    const before = structuredClone({ order, policy })
    const copies = copiedRules(rules)
    const again = [rules, ...copies].map((each) =>
      Split.orderResult(each, before.order, before.policy),
    )
    const isSame = [Split.orderResult(rules, order, policy), ...again].every((other) =>
      Result.isSuccess(result) && Result.isSuccess(other)
        ? sameData(other.success, result.success)
        : differenceOf(result, other) === undefined,
    )
    if (!isSame) return "the second answer is another one"
    const isKept =
      sameData(before, { order, policy }) && copies.every((copy) => sameData(copy, rules))
    return isKept ? undefined : "what was given was changed"
  },
}

/**
 * A refund of a whole item, at once or in parts, reverses exactly every share and the store's rest.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const refundedExactly: Law = {
  name: "a full refund takes back exactly what was given",
  description:
    "Refunding a whole item, at once or in parts, takes back every share and the store's rest.",
  check: forItems((item, split) => refundReasons(item, split)),
}

const claimReason = ({ rules }: JudgedSale, error: Split.OverAllocated): Reason => {
  const owners = new Map(rules.groups.map(({ id, collaboratorId }) => [id, collaboratorId]))
  if (error.claims.length === 0) return `the refusal names no group: ${error.message}`
  return first(error.claims, ({ groupId, collaboratorId }) =>
    owners.get(groupId) === collaboratorId && error.message.includes(groupId)
      ? undefined
      : `the refusal names group ${groupId} of ${collaboratorId}, which is no group of these rules: ${error.message}`,
  )
}

/**
 * A valid order is refused for two reasons only: an item is over-allocated, which is named with the groups that claim
 * it, or a sum is beyond the exact range.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const refusalsSayWhy: Law = {
  name: "a refusal says which groups claim too much",
  description:
    "An order is refused for too much claimed, with the item and the groups, or for a sum beyond what is exact.",
  applies: () => true,
  check: (sale) => {
    if (Result.isSuccess(sale.result)) return undefined
    const error = sale.result.failure
    if (error._tag === "AmountOutOfRange") return undefined
    if (error._tag !== "OverAllocated") return `it is refused with ${error._tag}: ${error.message}`
    return sale.order.items.some(({ id }) => id === error.itemId)
      ? claimReason(sale, error)
      : `the refusal names item ${error.itemId}, which the order has not`
  },
}

/**
 * The laws of apportion itself, whatever the rules are. A host need not run them; they show how a law is written, and
 * the tests of apportion run them.
 *
 * @since 0.5.0
 * @category laws of the engine
 */
export const engine: ReadonlyArray<Law> = [
  ...[conserved, everyItemOnce, sumsSpread, wholeCents, neverMoreThanCameIn],
  ...[
    roundedByLessThanOneCent,
    scaledInProportion,
    oneShareEach,
    groupsInAnyOrder,
    itemsInAnyOrder,
    anySpelling,
  ],
  ...[sameAnswerTwice, refundedExactly, refusalsSayWhy],
]
