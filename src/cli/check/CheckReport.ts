import * as Result from "effect/Result"
import { splitAt } from "../../analysis/CountedOrders.js"
import type { Analysis } from "../../index.js"
import * as Json from "../../internal/names.js"
import { counted, oneLine } from "../../orders/Words.js"
import * as Explanation from "../../shares/Explanation.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import * as WireCounters from "../../wire/Counters.js"
import * as WireOrder from "../../wire/Order.js"
import type { Source } from "../input/Sources.js"
import * as OrderWords from "../output/OrderWords.js"

// The result of a check, with what its report needs.

/** The findings, and the input that they are about. */
export interface Checked {
  /** The input of the groups, as named by the user. */
  readonly name: string
  /** Whether that is a file, which another program can open. */
  readonly isFile: boolean
  readonly rules: Analysis.AnyRules
  readonly groupCount: number
  /** The input of the agreements, if there is one. */
  readonly agreements: Pick<Source, "name" | "isFile"> | undefined
  readonly policy: SplitPolicy
  /** Whether a catalogue was given. */
  readonly isKnown: boolean
  /** The line on which a group begins. */
  readonly lines: ReadonlyMap<string, number>
  /** The findings that are reported. */
  readonly findings: ReadonlyArray<Analysis.Finding>
  /** How many of each severity were found, reported or not. */
  readonly counts: { readonly [Severity in Analysis.Severity]: number }
  /** How many findings of a kind a text lists. */
  readonly shown: number
  readonly proved: ReadonlyArray<Analysis.Proof>
}

/** The severities, the highest first. */
export const severities: readonly ["error", "warning", "note"] = ["error", "warning", "note"]

/** Whether one severity is at least as high as another. */
export const isAtLeast = (one: Analysis.Severity, other: Analysis.Severity): boolean =>
  severities.indexOf(one) <= severities.indexOf(other)

// The findings of a check, for people.

const placeOf = ({ groupIds: [first] }: Analysis.Finding, { name, lines }: Checked): string => {
  const line = first === undefined ? undefined : lines.get(first)
  return line === undefined ? "" : ` (${name}:${line})`
}

const exampleOf = (
  { witness }: Analysis.Finding,
  { rules, policy, isKnown }: Checked,
): ReadonlyArray<string> => {
  if (witness === undefined) return []
  return [
    `For example ${OrderWords.toLine(witness, isKnown)}:`,
    ...OrderWords.claimLines(rules, witness, policy),
  ]
}

const textOf = (finding: Analysis.Finding, checked: Checked): string =>
  [
    `  ${finding.rule}: ${oneLine(finding.message)}${placeOf(finding, checked)}`,
    ...OrderWords.indented(exampleOf(finding, checked), "    "),
  ]
    .map((line) => `${line}\n`)
    .join("")

const titles = { error: "Errors", warning: "Warnings", note: "Notes" } as const

/** The text, grouped by severity; the proofs and the counts come last. */
export function* plainTexts(checked: Checked): Generator<string> {
  const { findings, counts, proved } = checked
  for (const severity of severities) {
    const found = findings.filter((finding) => finding.severity === severity)
    if (found.length === 0) continue
    yield `${titles[severity]}\n`
    for (const [rule, alike] of Map.groupBy(found, (finding) => finding.rule)) {
      // A single remaining finding takes no more space than a note about it.
      const count = alike.length > checked.shown + 1 ? checked.shown : alike.length
      for (const finding of alike.slice(0, count)) yield textOf(finding, checked)
      const left = alike.length - count
      if (left > 0)
        yield `  ${rule}: ${left} more like ${count === 1 ? "this" : "these"}; --show 0 shows all\n`
    }
    yield "\n"
  }
  for (const { message } of proved) yield `proved: ${message}\n`
  const told = severities.map((severity) => counted(counts[severity], severity))
  yield `${counted(checked.groupCount, "group")}: ${told.join(", ")}\n`
}

// The findings of a check, for programs.

const witnessOf = ({ witness }: Analysis.Finding, { rules, policy }: Checked) => {
  if (witness === undefined) return undefined
  const { order, counters } = witness
  const split = splitAt(rules, order, { ...policy, overAllocation: "allow" }, counters ?? {})
  return {
    ...witness,
    order: WireOrder.write(order),
    counters: counters && WireCounters.write(counters),
    explanation: Result.isSuccess(split) ? Explanation.ofSplit(split.success) : undefined,
  }
}

const findingOf = (finding: Analysis.Finding, checked: Checked) => {
  const { rule, severity, groupIds, agreementIds } = finding
  const { collaboratorId, products, values, message } = finding
  const lines = groupIds.map((id) => checked.lines.get(id) ?? null)
  const about = { rule, severity, message, groupIds, lines, agreementIds, collaboratorId }
  return { ...about, products, values, witness: witnessOf(finding, checked) }
}

/** The document. */
export function* jsonTexts(checked: Checked): Generator<string> {
  const document = {
    groups: checked.name,
    agreements: checked.agreements?.name,
    counts: checked.counts,
    findings: checked.findings.map((finding) => findingOf(finding, checked)),
    proved: checked.proved,
  }
  yield `${JSON.stringify(Json.inSnakeCase(document), undefined, 2)}\n`
}
