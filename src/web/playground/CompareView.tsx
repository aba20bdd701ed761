/** Two rule sets side by side: what differs in them, on this order, and on any order. */
import { useComputed } from "@preact/signals"
import * as Result from "effect/Result"
import type { JSX } from "preact"
import { Button } from "../parts/Button.js"
import { Money } from "../parts/Money.js"
import { Table } from "../parts/Table.js"
import { Verbatim } from "../parts/Verbatim.js"
import * as Analyses from "./Analyses.js"
import { AnalysisProgress } from "./AnalysisProgress.js"
import { type Answer, answer } from "./Answer.js"
import { ShowOrder } from "./CheckView.js"
import { groupFields, isFields } from "./Scenario.js"
import * as State from "./State.js"

/** What became of a group. */
interface VersionChange {
  readonly id: string
  readonly what: "added" | "removed" | "changed"
  readonly details: string
}

const idOf = (group: unknown): string => (isFields(group) ? String(group.id) : "")

const detailsOf = (before: unknown, after: unknown): string => {
  const [one, other] = [groupFields(before), groupFields(after)]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const text = (value: unknown) => (value === undefined ? "none" : JSON.stringify(value))
  return names
    .filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
    .map((name) => `${name} was ${text(one[name])}, is ${text(other[name])}`)
    .join("; ")
}

/** The groups that are not the same in both, by their ids. */
export const changesBetween = (
  before: ReadonlyArray<unknown>,
  after: ReadonlyArray<unknown>,
): ReadonlyArray<VersionChange> => {
  const earlier = new Map(before.map((group) => [idOf(group), group]))
  const later = new Set(after.map(idOf))
  const removed: ReadonlyArray<VersionChange> = [...earlier.keys()]
    .filter((id) => !later.has(id))
    .map((id) => ({ id, what: "removed", details: "" }))
  const others = after.flatMap((group): ReadonlyArray<VersionChange> => {
    const id = idOf(group)
    const was = earlier.get(id)
    if (was === undefined) return [{ id, what: "added", details: "" }]
    const details = was === group ? "" : detailsOf(was, group)
    return details === "" ? [] : [{ id, what: "changed", details }]
  })
  return [...removed, ...others]
}

const amountsOf = (one: Answer | undefined): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const { collaboratorId, amount } of one?.split.shares ?? []) {
    sums.set(collaboratorId, (sums.get(collaboratorId) ?? 0n) + BigInt(amount))
  }
  return sums
}

const Amounts = ({
  before,
  after,
}: {
  readonly before: Answer
  readonly after: Answer
}): JSX.Element => {
  const [one, other] = [amountsOf(before), amountsOf(after)]
  const ids = [...new Set([...one.keys(), ...other.keys()])].sort()
  const { currency } = after.order
  const amount = (cents: bigint) => <Money cents={cents} currency={currency} />
  return (
    <Table
      caption="Shares of this order"
      rows={ids}
      keyOf={(id) => id}
      empty="Nobody gets a share of this order, with either."
      columns={[
        { heading: "Who", cell: (id) => <Verbatim text={id} most={60} /> },
        { heading: "Kept version", isFigure: true, cell: (id) => amount(one.get(id) ?? 0n) },
        { heading: "These groups", isFigure: true, cell: (id) => amount(other.get(id) ?? 0n) },
        {
          heading: "Difference",
          isFigure: true,
          cell: (id) => amount((other.get(id) ?? 0n) - (one.get(id) ?? 0n)),
        },
      ]}
    />
  )
}

const verdicts = {
  equivalent: "Proved: both pay everyone the same, to the cent, for every possible order.",
  different: "They differ: there is an order for which they pay somebody differently.",
  undecided:
    "Not decided within the budget of this page. The command line has more: apportion diff.",
} as const

const Verdict = (): JSX.Element => {
  const asked = Analyses.comparison.value
  if (asked.state !== "answered") return <AnalysisProgress asked={asked} />
  const { verdict, witness } = asked.value
  const kind = verdict === "equivalent" ? "notice-good" : "notice-warn"
  return (
    <div class={`notice ${kind}`} data-view="verdict">
      <p>{verdicts[verdict]}</p>
      {witness !== null && <ShowOrder witness={witness} />}
    </div>
  )
}

const Keep = ({ label }: { readonly label: string }): JSX.Element => (
  <Button
    onPress={() => {
      State.other.value = State.groups.value
    }}
  >
    {label}
  </Button>
)

const mostChanges = 50

const Compared = ({ other }: { readonly other: ReadonlyArray<unknown> }): JSX.Element => {
  const changes = useComputed(() => changesBetween(State.other.value ?? [], State.groups.value))
  const kept = useComputed(() => answer({ ...State.inputs.value, groups: State.other.value ?? [] }))
  const after = State.latest.value
  const before = Result.isSuccess(kept.value) ? kept.value.success : undefined
  return (
    <div data-view="comparison">
      <Verdict />
      {before !== undefined && after !== undefined ? (
        <Amounts before={before} after={after} />
      ) : (
        <p>One of the versions can't split this order.</p>
      )}
      <h3>Groups</h3>
      {changes.value.length === 0 && <p>All {other.length} groups are the same.</p>}
      <ul class="plain">
        {changes.value.slice(0, mostChanges).map(({ id, what, details }) => (
          <li key={id}>
            <strong>
              <Verbatim text={id} most={60} />
            </strong>{" "}
            {what}
            {details !== "" && ": "}
            <Verbatim text={details} most={300} />
          </li>
        ))}
      </ul>
      <div class="row">
        <Keep label="Keep these groups instead" />
        <Button
          onPress={() => {
            const before = State.other.value
            State.other.value = State.groups.value
            if (before !== null) State.showGroups(before)
          }}
        >
          Change sides
        </Button>
        <Button
          onPress={() => {
            State.other.value = null
          }}
        >
          Stop comparing
        </Button>
      </div>
    </div>
  )
}

/** The comparison, or the way to begin one. */
export const CompareView = (): JSX.Element => {
  const other = State.other.value
  if (other !== null) return <Compared other={other} />
  return (
    <>
      <p>
        Keep the groups as they are now, and change them: what that does to this order and to every
        other is told here.
      </p>
      <Keep label="Keep these groups to compare with" />
    </>
  )
}
