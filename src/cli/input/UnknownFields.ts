/** Tells of fields that have no effect: a misspelt `max_amount` would otherwise quietly limit nothing. */
import { meant } from "../../internal/misspelling.js"
import * as Problems from "../output/Problems.js"
import type { Note } from "./Input.js"
import type { Record } from "./Records.js"

const namesOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : []

/** Finding the line of each takes its time, and nobody reads more. */
const mostTold = 100

/**
 * Refuses fields of the records that are a known one misspelt, for someone is paid otherwise than its
 * writer meant; and notes those that are no field at all, once each.
 */
export const check = (
  name: string,
  records: ReadonlyArray<Record>,
  options: { readonly known: ReadonlyArray<string>; readonly note: Note },
): void => {
  const known = new Set(options.known)
  const first = new Map<string, Record>()
  let more = 0
  for (const record of records) {
    for (const field of namesOf(record.value)) {
      if (known.has(field) || first.has(field)) continue
      if (first.size < mostTold) first.set(field, record)
      else more += 1
    }
  }
  const misspelt: Array<string> = []
  for (const [field, record] of first) {
    const { line } = record.locate(field)
    const right = meant(field, options.known)
    if (right === undefined) options.note(`${name}:${line}: ignored field: ${field}`)
    else {
      const message = `is no field and would have no effect, did you mean ${right}?`
      misspelt.push(Problems.lineOf(name, record, { path: field, message }))
    }
  }
  if (more > 0) options.note(`${name}: and at least ${more} more fields that are none of these`)
  if (misspelt.length > 0) throw Problems.unusable(misspelt)
}
