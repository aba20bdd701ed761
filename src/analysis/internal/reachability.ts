import type { Steps } from "../Steps.js"
import type { Budget } from "./Budget.js"
import { isEver } from "./OrderShape.js"
import type { GroupsPart } from "./Parts.js"
import { type Asking, GroupRow } from "./Row.js"
import { anyOrder, isNone, type SmallestAnswer } from "./smallest.js"

/** Why a group can never count. */
export type Cause = "link" | "condition" | "dates" | "products" | "outranked"

const isEmpty = (asked: { readonly modifier: string; readonly values: ReadonlyArray<string> }) =>
  asked.modifier === "WITH" && asked.values.length === 0

/** Why a group can't apply to any order, whatever other groups there are. */
export const contradiction = (
  { group, predicate }: Asking,
  part: GroupsPart,
): Cause | undefined => {
  const { link, condition } = group
  const isForAll = link.type === "products.all"
  if (isForAll ? link.modifier === "NOT" : isEmpty(link)) return "link"
  if (condition !== null && isEmpty(condition)) return "condition"
  if (!isEver(predicate, part.world.from)) return "dates"
  return predicate.kinds?.isEmpty === true ? "products" : undefined
}

/** A group at its place among those of its collaborator, the most specific of which stands first. */
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

/** Of groups that together outrank one on every order, as few as do, as far as the budget suffices to tell. */
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
  // Given some groups, those of the others that are needed too. Half of them is left out at a time, for of very
  // many groups a few will do.
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
