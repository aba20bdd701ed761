import { at } from "../../../internal/at.js"
import type { Steps } from "../../Steps.js"
import type { Budget } from "../Budget.js"
import type { Standing } from "../living.js"
import type { Part } from "../Parts.js"
import type { Asking } from "../Row.js"
import { anyOrder, isFound } from "../smallest.js"
import { payAnything, termsOf } from "../terms.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./wording.js"

const isPaying = ({ group }: Asking, { setting }: Subject): boolean =>
  payAnything(termsOf(group, setting.policy))

/** Groups that would pay where this one counts, if it were gone; those that are found within the budget. */
function* hiddenBy(
  { asking, row, place }: Standing,
  { world }: Part,
  subject: Subject,
  budget: Budget,
): Steps<ReadonlyArray<Asking>> {
  const hidden: Array<Asking> = []
  if (subject.setting.policy.stacking === "all") return hidden
  const except = new Set([asking])
  for (let below = place + 1; below < row.list.length; below += 1) {
    const other = at(row.list, below)
    if (!budget.take(1)) break
    if (!isPaying(other, subject)) continue
    const not = [{ row, before: below }]
    const found = yield* anyOrder({ apply: [asking, other], not, except }, world, budget)
    if (isFound(found)) hidden.push(other)
  }
  return hidden
}

const whyNothing = ({ group }: Asking): string =>
  group.maxAmount === 0 ? "its maximum is 0" : "neither its percentage nor its amount is above 0"

const draftOf = (asking: Asking, groups: ReadonlyArray<Asking>): Draft => {
  const hidden = groups.map(({ group }) => group.id)
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

/** The groups that claim nothing on their terms. Which others they hide is told as far as the budget goes. */
export function* payingNothing(subject: Subject): Steps<Report> {
  const { inquiry, deadIds, rules } = subject
  const budget = inquiry.budget()
  const drafts: Array<Draft> = []
  inquiry.work.begin("groups that pay nothing", rules.groups.length)
  for (const part of (yield* inquiry.parts(budget)) ?? []) {
    const row = at(part.rows, 0)
    for (const [place, asking] of row.list.entries()) {
      inquiry.work.next()
      if (isPaying(asking, subject) || deadIds.has(asking.group.id)) continue
      const hidden = yield* hiddenBy({ row, place, asking }, part, subject, budget)
      drafts.push(draftOf(asking, hidden))
    }
  }
  return { drafts }
}
