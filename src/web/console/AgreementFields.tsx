/** The fields of an agreement, by its kind. */
import type { ComponentChildren } from "preact"
import { Button } from "../parts/Button.js"
import { SelectField, TextField } from "../parts/Field.js"
import { MoneyField, PercentField, WholeField } from "../parts/Money.js"
import {
  type AgreementDraft,
  type AgreementProblems,
  agreementKinds,
  type ReleaseDraft,
} from "./AgreementDraft.js"
import { CollaboratorChoice } from "./Collaborators.js"
import { LinesField } from "./LinesField.js"

interface FieldsProps {
  readonly draft: AgreementDraft
  readonly change: (fields: Partial<AgreementDraft>) => void
  readonly problems: AgreementProblems
}

const Lines = (
  given: FieldsProps & { name: "groups" | "alsoFrom"; label: string; help: string },
) => {
  const { draft, change, problems, name, label, help } = given
  return (
    <LinesField
      label={label}
      help={help}
      value={draft[name]}
      problem={problems[name]}
      onValue={(text) => change({ [name]: text })}
    />
  )
}

const Day = (given: FieldsProps & { name: "grantedOn" | "from" | "until"; label: string }) => (
  <TextField
    label={given.label}
    type="date"
    value={given.draft[given.name]}
    problem={given.problems[given.name]}
    onValue={(day) => given.change({ [given.name]: day })}
  />
)

const Percentage = (given: FieldsProps & { label: string; help?: string }) => (
  <PercentField
    label={given.label}
    help={given.help}
    value={given.draft.percent}
    problem={given.problems.percent}
    onValue={(percent) => given.change({ percent })}
  />
)

const Amount = ({ draft, change, problems, label }: FieldsProps & { label: string }) => (
  <div class="pair">
    <TextField
      label="Currency"
      value={draft.currency}
      problem={problems.currency}
      onValue={(currency) => change({ currency: currency.toUpperCase() })}
    />
    <MoneyField
      label={label}
      currency={draft.currency}
      value={draft.amount}
      problem={problems.amount}
      onValue={(amount) => change({ amount })}
    />
  </div>
)

const AdvanceFields = (given: FieldsProps) => (
  <>
    <SelectField
      label="What for"
      value={given.draft.purpose}
      choices={[
        ["advance", "Money they have got already"],
        ["expense", "Money spent for them"],
      ]}
      onValue={(purpose) => given.change({ purpose })}
    />
    <Amount {...given} label="Amount" />
    <Day {...given} name="grantedOn" label="On" />
    <Percentage
      {...given}
      label="Earned back from this much of a share"
      help="All of it where this is empty"
    />
    <Lines
      {...given}
      name="alsoFrom"
      label="Earned back from others too"
      help="Ids of collaborators, one a line"
    />
  </>
)

const Releases = ({ draft, change, problems }: FieldsProps) => {
  const { releases } = draft
  const put = (place: number, fields: Partial<ReleaseDraft>) =>
    change({ releases: releases.map((one, at) => (at === place ? { ...one, ...fields } : one)) })
  return (
    <fieldset class="term">
      <legend>When it is released</legend>
      {releases.map(({ days, percent }, place) => (
        // Parts are told apart by their place: their days are being typed.
        <div key={`part ${place}`} class="band-fields">
          <WholeField
            label={`Part ${place + 1}: days after the sale`}
            value={days}
            problem={problems[`schedule[${place}].days`]}
            onValue={(days) => put(place, { days })}
          />
          <PercentField
            label={`Part ${place + 1}: percentage of it`}
            value={percent}
            problem={problems[`schedule[${place}].percent`]}
            onValue={(percent) => put(place, { percent })}
          />
        </div>
      ))}
      {problems.schedule !== undefined && <p class="field-problem">{problems.schedule}</p>}
      <div class="row">
        <Button onPress={() => change({ releases: [...releases, { days: null, percent: null }] })}>
          Add a part
        </Button>
        {releases.length > 1 && (
          <Button onPress={() => change({ releases: releases.slice(0, -1) })}>
            Remove the last part
          </Button>
        )}
      </div>
    </fieldset>
  )
}

const ReserveFields = (given: FieldsProps) => (
  <>
    <Percentage {...given} label="Held back of each share" />
    <Releases {...given} />
  </>
)

const GuaranteeFields = (given: FieldsProps) => (
  <>
    <Amount {...given} label="At least" />
    <div class="pair">
      <Day {...given} name="from" label="From" />
      <Day {...given} name="until" label="Until the end of" />
    </div>
  </>
)

const OverrideFields = (given: FieldsProps) => {
  const { draft, change, problems } = given
  return (
    <>
      <Percentage {...given} label="Percentage" />
      <SelectField
        label="Of"
        value={draft.of}
        choices={[
          ["share", "The share of a collaborator"],
          ["sale", "Each sale"],
        ]}
        problem={problems.of}
        onValue={(of) => change({ of, ...(of === "sale" ? { paidBy: "store", other: "" } : {}) })}
      />
      {draft.of === "share" && (
        <CollaboratorChoice
          label="Whose share"
          value={draft.other}
          none="Choose one"
          problem={problems.other}
          onValue={(other) => change({ other })}
        />
      )}
      <SelectField
        label="Paid out of"
        value={draft.paidBy}
        choices={[
          ["share", "That share"],
          ["store", "What is left to the store"],
        ]}
        problem={problems.paidBy}
        onValue={(paidBy) => change({ paidBy })}
      />
    </>
  )
}

const byKind: Readonly<Record<AgreementDraft["kind"], (given: FieldsProps) => ComponentChildren>> =
  {
    advance: AdvanceFields,
    reserve: ReserveFields,
    guarantee: GuaranteeFields,
    override: OverrideFields,
  }

export const AgreementFields = (given: FieldsProps & { isNew: boolean }) => {
  const { draft, change, problems, isNew } = given
  const OfKind = byKind[draft.kind]
  return (
    <div class="sheet">
      {isNew && (
        <>
          <SelectField
            label="Kind"
            value={draft.kind}
            choices={agreementKinds}
            onValue={(kind) => change({ kind })}
          />
          <TextField
            label="Its id"
            help="As it is called in the books, such as the number of a contract"
            value={draft.id}
            problem={problems.id}
            onValue={(id) => change({ id })}
          />
        </>
      )}
      <CollaboratorChoice
        value={draft.collaborator}
        none="Choose one"
        problem={problems.collaborator}
        onValue={(collaborator) => change({ collaborator })}
      />
      <OfKind {...given} />
      <Lines
        {...given}
        name="groups"
        label="Only of these groups"
        help="Ids of product groups, one a line; all of them where this is empty"
      />
    </div>
  )
}
