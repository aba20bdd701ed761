/** The payouts, by the filters of the API. */

import { Button } from "../parts/Button.js"
import { SelectField, TextField } from "../parts/Field.js"
import type { Column } from "../parts/Table.js"
import { counted, money } from "./Amount.js"
import type { ListedPayout } from "./Answers.js"
import { CollaboratorChoice } from "./Collaborators.js"
import { LongTable } from "./LongTable.js"
import { Id, Name } from "./Name.js"
import { Badge, LoadFailure } from "./Notice.js"
import { usePages } from "./Pages.js"
import { link, route, select } from "./Route.js"
import { date, dayEnd, dayOf, dayStart, monthAfter, monthOf, monthStart, now } from "./Time.js"

const statuses = [
  ["", "All"],
  ["active", "Active: collecting"],
  ["pending", "Pending: to be paid"],
  ["paid", "Paid"],
  ["manually paid", "Manually paid"],
  ["failed", "Failed"],
] as const

const columns: ReadonlyArray<Column<ListedPayout>> = [
  {
    heading: "Collaborator",
    cell: ({ id, collaborator }) => (
      <a href={link(["payouts", id])}>
        <Name name={collaborator.account.name} id={collaborator.id} />
      </a>
    ),
  },
  { heading: "Status", cell: ({ status }) => <Badge of={status} /> },
  {
    heading: "Total",
    isFigure: true,
    cell: ({ total, currency }) => (total === undefined ? currency : money(total, currency)),
  },
  { heading: "To be paid", cell: ({ to_be_paid_at }) => date(to_be_paid_at) },
  {
    heading: "Paid",
    cell: ({ paid_at }) => (paid_at === null ? "–" : date(paid_at)),
  },
  { heading: "Payout", cell: ({ id }) => <Id of={id} /> },
]

const DayFilter = ({ name, label }: { name: string; label: string }) => (
  <TextField
    label={label}
    type="date"
    value={route.value.query.get(name) ?? ""}
    onValue={(day) => select({ [name]: day })}
  />
)

/** The days of the month before this one. */
const lastMonth = () => {
  const month = monthAfter(monthOf(now()), -1)
  const first = monthStart(month)
  return { paid_from: dayOf(first), paid_to: dayOf(monthStart(monthAfter(month, 1)) - 1) }
}

const Filters = () => {
  const { query } = route.value
  return (
    <fieldset class="filters">
      <legend class="spoken">Filters</legend>
      <SelectField
        label="Status"
        value={query.get("status") ?? ""}
        choices={statuses}
        onValue={(status) => select({ status })}
      />
      <CollaboratorChoice
        value={query.get("collaborator") ?? ""}
        none="All"
        onValue={(collaborator) => select({ collaborator })}
      />
      <DayFilter name="due_from" label="To be paid from" />
      <DayFilter name="due_to" label="To be paid until" />
      <DayFilter name="paid_from" label="Paid from" />
      <DayFilter name="paid_to" label="Paid until" />
      <Button onPress={() => select(lastMonth())}>Paid last month</Button>
      {query.size > 0 && (
        <a class="button" href={link(["payouts"])}>
          Clear filters
        </a>
      )}
    </fieldset>
  )
}

const seconds = (name: string, read: (day: string) => number | undefined): number | undefined =>
  read(route.value.query.get(name) ?? "")

export const Payouts = () => {
  const { query } = route.value
  const list = usePages<ListedPayout>("payouts", {
    include_totals: "true",
    status: query.get("status") ?? undefined,
    collaborator: query.get("collaborator") ?? undefined,
    "expectedPaymentDate[start_date]": seconds("due_from", dayStart),
    "expectedPaymentDate[end_date]": seconds("due_to", dayEnd),
    "paidDate[start_date]": seconds("paid_from", dayStart),
    "paidDate[end_date]": seconds("paid_to", dayEnd),
  })
  return (
    <>
      <div class="title">
        <h1 tabIndex={-1}>Payouts</h1>
        <a class="button button-main" href={link(["payment-run"])}>
          Pay what is due
        </a>
      </div>
      <Filters />
      {list.failure !== undefined && <LoadFailure failure={list.failure} />}
      <p class="faint" role="status">
        {list.total === undefined ? "" : counted(list.total, "payout")}
      </p>
      <LongTable
        caption="Payouts"
        columns={columns}
        list={list}
        empty="No payout matches these filters."
      />
    </>
  )
}
