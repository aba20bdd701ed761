/** What a check found, for programs. */
import type { Analysis } from "../index.js"
import * as Explanation from "../shares/Explanation.js"
import * as Split from "../shares/Split.js"
import * as WireOrder from "../wire/Order.js"
import type { Checked } from "./Checked.js"
import * as Json from "./Json.js"

const witnessOf = ({ witness }: Analysis.Finding, { rules, policy }: Checked) => {
  if (witness === undefined) return undefined
  const split = Split.order(rules, witness.order, { ...policy, overAllocation: "allow" })
  return {
    ...witness,
    order: WireOrder.write(witness.order),
    explanation: Explanation.ofSplit(split),
  }
}

const findingOf = (finding: Analysis.Finding, checked: Checked) => {
  const { rule, severity, groupIds, collaboratorId, products, values, message } = finding
  const lines = groupIds.map((id) => checked.lines.get(id) ?? null)
  const about = { rule, severity, message, groupIds, lines, collaboratorId, products, values }
  return { ...about, witness: witnessOf(finding, checked) }
}

/** The document. */
export function* texts(checked: Checked): Generator<string> {
  const document = {
    groups: checked.name,
    counts: checked.counts,
    findings: checked.findings.map((finding) => findingOf(finding, checked)),
    proved: checked.proved,
  }
  yield `${JSON.stringify(Json.inSnakeCase(document), undefined, 2)}\n`
}
