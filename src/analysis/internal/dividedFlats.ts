import type { Comparison } from "./Comparison.js"
import type { Asking, Part } from "./Parts.js"
import { sames } from "./situations.js"
import * as terms from "./terms.js"

const areDivided = (comparison: Comparison, part: Part): boolean => {
  const { setting } = comparison
  const known = new Set<Asking>()
  for (const { apply, not, counting } of sames(part, setting)) {
    if (terms.termsOf(counting[0].group, setting.policy).flat === 0) continue
    if (comparison.meeting(part, apply, not) === "none") continue
    // It stands for another group of the other rule set as well.
    if (counting.some((asking) => known.has(asking))) return true
    for (const asking of counting) known.add(asking)
  }
  return false
}

/**
 * Where a flat amount is paid once an order, it matters which items one group is paid for together: two groups
 * in its place are paid twice. Orders of several items are not looked at, so nothing is said of them then.
 */
export const findDividedFlats = (comparison: Comparison, parts: ReadonlyArray<Part>): void => {
  const { flatScope, stacking } = comparison.setting.policy
  // Where every group is paid, each one has a counterpart of its own, or was noted before.
  if (flatScope !== "order" || stacking === "all") return
  if (parts.some((part) => areDivided(comparison, part))) comparison.isGivenUp = true
}
