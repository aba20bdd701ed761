/** An expense or an extra income of a payout: filled in, shown with its effect, and added. */
import { useState } from "preact/hooks"
import { TextField } from "../parts/Field.js"
import { MoneyField } from "../parts/Money.js"
import { Verbatim } from "../parts/Verbatim.js"
import { money } from "./Amount.js"
import type { Single, ViewedPayout } from "./Answers.js"
import { BeforeAfter, type PlannedChange } from "./Change.js"
import { ChangeForm } from "./ChangeForm.js"
import { ask, path, type RequestFailure } from "./Connection.js"

type EntryKind = "expense" | "income"

interface TypedEntry {
  readonly amount: number
  readonly name: string
}

const words = { expense: "Add expense", income: "Add income" } as const

const entryChange = (
  payout: ViewedPayout,
  kind: EntryKind,
  entry: TypedEntry,
): PlannedChange<Single<ViewedPayout>> => {
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

const EntryFields = (given: {
  currency: string
  typed: { amount: number | null; name: string }
  change: (typed: { amount: number | null; name: string }) => void
  isTried: boolean
  errors: RequestFailure["errors"]
}) => {
  const { currency, typed, change, isTried, errors } = given
  const isRight = (typed.amount ?? 0) > 0
  const long = "must have 1 to 200 characters"
  return (
    <div class="fields">
      <MoneyField
        label="Amount"
        value={typed.amount}
        currency={currency}
        onValue={(amount) => change({ ...typed, amount })}
        required
        problem={problemOf(isTried, isRight, "must be more than zero", errors.amount)}
      />
      <TextField
        label="What it is"
        value={typed.name}
        onValue={(name) => change({ ...typed, name })}
        required
        help="The collaborator sees this."
        problem={problemOf(isTried, isNamed(typed.name), long, errors.name)}
      />
    </div>
  )
}

export const EntryForm = (given: { payout: ViewedPayout; kind: EntryKind; close: () => void }) => {
  const { payout, kind, close } = given
  const [typed, setTyped] = useState<{ amount: number | null; name: string }>({
    amount: null,
    name: "",
  })
  const [isTried, setTried] = useState(false)
  const [failure, setFailure] = useState<RequestFailure | undefined>(undefined)
  const planned = () => {
    const { amount, name } = typed
    setTried(true)
    if (amount === null || amount <= 0 || !isNamed(name)) return undefined
    return entryChange(payout, kind, { amount, name: name.trim() })
  }
  return (
    <ChangeForm
      title={words[kind]}
      filledIn={typed}
      planned={planned}
      refused={setFailure}
      close={close}
    >
      <EntryFields
        currency={payout.currency}
        typed={typed}
        change={setTyped}
        isTried={isTried}
        errors={failure?.errors ?? {}}
      />
    </ChangeForm>
  )
}
