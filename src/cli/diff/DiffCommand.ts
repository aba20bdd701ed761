import * as Result from "effect/Result"
import { splitAt } from "../../analysis/CountedOrders.js"
import { Analysis, Counters } from "../../index.js"
import * as Json from "../../internal/names.js"
import { snakeCase } from "../../internal/names.js"
import type { Order } from "../../orders/Order.js"
import { oneLine, printable } from "../../orders/Words.js"
import * as Explanation from "../../shares/Explanation.js"
import type * as Split from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { CountedError } from "../../terms/CountedSplit.js"
import type { GroupTerms } from "../../terms/Terms.js"
import * as WireCounters from "../../wire/Counters.js"
import type * as WireGroup from "../../wire/Group.js"
import * as WireOrder from "../../wire/Order.js"
import * as WireSplit from "../../wire/Split.js"
import * as AnalysisRun from "../check/CheckCommand.js"
import * as RuleOptions from "../check/RuleOptions.js"
import * as ExitCode from "../ExitCode.js"
import * as Rules from "../input/Rules.js"
import type { Source } from "../input/Sources.js"
import * as OrderWords from "../output/OrderWords.js"
import * as Table from "../output/Table.js"
import type { Session } from "../Session.js"

// Which groups differ between two rule sets, field by field.

/** A changed field of a group. */
export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** A group that only one side has, or whose fields differ. */
export interface GroupChange {
  readonly groupId: string
  readonly collaboratorId: string
  readonly kind: "added" | "removed" | "changed"
  readonly fields: ReadonlyArray<FieldChange>
}

/** Terms as fields of their own: what changed of them is told, not all of them. */
const fieldsOf = ({
  terms,
  ...group
}: WireGroup.TermedGroup): Readonly<Record<string, unknown>> => ({
  ...group,
  tiers: terms?.tiers ?? null,
  cap: terms?.cap ?? null,
})

const fieldChanges = (
  before: WireGroup.TermedGroup,
  after: WireGroup.TermedGroup,
): ReadonlyArray<FieldChange> => {
  const others = new Map<string, unknown>(Object.entries(fieldsOf(after)))
  return Object.entries(fieldsOf(before)).flatMap(([name, value]): ReadonlyArray<FieldChange> => {
    const other = others.get(name)
    if (JSON.stringify(value) === JSON.stringify(other)) return []
    return [{ field: snakeCase(name), before: value, after: other }]
  })
}

const changeOf = (
  group: WireGroup.TermedGroup,
  kind: GroupChange["kind"],
  fields: ReadonlyArray<FieldChange> = [],
): GroupChange => ({ groupId: group.id, collaboratorId: group.collaboratorId, kind, fields })

/** The changes from one rule set to another: those of existing groups, then new groups. */
export const between = (
  one: ReadonlyArray<WireGroup.TermedGroup>,
  other: ReadonlyArray<WireGroup.TermedGroup>,
): ReadonlyArray<GroupChange> => {
  const [before, after] = [one, other].map(
    (groups) => new Map(groups.map((each) => [each.id, each])),
  )
  const kept = one.flatMap((group): ReadonlyArray<GroupChange> => {
    const next = after?.get(group.id)
    if (next === undefined) return [changeOf(group, "removed")]
    const fields = fieldChanges(group, next)
    return fields.length === 0 ? [] : [changeOf(next, "changed", fields)]
  })
  const added = other.filter(({ id }) => before?.has(id) === false)
  return [...kept, ...added.map((group) => changeOf(group, "added"))]
}

const isAsked = (
  value: unknown,
): value is {
  readonly type: string
  readonly modifier: string
  readonly values: ReadonlyArray<string>
} => typeof value === "object" && value !== null && "values" in value

const mostValues = 20

const listOf = (values: ReadonlyArray<string>): string => {
  const shown = values.slice(0, mostValues).map((each) => JSON.stringify(each))
  const more = values.length - shown.length
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

const isTiers = (value: unknown): value is NonNullable<GroupTerms["tiers"]> =>
  typeof value === "object" && value !== null && "bands" in value

const isCap = (value: unknown): value is NonNullable<GroupTerms["cap"]> =>
  typeof value === "object" && value !== null && "per" in value && "amount" in value

const periods = { lifetime: "for ever", year: "a year", month: "a month", payout: "a payout" }

/** Tiers and caps in words: `10.00 % up to 1000 units, then 15.00 % (for the group, for ever)`. */
const termText = (value: NonNullable<GroupTerms["tiers"] | GroupTerms["cap"]>): string => {
  const reach = `for the ${value.per}, ${periods[value.period]}`
  if (isCap(value)) return `${value.amount} ${reach}`
  const { bands, counted } = value
  const texts = bands.map(({ percent }, place) => {
    const next = bands[place + 1]
    return next === undefined ? `${percent} %` : `${percent} % up to ${next.from}`
  })
  return `${texts.join(", then ")} of ${counted} ${reach}`
}

/** A field's value in a few words: `products.tag WITH "art"`. */
export const show = (value: unknown): string => {
  if (value === null) return "none"
  if (isTiers(value) || isCap(value)) return termText(value)
  if (!isAsked(value)) return String(value)
  const { type, modifier, values } = value
  return [type, modifier, listOf(values)].join(" ").trimEnd()
}

// The result of a comparison of two rule sets, with what its report needs.

/** One of the two rule sets. */
export interface Side {
  /** Its input, as named by the user. */
  readonly name: string
  readonly rules: Analysis.AnyRules
  readonly groups: ReadonlyArray<WireGroup.TermedGroup>
}

/** The result. */
export interface Differing {
  readonly one: Side
  readonly other: Side
  readonly policy: SplitPolicy
  /** Whether a catalogue was given. */
  readonly isKnown: boolean
  readonly budget: number
  readonly found: Analysis.Equivalence
  readonly changes: ReadonlyArray<GroupChange>
}

/** How a rule set splits an order. */
export type SplitOutcome =
  | {
      readonly _tag: "Split"
      readonly split: Split.Split
      readonly explanation: Explanation.Explanation
    }
  | { readonly _tag: "Refused"; readonly error: CountedError }

/** How a side splits an order. */
export const outcomeOf = (
  { rules }: Side,
  order: Order,
  policy: SplitPolicy,
  counters: Counters.Counters = Counters.none,
): SplitOutcome =>
  Result.match(splitAt(rules, order, policy, counters), {
    onFailure: (error): SplitOutcome => ({ _tag: "Refused", error }),
    onSuccess: (split) => ({ _tag: "Split", split, explanation: Explanation.ofSplit(split) }),
  })

/** What a party gets on each side; `null`: that side refuses the order. The store has no name. */
export interface BothAmounts {
  readonly collaboratorId: string | null
  readonly one: number | null
  readonly other: number | null
}

const amountOf = (outcome: SplitOutcome, collaboratorId: string | null): number | null => {
  if (outcome._tag === "Refused") return null
  const { shares, store } = outcome.split
  const own =
    collaboratorId === null
      ? store
      : shares.filter((share) => share.collaboratorId === collaboratorId)
  return own.reduce((sum, { amount }) => sum + amount, 0)
}

const collaboratorsOf = (outcome: SplitOutcome): ReadonlyArray<string> =>
  outcome._tag === "Refused" ? [] : outcome.split.shares.map((share) => share.collaboratorId)

/** The amounts of all parties: collaborators by their ids, and the store last. */
export const amountsOf = (one: SplitOutcome, other: SplitOutcome): ReadonlyArray<BothAmounts> => {
  const ids = new Set([one, other].flatMap(collaboratorsOf))
  return [...[...ids].sort(), null].map((collaboratorId) => ({
    collaboratorId,
    one: amountOf(one, collaboratorId),
    other: amountOf(other, collaboratorId),
  }))
}

// How two rule sets differ, for people.

const mostChanges = 100

const changeText = ({ groupId, collaboratorId, kind, fields }: GroupChange): string => {
  const told = fields.map(({ field, before, after }) => `${field} ${show(before)} → ${show(after)}`)
  const what = told.length === 0 ? kind : told.join("; ")
  return `  ${oneLine(`${groupId} (${collaboratorId}): ${what}`)}\n`
}

const changesText = ({ changes }: Differing): string => {
  if (changes.length === 0) return "Groups: no changes\n\n"
  const shown = changes.slice(0, mostChanges).map(changeText)
  const more = changes.length - shown.length
  return `Groups\n${shown.join("")}${more > 0 ? `  and ${more} more\n` : ""}\n`
}

const amountText = (amount: number | null, currency: string): string =>
  amount === null ? "refused" : Table.figure(amount, currency)

const differenceText = (one: number | null, other: number | null, currency: string): string => {
  if (one === null || other === null || one === other) return ""
  return `${other > one ? "+" : ""}${Table.figure(other - one, currency)}`
}

const amountsText = (one: SplitOutcome, other: SplitOutcome, { currency }: Order): string =>
  Table.table(
    [
      { title: "who" },
      { title: "A", isNumber: true },
      { title: "B", isNumber: true },
      { title: "difference", isNumber: true },
    ],
    amountsOf(one, other).map((each) => [
      each.collaboratorId ?? "the store",
      amountText(each.one, currency),
      amountText(each.other, currency),
      differenceText(each.one, each.other, currency),
    ]),
  )

const outcomeText = (letter: string, { name }: Side, outcome: SplitOutcome): string => {
  const lines =
    outcome._tag === "Refused"
      ? [`The order is refused: ${oneLine(outcome.error.message)}.`]
      : Explanation.toText(outcome.explanation).split("\n")
  return [`${letter}: ${name}`, ...OrderWords.indented(lines, "  ")]
    .map((line) => `${line}\n`)
    .join("")
}

const witnessText = ({ one, other, policy, isKnown, found }: Differing): string => {
  if (found.witness === null) return ""
  const { order, isSmallest, counters } = found.witness
  const [before, after] = [
    outcomeOf(one, order, policy, counters),
    outcomeOf(other, order, policy, counters),
  ]
  const smallest = isSmallest ? "no order with fewer attributes is" : "a smaller one may be too"
  return [
    `different: this order is split differently (${smallest}):\n`,
    `  ${OrderWords.toLine(found.witness, isKnown)}\n\n`,
    `${amountsText(before, after, order)}\n`,
    outcomeText("A", one, before),
    outcomeText("B", other, after),
  ].join("")
}

const verdictText = (differing: Differing): string => {
  const { found, budget } = differing
  switch (found.verdict) {
    case "equivalent":
      return "equivalent: proved for every order\n"
    case "different":
      return witnessText(differing)
    case "undecided":
      return `undecided: no order was found that is split differently, but not all were ruled out (a larger --budget than ${budget} may decide it, or not)\n`
  }
}

/** The text: what changed in the groups, and the consequences. */
export function* plainTexts(differing: Differing): Generator<string> {
  yield changesText(differing)
  yield verdictText(differing)
}

// How two rule sets differ, for programs.

const outcomeJson = (outcome: SplitOutcome) =>
  outcome._tag === "Refused"
    ? { error: WireSplit.writeError(outcome.error).error }
    : { explanation: outcome.explanation }

const witnessJson = ({ one, other, policy, found }: Differing) => {
  if (found.witness === null) return null
  const { order, attributeCount, isSmallest, counters } = found.witness
  const [before, after] = [
    outcomeOf(one, order, policy, counters),
    outcomeOf(other, order, policy, counters),
  ]
  return {
    order: WireOrder.write(order),
    counters: counters && WireCounters.write(counters),
    attributeCount,
    isSmallest,
    amounts: amountsOf(before, after).map(({ collaboratorId, ...amounts }) => ({
      collaboratorId,
      a: amounts.one,
      b: amounts.other,
    })),
    a: outcomeJson(before),
    b: outcomeJson(after),
  }
}

/** The document. */
export function* jsonTexts(differing: Differing): Generator<string> {
  const document = {
    a: differing.one.name,
    b: differing.other.name,
    verdict: differing.found.verdict,
    changes: differing.changes,
    witness: witnessJson(differing),
  }
  yield `${JSON.stringify(Json.inSnakeCase(document), undefined, 2)}\n`
}

// `apportion diff`: whether two files of groups pay everyone the same.

/** What the command works on. */
export interface DiffOptions {
  readonly one: Source
  readonly other: Source
  readonly taken: RuleOptions.Opened
  readonly format: "text" | "json"
}

const codes = {
  equivalent: ExitCode.success,
  different: ExitCode.paidOtherwise,
  undecided: ExitCode.undecided,
} as const

const textsOf = async (
  differing: Differing,
  format: DiffOptions["format"],
): Promise<Iterable<string>> => {
  switch (format) {
    case "text":
      return plainTexts(differing)
    case "json":
      return jsonTexts(differing)
  }
}

const sideOf = async (source: Source, session: Session): Promise<Side> => {
  const { rules, counted } = await Rules.readTermedGroups(source, session.note, {
    hasPayouts: true,
  })
  const { name } = source
  return { name, rules: counted ?? rules, groups: counted?.counted ?? rules.groups }
}

const print = async (
  session: Session,
  differing: Differing,
  format: DiffOptions["format"],
): Promise<void> => {
  for (const text of await textsOf(differing, format)) {
    await session.io.stdout.write(format === "text" ? printable(text) : text)
  }
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: DiffOptions): Promise<number> => {
  const taken = await RuleOptions.read(options.taken, session.note)
  const one = await sideOf(options.one, session)
  const other = await sideOf(options.other, session)
  const analysis = Analysis.steps.equivalent(one.rules, other.rules, taken)
  const found = await AnalysisRun.through(analysis, session)
  const differing = {
    one,
    other,
    policy: taken.policy,
    isKnown: taken.catalogue !== undefined,
    budget: taken.budget,
    found,
    changes: between(one.groups, other.groups),
  }
  await print(session, differing, options.format).catch(ExitCode.unlessClosed)
  return codes[found.verdict]
}
