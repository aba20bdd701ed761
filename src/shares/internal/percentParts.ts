import * as exact from "../../money/internal/exact.js"
import { giveLeftOver } from "../../money/internal/leftOver.js"
import * as Percent from "../../money/Percent.js"
import type { SplitPolicy } from "../SplitPolicy.js"

/**
 * The store's side of the division: what is left of the base, which is less than nothing when more
 * than 100% is claimed. Only its remainder matters here: its floor follows from the others.
 */
const storeRemainder = (base: number, claimed: number): number => {
  if (claimed <= Percent.whole) {
    return exact.multiplyDivide(base, Percent.whole - claimed, Percent.whole).remainder
  }
  const { remainder } = exact.multiplyDivide(base, claimed - Percent.whole, Percent.whole)
  return remainder === 0 ? 0 : Percent.whole - remainder
}

/**
 * What each percentage of one base comes to. Rounded together with the store's rest by largest
 * remainder, so that all of them add up to the base; or each rounded down.
 *
 * @param base - cents, 0 or more
 * @param claims - basis points, in the order in which equal remainders are served
 */
export const percentParts = (
  base: number,
  claims: ReadonlyArray<number>,
  rounding: SplitPolicy["rounding"],
): ReadonlyArray<number> => {
  const parts: Array<number> = []
  const remainders: Array<number> = []
  let claimed = 0
  let left = 0
  for (const claim of claims) {
    const { quotient, remainder } = exact.multiplyDivide(base, claim, Percent.whole)
    parts.push(quotient)
    remainders.push(remainder)
    claimed += claim
    left += remainder
  }
  if (rounding === "floor" || left === 0) return parts
  const ofStore = storeRemainder(base, claimed)
  remainders.push(ofStore)
  parts.push(0)
  giveLeftOver(parts, remainders, (left + ofStore) / Percent.whole)
  parts.pop()
  return parts
}
