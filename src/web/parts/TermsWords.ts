/** Tiers and a cap in words. */
import type { CapDraft, TermsDraft, TiersDraft } from "./TermsDraft.js"

/** Writes an amount of the lowest unit. */
export type AmountWords = (cents: number) => string

const number = new Intl.NumberFormat()

const bounds = {
  units: (from: number) => `${number.format(from)} ${from === 1 ? "unit" : "units"}`,
  base: (from: number, amount: AmountWords) => `${amount(from)} of sales`,
  share: (from: number, amount: AmountWords) => `${amount(from)} paid`,
} as const

const periods = {
  lifetime: "in all",
  year: "a year",
  month: "a month",
  payout: "a payout",
} as const

const reachOf = ({ per, period }: TiersDraft | CapDraft): string =>
  per === "group" ? periods[period] : `${periods[period]}, all groups of the collaborator together`

const percentOf = (percent: string | null): string =>
  percent === null ? "… %" : `${Number(percent)} %`

/** As `10 %, from 1,000 units on 15 % (a year)`. */
export const tiersInWords = (tiers: TiersDraft, amount: AmountWords): string => {
  const told = tiers.bands.map(({ from, percent }, place) => {
    if (place === 0 && from === 0) return percentOf(percent)
    const bound = from === null ? "…" : bounds[tiers.counted](from, amount)
    return `from ${bound} on ${percentOf(percent)}`
  })
  return `${told.join(", ")} (${reachOf(tiers)})`
}

/** As `at most 500 cents a month`. */
export const capInWords = (cap: CapDraft, amount: AmountWords): string =>
  `at most ${cap.amount === null ? "…" : amount(cap.amount)} ${reachOf(cap)}`

export const termsInWords = ({ tiers, cap }: TermsDraft, amount: AmountWords): string =>
  [
    ...(tiers === null ? [] : [tiersInWords(tiers, amount)]),
    ...(cap === null ? [] : [capInWords(cap, amount)]),
  ].join(", ")
