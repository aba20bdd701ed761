import { at } from "../../../internal/at.js"
import * as Attribute from "../../../orders/Attribute.js"
import { date, oneLine, plural } from "../../../orders/Words.js"
import type { ProductGroup } from "../../../rules/ProductGroup.js"
import { countersOf } from "../../../terms/internal/termRules.js"
import type { CheckRule } from "../../CheckRules.js"
import type { DeadGroup, DeadReason, GroupRank } from "../../DeadGroups.js"
import { redundantGroupsIn } from "../../DeadGroups.js"
import type { Steps } from "../../Options.js"
import { togetherGroupsIn } from "../../Overlaps.js"
import { unpaidProductsIn } from "../../UnpaidProducts.js"
import type { Budget } from "../Budget.js"
import { costOf, type GroupsPart } from "../Inquiry.js"
import { isEver } from "../OrderShape.js"
import type { Asking } from "../Predicate.js"
import * as predicates from "../Predicate.js"
import { Values } from "../Predicate.js"
import { anyOrder, isFound } from "../smallest.js"
import { payAnything, termsOf } from "../terms.js"
import type { CatalogueWords, Draft, Report, Subject } from "./Subject.js"
import * as wording from "./Subject.js"

/** Whether a group's dates are only empty because of the time from which orders are considered. */
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
  return `lists no ${wording.linkNoun(link.type, 0)}, so no product has one of them`
}

const productsText = ({ link }: ProductGroup, { vocabulary }: Subject): string => {
  const { type, modifier, values } = link
  if (type === "products.all" || values.length === 0) return "the catalogue is empty"
  const having = modifier === "WITH" ? "has" : "is without"
  const kind = wording.linkNoun(type, values.length)
  const listed = values.map((value) => vocabulary.told(type, value))
  return `no product of the catalogue ${having} the ${kind} ${wording.list(listed)}`
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
  `Whether ${wording.groups(undecided)} ever ${plural(undecided.length, "counts", "count")} was not decided within the budget.`

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

const isPaying = (group: ProductGroup, { setting }: Subject): boolean =>
  payAnything(termsOf(group, setting.policy))

/** The groups that would pay where this one counts, if it were removed; as many as the budget allows. */
function* hiddenBy(
  { asking, row, place }: GroupRank,
  { world }: GroupsPart,
  subject: Subject,
  budget: Budget,
): Steps<ReadonlyArray<Asking>> {
  const hidden: Array<Asking> = []
  if (subject.setting.policy.stacking === "all") return hidden
  const except = new Set([asking])
  for (let below = place + 1; below < row.list.length; below += 1) {
    const other = at(row.list, below)
    if (!budget.take(1)) break
    if (!isPaying(other.group, subject)) continue
    const not = [{ row, before: below }]
    const found = yield* anyOrder({ apply: [asking, other], not, except }, world, budget)
    if (isFound(found)) hidden.push(other)
  }
  return hidden
}

const whyNothing = ({ group }: Asking): string => {
  if (group.maxAmount === 0) return "its maximum is 0"
  const isTiered = (countersOf(group)?.terms.tiers ?? null) !== null
  return isTiered
    ? "neither a percentage of its bands nor its amount is above 0"
    : "neither its percentage nor its amount is above 0"
}

const noPaymentOf = (asking: Asking, groups: ReadonlyArray<Asking>): Draft => {
  const hidden = groups.map(({ group }) => group.id)
  const rest =
    hidden.length === 0
      ? ""
      : ` Where it counts, ${wording.groups(hidden)} of the same collaborator ${plural(hidden.length, "pays", "pay")} nothing either, being less specific.`
  return {
    rule: "pays-nothing",
    groupIds: [asking.group.id, ...hidden],
    collaboratorId: asking.group.collaboratorId,
    message: `${wording.subject(asking.group)} pays nothing: ${whyNothing(asking)}.${rest}`,
  }
}

/** The groups that claim nothing on their terms. The groups that they hide are reported as far as the budget allows. */
export function* payingNothing(subject: Subject): Steps<Report> {
  const { inquiry, deadIds, rules } = subject
  const budget = inquiry.budget()
  const drafts: Array<Draft> = []
  inquiry.work.begin("groups that pay nothing", rules.groups.length)
  for (const part of (yield* inquiry.parts(budget)) ?? []) {
    const row = at(part.rows, 0)
    for (const [place, asking] of row.list.entries()) {
      inquiry.work.next()
      if (isPaying(asking.group, subject) || deadIds.has(asking.group.id)) continue
      const hidden = yield* hiddenBy({ row, place, asking }, part, subject, budget)
      drafts.push(noPaymentOf(asking, hidden))
    }
  }
  return { drafts }
}

/** The groups that could be removed. */
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

/** The values of a group's link or condition, and their noun. */
interface Listed {
  readonly attribute: Attribute.Attribute
  readonly noun: string
  readonly values: ReadonlyArray<string>
}

const listsOf = ({ link, condition }: ProductGroup): ReadonlyArray<Listed> => [
  ...(link.type === "products.all"
    ? []
    : [{ attribute: link.type, noun: wording.linkNoun(link.type, 1), values: link.values }]),
  ...(condition === null
    ? []
    : [
        {
          attribute: condition.type,
          noun: Attribute.nounOf(condition.type),
          values: condition.values,
        },
      ]),
]

const repeatOf = (group: ProductGroup, noun: string, spellings: ReadonlyArray<string>): Draft => {
  const times = spellings.length === 2 ? "twice" : `${spellings.length} times`
  return {
    rule: "repeated-value",
    groupIds: [group.id],
    collaboratorId: group.collaboratorId,
    values: spellings,
    message: `${wording.subject(group)} lists one ${noun} ${times}: ${wording.quoted(spellings)}.`,
  }
}

const repeatedIn = (group: ProductGroup): ReadonlyArray<Draft> =>
  listsOf(group).flatMap(({ attribute, noun, values }) => {
    const table = new Values()
    const spellings = Map.groupBy(values, (value) => table.numberOf(attribute, value))
    return [...spellings.values()]
      .filter((each) => each.length > 1)
      .map((each) => repeatOf(group, noun, each))
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

const secondPaymentOf = (collaboratorId: string, groups: ReadonlyArray<ProductGroup>): Draft => {
  const groupIds = groups.map(({ id }) => id).sort()
  return {
    rule: "same-orders",
    groupIds,
    collaboratorId,
    message: `${oneLine(collaboratorId)} is paid ${groups.length === 2 ? "twice" : `${groups.length} times`} for the same items: ${wording.groups(groupIds)} always apply together.`,
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
      .map(([collaboratorId, own]) => secondPaymentOf(collaboratorId, own))
  })
  return { drafts }
}

const draftsOf = (group: ProductGroup, vocabulary: CatalogueWords): ReadonlyArray<Draft> => {
  const { type, modifier, values } = group.link
  if (type === "products.all") return []
  const unknown = [...new Set(values)].filter((value) => !vocabulary.has(type, value))
  const isAboutAll = modifier === "WITH" && unknown.length === new Set(values).size
  if (unknown.length === 0 || isAboutAll) return []
  const listed = wording.list(unknown.map((value) => vocabulary.told(type, value)))
  const verb = modifier === "WITH" ? "names" : "excludes"
  const kind = wording.linkNoun(type, unknown.length)
  return [
    {
      rule: "unknown-value",
      groupIds: [group.id],
      collaboratorId: group.collaboratorId,
      values: unknown,
      message: `${wording.subject(group)} ${verb} the ${kind} ${listed}, which no product of the catalogue has.`,
    },
  ]
}

/** Values of links that no product of the catalogue has. Groups without any product are reported by another rule. */
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

/** The products of the catalogue for which nobody is ever paid. */
export function* unpaid({ inquiry, setting }: Subject): Steps<Report> {
  const { catalogue } = setting
  if (catalogue === undefined) return { drafts: [] }
  const { products, undecided } = yield* unpaidProductsIn(inquiry)
  const draft = (rule: Draft["rule"], found: ReadonlyArray<string>, message: string) =>
    found.length === 0 ? [] : [{ rule, groupIds: [], products: found, message }]
  const describe = (found: ReadonlyArray<string>) =>
    `${plural(found.length, "product")} ${wording.products(found)}`
  const drafts = [
    ...draft("unpaid-product", products, `Nobody is ever paid for ${describe(products)}.`),
    ...draft(
      "undecided",
      undecided,
      `Whether anybody is ever paid for ${describe(undecided)} was not decided within the budget.`,
    ),
  ]
  return drafts.length === 0 && catalogue.products.length > 0
    ? { drafts, proved: "For every product of the catalogue somebody is paid, on some order." }
    : { drafts }
}
