/** The attempts to pay a payout: by which rail, and what became of each. */
import { type Column, Table } from "../parts/Table.js"
import { Verbatim } from "../parts/Verbatim.js"
import { money } from "./Amount.js"
import type { PaymentRow, Single } from "./Answers.js"
import { path } from "./Connection.js"
import { type Loaded, useLoad } from "./Load.js"
import { Badge, Shown } from "./Notice.js"
import { moment } from "./Time.js"

type PaymentRows = Single<ReadonlyArray<PaymentRow>>

const lastOf = ({ claimed_at, sent_at, ended_at, returned_at }: PaymentRow): number =>
  returned_at ?? ended_at ?? sent_at ?? claimed_at

/** What is known of an attempt beside its state. */
const Notes = ({ of: { reference, reason, contradiction } }: { of: PaymentRow }) => (
  <>
    {[reference, reason, contradiction?.message].map((text, index) =>
      text == null ? null : (
        <div key={`${index}`}>
          <Verbatim text={text} />
        </div>
      ),
    )}
  </>
)

const columns: ReadonlyArray<Column<PaymentRow>> = [
  { heading: "Begun", cell: ({ claimed_at }) => moment(claimed_at) },
  { heading: "Rail", cell: ({ rail }) => <Verbatim text={rail} /> },
  { heading: "Amount", isFigure: true, cell: ({ amount, currency }) => money(amount, currency) },
  { heading: "State", cell: ({ status }) => <Badge of={status} /> },
  { heading: "Since", cell: (payment) => moment(lastOf(payment)) },
  { heading: "Notes", cell: (payment) => <Notes of={payment} /> },
]

/** The attempts to pay a payout by a rail. */
export const usePayments = (payoutId: string): Loaded<PaymentRows> =>
  useLoad<PaymentRows>(path("payouts", payoutId, "payments"))

/** The payment by which a payout was paid, if one was noted. */
export const madePayment = ({ value }: Loaded<PaymentRows>): PaymentRow | undefined =>
  value?.data.find(({ status }) => status === "confirmed")

/** Nothing where nobody has tried to pay it by a rail. */
export const Payments = ({ of }: { of: Loaded<PaymentRows> }) => (
  <Shown of={of}>
    {({ data }) =>
      data.length === 0 ? null : (
        <section class="sheet" aria-label="Payments">
          <h2>Payments</h2>
          <Table
            caption="Attempts to pay it"
            columns={columns}
            rows={data}
            keyOf={({ id }) => id}
          />
        </section>
      )
    }
  </Shown>
)
