/** NDJSON: a JSON value on each line. A line that is broken harms no other. */
import { isUtf8 } from "node:buffer"
import { parseJson } from "../../internal/json.js"
import { longestElementBytes } from "./JsonElements.js"
import * as JsonText from "./JsonText.js"
import { brokenLine, type InputEntry, JsonRecord } from "./Records.js"

const newline = 10

/** What is wrong with a text that should have been JSON, with the column. */
export const notJson = (text: string): string => {
  const problem = JsonText.syntaxProblem(text)
  if (problem === undefined) return "is not valid JSON"
  const { column } = JsonText.placeOf(text, problem.offset)
  return `is not valid JSON: column ${column}: ${problem.message}`
}

const parse = (text: string, line: number): InputEntry | undefined => {
  try {
    return new JsonRecord(parseJson(text), { text, line, path: "" })
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    return text.trim() === "" ? undefined : brokenLine(line, notJson(text))
  }
}

/** The lines of one input, given chunk by chunk. */
export class JsonLines {
  private rest: Array<Buffer> = []
  private restBytes = 0
  private line: number

  /** @param firstLine - the number of the first line, when the lines are a piece of something larger */
  constructor(firstLine = 1) {
    this.line = firstLine - 1
  }

  /**
   * Takes the next bytes and gives the lines that are complete with them. Each is read when it is
   * asked for, and all of them have to be asked for before there are other bytes.
   */
  *push(chunk: Buffer): Generator<InputEntry> {
    const end = chunk.lastIndexOf(newline)
    if (end === -1) {
      this.keep(chunk)
      return
    }
    let start = 0
    if (this.restBytes > 0) {
      start = chunk.indexOf(newline) + 1
      this.keep(chunk.subarray(0, start - 1))
      yield* this.readRest()
    }
    yield* this.readLines(chunk.subarray(start, end + 1))
    this.keep(chunk.subarray(end + 1))
  }

  /** The input ended. */
  *end(): Generator<InputEntry> {
    if (this.restBytes > 0) yield* this.readRest()
  }

  /** Bytes beyond the longest line are only counted. */
  private keep(part: Buffer): void {
    if (this.restBytes <= longestElementBytes && part.length > 0) this.rest.push(part)
    this.restBytes += part.length
  }

  private *readRest(): Generator<InputEntry> {
    const tooLong = this.restBytes > longestElementBytes
    const bytes = tooLong ? undefined : Buffer.concat(this.rest)
    this.rest = []
    this.restBytes = 0
    const entry = bytes === undefined ? this.tooLong() : this.readLine(bytes, isUtf8(bytes))
    if (entry !== undefined) yield entry
  }

  private tooLong(): InputEntry {
    this.line += 1
    const limit = longestElementBytes / 1024 / 1024
    return brokenLine(this.line, `is longer than ${limit} MiB, which no order is`)
  }

  private *readLines(bytes: Buffer): Generator<InputEntry> {
    const isText = isUtf8(bytes)
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      const line = bytes.subarray(start, end)
      const entry = this.readLine(line, isText || isUtf8(line))
      if (entry !== undefined) yield entry
      start = end + 1
    }
  }

  private readLine(bytes: Buffer, isText: boolean): InputEntry | undefined {
    this.line += 1
    return isText
      ? parse(bytes.toString("utf8"), this.line)
      : brokenLine(this.line, "is not valid UTF-8: save the file in the encoding UTF-8")
  }
}
