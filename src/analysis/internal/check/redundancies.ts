import type { ProductGroup } from "../../../groups/ProductGroup.js"
import { redundantGroupsIn } from "../../RedundantGroups.js"
import type { Steps } from "../../Steps.js"
import { payAnything, termsOf } from "../terms.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./wording.js"

/** Whether a group pays something; those that don't are told as such. */
const isPaying = (group: ProductGroup, { setting }: Subject): boolean =>
  payAnything(termsOf(group, setting.policy))

/** The groups that could go. */
export function* redundancies(subject: Subject): Steps<Report> {
  const { redundant, undecided } = yield* redundantGroupsIn(subject.inquiry)
  const open = [...undecided].sort()
  const drafts = redundant
    .filter(({ groupId }) => isPaying(subject.groupOf(groupId), subject))
    .map(({ groupId, collaboratorId, insteadOfIt }): Draft => {
      const name = wording.subject({ id: groupId, collaboratorId })
      return {
        rule: "redundant",
        groupIds: [groupId, ...insteadOfIt],
        collaboratorId,
        message: `${name} could go: where it counts, ${wording.groups(insteadOfIt)} would count in its place and pay the same.`,
      }
    })
  if (open.length > 0) {
    const message = `Whether ${wording.groups(open)} could go was not decided within the budget.`
    return { drafts: [...drafts, { rule: "undecided", groupIds: open, message }] }
  }
  const isClean = redundant.length === 0 && subject.dead.dead.length === 0
  return isClean && subject.rules.groups.length > 0
    ? { drafts, proved: "No group could go without a change to what somebody claims." }
    : { drafts }
}
