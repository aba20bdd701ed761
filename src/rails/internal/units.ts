import * as Result from "effect/Result"
import * as Currency from "../../money/Currency.js"
import type { AmountField } from "../Fields.js"
import type { Instruction } from "../Instruction.js"

// Amounts in the units of a rail, which for some currencies differ from those of ISO 4217.

interface Digits {
  readonly iso: number
  readonly rail: number
}

const digitsOf = (currency: string, { currencies }: AmountField): Digits => {
  const iso = Result.getOrElse(Currency.minorDigits(currency), () => 0)
  const limits = Object.hasOwn(currencies, currency) ? currencies[currency] : undefined
  return { iso, rail: limits?.digits ?? iso }
}

/** An amount in the lowest unit of its currency. */
export type Money = Pick<Instruction, "amount" | "currency">

/** The amount in the rail's own lowest unit. It has passed `fitAmount`, so the division is exact. */
export const units = ({ amount, currency }: Money, field: AmountField): number => {
  const { iso, rail } = digitsOf(currency, field)
  return rail >= iso ? amount * 10 ** (rail - iso) : amount / 10 ** (iso - rail)
}

/** An amount in the rail's own lowest unit, converted to that of the currency; `null` for an invalid one. */
export const fromUnits = (value: unknown, currency: string, field: AmountField): number | null => {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) return null
  const { iso, rail } = digitsOf(currency, field)
  const amount = rail >= iso ? value / 10 ** (rail - iso) : value * 10 ** (iso - rail)
  return Number.isSafeInteger(amount) ? amount : null
}

/** The amount with the rail's own decimals, which has passed `fitAmount`. */
export const decimal = (money: Money, field: AmountField): string => {
  const { rail } = digitsOf(money.currency, field)
  const text = String(units(money, field)).padStart(rail + 1, "0")
  const point = text.length - rail
  return rail === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`
}

/** Reads a decimal text as an amount of the currency; `null` for an invalid one. */
export const fromDecimal = (text: unknown, currency: string): number | null => {
  const plain = typeof text === "string" ? text.trim() : ""
  return Result.getOrElse(Currency.parseAmount(plain, currency), () => null)
}
