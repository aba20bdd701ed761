/**
 * Groups that never count, whatever is sold, and groups that could be removed without changing what anyone is paid.
 *
 * @since 0.5.0
 */
import { at } from "../internal/at.js"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import { answersTo, type Budget, finish } from "./internal/Budget.js"
import { ask, type GroupsPart, type Inquiry } from "./internal/Inquiry.js"
import { isEver } from "./internal/OrderShape.js"
import { type Asking, GroupRow } from "./internal/Predicate.js"
import type { ResolvedOptions } from "./internal/ResolvedOptions.js"
import { anyOrder, isNone, type SmallestAnswer } from "./internal/smallest.js"
import * as terms from "./internal/terms.js"
import type { AnyRules, Options, Steps } from "./Options.js"

const isEmpty = (asked: { readonly modifier: string; readonly values: ReadonlyArray<string> }) =>
  asked.modifier === "WITH" && asked.values.length === 0

/** Why a group can't apply to any order, regardless of other groups. */
export const contradiction = (
  { group, predicate }: Asking,
  part: GroupsPart,
): DeadReason | undefined => {
  const { link, condition } = group
  const isForAll = link.type === "products.all"
  if (isForAll ? link.modifier === "NOT" : isEmpty(link)) return "link"
  if (condition !== null && isEmpty(condition)) return "condition"
  if (!isEver(predicate, part.world.from)) return "dates"
  return predicate.kinds?.isEmpty === true ? "products" : undefined
}

/** A group at its place among those of its collaborator, the most specific of which is first. */
export interface GroupRank {
  readonly row: GroupRow
  readonly place: number
  readonly asking: Asking
}

/** An order on which a group counts; where every matching group is paid, on which it applies. */
export const whereItCounts = (
  { row, place, asking }: GroupRank,
  { world }: GroupsPart,
  stacking: "most-specific" | "all",
  budget: Budget,
): Steps<SmallestAnswer> => {
  const not = stacking === "all" ? [] : [{ row, before: place }]
  return anyOrder({ apply: [asking], not }, world, budget)
}

/** A small set of groups that together outrank one on every order, as small as the budget allows. */
export function* enoughToOutrank(
  asking: Asking,
  hiding: ReadonlyArray<Asking>,
  { world }: GroupsPart,
  budget: Budget,
): Steps<ReadonlyArray<Asking>> {
  function* isEnough(list: ReadonlyArray<Asking>): Steps<boolean> {
    if (!budget.take(list.length)) return false
    const not = [{ row: new GroupRow(list), before: list.length }]
    return isNone(yield* anyOrder({ apply: [asking], not }, world, budget))
  }
  // Given some groups, the others that are needed too. Half of them is left out at a time, because a few of very many
  // groups are usually enough.
  function* needed(
    given: ReadonlyArray<Asking>,
    others: ReadonlyArray<Asking>,
    isKnownTooFew: boolean,
  ): Steps<ReadonlyArray<Asking>> {
    if (!isKnownTooFew && (yield* isEnough(given))) return []
    if (others.length < 2) return others
    const middle = Math.ceil(others.length / 2)
    const [first, second] = [others.slice(0, middle), others.slice(middle)]
    const ofSecond = yield* needed([...given, ...first], second, false)
    const ofFirst = yield* needed([...given, ...ofSecond], first, ofSecond.length === 0)
    return [...ofFirst, ...ofSecond]
  }
  return yield* needed([], hiding, true)
}

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
   * budget did not suffice to decide.
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

/** The result for one group. */
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

/** The groups that never count; what several answers of a check need is computed once. */
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
 * Finds the groups that never count: those that contradict themselves, those whose dates or products are empty, and
 * those that are always outranked by others of the same collaborator. It is a proof, not a sample: it covers every
 * possible order.
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
export const deadGroups = (rules: AnyRules, options: Options = {}): DeadGroups =>
  finish(ask(deadGroupsIn, options, rules))

// Groups that could be removed without changing what anyone is paid.

/**
 * A group that counts for some orders, on all of which other groups would count instead and claim the same.
 *
 * @since 0.5.0
 * @category models
 */
export interface RedundantGroup {
  readonly groupId: string
  readonly collaboratorId: string
  /** The groups that count instead once it is removed; none when it pays nothing and hides nothing. */
  readonly insteadOfIt: ReadonlyArray<string>
}

/**
 * The groups that can all be removed together, along with those that never count. Every other group is known to be
 * needed, except those for which the budget did not suffice, and those that pay a flat amount once per order: with
 * another group instead, such an amount may be paid less often for an order of several items.
 *
 * @since 0.5.0
 * @category models
 */
export interface RedundantGroups {
  readonly redundant: ReadonlyArray<RedundantGroup>
  readonly undecided: ReadonlyArray<string>
}

/** The groups of one collaborator that are compared. */
interface Ground {
  readonly part: GroupsPart
  readonly row: GroupRow
  readonly policy: SplitPolicy
  /** What each of them pays. */
  readonly pays: ReadonlyMap<Asking, string>
  /** The groups that never count, and those that were removed: they hide no other group. */
  readonly gone: Set<Asking>
}

const groundOf = (part: GroupsPart, { policy }: ResolvedOptions): Ground => {
  const row = at(part.rows, 0)
  const pays = row.list.map((asking): readonly [Asking, string] => [
    asking,
    terms.keyOf(terms.termsOf(asking.group, policy)),
  ])
  return { part, row, policy, pays: new Map(pays), gone: new Set() }
}

/** The effect of removing a group: whether it is missed, or which groups count in its place. */
type Loss = "missed" | "undecided" | ReadonlyArray<Asking>

/**
 * Whether removing a group changes anything: on some order nobody is paid in its place, or another group that pays
 * differently.
 */
function* lossOf(
  { asking, place }: GroupRank,
  { part, row, policy, pays, gone }: Ground,
  budget: Budget,
): Steps<Loss> {
  const find = (apply: ReadonlyArray<Asking>, before: number): Steps<SmallestAnswer> =>
    anyOrder({ apply, not: [{ row, before }], except: gone }, part.world, budget)
  const key = pays.get(asking)
  const own = terms.termsOf(asking.group, policy)
  if (key !== terms.nothing) {
    const found = yield* find([asking], row.list.length)
    // What counts without paying anything may matter to what others pay later.
    const isMissed = own.counted === undefined || terms.payAnything(own)
    if (!isNone(found)) return isMissed && found !== "undecided" ? "missed" : "undecided"
  }
  const instead: Array<Asking> = []
  for (let below = place + 1; below < row.list.length; below += 1) {
    const next = at(row.list, below)
    if (gone.has(next)) continue
    const found = yield* find([asking, next], below)
    if (found === "undecided") return found
    if (isNone(found)) continue
    if (pays.get(next) !== key) {
      const mayPayAlike = terms.payKeyOf(terms.termsOf(next.group, policy)) === terms.payKeyOf(own)
      return mayPayAlike ? "undecided" : "missed"
    }
    instead.push(next)
  }
  // Paid once an order, two groups pay twice for different items of one order, and one of them alone pays once.
  const isOnceAnOrder = policy.flatScope === "order" && (asking.group.amount ?? 0) > 0
  return isOnceAnOrder && instead.length > 0 ? "undecided" : instead
}

/** Where every matching group is paid, only a group that pays nothing can be removed. */
const payingNothing = ({ part, row, pays }: Ground): RedundantGroups => {
  const redundant = row.list
    .filter((asking) => contradiction(asking, part) === undefined)
    .filter((asking) => pays.get(asking) === terms.nothing)
    .map(({ group: { id, collaboratorId } }) => ({ groupId: id, collaboratorId, insteadOfIt: [] }))
  return { redundant, undecided: [] }
}

/** Removes the groups that never count. */
function* takeDead({ row, part, policy, gone }: Ground, budget: Budget): Steps<void> {
  for (const [place, asking] of row.list.entries()) {
    const its = budget.share(2 * row.list.length - place)
    const found = yield* whereItCounts({ row, place, asking }, part, policy.stacking, its)
    if (isNone(found)) gone.add(asking)
  }
}

/** Goes through the groups, and removes each one that is not missed, until all that are left are. */
function* redundantIn(ground: Ground, budget: Budget): Steps<RedundantGroups> {
  const { row, gone, policy } = ground
  if (policy.stacking === "all") return payingNothing(ground)
  yield* takeDead(ground, budget)
  const redundant: Array<RedundantGroup> = []
  for (;;) {
    const undecided: Array<string> = []
    const before = redundant.length
    for (const [place, asking] of row.list.entries()) {
      if (gone.has(asking)) continue
      gone.add(asking)
      const loss = yield* lossOf(
        { row, place, asking },
        ground,
        budget.share(row.list.length - place),
      )
      const { id: groupId, collaboratorId } = asking.group
      if (loss === "undecided") undecided.push(groupId)
      if (typeof loss === "string") gone.delete(asking)
      else
        redundant.push({ groupId, collaboratorId, insteadOfIt: loss.map(({ group }) => group.id) })
    }
    // The groups that hide another one may no longer be needed, once that one is removed.
    if (redundant.length === before) return { redundant, undecided }
  }
}

/** The groups that could be removed; what several answers of a check need is computed once. */
export function* redundantGroupsIn(inquiry: Inquiry): Steps<RedundantGroups> {
  const { work, setting, ruleSets } = inquiry
  const budget = inquiry.budget()
  const ids = ruleSets.flatMap(({ groups }) => groups.map(({ id }) => id))
  work.begin("groups that could go", ids.length)
  const parts = yield* inquiry.parts(budget)
  if (parts === undefined) return { redundant: [], undecided: ids }
  const all: Array<RedundantGroups> = []
  let left = ids.length
  for (const part of parts) {
    const ground = groundOf(part, setting)
    const count = ground.row.list.length
    all.push(yield* redundantIn(ground, budget.share(left / count)))
    left -= count
    work.next(count)
  }
  return {
    redundant: all.flatMap(({ redundant }) => redundant),
    undecided: all.flatMap(({ undecided }) => undecided),
  }
}

/**
 * Finds groups that could be removed without changing what anyone claims: wherever one of them counts, another group of
 * its collaborator would count instead, with the same percentages, amounts and limits. All listed groups can be removed
 * at once. Groups that never count are not included: {@link deadGroups} finds those.
 *
 * Claims stay the same; among equal claims on one item, the smaller group id decides who gets an odd cent, so with a
 * group of another id the odd cent may go to somebody else.
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
export const redundantGroups = (rules: AnyRules, options: Options = {}): RedundantGroups =>
  finish(ask(redundantGroupsIn, options, rules))
