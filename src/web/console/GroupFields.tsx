/** The fields of a product group. */
import { CheckField, SelectField, TextField } from "../parts/Field.js"
import { PercentField, WholeField } from "../parts/Money.js"
import { type AmountInput, TermsFields } from "../parts/TermsFields.js"
import { money } from "./Amount.js"
import { conditionTypes, type GroupDraft, isTiered, linkTypes } from "./GroupDraft.js"
import { centsOf } from "./GroupWords.js"
import { LinesField } from "./LinesField.js"
import { zone } from "./Time.js"

interface FieldsProps {
  readonly draft: GroupDraft
  readonly change: (fields: Partial<GroupDraft>) => void
  readonly problems: Readonly<Record<string, string>>
}

const valueNames = {
  "products.tag": "Tags",
  "products.vendor": "Vendors",
  products: "Product ids",
  "products.all": "",
} as const

const LinkFields = ({ draft, change, problems }: FieldsProps) => (
  <fieldset class="sheet">
    <legend>Which products</legend>
    <SelectField
      label="Products"
      value={draft.itemType}
      choices={linkTypes}
      problem={problems.itemType}
      onValue={(itemType) => change({ itemType })}
    />
    {draft.itemType !== "products.all" && (
      <>
        <LinesField
          label={valueNames[draft.itemType]}
          help="One a line. Capitals make no difference."
          value={draft.items}
          problem={problems.items}
          onValue={(items) => change({ items })}
        />
        <CheckField
          label="All products but these"
          value={draft.isLinkNot}
          problem={problems.isLinkNot}
          onValue={(isLinkNot) => change({ isLinkNot })}
        />
      </>
    )}
  </fieldset>
)

const ConditionFields = ({ draft, change, problems }: FieldsProps) => (
  <fieldset class="sheet">
    <legend>Of which orders</legend>
    <SelectField
      label="Orders"
      value={draft.condition}
      choices={conditionTypes}
      problem={problems.condition}
      onValue={(condition) => change({ condition })}
    />
    {draft.condition !== "" && (
      <>
        <LinesField
          label="Values"
          help={
            draft.condition === "country.code"
              ? "Two letters a line, as DE."
              : "One a line. Any of them is enough."
          }
          value={draft.conditions}
          problem={problems.conditions}
          onValue={(conditions) => change({ conditions })}
        />
        <CheckField
          label="All orders but these"
          value={draft.isConditionNot}
          problem={problems.isConditionNot}
          onValue={(isConditionNot) => change({ isConditionNot })}
        />
      </>
    )}
    {draft.condition === "referer" && (
      <CheckField
        label="Deduct this share before the others are computed"
        value={draft.deducts}
        problem={problems.deducts}
        onValue={(deducts) => change({ deducts })}
      />
    )}
  </fieldset>
)

const meaning = (text: string): string => {
  const number = Number(text)
  return text.trim() !== "" && Number.isSafeInteger(number) && number >= 0
    ? `${text} is ${money(number, "EUR")} or ${money(number, "USD")}, and ${money(number, "JPY")}.`
    : "In the lowest unit of the order’s currency: 250 is €2.50 or $2.50, and ¥250."
}

const UnitField = (given: {
  label: string
  value: string
  problem: string | undefined
  onValue: (value: string) => void
}) => (
  <TextField
    label={given.label}
    help={meaning(given.value)}
    inputMode="numeric"
    value={given.value}
    problem={given.problem}
    onValue={given.onValue}
  />
)

const amountInput: AmountInput = (given) => (
  <WholeField {...given} help={meaning(String(given.value ?? ""))} />
)

/** The problems of fields whose names begin alike, by the rest of their names. */
const problemsBelow = (
  problems: FieldsProps["problems"],
  start: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([name, text]) =>
      name.startsWith(start) ? [[name.slice(start.length), text]] : [],
    ),
  )

const PayFields = ({ draft, change, problems }: FieldsProps) => (
  <fieldset class="sheet">
    <legend>What is paid</legend>
    <SelectField
      label="Share"
      value={draft.type}
      choices={[
        ["percentage", "A percentage"],
        ["flat", "A flat amount"],
        ["both", "A percentage and a flat amount"],
      ]}
      problem={problems.type}
      onValue={(type) => change({ type })}
    />
    {draft.type !== "flat" && !isTiered(draft) && (
      <PercentField
        label="Percentage"
        value={draft.percent}
        problem={problems.percent}
        required
        onValue={(percent) => change({ percent })}
      />
    )}
    {draft.type !== "percentage" && (
      <UnitField
        label="Amount"
        value={draft.amount}
        problem={problems.amount}
        onValue={(amount) => change({ amount })}
      />
    )}
    <TermsFields
      terms={draft.terms}
      change={(terms) => change({ terms })}
      problems={problemsBelow(problems, "terms.")}
      paysPercent={draft.type !== "flat"}
      percent={draft.percent}
      amountInput={amountInput}
      amountWords={(cents) => centsOf(String(cents))}
    />
  </fieldset>
)

const hasMore = (draft: GroupDraft): boolean =>
  [draft.shippingAmount, draft.least, draft.most, draft.startsAt, draft.endsAt].some(
    (text) => text !== "",
  ) || Number(draft.shippingPercent ?? 0) !== 0

const limits = [
  ["shippingAmount", "Of the shipping, for each unit"],
  ["least", "Least for an item"],
  ["most", "Most for an item"],
] as const

const times = [
  ["startsAt", "Counts from"],
  ["endsAt", "Counts until"],
] as const

const MoreFields = ({ draft, change, problems }: FieldsProps) => (
  <details class="sheet" open={hasMore(draft)}>
    <summary>Shipping, limits and dates</summary>
    <PercentField
      label="Percentage of the shipping"
      value={draft.shippingPercent}
      problem={problems.shippingPercent}
      onValue={(shippingPercent) => change({ shippingPercent })}
    />
    {limits.map(([name, label]) => (
      <UnitField
        key={name}
        label={label}
        value={draft[name]}
        problem={problems[name]}
        onValue={(value) => change({ [name]: value })}
      />
    ))}
    {times.map(([name, label]) => (
      <TextField
        key={name}
        label={label}
        type="datetime-local"
        help={`In the time of ${zone.value}.`}
        value={draft[name]}
        problem={problems[name]}
        onValue={(value) => change({ [name]: value })}
      />
    ))}
  </details>
)

export const GroupFields = (fields: FieldsProps) => (
  <>
    <LinkFields {...fields} />
    <ConditionFields {...fields} />
    <PayFields {...fields} />
    <MoreFields {...fields} />
  </>
)
