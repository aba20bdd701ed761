/** What happened in the account, the latest first. */

import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { type Column, Table } from "../parts/Table.js"
import { Verbatim } from "../parts/Verbatim.js"
import type { EventRow } from "./Answers.js"
import { useLoad } from "./Load.js"
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

const places: Readonly<Record<string, string>> = { payoutId: "payouts", orderId: "sales" }

const Fact = ({ name, value }: { name: string; value: unknown }) => {
  const place = places[name]
  return (
    <>
      <dt>{name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}</dt>
      <dd>
        {place !== undefined && typeof value === "string" ? (
          <a href={link([place, value])}>
            <Verbatim text={value} />
          </a>
        ) : (
          <Verbatim text={textOf(value)} />
        )}
      </dd>
    </>
  )
}

const columns: ReadonlyArray<Column<EventRow>> = [
  { heading: "No.", isFigure: true, cell: ({ number }) => number },
  { heading: "Event", cell: ({ type }) => <code class="id">{type}</code> },
  {
    heading: "When",
    cell: ({ timestamp }) => moment(Math.floor(Date.parse(timestamp) / 1000)),
  },
  { heading: "Who", cell: ({ actor }) => <Verbatim text={actor} /> },
  {
    heading: "What",
    cell: ({ data }) => (
      <dl class="facts">
        {Object.entries(data).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
    ),
  },
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
