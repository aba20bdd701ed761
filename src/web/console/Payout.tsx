/** A payout with its items and its history, and what can be done with it. */

import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { Table } from "../parts/Table.js"
import { Verbatim } from "../parts/Verbatim.js"
import { counted, difference, money } from "./Amount.js"
import type { HistoryEntry, PaymentRow, Single, ViewedItem, ViewedPayout } from "./Answers.js"
import { BeforeAfter, ChangeDialog, type PlannedChange } from "./Change.js"
import { ask, path } from "./Connection.js"
import { EntryForm } from "./EntryForm.js"
import { useLoad } from "./Load.js"
import { WholeTable } from "./LongTable.js"
import { Actor, Id, Name } from "./Name.js"
import { Badge, Shown } from "./Notice.js"
import { Pager, pageIn } from "./Pager.js"
import { PaidForm, paidChange } from "./PaidForm.js"
import { cameBack, FailureForm, failed, WhyFailed } from "./PaymentFailure.js"
import { madePayment, Payments, usePayments } from "./Payments.js"
import { link } from "./Route.js"
import { Needs } from "./Scopes.js"
import { date, moment, now } from "./Time.js"

const itemsPerPage = 100

/** So many changes of a payout are shown, the latest. */
const mostChanges = 1_000

const kindOf = ({ is_expenses, orderItem }: ViewedItem): string => {
  if (orderItem !== null)
    return orderItem.refunded_at === null ? "Share of a sale" : "Refunded sale"
  return is_expenses ? "Expense" : "Extra income"
}

/** The agreement that booked an entry. */
const agreementKinds = {
  recoupment: "advance",
  reserve: "reserve",
  release: "reserve",
  shortfall: "guarantee",
  override: "override",
} as const

const AboutOf = ({ item: { source } }: { item: ViewedItem }) => {
  const { order_id, agreement } = { order_id: null, agreement: null, ...source }
  const sale = order_id ?? agreement?.order_id ?? null
  if (sale === null && agreement === null) return "–"
  return (
    <>
      {sale !== null && (
        <a href={link(["sales", sale])}>
          <Id of={sale} />
        </a>
      )}
      {agreement !== null && (
        <div>
          {agreementKinds[agreement.kind]}{" "}
          <a href={link(["agreements", agreementKinds[agreement.kind], agreement.agreement_id])}>
            <Id of={agreement.agreement_id} />
          </a>
        </div>
      )}
    </>
  )
}

const What = ({ item }: { item: ViewedItem }) =>
  item.orderItem === null ? (
    <Verbatim text={item.expense_name ?? ""} />
  ) : (
    <>
      <Name name={item.orderItem.product.name} id={item.orderItem.product.id} />
      <span class="faint"> × {item.orderItem.quantity}</span>
    </>
  )

const Items = ({ payout }: { payout: ViewedPayout }) => {
  const meta = payout.items_meta
  return (
    <section class="sheet" aria-label="Items">
      <h2>{counted(meta?.total ?? payout.items.length, "item")}</h2>
      <Table
        caption="Items of the payout"
        empty="It has no items yet."
        columns={[
          { heading: "What", cell: (item) => <What item={item} /> },
          { heading: "Kind", cell: kindOf },
          {
            heading: "Sold",
            cell: ({ orderItem }) => (orderItem === null ? "–" : date(orderItem.split_at)),
          },
          { heading: "Of sale", cell: (item) => <AboutOf item={item} /> },
          {
            heading: "In the order’s currency",
            isFigure: true,
            cell: ({ original_amount, original_currency, currency_exchange_rate }) =>
              currency_exchange_rate === null ? "–" : money(original_amount, original_currency),
          },
          {
            heading: "Amount",
            isFigure: true,
            cell: ({ amount }) => money(amount, payout.currency),
          },
        ]}
        rows={payout.items}
        keyOf={(item) => String(payout.items.indexOf(item))}
      />
      {meta !== undefined && <Pager of={meta} />}
    </section>
  )
}

const History = ({ payout }: { payout: ViewedPayout }) => {
  const history = useLoad<Single<ReadonlyArray<HistoryEntry>>>(
    path("payouts", payout.id, "history"),
    { query: { last: mostChanges } },
  )
  const { currency } = payout
  return (
    <section class="sheet" aria-label="History">
      <h2>History</h2>
      <Shown of={history}>
        {({ data }) => (
          <>
            {(data[0]?.version ?? 1) > 1 && (
              <p class="faint">These are the latest {counted(data.length, "change")}.</p>
            )}
            <WholeTable
              caption="Changes of the payout, the latest first"
              columns={[
                { heading: "When", cell: ({ at }) => moment(at) },
                { heading: "Who", cell: ({ actor }) => <Actor of={actor} /> },
                { heading: "What", cell: (entry) => toldOf(entry) },
                { heading: "Status", cell: ({ status }) => <Badge of={status} /> },
                {
                  heading: "Change",
                  isFigure: true,
                  cell: ({ total, before }) => difference(total - (before ?? 0), currency),
                },
                {
                  heading: "Total after it",
                  isFigure: true,
                  cell: ({ total }) => money(total, currency),
                },
              ]}
              rows={[...data].reverse()}
              keyOf={({ version }) => String(version)}
            />
          </>
        )}
      </Shown>
    </section>
  )
}

const toldOf = ({ before, put, removed }: HistoryEntry): string => {
  const kinds = [...new Set(put.map(({ kind }) => kind))].join(", ")
  const parts = [
    before === null ? "opened" : "",
    put.length === 0 ? "" : put.length === 1 ? kinds : `${counted(put.length, "item")} (${kinds})`,
    removed.length === 0 ? "" : `${counted(removed.length, "item")} removed`,
  ].filter((part) => part !== "")
  return parts.length === 0 ? "status" : parts.join(", ")
}

const retryChange = (payout: ViewedPayout): PlannedChange<Single<ViewedPayout>> => ({
  title: "Pay again",
  verb: "Make it pending again",
  preview: (
    <BeforeAfter
      of={[{ what: "Status", before: <Badge of={payout.status} />, after: <Badge of="pending" /> }]}
    />
  ),
  send: (key) => ask(path("payouts", payout.id, "retry"), { method: "POST", key }),
  result: ({ data }) => <p>Done: the payout is {data.status}, and can be paid again.</p>,
})

const isPaid = ({ status }: ViewedPayout): boolean =>
  status === "paid" || status === "manually paid"

const isDue = ({ status, to_be_paid_at }: ViewedPayout): boolean =>
  status === "active" && to_be_paid_at <= now()

/** What one has to know before one does anything with it. */
const Standing = ({ payout }: { payout: ViewedPayout }) => {
  const { status, to_be_paid_at: due, currency, collaborator } = payout
  if (status === "paid")
    return <p class="faint">A payout that is paid can’t be changed any more.</p>
  if (status === "manually paid") {
    return (
      <p class="faint">
        A payout that is paid can’t be changed any more. If its money came back, add that as an
        income to the payout that collects now.
      </p>
    )
  }
  if (status !== "active") return null
  const least = collaborator.payout_threshold
  return (
    <p class="faint">
      {due > now()
        ? `It collects until ${date(due)}, and is closed then`
        : "Its day has come: it is closed by the server, or by the next change"}
      {least > 0 && `, if it comes to ${money(least, currency)} or more`}. Setting it as paid ends
      it now.
    </p>
  )
}

type Action = "paid" | "retry" | "expense" | "income" | "failed" | "back"

const actionsOf = (
  payout: ViewedPayout,
  payment: PaymentRow | undefined,
): ReadonlyArray<readonly [action: Action, words: string]> => {
  if (isPaid(payout)) return payment === undefined ? [] : [["back", "It came back…"]]
  return [
    ["expense", "Add expense"],
    ["income", "Add income"],
    ["paid", "Set as paid"],
    ...(payout.status === "failed" ? [["retry", "Pay again"] as const] : []),
    ...(payout.status === "pending" ? [["failed", "Paying it failed…"] as const] : []),
  ]
}

/** The form or the dialog of what was chosen. */
const Chosen = (given: {
  action: Action
  payout: ViewedPayout
  payment: PaymentRow | undefined
  close: () => void
}) => {
  const { action, payout, payment, close } = given
  if (action === "expense" || action === "income") {
    return <EntryForm key={action} payout={payout} kind={action} close={close} />
  }
  if (action === "retry") return <ChangeDialog change={retryChange(payout)} close={close} />
  if (action === "paid") {
    return payout.status === "pending" || isDue(payout) ? (
      <PaidForm payout={payout} close={close} />
    ) : (
      <ChangeDialog change={paidChange(payout, "")} close={close} />
    )
  }
  const failure = action === "failed" ? failed(payout) : payment && cameBack(payment)
  return failure && <FailureForm payout={payout} failure={failure} close={close} />
}

const Actions = (given: { payout: ViewedPayout; payment: PaymentRow | undefined }) => {
  const [action, setAction] = useState<Action | undefined>(undefined)
  const close = () => setAction(undefined)
  return (
    <>
      <div class="row">
        {actionsOf(given.payout, given.payment).map(([name, words]) => (
          <Button key={name} onPress={() => setAction(name)}>
            {words}
          </Button>
        ))}
      </div>
      {action !== undefined && <Chosen {...given} action={action} close={close} />}
    </>
  )
}

const Facts = ({ payout }: { payout: ViewedPayout }) => (
  <dl class="tiles">
    <div class="tile">
      <dt>Total</dt>
      <dd>{money(payout.total, payout.currency)}</dd>
      <dd class="faint">
        <Badge of={payout.status} />
      </dd>
    </div>
    <div class="tile">
      <dt>To be paid</dt>
      <dd>{date(payout.to_be_paid_at)}</dd>
      {payout.collaborator.payout_threshold > 0 && (
        <dd class="faint">
          from {money(payout.collaborator.payout_threshold, payout.currency)} on
        </dd>
      )}
    </div>
    <div class="tile">
      <dt>Paid</dt>
      <dd>{payout.paid_at === null ? "not yet" : date(payout.paid_at)}</dd>
    </div>
  </dl>
)

export const Payout = ({ id }: { id: string }) => {
  const payout = useLoad<Single<ViewedPayout>>(path("payouts", id), {
    query: { items_page: pageIn(), items_per_page: itemsPerPage, include_sources: "true" },
  })
  const payments = usePayments(id)
  const owner = payout.value?.data.collaborator
  return (
    <>
      <p class="trail">
        <a href={link(["payouts"])}>Payouts</a>
      </p>
      <h1 tabIndex={-1}>
        Payout
        {owner !== undefined && (
          <>
            {" of "}
            <Name name={owner.account.name} id={owner.id} />
          </>
        )}
      </h1>
      <p class="faint">
        <Id of={id} />
      </p>
      <Shown of={payout}>
        {({ data }) => (
          <>
            <Facts payout={data} />
            <WhyFailed payout={data} />
            <Standing payout={data} />
            <Needs scope="payouts">
              <Actions payout={data} payment={madePayment(payments)} />
            </Needs>
            <Items payout={data} />
            <Payments of={payments} />
            <History payout={data} />
          </>
        )}
      </Shown>
    </>
  )
}
