import { meant } from "../../internal/fieldNames.js"
import type { Problem } from "../../Problem.js"
import * as ExitCode from "../ExitCode.js"

// Positions in a JSON text: of a syntax error, and of a field.

/** A position in a text, counted from 1. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** The problem of a JSON text, and its character. */
export interface SyntaxProblem {
  readonly offset: number
  readonly message: string
  /** The text is only incomplete JSON. */
  readonly isUnfinished: boolean
}

/** Keys and indexes from the outside in. */
export type JsonPath = ReadonlyArray<string | number>

const deepest = 1_000

/** Line and column of a character. */
export const placeOf = (text: string, offset: number): TextPosition => {
  let line = 1
  let start = 0
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line += 1
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

/** `[3].items[0].amount` as its keys and indexes. */
export const parsePath = (path: string): JsonPath =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? "") : Number(index),
  )

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const wordPattern = /[A-Za-z0-9_$+.-]+/y

/** Walks over a JSON text and remembers the first problem, and the position of the target value. */
class Walk {
  private at = 0
  problem: SyntaxProblem | undefined
  found = 0
  private readonly text: string
  private readonly target: JsonPath

  constructor(text: string, target: JsonPath) {
    this.text = text
    this.target = target
  }

  document(): void {
    if (!this.value(0, true)) return
    this.blank()
    if (this.at < this.text.length) this.fail("there is more after the end of the JSON value")
  }

  private fail(message: string, options: { readonly isUnfinished?: boolean } = {}): false {
    const isUnfinished = options.isUnfinished ?? this.at >= this.text.length
    this.problem ??= { offset: this.at, message, isUnfinished }
    return false
  }

  private blank(): void {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at += 1
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const matched = pattern.exec(this.text)?.[0]
    this.at += matched?.length ?? 0
    return matched
  }

  /** `onTarget`: every key so far was the target's. */
  private value(depth: number, onTarget: boolean): boolean {
    this.blank()
    if (onTarget) this.found = this.at
    if (depth > deepest) return this.fail(`is nested more than ${deepest} levels deep`)
    const first = this.text[this.at]
    if (first === undefined) return this.fail("the text ends in the middle of the JSON value")
    if (first === "{") return this.members(depth, onTarget)
    if (first === "[") return this.elements(depth, onTarget)
    if (first === '"') return this.string("a text")
    return this.scalar(first)
  }

  private string(what: string): boolean {
    if (this.text[this.at] !== '"') {
      return this.fail(`expected ${what} in double quotes, found ${this.nearby()}`)
    }
    const start = this.at
    for (this.at += 1; this.at < this.text.length; ) {
      const character = this.text[this.at] ?? ""
      if (character === "\\") {
        if (this.match(escapePattern) === undefined) return this.fail("is an unknown \\ escape")
      } else {
        if (character < " ") return this.fail("a text can't hold a line break or control character")
        this.at += 1
        if (character === '"') return true
      }
    }
    this.at = start
    return this.fail("this text has no closing quote", { isUnfinished: true })
  }

  private scalar(first: string): boolean {
    const start = this.at
    const word = this.match(wordPattern) ?? ""
    if (word === "true" || word === "false" || word === "null") return true
    this.at = start
    if ((first === "-" || (first >= "0" && first <= "9")) && this.match(numberPattern) === word) {
      return true
    }
    this.at = start
    return this.fail(`${this.nearby()} is no JSON value`)
  }

  private nearby(): string {
    if (this.at >= this.text.length) return "the end of the text"
    const start = this.at
    const word = this.match(wordPattern)
    this.at = start
    return `"${(word ?? this.text.slice(start, start + 1)).slice(0, 20)}"`
  }

  private members(depth: number, onTarget: boolean): boolean {
    return this.list("}", (index) => {
      const start = this.at
      if (!this.string("a field name")) return false
      const key = index === undefined ? "" : this.text.slice(start + 1, this.at - 1)
      this.blank()
      if (this.text[this.at] !== ":") {
        return this.fail(`expected ":" after the field name, found ${this.nearby()}`)
      }
      this.at += 1
      return this.value(depth + 1, onTarget && this.target[depth] === key)
    })
  }

  private elements(depth: number, onTarget: boolean): boolean {
    return this.list("]", (index) =>
      this.value(depth + 1, onTarget && this.target[depth] === index),
    )
  }

  private list(close: string, entry: (index: number) => boolean): boolean {
    this.at += 1
    this.blank()
    if (this.text[this.at] === close) {
      this.at += 1
      return true
    }
    for (let index = 0; ; index += 1) {
      this.blank()
      if (!entry(index)) return false
      this.blank()
      const next = this.text[this.at]
      if (next !== "," && next !== close) {
        return this.fail(`expected "," or "${close}", found ${this.nearby()}`)
      }
      this.at += 1
      if (next === close) return true
    }
  }
}

const walk = (text: string, target: JsonPath): Walk => {
  const walked = new Walk(text, target)
  walked.document()
  return walked
}

/** The first syntax error of a text, in words; none when it is JSON. */
export const syntaxProblem = (text: string): SyntaxProblem | undefined => walk(text, []).problem

/** The position of the value of a path, or of its nearest existing parent. */
export const offsetOf = (text: string, path: JsonPath): number => walk(text, path).found

/** Shows a note to the user. */
export type Note = (message: string) => void

// One entry of an input (an order, a group, a refund …) and its location.

/** A value, and how to find its fields in the input. */
export interface Record {
  readonly _tag: "Record"
  readonly line: number
  /** The entry's place in its document, as `[3]` or `orders[3]`; empty for a line of NDJSON or CSV. */
  readonly path: string
  readonly value: unknown
  /** The location of a field of the value, and its name in the input. */
  readonly locate: (path: string) => { readonly line: number; readonly field: string }
}

/** A line without a readable value. The other lines are still read. */
export interface BrokenLine {
  readonly _tag: "BrokenLine"
  readonly line: number
  readonly message: string
  /** The content of the line, if it is text. */
  readonly text?: string | undefined
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
    const offset = offsetOf(this.text, parsePath(path))
    const dot = this.path === "" || path === "" || path.startsWith("[") ? "" : "."
    return {
      line: this.line + placeOf(this.text, offset).line - 1,
      field: `${this.path}${dot}${path}`,
    }
  }
}

/** A broken line. */
export const brokenLine = (line: number, message: string, text?: string): BrokenLine => ({
  ...{ _tag: "BrokenLine", line, message, text },
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

/** The format as which unreadable input was read, from the `what` of `Unreadable`. */
export const readAs = (what: string): string => {
  const isOfPlatform = /^[A-Z]/.test(what)
  const one = `${/^[aeiou]/i.test(what) ? "an" : "a"} ${what}`
  return `(read as ${one}${isOfPlatform ? "" : " in apportion's own format"})`
}

const mostShown = 20

/** The problems of one entry; only the first ones of very many, because finding each line takes time. */
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

/** Finding the line of each problem takes time, so only the first problems are reported. */
const mostTold = 100

/**
 * Refuses misspelt fields of the records, because they could lead to wrong payments; and notes each unknown field
 * once.
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
