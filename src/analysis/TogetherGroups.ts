/**
 * Groups that always apply together.
 *
 * @since 0.5.0
 */
import { at } from "../internal/at.js"
import type { RuleSet } from "../rules/RuleSet.js"
import { Budget, finish } from "./internal/Budget.js"
import { ask, type Inquiry } from "./internal/Inquiry.js"
import { isEver } from "./internal/OrderShape.js"
import * as predicates from "./internal/Predicate.js"
import type { Options } from "./Options.js"
import type { Steps } from "./Steps.js"

/** The groups that apply together; `undefined`: the budget was spent. */
export function* togetherGroupsIn(
  inquiry: Inquiry,
  budget: Budget,
): Steps<ReadonlyArray<ReadonlyArray<string>> | undefined> {
  const { work, setting, ruleSets } = inquiry
  const groups = ruleSets.flatMap((rules) => rules.groups)
  work.begin("groups that apply together", groups.length)
  const whole = yield* inquiry.whole(budget)
  if (whole === undefined) return undefined
  const known = new Map(whole.rows.flatMap(({ list }) => list).map((each) => [each.group, each]))
  const lists = new Map<string, Array<string>>()
  for (const group of groups) {
    if (work.isDue) yield work.turn()
    const { predicate } = at([known.get(group)], 0)
    work.next()
    if (!budget.take(1 + (predicate.kinds?.size ?? 0))) return undefined
    if (predicate.isNever || !isEver(predicate, setting.from)) continue
    const key = predicates.keyOf(predicates.since(predicate, setting.from))
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [group.id])
    else list.push(group.id)
  }
  return [...lists.values()].filter((list) => list.length > 1)
}

/** The same for all groups, however many steps that takes. */
export function* allTogetherGroups(inquiry: Inquiry): Steps<ReadonlyArray<ReadonlyArray<string>>> {
  const budget = Budget.of(Number.POSITIVE_INFINITY, inquiry.work)
  return (yield* togetherGroupsIn(inquiry, budget)) ?? []
}

/**
 * Finds the groups that apply to exactly the same items of exactly the same orders, whoever they are for. Each
 * list has all groups of one kind, two at least; groups that can't apply to anything are in none. That needs no
 * search, and no budget: it takes as long as going through the rules and the products that are linked to them.
 *
 * @throws InvalidOptions
 * @since 0.5.0
 * @category analyses
 * @example
 * ```ts
 * import { Analysis, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.tag", values: ["Art", "Print"] }, percent: 10 },
 *   { id: "g2", collaboratorId: "sam", link: { type: "products.tag", values: ["print", "art"] }, percent: 5 },
 * ])
 * Analysis.togetherGroups(rules) // => [["g1", "g2"]]
 * ```
 */
export const togetherGroups = (
  rules: RuleSet,
  options: Options = {},
): ReadonlyArray<ReadonlyArray<string>> => finish(ask(allTogetherGroups, options, rules))
