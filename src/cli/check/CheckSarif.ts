/** The findings of a check as SARIF 2.1.0, for programs that show findings of linters. */

import { isAbsolute } from "node:path"
import { pathToFileURL } from "node:url"
import {
  SarifBuilder,
  SarifResultBuilder,
  SarifRuleBuilder,
  SarifRunBuilder,
} from "node-sarif-builder"
import type { Location, Region } from "sarif"
import manifest from "../../../package.json" with { type: "json" }
import { Analysis } from "../../index.js"
import * as OrderWords from "../output/OrderWords.js"
import type { Checked } from "./CheckReport.js"

const uriOf = (name: string): string =>
  isAbsolute(name)
    ? pathToFileURL(name).href
    : name
        .split(/[/\\]/)
        .map((part) => encodeURIComponent(part))
        .join("/")

const logicalOf = (id: string) => ({ name: id, fullyQualifiedName: id, kind: "element" })

/** The location of a group in the file; a finding about no group concerns the whole file. */
const locationOf = (id: string | undefined, { name, isFile, lines }: Checked): Location => {
  const region: Region = { startLine: (id === undefined ? undefined : lines.get(id)) ?? 1 }
  return {
    ...(isFile ? { physicalLocation: { artifactLocation: { uri: uriOf(name) }, region } } : {}),
    ...(id === undefined ? {} : { logicalLocations: [logicalOf(id)] }),
  }
}

/** The location of an agreement, which has no line of its own. */
const locationOfAgreement = (id: string, { agreements }: Checked): Location => ({
  ...(agreements?.isFile === true
    ? {
        physicalLocation: {
          artifactLocation: { uri: uriOf(agreements.name) },
          region: { startLine: 1 },
        },
      }
    : {}),
  logicalLocations: [logicalOf(id)],
})

const locationsOf = (
  { groupIds, agreementIds = [] }: Analysis.Finding,
  checked: Checked,
): ReadonlyArray<Location> => {
  const agreements = agreementIds.map((id) => locationOfAgreement(id, checked))
  const groups = groupIds.map((id) => locationOf(id, checked))
  const all = [...agreements, ...groups]
  return all.length === 0 ? [locationOf(undefined, checked)] : all
}

const ruleOf = (rule: Analysis.CheckRuleDescription): SarifRuleBuilder =>
  new SarifRuleBuilder({
    id: rule.id,
    name: rule.id,
    shortDescription: { text: rule.title },
    fullDescription: { text: `${rule.title} ${rule.why}` },
    help: { text: `${rule.why}\n\nWhat to do: ${rule.whatToDo}` },
    defaultConfiguration: { level: rule.severity },
  })

const messageOf = ({ message, witness }: Analysis.Finding, { isKnown }: Checked): string =>
  witness === undefined ? message : `${message} For example ${OrderWords.toLine(witness, isKnown)}.`

const resultOf = (finding: Analysis.Finding, checked: Checked): SarifResultBuilder => {
  const { rule, severity, groupIds, agreementIds = [], products = [] } = finding
  const [first, ...others] = locationsOf(finding, checked)
  const subject = [rule, ...groupIds, ...agreementIds, ...products].join("\n")
  return new SarifResultBuilder({
    ruleId: rule,
    level: severity,
    message: { text: messageOf(finding, checked) },
    locations: first === undefined ? [] : [first],
    ...(others.length === 0 ? {} : { relatedLocations: others }),
    partialFingerprints: { "finding/v1": subject },
  })
}

/** The log, with one run. */
export function* texts(checked: Checked): Generator<string> {
  const run = new SarifRunBuilder({ columnKind: "utf16CodeUnits" }).initSimple({
    toolDriverName: manifest.name,
    toolDriverVersion: manifest.version,
  })
  for (const rule of Analysis.checkRules) run.addRule(ruleOf(rule))
  for (const finding of checked.findings) run.addResult(resultOf(finding, checked))
  const log = new SarifBuilder()
  log.addRun(run)
  yield `${JSON.stringify(log.buildSarifOutput(), undefined, 2)}\n`
}
