/**
 * Mistakes in a rule set, and rules that are probably unintended.
 *
 * @since 0.5.0
 */
import * as Result from "effect/Result"
import type { AgreementSet } from "../agreements/Agreement.js"
import { at } from "../internal/at.js"
import { unknownFields } from "../internal/fieldNames.js"
import * as problems from "../internal/problems.js"
import type { Problem } from "../Problem.js"
import type { RuleSet } from "../rules/RuleSet.js"
import { type CheckRule, checkRules, type Severity } from "./CheckRules.js"
import { deadGroupsIn } from "./DeadGroups.js"
import { finish } from "./internal/Budget.js"
import {
  circles,
  noAgreements,
  readAgreements,
  unfedAdvances,
} from "./internal/check/agreementFindings.js"
import {
  neverCounting,
  payingNothing,
  redundancies,
  repeatedValues,
  twicePaid,
  unknownValues,
  unpaid,
} from "./internal/check/groupFindings.js"
import { overAllocated, overlapping } from "./internal/check/pairFindings.js"
import type { Draft, Report, Subject } from "./internal/check/Subject.js"
import { CatalogueWords } from "./internal/check/Subject.js"
import { idleBands, smallCaps } from "./internal/check/termFindings.js"
import { ask, type Inquiry } from "./internal/Inquiry.js"
import { plainOptions, type ResolvedOptions } from "./internal/ResolvedOptions.js"
import type { OverAllocationWitness, Steps, Witness } from "./Options.js"
import { type AnyRules, InvalidOptions, type Options } from "./Options.js"

/**
 * The assumptions of a check, and the severities of its findings. The budget is for each question separately.
 *
 * @since 0.5.0
 * @category models
 */
export interface CheckOptions extends Options {
  /** Severities that differ from the defaults; rules that are `off` are skipped. */
  readonly severities?: { readonly [Rule in CheckRule]?: Severity | "off" | undefined } | undefined
  /**
   * What is agreed with collaborators beside their groups. Circles of overrides, with which they would be refused
   * elsewhere, are findings.
   *
   * @since 0.6.0
   */
  readonly agreements?: AgreementSet | undefined
}

/**
 * One mistake, or something probably unintended.
 *
 * @since 0.5.0
 * @category models
 */
export interface Finding {
  readonly rule: CheckRule
  readonly severity: Severity
  /**
   * The groups concerned. The group that the finding is about comes first, before those that cause it or are affected.
   */
  readonly groupIds: ReadonlyArray<string>
  /**
   * The agreements concerned, by their ids.
   *
   * @since 0.6.0
   */
  readonly agreementIds?: ReadonlyArray<string>
  /** The owner of the groups, if the finding is about one collaborator. */
  readonly collaboratorId?: string
  /** The products of the catalogue concerned, by their keys. */
  readonly products?: ReadonlyArray<string>
  /** The values of the group concerned. */
  readonly values?: ReadonlyArray<string>
  /** The finding in words. */
  readonly message: string
  /** An order that shows it; with the claims, for an over-allocation. */
  readonly witness?: Witness | OverAllocationWitness
}

/**
 * A proof about a rule set.
 *
 * @since 0.5.0
 * @category models
 */
export interface Proof {
  /** The rule that is proved not to be broken. */
  readonly rule: CheckRule
  readonly message: string
}

/**
 * The findings of a check: the most severe first, then in the order of {@link checkRules}; over-allocations on the most
 * ordinary orders first, then by the ids of the groups.
 *
 * @since 0.5.0
 * @category models
 */
export interface Check {
  readonly findings: ReadonlyArray<Finding>
  readonly proved: ReadonlyArray<Proof>
}

/** A part of the check, and the rules that it can find broken; the first one names it. */
interface Inspection {
  readonly rules: readonly [CheckRule, ...ReadonlyArray<CheckRule>]
  readonly inspect: (subject: Subject) => Steps<Report>
}

const inspections: ReadonlyArray<Inspection> = [
  { rules: ["over-allocation", "two-ids"], inspect: overAllocated },
  {
    rules: ["always-outranked", "selects-nothing", "dates-empty", "dates-over", "no-product"],
    inspect: neverCounting,
  },
  { rules: ["override-circle"], inspect: circles },
  { rules: ["unknown-value"], inspect: unknownValues },
  { rules: ["redundant"], inspect: redundancies },
  { rules: ["pays-nothing"], inspect: payingNothing },
  { rules: ["empty-cap", "small-cap"], inspect: smallCaps },
  { rules: ["unreachable-band", "equal-bands"], inspect: idleBands },
  { rules: ["unfed-advance"], inspect: unfedAdvances },
  { rules: ["same-orders"], inspect: twicePaid },
  { rules: ["overlap"], inspect: overlapping },
  { rules: ["unpaid-product"], inspect: unpaid },
  { rules: ["repeated-value"], inspect: repeatedValues },
]

const ids = checkRules.map(({ id }) => id)
const severities: ReadonlyArray<unknown> = ["error", "warning", "note"]

const problemsIn = (chosen: CheckOptions["severities"]): ReadonlyArray<Problem> => {
  if (chosen === undefined) return []
  const path = "severities"
  if (typeof chosen !== "object" || chosen === null || Array.isArray(chosen)) {
    const message = `must be an object with severities by rule, got ${problems.show(chosen)}`
    return [{ path, value: chosen, message }]
  }
  const wrong = Object.entries(chosen).filter(
    ([, value]) => value !== undefined && value !== "off" && !severities.includes(value),
  )
  return [
    ...unknownFields(chosen, ids, { isNone: "is no rule; the rules are", place: path }),
    ...wrong.map(([rule, value]) => ({
      path: `${path}.${rule}`,
      value,
      message: `must be error, warning, note or off, got ${problems.show(value)}`,
    })),
  ]
}

/** The severity of the finding of each rule. */
const severitiesFor = (
  chosen: CheckOptions["severities"],
  { policy }: ResolvedOptions,
): ReadonlyMap<CheckRule, Severity | "off"> =>
  new Map(
    checkRules.map(({ id, severity }) => {
      const isTolerated = id === "over-allocation" && policy.overAllocation !== "reject"
      return [id, chosen?.[id] ?? (isTolerated ? "warning" : severity)]
    }),
  )

function* subjectOf(rules: RuleSet, inquiry: Inquiry, agreements: AgreementSet): Steps<Subject> {
  const { setting } = inquiry
  const groups = new Map(rules.groups.map((group) => [group.id, group]))
  const dead = yield* deadGroupsIn(inquiry)
  const deadIds = new Set(dead.dead.map(({ groupId }) => groupId))
  yield inquiry.work.turn()
  const vocabulary = new CatalogueWords(setting.catalogue?.products ?? [])
  const groupOf = (id: string) => at([groups.get(id)], 0)
  return { rules, agreements, setting, inquiry, groupOf, dead, deadIds, vocabulary }
}

const compareTexts = (one: string, other: string): number =>
  one < other ? -1 : Number(one > other)

/** A finding on more orders is more severe: the fewer attributes it needs, the more orders there are. */
const neededFor = ({ rule, witness }: Finding): number =>
  rule === "over-allocation" ? (witness?.attributeCount ?? 0) : 0

const byGravity = (one: Finding, other: Finding): number =>
  severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
  ids.indexOf(one.rule) - ids.indexOf(other.rule) ||
  // A finding about no group refers to the findings before it.
  Number(one.groupIds.length === 0) - Number(other.groupIds.length === 0) ||
  neededFor(one) - neededFor(other) ||
  compareTexts(one.groupIds.join("\n"), other.groupIds.join("\n")) ||
  compareTexts(one.message, other.message)

const findingOf =
  (graveness: ReadonlyMap<CheckRule, Severity | "off">) =>
  (draft: Draft): ReadonlyArray<Finding> => {
    const severity = at([graveness.get(draft.rule)], 0)
    return severity === "off" ? [] : [{ ...draft, severity }]
  }

/** Runs all parts of the check in sequence. */
function* checkIn(
  inquiry: Inquiry,
  chosen: CheckOptions["severities"],
  agreements: AgreementSet,
): Steps<Check> {
  const rules = at(inquiry.ruleSets, 0)
  const graveness = severitiesFor(chosen, inquiry.setting)
  const subject = yield* subjectOf(rules, inquiry, agreements)
  const findings: Array<Finding> = []
  const proofs: Array<Proof> = []
  for (const { rules: found, inspect } of inspections) {
    if (found.every((rule) => graveness.get(rule) === "off")) continue
    const { drafts, proved } = yield* inspect(subject)
    yield inquiry.work.turn()
    findings.push(...drafts.flatMap(findingOf(graveness)))
    const [rule] = found
    if (proved === undefined || graveness.get(rule) === "off") continue
    proofs.push({ rule, message: proved })
  }
  return { findings: findings.sort(byGravity), proved: proofs }
}

/** Runs all parts of the check under some options. */
export function* askCheck(rules: AnyRules, options: CheckOptions): Steps<Check> {
  const { severities: chosen, agreements: given, ...taken } = plainOptions(options)
  const agreements = given === undefined ? Result.succeed(noAgreements) : readAgreements(given)
  const wrong = [
    ...problems.reading(chosen, () => problemsIn(chosen)),
    ...(Result.isFailure(agreements) ? agreements.failure : []),
  ]
  if (Result.isFailure(agreements) || wrong.length > 0) {
    throw new InvalidOptions({ problems: wrong, message: problems.summarize(wrong) })
  }
  return yield* ask((inquiry) => checkIn(inquiry, chosen, agreements.success), taken, rules)
}

/**
 * Looks for mistakes, and what is probably unintended, in a rule set: everything in {@link checkRules}. The findings
 * hold for every possible order, and questions not decided within the budget are listed. A group that never counts has
 * no further findings for being redundant, paying nothing or overlapping.
 *
 * @throws InvalidOptions
 * @since 0.5.0
 * @category analyses
 * @example
 * ```ts
 * import { Analysis, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: 60 },
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art", "Art "] }, percent: 60 },
 *   { id: "blog", collaboratorId: "sam", link: { type: "products.all" }, percent: 30 },
 * ])
 * const { findings, proved } = Analysis.check(rules)
 * findings.map(({ severity, rule, groupIds }) => [severity, rule, groupIds])
 * // => [["warning", "redundant", ["art", "all"]], ["note", "repeated-value", ["art"]]]
 * proved[0]?.message // => "No order can claim more of an item than it brings in."
 * ```
 */
export const check = (rules: AnyRules, options: CheckOptions = {}): Check =>
  finish(askCheck(rules, options))
