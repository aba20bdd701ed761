/**
 * Why each one gets what they get: the sum from price to cents, as data and in words, and why the other
 * groups did not apply.
 *
 * @since 0.1.0
 */

import { at } from "../internal/at.js"
import { basisPointsOf } from "../money/internal/basisPoints.js"
import * as exact from "../money/internal/exact.js"
import * as Percent from "../money/Percent.js"
import type { Order, OrderItem } from "../orders/Order.js"
import * as links from "../rules/engine/LinkIndex.js"
import { inForce, OrderView } from "../rules/engine/OrderView.js"
import type { Precedence } from "../rules/engine/Precedence.js"
import type { RuleIndex } from "../rules/engine/RuleIndex.js"
import * as versions from "../rules/engine/versions.js"
import type { ProductGroup } from "../rules/ProductGroup.js"
import type { RuleSet } from "../rules/RuleSet.js"
import * as words from "./internal/words.js"
import type { ItemBreakdown, Outranked, Share } from "./Share.js"
import type { Split } from "./Split.js"
import * as SplitPolicy from "./SplitPolicy.js"

/**
 * One line of a sum: what it is, and what it adds in cents (negative: takes away).
 *
 * @since 0.1.0
 * @category models
 */
export interface Step {
  readonly what:
    | "price"
    | "discount"
    | "tax"
    | "cost"
    | "gateway fee"
    | "not below zero"
    | "deducted for others"
    | "percent"
    | "flat"
    | "minimum"
    | "maximum"
    | "shipping"
    | "over-allocation"
  readonly amount: number
}

/**
 * How one share came about. The steps add up to the amount.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShareExplanation {
  readonly groupId: string
  readonly collaboratorId: string
  readonly amount: number
  /** What the percentage was computed on, in cents. */
  readonly base: number
  readonly percent: string | null
  /** The percentage of the base before rounding, in cents, as `"1249.875"`; `null` without a percentage. */
  readonly exact: string | null
  /** Which way the exact value was rounded: `up` is an odd cent that went here. */
  readonly rounded: "up" | "down" | "exactly"
  /** Whether this share was taken off the base of the others. */
  readonly deducting: boolean
  readonly steps: ReadonlyArray<Step>
}

/**
 * How one item was split.
 *
 * @since 0.1.0
 * @category models
 */
export interface ItemExplanation {
  readonly itemId: string
  readonly quantity: number
  readonly distributable: number
  /** From the price to what the percentages are computed on, before anything is deducted for others. */
  readonly baseSteps: ReadonlyArray<Step>
  /** What the deducting groups' percentages are computed on. */
  readonly base: number
  /** What is taken off it for the others' percentages. */
  readonly deducted: number
  readonly shipping: number
  readonly overAllocated: boolean
  readonly shares: ReadonlyArray<ShareExplanation>
  readonly outranked: ReadonlyArray<Outranked>
  readonly store: number
}

/**
 * How an order was split.
 *
 * @since 0.1.0
 * @category models
 */
export interface Explanation {
  readonly orderId: string
  readonly currency: string
  readonly policy: SplitPolicy.SplitPolicy
  readonly items: ReadonlyArray<ItemExplanation>
}

/**
 * Why a group gives no share of an item.
 *
 * @since 0.1.0
 * @category models
 */
export interface NotApplied {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  readonly reason: "link" | "condition" | "out of date" | "outranked" | "zero"
  /** The reason in words. */
  readonly message: string
}

/**
 * What things are called: each looks up a name by an id, and where there is none the id stands. Whatever is left out has
 * no names. A name is not unique as an id is, so let it tell people apart who read it.
 *
 * @since 0.6.0
 * @category models
 */
export interface Names {
  readonly collaborator?: ((collaboratorId: string) => string | undefined) | undefined
  readonly group?: ((groupId: string) => string | undefined) | undefined
  /** The name of what was sold, by the item's id. */
  readonly item?: ((itemId: string) => string | undefined) | undefined
}

const noNames: Names = {}

const present = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps.filter((step) => step.amount !== 0 || step.what === "price")

/** A step as numbers that are exact: where none of them can hold it, it is taken in several. */
const stepsOf = (what: Step["what"], amount: number | bigint): ReadonlyArray<Step> => {
  const safe = exact.toSafe(amount)
  if (safe !== undefined) return [{ what, amount: safe }]
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  const first = amount < 0 ? -most : most
  return [{ what, amount: Number(first) }, ...stepsOf(what, BigInt(amount) - first)]
}

const baseSteps = (item: ItemBreakdown, policy: SplitPolicy.SplitPolicy): ReadonlyArray<Step> => {
  const steps: ReadonlyArray<Step> = [
    { what: "price", amount: item.amount },
    { what: "discount", amount: policy.discount === "deduct" ? -item.discount : 0 },
    { what: "tax", amount: item.tax },
    { what: "cost", amount: -item.cost },
    { what: "gateway fee", amount: -item.gatewayFee },
  ]
  const lacking = exact.difference(
    item.base,
    steps.map((step) => step.amount),
  )
  return present([...steps, ...stepsOf("not below zero", lacking)])
}

/** The exact percentage of a base, without its sign: whole cents, and ten thousandths of one. */
const divided = (base: number, percent: string): exact.Division =>
  exact.multiplyDivide(Math.abs(base), basisPointsOf(percent), Percent.whole)

/** The exact percentage as text: at most four decimals of a cent. */
const exactText = ({ base }: Share, { quotient, remainder }: exact.Division): string => {
  const decimals = String(remainder).padStart(4, "0").replace(/0+$/, "")
  const text = decimals === "" ? String(quotient) : `${quotient}.${decimals}`
  return base < 0 && text !== "0" ? `-${text}` : text
}

const roundedWhich = (
  { percentTotal }: Share,
  { quotient, remainder }: exact.Division,
): ShareExplanation["rounded"] => {
  if (remainder === 0) return "exactly"
  return Math.abs(percentTotal) > quotient ? "up" : "down"
}

const explainPercent = (share: Share): Pick<ShareExplanation, "exact" | "rounded"> => {
  if (share.percent === null) return { exact: null, rounded: "exactly" }
  const division = divided(share.base, share.percent)
  return { exact: exactText(share, division), rounded: roundedWhich(share, division) }
}

const limitSteps = (share: Share, item: ItemBreakdown): ReadonlyArray<Step> => {
  const { percentTotal, flatTotal, beforeShipping: goods } = share
  const percent: Step = { what: "percent", amount: percentTotal }
  const flat: Step = { what: "flat", amount: flatTotal }
  const earned = exact.toSafe(exact.add(percentTotal, flatTotal))
  if (earned === undefined) {
    // Only a maximum brings it back; taken in two, no sum on the way is beyond every number.
    const maximum = (amount: number): Step => ({ what: "maximum", amount })
    return [percent, maximum(-percentTotal), flat, maximum(goods - flatTotal)]
  }
  const limited = goods - earned
  // Limits are 0 or more in the item's own sign, so what they leave has it; only a maximum leaves nothing.
  const sign = item.amount || goods || -limited
  return [
    percent,
    flat,
    { what: limited > 0 === sign > 0 ? "minimum" : "maximum", amount: limited },
  ]
}

const shareSteps = (share: Share, item: ItemBreakdown): ReadonlyArray<Step> => {
  const steps: ReadonlyArray<Step> = [
    ...limitSteps(share, item),
    ...stepsOf("shipping", exact.difference(share.claim, [share.beforeShipping])),
    { what: "over-allocation", amount: share.amount - share.claim },
  ]
  return steps.filter((step) => step.amount !== 0)
}

const explainShare = (share: Share, item: ItemBreakdown): ShareExplanation => ({
  groupId: share.groupId,
  collaboratorId: share.collaboratorId,
  amount: share.amount,
  base: share.base,
  percent: share.percent,
  ...explainPercent(share),
  deducting: share.deducting,
  steps: shareSteps(share, item),
})

/**
 * Explains a split, from nothing but the split itself.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Explanation, RuleSet, Split } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "12.50" },
 * ])
 * const split = Split.order(rules, {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 9_999 }],
 * })
 * const explanation = Explanation.ofSplit(split)
 * explanation.items[0]?.shares[0]?.exact // => "1249.875"
 * explanation.items[0]?.shares[0]?.rounded // => "up"
 * ```
 */
export const ofSplit = (split: Split): Explanation => {
  const shares = Map.groupBy(split.shares, (share) => share.itemId)
  const outranked = Map.groupBy(split.outranked, (group) => group.itemId)
  return {
    orderId: split.orderId,
    currency: split.currency,
    policy: split.policy,
    items: split.items.map((item, index) => ({
      itemId: item.itemId,
      quantity: item.quantity,
      distributable: item.distributable,
      baseSteps: baseSteps(item, split.policy),
      base: item.base,
      deducted: item.deducted,
      shipping: item.shipping,
      overAllocated: item.overAllocated,
      shares: (shares.get(item.itemId) ?? []).map((share) => explainShare(share, item)),
      outranked: outranked.get(item.itemId) ?? [],
      store: at(split.store, index).amount,
    })),
  }
}

/**
 * An explanation in words that a collaborator would understand, one paragraph an item. It holds ids only; with
 * `names`, those you know stand in their place.
 *
 * @param options - `names`: what collaborators, groups and items are called; ids when absent
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Explanation, RuleSet, Split } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 50 },
 * ])
 * const split = Split.order(rules, {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
 * })
 * const text = Explanation.toText(Explanation.ofSplit(split))
 * text.split("\n")[2] // => "  ada gets 50.00 USD (group g1): 50.00% of 100.00 USD is 50.00 USD."
 *
 * const people = new Map([["ada", "Ada Byron"]])
 * const names = { collaborator: (id: string) => people.get(id) }
 * Explanation.toText(Explanation.ofSplit(split), { names }).split("\n")[2]
 * // => "  Ada Byron gets 50.00 USD (group g1): 50.00% of 100.00 USD is 50.00 USD."
 * ```
 */
export const toText = (
  explanation: Explanation,
  { names = noNames }: { readonly names?: Names | undefined } = {},
): string => explanation.items.map((item) => words.itemText(explanation, item, names)).join("\n\n")

interface Question {
  readonly index: RuleIndex
  readonly order: Order
  readonly item: OrderItem
  readonly standing: Precedence
  readonly names: Names
}

type Reason = NotApplied["reason"]

const winnerOf = ({ index, standing }: Question, slot: number): ProductGroup | undefined =>
  index.table.groups[standing.winners[standing.outranked.indexOf(slot)] ?? -1]

/** Why a group gives no share, if it gives none. */
const reasonOf = (question: Question, slot: number): Reason | undefined => {
  const { index, order, item } = question
  const group = index.table.groupAt(slot)
  if (!links.selects(item.product, group)) return "link"
  if (group.condition !== null && !index.isConditionMet(slot)) return "condition"
  if (!inForce(order, group)) return "out of date"
  if (winnerOf(question, slot) !== undefined) return "outranked"
  return index.table.isZero(slot) ? "zero" : undefined
}

const messageOf = (question: Question, slot: number, reason: Reason): string => {
  const { index, order, item, names } = question
  const group = index.table.groupAt(slot)
  const winner = winnerOf(question, slot)
  if (reason === "link") return words.linkReason(group, item.product)
  if (reason === "out of date") return words.dateReason(group, order)
  if (reason === "condition" && group.condition !== null) {
    return words.conditionReason(group.condition, order)
  }
  return winner === undefined ? words.zeroReason : words.outrankedReason(winner, names)
}

const notAppliedOf = (question: Question, slot: number, reason: Reason): NotApplied => {
  const { id: groupId, collaboratorId } = question.index.table.groupAt(slot)
  const message = messageOf(question, slot, reason)
  return { itemId: question.item.id, groupId, collaboratorId, reason, message }
}

/** What is asked: only this item, only this group; the policy of the split; what things are called. */
interface ExplainOptions {
  readonly itemId?: string | undefined
  readonly groupId?: string | undefined
  readonly policy?: SplitPolicy.SplitPolicy | undefined
  readonly names?: Names | undefined
}

interface Reasons {
  readonly question: Question
  /** The groups that give no share of the item, and why. */
  readonly missing: ReadonlyArray<{ readonly slot: number; readonly reason: Reason }>
}

/** Asks of each item which groups give no share of it, and makes something of each answer. */
const askEach = <A>(
  rules: RuleSet,
  { order, ...options }: ExplainOptions & { readonly order: Order },
  make: (answer: Reasons) => A,
): ReadonlyArray<A> => {
  const index = versions.indexOf(rules)
  const view = new OrderView(order)
  const { stacking } = options.policy ?? SplitPolicy.defaults
  const { names = noNames } = options
  const slots = index
    .all()
    .filter(
      (slot) => options.groupId === undefined || index.table.groupAt(slot).id === options.groupId,
    )
  return order.items
    .filter((item) => options.itemId === undefined || item.id === options.itemId)
    .map((item) => {
      const standing = index.standing(view, item.product, stacking)
      const question = { index, order, item, standing, names }
      const missing = slots.flatMap((slot) => {
        const reason = reasonOf(question, slot)
        return reason === undefined ? [] : [{ slot, reason }]
      })
      return make({ question, missing })
    })
}

/**
 * Tells of every group that gives no share of an item why it does not. It looks at every group of the
 * rule set, so ask for one item or group where that is enough.
 *
 * @param options - `itemId`, `groupId`: only this item, only this group; `policy`: as for the split;
 *   `names`: what groups are called, as for {@link toText}
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { Explanation, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * const order = {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1", tags: ["music"] }, quantity: 1, amount: 1_000 }],
 * }
 * const [why] = Explanation.notApplied(rules, order)
 * why?.reason // => "link"
 * why?.message // => "it is for products with the tag \"art\", and this product has the tag \"music\""
 * ```
 */
export const notApplied = (
  rules: RuleSet,
  order: Order,
  options: ExplainOptions = {},
): ReadonlyArray<NotApplied> =>
  askEach(rules, { ...options, order }, ({ question, missing }) =>
    missing.map(({ slot, reason }) => notAppliedOf(question, slot, reason)),
  ).flat()

/**
 * Of one item, the groups that nearly gave a share of it, and how many others did not.
 *
 * @since 0.6.0
 * @category models
 */
export interface NearMisses {
  readonly itemId: string
  /** The nearest first: out of date only, then paying nothing, then another condition. */
  readonly nearest: ReadonlyArray<NotApplied>
  /** How many others there are of each reason; a reason of which there are none is absent. */
  readonly others: { readonly [Reason in NotApplied["reason"]]?: number }
}

/** From the nearest to the farthest. A group whose link fits was meant for the product. */
const nearness: ReadonlyArray<Reason> = ["out of date", "zero", "condition", "outranked", "link"]

/** How many seconds a group was away from being in force. */
const secondsAway = ({ startsAt, endsAt }: ProductGroup, { createdAt }: Order): number => {
  if (createdAt == null) return Number.POSITIVE_INFINITY
  if (startsAt !== null && createdAt < startsAt) return startsAt - createdAt
  return endsAt === null ? 0 : createdAt - endsAt
}

const nearMissesOf = ({ question, missing }: Reasons, most: number): NearMisses => {
  const { index, order, item } = question
  const away = (slot: number) => secondsAway(index.table.groupAt(slot), order)
  const sorted = missing.toSorted(
    (one, other) =>
      nearness.indexOf(one.reason) - nearness.indexOf(other.reason) ||
      (one.reason === "out of date" ? away(one.slot) - away(other.slot) : 0),
  )
  const near = sorted.filter(({ reason }) => reason !== "link").slice(0, most)
  const told = missing.length <= most ? missing : near
  const others: { [Reason in NotApplied["reason"]]?: number } = {}
  for (const { reason } of missing) others[reason] = (others[reason] ?? 0) + 1
  for (const { reason } of told) {
    const left = (others[reason] ?? 0) - 1
    if (left === 0) delete others[reason]
    else others[reason] = left
  }
  return {
    itemId: item.id,
    nearest: told.map(({ slot, reason }) => notAppliedOf(question, slot, reason)),
    others,
  }
}

/**
 * Tells of each item which groups nearly gave a share of it, and counts the others by their reasons. Near
 * is a group whose link selects the product. Where no more than `most` groups gave nothing, all of them are
 * told, in the order of the rule set. With many groups this is what a person can read; {@link notApplied}
 * tells all.
 *
 * @param options - as for {@link notApplied}; `most`: how many groups of an item are told, 20 when absent
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Explanation, RuleSet } from "apportion"
 *
 * const link = { type: "products.all" } as const
 * const condition = { type: "referer", values: ["blog"] } as const
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link, condition, percent: 10 },
 *   { id: "g2", collaboratorId: "bob", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * const order = {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }],
 * }
 * const [item] = Explanation.nearMisses(rules, order, { most: 1 })
 * item?.nearest.map(({ groupId, reason }) => `${groupId}: ${reason}`) // => ["g1: condition"]
 * item?.others // => { link: 1 }
 * ```
 */
export const nearMisses = (
  rules: RuleSet,
  order: Order,
  { most = 20, ...options }: ExplainOptions & { readonly most?: number | undefined } = {},
): ReadonlyArray<NearMisses> =>
  askEach(rules, { ...options, order }, (answer) => nearMissesOf(answer, most))
