/** An agreement filled in: made or changed, after it was shown what that does. */
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import {
  type AgreementDraft,
  agreementRequestOf,
  missingInAgreement,
  problemsOfAgreement,
} from "./AgreementDraft.js"
import { AgreementFields } from "./AgreementFields.js"
import { AgreementTold } from "./AgreementWords.js"
import type {
  AgreementPreview,
  AgreementForm as AgreementRequest,
  AgreementRow,
  Single,
} from "./Answers.js"
import { BeforeAfter, ChangeDialog, type PlannedChange } from "./Change.js"
import { NameOf } from "./Collaborators.js"
import { ask, type RequestFailure } from "./Connection.js"
import { useFormFocus } from "./FormFocus.js"
import { FindingList } from "./GroupFindings.js"
import { FailureNotice } from "./Notice.js"
import { go } from "./Route.js"

const titles = {
  made: "Make the agreement",
  changed: "Change the agreement",
  nothing: "Nothing changes",
} as const

const Foreseen = ({ of }: { of: AgreementPreview }) => {
  const { agreed, before, findings, checked } = of
  const news = findings.filter(({ is_new }) => is_new)
  return (
    <>
      <p>
        With <NameOf id={agreed.agreement.collaborator_id} />, from the next sale on:
      </p>
      <BeforeAfter
        of={[
          {
            what: "Agreed",
            ...(before === null ? {} : { before: <AgreementTold of={before} /> }),
            after: <AgreementTold of={agreed} />,
          },
        ]}
      />
      {news.length > 0 && <FindingList of={news.slice(0, 20)} />}
      {news.length === 0 && checked === "all" && (
        <p class="faint">The linter has nothing to say of it.</p>
      )}
      <p class="faint">Once something is booked for it, it can be ended, but not changed.</p>
    </>
  )
}

const putting = (
  request: AgreementRequest,
  preview: AgreementPreview,
): PlannedChange<Single<AgreementRow>> => ({
  title: titles[preview.change],
  verb: preview.change === "made" ? "Make it" : "Save it",
  preview: <Foreseen of={preview} />,
  send: (key) => ask("agreements", { method: "PUT", key, body: request }),
  result: ({ data }) => (
    <p>
      It is agreed: <AgreementTold of={data} />.
    </p>
  ),
})

/** Asks what an agreement would do, and keeps the change or why it is refused. */
const usePreview = () => {
  const [change, setChange] = useState<PlannedChange<Single<AgreementRow>> | undefined>(undefined)
  const [failure, setFailure] = useState<RequestFailure | undefined>(undefined)
  const [isAsking, setAsking] = useState(false)
  const look = async (request: AgreementRequest) => {
    if (isAsking) return
    setAsking(true)
    setFailure(undefined)
    const answer = await ask<Single<AgreementPreview>>("agreements/preview", {
      method: "POST",
      body: request,
    })
    setAsking(false)
    if (answer.type === "failed") setFailure(answer.failure)
    else setChange(putting(request, answer.value.data))
  }
  return { change, setChange, failure, setFailure, isAsking, look }
}

export const AgreementForm = (given: { start: AgreementDraft; isNew: boolean }) => {
  const { start, isNew } = given
  const [draft, setDraft] = useState(start)
  const [isTried, setTried] = useState(false)
  const { change, setChange, failure, setFailure, isAsking, look } = usePreview()
  const { form, refuse } = useFormFocus(false)
  const missing = missingInAgreement(draft)
  const problems = {
    ...problemsOfAgreement(failure?.errors ?? {}, draft.kind),
    ...(isTried ? missing : {}),
  }
  const leave = (isDone: boolean) => {
    setChange(undefined)
    if (isDone) go(["agreements", draft.kind, draft.id.trim()])
  }
  return (
    <form
      ref={form}
      class="columns"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (Object.keys(missing).length === 0) look(agreementRequestOf(draft))
        else refuse()
      }}
    >
      <div>
        <AgreementFields
          draft={draft}
          problems={problems}
          isNew={isNew}
          change={(fields) => {
            setDraft({ ...draft, ...fields })
            setFailure(undefined)
          }}
        />
        {failure !== undefined && <FailureNotice failure={failure} />}
        <div class="row">
          <Button submits kind="main" disabled={isAsking}>
            Show what changes
          </Button>
        </div>
      </div>
      {change !== undefined && <ChangeDialog change={change} close={leave} refused={setFailure} />}
    </form>
  )
}
