import { meeting } from "../meeting.js"
import { type Asking, type Part, partsOf } from "../Parts.js"
import { Budget } from "../Sketch.js"
import { payAnything, termsOf } from "../terms.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./wording.js"

const isPaying = ({ group }: Asking, { setting }: Subject): boolean =>
  payAnything(termsOf(group, setting.policy))

/** Groups that would pay where this one counts, if it were gone. */
const hiddenBy = (place: number, part: Part, subject: Subject): ReadonlyArray<Asking> => {
  const [side = []] = part.sides
  const asking = side.slice(place, place + 1)
  if (subject.setting.policy.stacking === "all") return []
  const budget = new Budget(Math.ceil(subject.setting.budget / side.length))
  return side.filter((other, at) => {
    if (at <= place || !isPaying(other, subject)) return false
    const before = side.filter((_, index) => index < at && index !== place)
    const found = meeting([...asking, other], before, { part, budget })
    return typeof found === "object"
  })
}

const whyNothing = ({ group }: Asking): string =>
  group.maxAmount === 0 ? "its maximum is 0" : "neither its percentage nor its amount is above 0"

const draftOf = (place: number, asking: Asking, part: Part, subject: Subject): Draft => {
  const hidden = hiddenBy(place, part, subject).map(({ group }) => group.id)
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
  const drafts = partsOf([subject.rules], subject.setting).flatMap((part) =>
    (part.sides[0] ?? []).flatMap((asking, place) =>
      isPaying(asking, subject) || subject.deadIds.has(asking.group.id)
        ? []
        : draftOf(place, asking, part, subject),
    ),
  )
  return { drafts }
}
