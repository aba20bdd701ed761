/**
 * Why collaborators get what they get: the computation from price to cents, as data and in words, and why the other
 * groups did not apply.
 *
 * @since 0.1.0
 */

import { at } from "../internal/at.js"
import * as exact from "../money/internal/exact.js"
import { basisPointsOf } from "../money/internal/exact.js"
import * as Percent from "../money/Percent.js"
import { counted, money, oneLine } from "../orders/Words.js"
import { type Names, nameOf, noNames } from "./internal/reasons.js"
import { percentText, stepText, sumText } from "./internal/shareWords.js"
import type { Carried, ItemBreakdown, Outranked, Share, StoreShare } from "./Share.js"
import type { Split } from "./Split.js"
import type * as SplitPolicy from "./SplitPolicy.js"

export {
  type Names,
  type NearMisses,
  type NotApplied,
  nearMisses,
  notApplied,
} from "./internal/reasons.js"

/**
 * One step of a computation: its name, and what it adds in cents (negative: subtracts).
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
 * How one share was computed. The steps add up to the amount.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShareExplanation {
  readonly groupId: string
  readonly collaboratorId: string
  readonly amount: number
  /** The base of the percentage, in cents. */
  readonly base: number
  readonly percent: string | null
  /** The percentage of the base before rounding, in cents, as `"1249.875"`; `null` without a percentage. */
  readonly exact: string | null
  /** Which way the exact value was rounded: `up`: it got an odd cent. */
  readonly rounded: "up" | "down" | "exactly"
  /** Whether this share was deducted from the base of the others. */
  readonly deducting: boolean
  readonly steps: ReadonlyArray<Step>
  /** The group's remainder before and after the item, when remainders are carried. */
  readonly carried?: Carried | undefined
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
  /** From the price to the base, before deductions for others. */
  readonly baseSteps: ReadonlyArray<Step>
  /** The base of the deducting groups' percentages. */
  readonly base: number
  /** The amount deducted from it for the others' percentages. */
  readonly deducted: number
  readonly shipping: number
  readonly overAllocated: boolean
  readonly shares: ReadonlyArray<ShareExplanation>
  readonly outranked: ReadonlyArray<Outranked>
  readonly store: number
  /** The store's remainder before and after the item, when remainders are carried. */
  readonly storeCarried?: Carried | undefined
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

/** Adds a step that is not 0; one beyond the safe integers is added as several. */
const addStep = (steps: Array<Step>, what: Step["what"], amount: number | bigint): void => {
  if (amount === 0 || amount === 0n) return
  const safe = exact.toSafe(amount)
  if (safe !== undefined) {
    steps.push({ what, amount: safe })
    return
  }
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  const first = amount < 0 ? -most : most
  steps.push({ what, amount: Number(first) })
  addStep(steps, what, BigInt(amount) - first)
}

const baseSteps = (item: ItemBreakdown, policy: SplitPolicy.SplitPolicy): ReadonlyArray<Step> => {
  const steps: Array<Step> = [{ what: "price", amount: item.amount }]
  if (policy.discount === "deduct") addStep(steps, "discount", -item.discount)
  addStep(steps, "tax", item.tax)
  addStep(steps, "cost", -item.cost)
  addStep(steps, "gateway fee", -item.gatewayFee)
  const lacking = exact.difference(
    item.base,
    steps.map((step) => step.amount),
  )
  addStep(steps, "not below zero", lacking)
  return steps
}

/** The exact percentage of a base, without its sign: whole cents, and ten thousandths of one. */
const divided = (base: number, percent: string): exact.Division =>
  exact.multiplyDivide(Math.abs(base), basisPointsOf(percent), Percent.whole)

/** Cents with at most four decimals. */
const decimalText = ({ quotient, remainder }: exact.Division): string => {
  const decimals = String(remainder).padStart(4, "0").replace(/0+$/, "")
  return decimals === "" ? String(quotient) : `${quotient}.${decimals}`
}

/** The exact percentage as text. */
const exactText = ({ base }: Share, division: exact.Division): string => {
  const text = decimalText(division)
  return base < 0 && text !== "0" ? `-${text}` : text
}

const roundedWhich = (
  { percentTotal }: Share,
  { quotient, remainder }: exact.Division,
): ShareExplanation["rounded"] => {
  const part = Math.abs(percentTotal)
  if (remainder === 0 && part === quotient) return "exactly"
  return part > quotient ? "up" : "down"
}

const explainPercent = (share: Share): Pick<ShareExplanation, "exact" | "rounded"> => {
  if (share.percent === null) return { exact: null, rounded: "exactly" }
  const division = divided(share.base, share.percent)
  return { exact: exactText(share, division), rounded: roundedWhich(share, division) }
}

/** What a share earned by percent and flat amount, and what its group's limits changed about that. */
const addEarned = (steps: Array<Step>, share: Share, item: ItemBreakdown): void => {
  const { percentTotal, flatTotal, beforeShipping } = share
  const earned = exact.toSafe(exact.add(percentTotal, flatTotal))
  if (earned === undefined) {
    // Only a maximum brings it back into range; in two steps, no intermediate sum is beyond the safe integers.
    addStep(steps, "percent", percentTotal)
    addStep(steps, "maximum", -percentTotal)
    addStep(steps, "flat", flatTotal)
    addStep(steps, "maximum", beforeShipping - flatTotal)
    return
  }
  const limited = beforeShipping - earned
  // Limits are 0 or more in the item's own sign, so the limited amount has that sign; only a maximum can make it 0.
  const sign = item.amount || beforeShipping || -limited
  addStep(steps, "percent", percentTotal)
  addStep(steps, "flat", flatTotal)
  addStep(steps, limited > 0 === sign > 0 ? "minimum" : "maximum", limited)
}

const shareSteps = (share: Share, item: ItemBreakdown): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  addEarned(steps, share, item)
  addStep(steps, "shipping", exact.add(share.claim, -share.beforeShipping))
  addStep(steps, "over-allocation", share.amount - share.claim)
  return steps
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
  ...(share.carried === undefined ? undefined : { carried: share.carried }),
})

const storeOf = ({
  amount,
  carried,
}: StoreShare): Pick<ItemExplanation, "store" | "storeCarried"> =>
  carried === undefined ? { store: amount } : { store: amount, storeCarried: carried }

/**
 * Explains a split, from the split alone.
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
      ...storeOf(at(split.store, index)),
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
    })),
  }
}

/** A remainder in words. */
const remainderText = (remainder: number, currency: string): string => {
  const size = Math.abs(remainder)
  const cents = decimalText(exact.multiplyDivide(size, 1, Percent.whole))
  if (remainder === 0) return "nothing"
  return `${money(cents, currency)} ${remainder > 0 ? "still due" : "paid ahead"}`
}

/** What came from earlier sales and what goes on to the next, as a sentence of its own. */
const carriedText = (carried: Carried | undefined, currency: string): string =>
  carried === undefined
    ? ""
    : ` Carried from earlier sales: ${remainderText(carried.before, currency)}; to the next: ${remainderText(carried.after, currency)}.`

const shareText = (share: ShareExplanation, explanation: Explanation, names: Names): string => {
  const { currency } = explanation
  const percent = share.exact === null ? [] : [percentText(share, share.exact, currency)]
  const others = share.steps.flatMap((step) => stepText(step, share, explanation) ?? [])
  const sum = [...percent, ...others].join("; ")
  const deducting = share.deducting
    ? " It is deducted from the base of the others' percentages."
    : ""
  const who = nameOf(share.collaboratorId, names.collaborator)
  const group = nameOf(share.groupId, names.group)
  return `  ${who} gets ${money(share.amount, currency)} (group ${group}): ${sum}.${deducting}${carriedText(share.carried, currency)}`
}

const deductedText = (item: ItemExplanation, currency: string): string => {
  const rest = item.shares.find((share) => !share.deducting)?.base
  const others =
    rest === undefined ? "" : `; the base of the others' percentages is ${money(rest, currency)}`
  return `  ${money(item.deducted, currency)} is deducted first${others}.`
}

/** Percentages over 100 can still add up to claims that fit. */
const tooMuchText = (item: ItemExplanation): string => {
  const claims = item.shares.flatMap(({ steps }) =>
    steps.flatMap(({ what, amount }) => (what === "over-allocation" ? [] : BigInt(amount))),
  )
  const claimed = claims.reduce((sum, amount) => sum + amount, 0n)
  const isCut = item.shares.some(({ steps }) => steps.some((one) => one.what === "over-allocation"))
  const isMore =
    item.distributable < 0 ? claimed < item.distributable : claimed > item.distributable
  return isCut || isMore
    ? "  The groups claim more than the item brought in."
    : "  The percentages of the groups come to more than 100%."
}

/** `Item 1 of order 1001 (2 units)`, or `Dune (item 1 of order 1001, 2 units)`. */
const itemTitle = ({ orderId }: Explanation, item: ItemExplanation, names: Names): string => {
  const units = counted(item.quantity, "unit")
  const place = `tem ${oneLine(item.itemId)} of order ${oneLine(orderId)}`
  const name = names.item?.(item.itemId)
  return name === undefined ? `I${place} (${units})` : `${oneLine(name)} (i${place}, ${units})`
}

/** The text about one item. */
const itemText = (explanation: Explanation, item: ItemExplanation, names: Names): string => {
  const { currency } = explanation
  const lines = [
    `${itemTitle(explanation, item, names)} brought in ${money(item.distributable, currency)}.`,
    `  Percentages are of: ${sumText(item.baseSteps, item.base, currency)}.`,
  ]
  if (item.deducted !== 0) lines.push(deductedText(item, currency))
  if (item.shipping !== 0)
    lines.push(`  Its part of the shipping is ${money(item.shipping, currency)}.`)
  lines.push(...item.shares.map((share) => shareText(share, explanation, names)))
  if (item.overAllocated) lines.push(tooMuchText(item))
  for (const { groupId, collaboratorId, byGroupId } of item.outranked) {
    const [group, winner] = [groupId, byGroupId].map((id) => nameOf(id, names.group))
    const who = nameOf(collaboratorId, names.collaborator)
    lines.push(
      `  Group ${group} of ${who} matches too, but group ${winner} is more specific and counts instead.`,
    )
  }
  const storeCarried = carriedText(item.storeCarried, currency)
  lines.push(`  The store keeps ${money(item.store, currency)}.${storeCarried}`)
  return lines.join("\n")
}

/**
 * An explanation in words that a collaborator would understand, one paragraph per item. It shows ids; with `names`,
 * known names replace them.
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
): string => explanation.items.map((item) => itemText(explanation, item, names)).join("\n\n")
