/** Tables for people: amounts are in decimals of their currency, aligned to the right. */
import * as CliOutput from "effect/cli/CliOutput"
import { figure } from "../../documents/Figure.js"
import * as Words from "../../orders/Words.js"

export { figure }

/** A column: its title, and whether it holds numbers. */
export interface TableColumn {
  readonly title: string
  readonly isNumber?: boolean
}

/** An amount with its currency, as `19.99 USD`. */
export const money = (amount: number | bigint, currency: string): string =>
  `${figure(amount, currency)} ${currency}`

const isPlain = /^[\x20-\x7e]*$/

/** How many columns of a terminal a text takes; Chinese characters, for example, take two each. */
const widthOf = (text: string): number =>
  isPlain.test(text) ? text.length : CliOutput.displayWidth(text)

const gap = "  "

/** The texts of a row. */
export type Cells = ReadonlyArray<string>

/** The columns that are not empty, with the width of their widest text. */
const usedColumns = (columns: ReadonlyArray<TableColumn>, rows: Iterable<Cells>) => {
  const widest = columns.map(() => 0)
  for (const row of rows) {
    columns.forEach((_, at) => {
      widest[at] = Math.max(widest[at] ?? 0, widthOf(Words.oneLine(row[at] ?? "")))
    })
  }
  return columns.flatMap(({ title, isNumber = false }, at) => {
    const width = widest[at] ?? 0
    return width === 0 ? [] : [{ at, isNumber, width: Math.max(width, widthOf(title)) }]
  })
}

/**
 * The lines of a table: titles and rows, in columns as wide as needed. Empty columns are left out. The rows are
 * iterated twice, so that only one row is in memory at a time.
 */
export function* lines(
  columns: ReadonlyArray<TableColumn>,
  rows: Iterable<Cells>,
): Generator<string> {
  const used = usedColumns(columns, rows)
  const lineOf = (row: Cells): string => {
    const cells = used.map(({ at, isNumber, width }) => {
      const text = Words.oneLine(row[at] ?? "")
      const filling = " ".repeat(width - widthOf(text))
      return isNumber ? filling + text : text + filling
    })
    return `${cells.join(gap).trimEnd()}\n`
  }
  yield lineOf(columns.map(({ title }) => title))
  for (const row of rows) yield lineOf(row)
}

/** All lines of a table. */
export const table = (columns: ReadonlyArray<TableColumn>, rows: ReadonlyArray<Cells>): string =>
  [...lines(columns, rows)].join("")
