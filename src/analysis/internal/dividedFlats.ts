import type { Comparison } from "./Comparison.js"
import type { Asking, Part } from "./Parts.js"
import { sames } from "./situations.js"
import * as terms from "./terms.js"

/** For groups of one rule set, those that stand for them in the other. */
type Partners = Map<Asking, Asking>

const isPartner = (partners: Partners, one: Asking, other: Asking): boolean => {
  const known = partners.get(one)
  partners.set(one, known ?? other)
  return known === undefined || known === other
}

const areDivided = (comparison: Comparison, part: Part): boolean => {
  const { setting } = comparison
  const [partners, others]: readonly [Partners, Partners] = [new Map(), new Map()]
  for (const { apply, not, counting } of sames(part, setting)) {
    const [one, other] = counting
    if (terms.termsOf(one.group, setting.policy).flat === 0) continue
    if (comparison.meeting(part, apply, not) === "none") continue
    if (!(isPartner(partners, one, other) && isPartner(others, other, one))) return true
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
