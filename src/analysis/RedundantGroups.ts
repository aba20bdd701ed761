/**
 * Groups that could go without a change to what anyone is paid.
 *
 * @since 0.5.0
 */
import type { RuleSet } from "../matching/RuleSet.js"
import { contradiction, whereItCounts } from "./internal/living.js"
import { meeting } from "./internal/meeting.js"
import { type Asking, type Part, partsOf } from "./internal/Parts.js"
import { type Setting, settingOf } from "./internal/Setting.js"
import { Budget } from "./internal/Sketch.js"
import type { Found } from "./internal/smallest.js"
import * as terms from "./internal/terms.js"
import type { Options } from "./Options.js"

/**
 * A group that counts for some orders, where another would count in its place and claim the same.
 *
 * @since 0.5.0
 * @category models
 */
export interface RedundantGroup {
  readonly groupId: string
  readonly collaboratorId: string
  /** The groups that count where it does, once it is gone; none when it pays nothing and hides nothing. */
  readonly insteadOfIt: ReadonlyArray<string>
}

/**
 * The groups that could go, all of them together, with those that never count. Each of the others is known to
 * be needed, but those for which the budget did not suffice, and those that pay a flat amount once an order: with
 * another group in its place, such an amount may be paid less often for an order of several items.
 *
 * @since 0.5.0
 * @category models
 */
export interface RedundantGroups {
  readonly redundant: ReadonlyArray<RedundantGroup>
  readonly undecided: ReadonlyArray<string>
}

/** A group among the others of its collaborator that are still there. */
interface Place {
  readonly asking: Asking
  readonly before: ReadonlyArray<Asking>
  readonly after: ReadonlyArray<Asking>
}

const keyOf = ({ group }: Asking, { policy }: Setting): string =>
  terms.keyOf(terms.termsOf(group, policy))

/** Where it would be seen that a group is gone: the order, or the groups that hide it, or neither. */
const whereMissed = (
  { asking, before, after }: Place,
  { part, setting, steps }: { part: Part; setting: Setting; steps: number },
): Found | ReadonlyArray<Asking> => {
  const key = keyOf(asking, setting)
  const find = (next: Asking | undefined, between: ReadonlyArray<Asking>): Found => {
    const apply = [asking, ...(next === undefined ? [] : [next])]
    return meeting(apply, [...before, ...between], { part, budget: new Budget(steps) })
  }
  // Nobody would be paid in its place.
  if (key !== terms.nothing) {
    const found = find(undefined, after)
    if (found !== "none") return found
  }
  const instead: Array<Asking> = []
  for (const [place, next] of after.entries()) {
    const found = find(next, after.slice(0, place))
    if (found === "undecided") return found
    if (found === "none") continue
    if (keyOf(next, setting) !== key) return found
    instead.push(next)
  }
  // Paid once an order, the two pay for different items of one order twice, and one of them alone pays once.
  const isOnceAnOrder = setting.policy.flatScope === "order" && (asking.group.amount ?? 0) > 0
  return isOnceAnOrder && instead.length > 0 ? "undecided" : instead
}

const isList = (answer: Found | ReadonlyArray<Asking>): answer is ReadonlyArray<Asking> =>
  Array.isArray(answer)

/** Where every matching group is paid, only one that pays nothing can go. */
const payingNothing = (part: Part, setting: Setting): RedundantGroups => {
  const [side = []] = part.sides
  const redundant = side
    .filter((asking) => contradiction(asking, part) === undefined)
    .filter((asking) => keyOf(asking, setting) === terms.nothing)
    .map(({ group: { id, collaboratorId } }) => ({ groupId: id, collaboratorId, insteadOfIt: [] }))
  return { redundant, undecided: [] }
}

/** Goes through some groups once, and takes each one away that is not missed. */
const removable = (
  groups: ReadonlyArray<Asking>,
  at: { part: Part; setting: Setting; steps: number },
): { gone: ReadonlyMap<Asking, RedundantGroup>; undecided: ReadonlyArray<string> } => {
  const gone = new Map<Asking, RedundantGroup>()
  const undecided: Array<string> = []
  groups.forEach((asking, place) => {
    const before = groups.slice(0, place).filter((other) => !gone.has(other))
    const answer = whereMissed({ asking, before, after: groups.slice(place + 1) }, at)
    const { id: groupId, collaboratorId } = asking.group
    if (answer === "undecided") undecided.push(groupId)
    if (!isList(answer)) return
    const insteadOfIt = answer.map(({ group }) => group.id)
    gone.set(asking, { groupId, collaboratorId, insteadOfIt })
  })
  return { gone, undecided }
}

const redundantIn = (part: Part, setting: Setting, steps: number): RedundantGroups => {
  if (setting.policy.stacking === "all") return payingNothing(part, setting)
  const [side = []] = part.sides
  const at = { part, setting, steps }
  let left = side.filter(
    (asking, place) => whereItCounts(asking, side.slice(0, place), at) !== "none",
  )
  const redundant: Array<RedundantGroup> = []
  for (;;) {
    const { gone, undecided } = removable(left, at)
    // What was needed to hide a group may no longer be, once that group is gone.
    if (gone.size === 0) return { redundant, undecided }
    redundant.push(...gone.values())
    left = left.filter((asking) => !gone.has(asking))
  }
}

/**
 * Finds groups that could go without a change to what anyone claims: wherever one of them counts, another
 * group of its collaborator would count in its place, with the same percentages, amounts and limits. All that
 * are listed can go at once. Groups that never count are not among them: {@link deadGroups} has those.
 *
 * Claims stay the same; of equal claims on one item, the smaller group id decides who gets an odd cent, so with
 * a group of another id that may go to somebody else.
 *
 * @throws InvalidOptions
 * @since 0.5.0
 * @category analyses
 * @example
 * ```ts
 * import { Analysis, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: 10 },
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * Analysis.redundantGroups(rules).redundant
 * // => [{ groupId: "art", collaboratorId: "ada", insteadOfIt: ["all"] }]
 * ```
 */
export const redundantGroups = (rules: RuleSet, options: Options = {}): RedundantGroups => {
  const setting = settingOf(options, rules)
  const steps = Math.ceil(setting.budget / Math.max(1, rules.groups.length))
  const found = partsOf([rules], setting).map((part) => redundantIn(part, setting, steps))
  return {
    redundant: found.flatMap(({ redundant }) => redundant),
    undecided: found.flatMap(({ undecided }) => undecided),
  }
}
