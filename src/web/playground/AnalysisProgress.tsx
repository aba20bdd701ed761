/** A question that is not answered yet. */
import type { JSX } from "preact"
import { Verbatim } from "../parts/Verbatim.js"
import type { AnalysisState } from "./Analyses.js"

/** How far it is. */
export const AnalysisProgress = ({
  asked,
}: {
  readonly asked: Exclude<AnalysisState<unknown>, { readonly state: "answered" }>
}): JSX.Element => {
  if (asked.state === "unreadable") return <p>First mend what can't be read.</p>
  if (asked.state === "stopped") {
    return (
      <p class="notice notice-warn">
        <Verbatim text={asked.why} most={400} />
      </p>
    )
  }
  if (asked.state === "waiting") return <p class="faint">Looking…</p>
  return (
    <p class="faint">
      Looking at {asked.task}: {asked.done} of {asked.of}.
    </p>
  )
}
