import * as Currency from "../money/Currency.js"
import * as reader from "./reader.js"

const aCurrency = "an ISO 4217 currency code, as USD"

const parseCurrency = (value: unknown): string | undefined => {
  const capitals = typeof value === "string" ? value.trim().toUpperCase() : undefined
  return Currency.isCurrency(capitals) ? capitals : undefined
}

/** A known currency code; small letters are raised. */
export const readCurrency = (node: reader.Node, key: string): string => {
  const currency = parseCurrency(reader.field(node, key))
  if (currency === undefined) reader.refuse(node, key, aCurrency)
  return currency ?? ""
}
