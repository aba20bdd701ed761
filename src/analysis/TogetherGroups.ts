/**
 * Groups that always apply together.
 *
 * @since 0.5.0
 */
import type { RuleSet } from "../matching/RuleSet.js"
import { linkedPlaces } from "./internal/linkedPlaces.js"
import * as predicates from "./internal/Predicate.js"
import { settingOf } from "./internal/Setting.js"
import { timesFor } from "./internal/times.js"
import { Values } from "./internal/Values.js"
import type { Options } from "./Options.js"

/**
 * Finds the groups that apply to exactly the same items of exactly the same orders, whoever they are for. Each
 * list has all groups of one kind, two at least; groups that can't apply to anything are in none.
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
): ReadonlyArray<ReadonlyArray<string>> => {
  const { catalogue, from } = settingOf(options, rules)
  const places = catalogue === undefined ? undefined : linkedPlaces(rules, catalogue.products)
  const values = new Values()
  const lists = new Map<string, Array<string>>()
  for (const group of rules.groups) {
    const predicate = predicates.ofGroup(group, values, places?.get(group))
    if (predicate.isNever || timesFor([predicate], [], from).length === 0) continue
    const key = predicates.keyOf(predicates.since(predicate, from))
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [group.id])
    else list.push(group.id)
  }
  return [...lists.values()].filter((list) => list.length > 1)
}
