/** An agreement: what is agreed, where it stands, and what can be done with it. */
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import {
  type AgreementKind,
  agreementDraftOf,
  agreementKinds,
  emptyAgreement,
} from "./AgreementDraft.js"
import { AgreementForm } from "./AgreementForm.js"
import { AgreementHistory } from "./AgreementHistory.js"
import { AgreementTold, kindWords, standingOf } from "./AgreementWords.js"
import type { AgreementRow, Single } from "./Answers.js"
import { BeforeAfter, ChangeDialog, type PlannedChange } from "./Change.js"
import { NameOf } from "./Collaborators.js"
import { ask, path } from "./Connection.js"
import { useLoad } from "./Load.js"
import { Actor, Id } from "./Name.js"
import { Badge, Shown } from "./Notice.js"
import { link } from "./Route.js"
import { Needs } from "./Scopes.js"
import { moment } from "./Time.js"

export const stateOf = ({ ended_at }: AgreementRow): string =>
  ended_at === null ? "in force" : "ended"

const ending = (row: AgreementRow): PlannedChange<Single<AgreementRow>> => ({
  title: "End the agreement",
  verb: "End it",
  isGrave: true,
  preview: (
    <>
      <p>
        Nothing more is booked for it, and it can’t be taken up again. What a reserve holds is still
        released as agreed, and refunds take back what was booked.
      </p>
      <BeforeAfter
        of={[
          { what: "State", before: "in force", after: "ended" },
          ...standingOf(row).map(([what, figure]) => ({ what, before: figure, after: figure })),
        ]}
      />
    </>
  ),
  send: (key) =>
    ask(path("agreements", row.kind, row.agreement.id, "end"), { method: "POST", key }),
  result: () => <p>It is ended.</p>,
})

const Facts = ({ row }: { row: AgreementRow }) => (
  <section class="sheet" aria-label="Where it stands">
    <p>
      <Badge of={stateOf(row)} /> <AgreementTold of={row} />.
    </p>
    <dl class="tiles">
      {standingOf(row).map(([what, figure], place) => (
        <div key={`${place}`} class="tile">
          <dt>{what}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
    <p class="faint">
      Made or last changed {moment(row.made_at)} by <Actor of={row.made_by} />
      {row.ended_at !== null && (
        <>
          , ended {moment(row.ended_at)} by <Actor of={row.ended_by ?? ""} />
        </>
      )}
      .
    </p>
  </section>
)

const Changes = ({ row, end }: { row: AgreementRow; end: () => void }) => (
  <>
    {row.is_used ? (
      <p class="faint">Something is booked for it: it can be ended, but not changed.</p>
    ) : (
      <AgreementForm
        key={JSON.stringify(row.agreement)}
        start={agreementDraftOf(row)}
        isNew={false}
      />
    )}
    <div class="row">
      <Button kind="danger" onPress={end}>
        End…
      </Button>
    </div>
  </>
)

const Stored = ({ kind, id }: { kind: string; id: string }) => {
  const agreement = useLoad<Single<AgreementRow>>(path("agreements", kind, id))
  const [change, setChange] = useState<PlannedChange<Single<AgreementRow>> | undefined>(undefined)
  const known = agreement.value?.data
  return (
    <>
      <h1 tabIndex={-1}>
        {known === undefined ? "Agreement" : kindWords[known.kind]}
        {known !== undefined && (
          <>
            {" of "}
            <NameOf id={known.agreement.collaborator_id} />
          </>
        )}
      </h1>
      <p class="faint">
        <Id of={id} />
      </p>
      <Shown of={agreement}>
        {({ data }) => (
          <>
            <Facts row={data} />
            {data.ended_at === null && (
              <Needs scope="manage">
                <Changes row={data} end={() => setChange(ending(data))} />
              </Needs>
            )}
            <AgreementHistory of={data} />
          </>
        )}
      </Shown>
      {change !== undefined && <ChangeDialog change={change} close={() => setChange(undefined)} />}
    </>
  )
}

const isKind = (text: string): text is AgreementKind =>
  agreementKinds.some(([kind]) => kind === text)

/** `new`: one that is not there yet. */
export const Agreement = ({ kind, id }: { kind: string; id: string | undefined }) => (
  <>
    <p class="trail">
      <a href={link(["agreements"])}>Agreements</a>
    </p>
    {id === undefined || !isKind(kind) ? (
      <>
        <h1 tabIndex={-1}>New agreement</h1>
        <Needs scope="manage">
          <AgreementForm start={emptyAgreement()} isNew />
        </Needs>
      </>
    ) : (
      <Stored kind={kind} id={id} />
    )}
  </>
)
