import { at, entryAt } from "../../internal/at.js"

// Integer arithmetic that is exact for every safe integer. Products below 2^53 stay in ordinary
// numbers; larger ones go through BigInt.

/** Whether a product or a sum of products came out exact in ordinary numbers. */
export const isSafe = Number.isSafeInteger

export interface Division {
  readonly quotient: number
  readonly remainder: number
}

/**
 * Both numbers are whole and safe, so rounding their quotient never reaches the next whole number: that is at least
 * 1/divisor away, which is more than half of the distance between two numbers of that size.
 */
const divide = (product: number, divisor: number): Division => {
  const quotient = Math.floor(product / divisor)
  return { quotient, remainder: product - quotient * divisor }
}

/** `floor(value * factor / divisor)` and the remainder, for value >= 0, factor >= 0, divisor > 0. */
export const multiplyDivide = (value: number, factor: number, divisor: number): Division => {
  const product = value * factor
  if (product <= Number.MAX_SAFE_INTEGER) return divide(product, divisor)
  const exact = BigInt(value) * BigInt(factor)
  return {
    quotient: Number(exact / BigInt(divisor)),
    remainder: Number(exact % BigInt(divisor)),
  }
}

/** Half away from zero, for a product of 0 or more: a claim beyond the safe integers was earned, not charged. */
const halfUp = (product: bigint, divisor: bigint): number =>
  Number((product * 2n + divisor) / (divisor * 2n))

/** `value * factor / divisor`, half away from zero; the divisor is above 0. */
export const multiplyDivideHalfUp = (
  value: number | bigint,
  factor: number,
  divisor: number,
): number => {
  if (typeof value === "bigint") return halfUp(value * BigInt(factor), BigInt(divisor))
  const negative = value < 0 !== factor < 0
  const { quotient, remainder } = multiplyDivide(Math.abs(value), Math.abs(factor), divisor)
  const rounded = remainder >= divisor - remainder ? quotient + 1 : quotient
  return negative && rounded !== 0 ? -rounded : rounded
}

/** The number, or its opposite. */
export const times = (sign: 1 | -1, value: number | bigint): number | bigint =>
  typeof value === "bigint" ? BigInt(sign) * value : withoutNegativeZero(sign * value)

/** The exact sum of two numbers. */
export const add = (left: number | bigint, right: number | bigint): number | bigint => {
  if (typeof left === "number" && typeof right === "number") {
    const total = left + right
    if (isSafe(total)) return total
  }
  return BigInt(left) + BigInt(right)
}

/** The exact product of two numbers. */
export const multiply = (left: number, right: number): number | bigint => {
  const product = left * right
  return isSafe(product) ? product : BigInt(left) * BigInt(right)
}

/** The exact sum, whatever the order and size of the parts. */
export const sum = (values: ReadonlyArray<number>): number | bigint => {
  let total = 0
  for (const value of values) {
    total += value
    if (!isSafe(total)) return values.reduce((exact, part) => exact + BigInt(part), 0n)
  }
  return total
}

/** A number less others. */
export const difference = (value: number, off: ReadonlyArray<number>): number | bigint =>
  sum([value, ...off.map((part) => -part)])

/** A bigint as a number when that is exact, else `undefined`. */
export const toSafe = (value: number | bigint): number | undefined => {
  const number = Number(value)
  return isSafe(number) ? number : undefined
}

/** `-0` as `0`, so that equal amounts are equal to every comparison. */
export const withoutNegativeZero = (value: number): number => (value === 0 ? 0 : value)

/** Hundredths of a percent of a percentage that was checked before, such as `"12.50"`; 0 without one. */
export const basisPointsOf = (percent: string | null): number => Math.round(Number(percent) * 100)

const percentage = /^\d{1,3}(?:\.\d{1,2})?$/

/** Hundredths of a percent of a percentage as hosts write it, from 0 to 100 with at most two decimals. */
export const readBasisPoints = (value: unknown): number | undefined => {
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const text = String(value)
  return percentage.test(text) && Number(text) <= 100 ? basisPointsOf(text) : undefined
}

/** Up to this many remainders, insertion sort is fastest. */
const few = 40

/** The indexes of remainders, the largest remainder first; of equal ones the smaller index. */
const inTurn = <Remainder extends number | bigint>(
  remainders: ReadonlyArray<Remainder>,
): ReadonlyArray<number> => {
  const turns: Array<number> = []
  for (let index = 0; index < remainders.length; index += 1) {
    const remainder = at(remainders, index)
    let place = index
    for (; place > 0; place -= 1) {
      const before = entryAt(turns, place - 1)
      if (at(remainders, before) >= remainder) break
      turns[place] = before
    }
    turns[place] = index
  }
  return turns
}

/** The remainder that so many others are as large as, itself included; the largest is the first. */
const largest = <Remainder extends number | bigint>(
  remainders: ReadonlyArray<Remainder>,
  place: number,
): number | bigint => {
  const isHuge = remainders.some((remainder) => typeof remainder === "bigint")
  const sorted = isHuge
    ? remainders.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
    : Float64Array.from(remainders, Number).sort()
  return at<number | bigint>(sorted, remainders.length - place)
}

/** Adds the cents that rounding down left over to the largest remainders; ties go to the earlier one. */
export const giveLeftOver = <Remainder extends number | bigint>(
  parts: Array<number>,
  remainders: ReadonlyArray<Remainder>,
  leftOver: number,
): Array<number> => {
  if (leftOver === 0) return parts
  if (remainders.length <= few) {
    const turns = inTurn(remainders)
    for (let turn = 0; turn < leftOver; turn += 1) {
      const index = entryAt(turns, turn)
      parts[index] = entryAt(parts, index) + 1
    }
    return parts
  }
  const last = largest(remainders, leftOver)
  let ties = leftOver
  for (const remainder of remainders) if (remainder > last) ties -= 1
  for (let index = 0; index < remainders.length; index += 1) {
    const remainder = at(remainders, index)
    const isTie = remainder === last
    if (remainder < last || (isTie && ties === 0)) continue
    if (isTie) ties -= 1
    parts[index] = entryAt(parts, index) + 1
  }
  return parts
}

const allocatePositive = (
  amount: number,
  weights: ReadonlyArray<number>,
  total: number,
): Array<number> => {
  const parts: Array<number> = []
  const remainders: Array<number> = []
  let leftOver = amount
  for (const weight of weights) {
    const { quotient, remainder } = multiplyDivide(amount, weight, total)
    // A weight of -0 would give a part of -0.
    parts.push(withoutNegativeZero(quotient))
    remainders.push(remainder)
    leftOver -= quotient
  }
  return giveLeftOver(parts, remainders, leftOver)
}

const allocateHuge = (
  amount: bigint,
  weights: ReadonlyArray<number>,
  total: bigint,
): Array<number> => {
  const products = weights.map((weight) => amount * BigInt(weight))
  const quotients = products.map((product) => product / total)
  const leftOver = quotients.reduce((rest, quotient) => rest - quotient, amount)
  return giveLeftOver(
    quotients.map(Number),
    products.map((product) => product % total),
    Number(leftOver),
  )
}

/**
 * Divides an amount as `Allocation.allocate` does; the amount may be beyond the safe integers as long as no part is.
 */
export const allocateExactly = (
  amount: number | bigint,
  weights: ReadonlyArray<number>,
): Array<number> => {
  const total = sum(weights)
  if (total <= 0 || amount === 0) return weights.map(() => 0)
  const isHuge = typeof total === "bigint" || typeof amount === "bigint"
  const size = amount < 0 ? -amount : amount
  const parts = isHuge
    ? allocateHuge(BigInt(size), weights, BigInt(total))
    : allocatePositive(Number(size), weights, total)
  return amount < 0 ? parts.map((part) => withoutNegativeZero(-part)) : parts
}
