/** Why groups pay no share of an item, as data and in words. */
import { type Wording, wordingOf } from "../../languages/Explanations.js"
import type { Language } from "../../languages/Language.js"
import type { Phrase } from "../../languages/Messages.js"
import * as Attribute from "../../orders/Attribute.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import { date, oneLine } from "../../orders/Words.js"
import { inForce, OrderView } from "../../rules/engine/Conditions.js"
import { selects } from "../../rules/engine/LinkIndex.js"
import type { Precedence } from "../../rules/engine/Precedence.js"
import type { RuleIndex } from "../../rules/engine/RuleIndex.js"
import * as versions from "../../rules/engine/versions.js"
import type { Condition, ProductGroup } from "../../rules/ProductGroup.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import * as SplitPolicy from "../SplitPolicy.js"

/**
 * Why a group pays no share of an item.
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
 * Functions that look up the name for an id; without a name, the id is shown. Names, unlike ids, need not be unique, so
 * choose names that readers can tell apart.
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

export const noNames: Names = {}

/** The name for an id, or the id. */
export const nameOf = (
  id: string,
  known: ((id: string) => string | undefined) | undefined,
): string => oneLine(known?.(id) ?? id)

/** How many values of a group are listed; a group may name a whole catalogue. */
const mostValues = 20

const quoted = (values: ReadonlyArray<string>, { say }: Wording): Phrase => {
  const told = values.slice(0, mostValues).map((value) => JSON.stringify(value))
  const more = values.length - told.length
  const listed = [{ text: told.join(", "), isFilledIn: true }]
  return more === 0 ? listed : say("and", { values: listed, more })
}

/** `the tag "art"`, `the tags "art", "music"`, `no tag`. */
const named = (
  attribute: Attribute.Attribute,
  values: ReadonlyArray<string>,
  wording: Wording,
): Phrase =>
  values.length === 0
    ? wording.say(`no ${attribute}`)
    : wording.say(attribute, { count: values.length, values: quoted(values, wording) })

/** Why a group's link does not select a product. */
const linkReason = ({ link }: ProductGroup, product: Product, wording: Wording): Phrase => {
  const { type, modifier, values } = link
  if (type === "products.all") return wording.say("excludesAll")
  return wording.say(modifier === "NOT" ? "productsWithout" : "productsWith", {
    wanted: named(type, values, wording),
    own: named(type, Attribute.ofProduct[type](product), wording),
  })
}

/** Why an order does not satisfy a group's condition. */
const conditionReason = (
  { type, modifier, values }: Condition,
  order: Order,
  wording: Wording,
): Phrase =>
  wording.say(modifier === "NOT" ? "ordersWithout" : "ordersWith", {
    wanted: named(type, values, wording),
    own: named(type, Attribute.ofOrder[type](order), wording),
  })

/** Why a group was not in force when the order was made. */
const dateReason = (
  { startsAt, endsAt }: ProductGroup,
  { createdAt }: Order,
  { say }: Wording,
): Phrase =>
  say("inForce", {
    from: startsAt === null ? [] : say("inForceFrom", { time: date(startsAt) }),
    until: endsAt === null ? [] : say("inForceUntil", { time: date(endsAt) }),
    made: createdAt == null ? say("madeAtNoTime") : say("madeAt", { time: date(createdAt) }),
  })

interface Question {
  readonly index: RuleIndex
  readonly order: Order
  readonly item: OrderItem
  readonly standing: Precedence
  readonly names: Names
  readonly wording: Wording
}

type WhyNot = NotApplied["reason"]

const winnerOf = ({ index, standing }: Question, slot: number): ProductGroup | undefined =>
  index.table.groups[standing.winners[standing.outranked.indexOf(slot)] ?? -1]

/** Why a group pays no share, if it pays none. */
const reasonOf = (question: Question, slot: number): WhyNot | undefined => {
  const { index, order, item } = question
  const group = index.table.groupAt(slot)
  if (!selects(item.product, group)) return "link"
  if (group.condition !== null && !index.isConditionMet(slot)) return "condition"
  if (!inForce(order, group)) return "out of date"
  if (winnerOf(question, slot) !== undefined) return "outranked"
  return index.table.isZero(slot) ? "zero" : undefined
}

const messageOf = (question: Question, slot: number, reason: WhyNot): Phrase => {
  const { index, order, item, names, wording } = question
  const group = index.table.groupAt(slot)
  const winner = winnerOf(question, slot)
  if (reason === "link") return linkReason(group, item.product, wording)
  if (reason === "out of date") return dateReason(group, order, wording)
  if (reason === "condition" && group.condition !== null) {
    return conditionReason(group.condition, order, wording)
  }
  return winner === undefined
    ? wording.say("paysNothing")
    : wording.say("outrankedByOwn", { winner: nameOf(winner.id, names.group) })
}

const notAppliedOf = (question: Question, slot: number, reason: WhyNot): NotApplied => {
  const { id: groupId, collaboratorId } = question.index.table.groupAt(slot)
  const message = question.wording.line(messageOf(question, slot, reason))
  return { itemId: question.item.id, groupId, collaboratorId, reason, message }
}

/** Options: only this item, only this group; the policy of the split; names; the language of the messages. */
interface ExplainOptions {
  readonly itemId?: string | undefined
  readonly groupId?: string | undefined
  readonly policy?: SplitPolicy.SplitPolicy | undefined
  readonly names?: Names | undefined
  readonly language?: Language | undefined
}

interface Reasons {
  readonly question: Question
  /** The groups that pay no share of the item, and why. */
  readonly missing: ReadonlyArray<{ readonly slot: number; readonly reason: WhyNot }>
}

/** Finds for each item which groups pay no share of it, and maps each answer. */
const askEach = <A>(
  rules: RuleSet,
  { order, ...options }: ExplainOptions & { readonly order: Order },
  make: (answer: Reasons) => A,
): ReadonlyArray<A> => {
  const index = versions.indexOf(rules)
  const view = new OrderView(order)
  const { stacking } = options.policy ?? SplitPolicy.defaults
  const { names = noNames } = options
  const wording = wordingOf(options.language)
  const slots = index
    .all()
    .filter(
      (slot) => options.groupId === undefined || index.table.groupAt(slot).id === options.groupId,
    )
  return order.items
    .filter((item) => options.itemId === undefined || item.id === options.itemId)
    .map((item) => {
      const standing = index.standing(view, item.product, stacking)
      const question = { index, order, item, standing, names, wording }
      const missing = slots.flatMap((slot) => {
        const reason = reasonOf(question, slot)
        return reason === undefined ? [] : [{ slot, reason }]
      })
      return make({ question, missing })
    })
}

/**
 * Explains for every group without a share of an item why it has none. It goes through every group of the rule set, so
 * limit it to one item or group where that is enough.
 *
 * @param options - `itemId`, `groupId`: only this item, only this group; `policy`: as for the split;
 *   `names` and `language`: as for {@link toText}
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
 * For one item, the groups that nearly paid a share of it, and the number of others that did not.
 *
 * @since 0.6.0
 * @category models
 */
export interface NearMisses {
  readonly itemId: string
  /** The nearest first: out of date only, then paying nothing, then another condition. */
  readonly nearest: ReadonlyArray<NotApplied>
  /** How many others there are for each reason; a reason without any is absent. */
  readonly others: { readonly [Reason in NotApplied["reason"]]?: number }
}

/** From the nearest to the farthest. A group whose link fits was intended for the product. */
const nearness: ReadonlyArray<WhyNot> = ["out of date", "zero", "condition", "outranked", "link"]

/** By how many seconds a group was not in force. */
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
 * Lists for each item the groups that nearly paid a share of it, and counts the others by reason. A group is near if
 * its link selects the product. If no more than `most` groups paid nothing, all of them are listed, in the order of the
 * rule set. With many groups this is a readable selection; {@link notApplied} lists all.
 *
 * @param options - as for {@link notApplied}; `most`: how many groups of an item are listed, 20 when absent
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
