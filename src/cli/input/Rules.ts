/** The inputs that define how orders are split: the groups and the policy. */

import * as Result from "effect/Result"
import { repeats } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import * as SplitPolicy from "../../shares/SplitPolicy.js"
import * as CountedRules from "../../terms/CountedRules.js"
import type { Unreadable } from "../../Unreadable.js"
import * as WireGroup from "../../wire/Group.js"
import * as WirePolicy from "../../wire/Policy.js"
import * as Input from "./Input.js"
import type { Note, Record } from "./Records.js"
import * as Problems from "./Records.js"
import { checkFields } from "./Records.js"
import type { Source } from "./Sources.js"

/** Reads each record, or fails with every problem of all of them. */
export const readEach = <A>(
  name: string,
  records: ReadonlyArray<Record>,
  read: (value: unknown) => Result.Result<A, Unreadable>,
  options: { readonly saysFormat?: boolean } = {},
): ReadonlyArray<A> => {
  const values: Array<A> = []
  const problems: Array<string> = []
  for (const record of records) {
    const value = read(record.value)
    if (Result.isSuccess(value)) values.push(value.success)
    else {
      const [first, ...others] = Problems.linesOf(name, record, value.failure.problems)
      const format = options.saysFormat === true ? ` ${Problems.readAs(value.failure.what)}` : ""
      problems.push(`${first}${format}`, ...others)
    }
  }
  if (problems.length > 0) throw Problems.unusable(problems)
  return values
}

/** A rule set, and the locations of its groups. */
export interface RuleSetInput {
  readonly rules: RuleSet.RuleSet
  /** The line on which each group begins, by its id. */
  readonly lines: ReadonlyMap<string, number>
  /** A problem of a group's field, with its line. */
  readonly lineOf: (index: number, problem: Pick<Problem, "path" | "message">) => string
}

const lineOf =
  (name: string, records: ReadonlyArray<Record>): RuleSetInput["lineOf"] =>
  (index, problem) => {
    const record = records[index]
    return record === undefined
      ? `${name}: ${problem.path}: ${problem.message}`
      : Problems.lineOf(name, record, problem)
  }

/** A problem of a rule set has the group's index in front: `[3].percent`. */
const withoutIndex = (problem: Problem): readonly [number, Problem] => {
  const [prefix = "", index] = /^\[(\d+)\]\.?/.exec(problem.path) ?? []
  return [Number(index), { ...problem, path: problem.path.slice(prefix.length) }]
}

const repeated = (
  name: string,
  records: ReadonlyArray<Record>,
  groups: ReadonlyArray<ProductGroup>,
) =>
  repeats(groups.map(({ id }) => id)).flatMap(({ value, index, first }) => {
    const [record, earlier] = [records[index], records[first]]
    if (record === undefined || earlier === undefined) return []
    const { line } = earlier.locate("id")
    const message = `must be unique, the group in line ${line} has the id "${value}" too`
    return [Problems.lineOf(name, record, { path: "id", message })]
  })

/** Notes an empty list, which is never intended: it matches no item or order, and with NOT all of them. */
const noteEmpty = (
  name: string,
  {
    records,
    groups,
    note,
  }: {
    readonly records: ReadonlyArray<Record>
    readonly groups: ReadonlyArray<ProductGroup>
    readonly note: Note
  },
): void => {
  groups.forEach(({ id, link, condition }, index) => {
    const line = records[index]?.line ?? 1
    const tell = (what: string, modifier: "WITH" | "NOT", kind: string) =>
      note(
        `${name}:${line}: note: group ${id} lists no ${what}, so it is for ${modifier === "NOT" ? "all" : "no"} ${kind}`,
      )
    if (link.type !== "products.all" && link.values.length === 0) {
      tell("values of its link", link.modifier, "products")
    }
    if (condition !== null && condition.values.length === 0) {
      tell("values of its condition", condition.modifier, "orders")
    }
  })
}

/** Groups whose terms are known. */
export interface GroupsInput extends RuleSetInput {
  /** The name of the input in messages. */
  readonly name: string
  /** Present where a group has terms. `rules` are then the same groups without them, only for matching. */
  readonly counted: CountedRules.CountedRules | undefined
}

/** Counting for each payout needs the payouts, which files do not have. */
const problemOfTerms = ({
  terms,
}: WireGroup.TermedGroup): Pick<Problem, "path" | "message"> | undefined => {
  const term = (["tiers", "cap"] as const).find((name) => terms?.[name]?.period === "payout")
  return term === undefined
    ? undefined
    : {
        path: `terms.${term}.period`,
        message: "payout can't be used with files, only lifetime, year and month",
      }
}

const readList = async (source: Source, note: Note) => {
  const records = await Input.readAll(source, { kind: Input.groups, note })
  const groups = readEach(source.name, records, WireGroup.read)
  checkFields(source.name, records, { known: WireGroup.fields, note })
  noteEmpty(source.name, { records, groups, note })
  const duplicates = repeated(source.name, records, groups)
  if (duplicates.length > 0) throw Problems.unusable(duplicates)
  const lines = new Map(groups.map(({ id }, index) => [id, records[index]?.line ?? 1]))
  const groupLine = lineOf(source.name, records)
  const orRefuse = <A>(rules: Result.Result<A, RuleSet.InvalidRuleSet>): A => {
    if (Result.isSuccess(rules)) return rules.success
    throw Problems.unusable(
      rules.failure.problems.map((problem) => groupLine(...withoutIndex(problem))),
    )
  }
  return { groups, lines, lineOf: groupLine, orRefuse }
}

/** The product groups, checked and ready for matching. A group with terms is refused. */
export const readGroups = async (source: Source, note: Note): Promise<RuleSetInput> => {
  const { groups, lines, lineOf, orRefuse } = await readList(source, note)
  const termed = groups.flatMap(({ terms }, index) =>
    terms == null ? [] : lineOf(index, { path: "terms", message: "can't be used by this command" }),
  )
  if (termed.length > 0) throw Problems.unusable(termed)
  return { rules: orRefuse(RuleSet.parse(groups)), lines, lineOf }
}

/** The product groups with their terms, checked and ready for matching. Only questions about rules take payouts. */
export const readTermedGroups = async (
  source: Source,
  note: Note,
  use: { readonly hasPayouts?: boolean } = {},
): Promise<GroupsInput> => {
  const { groups, lines, lineOf, orRefuse } = await readList(source, note)
  const { name } = source
  if (groups.every(({ terms }) => terms == null)) {
    return { name, rules: orRefuse(RuleSet.parse(groups)), counted: undefined, lines, lineOf }
  }
  const problems = groups.flatMap((group, index) => {
    const problem = use.hasPayouts === true ? undefined : problemOfTerms(group)
    return problem === undefined ? [] : lineOf(index, problem)
  })
  if (problems.length > 0) throw Problems.unusable(problems)
  const counted = orRefuse(CountedRules.parse(groups))
  return { name, rules: CountedRules.highest(counted), counted, lines, lineOf }
}

/**
 * The split policy and the time zone; the defaults when no file is given. Remainders are carried only by the commands
 * that say so.
 */
export const readPolicy = async (
  source: Source | undefined,
  note: Note,
  use: { readonly carries?: boolean } = {},
): Promise<WirePolicy.PolicyFile> => {
  if (source === undefined) return { policy: SplitPolicy.defaults, timeZone: "UTC" }
  const records = await Input.readAll(source, { kind: Input.policy, note })
  const [file, ...others] = readEach(source.name, records, (value) => WirePolicy.read(value, use))
  if (file !== undefined && others.length === 0) return file
  throw Problems.unusable([
    `${source.name}:1: must be one object with the policy's options, got ${records.length}`,
  ])
}
