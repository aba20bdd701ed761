/** Amounts and days as documents show them. */
import * as Cents from "../money/Cents.js"
import * as Words from "../orders/Words.js"

/** An amount in the decimals of its currency, such as `19.99`. Sums of many orders may be beyond safe integers. */
export const figure = (amount: number | bigint, currency: string): string =>
  Cents.isCents(Number(amount)) ? Words.figure(amount, currency) : `${amount} (in the lowest unit)`

/** An amount with commas between the thousands, such as `1,234.50`. */
export const grouped = (amount: number | bigint, currency: string): string =>
  figure(amount, currency).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","))

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The day of a time in a time zone, such as `2025-12-31`. */
export const calendarDay = (seconds: number, timeZone: string): string => {
  const formatter =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat("en-CA", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    })
  formatters.set(timeZone, formatter)
  return formatter.format(seconds * 1000)
}
