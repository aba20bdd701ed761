import { pipeline, Readable } from "node:stream"
import { CsvError, parse } from "csv-parse"
import * as ExitCode from "../ExitCode.js"
import { CsvRecords, type CsvRow, type CsvShape } from "./CsvRecords.js"
import type { InputEntry } from "./Records.js"

// The lines of a CSV text, cut into cells.

/** The separator of a header line: the most frequent of comma, semicolon and tab. */
export const delimiterOf = (header: string): string => {
  const count = (delimiter: string) => header.split(delimiter).length
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best))
}

const unusable = (name: string, line: number, message: string) =>
  new ExitCode.UnusableInput({ message: `${name}:${line}: ${message}` })

async function* decoded(name: string, chunks: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let line = 1
  try {
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true })
      yield text
      line += text.split("\n").length - 1
    }
    yield decoder.decode()
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw unusable(name, line, "is not valid UTF-8 here or below: save the file in UTF-8")
  }
}

const problems: Readonly<{ [code: string]: string }> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: "has another number of cells than the header line",
  CSV_QUOTE_NOT_CLOSED: "a quoted cell begins here or above, and never ends",
  CSV_INVALID_CLOSING_QUOTE: "has text behind the closing quote of a cell",
  INVALID_OPENING_QUOTE: "has a quote in the middle of a cell that is not quoted itself",
}

const lineBreaks = (cells: ReadonlyArray<string>): number =>
  cells.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0)

/** All lines that are not empty, the header first. */
export async function* read(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly name: string; readonly delimiter: string },
): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter: options.delimiter,
    info: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  // The loop below receives every failure of the pipeline from the parser.
  pipeline(Readable.from(decoded(options.name, chunks)), parser, () => undefined)
  try {
    for await (const { record, info } of parser) {
      const cells: ReadonlyArray<string> = record
      yield { cells, line: Number(info.lines) - lineBreaks(cells) }
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    const line = Number(Reflect.get(cause, "lines") ?? 1)
    throw unusable(options.name, line, problems[cause.code] ?? `is not valid CSV: ${cause.message}`)
  }
}

// Cuts the lines of a CSV input into pieces of whole entries, without reading their values.

/** Lines of whole entries, with their header. */
export interface Rows {
  readonly _tag: "Rows"
  readonly header: ReadonlyArray<string>
  /** The number and cells of each line in JSON, which is passed to other threads faster than objects. */
  readonly rows: string
}

type NumberedCells = readonly [line: number, cells: ReadonlyArray<string>]

/** Takes lines as `CsvRecords` does, and returns them as pieces. */
export class CsvCutter {
  readonly ignored: ReadonlyArray<string>
  readonly repeated: ReadonlyArray<string>
  private readonly header: ReadonlyArray<string>
  private readonly idAt: number
  private rows: Array<NumberedCells> = []
  private openId: string | undefined
  /** How many lines belong to entries that are complete. */
  private complete = 0
  private entries = 0

  constructor(shape: CsvShape, header: CsvRow) {
    const { ignored, repeated } = new CsvRecords(shape, header)
    this.ignored = ignored
    this.repeated = repeated
    this.header = header.cells
    const names = header.cells.map((cell) => cell.trim())
    this.idAt = shape.lines === undefined ? -1 : names.indexOf(shape.lines.by)
  }

  /** Takes a line. Neighbours with the same id are one entry. */
  push({ cells, line }: CsvRow): void {
    const id = (cells[this.idAt] ?? "").trim()
    if (this.openId !== undefined && (id !== this.openId || id === "")) this.close()
    this.openId = id
    this.rows.push([line, cells])
  }

  /** How many complete entries are waiting. */
  get size(): number {
    return this.entries
  }

  /** Removes and returns the complete entries. */
  take(): Rows {
    const rows = JSON.stringify(this.rows.slice(0, this.complete))
    this.rows = this.rows.slice(this.complete)
    this.complete = 0
    this.entries = 0
    return { _tag: "Rows", header: this.header, rows }
  }

  /** Ends the input: the entry that was still open is complete. */
  end(): Rows {
    if (this.openId !== undefined) this.close()
    this.openId = undefined
    return this.take()
  }

  private close(): void {
    this.complete = this.rows.length
    this.entries += 1
  }
}

/** The entries of a piece. */
export const entriesOf = ({ header, rows }: Rows, shape: CsvShape): ReadonlyArray<InputEntry> => {
  const records = new CsvRecords(shape, { cells: header, line: 1 })
  const numbered: ReadonlyArray<NumberedCells> = JSON.parse(rows)
  for (const [line, cells] of numbered) records.push({ line, cells })
  return records.end()
}
