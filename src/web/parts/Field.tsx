/** Fields of forms: each with its label, what helps to fill it in, and what is wrong with it. */
import { type ComponentChildren, h, type JSX } from "preact"
import { useId } from "preact/hooks"
import { Verbatim } from "./Verbatim.js"

/** What every field takes. */
export interface FieldProps {
  readonly label: string
  readonly help?: string | undefined
  /** What is wrong with the value, if anything. */
  readonly problem?: string | undefined
  readonly required?: boolean | undefined
  readonly disabled?: boolean | undefined
}

/** The attributes that tie an input to its label, its help and its problem. */
export interface FieldAttributes {
  readonly id: string
  readonly "aria-describedby": string | undefined
  readonly "aria-invalid": boolean
  readonly required: boolean | undefined
  readonly disabled: boolean | undefined
}

const useAttributes = ({ help, problem, required, disabled }: FieldProps): FieldAttributes => {
  const id = useId()
  const described = [
    help === undefined ? [] : `${id}-help`,
    problem === undefined ? [] : `${id}-no`,
  ]
  const ids = described.flat().join(" ")
  return {
    id,
    "aria-describedby": ids === "" ? undefined : ids,
    "aria-invalid": problem !== undefined,
    required,
    disabled,
  }
}

const Notes = ({ id, help, problem }: FieldProps & { readonly id: string }): JSX.Element => (
  <>
    {help !== undefined && (
      <span class="field-help" id={`${id}-help`}>
        {help}
      </span>
    )}
    {problem !== undefined && (
      <span class="field-problem" id={`${id}-no`}>
        <Verbatim text={problem} />
      </span>
    )}
  </>
)

/** A field around any input: the input takes the attributes. */
export const Field = (
  props: FieldProps & {
    readonly input: (attributes: FieldAttributes) => ComponentChildren
  },
): JSX.Element => {
  const attributes = useAttributes(props)
  return (
    <div class="field">
      <label for={attributes.id}>{props.label}</label>
      {props.input(attributes)}
      <Notes {...props} id={attributes.id} />
    </div>
  )
}

/** A line of text. */
export const TextField = (
  props: FieldProps & {
    readonly value: string
    readonly onValue: (value: string) => void
    readonly type?: "text" | "password" | "search" | "date" | "datetime-local" | undefined
    readonly inputMode?: "decimal" | "numeric" | "text" | undefined
    readonly placeholder?: string | undefined
  },
): JSX.Element => (
  <Field
    {...props}
    input={(attributes) =>
      h("input", {
        ...attributes,
        class: "input",
        dir: "auto",
        type: props.type ?? "text",
        inputMode: props.inputMode,
        placeholder: props.placeholder,
        autocomplete: "off",
        spellcheck: false,
        value: props.value,
        onInput: ({ currentTarget }) => props.onValue(currentTarget.value),
      })
    }
  />
)

/** A choice among few. */
export const SelectField = <Value extends string>(
  props: FieldProps & {
    readonly value: Value
    readonly choices: ReadonlyArray<readonly [value: Value, label: string]>
    readonly onValue: (value: Value) => void
  },
): JSX.Element => (
  <Field
    {...props}
    input={(attributes) => (
      <select
        {...attributes}
        class="input"
        value={props.value}
        onChange={({ currentTarget }) => {
          const chosen = props.choices[currentTarget.selectedIndex]
          if (chosen !== undefined) props.onValue(chosen[0])
        }}
      >
        {props.choices.map(([value, label]) => (
          <option key={value} value={value} selected={value === props.value}>
            {label}
          </option>
        ))}
      </select>
    )}
  />
)

/** Yes or no. */
export const CheckField = (
  props: FieldProps & { readonly value: boolean; readonly onValue: (value: boolean) => void },
): JSX.Element => {
  const attributes = useAttributes(props)
  return (
    <div class="field field-check">
      <input
        {...attributes}
        type="checkbox"
        checked={props.value}
        onChange={({ currentTarget }) => props.onValue(currentTarget.checked)}
      />
      <label for={attributes.id}>{props.label}</label>
      <Notes {...props} id={attributes.id} />
    </div>
  )
}
