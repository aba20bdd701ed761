/** A choice of a month, given as `2026-01`. */
import { Field } from "../parts/Field.js"

export const MonthField = (given: {
  label: string
  value: string
  onValue: (month: string) => void
}) => (
  <Field
    label={given.label}
    input={(attributes) => (
      <input
        {...attributes}
        class="input"
        type="month"
        value={given.value}
        onInput={({ currentTarget }) => {
          if (/^\d{4}-\d{2}$/.test(currentTarget.value)) given.onValue(currentTarget.value)
        }}
      />
    )}
  />
)
