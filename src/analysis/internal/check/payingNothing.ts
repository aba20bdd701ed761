import { at } from "../../../internal/at.js"
import { meeting } from "../meeting.js"
import { type Asking, type Part, partsOf } from "../Parts.js"
import { Budget } from "../Sketch.js"
import { payAnything, termsOf } from "../terms.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./wording.js"

const isPaying = ({ group }: Asking, { setting }: Subject): boolean =>
  payAnything(termsOf(group, setting.policy))

/** A group among those of its collaborator, which stand at its place in their order. */
interface Place {
  readonly asking: Asking
  readonly place: number
  readonly part: Part
  readonly budget: Budget
}

/** Groups that would pay where this one counts, if it were gone; those that are found within the budget. */
const hiddenBy = (
  { asking, place, part, budget }: Place,
  subject: Subject,
): ReadonlyArray<Asking> => {
  if (subject.setting.policy.stacking === "all") return []
  const side = at(part.sides, 0)
  return side.filter((other, below) => {
    if (below <= place || !isPaying(other, subject) || !budget.take(below)) return false
    const before = side.slice(0, below).filter((each) => each !== asking)
    return typeof meeting([asking, other], before, { part, budget }) === "object"
  })
}

const whyNothing = ({ group }: Asking): string =>
  group.maxAmount === 0 ? "its maximum is 0" : "neither its percentage nor its amount is above 0"

const draftOf = (where: Place, subject: Subject): Draft => {
  const { asking } = where
  const hidden = hiddenBy(where, subject).map(({ group }) => group.id)
  const rest =
    hidden.length === 0
      ? ""
      : ` Where it counts, ${wording.groups(hidden)} of the same collaborator ${wording.plural(hidden.length, "pays", "pay")} nothing either, being less specific.`
  return {
    rule: "pays-nothing",
    groupIds: [asking.group.id, ...hidden],
    collaboratorId: asking.group.collaboratorId,
    message: `${wording.subject(asking.group)} pays nothing: ${whyNothing(asking)}.${rest}`,
  }
}

/** The groups that claim nothing on their terms. */
export const payingNothing = (subject: Subject): Report => {
  const budget = new Budget(subject.setting.budget)
  const drafts = partsOf([subject.rules], subject.setting).flatMap((part) =>
    at(part.sides, 0).flatMap((asking, place) =>
      isPaying(asking, subject) || subject.deadIds.has(asking.group.id)
        ? []
        : draftOf({ asking, place, part, budget }, subject),
    ),
  )
  return { drafts }
}
