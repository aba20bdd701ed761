import type { ProductGroup } from "../../../groups/ProductGroup.js"
import type { Steps } from "../../Steps.js"
import { costOf } from "../Parts.js"
import type { Draft, Report, Subject } from "./Subject.js"
import type { Vocabulary } from "./Vocabulary.js"
import * as wording from "./wording.js"

const draftsOf = (group: ProductGroup, vocabulary: Vocabulary): ReadonlyArray<Draft> => {
  const { type, modifier, values } = group.link
  if (type === "products.all") return []
  const unknown = [...new Set(values)].filter((value) => !vocabulary.has(type, value))
  const isAboutAll = modifier === "WITH" && unknown.length === new Set(values).size
  if (unknown.length === 0 || isAboutAll) return []
  const told = wording.list(unknown.map((value) => vocabulary.told(type, value)))
  const verb = modifier === "WITH" ? "names" : "excludes"
  const kind = wording.plural(unknown.length, wording.linkKinds[type])
  return [
    {
      rule: "unknown-value",
      groupIds: [group.id],
      collaboratorId: group.collaboratorId,
      values: unknown,
      message: `${wording.subject(group)} ${verb} the ${kind} ${told}, which no product of the catalogue has.`,
    },
  ]
}

/** Values of links that no product of the catalogue has. A group without any product is told as such. */
export function* unknownValues({ rules, setting, vocabulary, inquiry }: Subject): Steps<Report> {
  if (setting.catalogue === undefined) return { drafts: [] }
  const { work } = inquiry
  const drafts: Array<Draft> = []
  for (const group of rules.groups) {
    work.steps += costOf(group)
    if (work.isDue) yield work.turn()
    drafts.push(...draftsOf(group, vocabulary))
  }
  return { drafts }
}
