import { meeting } from "./meeting.js"
import type { Asking, Part } from "./Parts.js"
import type { Setting } from "./Setting.js"
import { Budget } from "./Sketch.js"
import type { Found } from "./smallest.js"
import { timesFor } from "./times.js"

/** Why a group can never count. */
export type Cause = "link" | "condition" | "dates" | "products" | "outranked"

const isEmpty = (asked: { readonly modifier: string; readonly values: ReadonlyArray<string> }) =>
  asked.modifier === "WITH" && asked.values.length === 0

/** Why a group can't apply to any order, whatever other groups there are. */
export const contradiction = ({ group, predicate }: Asking, part: Part): Cause | undefined => {
  const { link, condition } = group
  const isForAll = link.type === "products.all"
  if (isForAll ? link.modifier === "NOT" : isEmpty(link)) return "link"
  if (condition !== null && isEmpty(condition)) return "condition"
  if (timesFor([predicate], [], part.world.from).length === 0) return "dates"
  return predicate.kinds?.size === 0 ? "products" : undefined
}

/** The smallest order on which a group counts, among those of its collaborator's that are more specific. */
export const whereItCounts = (
  asking: Asking,
  before: ReadonlyArray<Asking>,
  { part, setting, steps }: { part: Part; setting: Setting; steps: number },
): Found => {
  const not = setting.policy.stacking === "all" ? [] : before
  return meeting([asking], not, { part, budget: new Budget(steps) })
}

/** Of groups that together outrank one on every order, as few as do, as far as the steps suffice to tell. */
export const enoughToOutrank = (
  asking: Asking,
  before: ReadonlyArray<Asking>,
  { part, steps }: { part: Part; steps: number },
): ReadonlyArray<Asking> => {
  const budget = new Budget(steps)
  const isEnough = (list: ReadonlyArray<Asking>): boolean =>
    meeting([asking], list, { part, budget }) === "none"
  // Given some groups, those of the others that are needed too. Half of them is left out at a time, for of very
  // many groups a few will do.
  const needed = (
    given: ReadonlyArray<Asking>,
    others: ReadonlyArray<Asking>,
    isKnownTooFew: boolean,
  ): ReadonlyArray<Asking> => {
    if (!isKnownTooFew && isEnough(given)) return []
    if (others.length < 2) return others
    const middle = Math.ceil(others.length / 2)
    const [first, second] = [others.slice(0, middle), others.slice(middle)]
    const ofSecond = needed([...given, ...first], second, false)
    const ofFirst = needed([...given, ...ofSecond], first, ofSecond.length === 0)
    return [...ofFirst, ...ofSecond]
  }
  return needed([], before, true)
}
