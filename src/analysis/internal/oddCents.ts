import { bySpecificity, compareIds, placed } from "../../matching/internal/specificity.js"
import { whole } from "../../money/Percent.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { Comparison } from "./Comparison.js"
import type { Figures } from "./orders.js"
import type { Asking, Part } from "./Parts.js"
import { type Same, sames, twins } from "./situations.js"
import * as terms from "./terms.js"

/** So many pairs of situations are looked at. */
const mostPairs = 100_000

/** Small sums, on which an odd cent goes this way or that. */
const smallSales: ReadonlyArray<Figures> = Array.from({ length: 200 }, (_, at) => at + 1).flatMap(
  (amount) => [
    { amount },
    { amount, shippingAmount: amount },
    { amount: 0, shippingAmount: amount },
  ],
)

/** Whether it matters which group is the more specific one, though none outranks the other. */
const isRankTelling = ({ overAllocation, shipping, stacking }: SplitPolicy): boolean =>
  overAllocation === "rank" ||
  // Of a collaborator's groups the most specific one is given the shipping, and every claim is cut for itself.
  (overAllocation === "scale" && shipping === "all" && stacking === "all")

const order = (one: Asking, other: Asking, policy: SplitPolicy): string => {
  const byId = Math.sign(compareIds(one.group.id, other.group.id))
  const byRank = Math.sign(bySpecificity(placed(one.group), placed(other.group)))
  return isRankTelling(policy) ? `${byId} ${byRank}` : `${byId}`
}

/** Whether the two come before or behind each other in both rule sets alike. */
const isInOrder = (one: Same, other: Same, policy: SplitPolicy): boolean =>
  order(one.counting[0], other.counting[0], policy) ===
  order(one.counting[1], other.counting[1], policy)

/** Whether two percentages of some sum have the same part of a cent left. */
const canTie = (one: number, other: number): boolean => {
  for (let sum = 1; sum < whole; sum += 1) {
    const left = (sum * one) % whole
    if (left !== 0 && left === (sum * other) % whole) return true
  }
  return false
}

/** Whether anything can depend on which of the two comes first. */
const isOrderTelling = (one: Same, other: Same, policy: SplitPolicy): boolean => {
  if (policy.overAllocation === "scale" || policy.overAllocation === "rank") return true
  if (policy.shipping === "all") return true
  if (policy.rounding === "floor") return false
  const left = terms.termsOf(one.counting[0].group, policy)
  const right = terms.termsOf(other.counting[0].group, policy)
  return (
    (left.isDeducting === right.isDeducting && canTie(left.basisPoints, right.basisPoints)) ||
    canTie(left.shippingBasisPoints, right.shippingBasisPoints)
  )
}

const isMoved = ({ counting: [one, other] }: Same, policy: SplitPolicy): boolean =>
  one.group.id !== other.group.id ||
  (isRankTelling(policy) &&
    (one.group.createdAt !== other.group.createdAt ||
      placed(one.group).place !== placed(other.group).place))

/** The situations in which a collaborator's claim is the same in both rule sets. */
const samesIn = (comparison: Comparison, part: Part): ReadonlyArray<Same> => {
  const { setting } = comparison
  if (setting.policy.stacking === "all") return twins(part, setting)
  return sames(part, setting).filter((situation) => {
    if (!isMoved(situation, setting.policy)) return true
    const found = comparison.meeting(part, situation.apply, situation.not)
    return found !== "none"
  })
}

const lookAtBoth = (comparison: Comparison, one: Same, other: Same): void => {
  const whole = comparison.whole()
  const apply = whole.these([...one.apply, ...other.apply])
  const not = whole.these([...one.not, ...other.not])
  const found = comparison.meeting(whole.part, apply, not)
  if (typeof found === "string" || comparison.isLarge(found)) return
  if (!comparison.try(whole.part, found, apply, smallSales)) comparison.masked.push(found)
}

/**
 * Looks for orders on which the same is claimed by groups of other names, or other places, so that an odd cent
 * goes to somebody else.
 */
export const findOddCents = (comparison: Comparison, parts: ReadonlyArray<Part>): void => {
  const { policy } = comparison.setting
  const all = parts.flatMap((part) => samesIn(comparison, part))
  const moved = all.filter((same) => isMoved(same, policy))
  let pairs = 0
  for (const one of moved) {
    for (const other of all) {
      // Of one collaborator's groups only one counts, or all do.
      if (one.part === other.part && policy.stacking !== "all") continue
      if (isInOrder(one, other, policy)) continue
      pairs += 1
      if (pairs > mostPairs || comparison.budget.isSpent) {
        comparison.isGivenUp = true
        return
      }
      if (isOrderTelling(one, other, policy)) lookAtBoth(comparison, one, other)
    }
  }
}
