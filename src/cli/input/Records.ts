import { meant } from "../../internal/fieldNames.js"
import type { Problem } from "../../Problem.js"
import * as ExitCode from "../ExitCode.js"
import * as JsonText from "./JsonText.js"

/** Where notes for the user go. */
export type Note = (message: string) => void

// One entry of an input (an order, a group, a refund …) and where it stands.

/** A value that was read, and how to find its fields again in the input. */
export interface Record {
  readonly _tag: "Record"
  readonly line: number
  /** The entry's place in its document, as `[3]` or `orders[3]`; empty for one line of many. */
  readonly path: string
  readonly value: unknown
  /** Where a field of the value is, and what it is called in the input. */
  readonly locate: (path: string) => { readonly line: number; readonly field: string }
}

/** A line that holds no value. The lines around it are fine. */
export interface BrokenLine {
  readonly _tag: "BrokenLine"
  readonly line: number
  readonly message: string
}

export type InputEntry = Record | BrokenLine

/** A record from a JSON text. */
export class JsonRecord implements Record {
  readonly _tag = "Record"
  readonly line: number
  readonly path: string
  readonly value: unknown
  private readonly text: string

  constructor(value: unknown, at: { text: string; line: number; path: string }) {
    this.value = value
    this.text = at.text
    this.line = at.line
    this.path = at.path
  }

  locate(path: string) {
    const offset = JsonText.offsetOf(this.text, JsonText.parsePath(path))
    const dot = this.path === "" || path === "" || path.startsWith("[") ? "" : "."
    return {
      line: this.line + JsonText.placeOf(this.text, offset).line - 1,
      field: `${this.path}${dot}${path}`,
    }
  }
}

/** A broken line. */
export const brokenLine = (line: number, message: string): BrokenLine => ({
  _tag: "BrokenLine",
  line,
  message,
})

// Problems of an input as lines that name the file, the line and the field.

/** One problem of one entry: `groups.json:12: [3].percent: must be …`. */
export const lineOf = (
  name: string,
  record: Record,
  problem: Pick<Problem, "path" | "message">,
): string => {
  const { line, field } = record.locate(problem.path)
  return `${name}:${line}: ${field === "" ? "" : `${field}: `}${problem.message}`
}

/** Which format something that can't be read was taken for, as a `what` of `Unreadable` says. */
export const readAs = (what: string): string => {
  const isOfPlatform = /^[A-Z]/.test(what)
  const one = `${/^[aeiou]/i.test(what) ? "an" : "a"} ${what}`
  return `(read as ${one}${isOfPlatform ? "" : " in apportion's own format"})`
}

const mostShown = 20

/** The problems of one entry; of very many the first ones, for finding the line of each takes its time. */
export const linesOf = (
  name: string,
  record: Record,
  problems: ReadonlyArray<Pick<Problem, "path" | "message">>,
): ReadonlyArray<string> => {
  const lines = problems.slice(0, mostShown).map((problem) => lineOf(name, record, problem))
  const more = problems.length - lines.length
  return more > 0 ? [...lines, `${name}:${record.line}: and ${more} more problems`] : lines
}

/** Several lines as one failure; when there are very many, the first of them. */
export const unusable = (lines: ReadonlyArray<string>): ExitCode.UnusableInput => {
  const more = lines.length - mostShown
  const shown = lines.slice(0, mostShown)
  return new ExitCode.UnusableInput({
    message: (more > 0 ? [...shown, `and ${more} more problems`] : shown).join("\n"),
  })
}

// Fields that have no effect: a misspelt `max_amount` would otherwise quietly limit nothing.

const namesOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : []

/** Finding the line of each takes its time, and nobody reads more. */
const mostTold = 100

/**
 * Refuses fields of the records that are a known one misspelt, for someone is paid otherwise than its
 * writer meant; and notes those that are no field at all, once each.
 */
export const checkFields = (
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
      misspelt.push(lineOf(name, record, { path: field, message }))
    }
  }
  if (more > 0) options.note(`${name}: and at least ${more} more fields that are none of these`)
  if (misspelt.length > 0) throw unusable(misspelt)
}
