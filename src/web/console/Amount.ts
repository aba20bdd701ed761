/** Amounts as people read and type them. They come as whole numbers of the lowest unit and are never floats. */
import * as Result from "effect/Result"
import * as Currency from "../../money/Currency.js"

/** An amount in the lowest unit of its currency; sums beyond what a number holds exactly come as text. */
export type Minor = number | bigint | string

const formatters = new Map<string, Intl.NumberFormat>()

/** How many decimals a currency has; none of one that is not known. */
export const digitsOf = (currency: string): number =>
  Result.getOrElse(Currency.minorDigits(currency), () => 0)

const formatterOf = (currency: string, signDisplay: "auto" | "exceptZero"): Intl.NumberFormat => {
  const key = `${currency} ${signDisplay}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  const digits = {
    minimumFractionDigits: digitsOf(currency),
    maximumFractionDigits: digitsOf(currency),
  }
  const made = Currency.isCurrency(currency)
    ? new Intl.NumberFormat(undefined, { style: "currency", currency, signDisplay, ...digits })
    : new Intl.NumberFormat(undefined, { signDisplay, ...digits })
  formatters.set(key, made)
  return made
}

const isNumeral = (text: string): text is `${number}` => /^-?\d+(?:\.\d+)?$/.test(text)

/** The decimal text of an amount, without any rounding. */
const decimal = (minor: bigint, digits: number): string => {
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, "0")
  const whole = text.slice(0, text.length - digits)
  const sign = minor < 0n ? "-" : ""
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole}.${text.slice(-digits)}`
}

const formatted = (minor: Minor, currency: string, sign: "auto" | "exceptZero"): string => {
  const text = decimal(BigInt(minor), digitsOf(currency))
  return isNumeral(text) ? formatterOf(currency, sign).format(text) : text
}

/** As `€1,234.50`, in the language of the browser. */
export const money = (minor: Minor, currency: string): string => formatted(minor, currency, "auto")

/** As `+€1.00`: for differences. */
export const difference = (minor: Minor, currency: string): string =>
  formatted(minor, currency, "exceptZero")

/** Exact sums. */
export const total = (amounts: ReadonlyArray<Minor>): bigint =>
  amounts.reduce((sum: bigint, one) => sum + BigInt(one), 0n)

const count = new Intl.NumberFormat()

/** A number, as `1,234`. */
export const figure = (number: number): string => count.format(number)

/** A number of things, as `1,234 sales`. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${count.format(number)} ${number === 1 ? one : many}`
