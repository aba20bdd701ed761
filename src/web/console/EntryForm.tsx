/** An expense or an extra income of a payout: filled in, shown with its effect, and added. */
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { TextField } from "../parts/Field.js"
import { MoneyField } from "../parts/Money.js"
import { Verbatim } from "../parts/Verbatim.js"
import { money } from "./Amount.js"
import type { Single, ViewedPayout } from "./Answers.js"
import { BeforeAfter, type Change, ChangeDialog } from "./Change.js"
import { ask, type Failure, path } from "./Connection.js"

type EntryKind = "expense" | "income"

interface Entry {
  readonly amount: number
  readonly name: string
}

const words = { expense: "Add expense", income: "Add income" } as const

const entryChange = (
  payout: ViewedPayout,
  kind: EntryKind,
  entry: Entry,
): Change<Single<ViewedPayout>> => {
  const { currency, total } = payout
  const after = BigInt(total) + BigInt(kind === "expense" ? -entry.amount : entry.amount)
  const figure = { what: "Total", before: money(total, currency), after: money(after, currency) }
  return {
    title: words[kind],
    verb: words[kind],
    preview: (
      <>
        <p>
          “<Verbatim text={entry.name} />
          ”: {money(entry.amount, currency)}{" "}
          {kind === "expense" ? "are taken from the payout." : "are added to the payout."}
        </p>
        <BeforeAfter of={[figure]} />
        {after < 0n && (
          <p class="notice notice-warn">
            The payout falls below zero: the collaborator would owe the store.
          </p>
        )}
      </>
    ),
    send: (key) => ask(path("payouts", payout.id, kind), { method: "POST", key, body: entry }),
    result: ({ data }) =>
      data.id === payout.id ? (
        <p>Done: the payout comes to {money(data.total, data.currency)}.</p>
      ) : (
        <p>
          Done. This payout is frozen while it is being paid, so it went to the collaborator’s
          active payout, which comes to {money(data.total, data.currency)}.
        </p>
      ),
  }
}

const problemOf = (
  isTried: boolean,
  isRight: boolean,
  own: string,
  told: ReadonlyArray<string> | undefined,
): string | undefined => (isTried && !isRight ? own : told?.join("; "))

const isNamed = (name: string) => name.trim() !== "" && [...name.trim()].length <= 200

export const EntryForm = (given: { payout: ViewedPayout; kind: EntryKind; close: () => void }) => {
  const { payout, kind, close } = given
  const [amount, setAmount] = useState<number | null>(null)
  const [name, setName] = useState("")
  const [isTried, setTried] = useState(false)
  const [failure, setFailure] = useState<Failure | undefined>(undefined)
  const [change, setChange] = useState<Change<Single<ViewedPayout>> | undefined>(undefined)
  const isRight = amount !== null && amount > 0
  const show = () => {
    setTried(true)
    setFailure(undefined)
    if (!isRight || !isNamed(name)) return
    setChange(entryChange(payout, kind, { amount, name: name.trim() }))
  }
  return (
    <form
      class="sheet"
      aria-label={words[kind]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        show()
      }}
    >
      <h2>{words[kind]}</h2>
      <div class="fields">
        <MoneyField
          label="Amount"
          value={amount}
          currency={payout.currency}
          onValue={setAmount}
          required
          problem={problemOf(isTried, isRight, "must be more than zero", failure?.errors.amount)}
        />
        <TextField
          label="What it is"
          value={name}
          onValue={setName}
          required
          help="The collaborator sees this."
          problem={problemOf(
            isTried,
            isNamed(name),
            "must have 1 to 200 characters",
            failure?.errors.name,
          )}
        />
      </div>
      <div class="row">
        <Button submits kind="main">
          Show what changes
        </Button>
        <Button onPress={close}>Cancel</Button>
      </div>
      {change !== undefined && (
        <ChangeDialog
          change={change}
          refused={setFailure}
          close={(done) => (done === undefined ? setChange(undefined) : close())}
        />
      )}
    </form>
  )
}
