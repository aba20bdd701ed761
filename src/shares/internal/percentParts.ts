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
  const divisions = claims.map((claim) => exact.multiplyDivide(base, claim, Percent.whole))
  const parts = divisions.map((division) => division.quotient)
  if (rounding === "floor") return parts
  const claimed = claims.reduce((total, claim) => total + claim, 0)
  const remainders = divisions.map((division) => division.remainder)
  remainders.push(storeRemainder(base, claimed))
  const leftOver = remainders.reduce((total, remainder) => total + remainder, 0) / Percent.whole
  parts.push(0)
  giveLeftOver(parts, remainders, leftOver)
  parts.pop()
  return parts
}
