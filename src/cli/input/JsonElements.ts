import { isUtf8 } from "node:buffer"
import { parseJson } from "../../internal/reader.js"
import * as ExitCode from "../ExitCode.js"
import * as ForeignFormats from "./ForeignFormats.js"
import * as JsonText from "./Records.js"
import { brokenLine, type InputEntry, JsonRecord } from "./Records.js"

// Divides a JSON document into the elements of its list while it is being read, so that a list of any
// length needs the memory of one element. The document is an array, an object that holds the array
// under a known name (`{"orders": [...]}`), or values one after another.

/** The text of one element, the line on which it begins, and its place in the document. */
export interface Element {
  readonly bytes: Buffer
  readonly line: number
  readonly column: number
  readonly path: string
}

/** An element, or a line of NDJSON, longer than this is refused, so that memory stays bounded. */
export const longestElementBytes = 16 * 1024 * 1024

const newline = 10
const quote = 34
const comma = 44
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125
const isBlank = (byte: number | undefined) =>
  byte === 32 || byte === newline || byte === 13 || byte === 9

/** `list`: inside the array. `values`: at the top, without an array. `tail`: behind the array. */
type Mode = "list" | "values" | "tail"

/** An object that holds the list: the text before the list, and the list's name. */
interface Wrapper {
  readonly key: string
  readonly prefix: string
}

const keyBeforeList = /"([^"\\]*)"\s*:\s*\[$/

/** Where the known list of an object begins, looking only at the object's own fields. */
const findWrapper = (head: Buffer, keys: ReadonlySet<string>): Wrapper | undefined => {
  let depth = 0
  let inString = false
  for (let at = 0; at < head.length; at += 1) {
    const byte = head[at]
    if (inString) {
      if (byte === backslash) at += 1
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
      if (depth === 0) return undefined
    } else if (byte === openBrace) depth += 1
    else if (byte === openBracket) {
      const key =
        depth === 1
          ? keyBeforeList.exec(head.toString("utf8", Math.max(0, at - 200), at + 1))?.[1]
          : undefined
      if (key !== undefined && keys.has(key)) {
        return { key, prefix: head.toString("utf8", 0, at + 1) }
      }
      depth += 1
    }
  }
  return undefined
}

/** The elements of one document, which is passed in chunk by chunk. */
export class JsonElements {
  private readonly name: string
  private readonly wrapper: Wrapper | undefined
  private readonly wrappers: ReadonlySet<string>
  private mode: Mode
  private buffer: Buffer = Buffer.alloc(0)
  private at = 0
  private line = 1
  private lineStart = 0
  private consumed = 0
  private nextNewline = -2
  private index = 0
  private separatorDue = false
  private commaSeen = false
  private element: { at: number; line: number; column: number } | undefined
  private depth = 0
  private inString = false
  private tail = ""

  /** `head`: the beginning of the document, which is pushed again as the first chunk. */
  constructor(name: string, head: Buffer, wrappers: ReadonlySet<string>) {
    this.name = name
    this.wrappers = wrappers
    const start = head.findIndex((byte) => !isBlank(byte))
    this.wrapper = head[start] === openBrace ? findWrapper(head, wrappers) : undefined
    this.mode = head[start] === openBracket || this.wrapper !== undefined ? "list" : "values"
    this.at =
      this.wrapper !== undefined
        ? Buffer.byteLength(this.wrapper.prefix)
        : this.mode === "list"
          ? start + 1
          : 0
  }

  /** Takes the next bytes and returns the elements that they complete. */
  push(chunk: Buffer): Array<Element> {
    this.append(chunk)
    const found: Array<Element> = []
    while (this.at < this.buffer.length) {
      if (this.element !== undefined) {
        if (!this.finishElement(found)) break
      } else if (isBlank(this.buffer[this.at])) this.at += 1
      else if (this.mode === "tail") this.readTail()
      else this.between()
    }
    this.checkLength()
    return found
  }

  /** Ends the document. */
  end(): Array<Element> {
    const found: Array<Element> = []
    if (this.element !== undefined) {
      if (this.depth > 0 || this.inString || this.mode === "list") this.refuseElement()
      this.closeElement(found)
    }
    if (this.mode === "list") this.refuse('the list has no closing "]"')
    this.checkWrapper()
    return found
  }

  private append(chunk: Buffer): void {
    const from = this.element?.at ?? Math.min(this.at, this.buffer.length)
    if (from > 0 || this.buffer.length > 0) {
      this.countLines(this.at)
      this.buffer = Buffer.concat([this.buffer.subarray(from), chunk])
      this.at -= from
      this.consumed += from
      if (this.element !== undefined) this.element.at = 0
    } else this.buffer = chunk
    this.nextNewline = -2
  }

  /** Brings the line number up to a position of the buffer. */
  private countLines(to: number): void {
    if (this.nextNewline === -2) this.nextNewline = this.buffer.indexOf(newline, this.lineScan())
    while (this.nextNewline !== -1 && this.nextNewline < to) {
      this.line += 1
      this.lineStart = this.consumed + this.nextNewline + 1
      this.nextNewline = this.buffer.indexOf(newline, this.nextNewline + 1)
    }
    this.counted = this.consumed + to
  }

  private counted = 0

  private lineScan(): number {
    return Math.max(0, this.counted - this.consumed)
  }

  private between(): void {
    const byte = this.buffer[this.at]
    if (this.mode === "list" && byte === closeBracket) {
      if (this.commaSeen) this.refuse('expected an element after ",", found "]"')
      this.mode = "tail"
      this.at += 1
    } else if (this.separatorDue) {
      if (byte !== comma) {
        this.refuse(`expected "," or "]", found "${String.fromCharCode(byte ?? 0)}"`)
      }
      this.separatorDue = false
      this.commaSeen = true
      this.at += 1
    } else this.beginElement()
  }

  private beginElement(): void {
    this.countLines(this.at)
    const column = this.consumed + this.at - this.lineStart + 1
    this.element = { at: this.at, line: this.line, column }
    this.depth = 0
    this.inString = false
  }

  /** Continues to the end of the element; false when the end is not in the buffer yet. */
  private finishElement(found: Array<Element>): boolean {
    const buffer = this.buffer
    let { at, depth, inString } = this
    let ended = false
    for (; at < buffer.length && !ended; at += 1) {
      const byte = buffer[at]
      if (inString) {
        if (byte === backslash) {
          if (at + 1 === buffer.length) break
          at += 1
        } else if (byte === quote) {
          inString = false
          ended = depth === 0
        }
      } else if (byte === quote) inString = true
      else if (byte === openBrace || byte === openBracket) depth += 1
      else if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) break
        depth -= 1
        ended = depth === 0
      } else if (depth === 0 && (byte === comma || isBlank(byte))) break
    }
    const scalarEnded = !ended && depth === 0 && !inString && at < buffer.length
    this.at = at
    this.depth = depth
    this.inString = inString
    if (!ended && !scalarEnded) return false
    this.closeElement(found)
    return true
  }

  private closeElement(found: Array<Element>): void {
    if (this.element === undefined) return
    const { at, line, column } = this.element
    if (at === this.at) this.refuse(`"${this.buffer.toString("latin1", at, at + 1)}" is misplaced`)
    const bytes = this.buffer.subarray(at, this.at)
    found.push({ bytes, line, column, path: this.pathOf(this.index) })
    this.index += 1
    this.element = undefined
    this.separatorDue = this.mode === "list"
    this.commaSeen = false
  }

  private pathOf(index: number): string {
    if (this.mode === "values") return ""
    return `${this.wrapper?.key ?? ""}[${index}]`
  }

  private readTail(): void {
    if (this.wrapper === undefined) this.refuse("there is more after the end of the list")
    this.tail += this.buffer.toString("utf8", this.at)
    this.at = this.buffer.length
    if (this.tail.length > longestElementBytes) this.refuse("what follows the list is too long")
  }

  private checkWrapper(): void {
    if (this.wrapper === undefined) return
    const text = `${this.wrapper.prefix}]${this.tail}`
    const problem = JsonText.syntaxProblem(text)
    if (problem !== undefined) this.refuse(problem.message)
    const incomplete = ForeignFormats.problemOf(JSON.parse(text), this.wrapper.key, this.wrappers)
    if (incomplete !== undefined) {
      throw new ExitCode.UnusableInput({ message: `${this.name}: ${incomplete}` })
    }
  }

  private checkLength(): void {
    if (this.element === undefined || this.at - this.element.at <= longestElementBytes) return
    this.refuseElement(
      `is longer than ${longestElementBytes / 1024 / 1024} MiB, which no order or group is`,
    )
  }

  private refuseElement(otherwise?: string): never {
    const { at, line, column } = this.element ?? { at: this.at, line: this.line, column: 1 }
    const text = this.buffer.toString("utf8", at)
    const problem = JsonText.syntaxProblem(text)
    const isCut = problem === undefined || (otherwise !== undefined && problem.isUnfinished)
    const isAtEnd = isCut || problem.offset >= text.trimEnd().length
    const place = JsonText.placeOf(text, isAtEnd ? 0 : problem.offset)
    const shownColumn = place.line === 1 ? place.column + column - 1 : place.column
    const message = isAtEnd
      ? (otherwise ?? "this value begins here and never ends")
      : problem.message
    throw new ExitCode.UnusableInput({
      message: `${this.name}:${line + place.line - 1}:${shownColumn}: is not valid JSON: ${message}`,
    })
  }

  private refuse(message: string): never {
    this.countLines(this.at)
    const column = this.consumed + this.at - this.lineStart + 1
    throw new ExitCode.UnusableInput({
      message: `${this.name}:${this.line}:${column}: is not valid JSON: ${message}`,
    })
  }
}

// NDJSON: a JSON value on each line. A broken line does not affect the others.

/** The problem of a text that is not JSON, with the column. */
export const notJson = (text: string): string => {
  const problem = JsonText.syntaxProblem(text)
  if (problem === undefined) return "is not valid JSON"
  const { column } = JsonText.placeOf(text, problem.offset)
  return `is not valid JSON: column ${column}: ${problem.message}`
}

/** A line as an entry; none when it is blank. */
export const parseLine = (bytes: Buffer, { from, to, line }: LinePlace): InputEntry | undefined => {
  const text = bytes.toString("utf8", from, to)
  try {
    return new JsonRecord(parseJson(text), { text, line, path: "" })
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    return text.trim() === "" ? undefined : brokenLine(line, notJson(text), text)
  }
}

/** Takes a line of valid UTF-8 from its bytes; false leaves it to be parsed. */
export type LineTaker = (bytes: Buffer, place: LinePlace) => boolean

/** Where a line stands in some bytes, and its number in the input. */
export interface LinePlace {
  readonly from: number
  readonly to: number
  readonly line: number
}

/** The lines of one input, which is passed in chunk by chunk. */
export class JsonLines {
  private rest: Array<Buffer> = []
  private restBytes = 0
  private line: number
  private readonly take: LineTaker | undefined

  /**
   * @param firstLine - the number of the first line, when the lines are a piece of something larger
   * @param take - gets each line before it is parsed
   */
  constructor(firstLine = 1, take?: LineTaker) {
    this.line = firstLine - 1
    this.take = take
  }

  /**
   * Takes the next bytes and yields the lines that they complete. The caller takes all lines before
   * it pushes more bytes.
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

  /** Ends the input. */
  *end(): Generator<InputEntry> {
    if (this.restBytes > 0) yield* this.readRest()
  }

  /** Keeps part of a line; bytes beyond the maximum line length are only counted. */
  private keep(part: Buffer): void {
    if (this.restBytes <= longestElementBytes && part.length > 0) this.rest.push(part)
    this.restBytes += part.length
  }

  private *readRest(): Generator<InputEntry> {
    const tooLong = this.restBytes > longestElementBytes
    const bytes = tooLong ? undefined : Buffer.concat(this.rest)
    this.rest = []
    this.restBytes = 0
    const entry =
      bytes === undefined ? this.tooLong() : this.readLine(bytes, 0, bytes.length, isUtf8(bytes))
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
      const isLineText = isText || isUtf8(bytes.subarray(start, end))
      const entry = this.readLine(bytes, start, end, isLineText)
      if (entry !== undefined) yield entry
      start = end + 1
    }
  }

  private readLine(
    bytes: Buffer,
    from: number,
    to: number,
    isText: boolean,
  ): InputEntry | undefined {
    this.line += 1
    const { line } = this
    if (!isText) return brokenLine(line, "is not valid UTF-8: save the file in the encoding UTF-8")
    if (this.take?.(bytes, { from, to, line }) === true) return undefined
    return parseLine(bytes, { from, to, line })
  }
}
