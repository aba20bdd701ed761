import type { Steps } from "../Steps.js"
import type { Comparison } from "./Comparison.js"
import type { Part } from "./Parts.js"
import type { Asking } from "./Row.js"
import { type Sketch, sizeOf } from "./Sketch.js"
import { type Situation, situations } from "./situations.js"
import { payAnything, termsOf } from "./terms.js"

/** So many other groups are brought in to bring a difference to light. */
const mostOthers = 200

/** Groups of other collaborators that are paid anything; what one is paid may depend on them. */
const othersOf = (
  { rows }: Part,
  collaboratorId: string,
  { setting }: Comparison,
): ReadonlyArray<Asking> => {
  const found: Array<Asking> = []
  for (const asking of rows.flatMap(({ list }) => list)) {
    if (found.length === mostOthers) break
    const isOther = asking.group.collaboratorId !== collaboratorId
    if (isOther && payAnything(termsOf(asking.group, setting.policy))) found.push(asking)
  }
  return found
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
function* showInCompany(comparison: Comparison, situation: Difference): Steps<void> {
  const { part, apply } = situation
  const asked = yield* comparison.inWhole([situation])
  if (asked === undefined) return
  const { part: whole, wanted } = asked
  const company: Array<Company> = []
  for (const other of othersOf(whole, part.collaboratorId, comparison)) {
    const both = { ...wanted, apply: [...wanted.apply, other] }
    const sketch = yield* comparison.meeting(whole, both)
    if (typeof sketch === "object") company.push({ other, sketch })
  }
  for (const { other, sketch } of company.sort(bySize)) {
    if (yield* comparison.try(whole, sketch, [...apply, other])) return
  }
}

/**
 * A difference that does not show alone may show in company. It is noted as masked all the same: that it shows
 * on no other order of its size is not known.
 */
export function* show(comparison: Comparison, situation: Difference, sketch: Sketch): Steps<void> {
  if (yield* comparison.try(situation.part, sketch, situation.apply)) return
  comparison.masked.push(sketch)
  yield* showInCompany(comparison, situation)
}

/** Looks for orders on which a collaborator's one counting group pays otherwise than in the other rule set. */
export function* findDifferentTerms(comparison: Comparison, part: Part): Steps<void> {
  const isDifferent = (one: string, other: string) => one !== other
  for (const { looked, found } of situations(part, comparison.setting, isDifferent)) {
    if (!(yield* comparison.take(looked))) return
    for (const situation of found) {
      const sketch = yield* comparison.meeting(part, situation)
      if (comparison.budget.isSpent) return
      if (typeof sketch === "string" || comparison.isLarge(sketch)) continue
      yield* show(comparison, situation, sketch)
    }
  }
}
