/** All texts that collaborators read, by language; amounts, numbers and days as a language writes them. */
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

const isNumeral = (text: string): text is `${number}` => /^-?\d+(?:\.\d+)?(?:E-2)?$/.test(text)

/** Making one takes longer than a hundred numbers. */
const formats = new Map<string, Intl.NumberFormat>()

/** Writes digits with this many decimals, exactly: `Intl` gets a text, and never a fraction in binary. */
const digitsText = (
  digits: `${number}`,
  decimals: number,
  language: Language,
  style: "decimal" | "percent" = "decimal",
): string => {
  const key = `${language} ${style} ${decimals}`
  const options = { style, minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const format = formats.get(key) ?? new Intl.NumberFormat(locales[language], options)
  formats.set(key, format)
  return format.format(digits)
}

/** An amount without its currency, as exact as {@link moneyText}. */
export const amountText = (
  amount: number | bigint | string,
  currency: string,
  language: Language,
): string => {
  const written = figure(amount, currency)
  const digits = Result.getOrElse(Currency.minorDigits(currency), () => 0)
  const decimals = Math.max(digits, written.split(".")[1]?.length ?? 0)
  return isNumeral(written) ? digitsText(written, decimals, language) : written
}

/** An amount with its currency, exact however large it is, and with decimals of a cent if it is a text with some. */
export const moneyText = (
  amount: number | bigint | string,
  currency: string,
  language: Language,
): string => `${amountText(amount, currency, language)} ${currency}`

/** An exchange rate with all its decimals, which comes as a text of digits. */
export const rateText = (rate: string, language: Language): string =>
  isNumeral(rate) ? digitsText(rate, rate.split(".")[1]?.length ?? 0, language) : rate

/** A percentage with two decimals, as `12.50` is. */
export const percentText = (percent: string, language: Language): string => {
  const hundredths = `${percent}E-2`
  return isNumeral(hundredths) ? digitsText(hundredths, 2, language, "percent") : `${percent}%`
}

/** A whole number. */
export const numberText = (number: number | bigint, language: Language): string => {
  const digits = String(number)
  return isNumeral(digits) ? digitsText(digits, 0, language) : digits
}

const days = new Map<string, Intl.DateTimeFormat>()

/** The day of a time, in a time zone. */
export const dayText = (seconds: number, language: Language, timeZone = "UTC"): string => {
  const key = `${language} ${timeZone}`
  const day =
    days.get(key) ?? new Intl.DateTimeFormat(locales[language], { dateStyle: "medium", timeZone })
  days.set(key, day)
  return day.format(seconds * 1_000)
}
