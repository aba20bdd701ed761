/**
 * Groups that never count, whatever is sold.
 *
 * @since 0.5.0
 */
import { at } from "../internal/at.js"
import type { RuleSet } from "../rules/RuleSet.js"
import { answersTo, type Budget, finish } from "./internal/Budget.js"
import { ask, type Inquiry } from "./internal/Inquiry.js"
import type { GroupsPart } from "./internal/Parts.js"
import {
  contradiction,
  enoughToOutrank,
  type GroupRank,
  whereItCounts,
} from "./internal/reachability.js"
import { isNone } from "./internal/smallest.js"
import type { Options } from "./Options.js"
import type { Steps } from "./Steps.js"

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

/** What was found out about one group. */
type Life = DeadGroup | "living" | "undecided"

function* lifeOf(
  standing: GroupRank,
  part: GroupsPart,
  inquiry: Inquiry,
  budget: Budget,
): Steps<Life> {
  const { asking, row, place } = standing
  const { id: groupId, collaboratorId } = asking.group
  const cause = contradiction(asking, part)
  if (cause !== undefined) return { groupId, collaboratorId, reason: cause, by: [] }
  const found = yield* whereItCounts(standing, part, inquiry.setting.policy.stacking, budget)
  if (!isNone(found)) return found === "undecided" ? found : "living"
  budget.take(place)
  const hiding = row.list.slice(0, place).filter((other) => found.because.has(other))
  const enough = yield* enoughToOutrank(asking, hiding, part, budget)
  return { groupId, collaboratorId, reason: "outranked", by: enough.map(({ group }) => group.id) }
}

/** The groups that never count; what is asked in a check is worked out once for all that it looks for. */
export function* deadGroupsIn(inquiry: Inquiry): Steps<DeadGroups> {
  const budget = inquiry.budget()
  const ids = inquiry.ruleSets.flatMap(({ groups }) => groups.map(({ id }) => id))
  const dead: Array<DeadGroup> = []
  const undecided: Array<string> = []
  inquiry.work.begin("groups that never count", ids.length)
  const parts = yield* inquiry.parts(budget)
  if (parts === undefined) return { dead, undecided: ids }
  const questions = parts.flatMap((part) => {
    const row = at(part.rows, 0)
    return row.list.map((asking, place) => ({ part, standing: { row, place, asking } }))
  })
  const answer = ({ part, standing }: (typeof questions)[number], its: Budget) =>
    lifeOf(standing, part, inquiry, its)
  const isOpen = (life: Life) => life === "undecided"
  const lives = yield* answersTo({ questions, answer, isOpen }, budget)
  for (const [index, life] of lives.entries()) {
    if (life === "undecided") undecided.push(at(questions, index).standing.asking.group.id)
    else if (life !== "living") dead.push(life)
  }
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
export const deadGroups = (rules: RuleSet, options: Options = {}): DeadGroups =>
  finish(ask(deadGroupsIn, options, rules))
