import type { Steps } from "../Steps.js"
import type { Comparison } from "./Comparison.js"
import type { Part } from "./Parts.js"
import type { Asking } from "./Row.js"
import { sames } from "./situations.js"
import * as terms from "./terms.js"

function* areDivided(comparison: Comparison, part: Part): Steps<boolean> {
  const { setting } = comparison
  const known = new Set<Asking>()
  for (const { looked, found } of sames(part, setting)) {
    if (!(yield* comparison.take(looked))) return true
    for (const same of found) {
      const { counting } = same
      if (terms.termsOf(counting[0].group, setting.policy).flat === 0) continue
      if ((yield* comparison.meeting(part, same)) === "none") continue
      // It stands for another group of the other rule set as well.
      if (counting.some((asking) => known.has(asking))) return true
      for (const asking of counting) known.add(asking)
    }
  }
  return false
}

/**
 * Where a flat amount is paid once an order, it matters which items one group is paid for together: two groups
 * in its place are paid twice. Orders of several items are not looked at, so nothing is said of them then.
 */
export function* findDividedFlats(comparison: Comparison, parts: ReadonlyArray<Part>): Steps<void> {
  const { flatScope, stacking } = comparison.setting.policy
  // Where every group is paid, each one has a counterpart of its own, or was noted before.
  if (flatScope !== "order" || stacking === "all") return
  for (const part of parts) {
    if (!(yield* areDivided(comparison, part))) continue
    comparison.isGivenUp = true
    return
  }
}
