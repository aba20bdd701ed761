/** How documents are written in a language: their words, amounts and days. */
import { arabicDocuments } from "../languages/arabic.js"
import { amountText, catalogue, dayText } from "../languages/Catalogue.js"
import { english, englishDocuments } from "../languages/english.js"
import { germanDocuments } from "../languages/german.js"
import { directionOf, type Language } from "../languages/Language.js"
import type { DocumentTexts } from "../languages/LanguageTexts.js"
import { type Phrase, type Say, sayIn } from "../languages/Messages.js"
import { calendarDay, grouped } from "./Figure.js"
import { type Html, html } from "./Html.js"

/** All that documents of a language are written with. */
export interface DocumentWords {
  readonly language: Language
  readonly say: Say<typeof english & typeof englishDocuments>
  readonly amount: (amount: number | bigint, currency: string) => string
  readonly day: (seconds: number, timeZone: string) => string
}

/** English as it is for programs too: days as `2025-12-31`, amounts as `1,234.50`. */
export const inEnglish: DocumentWords = {
  language: "en",
  say: sayIn<typeof english & typeof englishDocuments>({ ...english, ...englishDocuments }, "en"),
  amount: grouped,
  day: calendarDay,
}

/** What stands on documents, in each language. */
export const documentTexts: Readonly<Record<Language, DocumentTexts>> = {
  en: englishDocuments,
  de: germanDocuments,
  ar: arabicDocuments,
}

/** How a language writes them. */
export const wordsIn = (language: Language): DocumentWords =>
  language === "en"
    ? inEnglish
    : {
        language,
        say: sayIn<typeof english & typeof englishDocuments>(
          { ...catalogue[language], ...documentTexts[language] },
          language,
        ),
        amount: (amount, currency) => amountText(amount, currency, language),
        day: (seconds, timeZone) => dayText(seconds, language, timeZone),
      }

/** A text that runs its own way: in a language from right to left, figures and names of others stand by themselves. */
export const isolated = (text: string, { language }: DocumentWords): Html =>
  directionOf(language) === "rtl" ? html`<bdi>${text}</bdi>` : html`${text}`

/** A phrase with what fills it in. */
export const phrased = (phrase: Phrase, words: DocumentWords): Html =>
  html`${phrase.map(({ text, isFilledIn }) => (isFilledIn ? isolated(text, words) : html`${text}`))}`

/** A phrase that begins a line. */
export const capital = ([first, ...rest]: Phrase): Phrase =>
  first === undefined
    ? []
    : [{ ...first, text: first.text.slice(0, 1).toUpperCase() + first.text.slice(1) }, ...rest]

/** An amount, a part of a table or of a sentence. */
export const amountHtml = (amount: number | bigint, currency: string, words: DocumentWords): Html =>
  isolated(words.amount(amount, currency), words)

/** An amount with its currency. */
export const moneyHtml = (amount: number | bigint, currency: string, words: DocumentWords): Html =>
  isolated(`${words.amount(amount, currency)} ${currency}`, words)
