/**
 * Where the groups of one collaborator meet.
 *
 * @since 0.5.0
 */
import type { RuleSet } from "../matching/RuleSet.js"
import { meeting } from "./internal/meeting.js"
import { type Part, partsOf } from "./internal/Parts.js"
import { settingOf } from "./internal/Setting.js"
import { Budget } from "./internal/Sketch.js"
import type { Options } from "./Options.js"

/**
 * Two groups of a collaborator that can apply to one item, and which of them is then paid.
 *
 * @since 0.5.0
 * @category models
 */
export interface Overlap {
  readonly collaboratorId: string
  /** The more specific one. */
  readonly winner: string
  readonly loser: string
  /** Whether the winner applies wherever the loser does, so that the loser never counts. */
  readonly isAlways: boolean
}

/**
 * The pairs of groups that meet.
 *
 * @since 0.5.0
 * @category models
 */
export interface Overlaps {
  readonly overlaps: ReadonlyArray<Overlap>
  /** Whether these are all; not when the budget was spent. */
  readonly isComplete: boolean
}

const overlapsIn = (part: Part, budget: Budget): ReadonlyArray<Overlap> => {
  const [side = []] = part.sides
  const found: Array<Overlap> = []
  for (const [place, loser] of side.entries()) {
    for (const winner of side.slice(0, place)) {
      const both = meeting([winner, loser], [], { part, budget })
      if (both === "undecided") return found
      if (both === "none") continue
      const apart = meeting([loser], [winner], { part, budget })
      if (apart === "undecided") return found
      found.push({
        collaboratorId: part.collaboratorId,
        winner: winner.group.id,
        loser: loser.group.id,
        isAlways: apart === "none",
      })
    }
  }
  return found
}

/**
 * Finds the pairs of groups of one collaborator that can apply to the same item of an order. The more specific
 * one is then paid, and the other is not. Where the policy pays every group, none outranks another, and there
 * is nothing to find.
 *
 * @throws InvalidOptions
 * @since 0.5.0
 * @category analyses
 * @example
 * ```ts
 * import { Analysis, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: 5 },
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * Analysis.overlaps(rules).overlaps
 * // => [{ collaboratorId: "ada", winner: "art", loser: "all", isAlways: false }]
 * ```
 */
export const overlaps = (rules: RuleSet, options: Options = {}): Overlaps => {
  const setting = settingOf(options, rules)
  if (setting.policy.stacking === "all") return { overlaps: [], isComplete: true }
  const budget = new Budget(setting.budget)
  const found = partsOf([rules], setting).flatMap((part) => overlapsIn(part, budget))
  return { overlaps: found, isComplete: !budget.isSpent }
}
