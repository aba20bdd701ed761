/** What explanations are written with: the sentences of a language, and its amounts and percentages. */
import { money, printable } from "../orders/Words.js"
import { arabicExplanations } from "./arabic.js"
import { moneyText, numberText, percentText } from "./Catalogue.js"
import { englishExplanations } from "./english.js"
import { germanExplanations } from "./german.js"
import { directionOf, type Language } from "./Language.js"
import type { ExplanationTexts } from "./LanguageTexts.js"
import { type Phrase, plain, type Say, sayIn } from "./Messages.js"

/** The sentences of each language. */
export const explanationTexts: Readonly<Record<Language, ExplanationTexts>> = {
  en: englishExplanations,
  de: germanExplanations,
  ar: arabicExplanations,
}

/** How an explanation is written. */
export interface Wording {
  readonly say: Say<typeof englishExplanations>
  readonly money: (cents: number | bigint | string, currency: string) => string
  /** A percentage, as `12.50`. */
  readonly percent: (percent: string) => string
  /** A whole number, as `1,000`. */
  readonly number: (number: number | bigint) => string
  /** A phrase as a line of text. */
  readonly line: (phrase: Phrase) => string
}

/** Between two marks that nobody sees, a text runs its own way, and leaves the sentence around it alone. */
const isolated = (text: string): string => `\u2068${printable(text)}\u2069`

const rightToLeft = (phrase: Phrase): string =>
  phrase.map(({ text, isFilledIn }) => (isFilledIn ? isolated(text) : text)).join("")

/** How a language writes them for readers: as it writes amounts in its tables. */
export const wordingFor = (language: Language): Wording => ({
  say: sayIn<typeof englishExplanations>(explanationTexts[language], language),
  money: (cents, currency) => moneyText(cents, currency, language),
  percent: (percent) => percentText(percent, language),
  number: (number) => numberText(number, language),
  line: directionOf(language) === "rtl" ? rightToLeft : plain,
})

/** English as programs and terminals show it: amounts are plain figures, as `1234.50 USD`. */
const plainEnglish: Wording = {
  say: sayIn<typeof englishExplanations>(englishExplanations, "en"),
  money,
  percent: (percent) => `${percent}%`,
  number: (number) => numberText(number, "en"),
  line: plain,
}

/** How a language writes them as text. */
export const wordingOf = (language: Language = "en"): Wording =>
  language === "en" ? plainEnglish : wordingFor(language)
