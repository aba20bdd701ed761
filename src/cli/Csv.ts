/** Lines of CSV as RFC 4180 has them. */

/** One cell; null is empty. */
export type Cell = string | number | null

const needsQuotes = /[",\r\n]/

const cellText = (cell: Cell): string => {
  if (cell === null) return ""
  if (typeof cell === "number") return String(cell)
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A line, with its end. */
export const line = (cells: ReadonlyArray<Cell>): string => `${cells.map(cellText).join(",")}\n`

/** Several lines. */
export const lines = (rows: ReadonlyArray<ReadonlyArray<Cell>>): string => rows.map(line).join("")
