/** Tiers and caps in the messages of the catalogue: which band is reached, and what is left. */
import type { english } from "./english.js"
import type { Phrase, Say } from "./Messages.js"

type SayEnglish = Say<typeof english>

/** Where the terms of a product group stand, as far as it may be seen. */
export type TermStanding =
  | {
      readonly kind: "tiers"
      readonly currency: string
      readonly counted: "units" | "base" | "share"
      /** Units, or cents of the currency; absent: it may not be seen. */
      readonly count?: number
      /** Of what is sold next, as `12.50`. */
      readonly percent: string
      /** The band after that; `null`: there is none. */
      readonly next: { readonly from: number; readonly percent: string } | null
    }
  | {
      readonly kind: "cap"
      readonly currency: string
      readonly amount: number
      readonly count: number
      readonly left: number
    }

/** How amounts, numbers and percentages are written. */
interface WrittenTerms {
  readonly money: (amount: number, currency: string) => string
  readonly number: (number: number) => string
  readonly percent: (percent: string) => string
}

/** In which period it is counted: `lifetime`, `payout`, or the year or month that it is. */
export const countPeriodPhrase = (say: SayEnglish, period: string): Phrase => {
  if (period === "lifetime") return say("periodLifetime")
  return period === "payout" ? say("periodPayout") : [{ text: period, isFilledIn: true }]
}

/** What is said of where terms stand, one after the other. */
export const termPhrases = (
  say: SayEnglish,
  standing: TermStanding,
  { money, number, percent }: WrittenTerms,
): ReadonlyArray<Phrase> => {
  const cents = (amount: number) => money(amount, standing.currency)
  if (standing.kind === "cap") {
    const { amount, count, left } = standing
    return [say("capStands", { amount: cents(amount), paid: cents(count), left: cents(left) })]
  }
  const { count, next } = standing
  const figure = standing.counted === "units" ? number : cents
  return [
    say("bandNow", { percent: percent(standing.percent) }),
    ...(next === null
      ? []
      : [say("bandNext", { percent: percent(next.percent), from: figure(next.from) })]),
    ...(count === undefined ? [] : [say("countedSoFar", { count: figure(count) })]),
  ]
}
