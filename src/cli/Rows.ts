/** Values of the rows that the command line itself asks a database for. Each is asked for as text. */

/** A row as a client gives it. */
export interface Row {
  readonly [column: string]: unknown
}

/** A text; `null`: there is none. */
export const textOrNullOf = (row: Row, column: string): string | null => {
  const value = row[column]
  if (typeof value === "string" || value === null) return value
  throw new TypeError(`the column ${column} was not asked for as text`)
}

/** A text. */
export const textOf = (row: Row, column: string): string => textOrNullOf(row, column) ?? ""
