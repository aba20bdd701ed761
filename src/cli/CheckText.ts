/** What a check found, for people. */
import type { Analysis } from "../index.js"
import { type Checked, severities } from "./Checked.js"
import * as OrderWords from "./OrderWords.js"
import { oneLine } from "./Printable.js"

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

const placeOf = ({ groupIds: [first] }: Analysis.Finding, { name, lines }: Checked): string => {
  const line = first === undefined ? undefined : lines.get(first)
  return line === undefined ? "" : ` (${name}:${line})`
}

const exampleOf = (
  { witness }: Analysis.Finding,
  { rules, policy, isKnown }: Checked,
): ReadonlyArray<string> => {
  if (witness === undefined) return []
  const { order } = witness
  return [
    `For example ${OrderWords.toLine(order, isKnown)}:`,
    ...OrderWords.claimLines(rules, order, policy),
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

/** The text, grouped by severity; what is proved and how much was found come last. */
export function* texts(checked: Checked): Generator<string> {
  const { findings, counts, proved } = checked
  for (const severity of severities) {
    const found = findings.filter((finding) => finding.severity === severity)
    if (found.length === 0) continue
    yield `${titles[severity]}\n`
    for (const [rule, alike] of Map.groupBy(found, (finding) => finding.rule)) {
      // One that is left over takes no more room than to say so.
      const count = alike.length > checked.shown + 1 ? checked.shown : alike.length
      for (const finding of alike.slice(0, count)) yield textOf(finding, checked)
      const left = alike.length - count
      if (left > 0)
        yield `  ${rule}: ${left} more like ${count === 1 ? "this" : "these"}; --show 0 shows all\n`
    }
    yield "\n"
  }
  for (const { message } of proved) yield `proved: ${message}\n`
  const told = severities.map((severity) => plural(counts[severity], severity))
  yield `${plural(checked.rules.groups.length, "group")}: ${told.join(", ")}\n`
}
