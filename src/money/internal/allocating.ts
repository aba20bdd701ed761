import * as exact from "./exact.js"
import { giveLeftOver } from "./leftOver.js"

const allocatePositive = (
  amount: number,
  weights: ReadonlyArray<number>,
  total: number,
): Array<number> => {
  const parts: Array<number> = []
  const remainders: Array<number> = []
  let leftOver = amount
  for (const weight of weights) {
    const { quotient, remainder } = exact.multiplyDivide(amount, weight, total)
    // A weight of -0 would give a part of -0.
    parts.push(exact.withoutNegativeZero(quotient))
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

/** Divides an amount as `Allocation.allocate` does; it may be beyond the safe integers if no part of it is. */
export const allocateExactly = (
  amount: number | bigint,
  weights: ReadonlyArray<number>,
): Array<number> => {
  const total = exact.sum(weights)
  if (total <= 0 || amount === 0) return weights.map(() => 0)
  const isHuge = typeof total === "bigint" || typeof amount === "bigint"
  const size = amount < 0 ? -amount : amount
  const parts = isHuge
    ? allocateHuge(BigInt(size), weights, BigInt(total))
    : allocatePositive(Number(size), weights, total)
  return amount < 0 ? parts.map((part) => exact.withoutNegativeZero(-part)) : parts
}
