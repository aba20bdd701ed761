/** A new collaborator: who they are, and how they are paid. */
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { SelectField, TextField } from "../parts/Field.js"
import { Verbatim } from "../parts/Verbatim.js"
import type { Collaborator, Single } from "./Answers.js"
import { BeforeAfter, ChangeDialog, type PlannedChange } from "./Change.js"
import { forgetCollaborators } from "./Collaborators.js"
import { ask, type RequestFailure } from "./Connection.js"
import { useFormFocus } from "./FormFocus.js"
import { go, link } from "./Route.js"

const rhythms = [
  ["month", "Every month"],
  ["week", "Every week"],
  ["day", "Every day"],
] as const

interface CollaboratorDraft {
  readonly name: string
  readonly id: string
  readonly currency: string
  readonly rhythm: (typeof rhythms)[number][0]
  readonly email: string
}

const empty: CollaboratorDraft = { name: "", id: "", currency: "", rhythm: "month", email: "" }

/** The field that a problem of the API is about. */
const places: ReadonlyArray<readonly [start: string, field: keyof CollaboratorDraft]> = [
  ["account.name", "name"],
  ["account.paypal_email", "email"],
  ["id", "id"],
  ["currency", "currency"],
  ["payout_", "rhythm"],
]

type CollaboratorProblems = Readonly<Partial<Record<keyof CollaboratorDraft, string>>>

const problemsIn = ({ errors }: RequestFailure): CollaboratorProblems =>
  Object.fromEntries(
    places.flatMap(([start, field]) => {
      const texts = Object.entries(errors).flatMap(([name, texts]) =>
        name.startsWith(start) ? texts : [],
      )
      return texts.length === 0 ? [] : [[field, texts.join("; ")]]
    }),
  )

const missingIn = ({ id, name, currency }: CollaboratorDraft): CollaboratorProblems => ({
  ...(name.trim() === "" ? { name: "is needed" } : {}),
  ...(id.trim() === "" ? { id: "is needed" } : {}),
  ...(/^[A-Z]{3}$/.test(currency) ? {} : { currency: "needs three letters, as EUR" }),
})

const requestOf = ({ id, name, currency, rhythm, email }: CollaboratorDraft) => ({
  id: id.trim(),
  currency,
  payout_measurement: rhythm,
  account: {
    name: name.trim(),
    ...(email.trim() === "" ? {} : { paypal_email: email.trim() }),
  },
})

const creation = (draft: CollaboratorDraft): PlannedChange<Single<Collaborator>> => ({
  title: "Add a collaborator",
  verb: "Add",
  preview: (
    <>
      <BeforeAfter
        of={[
          { what: "Name", after: <Verbatim text={draft.name.trim()} most={200} /> },
          { what: "Id, which stays", after: <Verbatim text={draft.id.trim()} most={100} /> },
          { what: "Paid in", after: draft.currency },
          { what: "Paid", after: rhythms.find(([name]) => name === draft.rhythm)?.[1] },
        ]}
      />
      <p>They get nothing until a product group says so.</p>
    </>
  ),
  send: (key) => ask("collaborators", { method: "POST", key, body: requestOf(draft) }),
  result: () => <p>Added. Give them a product group, and they have a share of the next sale.</p>,
})

const Fields = (given: {
  draft: CollaboratorDraft
  change: (fields: Partial<CollaboratorDraft>) => void
  problems: CollaboratorProblems
}) => {
  const { draft, change, problems } = given
  return (
    <div class="sheet">
      <TextField
        label="Name"
        value={draft.name}
        problem={problems.name}
        required
        onValue={(name) => change({ name })}
      />
      <TextField
        label="Id"
        help="What they are called in files and in your own system. It can’t be changed."
        value={draft.id}
        problem={problems.id}
        required
        onValue={(id) => change({ id })}
      />
      <TextField
        label="Currency"
        help="In which they are paid, as EUR"
        value={draft.currency}
        problem={problems.currency}
        required
        onValue={(currency) => change({ currency: currency.toUpperCase() })}
      />
      <SelectField
        label="Paid"
        value={draft.rhythm}
        choices={rhythms}
        problem={problems.rhythm}
        onValue={(rhythm) => change({ rhythm })}
      />
      <TextField
        label="PayPal address"
        help="Only for those who are paid by PayPal"
        value={draft.email}
        problem={problems.email}
        onValue={(email) => change({ email })}
      />
    </div>
  )
}

export const CollaboratorForm = () => {
  const [draft, setDraft] = useState(empty)
  const [isTried, setTried] = useState(false)
  const [failure, setFailure] = useState<RequestFailure | undefined>(undefined)
  const [change, setChange] = useState<PlannedChange<Single<Collaborator>> | undefined>(undefined)
  const { form, refuse } = useFormFocus(false)
  const missing = missingIn(draft)
  const problems = {
    ...(failure === undefined ? {} : problemsIn(failure)),
    ...(isTried ? missing : {}),
  }
  const leave = (isDone: boolean) => {
    setChange(undefined)
    if (!isDone) return
    forgetCollaborators()
    go(["groups", "new"], { collaborator: draft.id.trim() })
  }
  return (
    <>
      <p class="trail">
        <a href={link(["balances"])}>Balances</a>
      </p>
      <h1 tabIndex={-1}>New collaborator</h1>
      <form
        ref={form}
        class="columns"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (Object.keys(missing).length === 0) setChange(creation(draft))
          else refuse()
        }}
      >
        <div>
          <Fields
            draft={draft}
            problems={problems}
            change={(fields) => {
              setDraft({ ...draft, ...fields })
              setFailure(undefined)
            }}
          />
          <div class="row">
            <Button submits kind="main">
              Show what changes
            </Button>
          </div>
        </div>
      </form>
      {change !== undefined && <ChangeDialog change={change} close={leave} refused={setFailure} />}
    </>
  )
}
