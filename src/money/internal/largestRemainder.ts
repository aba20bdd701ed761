import { at, entryAt } from "../../internal/at.js"
import * as exact from "./exact.js"

/** So much looking for the largest is quicker than sorting. */
const mostLooks = 512

const sorted = <Remainder extends number | bigint>(
  remainders: ReadonlyArray<Remainder>,
  count: number,
): ReadonlyArray<number> =>
  remainders
    .map((remainder, index) => ({ remainder, index }))
    .sort((a, b) =>
      a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1,
    )
    .slice(0, count)
    .map(({ index }) => index)

/** Whether a place comes before another: its remainder is larger, or it stands further in front. */
const isServedBefore = <Remainder extends number | bigint>(
  remainders: ReadonlyArray<Remainder>,
  place: number,
  other: number,
): boolean => {
  const one = at(remainders, place)
  const two = at(remainders, other)
  return one > two || (one === two && place < other)
}

/** The place that is served next after the last one; -1 stands for none yet. */
const nextAfter = <Remainder extends number | bigint>(
  remainders: ReadonlyArray<Remainder>,
  last: number,
): number => {
  let next = -1
  for (let place = 0; place < remainders.length; place += 1) {
    if (last !== -1 && !isServedBefore(remainders, last, place)) continue
    if (next === -1 || isServedBefore(remainders, place, next)) next = place
  }
  return next
}

/** Gives the cents that rounding down left over to the largest remainders, ties to the earlier one. */
export const giveLeftOver = <Remainder extends number | bigint>(
  parts: Array<number>,
  remainders: ReadonlyArray<Remainder>,
  leftOver: number,
): Array<number> => {
  if (leftOver * remainders.length > mostLooks) {
    for (const index of sorted(remainders, leftOver)) parts[index] = entryAt(parts, index) + 1
    return parts
  }
  let place = -1
  for (let given = 0; given < leftOver; given += 1) {
    place = nextAfter(remainders, place)
    parts[place] = entryAt(parts, place) + 1
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
