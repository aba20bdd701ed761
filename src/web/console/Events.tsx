/** What happened in the account, the latest first. */

import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { type Column, Table } from "../parts/Table.js"
import { Verbatim } from "../parts/Verbatim.js"
import { money } from "./Amount.js"
import type { EventRow } from "./Answers.js"
import { NameOf } from "./Collaborators.js"
import { useLoad } from "./Load.js"
import { Actor, Id } from "./Name.js"
import { Shown } from "./Notice.js"
import { link } from "./Route.js"
import { moment } from "./Time.js"

const perPage = 100

interface EventsPage {
  readonly data: ReadonlyArray<EventRow>
  readonly meta: { readonly last: number }
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "")

const wordOf = (name: string): string => name.replaceAll("_", " ")

/** The fields of events that name something, and the view that shows it. */
const places = [
  ["payout_id", "Payout", "payouts"],
  ["order_id", "Sale", "sales"],
  ["group_id", "Group", "groups"],
] as const

/** What can be looked at of what happened. */
const Subjects = ({ of }: { of: EventRow["data"] }) => (
  <>
    {typeof of.collaborator_id === "string" && (
      <div>
        <NameOf id={of.collaborator_id} />
      </div>
    )}
    {places.map(([name, word, place]) => {
      const id = of[name]
      return typeof id !== "string" ? null : (
        <div key={name}>
          {word}{" "}
          <a href={link([place, id])}>
            <Id of={id} />
          </a>
        </div>
      )
    })}
  </>
)

const amounts = ["amount", "total", "distributable"] as const

const amountOf = ({ data }: EventRow): string => {
  const { currency } = data
  const name = amounts.find((one) => typeof data[one] === "number")
  const amount = name === undefined ? undefined : data[name]
  return typeof amount === "number" && typeof currency === "string" ? money(amount, currency) : "–"
}

const Facts = ({ of }: { of: EventRow["data"] }) => (
  <details>
    <summary>All</summary>
    <dl class="facts">
      {Object.entries(of).flatMap(([name, value]) => [
        <dt key={`${name} name`}>{wordOf(name)}</dt>,
        <dd key={name}>
          <Verbatim text={textOf(value)} most={1000} />
        </dd>,
      ])}
    </dl>
  </details>
)

const columns: ReadonlyArray<Column<EventRow>> = [
  { heading: "No.", isFigure: true, cell: ({ number }) => number },
  { heading: "Event", cell: ({ type }) => <code class="id">{type}</code> },
  {
    heading: "When",
    cell: ({ timestamp }) => moment(Math.floor(Date.parse(timestamp) / 1000)),
  },
  { heading: "Who", cell: ({ actor }) => <Actor of={actor} /> },
  { heading: "About", cell: ({ data }) => <Subjects of={data} /> },
  { heading: "Amount", isFigure: true, cell: amountOf },
  { heading: "Data", cell: ({ data }) => <Facts of={data} /> },
]

export const Events = () => {
  const [before, setBefore] = useState<number | undefined>(undefined)
  const latest = useLoad<EventsPage>("events", { query: { after: 0, limit: 1 } })
  const last = before ?? latest.value?.meta.last
  const page = useLoad<EventsPage>(last === undefined ? undefined : "events", {
    query: { after: Math.max(0, (last ?? 0) - perPage), limit: perPage },
  })
  return (
    <>
      <h1 tabIndex={-1}>Events</h1>
      <Shown of={latest.failure === undefined ? page : latest}>
        {({ data, meta }) => {
          const first = Math.max(1, (last ?? 0) - perPage + 1)
          return (
            <>
              <p class="faint" role="status">
                {meta.last === 0
                  ? "Nothing has happened yet."
                  : `${first} to ${last} of ${meta.last}, the latest first`}
              </p>
              <Table
                caption="Events"
                columns={columns}
                rows={[...data].filter(({ number }) => number <= (last ?? 0)).reverse()}
                keyOf={({ id }) => id}
              />
              <div class="row">
                <Button disabled={first <= 1} onPress={() => setBefore(first - 1)}>
                  Earlier
                </Button>
                {before !== undefined && (
                  <Button onPress={() => setBefore(undefined)}>Latest</Button>
                )}
              </div>
            </>
          )
        }}
      </Shown>
    </>
  )
}
