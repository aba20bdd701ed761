/** WooCommerce's amounts: decimal texts, with as many decimals as the shop keeps. */
import * as Result from "effect/Result"
import * as reader from "../../internal/reader.js"
import * as Currency from "../../money/Currency.js"

/** More decimals than any shop keeps. */
const decimals = 12
const pattern = /^([+-]?)(\d*)\.?(\d*)$/

/** An exact number of 10^-12 of the currency's unit. */
export type Exact = bigint

const parse = (value: unknown): Exact | undefined => {
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const [, sign, whole = "", part = ""] = pattern.exec(String(value).trim()) ?? []
  if (sign === undefined || whole + part === "" || part.length > decimals) return undefined
  const magnitude = BigInt(whole + part.padEnd(decimals, "0"))
  return sign === "-" ? -magnitude : magnitude
}

/** An amount; none when it is absent or an empty text. */
export const amount = (node: reader.Node, key: string): Exact => {
  const value = reader.field(node, key)
  if (value === undefined || value === "") return 0n
  const exact = parse(value)
  if (exact === undefined) reader.refuse(node, key, 'an amount in decimals, as "19.90"')
  return exact ?? 0n
}

/** An amount that must be there. */
export const neededAmount = (node: reader.Node, key: string): Exact => {
  const value = reader.field(node, key)
  if (value === undefined || value === "") {
    reader.refuse(node, key, 'an amount in decimals, as "19.90"')
  }
  return amount(node, key)
}

/** The lowest units of the currency, half-up, as the shop rounds; what no number holds is noted. */
export const cents = (node: reader.Node, key: string, exact: Exact, currency: string): number => {
  const digits = Currency.minorDigits(currency)
  if (Result.isFailure(digits)) return 0
  const unit = 10n ** BigInt(decimals - digits.success)
  const magnitude = exact < 0n ? -exact : exact
  const rounded = (2n * magnitude + unit) / (2n * unit)
  if (rounded > BigInt(Number.MAX_SAFE_INTEGER)) {
    reader.note(node, key, "is more than 9007199254740991 of the currency's lowest unit")
    return 0
  }
  return rounded === 0n ? 0 : Number(exact < 0n ? -rounded : rounded)
}
