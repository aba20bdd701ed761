/** Amounts as documents show them, in the decimals of their currency. */
import * as Cents from "../money/Cents.js"
import * as Words from "../orders/Words.js"

/** An amount in the decimals of its currency, as `19.99`. Sums of many orders may be beyond safe integers. */
export const figure = (amount: number | bigint, currency: string): string =>
  Cents.isCents(Number(amount)) ? Words.figure(amount, currency) : `${amount} (in the lowest unit)`

/** An amount with commas between the thousands, as `1,234.50`. */
export const grouped = (amount: number | bigint, currency: string): string =>
  figure(amount, currency).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","))
