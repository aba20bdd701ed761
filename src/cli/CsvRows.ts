/** The lines of a CSV text, cut into cells. */
import { pipeline, Readable } from "node:stream"
import { CsvError, parse } from "csv-parse"
import * as ExitCode from "./ExitCode.js"

/** One line (a quoted cell may hold line breaks: then the line on which it begins). */
export interface Row {
  readonly cells: ReadonlyArray<string>
  readonly line: number
}

/** The separator of a header line: the one of comma, semicolon and tab that is most there. */
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

/** All lines with something on them, the header first. */
export async function* read(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly name: string; readonly delimiter: string },
): AsyncGenerator<Row> {
  const parser = parse({
    delimiter: options.delimiter,
    info: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  // The parser tells every failure of the pipeline itself, to the loop below.
  pipeline(Readable.from(decoded(options.name, chunks)), parser, () => undefined)
  try {
    for await (const { record, info } of parser) {
      const cells: ReadonlyArray<string> = record
      yield { cells, line: Number(info.lines) - lineBreaks(cells) }
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    const line = Number(Reflect.get(cause, "lines") ?? 1)
    throw unusable(options.name, line, problems[cause.code] ?? `is no CSV: ${cause.message}`)
  }
}
