import { whole } from "../../money/Percent.js"
import { bySpecificity, compareIds, placed } from "../../rules/engine/Precedence.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { Steps } from "../Options.js"
import type { Comparison } from "./Comparison.js"
import { counterparts, type Same, sames } from "./countingPairs.js"
import type { GroupsPart } from "./Inquiry.js"
import type { Figures } from "./OrderShape.js"
import type { Asking } from "./Predicate.js"
import * as terms from "./terms.js"

/** What it takes to keep a pair at hand. */
const stepsForSame = 20

/** What it takes to see whether two percentages can tie. */
const stepsForTie = 100

/** So many counting pairs are looked at. */
const mostPairs = 100_000

/** Small sums, on which an odd cent goes this way or that. */
const smallSales: ReadonlyArray<Figures> = Array.from({ length: 200 }, (_, at) => at + 1).flatMap(
  (amount) => [
    { amount },
    { amount, shippingAmount: amount },
    { amount: 0, shippingAmount: amount },
  ],
)

/** Whether it matters which of a collaborator's groups is the more specific one, though all of them are paid. */
const isRankTelling = ({ overAllocation, shipping, stacking }: SplitPolicy): boolean =>
  overAllocation === "rank" ||
  // The most specific one is given the shipping, and its id decides on the odd cent.
  (shipping === "all" && stacking === "all")

/** Whether a cent can depend on the order of groups in any way. */
const isAnyOrderTelling = ({ overAllocation, shipping, rounding }: SplitPolicy): boolean =>
  overAllocation === "scale" ||
  overAllocation === "rank" ||
  shipping === "all" ||
  rounding !== "floor"

/** Equal for groups that stand at the same place among others, as far as that can decide on a cent. */
const standingOf = ({ group }: Asking, policy: SplitPolicy): string =>
  isRankTelling(policy) ? `${placed(group).place} ${group.createdAt} ${group.id}` : group.id

/** How two groups stand to each other, as far as that can decide on a cent. */
const order = (one: Asking, other: Asking, policy: SplitPolicy): string => {
  const byId = Math.sign(compareIds(one.group.id, other.group.id))
  const byRank = Math.sign(bySpecificity(placed(one.group), placed(other.group)))
  const isOneOwner = one.group.collaboratorId === other.group.collaboratorId
  const isRanked = policy.overAllocation === "rank" || (isOneOwner && isRankTelling(policy))
  return isRanked ? `${byId} ${byRank}` : `${byId}`
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
  if (!isAnyOrderTelling(policy)) return false
  if (policy.overAllocation === "scale" || policy.overAllocation === "rank") return true
  if (policy.shipping === "all") return true
  const left = terms.termsOf(one.counting[0].group, policy)
  const right = terms.termsOf(other.counting[0].group, policy)
  return (
    (left.isDeducting === right.isDeducting && canTie(left.basisPoints, right.basisPoints)) ||
    canTie(left.shippingBasisPoints, right.shippingBasisPoints)
  )
}

const isMoved = ({ counting: [one, other] }: Same, policy: SplitPolicy): boolean =>
  standingOf(one, policy) !== standingOf(other, policy)

/** The pairs for which a collaborator's claim is the same in both rule sets. */
function* samesIn(comparison: Comparison, part: GroupsPart): Steps<ReadonlyArray<Same>> {
  const { setting } = comparison
  if (setting.policy.stacking === "all") {
    const found = counterparts(part, setting, mostPairs)
    comparison.isGivenUp ||= !found.areAll
    return found.sames
  }
  const all: Array<Same> = []
  for (const { looked, found } of sames(part, setting)) {
    if (!(yield* comparison.take(looked + stepsForSame * found.length))) return all
    for (const same of found) {
      const isThere =
        !isMoved(same, setting.policy) || (yield* comparison.meeting(part, same)) !== "none"
      if (isThere) all.push(same)
    }
  }
  return all
}

/** Whether a group of one stands for two groups at once, which none does. */
const areRivals = (one: Same, other: Same): boolean =>
  one.counting[0] === other.counting[0] || one.counting[1] === other.counting[1]

/** Where two groups of a collaborator pay the same, either may stand for either: only their ranks differ. */
const areAlike = (one: Same, other: Same, policy: SplitPolicy): boolean =>
  one.part === other.part &&
  !isRankTelling(policy) &&
  terms.keyOf(terms.termsOf(one.counting[0].group, policy)) ===
    terms.keyOf(terms.termsOf(other.counting[0].group, policy))

function* lookAtBoth(comparison: Comparison, one: Same, other: Same): Steps<void> {
  const asked = yield* comparison.inWhole([one, other])
  if (asked === undefined) return
  const { part, wanted } = asked
  const found = yield* comparison.meeting(part, wanted)
  if (typeof found === "string" || comparison.isLarge(found)) return
  if (!(yield* comparison.try(part, found, wanted.apply, smallSales))) comparison.masked.push(found)
}

/**
 * Looks for orders on which the same is claimed by groups of other names, or other places, so that an odd cent
 * goes to somebody else.
 */
export function* findOddCents(
  comparison: Comparison,
  parts: ReadonlyArray<GroupsPart>,
): Steps<void> {
  const { policy } = comparison.setting
  const all: Array<Same> = []
  for (const part of parts) all.push(...(yield* samesIn(comparison, part)))
  const moved = all.filter((same) => isMoved(same, policy))
  let pairs = 0
  for (const one of moved) {
    for (const other of all) {
      // Of one collaborator's groups only one counts, or all do.
      if (one.part === other.part && policy.stacking !== "all") continue
      if (!(yield* comparison.take(1))) return
      if (isInOrder(one, other, policy) || areRivals(one, other)) continue
      if (areAlike(one, other, policy)) continue
      pairs += 1
      if (pairs > mostPairs || comparison.budget.isSpent) {
        comparison.isGivenUp = true
        return
      }
      if (!(yield* comparison.take(stepsForTie))) return
      if (isOrderTelling(one, other, policy)) yield* lookAtBoth(comparison, one, other)
    }
  }
}
