/** The field of a text with a value on each line. */
import { Field } from "../parts/Field.js"

/** A field for several values, one a line. */
export const LinesField = (given: {
  label: string
  help: string
  value: string
  problem: string | undefined
  onValue: (value: string) => void
}) => (
  <Field
    label={given.label}
    help={given.help}
    problem={given.problem}
    input={(attributes) => (
      <textarea
        {...attributes}
        class="input"
        dir="auto"
        rows={3}
        spellcheck={false}
        value={given.value}
        onInput={({ currentTarget }) => given.onValue(currentTarget.value)}
      />
    )}
  />
)
