/** What was counted before the order, for terms that depend on earlier sales: a form, or JSON. */
import { useSignal } from "@preact/signals"
import type { JSX } from "preact"
import * as Counters from "../../terms/Counters.js"
import * as WireCounters from "../../wire/Counters.js"
import { Button } from "../parts/Button.js"
import { Money, MoneyField, WholeField } from "../parts/Money.js"
import { Table } from "../parts/Table.js"
import { Tabs } from "../parts/Tabs.js"
import { Verbatim } from "../parts/Verbatim.js"
import type { Answer } from "./Answer.js"
import { JsonView } from "./JsonView.js"
import { readCounters } from "./Scenario.js"
import * as State from "./State.js"

/** As many counters have a field; of more, they can be changed as JSON. */
const mostFields = 20

const counts = { units: "Units of", base: "Sales of", share: "Paid by" } as const

/** As `Units of group novel, 2026-03`; what a collaborator was paid is by all of their groups. */
const nameOf = (key: string): string => {
  const counter = Counters.read(key)
  if (counter === undefined) return key
  const { counted, per, id, period } = counter
  const time = period === "lifetime" ? "" : `, ${period.replace(/^payout:/, "payout ")}`
  const of = counted === "share" && per === "collaborator" ? "Paid to" : counts[counted]
  return `${of} ${per} ${id}${time}`
}

const keysOf = (before: Counters.Counters, latest: Answer | undefined): ReadonlyArray<string> =>
  [...new Set([...Object.keys(before), ...Object.keys(latest?.counters.after ?? {})])].sort()

const CounterField = (given: {
  readonly name: string
  readonly before: Counters.Counters
}): JSX.Element => {
  const { name, before } = given
  const counter = Counters.read(name)
  const field = {
    label: nameOf(name).slice(0, 120),
    value: before[name] ?? 0,
    onValue: (count: number | null) => {
      State.counters.value = WireCounters.write({ ...before, [name]: count ?? 0 })
    },
  }
  return counter === undefined || counter.counted === "units" ? (
    <WholeField {...field} />
  ) : (
    <MoneyField {...field} currency={counter.currency} />
  )
}

const CounterForm = (): JSX.Element => {
  const { value: before } = readCounters(State.counters.value)
  if (before === undefined) return <p>They can’t be read: change them as JSON.</p>
  const keys = keysOf(before, State.latest.value)
  return (
    <>
      <p class="faint">How far earlier sales have come, before this order.</p>
      <div class="pair">
        {keys.slice(0, mostFields).map((key) => (
          <CounterField key={key} name={key} before={before} />
        ))}
      </div>
      {keys.length > mostFields && (
        <p>The other {keys.length - mostFields} can be changed as JSON.</p>
      )}
    </>
  )
}

const views = [
  { name: "form", label: "Form" },
  { name: "json", label: "JSON" },
] as const

/** The pane; nothing where no group has terms and nothing was counted. */
export const CountedPane = (): JSX.Element | null => {
  const view = useSignal<"form" | "json">("form")
  const isCounting = State.latest.value?.isCounting === true
  if (!isCounting && State.counters.value.length === 0) return null
  return (
    <details class="sheet" data-form="counters" open>
      <summary>Counted before</summary>
      <Tabs
        label="Counted before as"
        tabs={views}
        chosen={view.value}
        onChoose={(name) => {
          view.value = name
        }}
      >
        {view.value === "form" ? <CounterForm /> : <JsonView subject="counters" />}
      </Tabs>
    </details>
  )
}

const Count = ({ of, count }: { readonly of: string; readonly count: number }): JSX.Element => {
  const counter = Counters.read(of)
  return counter === undefined || counter.counted === "units" ? (
    <span class="figure">{count.toLocaleString("en")}</span>
  ) : (
    <Money cents={count} currency={counter.currency} />
  )
}

/** What was counted before the order and with it, and the way to the next order. */
export const CountedTable = ({ answer }: { readonly answer: Answer }): JSX.Element | null => {
  const { before, after } = answer.counters
  const keys = keysOf(before, answer)
  if (keys.length === 0) return null
  return (
    <div data-view="counted">
      <Table
        caption="How far sales are counted"
        rows={keys.slice(0, 200)}
        keyOf={(key) => key}
        columns={[
          { heading: "What", cell: (key) => <Verbatim text={nameOf(key)} most={80} /> },
          {
            heading: "Before",
            isFigure: true,
            cell: (key) => <Count of={key} count={before[key] ?? 0} />,
          },
          {
            heading: "With this order",
            isFigure: true,
            cell: (key) => <Count of={key} count={after[key] ?? 0} />,
          },
        ]}
      />
      <div class="row below">
        <Button
          onPress={() => {
            State.showCounters(WireCounters.write(after))
          }}
        >
          Sell the same again
        </Button>
      </div>
    </div>
  )
}
