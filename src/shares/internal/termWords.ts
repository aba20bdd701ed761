/** What the terms of a group did to a share, in words. */
import { at } from "../../internal/at.js"
import type { Phrase } from "../../languages/Messages.js"
import type { ShareBand, ShareCap, ShareTerms, ShareTiers } from "../Share.js"
import type { ExplanationStyle } from "./shareWords.js"

/** The band of a share that is all in one; `undefined`: it is in several, or has no tiers. */
export const onlyBand = (terms: ShareTerms | undefined): ShareBand | undefined =>
  terms?.tiers?.bands.length === 1 ? terms.tiers.bands[0] : undefined

/** Units as a number, and what is in cents as an amount. */
const countWords = (
  counted: ShareTiers["counted"],
  count: number | bigint,
  { wording, currency }: ExplanationStyle,
): string => (counted === "units" ? wording.number(count) : wording.money(count, currency))

const sizeOf = (count: number): number => Math.abs(count)

const firstBand = {
  units: "tierOfUnits",
  base: "tierOfBase",
  share: "tierOfShare",
} as const

/** A share over several bands, as `800 of its 1,000 units were at 10.00%, 200 at 15.00%: 110.00 USD`. */
export const bandsPhrase = (
  { counted, bands }: ShareTiers,
  cents: number,
  style: ExplanationStyle,
): Phrase => {
  const { wording, currency } = style
  const all = bands.reduce((sum, band) => sum + BigInt(sizeOf(band.counted)), 0n)
  const partOf = (band: ShareBand) => ({
    part: countWords(counted, sizeOf(band.counted), style),
    percent: wording.percent(band.percent),
  })
  const first = wording.say(firstBand[counted], {
    ...partOf(at(bands, 0)),
    all: countWords(counted, all, style),
  })
  const parts = bands
    .slice(1)
    .reduce<Phrase>(
      (before, band) => wording.say("nextTier", { parts: before, ...partOf(band) }),
      first,
    )
  return wording.say("tiersAre", { parts, amount: wording.money(cents, currency) })
}

const tierSentence = (
  sentence: Phrase,
  { counted, before, after }: ShareTiers,
  style: ExplanationStyle,
): Phrase =>
  style.wording.say(counted === "units" ? "withUnitsCounted" : "withCentsCounted", {
    sentence,
    before: countWords(counted, before, style),
    after: countWords(counted, after, style),
  })

/** The period in a counter's key, where it is a year or a month. */
const periodOf = (counter: string, { wording }: ExplanationStyle): Phrase => {
  const [, , period = ""] = counter.split("/")
  return /^-?\d/.test(period) ? wording.say("capIn", { period }) : []
}

const capSentence = (sentence: Phrase, cap: ShareCap, style: ExplanationStyle): Phrase => {
  const { wording, currency } = style
  const said = {
    sentence,
    cap: wording.money(cap.amount, currency),
    period: periodOf(cap.counter, style),
  }
  return cap.left === 0
    ? wording.say("withCapReached", said)
    : wording.say("withCapLeft", { ...said, left: wording.money(cap.left, currency) })
}

/** A sentence about a share, and after it how far its counters have come. */
export const withTerms = (
  sentence: Phrase,
  terms: ShareTerms | undefined,
  style: ExplanationStyle,
): Phrase => {
  if (terms === undefined) return sentence
  const { tiers, cap } = terms
  const counted = tiers === null ? sentence : tierSentence(sentence, tiers, style)
  return cap === null ? counted : capSentence(counted, cap, style)
}
