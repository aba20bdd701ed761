/** The agreements beside the product groups, each with where it stands. */
import { CheckField, SelectField } from "../parts/Field.js"
import type { Column } from "../parts/Table.js"
import { stateOf } from "./Agreement.js"
import { agreementKinds } from "./AgreementDraft.js"
import { AgreementTold, kindWords, standingOf } from "./AgreementWords.js"
import { counted } from "./Amount.js"
import type { AgreementRow } from "./Answers.js"
import { CollaboratorChoice, NameOf } from "./Collaborators.js"
import { LongTable } from "./LongTable.js"
import { Id } from "./Name.js"
import { Badge, LoadFailure } from "./Notice.js"
import { usePages } from "./Pages.js"
import { link, route, select } from "./Route.js"
import { may } from "./Scopes.js"

const columns: ReadonlyArray<Column<AgreementRow>> = [
  {
    heading: "Agreement",
    cell: ({ kind, agreement }) => (
      <>
        {kindWords[kind]}{" "}
        <a href={link(["agreements", kind, agreement.id])}>
          <Id of={agreement.id} />
        </a>
      </>
    ),
  },
  { heading: "With", cell: ({ agreement }) => <NameOf id={agreement.collaborator_id} /> },
  { heading: "What is agreed", cell: (row) => <AgreementTold of={row} /> },
  {
    heading: "Where it stands",
    cell: (row) =>
      standingOf(row).map(([what, figure], place) => (
        <div key={`${place}`}>
          {what} {figure}
        </div>
      )),
  },
  { heading: "State", cell: (row) => <Badge of={stateOf(row)} /> },
]

const choices = [["", "All"], ...agreementKinds] as const

export const Agreements = () => {
  const { query } = route.value
  const kind = query.get("kind") ?? ""
  const list = usePages<AgreementRow>("agreements", {
    collaborator: query.get("collaborator") ?? undefined,
    kind,
    ended: query.get("ended") ?? undefined,
  })
  return (
    <>
      <div class="title">
        <h1 tabIndex={-1}>Agreements</h1>
        {may("manage") && (
          <a class="button button-main" href={link(["agreements", "new"])}>
            New agreement
          </a>
        )}
      </div>
      <fieldset class="filters">
        <legend class="spoken">Filters</legend>
        <CollaboratorChoice
          value={query.get("collaborator") ?? ""}
          none="All"
          onValue={(collaborator) => select({ collaborator })}
        />
        <SelectField<string>
          label="Kind"
          value={kind}
          choices={choices}
          onValue={(kind) => select({ kind })}
        />
        <CheckField
          label="Ended ones too"
          value={query.get("ended") === "true"}
          onValue={(isShown) => select({ ended: isShown ? "true" : "" })}
        />
      </fieldset>
      {list.failure !== undefined && <LoadFailure failure={list.failure} />}
      <p class="faint" role="status">
        {list.total === undefined ? "" : counted(list.total, "agreement")}
      </p>
      <LongTable
        caption="Agreements"
        columns={columns}
        list={list}
        empty="Nothing is agreed beside the product groups."
      />
    </>
  )
}
