/** One entry of an input (an order, a group, a refund …) and where it stands. */
import * as JsonText from "./JsonText.js"

/** A value that was read, and how to find its fields again in the input. */
export interface Record {
  readonly _tag: "Record"
  readonly line: number
  /** The entry's place in its document, as `[3]` or `orders[3]`; empty for one line of many. */
  readonly path: string
  readonly value: unknown
  /** The line of a field. */
  readonly lineOf: (path: string) => number
}

/** A line that holds no value. The lines around it are fine. */
export interface BrokenLine {
  readonly _tag: "BrokenLine"
  readonly line: number
  readonly message: string
}

export type Entry = Record | BrokenLine

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

  lineOf(path: string): number {
    const offset = JsonText.offsetOf(this.text, JsonText.parsePath(path))
    return this.line + JsonText.placeOf(this.text, offset).line - 1
  }
}

/** A broken line. */
export const brokenLine = (line: number, message: string): BrokenLine => ({
  _tag: "BrokenLine",
  line,
  message,
})
