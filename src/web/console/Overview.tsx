/** What a period came to: sales, shares and what the store keeps, by month and by collaborator. */
import { Button } from "../parts/Button.js"
import { Table } from "../parts/Table.js"
import { counted, money } from "./Amount.js"
import type { Single } from "./Answers.js"
import { Bar, MonthChart } from "./Chart.js"
import { useLoad } from "./Load.js"
import { MonthField } from "./MonthField.js"
import { Name } from "./Name.js"
import { Shown } from "./Notice.js"
import type { CurrencyFigures, EarnerRow, MonthRow, PeriodFigures } from "./PeriodFigures.js"
import { link, route, select } from "./Route.js"
import { date, monthAfter, monthName, monthOf, monthStart, now } from "./Time.js"

const Tile = ({ name, value, hint }: { name: string; value: string; hint?: string }) => (
  <div class="tile">
    <dt>{name}</dt>
    <dd>{value}</dd>
    {hint !== undefined && <dd class="faint">{hint}</dd>}
  </div>
)

const percentOf = (part: number, whole: number): string =>
  new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 }).format(
    whole === 0 ? 0 : part / whole,
  )

const Tiles = ({ of }: { of: CurrencyFigures }) => (
  <dl class="tiles">
    <Tile
      name="Came in"
      value={money(of.came_in, of.currency)}
      hint={`${counted(of.sales, "sale")}, ${counted(of.refunds, "refund")}`}
    />
    <Tile
      name="Collaborators’ shares"
      value={money(of.shares, of.currency)}
      hint={`${percentOf(of.shares, of.came_in)} of what came in`}
    />
    <Tile
      name="The store keeps"
      value={money(of.store, of.currency)}
      hint={`${percentOf(of.store, of.came_in)} of what came in`}
    />
  </dl>
)

const Months = ({ of: { months, currency } }: { of: CurrencyFigures }) => (
  <>
    <h3>By month</h3>
    <p class="legend" aria-hidden="true">
      <span class="key shares" /> Collaborators <span class="key store" /> Store
    </p>
    <MonthChart months={months} currency={currency} />
    <details>
      <summary>The same as a table</summary>
      <Table
        caption={`${currency} by month`}
        columns={[
          { heading: "Month", cell: (one) => monthName(one.month) },
          ...(["came_in", "shares", "store"] as const).map((name) => ({
            heading: { came_in: "Came in", shares: "Collaborators", store: "Store" }[name],
            isFigure: true,
            cell: (one: MonthRow) => money(one[name], currency),
          })),
          { heading: "Sales", isFigure: true, cell: (one) => one.sales },
          { heading: "Refunds", isFigure: true, cell: (one) => one.refunds },
        ]}
        rows={months}
        keyOf={({ month }) => month}
      />
    </details>
  </>
)

const Others = ({ of: { currency, others } }: { of: CurrencyFigures }) =>
  others === null ? null : (
    <p class="faint">
      {counted(others.collaborators, "more collaborator")}: {money(others.amount, currency)}
    </p>
  )

const Earners = ({ of }: { of: CurrencyFigures }) => {
  const { currency, months, collaborators } = of
  const most = Math.max(0, ...collaborators.map(({ amount }) => Math.abs(amount)))
  return (
    <>
      <h3>By collaborator</h3>
      <Table
        caption={`Shares in ${currency} by collaborator`}
        empty="Nobody has a share in this period."
        columns={[
          {
            heading: "Collaborator",
            cell: ({ collaborator_id, collaborator_name }) => (
              <a href={link(["sales"], { collaborator: collaborator_id })}>
                <Name name={collaborator_name} id={collaborator_id} />
              </a>
            ),
          },
          { heading: "Size", cell: ({ amount }) => <Bar of={amount} most={most} /> },
          {
            heading: "Share",
            isFigure: true,
            cell: ({ amount }) => money(amount, currency),
          },
        ]}
        rows={collaborators}
        keyOf={({ collaborator_id }) => collaborator_id}
      />
      <Others of={of} />
      <details>
        <summary>By collaborator and month</summary>
        <Table
          caption={`Shares in ${currency} by collaborator and month`}
          columns={[
            {
              heading: "Collaborator",
              cell: (one) => <Name name={one.collaborator_name} id={one.collaborator_id} />,
            },
            ...months.map(({ month }, index) => ({
              heading: monthName(month),
              isFigure: true,
              cell: (one: EarnerRow) => money(one.months[index] ?? 0, currency),
            })),
          ]}
          rows={collaborators}
          keyOf={({ collaborator_id }) => collaborator_id}
        />
      </details>
    </>
  )
}

const ofCurrency = (figures: CurrencyFigures) => (
  <section key={figures.currency} class="sheet" aria-label={`Figures in ${figures.currency}`}>
    <h2>{figures.currency}</h2>
    <Tiles of={figures} />
    <Months of={figures} />
    <Earners of={figures} />
  </section>
)

const Nothing = ({ of: { first_sale_at, last_sale_at } }: { of: PeriodFigures }) =>
  first_sale_at === null || last_sale_at === null ? (
    <p class="faint">
      No sale is recorded yet. Sales come here from your shop, or by the API’s{" "}
      <code>POST /sales</code>.
    </p>
  ) : (
    <p class="faint">
      Nothing was sold in this period. The store’s sales are from {date(first_sale_at)} to{" "}
      {date(last_sale_at)}.{" "}
      <Button
        onPress={() =>
          select({ from: monthAfter(monthOf(last_sale_at), -11), to: monthOf(last_sale_at) })
        }
      >
        Show the last year of them
      </Button>
    </p>
  )

const spans = [
  ["This month", 0],
  ["Last 3 months", -2],
  ["Last 12 months", -11],
] as const

const Period = ({ from, to }: { from: string; to: string }) => {
  const current = monthOf(now())
  return (
    <fieldset class="filters">
      <legend class="spoken">Period</legend>
      <MonthField label="From" value={from} onValue={(month) => select({ from: month })} />
      <MonthField label="To" value={to} onValue={(month) => select({ to: month })} />
      {spans.map(([name, months]) => (
        <Button
          key={name}
          onPress={() => select({ from: monthAfter(current, months), to: current })}
        >
          {name}
        </Button>
      ))}
    </fieldset>
  )
}

const Figures = ({ from, until }: { from: number; until: number }) => {
  const figures = useLoad<Single<PeriodFigures>>("overview", { query: { from, until } })
  return (
    <Shown of={figures}>
      {({ data }) =>
        data.currencies.length === 0 ? (
          <Nothing of={data} />
        ) : (
          <div>{data.currencies.map(ofCurrency)}</div>
        )
      }
    </Shown>
  )
}

export const Overview = () => {
  const { query } = route.value
  const current = monthOf(now())
  const to = query.get("to") ?? current
  const from = query.get("from") ?? monthAfter(to, -11)
  return (
    <>
      <h1 tabIndex={-1}>Overview</h1>
      <Period from={from} to={to} />
      {from <= to ? (
        // Nothing is shown of another period than the one that is chosen.
        <Figures
          key={`${from} ${to}`}
          from={monthStart(from)}
          until={monthStart(monthAfter(to, 1))}
        />
      ) : (
        <p class="notice notice-bad" role="alert">
          The period ends before it begins: choose a later month for “To”.
        </p>
      )}
    </>
  )
}
