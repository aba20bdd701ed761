/** What is due: who would be paid how much now, who waits and why; and paying it. */

import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import type { Column } from "../parts/Table.js"
import { Verbatim } from "../parts/Verbatim.js"
import { counted, figure, money, total } from "./Amount.js"
import type { Single, ViewedPayout } from "./Answers.js"
import { ChangeDialog, type PlannedChange } from "./Change.js"
import { type ApiAnswer, ask, path, type RequestFailure } from "./Connection.js"
import { useLoad } from "./Load.js"
import { WholeTable } from "./LongTable.js"
import { Id, Name, plain } from "./Name.js"
import { Badge, Shown } from "./Notice.js"
import { link } from "./Route.js"
import { Needs } from "./Scopes.js"
import { date } from "./Time.js"

interface DuePayout {
  readonly payout_id: string
  readonly collaborator_id: string
  readonly collaborator_name: string | null
  readonly currency: string
  readonly total: number
  readonly status: string
  readonly to_be_paid_at: number
  readonly automatic: boolean
}

interface WaitingPayout extends DuePayout {
  readonly why: string
  readonly until: number | null
  readonly threshold: number
}

interface DueList {
  readonly at: number
  readonly pay: ReadonlyArray<DuePayout>
  readonly wait: ReadonlyArray<WaitingPayout>
  readonly is_whole?: boolean
}

/** What became of each payout of a run. */
interface RunResult {
  readonly paid: ReadonlyArray<DuePayout>
  readonly refused: ReadonlyArray<{ readonly payout: DuePayout; readonly message: string }>
}

const keyOf = ({ payout_id }: DuePayout) => payout_id

const named: Column<DuePayout> = {
  heading: "Collaborator",
  cell: ({ payout_id, collaborator_name, collaborator_id }) => (
    <a href={link(["payouts", payout_id])}>
      <Name name={collaborator_name} id={collaborator_id} />
    </a>
  ),
}

const amount: Column<DuePayout> = {
  heading: "Total",
  isFigure: true,
  cell: (one) => money(one.total, one.currency),
}

const since: Column<DuePayout> = {
  heading: "To be paid",
  cell: ({ to_be_paid_at }) => date(to_be_paid_at),
}

const waits: Column<WaitingPayout> = {
  heading: "Why it waits",
  cell: ({ why, until, threshold, currency }) => (
    <>
      {why}
      {why === "below threshold" && ` of ${money(threshold, currency)}`}
      {until !== null && ` until ${date(until)}`}
    </>
  ),
}

const sums = (payouts: ReadonlyArray<DuePayout>) => {
  const currencies = [...new Set(payouts.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => {
    const those = payouts.filter((one) => one.currency === currency)
    return { currency, count: those.length, amount: total(those.map((one) => one.total)) }
  })
}

const Sums = ({ of }: { of: ReadonlyArray<DuePayout> }) => (
  <dl class="tiles">
    {sums(of).map(({ currency, count, amount: sum }) => (
      <div class="tile" key={currency}>
        <dt>{currency}</dt>
        <dd>{money(sum, currency)}</dd>
        <dd class="faint">{counted(count, "payout")}</dd>
      </div>
    ))}
  </dl>
)

/** Whether a failure is about the connection, the server or the token, and so about all payouts that are left. */
const endsRun = ({ status }: RequestFailure): boolean =>
  status >= 500 || [0, 401, 403, 429].includes(status)

/** What ended a run, with how far it had come. */
const ended = (failure: RequestFailure, done: number, all: number): ApiAnswer<never> => ({
  type: "failed",
  failure: {
    ...failure,
    message: `The run ended after ${figure(done)} of ${counted(all, "payout")}. ${failure.message}`,
    errors: {},
  },
})

/** Notes a payout as paid with the total that was shown. */
const payOne = (
  { payout_id, total: shown }: DuePayout,
  key: string,
): Promise<ApiAnswer<Single<ViewedPayout>>> =>
  ask(path("payouts", payout_id, "pay"), { method: "POST", key, body: { total: shown } })

/**
 * Pays one after the other, each with its own key and the total that was shown: what came to something else in the
 * meantime is left out, and harms no other.
 */
const payAll = async (
  key: string,
  chosen: ReadonlyArray<DuePayout>,
  come: (words: string) => void,
): Promise<ApiAnswer<RunResult>> => {
  const paid: Array<DuePayout> = []
  const refused: Array<{ payout: DuePayout; message: string }> = []
  for (const [index, payout] of chosen.entries()) {
    come(`Sending ${figure(index + 1)} of ${figure(chosen.length)}…`)
    const answer = await payOne(payout, `${key}-${index}`)
    if (answer.type === "done") paid.push(payout)
    else if (endsRun(answer.failure)) return ended(answer.failure, index, chosen.length)
    else refused.push({ payout, message: answer.failure.message })
  }
  return { type: "done", value: { paid, refused } }
}

const Paid = ({ of: { paid, refused } }: { of: RunResult }) => (
  <>
    <p>
      {counted(paid.length, "payout")} noted as paid
      {sums(paid).map(({ currency, amount: sum }) => `, ${money(sum, currency)}`)}.
    </p>
    {refused.length > 0 && (
      <>
        <p>Not as it was shown:</p>
        <ul>
          {refused.map(({ payout, message }) => (
            <li key={payout.payout_id}>
              <Name name={payout.collaborator_name} id={payout.collaborator_id} /> (
              <Id of={payout.payout_id} />
              ): <Verbatim text={message} />
            </li>
          ))}
        </ul>
      </>
    )}
  </>
)

const runOf = (chosen: ReadonlyArray<DuePayout>): PlannedChange<RunResult> => ({
  title: `Pay ${counted(chosen.length, "payout")}`,
  verb: "Note them as paid",
  isGrave: true,
  preview: (
    <>
      <p>
        You say that you pay these amounts outside of this service, by your bank or by PayPal. Each
        payout is noted as paid with just this total; one that has changed in the meantime is left
        out and named. This can’t be taken back here; of what comes back from the bank, that is
        noted at the payout.
      </p>
      <Sums of={chosen} />
      <WholeTable caption="What is paid" columns={[named, amount]} rows={chosen} keyOf={keyOf} />
    </>
  ),
  send: (key, come) => payAll(key, chosen, come),
  result: (value) => <Paid of={value} />,
})

const chooser = (
  isChosen: (payout: DuePayout) => boolean,
  choose: (id: string, isChosen: boolean) => void,
): Column<DuePayout> => ({
  heading: "Pay",
  cell: (payout) => (
    <input
      type="checkbox"
      aria-label={`Pay ${money(payout.total, payout.currency)} to ${plain(payout.collaborator_name ?? payout.collaborator_id)}`}
      checked={isChosen(payout)}
      onChange={({ currentTarget }) => choose(payout.payout_id, currentTarget.checked)}
    />
  ),
})

const PayButton = ({ chosen, press }: { chosen: ReadonlyArray<DuePayout>; press: () => void }) => (
  <Needs scope="payouts">
    <div class="row">
      <Button kind="main" disabled={chosen.length === 0} onPress={press}>
        Pay {counted(chosen.length, "payout")}
        {sums(chosen).map(({ currency, amount: sum }) => `, ${money(sum, currency)}`)}…
      </Button>
    </div>
  </Needs>
)

const Run = ({ due }: { due: DueList }) => {
  // What becomes due while one looks is chosen or left out as the rest was, until somebody says otherwise.
  const [said, setSaid] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [change, setChange] = useState<PlannedChange<RunResult> | undefined>(undefined)
  const isChosen = ({ payout_id, automatic }: DuePayout) => said.get(payout_id) ?? automatic
  const chosen = due.pay.filter(isChosen)
  return (
    <>
      <section class="sheet" aria-label="What is due">
        <h2>Due now: {counted(due.pay.length, "payout")}</h2>
        {due.pay.length > 0 && <Sums of={due.pay} />}
        <WholeTable
          caption="Payouts that are due"
          empty="Nothing is due."
          columns={[
            named,
            amount,
            since,
            { heading: "Status", cell: ({ status }) => <Badge of={status} /> },
            chooser(isChosen, (id, isIn) => setSaid(new Map(said).set(id, isIn))),
          ]}
          rows={due.pay}
          keyOf={keyOf}
        />
        {due.pay.some((one) => !one.automatic) && (
          <p class="faint">
            Collaborators who are not to be paid automatically are left out until you choose them.
          </p>
        )}
        <PayButton chosen={chosen} press={() => setChange(runOf(chosen))} />
      </section>
      <section class="sheet" aria-label="What waits">
        <h2>Waiting: {counted(due.wait.length, "payout")}</h2>
        <WholeTable
          caption="Payouts that wait"
          empty="None waits."
          columns={[named, amount, since, waits]}
          rows={due.wait}
          keyOf={keyOf}
        />
      </section>
      {change !== undefined && <ChangeDialog change={change} close={() => setChange(undefined)} />}
    </>
  )
}

export const PaymentRun = () => {
  const due = useLoad<Single<DueList>>("payment-run")
  return (
    <>
      <p class="trail">
        <a href={link(["payouts"])}>Payouts</a>
      </p>
      <h1 tabIndex={-1}>What is due</h1>
      <Shown of={due}>
        {({ data }) => (
          <>
            {data.is_whole === false && (
              <p class="notice notice-warn">More is due than one run shows: pay these first.</p>
            )}
            <Run due={data} />
          </>
        )}
      </Shown>
    </>
  )
}
