/** A payment that was not made, or that came back: noted with why, after it was shown what that does. */
import { useState } from "preact/hooks"
import { TextField } from "../parts/Field.js"
import { Verbatim } from "../parts/Verbatim.js"
import { money } from "./Amount.js"
import type { PaymentRow, ViewedPayout } from "./Answers.js"
import { BeforeAfter, type PlannedChange } from "./Change.js"
import { ChangeForm } from "./ChangeForm.js"
import { ask, path, type RequestFailure } from "./Connection.js"
import { Badge } from "./Notice.js"

/** Paying failed, or what was paid came back: a payment that was made ends in another way than one that was not. */
interface NotedFailure {
  readonly title: string
  /** Where it is noted. */
  readonly where: string
  /** What was still to be paid before it was noted, in cents. */
  readonly unpaid: number
}

export const failed = ({ id, total }: ViewedPayout): NotedFailure => ({
  title: "Payment failed",
  where: path("payouts", id, "fail"),
  unpaid: total,
})

export const cameBack = ({ id }: PaymentRow): NotedFailure => ({
  title: "Payment came back",
  where: path("payments", id, "return"),
  unpaid: 0,
})

const noting = (
  { status, total, currency }: ViewedPayout,
  { title, where, unpaid }: NotedFailure,
  reason: string,
): PlannedChange<unknown> => ({
  title,
  verb: "Note it",
  preview: (
    <>
      <p>
        The reason is “
        <Verbatim text={reason} />
        ”. The payout waits until somebody presses “Pay again”; entries can be added to it until
        then.
      </p>
      <BeforeAfter
        of={[
          { what: "Status", before: <Badge of={status} />, after: <Badge of="failed" /> },
          {
            what: "Still to be paid",
            before: money(unpaid, currency),
            after: money(total, currency),
          },
        ]}
      />
    </>
  ),
  send: (key) => ask(where, { method: "POST", key, body: { reason } }),
  result: () => <p>Noted: the payout has failed, and its money is still to be paid.</p>,
})

/** What stands for a reason in payouts of files that have none. */
const unsaid = "unknown"

/** Why a payout failed, where somebody said why. */
export const WhyFailed = ({ payout: { status, failure_reason } }: { payout: ViewedPayout }) =>
  status !== "failed" ? null : (
    <p class="notice notice-bad">
      {failure_reason == null || failure_reason === unsaid ? (
        "It failed, and nobody has said why. Once that is mended, “Pay again” makes it pending."
      ) : (
        <>
          It failed: <Verbatim text={failure_reason} most={400} />
        </>
      )}
    </p>
  )

export const FailureForm = (given: {
  payout: ViewedPayout
  failure: NotedFailure
  close: () => void
}) => {
  const { payout, failure, close } = given
  const [reason, setReason] = useState("")
  const [isTried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<RequestFailure | undefined>(undefined)
  const missing = isTried && reason.trim() === "" ? "is needed" : undefined
  const planned = () => {
    setTried(true)
    return reason.trim() === "" ? undefined : noting(payout, failure, reason.trim())
  }
  return (
    <ChangeForm
      title={failure.title}
      filledIn={reason}
      planned={planned}
      refused={setRefusal}
      close={close}
    >
      <div class="fields">
        <TextField
          label="Why"
          help="What the bank says, as “account closed”."
          value={reason}
          required
          problem={missing ?? refusal?.errors.reason?.join("; ")}
          onValue={setReason}
        />
      </div>
    </ChangeForm>
  )
}
