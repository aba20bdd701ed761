import type { Problem } from "../../Problem.js"

/** CSV as RFC 4180 has it: files that a rail's machine reads, and files that it writes. */

const quoted = (cell: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Lines of cells, each with its end. */
export const lines = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("")

interface NumberedCells {
  /** Where it begins in the text. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** The separator of a header line: the one of comma, semicolon and tab that is most there. */
const separatorOf = (header: string): string => {
  const count = (separator: string) => header.split(separator).length
  return [",", ";", "\t"].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/** A cell with what ends it, quoted or not; sticky, so that nothing is left out. */
const cellPattern = (separator: string): RegExp =>
  new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n][^${separator}\\r\\n]*)?)(${separator}|\\r\\n|\\n|\\r|$)`,
    "y",
  )

const lineEnds = (text: string): number => text.split(/\r\n|\n|\r/).length - 1

interface CellRows {
  readonly rows: ReadonlyArray<NumberedCells>
  readonly problem: Problem | undefined
}

/** The rows of a text that have something in them. */
const rowsOf = (text: string): CellRows => {
  const pattern = cellPattern(separatorOf(/^[^\r\n]*/.exec(text)?.[0] ?? ""))
  const rows: Array<NumberedCells> = []
  let [line, begin] = [1, 1]
  let cells: Array<string> = []
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const place = pattern.lastIndex
    const found = pattern.exec(text)
    if (found === null) {
      const value = text.slice(place, place + 40)
      const message = `line ${line} is no CSV: a quoted cell does not end, or has text behind its end`
      return { rows: [], problem: { path: `line ${line}`, value, message } }
    }
    const [whole, inQuotes, plain = "", end = ""] = found
    cells.push(inQuotes?.replaceAll('""', '"') ?? plain)
    line += lineEnds(whole)
    if (/^[,;\t]$/.test(end)) continue
    if (cells.some((cell) => cell !== "")) rows.push({ line: begin, cells })
    begin = line
    cells = []
  }
  return { rows, problem: undefined }
}

/** A line of a file below its header. */
export interface CsvLine {
  readonly line: number
  /** What stands under a column; empty when there is no such column. */
  readonly cell: (column: string) => string
}

/** What was read of a file: its columns as the header has them, its lines, and what keeps it from being read. */
export interface CsvFile {
  readonly columns: ReadonlyArray<string>
  readonly lines: ReadonlyArray<CsvLine>
  readonly problems: ReadonlyArray<Problem>
}

const missing = (columns: ReadonlyArray<string>, needed: ReadonlyArray<string>): Array<Problem> =>
  needed
    .filter((name) => !columns.includes(name))
    .map((name) => ({ path: name, value: undefined, message: "is no column of this file" }))

/** Reads a file whose first line names its columns. Columns that are needed and not there are problems. */
export const parse = (text: string, needed: ReadonlyArray<string>): CsvFile => {
  const { rows, problem } = rowsOf(text.replace(/^\uFEFF/, ""))
  if (problem !== undefined) return { columns: [], lines: [], problems: [problem] }
  const [header, ...below] = rows
  const columns = (header?.cells ?? []).map((cell) => cell.trim())
  const places = new Map(columns.map((name, place) => [name, place]))
  const found = below.map(({ line, cells }) => ({
    line,
    cell: (column: string) => cells[places.get(column) ?? -1]?.trim() ?? "",
  }))
  return { columns, lines: found, problems: missing(columns, needed) }
}
