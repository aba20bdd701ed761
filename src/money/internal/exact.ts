/**
 * Integer arithmetic that is exact for every safe integer. Products below 2^53 stay in ordinary
 * numbers; larger ones go through BigInt.
 */

/** Whether a product or a sum of products came out exact in ordinary numbers. */
export const isSafe = Number.isSafeInteger

export interface Division {
  readonly quotient: number
  readonly remainder: number
}

/**
 * Both numbers are whole and safe, so the nearest number to their quotient is never the next whole one: that
 * is at least 1/divisor away, which is more than half of what tells two numbers of that size apart.
 */
const divide = (product: number, divisor: number): Division => {
  const quotient = Math.floor(product / divisor)
  return { quotient, remainder: product - quotient * divisor }
}

/** `floor(value * factor / divisor)` and what is left, for value >= 0, factor >= 0, divisor > 0. */
export const multiplyDivide = (value: number, factor: number, divisor: number): Division => {
  const product = value * factor
  if (product <= Number.MAX_SAFE_INTEGER) return divide(product, divisor)
  const exact = BigInt(value) * BigInt(factor)
  return {
    quotient: Number(exact / BigInt(divisor)),
    remainder: Number(exact % BigInt(divisor)),
  }
}

/** Half away from zero, for a product of 0 or more: what is beyond every number was earned, not charged. */
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

/** What is left of a number once others are taken off. */
export const difference = (value: number, off: ReadonlyArray<number>): number | bigint =>
  sum([value, ...off.map((part) => -part)])

/** A bigint as a number when that is exact, else `undefined`. */
export const toSafe = (value: number | bigint): number | undefined => {
  const number = Number(value)
  return isSafe(number) ? number : undefined
}

/** `-0` as `0`, so that equal amounts are equal to every comparison. */
export const withoutNegativeZero = (value: number): number => (value === 0 ? 0 : value)
