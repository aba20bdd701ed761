/** A product group: its form, what it takes, what the linter finds, and what it would have changed. */
import { useEffect, useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import type { ProposedGroup, Single, StoredGroup } from "./Answers.js"
import { Backtest } from "./Backtest.js"
import { ChangeDialog, useKeyOf } from "./Change.js"
import { CollaboratorChoice } from "./Collaborators.js"
import { path, type RequestFailure } from "./Connection.js"
import { useFormFocus } from "./FormFocus.js"
import { removal, saving } from "./GroupChange.js"
import {
  draftOf,
  emptyDraft,
  type GroupDraft,
  missingIn,
  problemsOf,
  requestOf,
  wrongIn,
} from "./GroupDraft.js"
import { GroupFields } from "./GroupFields.js"
import { type DraftCheck, GroupFindings } from "./GroupFindings.js"
import { GroupLink } from "./GroupWords.js"
import { type Loaded, useLoad } from "./Load.js"
import { Id, Name } from "./Name.js"
import { FailureNotice, Shown } from "./Notice.js"
import { go, link, route } from "./Route.js"
import { Needs } from "./Scopes.js"

/** How long after the last key stroke the draft is checked, in milliseconds. */
const patience = 250

const useSettled = <T,>(value: T): T => {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), patience)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const unchecked: Loaded<never> = { value: undefined, failure: undefined, isLoading: false }

/** Nothing is said of a form that is not filled in yet. */
const useCheck = (proposed: ProposedGroup, isWhole: boolean): Loaded<Single<DraftCheck>> => {
  const { body, isAsked } = useSettled({ body: proposed, isAsked: isWhole })
  const check = useLoad<Single<DraftCheck>>(isAsked && isWhole ? "groups/preview" : undefined, {
    method: "POST",
    body,
  })
  return isWhole ? check : unchecked
}

type EditorStep = "save" | "remove" | undefined

const Steps = (given: {
  step: EditorStep
  stored: StoredGroup | undefined
  proposed: ProposedGroup
  end: () => void
  refused: (failure: RequestFailure) => void
}) => {
  const { step, stored, proposed, end, refused } = given
  const sendKey = useKeyOf(proposed)
  const leave = (isDone: boolean) => {
    end()
    if (isDone) go(["groups"], { collaborator: proposed.collaborator_id })
  }
  if (step === "save") {
    const change = saving(stored, proposed)
    return <ChangeDialog change={change} close={leave} refused={refused} sendKey={sendKey} />
  }
  if (step === "remove" && stored !== undefined) {
    return <ChangeDialog change={removal(stored)} close={leave} refused={refused} />
  }
  return null
}

const Owner = (given: { id: string; choose: (id: string) => void; isTried: boolean }) => (
  <div class="sheet">
    <CollaboratorChoice
      value={given.id}
      none="Choose one"
      onValue={given.choose}
      problem={given.isTried && given.id === "" ? "choose who gets the share" : undefined}
    />
    <p>
      <a href={link(["collaborators", "new"])}>New collaborator</a>
    </p>
  </div>
)

const Outlook = (given: {
  check: Loaded<Single<DraftCheck>>
  hasProblems: boolean
  proposed: ProposedGroup
}) => {
  const { check, hasProblems, proposed } = given
  return (
    <aside aria-label="What it would do">
      <GroupFindings check={check} hasProblems={hasProblems} />
      {check.failure !== undefined && !hasProblems && <FailureNotice failure={check.failure} />}
      {check.value !== undefined && !hasProblems && <Backtest of={proposed} />}
    </aside>
  )
}

const EditorButtons = (given: { isHeld: boolean; remove: (() => void) | undefined }) => (
  <Needs scope="manage">
    <div class="row">
      <Button submits kind="main" disabled={given.isHeld}>
        Show what changes
      </Button>
      {given.remove !== undefined && (
        <Button kind="danger" onPress={given.remove}>
          Delete…
        </Button>
      )}
    </div>
  </Needs>
)

const Editor = ({ stored }: { stored: StoredGroup | undefined }) => {
  const [owner, setOwner] = useState(
    stored?.collaborator.id ?? route.value.query.get("collaborator") ?? "",
  )
  const [draft, setDraft] = useState<GroupDraft>(
    stored === undefined ? emptyDraft : draftOf(stored.group),
  )
  const [isTried, setTried] = useState(false)
  const [step, setStep] = useState<EditorStep>(undefined)
  const [failure, setFailure] = useState<RequestFailure | undefined>(undefined)
  const proposed = { collaborator_id: owner, group_id: stored?.id ?? null, group: requestOf(draft) }
  const missing = missingIn(draft)
  const wrong = wrongIn(draft)
  const isWhole = owner !== "" && [missing, wrong].every((each) => Object.keys(each).length === 0)
  const check = useCheck(proposed, isWhole)
  const problems = {
    ...(isTried ? missing : {}),
    ...wrong,
    ...problemsOf(failure?.errors ?? check.failure?.errors ?? {}),
  }
  const hasProblems = Object.keys(problems).length > 0
  const change = (fields: Partial<GroupDraft>) => {
    setDraft({ ...draft, ...fields })
    setFailure(undefined)
  }
  const { form, refuse } = useFormFocus(false)
  const show = () => {
    setTried(true)
    if (!isWhole || hasProblems) return refuse()
    setStep("save")
  }
  return (
    <form
      ref={form}
      class="columns"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        show()
      }}
    >
      <div>
        {stored === undefined && <Owner id={owner} choose={setOwner} isTried={isTried} />}
        <GroupFields draft={draft} change={change} problems={problems} />
        <EditorButtons
          isHeld={hasProblems}
          remove={stored === undefined ? undefined : () => setStep("remove")}
        />
      </div>
      <Outlook check={check} hasProblems={hasProblems} proposed={proposed} />
      <Steps
        step={step}
        stored={stored}
        proposed={proposed}
        end={() => setStep(undefined)}
        refused={setFailure}
      />
    </form>
  )
}

const Trail = () => (
  <p class="trail">
    <a href={link(["groups"])}>Product groups</a>
  </p>
)

const Stored = ({ id }: { id: string }) => {
  const group = useLoad<Single<StoredGroup>>(path("groups", id))
  const known = group.value?.data
  return (
    <>
      <h1 tabIndex={-1}>
        {known === undefined ? (
          "Product group"
        ) : (
          <>
            <Name name={known.collaborator.name} id={known.collaborator.id} />:{" "}
            <GroupLink of={known.group} />
          </>
        )}
      </h1>
      <p class="faint">
        <Id of={id} />
      </p>
      <Shown of={group}>
        {({ data }) => <Editor key={JSON.stringify(data.group)} stored={data} />}
      </Shown>
    </>
  )
}

/** `new`: one that is not there yet. */
export const Group = ({ id }: { id: string }) => (
  <>
    <Trail />
    {id === "new" ? (
      <>
        <h1 tabIndex={-1}>New product group</h1>
        <Editor stored={undefined} />
      </>
    ) : (
      <Stored id={id} />
    )}
  </>
)
