/** What the linter finds in the groups, with the smallest order that shows it. */
import type { JSX } from "preact"
import type { Finding, Witness } from "../../analysis/Analysis.js"
import { Button } from "../parts/Button.js"
import { tell } from "../parts/Toast.js"
import { Verbatim } from "../parts/Verbatim.js"
import * as Analyses from "./Analyses.js"
import { AnalysisProgress } from "./AnalysisProgress.js"
import { writeOrder } from "./Scenario.js"
import * as State from "./State.js"

const mostFindings = 50

const kinds = { error: "notice-bad", warning: "notice-warn", note: "" } as const

/** A button that puts the order that shows something into the page. */
export const ShowOrder = ({ witness }: { readonly witness: Witness }): JSX.Element => (
  <Button
    onPress={() => {
      State.showOrder(writeOrder(witness.order))
      tell("This order is in the page now.")
    }}
  >
    {witness.isSmallest ? "Show the smallest order with it" : "Show an order with it"}
  </Button>
)

const One = ({ finding }: { readonly finding: Finding }): JSX.Element => (
  <li class={`notice ${kinds[finding.severity]}`}>
    <p>
      <strong>{finding.severity}</strong> {finding.rule}:{" "}
      <Verbatim text={finding.message} most={600} />
    </p>
    {finding.witness !== undefined && <ShowOrder witness={finding.witness} />}
  </li>
)

/** The findings, as soon as there are any. */
export const CheckView = (): JSX.Element => {
  const asked = Analyses.check.value
  if (asked.state !== "answered") return <AnalysisProgress asked={asked} />
  const { findings, proved } = asked.value
  return (
    <div data-view="findings">
      {findings.length === 0 && <p class="notice notice-good">Nothing was found.</p>}
      <ul class="plain">
        {findings.slice(0, mostFindings).map((finding) => (
          <One
            key={`${finding.rule} ${finding.groupIds.join("\n")} ${finding.message}`}
            finding={finding}
          />
        ))}
      </ul>
      {findings.length > mostFindings && <p>And {findings.length - mostFindings} more.</p>}
      {proved.length > 0 && <h3>Proved for every possible order</h3>}
      <ul>
        {proved.map(({ rule, message }) => (
          <li key={rule}>
            <Verbatim text={message} most={600} />
          </li>
        ))}
      </ul>
    </div>
  )
}
