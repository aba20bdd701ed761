import type { ProductGroup } from "../../../groups/ProductGroup.js"
import type { CheckRule } from "../../CheckRules.js"
import type { DeadGroup, DeadReason } from "../../DeadGroups.js"
import type { Steps } from "../../Steps.js"
import * as predicates from "../Predicate.js"
import { isEver } from "../times.js"
import { Values } from "../Values.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./wording.js"

const date = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** Whether only the time from which orders are asked about leaves nothing of a group's dates. */
const isOver = (predicate: predicates.Predicate): boolean => isEver(predicate, undefined)

const predicateOf = (group: ProductGroup): predicates.Predicate =>
  predicates.ofGroup(group, new Values())

const datesText = (group: ProductGroup): string => {
  const predicate = predicateOf(group)
  return isOver(predicate)
    ? `ended at ${date(predicate.endsAt)}, before every order that is asked about`
    : "never applies: no time is within its dates"
}

const ruleOf = (reason: DeadReason, group: ProductGroup): CheckRule => {
  switch (reason) {
    case "link":
    case "condition":
      return "selects-nothing"
    case "dates":
      return isOver(predicateOf(group)) ? "dates-over" : "dates-empty"
    case "products":
      return "no-product"
    case "outranked":
      return "always-outranked"
  }
}

const linkText = ({ link }: ProductGroup): string => {
  if (link.type === "products.all") return "excludes all products"
  const kind = wording.linkKinds[link.type]
  return `lists no ${wording.plural(0, kind)}, so no product has one of them`
}

const productsText = ({ link }: ProductGroup, { vocabulary }: Subject): string => {
  const { type, modifier, values } = link
  if (type === "products.all" || values.length === 0) return "the catalogue is empty"
  const having = modifier === "WITH" ? "has" : "is without"
  const kind = wording.plural(values.length, wording.linkKinds[type])
  const told = values.map((value) => vocabulary.told(type, value))
  return `no product of the catalogue ${having} the ${kind} ${wording.list(told)}`
}

const textOf = ({ reason, by }: DeadGroup, group: ProductGroup, subject: Subject): string => {
  const name = wording.subject(group)
  switch (reason) {
    case "link":
      return `${name} selects nothing: it ${linkText(group)}.`
    case "condition":
      return `${name} never applies: its condition lists no values, so no order has one of them.`
    case "dates":
      return `${name} ${datesText(group)}.`
    case "products":
      return `${name} is linked to nothing: ${productsText(group, subject)}.`
    case "outranked": {
      const together = by.length > 1 ? "one of the " : ""
      return `${name} never counts: wherever it applies, ${together}${wording.groups(by)} of the same collaborator ${by.length > 1 ? "does" : "does too"} and is more specific.`
    }
  }
}

const undecidedText = (undecided: ReadonlyArray<string>): string =>
  `Whether ${wording.groups(undecided)} ever ${wording.plural(undecided.length, "counts", "count")} was not decided within the budget.`

/** The groups that never count, and why. */
export function* neverCounting(subject: Subject): Steps<Report> {
  const { dead } = subject.dead
  const undecided = [...subject.dead.undecided].sort()
  const drafts = dead.map((each): Draft => {
    const group = subject.groupOf(each.groupId)
    return {
      rule: ruleOf(each.reason, group),
      groupIds: [each.groupId, ...each.by],
      collaboratorId: each.collaboratorId,
      ...(each.reason === "products" ? { values: group.link.values } : {}),
      message: textOf(each, group, subject),
    }
  })
  if (undecided.length > 0) {
    const message = undecidedText(undecided)
    return { drafts: [...drafts, { rule: "undecided", groupIds: undecided, message }] }
  }
  const isClean = dead.length === 0 && subject.rules.groups.length > 0
  return isClean ? { drafts, proved: "Every group counts for some order." } : { drafts }
}
