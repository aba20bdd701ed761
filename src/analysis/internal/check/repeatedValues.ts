import type { ProductGroup } from "../../../groups/ProductGroup.js"
import type { Steps } from "../../Steps.js"
import { costOf } from "../Parts.js"
import { type Place, Values } from "../Values.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./wording.js"

/** A list of values of a group, with where they stand and what they are called. */
interface Listed {
  readonly place: Place
  readonly kind: string
  readonly values: ReadonlyArray<string>
}

const listsOf = ({ link, condition }: ProductGroup): ReadonlyArray<Listed> => [
  ...(link.type === "products.all"
    ? []
    : [{ place: link.type, kind: wording.linkKinds[link.type], values: link.values }]),
  ...(condition === null
    ? []
    : [
        {
          place: condition.type,
          kind: wording.conditionKinds[condition.type],
          values: condition.values,
        },
      ]),
]

const draftOf = (group: ProductGroup, kind: string, spellings: ReadonlyArray<string>): Draft => {
  const times = spellings.length === 2 ? "twice" : `${spellings.length} times`
  return {
    rule: "repeated-value",
    groupIds: [group.id],
    collaboratorId: group.collaboratorId,
    values: spellings,
    message: `${wording.subject(group)} lists one ${kind} ${times}: ${wording.quoted(spellings)}.`,
  }
}

const repeatedIn = (group: ProductGroup): ReadonlyArray<Draft> =>
  listsOf(group).flatMap(({ place, kind, values }) => {
    const table = new Values()
    const spellings = Map.groupBy(values, (value) => table.numberOf(place, value))
    return [...spellings.values()]
      .filter((each) => each.length > 1)
      .map((each) => draftOf(group, kind, each))
  })

/** Values that a group lists more than once, in whatever spelling. */
export function* repeatedValues({ rules, inquiry: { work } }: Subject): Steps<Report> {
  const drafts: Array<Draft> = []
  for (const group of rules.groups) {
    work.steps += costOf(group)
    if (work.isDue) yield work.turn()
    drafts.push(...repeatedIn(group))
  }
  return { drafts }
}
