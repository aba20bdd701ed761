/** One entry of an input (an order, a group, a refund …) and where it stands. */
import * as JsonText from "./JsonText.js"

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
