/** A collaborator's statement for some months: brought forward, what came, what was paid, what is to come; and as files. */
import { useState } from "preact/hooks"
import { english } from "../../languages/english.js"
import type { FiguresView } from "../../wire/LedgerSchemas.js"
import { Button } from "../parts/Button.js"
import { Table } from "../parts/Table.js"
import { money } from "./Amount.js"
import type { Single } from "./Answers.js"
import { ask, path, type RequestFailure } from "./Connection.js"
import { useLoad } from "./Load.js"
import { MonthField } from "./MonthField.js"
import { FailureNotice, Shown } from "./Notice.js"
import { monthAfter, monthOf, now } from "./Time.js"

type StatementRow = (typeof FiguresView)["Type"]

/** As the collaborator reads them. */
const figureNames = [
  ...(["opening", "sales", "adjustments", "refunds", "expenses", "incomes"] as const),
  ...(["removed", "paid", "closing"] as const),
]

const secondsOf = (month: string): number => Date.parse(`${month}-01T00:00:00Z`) / 1_000

/** What is asked for; statements have the days of UTC, whatever the account's time zone is. */
const periodOf = (from: string, to: string) => ({
  from: secondsOf(from),
  until: secondsOf(monthAfter(to, 1)),
})

const types = { csv: "text/csv", html: "text/html" } as const

type Format = keyof typeof types

const save = (text: string, name: string, type: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

const Files = ({ id, from, to }: { id: string; from: string; to: string }) => {
  const [failure, setFailure] = useState<RequestFailure | undefined>(undefined)
  const [asked, setAsked] = useState<Format | undefined>(undefined)
  const saveAs = async (format: Format) => {
    setAsked(format)
    setFailure(undefined)
    const query = { ...periodOf(from, to), format }
    const answer = await ask<string>(path("collaborators", id, "statement"), {
      query,
      isText: true,
    })
    setAsked(undefined)
    if (answer.type === "failed") return setFailure(answer.failure)
    const name = id.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60)
    save(answer.value, `statement-${name}-${from}-to-${to}.${format}`, types[format])
  }
  const isAsking = asked !== undefined
  return (
    <>
      <div class="row">
        <Button disabled={isAsking} isBusy={asked === "html"} onPress={() => saveAs("html")}>
          Save as a page to print
        </Button>
        <Button disabled={isAsking} isBusy={asked === "csv"} onPress={() => saveAs("csv")}>
          Save as CSV
        </Button>
      </div>
      {failure !== undefined && <FailureNotice failure={failure} />}
    </>
  )
}

const Sums = ({ of }: { of: ReadonlyArray<StatementRow> }) => (
  <Table
    caption="By currency"
    empty="There never was a payout."
    columns={[
      { heading: "Currency", cell: ({ currency }) => currency },
      ...figureNames.map((name) => ({
        heading: english[name],
        isFigure: true,
        cell: (one: StatementRow) => money(one[name], one.currency),
      })),
    ]}
    rows={of}
    keyOf={({ currency }) => currency}
  />
)

const OfPeriod = ({ id, from, to }: { id: string; from: string; to: string }) => {
  const statement = useLoad<Single<{ readonly statements: ReadonlyArray<StatementRow> }>>(
    path("collaborators", id, "statement"),
    { query: periodOf(from, to) },
  )
  return (
    <Shown of={statement}>
      {({ data }) => (
        <>
          <Sums of={data.statements} />
          <Files id={id} from={from} to={to} />
        </>
      )}
    </Shown>
  )
}

export const Statement = ({ id }: { id: string }) => {
  const before = monthAfter(monthOf(now()), -1)
  const [from, setFrom] = useState(before)
  const [to, setTo] = useState(before)
  return (
    <section class="sheet" aria-label="Statement">
      <h2>Statement</h2>
      <div class="filters">
        <MonthField label="From" value={from} onValue={setFrom} />
        <MonthField label="To the end of" value={to} onValue={setTo} />
      </div>
      {from > to ? (
        <p class="notice notice-warn">The first month is after the last one.</p>
      ) : (
        // Nothing is shown of other months than those that are chosen.
        <OfPeriod key={`${from} ${to}`} id={id} from={from} to={to} />
      )}
      <p class="faint">Its days are those of UTC, as the collaborator sees them.</p>
    </section>
  )
}
