/** Tells of fields that have no effect: a misspelt `max_amount` would otherwise quietly limit nothing. */
import { meant } from "../internal/misspelling.js"
import * as WireOrder from "../wire/Order.js"
import type { Note } from "./Input.js"
import * as Problems from "./Problems.js"
import type { Record } from "./Records.js"

const namesOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : []

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
  for (const record of records) {
    for (const field of namesOf(record.value)) {
      if (!known.has(field) && !first.has(field)) first.set(field, record)
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
  if (misspelt.length > 0) throw Problems.unusable(misspelt)
}

/** Notes misspelt fields of orders, once each. Hosts put much into orders that is no field here. */
export class OrderFields {
  private readonly name: string
  private readonly note: Note
  private readonly seen = {
    order: new Set(WireOrder.fields),
    item: new Set(WireOrder.itemFields),
  }

  constructor(name: string, note: Note) {
    this.name = name
    this.note = note
  }

  /** Looks at an order in the host's format. */
  look(order: unknown, line: number): void {
    this.lookAt("order", order, line)
    const items: unknown =
      typeof order === "object" && order !== null ? Reflect.get(order, "items") : undefined
    if (Array.isArray(items)) for (const item of items) this.lookAt("item", item, line)
  }

  private lookAt(kind: "order" | "item", value: unknown, line: number): void {
    const seen = this.seen[kind]
    for (const field of namesOf(value)) {
      if (seen.has(field)) continue
      seen.add(field)
      const right = meant(field, kind === "order" ? WireOrder.fields : WireOrder.itemFields)
      if (right === undefined) continue
      this.note(`${this.name}:${line}: note: ${field} has no effect, did you mean ${right}?`)
    }
  }
}
