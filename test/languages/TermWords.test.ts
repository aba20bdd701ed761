import { expect, test } from "vitest"
import { catalogue, moneyText, numberText, percentText } from "../../src/languages/Catalogue.js"
import type { english } from "../../src/languages/english.js"
import * as Language from "../../src/languages/Language.js"
import { plain, sayIn } from "../../src/languages/Messages.js"
import { countPeriodPhrase, type TermStanding, termPhrases } from "../../src/languages/TermWords.js"

const sayOf = (language: Language.Language) => sayIn<typeof english>(catalogue[language], language)

const inWords = (standing: TermStanding, language: Language.Language): string =>
  termPhrases(sayOf(language), standing, {
    money: (amount, currency) => moneyText(amount, currency, language),
    number: (number) => numberText(number, language),
    percent: (percent) => percentText(percent, language),
  })
    .map(plain)
    .join("; ")

const tiers = {
  kind: "tiers",
  currency: "EUR",
  percent: "10.00",
  next: { from: 150_000, percent: "12.50" },
} as const

test("tiers say what is paid now and from where on more, as a language writes figures", () => {
  expect(inWords({ ...tiers, counted: "units", count: 120_000 }, "en")).toBe(
    "10.00% now; 12.50% from 150,000 on; 120,000 counted so far",
  )
  expect(inWords({ ...tiers, counted: "base", count: 120_000 }, "de")).toBe(
    "jetzt 10,00\u00a0%; ab 1.500,00 EUR 12,50\u00a0%; bisher 1.200,00 EUR gezählt",
  )
})

test("what may not be seen is not said, and after the last band nothing follows", () => {
  for (const language of Language.all) {
    const last = inWords({ ...tiers, counted: "units", next: null }, language)
    expect(last, language).toContain(percentText("10.00", language))
    expect(last, language).not.toContain(";")
  }
})

test("a cap says what is left of it, in every language", () => {
  const cap = { kind: "cap", currency: "JPY", amount: 5_000, count: 1_800, left: 3_200 } as const
  expect(inWords(cap, "en")).toBe("1,800 JPY of 5,000 JPY paid, 3,200 JPY left")
  for (const language of Language.all) {
    expect(inWords(cap, language), language).toContain(moneyText(3_200, "JPY", language))
  }
})

test("it is told in which period it is counted", () => {
  const periodIn = (period: string) => plain(countPeriodPhrase(sayOf("en"), period))
  expect(["lifetime", "payout", "2026", "2026-03"].map(periodIn)).toEqual([
    ...["since the beginning", "this payout", "2026", "2026-03"],
  ])
})
