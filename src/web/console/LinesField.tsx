/** A field for several values, one a line. */
import { Field } from "../parts/Field.js"

/** The values of such a field. */
export const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

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
