import { expect, test } from "vitest"
import { type Standing, standingPhrases } from "../../src/languages/AgreementWords.js"
import { catalogue, dayText, moneyText } from "../../src/languages/Catalogue.js"
import type { english } from "../../src/languages/english.js"
import * as Language from "../../src/languages/Language.js"
import { plain, sayIn } from "../../src/languages/Messages.js"

const inWords = (standing: Standing, language: Language.Language): string => {
  const say = sayIn<typeof english>(catalogue[language], language)
  const money = (amount: number, currency: string) => moneyText(amount, currency, language)
  const day = (seconds: number) => dayText(seconds, language)
  return standingPhrases(say, standing, { money, day }).stands.map(plain).join("; ")
}

const reserve = (nextReleaseAt: number | null): Standing => ({
  ...{ kind: "reserve", id: "r1" },
  balance: [{ currency: "EUR", held: 900, released: 100, reversed: 0, nextReleaseAt }],
})

const noon = Date.UTC(2026, 11, 24, 12) / 1_000

test("what a reserve holds says until when, in every language", () => {
  for (const language of Language.all) {
    const day = dayText(noon, language)
    expect(inWords(reserve(noon), language), language).toContain(day)
    expect(inWords(reserve(null), language), language).not.toContain(day)
  }
  expect(inWords(reserve(null), "en")).not.toContain("until")
})

test("a guarantee says until when it counts: its last day, not the one after it", () => {
  const until = Date.UTC(2027, 0, 1) / 1_000
  const balance = { earned: 500, shortfall: 400 }
  const guarantee = { kind: "guarantee", id: "m1", currency: "EUR", amount: 900, until, balance }
  for (const language of Language.all) {
    const words = inWords({ ...guarantee, kind: "guarantee" }, language)
    expect(words, language).toContain(dayText(until - 1, language))
  }
})
