/**
 * Why collaborators get what they get: the computation from price to cents, as data and in words, and why the other
 * groups did not apply.
 *
 * @since 0.1.0
 */

import { at } from "../internal/at.js"
import { type Wording, wordingOf } from "../languages/Explanations.js"
import type { Language } from "../languages/Language.js"
import type { Phrase } from "../languages/Messages.js"
import * as exact from "../money/internal/exact.js"
import { basisPointsOf } from "../money/internal/exact.js"
import * as Percent from "../money/Percent.js"
import { oneLine } from "../orders/Words.js"
import { type Names, nameOf, noNames } from "./internal/reasons.js"
import {
  type ExplanationStyle,
  type ItemWords,
  percentPhrase,
  stepPhrase,
  stepsPhrase,
  sumPhrase,
  textOf,
} from "./internal/shareWords.js"
import { bandsPhrase, onlyBand, withTerms } from "./internal/termWords.js"
import type { Carried, ItemBreakdown, Outranked, Share, ShareTerms, StoreShare } from "./Share.js"
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
    | "cap"
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
  /** The group's percentage, or that of the band of its tiers; `null` where it has none, or the share is in several. */
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
  /** What tiers and a cap did, since 0.6.0; absent for a group without them. */
  readonly terms?: ShareTerms
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

const explainPercent = (share: Share): Pick<ShareExplanation, "percent" | "exact" | "rounded"> => {
  const percent = share.percent ?? onlyBand(share.terms)?.percent ?? null
  if (percent === null) return { percent, exact: null, rounded: "exactly" }
  const division = divided(share.base, percent)
  return { percent, exact: exactText(share, division), rounded: roundedWhich(share, division) }
}

/** What a share earned by percent and flat amount, and what its group's limits changed about that. */
const addEarned = (steps: Array<Step>, share: Share, item: ItemBreakdown): void => {
  const { percentTotal, flatTotal, beforeShipping, terms } = share
  const cut = terms?.cap?.cut ?? 0
  const earned = exact.toSafe(exact.add(percentTotal, flatTotal))
  if (earned === undefined) {
    // Only a maximum brings it back into range; in two steps, no intermediate sum is beyond the safe integers.
    addStep(steps, "percent", percentTotal)
    addStep(steps, "maximum", -percentTotal)
    addStep(steps, "flat", flatTotal)
    addStep(steps, "maximum", exact.add(beforeShipping - flatTotal, cut))
    addStep(steps, "cap", -cut)
    return
  }
  const limited = beforeShipping + cut - earned
  // Limits are 0 or more in the item's own sign, so the limited amount has that sign; only a maximum can make it 0.
  const sign = item.amount || beforeShipping || -limited
  addStep(steps, "percent", percentTotal)
  addStep(steps, "flat", flatTotal)
  addStep(steps, limited > 0 === sign > 0 ? "minimum" : "maximum", limited)
  addStep(steps, "cap", -cut)
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
  ...explainPercent(share),
  deducting: share.deducting,
  steps: shareSteps(share, item),
  ...(share.carried === undefined ? undefined : { carried: share.carried }),
  ...(share.terms === undefined ? undefined : { terms: share.terms }),
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
const remainderWords = (remainder: number, { wording, currency }: ExplanationStyle): Phrase => {
  if (remainder === 0) return wording.say("nothingCarried")
  const cents = decimalText(exact.multiplyDivide(Math.abs(remainder), 1, Percent.whole))
  return wording.say(remainder > 0 ? "stillDue" : "paidAhead", {
    amount: wording.money(cents, currency),
  })
}

/** A sentence, and after it what came from earlier sales and what goes on to the next. */
const withCarried = (
  sentence: Phrase,
  carried: Carried | undefined,
  style: ExplanationStyle,
): Phrase =>
  carried === undefined
    ? sentence
    : style.wording.say("withCarried", {
        sentence,
        before: remainderWords(carried.before, style),
        after: remainderWords(carried.after, style),
      })

/** What the percentages of a share came to. */
const percentOf = ({ steps }: ShareExplanation): number =>
  steps.find(({ what }) => what === "percent")?.amount ?? 0

const shareWords = (
  share: ShareExplanation,
  { policy }: Explanation,
  names: Names,
  style: ExplanationStyle,
): Phrase => {
  const { wording, currency } = style
  const percent = share.exact === null ? [] : [percentPhrase(share, share.exact, style)]
  const tiers = share.terms?.tiers ?? null
  const bands =
    tiers === null || tiers.bands.length === 1 ? [] : [bandsPhrase(tiers, percentOf(share), style)]
  const others = share.steps.flatMap((step) => {
    const said = stepPhrase(step, share, policy, style)
    return said === undefined ? [] : [said]
  })
  const sentence = wording.say(share.deducting ? "deductingShare" : "share", {
    who: nameOf(share.collaboratorId, names.collaborator),
    amount: wording.money(share.amount, currency),
    group: nameOf(share.groupId, names.group),
    steps: stepsPhrase([...percent, ...bands, ...others], style),
  })
  return withTerms(withCarried(sentence, share.carried, style), share.terms, style)
}

const deductedWords = (item: ItemExplanation, { wording, currency }: ExplanationStyle): Phrase => {
  const rest = item.shares.find((share) => !share.deducting)?.base
  const amount = wording.money(item.deducted, currency)
  return rest === undefined
    ? wording.say("deducted", { amount })
    : wording.say("deductedFromOthers", { amount, base: wording.money(rest, currency) })
}

/** Percentages over 100 can still add up to claims that fit. */
const isClaimedTooMuch = (item: ItemExplanation): boolean => {
  const claims = item.shares.flatMap(({ steps }) =>
    steps.flatMap(({ what, amount }) => (what === "over-allocation" ? [] : BigInt(amount))),
  )
  const claimed = claims.reduce((sum, amount) => sum + amount, 0n)
  const isCut = item.shares.some(({ steps }) => steps.some((one) => one.what === "over-allocation"))
  const isMore =
    item.distributable < 0 ? claimed < item.distributable : claimed > item.distributable
  return isCut || isMore
}

/** `Item 1 of order 1001 (2 units) brought in`, or `Dune (item 1 of order 1001, 2 units) brought in`. */
const titleWords = (
  { orderId }: Explanation,
  item: ItemExplanation,
  names: Names,
  { wording, currency }: ExplanationStyle,
): Phrase => {
  const said = {
    item: oneLine(item.itemId),
    order: oneLine(orderId),
    units: wording.say("units", { count: item.quantity }),
    amount: wording.money(item.distributable, currency),
  }
  const name = names.item?.(item.itemId)
  return name === undefined
    ? wording.say("item", said)
    : wording.say("namedItem", { ...said, name: oneLine(name) })
}

/** What is said of one item. */
const itemWords = (
  explanation: Explanation,
  item: ItemExplanation,
  names: Names,
  wording: Wording,
): ItemWords => {
  const { currency } = explanation
  const { say, money } = wording
  const style = { wording, currency }
  const sum = sumPhrase(item.baseSteps, item.base, style)
  const lines = [say("percentagesAreOf", { sum })]
  if (item.deducted !== 0) lines.push(deductedWords(item, style))
  if (item.shipping !== 0)
    lines.push(say("itsShipping", { amount: money(item.shipping, currency) }))
  lines.push(...item.shares.map((share) => shareWords(share, explanation, names, style)))
  if (item.overAllocated)
    lines.push(say(isClaimedTooMuch(item) ? "claimsTooHigh" : "percentagesTooHigh"))
  for (const { groupId, collaboratorId, byGroupId } of item.outranked) {
    const who = nameOf(collaboratorId, names.collaborator)
    const group = nameOf(groupId, names.group)
    lines.push(say("outranked", { group, who, winner: nameOf(byGroupId, names.group) }))
  }
  const store = say("store", { amount: money(item.store, currency) })
  lines.push(withCarried(store, item.storeCarried, style))
  return { title: titleWords(explanation, item, names, style), lines }
}

/**
 * An explanation in words that a collaborator would understand, one paragraph per item. It shows ids; with `names`,
 * known names replace them.
 *
 * @param options - `names`: what collaborators, groups and items are called; ids when absent. `language`: the language
 *   of the words, since 0.6.0; English when absent
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
 *
 * Explanation.toText(Explanation.ofSplit(split), { language: "de" }).split("\n")[3]
 * // => "  Das Geschäft behält 50,00 USD."
 * ```
 */
export const toText = (
  explanation: Explanation,
  {
    names = noNames,
    language,
  }: { readonly names?: Names | undefined; readonly language?: Language | undefined } = {},
): string => {
  const wording = wordingOf(language)
  return textOf(
    explanation.items.map((item) => itemWords(explanation, item, names, wording)),
    wording,
  )
}
