/** How the orders of a run are split one after another: chosen once, by what the groups and the policy need. */
import { rename, writeFile } from "node:fs/promises"
import type { RuleSet } from "../../rules/RuleSet.js"
import * as Split from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import * as ExitCode from "../ExitCode.js"
import type { OrderSplitter } from "./Orders.js"
import type { Note } from "./Records.js"
import type { GroupsInput } from "./Rules.js"
import { RunCounters, readCounters } from "./RunCounters.js"
import { RunRemainders, readRemainders } from "./RunRemainders.js"
import type { Source } from "./Sources.js"

/** What orders are split by that don't depend on each other. */
export interface PlainSplitting {
  readonly rules: RuleSet
  readonly policy: SplitPolicy
}

/** How a run splits, and what it passes on. */
export interface RunSplitter {
  readonly splitter: OrderSplitter
  /** Where each order is split by itself. */
  readonly plain?: PlainSplitting
  /** Where the policy carries. */
  readonly remainders?: RunRemainders
  /** Where groups have terms. */
  readonly counters?: RunCounters
}

/** What earlier runs have left. */
export interface Earlier {
  readonly remainders?: Source | undefined
  readonly counters?: Source | undefined
}

const refuse = (message: string): never => {
  throw new ExitCode.UnusableInput({ message })
}

const onlyWithTerms = "is only for groups with terms"
const onlyWithCarry = 'is only for a policy with "rounding": "carry"'

const checkTogether = (groups: GroupsInput, policy: SplitPolicy): void => {
  if (policy.rounding !== "carry" || groups.counted === undefined) return
  const termed = groups.counted.counted.find(({ terms }) => terms !== null)
  const line = groups.lines.get(termed?.id ?? "") ?? 1
  refuse(
    `${groups.name}:${line}: terms: can't be used with a policy with "rounding": "carry", group ${termed?.id} has terms`,
  )
}

/** Splits each order by itself. */
export const plainSplitter = (rules: RuleSet, policy: SplitPolicy): OrderSplitter => ({
  split: (order) => Split.orderResult(rules, order, policy),
  takeBack: () => undefined,
})

/** The splitter for groups and a policy. */
export const splitterOf = async (
  groups: GroupsInput,
  { policy, timeZone }: { readonly policy: SplitPolicy; readonly timeZone: string },
  {
    remainders,
    counters,
    note,
    until,
  }: Earlier & {
    readonly note: Note
    /** Orders of this time and later count for nothing; absent: all count. */
    readonly until?: number
  },
): Promise<RunSplitter> => {
  checkTogether(groups, policy)
  if (policy.rounding !== "carry" && remainders !== undefined)
    refuse(`--remainders: ${onlyWithCarry}`)
  if (groups.counted === undefined && counters !== undefined) refuse(`--counters: ${onlyWithTerms}`)
  const { rules } = groups
  if (policy.rounding === "carry") {
    const own = new RunRemainders({ rules, policy }, await readRemainders(remainders, note))
    return { splitter: own, remainders: own }
  }
  if (groups.counted !== undefined) {
    const counting = { rules: groups.counted, policy, timeZone, until }
    const own = new RunCounters(counting, await readCounters(counters, note))
    return { splitter: own, counters: own }
  }
  return { splitter: plainSplitter(rules, policy), plain: { rules, policy } }
}

/** Why cores can't share the work; `undefined`: they can. */
export const turnsProblem = ({ remainders, counters }: RunSplitter): string | undefined => {
  const what = remainders !== undefined ? "remainders are carried" : "groups have terms"
  return (remainders ?? counters) === undefined
    ? undefined
    : `--jobs: must be 1 where ${what}, because orders are split one after another`
}

/** Where a run writes what it passes on to the next. */
export interface After {
  readonly remaindersAfter: string | undefined
  readonly countersAfter: string | undefined
}

/** Refuses a file for what the run does not have. */
export const checkAfter = (run: RunSplitter, after: After): void => {
  if (after.remaindersAfter !== undefined && run.remainders === undefined) {
    refuse(`--remainders-after: ${onlyWithCarry}`)
  }
  if (after.countersAfter !== undefined && run.counters === undefined) {
    refuse(`--counters-after: ${onlyWithTerms}`)
  }
}

/** Writes a list; a file that is there is replaced when the new one is complete. */
const writeList = async (
  flag: string,
  name: string,
  lines: ReadonlyArray<string>,
): Promise<void> => {
  try {
    await writeFile(`${name}.new`, lines.length === 0 ? "[]\n" : `[\n${lines.join(",\n")}\n]\n`)
    await rename(`${name}.new`, name)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    refuse(`${flag}: can't be written: ${reason}`)
  }
}

/** Writes what the run passes on. */
export const writeAfter = async (run: RunSplitter, after: After): Promise<void> => {
  const { remaindersAfter, countersAfter } = after
  if (remaindersAfter !== undefined && run.remainders !== undefined) {
    await writeList("--remainders-after", remaindersAfter, run.remainders.lines())
  }
  if (countersAfter !== undefined && run.counters !== undefined) {
    await writeList("--counters-after", countersAfter, run.counters.lines())
  }
}
