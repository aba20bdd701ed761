/** Saving and deleting a product group: what changes, and what it would have changed. */
import { type Signal, signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import type { GroupForm, ProposedGroup, StoredGroup } from "./Answers.js"
import { BacktestFigures, useBacktestMonth } from "./Backtest.js"
import { BeforeAfter, type FigureChange, type PlannedChange } from "./Change.js"
import { NameOf } from "./Collaborators.js"
import { ask, path } from "./Connection.js"
import { draftOf, type GroupDraft } from "./GroupDraft.js"
import { centsOf, GroupConditions, GroupLink, GroupPay, GroupTimes } from "./GroupWords.js"
import { Name } from "./Name.js"

const percentTold = (percent: string): string => (percent === "" ? "–" : `${Number(percent)} %`)

const amounts = [
  ["shippingPercent", "Percentage of the shipping", percentTold],
  ["shippingAmount", "Of the shipping, for each unit", centsOf],
  ["least", "Least for an item", centsOf],
  ["most", "Most for an item", centsOf],
] as const

const told = (draft: GroupDraft | undefined, name: (typeof amounts)[number][0]): string =>
  draft?.[name] ?? ""

const deducted = (draft: GroupDraft | undefined): string =>
  draft === undefined ? "" : draft.deducts ? "yes" : "no"

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Each field that differs, in words. */
const differencesOf = (
  before: GroupForm | undefined,
  after: GroupForm,
): ReadonlyArray<FigureChange> => {
  const old = before === undefined ? undefined : draftOf(before)
  const next = draftOf(after)
  const differs = (...names: ReadonlyArray<keyof GroupDraft>) =>
    names.some((name) => !isSame(old?.[name], next[name]))
  const row = (what: string, one: (form: GroupForm) => ComponentChildren): FigureChange => ({
    what,
    ...(before === undefined ? {} : { before: one(before) }),
    after: one(after),
  })
  return [
    ...(differs("itemType", "items", "isLinkNot")
      ? [row("Products", (form) => <GroupLink of={form} />)]
      : []),
    ...(differs("condition", "conditions", "isConditionNot")
      ? [row("Orders", (form) => <GroupConditions of={form} />)]
      : []),
    ...(differs("type", "percent", "amount", "terms")
      ? [row("Gets", (form) => <GroupPay of={form} />)]
      : []),
    ...(differs("startsAt", "endsAt") ? [row("Counts", (form) => <GroupTimes of={form} />)] : []),
    ...amounts
      .filter(([name]) => told(old, name) !== told(next, name))
      .map(([name, what, inWords]) => ({
        what,
        before: inWords(told(old, name)),
        after: inWords(told(next, name)),
      })),
    ...(old !== undefined && old.deducts !== next.deducts
      ? [{ what: "Deducted before others", before: deducted(old), after: deducted(next) }]
      : []),
  ]
}

const PastFigures = ({ of, isLoading }: { of: ProposedGroup; isLoading: Signal<boolean> }) => {
  const month = useBacktestMonth()
  return (
    <>
      <h3>What it would have changed</h3>
      {month === undefined ? (
        <p class="faint">Loading…</p>
      ) : (
        <BacktestFigures of={of} month={month} isLoading={isLoading} />
      )}
      <p class="faint">Sales that are recorded already stay as they are.</p>
    </>
  )
}

const pathOf = (collaborator: string, ...more: ReadonlyArray<string>) =>
  path("collaborators", collaborator, "products", ...more)

export const saving = (
  stored: StoredGroup | undefined,
  proposed: ProposedGroup,
): PlannedChange<unknown> => {
  const { collaborator_id, group } = proposed
  const rows = group === null ? [] : differencesOf(stored?.group, group)
  const where = pathOf(collaborator_id, ...(stored === undefined ? [] : [stored.id]))
  const isLoading = signal(true)
  return {
    isLoading,
    title: stored === undefined ? "Create the group" : "Change the group",
    verb: stored === undefined ? "Create it" : "Save it",
    preview: (
      <>
        <p>
          For <NameOf id={collaborator_id} />, from the next sale on:
        </p>
        {rows.length === 0 ? <p>Nothing in the form has changed.</p> : <BeforeAfter of={rows} />}
        <PastFigures of={proposed} isLoading={isLoading} />
      </>
    ),
    send: (key) =>
      ask(where, { method: "PUT", body: group, ...(stored === undefined ? { key } : {}) }),
    result: () => <p>Saved. Its products are linked in the background.</p>,
  }
}

export const removal = (stored: StoredGroup): PlannedChange<unknown> => {
  const { id, collaborator, group } = stored
  const isLoading = signal(true)
  return {
    ...{ title: "Delete the group", verb: "Delete it", isGrave: true, isLoading },
    preview: (
      <>
        <p>
          <Name name={collaborator.name} id={collaborator.id} /> gets nothing by this group from the
          next sale on: <GroupPay of={group} /> of <GroupLink of={group} />.
        </p>
        <PastFigures
          of={{ collaborator_id: collaborator.id, group_id: id, group: null }}
          isLoading={isLoading}
        />
      </>
    ),
    send: () => ask(pathOf(collaborator.id, id), { method: "DELETE" }),
    result: () => <p>Deleted. Recorded sales stay as they are.</p>,
  }
}
