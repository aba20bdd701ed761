/** What each collaborator has to get, and who owes the store something. */

import { type Column, Table } from "../parts/Table.js"
import { counted, money } from "./Amount.js"
import type { BalanceRow, DebtRow, OwnerRow, Paged, Single } from "./Answers.js"
import { CollaboratorChoice, NameOf } from "./Collaborators.js"
import { path } from "./Connection.js"
import { useLoad } from "./Load.js"
import { Name } from "./Name.js"
import { Shown } from "./Notice.js"
import { Pager, pageIn } from "./Pager.js"
import { Passes } from "./Passes.js"
import { link, route, select } from "./Route.js"
import { may } from "./Scopes.js"
import { Statement } from "./Statement.js"
import { date } from "./Time.js"

const figure = (
  name: "collecting" | "pending" | "under_way" | "failed" | "total" | "paid",
  heading: string,
): Column<BalanceRow> => ({
  heading,
  isFigure: true,
  cell: (balance) => money(balance[name], balance.currency),
})

const figures: ReadonlyArray<Column<BalanceRow>> = [
  figure("collecting", "Collecting"),
  figure("pending", "To be paid"),
  figure("under_way", "Being paid"),
  figure("failed", "Failed"),
  figure("total", "Has to get"),
  figure("paid", "Paid so far"),
]

const ofOne: ReadonlyArray<Column<BalanceRow>> = [
  { heading: "Currency", cell: ({ currency }) => currency },
  ...figures,
]

const OfOne = ({ id }: { id: string }) => {
  const balances = useLoad<Single<ReadonlyArray<BalanceRow>>>(path("collaborators", id, "balances"))
  return (
    <section class="sheet" aria-label="Balances">
      <h2>
        <NameOf id={id} />
      </h2>
      <Shown of={balances}>
        {({ data }) => (
          <Table
            caption="Balances by currency"
            empty="There never was a payout."
            columns={ofOne}
            rows={data}
            keyOf={({ currency }) => currency}
          />
        )}
      </Shown>
      <p>
        <a href={link(["payouts"], { collaborator: id })}>Payouts</a> ·{" "}
        <a href={link(["sales"], { collaborator: id })}>Sales</a> ·{" "}
        <a href={link(["agreements"], { collaborator: id })}>Agreements</a>
      </p>
    </section>
  )
}

/** A balance with whose it is. */
interface OwnedBalance {
  readonly owner: OwnerRow
  /** `undefined`: they never had a payout. */
  readonly balance: BalanceRow | undefined
}

const rowsOf = (owner: OwnerRow): ReadonlyArray<OwnedBalance> =>
  owner.balances.length === 0
    ? [{ owner, balance: undefined }]
    : owner.balances.map((balance) => ({ owner, balance }))

const ofAll: ReadonlyArray<Column<OwnedBalance>> = [
  {
    heading: "Collaborator",
    cell: ({ owner: { collaborator_id, collaborator_name } }) => (
      <a href={link(["balances"], { collaborator: collaborator_id })}>
        <Name name={collaborator_name} id={collaborator_id} />
      </a>
    ),
  },
  ...figures.map(({ cell, ...rest }) => ({
    ...rest,
    cell: ({ balance }: OwnedBalance) => (balance === undefined ? "–" : cell(balance)),
  })),
]

const OfAll = () => {
  const owners = useLoad<Paged<OwnerRow>>("balances", { query: { page: pageIn(), per_page: 100 } })
  return (
    <section class="sheet" aria-label="Balances">
      <h2>Of all collaborators</h2>
      <Shown of={owners}>
        {({ data, meta }) => (
          <>
            <Table
              caption="Balances of all collaborators"
              empty="There are no collaborators yet."
              columns={ofAll}
              rows={data.flatMap(rowsOf)}
              keyOf={({ owner, balance }) => `${owner.collaborator_id} ${balance?.currency ?? ""}`}
            />
            <Pager of={meta} />
          </>
        )}
      </Shown>
    </section>
  )
}

const debts: ReadonlyArray<Column<DebtRow>> = [
  {
    heading: "Collaborator",
    cell: ({ collaborator_id, collaborator_name }) => (
      <a href={link(["balances"], { collaborator: collaborator_id })}>
        <Name name={collaborator_name} id={collaborator_id} />
      </a>
    ),
  },
  {
    heading: "Balance",
    isFigure: true,
    cell: ({ balance, currency }) => money(balance, currency),
  },
  {
    heading: "Below zero since",
    cell: ({ since, days }) => `${date(since)} (${counted(days, "day")})`,
  },
]

const BelowZero = () => {
  const below = useLoad<Paged<DebtRow>>("balances/below-zero", {
    query: { page: pageIn("below"), per_page: 100 },
  })
  return (
    <section class="sheet" aria-label="Below zero">
      <h2>Who owes the store</h2>
      <Shown of={below}>
        {({ data, meta }) => (
          <>
            <Table
              caption="Balances below zero"
              empty="Nobody’s balance is below zero."
              columns={debts}
              rows={data}
              keyOf={({ collaborator_id, currency }) => `${collaborator_id} ${currency}`}
            />
            <Pager of={meta} name="below" />
          </>
        )}
      </Shown>
    </section>
  )
}

export const Balances = () => {
  const id = route.value.query.get("collaborator") ?? ""
  return (
    <>
      <div class="title">
        <h1 tabIndex={-1}>Balances</h1>
        {may("manage") && (
          <a class="button" href={link(["collaborators", "new"])}>
            New collaborator
          </a>
        )}
      </div>
      <fieldset class="filters">
        <legend class="spoken">Filters</legend>
        <CollaboratorChoice
          value={id}
          none="All"
          onValue={(collaborator) => select({ collaborator })}
        />
      </fieldset>
      {id === "" ? (
        <OfAll />
      ) : (
        <>
          <OfOne id={id} />
          <Statement key={`statement ${id}`} id={id} />
          <Passes key={id} id={id} />
        </>
      )}
      <BelowZero />
    </>
  )
}
