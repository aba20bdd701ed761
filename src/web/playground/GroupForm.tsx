/** One product group as a form. */
import type { JSX } from "preact"
import { money } from "../../orders/Words.js"
import type { Problem } from "../../Problem.js"
import { Button } from "../parts/Button.js"
import { CheckField, SelectField, TextField } from "../parts/Field.js"
import { MoneyField, PercentField } from "../parts/Money.js"
import { problemsOfTerms, termsDraftOf, termsOf } from "../parts/TermsDraft.js"
import { type AmountInput, TermsFields } from "../parts/TermsFields.js"
import { centsOf, textOf } from "./FieldValues.js"
import { ListField, textsOf } from "./ListField.js"
import { groupFields, type JsonObject, readGroup } from "./Scenario.js"
import { addGroup, changeGroup, removeGroup } from "./State.js"

const linkTypes = [
  ["products.all", "All products"],
  ["products.tag", "Products with a tag"],
  ["products.vendor", "Products of a vendor"],
  ["products", "Single products"],
] as const

const conditions = [
  ["", "Every order"],
  ["referer", "Where the buyer came from"],
  ["order.tag", "A tag of the order"],
  ["customer.tag", "A tag of the customer"],
  ["discount.code", "A discount code"],
  ["country.code", "The billing country"],
] as const

const modifiers = [
  ["WITH", "with one of"],
  ["NOT", "without any of"],
] as const

const kinds = [
  ["percentage", "A percentage"],
  ["flat", "A flat amount"],
  ["both", "A percentage and a flat amount"],
] as const

/** What each part of the form takes. */
interface PartProps {
  readonly fields: JsonObject
  readonly currency: string
  readonly change: (changes: JsonObject) => void
  readonly problem: (...names: ReadonlyArray<string>) => string | undefined
}

const percentOf = (value: unknown): string | null => (value == null ? null : String(value))

const one = <Value extends string>(
  choices: ReadonlyArray<readonly [Value, string]>,
  value: unknown,
  fallback: Value,
): Value => choices.find(([name]) => name === value)?.[0] ?? fallback

const Names = ({ fields, change, problem }: PartProps): JSX.Element => (
  <div class="pair">
    <TextField
      label="Group"
      value={textOf(fields.id)}
      problem={problem("id")}
      onValue={(id) => change({ id })}
    />
    <TextField
      label="Collaborator"
      value={textOf(fields.collaborator_id)}
      problem={problem("collaborator_id", "collaboratorId")}
      onValue={(collaborator_id) => change({ collaborator_id })}
    />
  </div>
)

const Link = ({ fields, change, problem }: PartProps): JSX.Element => (
  <>
    <div class="pair">
      <SelectField
        label="Is for"
        value={one(linkTypes, fields.itemType, "products.all")}
        choices={linkTypes}
        problem={problem("itemType")}
        onValue={(itemType) => change({ itemType })}
      />
      {fields.itemType !== "products.all" && (
        <SelectField
          label="How"
          value={one(modifiers, fields.type_modifier, "WITH")}
          choices={modifiers}
          onValue={(type_modifier) => change({ type_modifier })}
        />
      )}
    </div>
    {fields.itemType !== "products.all" && (
      <ListField
        label="Tags, vendors or product ids"
        help="Commas between them"
        values={textsOf(fields.items)}
        problem={problem("items")}
        onValues={(items) => change({ items })}
      />
    )}
  </>
)

const ConditionPart = ({ fields, change, problem }: PartProps): JSX.Element => {
  const type = one(conditions, fields.splitConditionType, "")
  return (
    <>
      <div class="pair">
        <SelectField
          label="On condition of"
          value={type}
          choices={conditions}
          problem={problem("splitConditionType")}
          onValue={(value) => change({ splitConditionType: value === "" ? null : value })}
        />
        {type !== "" && (
          <SelectField
            label="Order"
            value={one(modifiers, fields.condition_modifier, "WITH")}
            choices={modifiers}
            onValue={(condition_modifier) => change({ condition_modifier })}
          />
        )}
      </div>
      {type !== "" && (
        <ListField
          label="Values of the condition"
          help="Commas between them"
          values={textsOf(fields.splitConditions)}
          problem={problem("splitConditions")}
          onValues={(splitConditions) => change({ splitConditions })}
        />
      )}
      {type === "referer" && (
        <CheckField
          label="Paid first, and deducted from the base of the others"
          value={fields.deduct_for_other_splits === true}
          onValue={(deduct_for_other_splits) => change({ deduct_for_other_splits })}
        />
      )}
    </>
  )
}

/** A flat amount has no tiers. */
const withoutTiers = ({ terms }: JsonObject): JsonObject => ({
  terms: termsOf({ ...termsDraftOf(terms), tiers: null }),
})

const paysPercent = (fields: JsonObject): boolean => fields.type !== "flat"

/** Tiers stand in the place of a percentage; one that is there all the same is shown with its problem. */
const hasPercent = ({ fields, problem }: Pick<PartProps, "fields" | "problem">): boolean =>
  paysPercent(fields) &&
  (termsDraftOf(fields.terms).tiers === null || problem("percent", "percentage") !== undefined)

const Pay = ({ fields, currency, change, problem }: PartProps): JSX.Element => (
  <div class="pair">
    <SelectField
      label="Pays"
      value={one(kinds, fields.type, "percentage")}
      choices={kinds}
      problem={problem("type")}
      onValue={(type) => change({ type, ...(type === "flat" ? withoutTiers(fields) : {}) })}
    />
    {fields.type !== "percentage" && (
      <MoneyField
        label="Amount"
        currency={currency}
        value={centsOf(fields.amount)}
        problem={problem("amount")}
        onValue={(amount) => change({ amount })}
      />
    )}
    {hasPercent({ fields, problem }) && (
      <PercentField
        label="Percent"
        value={percentOf(fields.percent ?? fields.percentage)}
        problem={problem("percent", "percentage")}
        onValue={(percent) => change({ percent, percentage: undefined })}
      />
    )}
  </div>
)

const TermsPart = ({ fields, currency, change }: PartProps): JSX.Element => {
  const terms = termsDraftOf(fields.terms)
  const [lowest] = terms.tiers?.bands ?? []
  const percent = percentOf(fields.percent ?? fields.percentage ?? lowest?.percent)
  const amountInput: AmountInput = (given) => <MoneyField {...given} currency={currency} />
  return (
    <TermsFields
      terms={terms}
      change={(next) =>
        change({
          terms: termsOf(next),
          percentage: undefined,
          percent: next.tiers === null ? percent : undefined,
        })
      }
      problems={problemsOfTerms(terms)}
      paysPercent={paysPercent(fields)}
      percent={percent}
      amountInput={amountInput}
      amountWords={(cents) => money(cents, currency)}
    />
  )
}

const amounts = [
  ["shipping_amount", "Shipping, flat"],
  ["min_amount", "At least"],
  ["max_amount", "At most"],
] as const

const times = [
  ["starts_at", "From"],
  ["ends_at", "Until"],
] as const

const More = ({ fields, currency, change, problem }: PartProps): JSX.Element => (
  <details>
    <summary>Shipping, limits and dates</summary>
    <div class="pair">
      <PercentField
        label="Of shipping"
        value={percentOf(fields.shipping_percent)}
        problem={problem("shipping_percent")}
        onValue={(shipping_percent) => change({ shipping_percent })}
      />
      {amounts.map(([name, label]) => (
        <MoneyField
          key={name}
          label={label}
          currency={currency}
          value={centsOf(fields[name])}
          problem={problem(name)}
          onValue={(value) => change({ [name]: value })}
        />
      ))}
      {times.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          help="As 2026-03-01T00:00:00Z, or Unix seconds"
          value={textOf(fields[name])}
          problem={problem(name)}
          onValue={(text) =>
            change({ [name]: text === "" ? null : /^\d+$/.test(text) ? Number(text) : text })
          }
        />
      ))}
    </div>
  </details>
)

const withoutAbsent = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null))

const messageIn =
  (problems: ReadonlyArray<Problem>): PartProps["problem"] =>
  (...names) =>
    problems.find(({ path }) => names.some((name) => path === name || path.startsWith(`${name}[`)))
      ?.message

/** The form of the group at a place of the list. */
export const GroupForm = ({
  place,
  group,
  currency,
}: {
  readonly place: number
  readonly group: unknown
  readonly currency: string
}): JSX.Element => {
  const fields = groupFields(group)
  const props: PartProps = {
    fields,
    currency,
    change: (changes) => changeGroup(place, withoutAbsent({ ...fields, ...changes })),
    problem: messageIn(readGroup(group).problems),
  }
  return (
    <fieldset class="form" data-form="group">
      <legend class="spoken">The chosen group</legend>
      <Names {...props} />
      <Link {...props} />
      <Pay {...props} />
      <TermsPart {...props} />
      <ConditionPart {...props} />
      <More {...props} />
      <div class="row">
        <Button onPress={() => addGroup(fields)}>Copy this group</Button>
        <Button kind="danger" onPress={() => removeGroup(place)}>
          Remove it
        </Button>
      </div>
    </fieldset>
  )
}
