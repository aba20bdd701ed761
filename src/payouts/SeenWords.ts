/** What one collaborator got of a sale, in words that speak to them and mention nobody else. */
import type { Wording } from "../languages/Explanations.js"
import type { Phrase } from "../languages/Messages.js"
import { oneLine } from "../orders/Words.js"
import type { Names, Step } from "../shares/Explanation.js"
import { nameOf, noNames } from "../shares/internal/reasons.js"
import {
  type ExplanationStyle,
  type ItemWords,
  percentPhrase,
  stepPhrase,
  stepsPhrase,
  sumPhrase,
} from "../shares/internal/shareWords.js"
import type { SeenExplanation, SeenItemExplanation, SeenShare } from "./internal/seenModels.js"

/** What names are used for. */
export type SeenNames = Omit<Names, "collaborator">

/** The limits of a share, in words that reveal no other amount. */
const limitNames = {
  minimum: "raisedToMinimum",
  maximum: "cutToMaximum",
  cap: "cutToCap",
  "over-allocation": "cutToFit",
} as const

/** Whether a step is a limit of a share. */
export const isLimit = (what: Step["what"]): what is keyof typeof limitNames =>
  Object.hasOwn(limitNames, what)

const percentWords = (share: SeenShare, style: ExplanationStyle): ReadonlyArray<Phrase> => {
  const { percent, steps, base } = share
  const { wording, currency } = style
  if (base !== undefined) {
    const { amount, exact, rounded } = base
    return [percentPhrase({ percent, steps, base: amount, rounded }, exact, style)]
  }
  const cents = steps.find(({ what }) => what === "percent")?.amount
  const amount = wording.money(cents ?? 0, currency)
  if (percent === null) return cents === undefined ? [] : [wording.say("bandsAre", { amount })]
  return [wording.say("percentIs", { percent: wording.percent(percent), amount })]
}

/** The limit that a share by percentage without its base is told by; there it is the only step. */
const limitOf = ({ base, percent, steps: [first] }: SeenShare) => {
  if (base !== undefined || percent === null || first === undefined) return undefined
  return isLimit(first.what) ? { name: limitNames[first.what], percent } : undefined
}

const stepWords = (
  share: SeenShare,
  { policy }: SeenExplanation,
  style: ExplanationStyle,
): ReadonlyArray<Phrase> => {
  const limit = limitOf(share)
  if (limit !== undefined) {
    const { say, percent } = style.wording
    return [say(limit.name, { percent: percent(limit.percent) })]
  }
  const others = share.steps.flatMap((step) => {
    const said = stepPhrase(step, share, policy, style)
    return said === undefined ? [] : [said]
  })
  return [...percentWords(share, style), ...others]
}

const shareWords = (
  share: SeenShare,
  explanation: SeenExplanation,
  names: SeenNames,
  style: ExplanationStyle,
): ReadonlyArray<Phrase> => {
  const { wording, currency } = style
  const own = wording.say("ownShare", {
    amount: wording.money(share.amount, currency),
    group: nameOf(share.groupId, names.group),
    steps: stepsPhrase(stepWords(share, explanation, style), style),
  })
  if (share.base === undefined) return [own]
  const sum = sumPhrase(share.base.steps, share.base.amount, style)
  return [own, wording.say("ownPercentageIsOf", { sum })]
}

const titleWords = (
  { orderId }: SeenExplanation,
  { itemId, quantity }: SeenItemExplanation,
  names: SeenNames,
  { say }: Wording,
): Phrase => {
  const place = { item: oneLine(itemId), order: oneLine(orderId) }
  const units = quantity === undefined ? undefined : say("units", { count: quantity })
  const called = names.item?.(itemId)
  if (called === undefined)
    return units === undefined ? say("ownItem", place) : say("ownItemUnits", { ...place, units })
  const named = { ...place, name: oneLine(called) }
  return units === undefined
    ? say("ownNamedItem", named)
    : say("ownNamedItemUnits", { ...named, units })
}

/** What is said of each item. */
export const seenItemWords = (
  explanation: SeenExplanation,
  wording: Wording,
  names: SeenNames = noNames,
): ReadonlyArray<ItemWords> => {
  const style = { wording, currency: explanation.currency }
  return explanation.items.map((item) => ({
    title: titleWords(explanation, item, names, wording),
    lines: [
      ...item.shares.flatMap((share) => shareWords(share, explanation, names, style)),
      ...item.outranked.map(({ groupId, byGroupId }) =>
        wording.say("ownOutranked", {
          group: nameOf(groupId, names.group),
          winner: nameOf(byGroupId, names.group),
        }),
      ),
    ],
  }))
}
