import type { Comparison } from "./Comparison.js"
import type { Asking, Part } from "./Parts.js"
import { type Sketch, sizeOf } from "./Sketch.js"
import { type Situation, situations } from "./situations.js"
import { payAnything, termsOf } from "./terms.js"

/** So many other groups are brought in to bring a difference to light. */
const mostOthers = 200

/** Groups of other collaborators that are paid anything; what one is paid may depend on them. */
const othersOf = (comparison: Comparison, collaboratorId: string): ReadonlyArray<Asking> => {
  const all = comparison.whole().part.sides.flat()
  const others = all.filter(
    ({ group }) =>
      group.collaboratorId !== collaboratorId &&
      payAnything(termsOf(group, comparison.setting.policy)),
  )
  return others.slice(0, mostOthers)
}

const bySize = (one: Company, other: Company) => sizeOf(one.sketch) - sizeOf(other.sketch)

/** Groups of a collaborator's that apply, and those that must not. */
type Difference = Omit<Situation, "counting">

/** An order to which the group of somebody else applies as well. */
interface Company {
  readonly other: Asking
  readonly sketch: Sketch
}

/** Looks where the group of somebody else applies as well, at small orders first. */
const showInCompany = (comparison: Comparison, situation: Difference): void => {
  const { part, apply, not } = situation
  const whole = comparison.whole()
  const [own, hidden] = [whole.these(apply), whole.these(not)]
  const company = othersOf(comparison, part.collaboratorId).flatMap(
    (other): ReadonlyArray<Company> => {
      const sketch = comparison.meeting(whole.part, [...own, other], hidden)
      return typeof sketch === "object" ? [{ other, sketch }] : []
    },
  )
  for (const { other, sketch } of [...company].sort(bySize)) {
    if (comparison.try(whole.part, sketch, [...apply, other])) return
  }
}

/**
 * A difference that does not show alone may show in company. It is noted as masked all the same: that it shows
 * on no other order of its size is not known.
 */
export const show = (comparison: Comparison, situation: Difference, sketch: Sketch): void => {
  if (comparison.try(situation.part, sketch, situation.apply)) return
  comparison.masked.push(sketch)
  showInCompany(comparison, situation)
}

/** Looks for orders on which a collaborator's one counting group pays otherwise than in the other rule set. */
export const findDifferentTerms = (comparison: Comparison, part: Part): void => {
  const isDifferent = (one: string, other: string) => one !== other
  for (const situation of situations(part, comparison.setting, isDifferent)) {
    const found = comparison.meeting(part, situation.apply, situation.not)
    if (comparison.budget.isSpent) return
    if (typeof found === "string" || comparison.isLarge(found)) continue
    show(comparison, situation, found)
  }
}
