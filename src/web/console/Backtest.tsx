/** What a draft of a product group would have changed in the sales of a month. */
import type { Signal } from "@preact/signals"
import { useEffect, useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { Verbatim } from "../parts/Verbatim.js"
import { counted, difference, figure, money } from "./Amount.js"
import type { Paged, ProposedGroup, Single, SoldPart } from "./Answers.js"
import { NameOf } from "./Collaborators.js"
import { useLoad } from "./Load.js"
import { WholeTable } from "./LongTable.js"
import { MonthField } from "./MonthField.js"
import { Id, Lines } from "./Name.js"
import { Shown } from "./Notice.js"
import { link } from "./Route.js"
import { monthAfter, monthName, monthOf, monthStart, now } from "./Time.js"

interface BacktestTotal {
  readonly currency: string
  readonly collaborator_id: string | null
  readonly before: number
  readonly after: number
  readonly difference: number
}

interface BacktestExample {
  readonly order_id: string
  readonly currency: string
  readonly differences: ReadonlyArray<{
    readonly collaborator_id: string
    readonly difference: number
  }>
  readonly before_text: string
  readonly after_text: string
}

interface BacktestResult {
  readonly sales: number
  readonly changed: number
  readonly is_whole?: boolean
  readonly totals: ReadonlyArray<BacktestTotal>
  readonly biggest: ReadonlyArray<BacktestExample>
  readonly refused: ReadonlyArray<{ readonly order_id: string; readonly message: string }>
}

const Who = ({ of }: { of: BacktestTotal }) =>
  of.collaborator_id === null ? <em>the store</em> : <NameOf id={of.collaborator_id} />

const Totals = ({ of }: { of: ReadonlyArray<BacktestTotal> }) => (
  <WholeTable
    caption="Who would have got what"
    columns={[
      { heading: "Who", cell: (one) => <Who of={one} /> },
      { heading: "Before", isFigure: true, cell: (one) => money(one.before, one.currency) },
      { heading: "After", isFigure: true, cell: (one) => money(one.after, one.currency) },
      {
        heading: "Difference",
        isFigure: true,
        cell: (one) => <strong>{difference(one.difference, one.currency)}</strong>,
      },
    ]}
    rows={of}
    keyOf={({ currency, collaborator_id }) => `${currency} ${collaborator_id ?? ""}`}
  />
)

const Example = ({ of }: { of: BacktestExample }) => (
  <details>
    <summary>
      <Id of={of.order_id} />:{" "}
      {of.differences
        .slice(0, 3)
        .map((one) => difference(one.difference, of.currency))
        .join(", ")}
    </summary>
    <p>
      <a href={link(["sales", of.order_id])}>The sale</a>
    </p>
    <h4>Before</h4>
    <Lines of={of.before_text} />
    <h4>After</h4>
    <Lines of={of.after_text} />
  </details>
)

const Result = ({ of, month }: { of: BacktestResult; month: string }) => (
  <>
    <p>
      {of.sales === 0
        ? `There were no sales in ${monthName(month)}.`
        : `${of.changed === 0 ? "None" : figure(of.changed)} of ${counted(of.sales, "sale")} in ${monthName(month)} would have been split otherwise.`}
      {of.is_whole === false && " Only the first of them were looked at."}
    </p>
    {of.totals.length > 0 && <Totals of={of.totals} />}
    {of.refused.length > 0 && (
      <div class="notice notice-bad">
        <p>{counted(of.refused.length, "sale")} would have been refused:</p>
        <ul>
          {of.refused.slice(0, 5).map(({ order_id, message }) => (
            <li key={order_id}>
              <Id of={order_id} />: <Verbatim text={message} />
            </li>
          ))}
        </ul>
      </div>
    )}
    {of.biggest.length > 0 && (
      <>
        <h3>The biggest differences</h3>
        {of.biggest.map((one) => (
          <Example key={`${one.order_id} ${one.currency}`} of={one} />
        ))}
      </>
    )}
  </>
)

/** When the last sale was recorded; `null`: there is none, or nobody can say; `undefined`: it is not known yet. */
const useLastSale = (): number | null | undefined => {
  const { value, failure } = useLoad<Paged<SoldPart>>("sales", {
    query: { per_page: 1, order: "desc" },
  })
  if (value !== undefined) return value.data[0]?.recorded_at ?? null
  return failure === undefined ? undefined : null
}

/** Last month; where nothing was sold since, the month of the last sale. */
export const useBacktestMonth = (): string | undefined => {
  const last = useLastSale()
  if (last === undefined) return undefined
  const before = monthAfter(monthOf(now()), -1)
  return last === null ? before : [monthOf(last), before].sort()[0]
}

/** The figures of a month, asked for at once. */
export const BacktestFigures = (given: {
  of: ProposedGroup
  month: string
  /** Is told whether they are still to come. */
  isLoading?: Signal<boolean>
}) => {
  const { of, month, isLoading } = given
  const result = useLoad<Single<BacktestResult>>("groups/backtest/preview", {
    method: "POST",
    body: { ...of, from: monthStart(month), until: monthStart(monthAfter(month, 1)) },
  })
  useEffect(() => {
    if (isLoading !== undefined) isLoading.value = result.isLoading
  }, [result.isLoading, isLoading])
  return (
    <div role="status" aria-busy={result.isLoading}>
      <Shown of={result}>{({ data }) => <Result of={data} month={month} />}</Shown>
    </div>
  )
}

export const Backtest = ({ of }: { of: ProposedGroup }) => {
  const usual = useBacktestMonth()
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const [asked, setAsked] = useState<ProposedGroup | undefined>(undefined)
  const month = chosen ?? usual
  const isAsked = JSON.stringify(asked) === JSON.stringify(of)
  return (
    <section class="sheet" aria-label="What it would have changed">
      <h2>What it would have changed</h2>
      <MonthField label="In the sales of" value={month ?? ""} onValue={setChosen} />
      {isAsked && month !== undefined ? (
        // Nothing is shown of another month than the one that is chosen.
        <BacktestFigures key={month} of={of} month={month} />
      ) : (
        <Button disabled={month === undefined} onPress={() => setAsked(of)}>
          Compute
        </Button>
      )}
    </section>
  )
}
