/** Tells of fields that have no effect: a misspelt `max_amount` would otherwise quietly limit nothing. */
import { meant } from "../internal/misspelling.js"
import * as WireOrder from "../wire/Order.js"
import type { Note } from "./Input.js"
import * as Problems from "./Problems.js"
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

/** Notes something; of several notes about the same field, the first one is enough. */
export type NoteField = (message: string, field?: string) => void

const knownFields = { order: WireOrder.fields, item: WireOrder.itemFields }

/** How many fields of the order before are compared. */
const mostRemembered = 64

/** Notes misspelt fields of orders, once each. Hosts put much into orders that is no field here. */
export class OrderFields {
  private readonly name: string
  private readonly note: NoteField
  private readonly seen = {
    order: new Set(WireOrder.fields),
    item: new Set(WireOrder.itemFields),
  }

  private readonly last: { readonly order: Array<string>; readonly item: Array<string> } = {
    order: [],
    item: [],
  }

  constructor(name: string, note: NoteField) {
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

  /** Most orders have the fields of the one before, in the same order: those need no looking up. */
  private lookAt(kind: "order" | "item", value: unknown, line: number): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return
    const last = this.last[kind]
    let at = 0
    for (const field in value) {
      if (last[at] !== field) {
        if (!this.seen[kind].has(field)) this.tell(kind, field, line)
        if (at < mostRemembered) last[at] = field
      }
      at += 1
    }
  }

  private tell(kind: "order" | "item", field: string, line: number): void {
    this.seen[kind].add(field)
    const right = meant(field, knownFields[kind])
    if (right === undefined) return
    const message = `${field} has no effect, did you mean ${right}?`
    this.note(`${this.name}:${line}: note: ${message}`, `${kind}.${field}`)
  }
}
