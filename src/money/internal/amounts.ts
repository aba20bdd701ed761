import { type Field, number, scalar } from "../../internal/fields.js"
import { isCents } from "../Cents.js"
import * as Currency from "../Currency.js"
import * as ExchangeRate from "../ExchangeRate.js"
import * as Percent from "../Percent.js"
import { basisPointsOf, readBasisPoints } from "./exact.js"

// The fields of models that hold money.

export const cents: Field<number> = /* @__PURE__ */ number(
  isCents,
  "a whole number in the currency's lowest unit, within ±9007199254740991",
)

/** A quantity, or an amount that can't be negative. */
export const nonNegative: Field<number> = /* @__PURE__ */ number(
  (value) => isCents(value) && value >= 0,
  "a whole number from 0 to 9007199254740991",
)

const percentage: Field<string | number> = /* @__PURE__ */ scalar(
  "string or number",
  (value): value is string | number => readBasisPoints(value) !== undefined,
  Percent.expected,
)

/** A percentage as hosts write it, read as one with two decimals. */
export const percent: Field<string> = (node, key, orNull) => {
  const given = percentage(node, key, orNull)
  return given === undefined ? undefined : Percent.format(basisPointsOf(String(given)))
}

export const currency: Field<string> = /* @__PURE__ */ scalar(
  "string",
  Currency.isCurrency,
  "an ISO 4217 currency code in capital letters, as USD",
)

export const exchangeRate: Field<string> = /* @__PURE__ */ scalar(
  "string",
  ExchangeRate.isExchangeRate,
  ExchangeRate.expected,
)
