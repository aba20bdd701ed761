/**
 * How amounts, times, counts and a host's texts are written in sentences: in explanations, findings, reports and
 * tables.
 */
import * as Result from "effect/Result"
import * as Currency from "../money/Currency.js"

/**
 * An amount in the decimals of its currency, as `19.99`. It may be larger than a safe integer, or an exact number of
 * cents with decimals as a text; in an unknown currency it is written as it is.
 */
export const figure = (cents: number | bigint | string, currency: string): string => {
  const digits = Result.getOrElse(Currency.minorDigits(currency), () => 0)
  const [whole = "", decimals = ""] = String(cents).split(".")
  const sign = whole.startsWith("-") ? "-" : ""
  const padded = whole.slice(sign.length).padStart(digits + 1, "0")
  const point = padded.length - digits
  const fraction = `${padded.slice(point)}${decimals}`
  return `${sign}${padded.slice(0, point)}${fraction === "" ? "" : `.${fraction}`}`
}

/** An amount with its currency, as `19.99 USD`. */
export const money = (cents: number | bigint | string, currency: string): string =>
  `${figure(cents, currency)} ${currency}`

/** A time, as `2024-03-01T12:00:00.000Z`. */
export const date = (seconds: number): string => {
  const instant = new Date(seconds * 1000)
  return Number.isNaN(instant.getTime()) ? `second ${seconds}` : instant.toISOString()
}

/** A text on one line: a line break or control character in it could forge another line. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}/gu, " ")

/** Control characters except line breaks and tabs, and those that change the direction of writing. */
const steering = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * A text that is safe to show: characters that would move the cursor or hide something are replaced by a visible mark.
 */
export const printable = (text: string): string => text.replace(steering, "\ufffd")

/** The singular or the plural, by the count. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? one : many

/** `1 unit`, `3 units`. */
export const counted = (count: number, one: string): string => `${count} ${plural(count, one)}`

/** Each text in quotation marks and escaped, so that it can't be mistaken for the sentence around it. */
export const quoted = (texts: ReadonlyArray<string>, between = ", "): string =>
  texts.map((text) => JSON.stringify(text)).join(between)
