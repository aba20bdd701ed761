/** All texts that collaborators read, by language; amounts and days as a language writes them. */
import * as Result from "effect/Result"
import * as Currency from "../money/Currency.js"
import { figure } from "../orders/Words.js"
import { arabic } from "./arabic.js"
import { english } from "./english.js"
import { german } from "./german.js"
import type { Language } from "./Language.js"
import type { LanguageTexts } from "./LanguageTexts.js"

/** The texts of each language. */
export const catalogue: Readonly<Record<Language, LanguageTexts>> = {
  en: english,
  de: german,
  ar: arabic,
}

/** Digits are the same in every language, so that amounts can be compared. */
const locales: Readonly<Record<Language, string>> = {
  ...{ en: "en-GB-u-nu-latn", de: "de-u-nu-latn", ar: "ar-u-nu-latn" },
}

const isNumeral = (text: string): text is `${number}` => /^-?\d+(?:\.\d+)?$/.test(text)

/** An amount with its currency, exact however large it is: `Intl` gets its digits, and never a fraction in binary. */
export const moneyText = (amount: number, currency: string, language: Language): string => {
  const written = figure(amount, currency)
  const digits = Result.getOrElse(Currency.minorDigits(currency), () => 0)
  if (!isNumeral(written)) return `${written} ${currency}`
  const style = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${new Intl.NumberFormat(locales[language], style).format(written)} ${currency}`
}

/** The day of a time, in UTC. */
export const dayText = (seconds: number, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: "medium", timeZone: "UTC" }).format(
    seconds * 1_000,
  )
