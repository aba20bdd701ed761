/** Noting a payout as paid outside of this service: with what the bank calls the payment, where it is closed or due. */
import { useState } from "preact/hooks"
import { TextField } from "../parts/Field.js"
import { Verbatim } from "../parts/Verbatim.js"
import { money } from "./Amount.js"
import type { Single, ViewedPayout } from "./Answers.js"
import { BeforeAfter, type PlannedChange } from "./Change.js"
import { ChangeForm } from "./ChangeForm.js"
import { ask, path, type RequestFailure } from "./Connection.js"
import { Name } from "./Name.js"
import { Badge } from "./Notice.js"

const Preview = ({ payout, reference }: { payout: ViewedPayout; reference: string }) => {
  const { collaborator, total, currency, status } = payout
  const after = reference === "" ? "manually paid" : "paid"
  const figures = [
    { what: "Status", before: <Badge of={status} />, after: <Badge of={after} /> },
    {
      what: "Still to be paid",
      before: money(total, currency),
      after: money(0, currency),
    },
  ]
  return (
    <>
      <p>
        You say that <Name name={collaborator.account.name} id={collaborator.id} /> has got{" "}
        <strong>{money(total, currency)}</strong> outside of this service. It is noted with today’s
        date
        {reference !== "" && (
          <>
            {" "}
            and the reference “
            <Verbatim text={reference} />”
          </>
        )}
        . No money is sent. This can’t be taken back here.
      </p>
      <BeforeAfter of={figures} />
    </>
  )
}

/** Notes a payout as paid by hand; with a reference, as paid with just this total. */
export const paidChange = (
  payout: ViewedPayout,
  reference: string,
): PlannedChange<Single<ViewedPayout>> => ({
  title: "Set as paid by hand",
  verb: "Set as paid",
  isGrave: true,
  preview: <Preview payout={payout} reference={reference} />,
  send: (key) =>
    reference === ""
      ? ask(path("payouts", payout.id, "set-paid"), { method: "POST", key })
      : ask(path("payouts", payout.id, "pay"), {
          method: "POST",
          key,
          body: { total: payout.total, reference },
        }),
  result: ({ data }) => (
    <>
      <p>
        Done: the payout of {money(data.total, data.currency)} is {data.status}.
      </p>
      {data.total !== payout.total && (
        <p class="notice notice-warn">
          It came to another amount than {money(payout.total, payout.currency)} just before.
        </p>
      )}
    </>
  ),
})

export const PaidForm = (given: { payout: ViewedPayout; close: () => void }) => {
  const { payout, close } = given
  const [reference, setReference] = useState("")
  const [failure, setFailure] = useState<RequestFailure | undefined>(undefined)
  const planned = () => paidChange(payout, reference.trim())
  return (
    <ChangeForm
      title="Set as paid"
      filledIn={reference}
      planned={planned}
      refused={setFailure}
      close={close}
    >
      <div class="fields">
        <TextField
          label="Reference"
          help="What your bank calls the payment, or a note. It may be left out."
          value={reference}
          problem={failure?.errors.reference?.join("; ")}
          onValue={setReference}
        />
      </div>
    </ChangeForm>
  )
}
