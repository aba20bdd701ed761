import { CsvCutter, entriesOf as entriesOfRows, type Rows } from "./CsvRows.js"
import * as Input from "./Input.js"
import { type Element, JsonLines, type LineTaker, longestElementBytes } from "./JsonElements.js"
import type { InputEntry, Note } from "./Records.js"
import { type Opened, openInput, type Source } from "./Sources.js"

// Divides NDJSON into pieces of whole lines, without parsing them.

const newline = 10

type Bytes = Buffer<SharedArrayBuffer>

/** Whole lines, as the bytes that were read, and the number of the first line. */
export interface Lines {
  readonly _tag: "Lines"
  readonly firstLine: number
  readonly chunks: ReadonlyArray<Uint8Array<SharedArrayBuffer>>
}

const lineEnds = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}

/** Bytes in memory that threads share. */
const shared = (bytes: Uint8Array): Bytes => {
  const copy = Buffer.from(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

export class LineCutter {
  private readonly pieceBytes: number
  private chunks: Array<Bytes> = []
  private bytes = 0
  private firstLine = 1
  private lineCount = 0
  private rest: Array<Bytes> = []
  private restBytes = 0

  /** @param pieceBytes - the size of a piece, not counting its last line */
  constructor(pieceBytes: number) {
    this.pieceBytes = pieceBytes
  }

  /** Takes the next bytes. */
  push(given: Buffer): void {
    const chunk = shared(given)
    const end = chunk.lastIndexOf(newline) + 1
    if (end === 0) {
      this.keep(chunk)
      return
    }
    this.addRest()
    const lines = chunk.subarray(0, end)
    this.add(lines)
    this.lineCount += lineEnds(lines)
    if (end < chunk.length) this.keep(chunk.subarray(end))
  }

  /** Whether there are enough lines for a piece. */
  get isFull(): boolean {
    return this.bytes >= this.pieceBytes
  }

  /** Removes and returns the complete lines. */
  take(): Lines {
    const { firstLine, chunks } = this
    this.firstLine += this.lineCount
    this.lineCount = 0
    this.chunks = []
    this.bytes = 0
    return { _tag: "Lines", firstLine, chunks }
  }

  /** Ends the input, and returns the remaining lines; the last one may have no line break. */
  end(): Lines {
    this.addRest()
    return this.take()
  }

  private add(chunk: Bytes): void {
    this.chunks.push(chunk)
    this.bytes += chunk.length
  }

  private addRest(): void {
    for (const chunk of this.rest) this.add(chunk)
    this.rest = []
    this.restBytes = 0
  }

  /** Keeps part of a line. Of a line that is too long, it keeps just enough to show that. */
  private keep(part: Bytes): void {
    if (this.restBytes <= longestElementBytes) this.rest.push(part)
    this.restBytes += part.length
  }
}

// Divides an input into pieces that are parsed separately, possibly in other threads. Only work that concerns the whole
// input is done here, in the order of the input.

/** Elements of a JSON document, from one chunk of it. One broken element makes all of them unusable. */
export interface Elements {
  readonly _tag: "Elements"
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of each element: its start and end in the bytes, and its line and column in the input. */
  readonly places: Float64Array<ArrayBuffer>
  readonly paths: ReadonlyArray<string>
}

export type Piece = Lines | Elements | Rows

const numbersOfPlace = 4

const elementsPiece = (elements: ReadonlyArray<Element>): Elements => {
  const bytes = new Uint8Array(elements.reduce((sum, element) => sum + element.bytes.length, 0))
  const places = new Float64Array(elements.length * numbersOfPlace)
  let start = 0
  elements.forEach((element, index) => {
    const end = start + element.bytes.length
    bytes.set(element.bytes, start)
    places.set([start, end, element.line, element.column], index * numbersOfPlace)
    start = end
  })
  return { _tag: "Elements", bytes, places, paths: elements.map(({ path }) => path) }
}

async function* cutLines(input: Opened, pieceBytes: number): AsyncGenerator<Lines> {
  const cutter = new LineCutter(pieceBytes)
  try {
    for await (const chunk of input.chunks()) {
      cutter.push(chunk)
      if (cutter.isFull) yield cutter.take()
    }
  } catch (cause) {
    // The lines before a failure of the input are still processed.
    yield cutter.take()
    throw cause
  }
  yield cutter.end()
}

/** The pieces of an input; those of NDJSON are of about equal size. */
export async function* read(
  source: Source,
  options: {
    readonly kind: Input.InputKind
    readonly note: Note
    readonly pieceBytes: number
  },
): AsyncGenerator<Piece> {
  const input = await openInput(source)
  if (input.format === "lines") yield* cutLines(input, options.pieceBytes)
  else if (input.format === "csv") {
    // No column of orders has several values, so no notes on commas are printed at the end.
    yield* Input.readCsv(input, options, (shape, header) => new CsvCutter(shape, header))
  } else {
    for await (const elements of Input.readElements(input, options.kind)) {
      yield elementsPiece(elements)
    }
  }
}

function* entriesOfLines(
  { chunks, firstLine }: Lines,
  take: LineTaker | undefined,
): Generator<InputEntry> {
  const lines = new JsonLines(firstLine, take)
  for (const chunk of chunks) {
    yield* lines.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  }
  yield* lines.end()
}

const elementsOf = ({ bytes, places, paths }: Elements): ReadonlyArray<Element> => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return paths.map((path, index) => {
    const at = index * numbersOfPlace
    const [start = 0, end = 0, line = 1, column = 1] = places.subarray(at, at + numbersOfPlace)
    return { bytes: all.subarray(start, end), line, column, path }
  })
}

/** The entries of a piece. Like {@link Input.read}, it throws when the input is unusable. */
export const entriesOf = (
  piece: Piece,
  options: {
    readonly name: string
    readonly kind: Input.InputKind
    readonly take?: LineTaker | undefined
  },
): Iterable<InputEntry> => {
  if (piece._tag === "Lines") return entriesOfLines(piece, options.take)
  if (piece._tag === "Elements") return Input.parseElements(elementsOf(piece), options)
  return entriesOfRows(piece, options.kind.csv ?? { columns: {} })
}
