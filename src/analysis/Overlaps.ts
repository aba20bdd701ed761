/**
 * Groups of one collaborator that can apply to the same item, and groups that always apply together.
 *
 * @since 0.5.0
 */
import { at } from "../internal/at.js"
import { Budget, finish } from "./internal/Budget.js"
import { ask, type GroupsPart, type Inquiry } from "./internal/Inquiry.js"
import { isEver } from "./internal/OrderShape.js"
import * as predicates from "./internal/Predicate.js"
import { GroupRow } from "./internal/Predicate.js"
import { anyOrder, isNone } from "./internal/smallest.js"
import type { AnyRules, Options, Steps } from "./Options.js"

/**
 * Two groups of a collaborator that can apply to the same item, and which of them is then paid.
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
  /** Whether these are all; `false` when the budget was spent. */
  readonly isComplete: boolean
}

/** Finds the pairs of one collaborator; false when the budget was too small for all. */
function* findOverlaps(part: GroupsPart, found: Array<Overlap>, budget: Budget): Steps<boolean> {
  const { list } = at(part.rows, 0)
  const { collaboratorId, world } = part
  for (const [place, loser] of list.entries()) {
    for (const winner of list.slice(0, place)) {
      if (!budget.take(1)) return false
      const both = yield* anyOrder({ apply: [winner, loser], not: [] }, world, budget)
      if (both === "undecided") return false
      if (isNone(both)) continue
      const not = [{ row: new GroupRow([winner]), before: 1 }]
      const apart = yield* anyOrder({ apply: [loser], not }, world, budget)
      if (apart === "undecided") return false
      const [first, second] = [winner.group.id, loser.group.id]
      found.push({ collaboratorId, winner: first, loser: second, isAlways: isNone(apart) })
    }
  }
  return true
}

/** The pairs of groups that meet. */
export function* overlapsIn(inquiry: Inquiry): Steps<Overlaps> {
  const overlaps: Array<Overlap> = []
  if (inquiry.setting.policy.stacking === "all") return { overlaps, isComplete: true }
  const budget = inquiry.budget()
  const parts = yield* inquiry.parts(budget)
  inquiry.work.begin("groups that meet", parts?.length ?? 0)
  let isComplete = parts !== undefined
  for (const part of parts ?? []) {
    isComplete = isComplete && (yield* findOverlaps(part, overlaps, budget))
    inquiry.work.next()
  }
  return { overlaps, isComplete }
}

/**
 * Finds the pairs of groups of one collaborator that can apply to the same item of an order. The more specific one is
 * then paid, and the other is not. If the policy pays every group, none outranks another, and the result is empty.
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
export const overlaps = (rules: AnyRules, options: Options = {}): Overlaps =>
  finish(ask(overlapsIn, options, rules))

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

/** The same for all groups, without a budget. */
export function* allTogetherGroups(inquiry: Inquiry): Steps<ReadonlyArray<ReadonlyArray<string>>> {
  const budget = Budget.of(Number.POSITIVE_INFINITY, inquiry.work)
  return (yield* togetherGroupsIn(inquiry, budget)) ?? []
}

/**
 * Finds the groups that apply to exactly the same items of exactly the same orders, for any collaborators. Each list
 * has all groups of one kind, at least two; groups that can't apply to anything are in none. This needs no search, and
 * no budget: it takes as long as going through the rules and their linked products.
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
  rules: AnyRules,
  options: Options = {},
): ReadonlyArray<ReadonlyArray<string>> => finish(ask(allTogetherGroups, options, rules))
