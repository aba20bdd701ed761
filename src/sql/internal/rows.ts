/** Values as they go into columns and come out of them. */
import { fromOrdered, toOrdered } from "./texts.js"

/** A row as a client gives it. */
export interface Row {
  readonly [column: string]: unknown
}

/** What a statement can be given. */
export type Parameter = string | bigint | boolean | null | ReadonlyArray<string>

/** A whole number as a parameter: always of the same type, so that a statement is prepared once. */
export const whole = (value: number): bigint => BigInt(value)

/** The same where there may be none. */
export const wholeOrNull = (value: number | null | undefined): bigint | null =>
  value == null ? null : BigInt(value)

/** Whole numbers as one parameter: `$1::text[]::bigint[]` makes them numbers again. */
export const wholes = (values: ReadonlyArray<number>): ReadonlyArray<string> => values.map(String)

/** A text as a parameter. */
export const text: (value: string) => string = toOrdered

/** The same where there may be none. */
export const textOrNull = (value: string | null | undefined): string | null =>
  value == null ? null : toOrdered(value)

/** Texts as one parameter. */
export const texts = (values: ReadonlyArray<string>): ReadonlyArray<string> => values.map(toOrdered)

/** Anything that JSON can hold, as a parameter of a column of type json. */
export const json = (value: unknown): string => JSON.stringify(value)

const unexpected = (column: string, value: unknown): TypeError =>
  new TypeError(`the column ${column} holds ${typeof value}, which it can't`)

/** A whole number that a column holds: clients give large ones as bigint. */
export const wholeOf = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "string") {
    return Number(value)
  }
  throw unexpected(column, value)
}

/** The same of a column that may hold none. */
export const wholeOrNullOf = (row: Row, column: string): number | null =>
  row[column] === null ? null : wholeOf(row, column)

/** A text that a column holds. */
export const textOf = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value === "string") return fromOrdered(value)
  throw unexpected(column, value)
}

/** The same of a column that may hold none. */
export const textOrNullOf = (row: Row, column: string): string | null =>
  row[column] === null ? null : textOf(row, column)

/** Whether a column of type boolean says so. */
export const isTrue = (row: Row, column: string): boolean => row[column] === true

/**
 * What a column of type json holds. Select it as text (`document::text as document`), because clients
 * don't agree on who reads JSON.
 */
export const documentOf = <A>(row: Row, column = "document"): A => {
  const value = row[column]
  if (typeof value !== "string") throw unexpected(column, value)
  return JSON.parse(value)
}
