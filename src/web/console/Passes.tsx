/** The links with which a collaborator reads their own statements: each is made, shown once, and can be revoked. */
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { SelectField, TextField } from "../parts/Field.js"
import { type Column, Table } from "../parts/Table.js"
import type { MadePass, PassRow, Single } from "./Answers.js"
import { ChangeDialog, type PlannedChange } from "./Change.js"
import { NameOf } from "./Collaborators.js"
import { ask, path } from "./Connection.js"
import { useFormFocus } from "./FormFocus.js"
import { useLoad } from "./Load.js"
import { Actor } from "./Name.js"
import { Shown } from "./Notice.js"
import { may, Needs } from "./Scopes.js"
import { date, dayEnd, dayOf, now } from "./Time.js"

const languages = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["ar", "العربية"],
] as const

type PassLanguage = PassRow["language"]

const languageName = (language: PassLanguage): string =>
  languages.find(([one]) => one === language)?.[1] ?? language

const passesOf = (collaborator: string, ...more: ReadonlyArray<string>) =>
  path("collaborators", collaborator, "passes", ...more)

/** Who has it reads with it, so it is in no address that a server sees. */
const linkOf = (token: string): string => new URL(`statement/#${token}`, document.baseURI).href

const Made = ({ of: { token, expires_at } }: { of: MadePass }) =>
  token === null ? (
    <p>The link was made, but its answer was lost, and it is shown only once: make another one.</p>
  ) : (
    <>
      <p>This is shown only now. Whoever has it reads with it until {date(expires_at)}:</p>
      <p>
        <a class="whole-link" href={linkOf(token)} target="_blank" rel="noreferrer">
          {linkOf(token)}
        </a>
      </p>
    </>
  )

const making = (
  id: string,
  language: PassLanguage,
  expires: number,
): PlannedChange<Single<MadePass>> => ({
  title: "Make a link",
  verb: "Make it",
  preview: (
    <p>
      Whoever has the link sees the statements, payouts and explanations of <NameOf id={id} />, in{" "}
      {languageName(language)}, as far as their permissions go, and nothing of anyone else. It
      changes nothing, and works until {date(expires)} or until it is revoked.
    </p>
  ),
  send: (key) =>
    ask(passesOf(id), { method: "POST", key, body: { language, expires_at: expires } }),
  result: ({ data }) => <Made of={data} />,
})

const revoking = (pass: PassRow): PlannedChange<unknown> => ({
  title: "Revoke a link",
  verb: "Revoke it",
  isGrave: true,
  preview: (
    <p>
      The link that was made on {date(pass.created_at)} for <NameOf id={pass.collaborator_id} />{" "}
      opens nothing from then on. Who needs one gets a new one.
    </p>
  ),
  send: () => ask(passesOf(pass.collaborator_id, pass.id), { method: "DELETE" }),
  result: () => <p>Done: the link opens nothing any more.</p>,
})

const isInForce = ({ revoked_at, expires_at }: PassRow): boolean =>
  revoked_at === null && expires_at > now()

const stateOf = (pass: PassRow): string => {
  if (pass.revoked_at !== null) return `revoked on ${date(pass.revoked_at)}`
  return `${isInForce(pass) ? "works until" : "ended on"} ${date(pass.expires_at)}`
}

const columns = (revoke: (pass: PassRow) => void): ReadonlyArray<Column<PassRow>> => [
  { heading: "Made", cell: ({ created_at }) => date(created_at) },
  { heading: "By", cell: ({ created_by }) => <Actor of={created_by} /> },
  { heading: "Language", cell: ({ language }) => <bdi>{languageName(language)}</bdi> },
  { heading: "State", cell: stateOf },
  {
    heading: "Revoke",
    cell: (pass) =>
      isInForce(pass) && may("manage") ? (
        <Button
          kind="plain"
          name={`Revoke the link made on ${date(pass.created_at)}…`}
          onPress={() => revoke(pass)}
        >
          Revoke…
        </Button>
      ) : (
        "–"
      ),
  },
]

/** For how many days a link works, usually and at most. */
const [usualDays, mostDays] = [30, 365]

const daysFromNow = (days: number): number => now() + days * 86_400

const PassForm = (given: {
  id: string
  plan: (change: PlannedChange<Single<MadePass>>) => void
}) => {
  const [language, setLanguage] = useState<PassLanguage>("en")
  const [day, setDay] = useState(dayOf(daysFromNow(usualDays)))
  const { form, refuse } = useFormFocus(false)
  const expires =
    day >= dayOf(now()) && day <= dayOf(daysFromNow(mostDays)) ? dayEnd(day) : undefined
  return (
    <form
      ref={form}
      aria-label="New link"
      class="filters"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (expires === undefined) refuse()
        else given.plan(making(given.id, language, expires))
      }}
    >
      <SelectField
        label="Language"
        value={language}
        choices={languages}
        onValue={(chosen) => setLanguage(chosen)}
      />
      <TextField
        label="Works until"
        type="date"
        value={day}
        problem={
          expires === undefined
            ? `must be a day from today to ${mostDays} days from now`
            : undefined
        }
        onValue={setDay}
      />
      <Button submits>Make a link…</Button>
    </form>
  )
}

export const Passes = ({ id }: { id: string }) => {
  const passes = useLoad<Single<ReadonlyArray<PassRow>>>(passesOf(id))
  const [made, setMade] = useState<PlannedChange<Single<MadePass>> | undefined>(undefined)
  const [revoked, setRevoked] = useState<PassRow | undefined>(undefined)
  return (
    <section class="sheet" aria-label="Links">
      <h2>Links to their statements</h2>
      <Needs scope="manage">
        <PassForm id={id} plan={setMade} />
      </Needs>
      <Shown of={passes}>
        {({ data }) => (
          <Table
            caption="Links to the collaborator’s statements"
            empty="There is no link yet."
            columns={columns(setRevoked)}
            rows={data.toSorted((one, other) => other.created_at - one.created_at)}
            keyOf={(pass) => pass.id}
          />
        )}
      </Shown>
      {made !== undefined && <ChangeDialog change={made} close={() => setMade(undefined)} />}
      {revoked !== undefined && (
        <ChangeDialog change={revoking(revoked)} close={() => setRevoked(undefined)} />
      )}
    </section>
  )
}
