import type { ProductGroup } from "../../../groups/ProductGroup.js"
import type { Steps } from "../../Steps.js"
import { togetherGroupsIn } from "../../TogetherGroups.js"
import { payAnything, termsOf } from "../terms.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./wording.js"

const draftOf = (collaboratorId: string, groups: ReadonlyArray<ProductGroup>): Draft => {
  const groupIds = groups.map(({ id }) => id).sort()
  return {
    rule: "same-orders",
    groupIds,
    collaboratorId,
    message: `${wording.plain(collaboratorId)} is paid ${groups.length === 2 ? "twice" : `${groups.length} times`} for the same items: ${wording.groups(groupIds)} always apply together.`,
  }
}

const undecided: Draft = {
  rule: "undecided",
  groupIds: [],
  message: "Which groups always apply together was not decided within the budget.",
}

/** Groups of one collaborator that always apply together, where each of them is paid. */
export function* twicePaid(subject: Subject): Steps<Report> {
  const { policy } = subject.setting
  const { inquiry } = subject
  if (policy.stacking !== "all") return { drafts: [] }
  const together = yield* togetherGroupsIn(inquiry, inquiry.budget())
  if (together === undefined) return { drafts: [undecided] }
  const drafts = together.flatMap((ids) => {
    const groups = ids.map(subject.groupOf)
    const paying = groups.filter((group) => payAnything(termsOf(group, policy)))
    return [...Map.groupBy(paying, ({ collaboratorId }) => collaboratorId)]
      .filter(([, own]) => own.length > 1)
      .map(([collaboratorId, own]) => draftOf(collaboratorId, own))
  })
  return { drafts }
}
