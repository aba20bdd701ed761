/** The parts of an explanation in words that are the same whoever reads it. */
import { money } from "../../orders/Words.js"
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

/** A sum as `100.00 USD price - 10.00 USD discount = 90.00 USD`. */
export const sumText = (steps: ReadonlyArray<SumStep>, total: number, currency: string): string => {
  const parts = steps.map(({ what, amount }, index) => {
    const magnitude = money(Math.abs(amount), currency)
    if (index === 0) return `${money(amount, currency)} ${what}`
    return `${amount < 0 ? "-" : "+"} ${magnitude} ${what}`
  })
  const sum = parts.join(" ")
  return steps.length === 1 ? sum : `${sum} = ${money(total, currency)}`
}

/** A percentage and what it came to, as `12.50% of 100.00 USD is 12.50 USD`. */
export const percentText = (share: PercentWords, cents: string, currency: string): string => {
  const base = money(share.base, currency)
  const value = money(cents, currency)
  const said = `${share.percent}% of ${base} is ${value}`
  if (share.rounded === "exactly") return said
  const rounded = share.steps.find((step) => step.what === "percent")?.amount ?? 0
  const why = share.rounded === "up" ? " (an odd cent went here)" : ""
  return `${said}, rounded ${share.rounded} to ${money(rounded, currency)}${why}`
}

const flatScopes = {
  unit: "for each unit",
  item: "for the item",
  order: "for the whole order (this item's part)",
} as const

/** What a step beside the percentage adds or takes; `undefined`: it is the percentage. */
export const stepText = (
  step: SumStep,
  share: { readonly amount: number },
  {
    currency,
    policy,
  }: {
    readonly currency: string
    readonly policy: Pick<SplitPolicy, "flatScope" | "shipping">
  },
): string | undefined => {
  const amount = money(Math.abs(step.amount), currency)
  switch (step.what) {
    case "percent":
      return undefined
    case "flat":
      return `${money(step.amount, currency)} as a flat amount ${flatScopes[policy.flatScope]}`
    case "minimum":
      return `${amount} more to reach the group's minimum`
    case "maximum":
      return `${amount} less to stay within the group's maximum`
    case "shipping":
      return policy.shipping === "charge"
        ? `${amount} charged for shipping`
        : `${amount} of the shipping`
    default:
      return step.amount < 0 === share.amount < 0
        ? `${amount} more because claims that are cut are rounded only then`
        : `${amount} less because more was claimed than the item brought in`
  }
}
