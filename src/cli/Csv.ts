/** CSV as RFC 4180 has it. */
import { stringify } from "csv-stringify/sync"

/** One cell; null is empty. */
export type Cell = string | number | null

/** What a spreadsheet would take for a formula and run. */
const formula = /^[=+\-@\t]/

/** A text that begins like a formula gets an apostrophe in front, as spreadsheets write such texts. */
const harmless = (cell: Cell): Cell =>
  typeof cell === "string" && formula.test(cell) ? `'${cell}` : cell

/** Several lines, each with its end. */
export const lines = (rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  stringify(rows.map((row) => row.map(harmless)))

/** A line, with its end. */
export const line = (cells: ReadonlyArray<Cell>): string => lines([cells])
