/** A field for several short texts, with commas between them. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { type FieldProps, TextField } from "../parts/Field.js"

/** The texts in a list; texts of an unreadable list, or a single one, as well as they can be told. */
export const textsOf = (value: unknown): ReadonlyArray<string> => {
  const list: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  return list.flatMap((one) =>
    typeof one === "string" || typeof one === "number" ? [String(one)] : [],
  )
}

const cut = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")

/** A list of texts. One that has a comma inside of a text can be changed as JSON alone. */
export const ListField = ({
  values,
  onValues,
  ...field
}: FieldProps & {
  readonly values: ReadonlyArray<string>
  readonly onValues: (values: ReadonlyArray<string>) => void
}): JSX.Element => {
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const isBeyond = values.some((one) => one.includes(",") || one.trim() !== one)
  const written = values.join(", ")
  const isSame = typed !== undefined && cut(typed).join(", ") === written
  return (
    <TextField
      {...field}
      help={isBeyond ? "Has a comma or a blank at its end: change it as JSON." : field.help}
      disabled={isBeyond}
      value={isSame ? typed : written}
      onValue={(text) => {
        setTyped(text)
        onValues(cut(text))
      }}
    />
  )
}
