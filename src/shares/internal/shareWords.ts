/** The parts of an explanation in words that are the same whoever reads it. */
import type { Wording } from "../../languages/Explanations.js"
import type { Phrase } from "../../languages/Messages.js"
import type { SplitPolicy } from "../SplitPolicy.js"

/** A step of a sum, as explanations have them. */
interface SumStep {
  readonly what: string
  readonly amount: number
}

/** What is said of a percentage. */
interface PercentWords {
  readonly base: number
  readonly percent: string | null
  readonly rounded: "up" | "down" | "exactly"
  readonly steps: ReadonlyArray<SumStep>
}

/** The language, and the currency of all amounts. */
export interface ExplanationStyle {
  readonly wording: Wording
  readonly currency: string
}

/** The steps of a base that have a name; an explanation has no others there. */
const baseSteps = ["price", "discount", "tax", "cost", "gateway fee", "not below zero"] as const

const stepName = (what: string, { wording }: ExplanationStyle): Phrase | string => {
  const name = baseSteps.find((one) => one === what)
  return name === undefined ? what : wording.say(name)
}

/** A sum as `100.00 USD price - 10.00 USD discount = 90.00 USD`. */
export const sumPhrase = (
  steps: ReadonlyArray<SumStep>,
  total: number,
  style: ExplanationStyle,
): Phrase => {
  const { wording, currency } = style
  const sum = steps.reduce<Phrase>((before, { what, amount }, index) => {
    const step = stepName(what, style)
    if (index === 0) return wording.say("first", { amount: wording.money(amount, currency), step })
    const magnitude = wording.money(Math.abs(amount), currency)
    return wording.say(amount < 0 ? "minus" : "plus", { sum: before, amount: magnitude, step })
  }, [])
  return steps.length === 1
    ? sum
    : wording.say("equals", { sum, total: wording.money(total, currency) })
}

/** A percentage and what it came to, as `12.50% of 100.00 USD is 12.50 USD`. */
export const percentPhrase = (
  share: PercentWords,
  cents: string,
  { wording, currency }: ExplanationStyle,
): Phrase => {
  const said = {
    percent: wording.percent(String(share.percent)),
    base: wording.money(share.base, currency),
    amount: wording.money(cents, currency),
  }
  if (share.rounded === "exactly") return wording.say("percentOf", said)
  const rounded = share.steps.find((step) => step.what === "percent")?.amount ?? 0
  const name = share.rounded === "up" ? "roundedUp" : "roundedDown"
  return wording.say(name, { ...said, rounded: wording.money(rounded, currency) })
}

const flatScopes = { unit: "flatUnit", item: "flatItem", order: "flatOrder" } as const

/** What a step beside the percentage adds or takes; `undefined`: it is the percentage. */
export const stepPhrase = (
  step: SumStep,
  share: { readonly amount: number },
  policy: Pick<SplitPolicy, "flatScope" | "shipping">,
  { wording: { say, money }, currency }: ExplanationStyle,
): Phrase | undefined => {
  const amount = money(Math.abs(step.amount), currency)
  switch (step.what) {
    case "percent":
      return undefined
    case "flat":
      return say(flatScopes[policy.flatScope], { amount: money(step.amount, currency) })
    case "minimum":
    case "maximum":
    case "cap":
      return say(step.what, { amount })
    case "shipping":
      return say(policy.shipping === "charge" ? "shippingCharged" : "shippingShared", { amount })
    default:
      return say(step.amount < 0 === share.amount < 0 ? "cutMore" : "cutLess", { amount })
  }
}

/** Steps in a row, as `12.50% of 100.00 USD is 12.50 USD; 1.00 USD of the shipping`. */
export const stepsPhrase = (
  steps: ReadonlyArray<Phrase>,
  { wording }: ExplanationStyle,
): Phrase => {
  const [first = [], ...others] = steps
  return others.reduce<Phrase>(
    (before, step) => wording.say("andThen", { steps: before, step }),
    first,
  )
}

/** What is said of an item: its first line, and those that belong to it. */
export interface ItemWords {
  readonly title: Phrase
  readonly lines: ReadonlyArray<Phrase>
}

/** Items as text, a paragraph for each. */
export const textOf = (items: ReadonlyArray<ItemWords>, { line }: Wording): string =>
  items
    .map(({ title, lines }) => [line(title), ...lines.map((one) => `  ${line(one)}`)].join("\n"))
    .join("\n\n")
