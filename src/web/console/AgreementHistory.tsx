/** What was booked for an agreement, the latest first: of which sales, refunds and releases its balance comes. */
import { Table } from "../parts/Table.js"
import { counted, difference } from "./Amount.js"
import type { AgreementBooking, AgreementRow, Paged } from "./Answers.js"
import { NameOf } from "./Collaborators.js"
import { path } from "./Connection.js"
import { useLoad } from "./Load.js"
import { Id } from "./Name.js"
import { Shown } from "./Notice.js"
import { Pager, pageIn } from "./Pager.js"
import { link } from "./Route.js"
import { date } from "./Time.js"

const bookingsPerPage = 50

type BookingLine = AgreementBooking["lines"][number]

/** A line with the item of which it was booked. */
type BookedRow = BookingLine & Omit<AgreementBooking, "lines">

const words = {
  recoupment: "Earned back",
  reserve: "Held back",
  release: "Released",
  override: "Override",
  share: "Share, which counts",
  store: "What the store kept",
  shortfall: "Paid on top",
} as const

const whatOf = ({ kind, event }: BookingLine): string =>
  event === "refund" ? `${words[kind]}: taken back by a refund` : words[kind]

const rowsOf = (bookings: ReadonlyArray<AgreementBooking>): ReadonlyArray<BookedRow> =>
  bookings.flatMap(({ lines, ...booking }) => lines.map((line) => ({ ...line, ...booking })))

const SaleOf = ({ of }: { of: BookedRow }) =>
  of.order_id === null ? (
    "–"
  ) : (
    <a href={link(["sales", of.order_id])}>
      <Id of={of.order_id} />
    </a>
  )

const Who = ({ of: { collaborator_id } }: { of: BookedRow }) =>
  collaborator_id === null ? <em>the store</em> : <NameOf id={collaborator_id} />

const Rows = ({ rows }: { rows: ReadonlyArray<BookedRow> }) => (
  <Table
    caption="The latest first"
    empty="Nothing is booked for it yet."
    columns={[
      { heading: "When", cell: ({ at }) => date(at) },
      { heading: "What", cell: whatOf },
      { heading: "Of sale", cell: (row) => <SaleOf of={row} /> },
      { heading: "Whose", cell: (row) => <Who of={row} /> },
      {
        heading: "Gets",
        isFigure: true,
        cell: ({ amount, currency }) => difference(amount, currency),
      },
      {
        heading: "In payout",
        cell: ({ payout_id: id }) =>
          id === null ? (
            "–"
          ) : (
            <a href={link(["payouts", id])}>
              <Id of={id} />
            </a>
          ),
      },
    ]}
    rows={rows}
    keyOf={(row) => `${rows.indexOf(row)}`}
  />
)

export const AgreementHistory = ({ of: { kind, agreement } }: { of: AgreementRow }) => {
  const bookings = useLoad<Paged<AgreementBooking>>(
    path("agreements", kind, agreement.id, "bookings"),
    { query: { page: pageIn(), per_page: bookingsPerPage } },
  )
  return (
    <section class="sheet" aria-label="What was booked">
      <h2>What was booked</h2>
      <Shown of={bookings}>
        {({ data, meta }) => (
          <>
            {meta.total > 0 && <p class="faint">{counted(meta.total, "booking")}</p>}
            <Rows rows={rowsOf(data)} />
            <Pager of={meta} />
          </>
        )}
      </Shown>
    </section>
  )
}
