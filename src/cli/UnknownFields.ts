/** Tells of fields that have no effect: a misspelt `max_amount` would otherwise quietly limit nothing. */
import type { Note } from "./Input.js"
import type { Record } from "./Records.js"

const namesOf = ({ value }: Record): ReadonlyArray<string> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : []

/** Notes every field of the records that is none of the known ones, once each. */
export const note = (
  name: string,
  records: ReadonlyArray<Record>,
  options: { readonly known: ReadonlyArray<string>; readonly note: Note },
): void => {
  const known = new Set(options.known)
  const first = new Map<string, Record>()
  for (const record of records) {
    for (const field of namesOf(record)) {
      if (!known.has(field) && !first.has(field)) first.set(field, record)
    }
  }
  for (const [field, record] of first) {
    const { line } = record.locate(field)
    options.note(`${name}:${line}: ignored field: ${field} (it is no field of this kind of entry)`)
  }
}
