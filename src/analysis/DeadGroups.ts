/**
 * Groups that never count, whatever is sold.
 *
 * @since 0.5.0
 */
import type { RuleSet } from "../matching/RuleSet.js"
import { contradiction, enoughToOutrank, whereItCounts } from "./internal/living.js"
import { type Part, partsOf } from "./internal/Parts.js"
import { type Setting, settingOf } from "./internal/Setting.js"
import type { Options } from "./Options.js"

/**
 * Why a group never counts. `link`: it selects nothing, whatever the product; `condition`: it asks for one of
 * no values; `dates`: no time is within them; `products`: no product of the catalogue is linked to it;
 * `outranked`: wherever it applies, a more specific group of its collaborator does too.
 *
 * @since 0.5.0
 * @category models
 */
export type DeadReason = "link" | "condition" | "dates" | "products" | "outranked"

/**
 * A group that never counts.
 *
 * @since 0.5.0
 * @category models
 */
export interface DeadGroup {
  readonly groupId: string
  readonly collaboratorId: string
  readonly reason: DeadReason
  /**
   * The groups that outrank it: together they do wherever it applies. None of them can be left out, unless the
   * budget did not suffice to tell.
   */
  readonly by: ReadonlyArray<string>
}

/**
 * The groups of a rule set that never count. For all others an order is known on which they do, but those for
 * which the budget did not suffice.
 *
 * @since 0.5.0
 * @category models
 */
export interface DeadGroups {
  readonly dead: ReadonlyArray<DeadGroup>
  readonly undecided: ReadonlyArray<string>
}

const deadIn = (part: Part, setting: Setting, steps: number): DeadGroups => {
  const dead: Array<DeadGroup> = []
  const undecided: Array<string> = []
  const [side = []] = part.sides
  side.forEach((asking, place) => {
    const { id: groupId, collaboratorId } = asking.group
    const cause = contradiction(asking, part)
    if (cause !== undefined) {
      dead.push({ groupId, collaboratorId, reason: cause, by: [] })
      return
    }
    const before = side.slice(0, place)
    const found = whereItCounts(asking, before, { part, setting, steps })
    if (found === "undecided") undecided.push(groupId)
    if (found !== "none") return
    const by = enoughToOutrank(asking, before, { part, steps }).map(({ group }) => group.id)
    dead.push({ groupId, collaboratorId, reason: "outranked", by })
  })
  return { dead, undecided }
}

/**
 * Finds the groups that never count: those that contradict themselves, those whose dates or products are
 * empty, and those that are always outranked by others of the same collaborator. It is a proof, not a
 * sample: every order that is possible is covered.
 *
 * @throws InvalidOptions
 * @since 0.5.0
 * @category analyses
 * @example
 * ```ts
 * import { Analysis, RuleSet } from "apportion"
 *
 * const art = { type: "products.tag", values: ["art"] } as const
 * const rules = RuleSet.make([
 *   { id: "art", collaboratorId: "ada", link: art, percent: 10 },
 *   { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: 5 },
 *   { id: "older", collaboratorId: "ada", link: art, percent: 20, createdAt: 0 },
 * ])
 * Analysis.deadGroups(rules).dead
 * // => [{ groupId: "art", collaboratorId: "ada", reason: "outranked", by: ["older"] }]
 * ```
 */
export const deadGroups = (rules: RuleSet, options: Options = {}): DeadGroups => {
  const setting = settingOf(options, rules)
  const steps = Math.ceil(setting.budget / Math.max(1, rules.groups.length))
  const found = partsOf([rules], setting).map((part) => deadIn(part, setting, steps))
  return {
    dead: found.flatMap(({ dead }) => dead),
    undecided: found.flatMap(({ undecided }) => undecided),
  }
}
