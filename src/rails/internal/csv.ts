import type { Problem } from "../../Problem.js"

/** CSV according to RFC 4180: the files that rails read, and those that they write. */

const quoted = (cell: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Lines of cells, each with its end. */
export const lines = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("")

interface NumberedCells {
  /** The line on which it begins. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** The separator of a header line: the most frequent of comma, semicolon and tab. */
const separatorOf = (header: string): string => {
  const count = (separator: string) => header.split(separator).length
  return [",", ";", "\t"].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/** A cell, and the index behind it. */
interface Cell {
  readonly value: string
  readonly end: number
}

const quotedCell = (text: string, start: number): Cell | undefined => {
  let end = text.indexOf('"', start + 1)
  // Two quotes stand for one.
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  if (end === -1) return undefined
  return { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 }
}

const plainCell = (text: string, start: number, ends: RegExp): Cell => {
  ends.lastIndex = start
  const end = ends.test(text) ? ends.lastIndex - 1 : text.length
  return { value: text.slice(start, end), end }
}

/** The number of characters of the line end at an index; 0 if no line ends there. */
const lineEndAt = (text: string, place: number): number => {
  if (text[place] === "\n") return 1
  if (text[place] !== "\r") return 0
  return text[place + 1] === "\n" ? 2 : 1
}

const lineEnds = (text: string): number => text.split(/\r\n|\n|\r/).length - 1

interface CellRows {
  readonly rows: ReadonlyArray<NumberedCells>
  readonly problem: Problem | undefined
}

const broken = (text: string, place: number, line: number): CellRows => {
  const message = `line ${line} is not valid CSV: a quoted cell is not closed, or is followed by text`
  const value = text.slice(place, place + 40)
  return { rows: [], problem: { path: `line ${line}`, value, message } }
}

/** The rows of a text that are not empty. */
const rowsOf = (text: string): CellRows => {
  const separator = separatorOf(/^[^\r\n]*/.exec(text)?.[0] ?? "")
  const ends = new RegExp(`[${separator}\\r\\n]`, "g")
  const rows: Array<NumberedCells> = []
  let [line, begin, place] = [1, 1, 0]
  let cells: Array<string> = []
  while (place < text.length || cells.length > 0) {
    const isQuoted = text[place] === '"'
    const cell = isQuoted ? quotedCell(text, place) : plainCell(text, place, ends)
    if (cell === undefined) return broken(text, place, line)
    cells.push(cell.value)
    if (isQuoted) line += lineEnds(cell.value)
    const ended = lineEndAt(text, cell.end)
    const isMore = text[cell.end] === separator
    if (!isMore && ended === 0 && cell.end < text.length) return broken(text, place, line)
    place = cell.end + (isMore ? 1 : ended)
    if (isMore) continue
    if (cells.some((value) => value !== "")) rows.push({ line: begin, cells })
    if (ended > 0) line += 1
    begin = line
    cells = []
  }
  return { rows, problem: undefined }
}

/** A line of a file below its header. */
export interface CsvLine {
  readonly line: number
  /** The cell of a column; empty if the file lacks the column. */
  readonly cell: (column: string) => string
}

/** A file: the columns of its header, its lines, and its problems. */
export interface CsvFile {
  readonly columns: ReadonlyArray<string>
  readonly lines: ReadonlyArray<CsvLine>
  readonly problems: ReadonlyArray<Problem>
}

const missing = (columns: ReadonlyArray<string>, needed: ReadonlyArray<string>): Array<Problem> =>
  needed
    .filter((name) => !columns.includes(name))
    .map((name) => ({ path: name, value: undefined, message: "is no column of this file" }))

/** Reads a file whose first line names its columns. Missing columns are problems. */
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
