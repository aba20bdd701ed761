/** The product groups: a list, the form of one, or all of them as JSON. */
import { useComputed, useSignal } from "@preact/signals"
import type { JSX } from "preact"
import { money } from "../../orders/Words.js"
import { Button } from "../parts/Button.js"
import { Tabs } from "../parts/Tabs.js"
import { termsDraftOf } from "../parts/TermsDraft.js"
import { capInWords, tiersInWords } from "../parts/TermsWords.js"
import { Verbatim } from "../parts/Verbatim.js"
import { VirtualList } from "../parts/VirtualList.js"
import { GroupForm } from "./GroupForm.js"
import { JsonView } from "./JsonView.js"
import { PolicyForm } from "./PolicyForm.js"
import { isFields, readGroup } from "./Scenario.js"
import * as State from "./State.js"

/** A row of the list. */
interface GroupRow {
  readonly key: string
  readonly id: string
  readonly about: string
  readonly mark: "pays" | "problem" | "none"
}

const paid = (group: unknown, currency: string): string => {
  const { value } = readGroup(group)
  if (value === undefined) return "has a problem"
  const { tiers, cap } = termsDraftOf(value.terms)
  const amount = (cents: number) => money(cents, currency)
  const amounts = [
    ...(value.percent === null ? [] : [`${value.percent} %`]),
    ...(value.amount === null ? [] : [money(value.amount, currency)]),
    ...(tiers === null ? [] : [tiersInWords(tiers, amount)]),
  ]
  const most = cap === null ? "" : `, ${capInWords(cap, amount)}`
  return `${value.collaboratorId} gets ${amounts.join(" and ")}${most}`
}

const rowsOf = (): ReadonlyArray<GroupRow> => {
  const paying = new Set(State.latest.value?.split.shares.map(({ groupId }) => groupId))
  const currency = State.currency.value
  return State.groups.value.map((group, place) => {
    const id = isFields(group) ? String(group.id) : ""
    const isRead = readGroup(group).value !== undefined
    return {
      key: `${place} ${id}`,
      id,
      about: paid(group, currency),
      mark: isRead ? (paying.has(id) ? "pays" : "none") : "problem",
    }
  })
}

const marks = {
  pays: <span class="mark mark-pays">pays</span>,
  problem: <span class="mark mark-problem">problem</span>,
  none: null,
} as const

const Groups = (): JSX.Element => {
  const rows = useComputed(rowsOf)
  const place = State.chosenGroup.value
  const group = State.groups.value[place]
  return (
    <>
      <VirtualList
        label="Product groups"
        rows={rows.value}
        keyOf={({ key }) => key}
        chosen={rows.value.length === 0 ? undefined : place}
        onChoose={(next) => {
          State.chosenGroup.value = next
        }}
        rowsSeen={5}
        row={({ id, about, mark }) => (
          <span class="group-row">
            <strong>
              <Verbatim text={id} most={60} />
            </strong>
            <span class="faint">
              <Verbatim text={about} most={80} />
            </span>
            {marks[mark]}
          </span>
        )}
      />
      <div class="row below">
        <Button onPress={() => State.addGroup()}>Add a group</Button>
      </div>
      {group !== undefined && (
        <GroupForm key={place} place={place} group={group} currency={State.currency.value} />
      )}
    </>
  )
}

const views = [
  { name: "form", label: "Form" },
  { name: "json", label: "JSON" },
] as const

/** The pane. */
export const GroupPane = (): JSX.Element => {
  const view = useSignal<"form" | "json">("form")
  return (
    <section aria-labelledby="groups">
      <h2 id="groups">
        Product groups <span class="faint">({State.groups.value.length})</span>
      </h2>
      <div class="sheet">
        <Tabs
          label="Groups as"
          tabs={views}
          chosen={view.value}
          onChoose={(name) => {
            view.value = name
          }}
        >
          {view.value === "form" ? <Groups /> : <JsonView subject="groups" />}
        </Tabs>
      </div>
      <PolicyForm />
    </section>
  )
}
