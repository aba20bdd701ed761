/** `apportion diff`: whether two files of groups pay everyone the same. */
import { Analysis } from "../../index.js"
import { printable } from "../../orders/Words.js"
import * as AnalysisRun from "../check/CheckCommand.js"
import * as RuleOptions from "../check/RuleOptions.js"
import * as ExitCode from "../ExitCode.js"
import * as Rules from "../input/Rules.js"
import type { Source } from "../input/Sources.js"
import type { Session } from "../Session.js"
import type { Differing, Side } from "./DiffReport.js"
import * as GroupChanges from "./DiffReport.js"

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
      return (await import("./DiffReport.js")).plainTexts(differing)
    case "json":
      return (await import("./DiffReport.js")).jsonTexts(differing)
  }
}

const sideOf = async (source: Source, session: Session): Promise<Side> => {
  const { rules } = await Rules.readGroups(source, session.note)
  return { name: source.name, rules }
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
    changes: GroupChanges.between(one.rules, other.rules),
  }
  await print(session, differing, options.format).catch(ExitCode.unlessClosed)
  return codes[found.verdict]
}
