import * as exact from "../../money/internal/exact.js"
import { giveLeftOver } from "../../money/internal/leftOver.js"
import * as Percent from "../../money/Percent.js"
import type { SplitPolicy } from "../SplitPolicy.js"

/**
 * What each percentage of one base comes to. Rounded together with the store's rest by largest
 * remainder, so that all of them add up to the base; or each rounded down.
 *
 * @param base - cents, 0 or more
 * @param claims - basis points, in the order in which equal remainders are served
 * @returns one part for each claim; behind them may stand the odd cent of the store
 */
export const percentParts = (
  base: number,
  claims: ReadonlyArray<number>,
  rounding: SplitPolicy["rounding"],
): ReadonlyArray<number> => {
  const parts: Array<number> = []
  const remainders: Array<number> = []
  let left = 0
  for (const claim of claims) {
    const { quotient, remainder } = exact.multiplyDivide(base, claim, Percent.whole)
    parts.push(quotient)
    remainders.push(remainder)
    left += remainder
  }
  if (rounding === "floor") return parts
  // What all of them leave is whole cents, so the store's remainder is what theirs lack of that.
  const cents = Math.ceil(left / Percent.whole)
  parts.push(0)
  remainders.push(cents * Percent.whole - left)
  return giveLeftOver(parts, remainders, cents)
}
