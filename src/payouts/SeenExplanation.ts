/**
 * Why one collaborator got what they got of a sale, as they may see it: only their shares, and nothing of what others
 * or the store get.
 *
 * @since 0.6.0
 */
import { wordingOf } from "../languages/Explanations.js"
import type { Language } from "../languages/Language.js"
import type { Explanation, ItemExplanation, ShareExplanation, Step } from "../shares/Explanation.js"
import { noNames } from "../shares/internal/reasons.js"
import { textOf } from "../shares/internal/shareWords.js"
import type { SeenExplanation, SeenShare } from "./internal/seenModels.js"
import type { Permission, Permissions } from "./Permissions.js"
import { isLimit, type SeenNames, seenItemWords } from "./SeenWords.js"

export type {
  SeenBase,
  SeenExplanation,
  SeenItemExplanation,
  SeenOutranked,
  SeenShare,
} from "./internal/seenModels.js"

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

/** The steps of a share by percentage whose base is hidden. */
const stepsWithoutBase = ({ steps, amount }: ShareExplanation): ReadonlyArray<Step> => {
  const limit = steps.findLast(({ what }) => isLimit(what))
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

/**
 * The explanation in words, one paragraph an item; empty if the collaborator got nothing of any item.
 *
 * @param options - `names`: the names of groups and items; ids when absent. `language`: English when absent
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
 * text.split("\n")[1] // => "  You get 50.00 USD (group g1): 50.00% of the amount that is shared is 50.00 USD."
 * ```
 */
export const toText = (
  explanation: SeenExplanation,
  {
    names = noNames,
    language,
  }: { readonly names?: SeenNames | undefined; readonly language?: Language | undefined } = {},
): string => {
  const wording = wordingOf(language)
  return textOf(seenItemWords(explanation, wording, names), wording)
}
