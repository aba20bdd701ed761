/**
 * Why one collaborator got what they got of a sale, as they may see it: only their shares, and nothing of what others
 * or the store get.
 *
 * @since 0.6.0
 */
import { counted, money, oneLine } from "../orders/Words.js"
import type {
  Explanation,
  ItemExplanation,
  Names,
  ShareExplanation,
  Step,
} from "../shares/Explanation.js"
import { nameOf, noNames } from "../shares/internal/reasons.js"
import { percentText, stepText, sumText } from "../shares/internal/shareWords.js"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import type { Permission, Permissions } from "./Permissions.js"

/**
 * From the price to what a percentage was computed on.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenBase {
  /** From the price on; the steps add up to the amount. */
  readonly steps: ReadonlyArray<Step>
  /** What the percentage was computed on, in cents. */
  readonly amount: number
  /** The percentage of it before rounding, in cents, as `"1249.875"`. */
  readonly exact: string
  /** Which way that was rounded. */
  readonly rounded: ShareExplanation["rounded"]
}

/**
 * A share of an item as its collaborator sees it. The steps add up to the amount.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenShare {
  readonly groupId: string
  /** Cents of the order's currency. */
  readonly amount: number
  /** The group's percentage, such as `"12.50"`; `null`: it has none. */
  readonly percent: string | null
  /**
   * Where the base is hidden, a share that was limited has one step, named for the limit, with the whole amount: the
   * percentage before the limit would reveal the base, and the cut what others claim.
   */
  readonly steps: ReadonlyArray<Step>
  /**
   * Absent without a percentage, and where it would reveal something hidden: a price, a discount, a tax or a cost that
   * the permissions hide, the store's gateway fee, or what others get.
   */
  readonly base?: SeenBase | undefined
}

/**
 * A group of the collaborator that matched an item, and another one of theirs that counts instead.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenOutranked {
  readonly groupId: string
  readonly byGroupId: string
}

/**
 * An item of which a collaborator got something.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenItemExplanation {
  readonly itemId: string
  /** Absent when the permissions hide it. */
  readonly quantity?: number | undefined
  readonly shares: ReadonlyArray<SeenShare>
  readonly outranked: ReadonlyArray<SeenOutranked>
}

/**
 * An explanation as one collaborator sees it. Items of which they got nothing are not in it.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenExplanation {
  readonly orderId: string
  readonly currency: string
  /** The policy's choices for flat amounts and shipping. */
  readonly policy: Pick<SplitPolicy, "flatScope" | "shipping">
  readonly items: ReadonlyArray<SeenItemExplanation>
}

/** The permission that a step needs to be shown; a step that is not listed is never shown. */
const permissionOf: Partial<Record<Step["what"], Permission>> = {
  price: "seeProductPrice",
  discount: "seeProductDiscount",
  tax: "seeProductTax",
  cost: "seeProductCost",
}

/** Whether everything that a percentage was computed with is visible: a sum reveals what is missing in it. */
const mayBeSeen = (
  { baseSteps, base }: ItemExplanation,
  share: ShareExplanation,
  permissions: Permissions,
): boolean =>
  share.base === base &&
  baseSteps.every(({ what }) => {
    const permission = permissionOf[what]
    return permission !== undefined && permissions[permission]
  })

/** The limits of a share, in words that reveal no other amount. */
const limits: Partial<Record<Step["what"], string>> = {
  minimum: "raised to the group's minimum",
  maximum: "cut to the group's maximum",
  "over-allocation": "cut because more was claimed than the item brought in",
}

/** The steps of a share by percentage whose base is hidden. */
const stepsWithoutBase = ({ steps, amount }: ShareExplanation): ReadonlyArray<Step> => {
  const limit = steps.findLast(({ what }) => limits[what] !== undefined)
  return limit === undefined ? steps : [{ what: limit.what, amount }]
}

const seenShare = (
  item: ItemExplanation,
  share: ShareExplanation,
  permissions: Permissions,
): SeenShare => {
  const { groupId, amount, percent, steps, exact, rounded } = share
  const seen = { groupId, amount, percent, steps }
  if (exact === null) return seen
  if (!mayBeSeen(item, share, permissions)) return { ...seen, steps: stepsWithoutBase(share) }
  return { ...seen, base: { steps: item.baseSteps, amount: share.base, exact, rounded } }
}

/**
 * An explanation as a collaborator sees it: their shares and the groups of theirs that were outranked. It names nobody
 * else and does not reveal what others or the store get; what their permissions hide is absent.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Explanation, Permissions, RuleSet, SeenExplanation, Split } from "apportion"
 *
 * const link = { type: "products.all" } as const
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link, percent: "12.50" },
 *   { id: "g2", collaboratorId: "ben", link, percent: 30 },
 * ])
 * const split = Split.order(rules, {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 9_999 }],
 * })
 * const ada = { id: "ada", permissions: Permissions.all }
 * const seen = SeenExplanation.of(Explanation.ofSplit(split), ada)
 * seen.items.flatMap(({ shares }) => shares.map(({ amount }) => amount)) // => [1250]
 * seen.items[0]?.shares[0]?.base?.exact // => "1249.875"
 * JSON.stringify(seen).includes("ben") // => false
 * ```
 */
export const of = (
  explanation: Explanation,
  collaborator: { readonly id: string; readonly permissions: Permissions },
): SeenExplanation => {
  const { orderId, currency, policy } = explanation
  const { id, permissions } = collaborator
  const isTheirs = ({ collaboratorId }: { readonly collaboratorId: string }) =>
    collaboratorId === id
  const items = explanation.items.flatMap((item) => {
    const shares = item.shares.filter(isTheirs)
    if (shares.length === 0) return []
    const outranked = item.outranked.filter(isTheirs)
    return [
      {
        itemId: item.itemId,
        ...(permissions.seeProductQuantity ? { quantity: item.quantity } : {}),
        shares: shares.map((share) => seenShare(item, share, permissions)),
        outranked: outranked.map(({ groupId, byGroupId }) => ({ groupId, byGroupId })),
      },
    ]
  })
  const { flatScope, shipping } = policy
  return { orderId, currency, policy: { flatScope, shipping }, items }
}

/** What names are used for; nobody else is mentioned. */
type SeenNames = Omit<Names, "collaborator">

const percentWords = (
  { percent, steps, base }: SeenShare,
  currency: string,
): ReadonlyArray<string> => {
  if (base !== undefined) {
    const { amount, exact, rounded } = base
    return [percentText({ percent, steps, base: amount, rounded }, exact, currency)]
  }
  if (percent === null) return []
  const amount = steps.find(({ what }) => what === "percent")?.amount ?? 0
  return [`${percent}% is ${money(amount, currency)}`]
}

/** The steps of a share, in words. */
const stepWords = (share: SeenShare, explanation: SeenExplanation): ReadonlyArray<string> => {
  const { base, percent, steps } = share
  const [first] = steps
  const limit = first === undefined ? undefined : limits[first.what]
  // Without its base, a share by percentage only begins with a limit when that is its only step.
  if (base === undefined && percent !== null && limit !== undefined)
    return [`${percent}%, ${limit}`]
  const others = steps.flatMap((step) => stepText(step, share, explanation) ?? [])
  return [...percentWords(share, explanation.currency), ...others]
}

const shareText = (
  share: SeenShare,
  explanation: SeenExplanation,
  names: SeenNames,
): ReadonlyArray<string> => {
  const { currency } = explanation
  const { base } = share
  const group = nameOf(share.groupId, names.group)
  const line = `  You get ${money(share.amount, currency)} (group ${group}): ${stepWords(share, explanation).join("; ")}.`
  return base === undefined
    ? [line]
    : [line, `  The percentage is of: ${sumText(base.steps, base.amount, currency)}.`]
}

const itemText = (
  explanation: SeenExplanation,
  { itemId, quantity, shares, outranked }: SeenItemExplanation,
  names: SeenNames,
): string => {
  const units = quantity === undefined ? [] : [counted(quantity, "unit")]
  const place = `item ${oneLine(itemId)} of order ${oneLine(explanation.orderId)}`
  const name = names.item?.(itemId)
  const about = [place, ...units].join(", ")
  const losers = outranked.map((one) => {
    const [group, winner] = [one.groupId, one.byGroupId].map((id) => nameOf(id, names.group))
    return `  Your group ${group} matches too, but group ${winner} is more specific and counts instead.`
  })
  return [
    `${name === undefined ? `I${about.slice(1)}` : `${oneLine(name)} (${about})`}:`,
    ...shares.flatMap((share) => shareText(share, explanation, names)),
    ...losers,
  ].join("\n")
}

/**
 * The explanation in words, one paragraph an item; empty if the collaborator got nothing of any item.
 *
 * @param options - `names`: the names of groups and items; ids when absent
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Explanation, Permissions, RuleSet, SeenExplanation, Split } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 50 },
 * ])
 * const split = Split.order(rules, {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
 * })
 * const ada = { id: "ada", permissions: Permissions.none }
 * const text = SeenExplanation.toText(SeenExplanation.of(Explanation.ofSplit(split), ada))
 * text.split("\n")[1] // => "  You get 50.00 USD (group g1): 50.00% is 50.00 USD."
 * ```
 */
export const toText = (
  explanation: SeenExplanation,
  { names = noNames }: { readonly names?: SeenNames | undefined } = {},
): string => explanation.items.map((item) => itemText(explanation, item, names)).join("\n\n")
